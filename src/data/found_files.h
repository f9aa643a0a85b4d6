#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace memmatch::data {

// Files that are to be read, in the order of the paths they come from and of their names.
struct FoundFiles {
  std::vector<std::filesystem::path> files;
  std::map<std::string, std::uint64_t> left_out;  // of folders: how many, by their endings
};

// The files that these paths are or have in them. Of folders, those with an ending that documents
// have or with none, also in the folders within; hidden ones are not looked at, and links to
// folders not followed: they may lead back. Throws Error: not_found, also where there is no such
// file in a folder; io.
FoundFiles find_files(std::span<const std::string> paths);

// "3 .png, 1 .css"; empty where nothing was left out.
std::string left_out_text(const FoundFiles& found);

}  // namespace memmatch::data
