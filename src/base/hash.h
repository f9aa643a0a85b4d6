#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "memmatch/types.h"

namespace memmatch {

ContentHash content_hash(std::string_view text);

// Of what a file holds, unpacked: the same claims have the same hash however they are stored.
// Throws Error as InputFile does, and invalid_argument for standard input, which whoever wants the
// hash is going to read.
ContentHash content_hash_of_file(const std::filesystem::path& file);

// Lower-case hexadecimal.
std::string to_hex(const ContentHash& hash);

}  // namespace memmatch
