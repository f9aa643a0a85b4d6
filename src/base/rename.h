#pragma once

#include <filesystem>

// What rename(2) does not offer. The functions that give a bool set errno where they fail.

namespace memmatch {

// Fails with EEXIST where `to` exists.
bool rename_to_new(const std::filesystem::path& from, const std::filesystem::path& to);

// The two take each other's names: at once where the file system can, else by `plain::exchange`.
bool exchange(const std::filesystem::path& a, const std::filesystem::path& b);

// To be called before looking for what exchange() may have replaced as `b`: if a process was killed
// in the middle of plain::exchange(), its old content gets its name back. Throws Error(io).
void finish_exchange(const std::filesystem::path& b);

// The same where the file system has only rename(2) and perhaps hard links; network ones often have
// no more. Not at once: between its steps `b` is known by aside_name(b) only.
namespace plain {
bool rename_to_new(const std::filesystem::path& from, const std::filesystem::path& to);
bool exchange(const std::filesystem::path& a, const std::filesystem::path& b);
std::filesystem::path aside_name(const std::filesystem::path& b);
}  // namespace plain

}  // namespace memmatch
