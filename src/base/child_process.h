#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memmatch {

// What a program that reads a stranger's file may take.
struct ChildLimits {
  std::uint64_t memory = std::uint64_t{1} << 30;  // bytes of address space
  std::uint64_t output = std::uint64_t{256} << 20;
  int seconds = 30;  // of the processor; of the clock, twice as many
};

struct ChildResult {
  enum class End { exited, killed, too_slow, too_much_output };
  End end = End::exited;
  int code = 0;  // the exit code, or the signal that killed it
  std::string output;
  std::string errors;  // the beginning of what it said on standard error
};

// Where the program is in PATH; none where it is not installed.
std::optional<std::filesystem::path> find_program(std::string_view name);

// Runs a program with `input` as its standard input, a file in memory, under limits of its own:
// what happens to it does not happen to us. It can write no files. Throws Error(io) where it cannot
// be started.
ChildResult run_limited(const std::filesystem::path& program,
                        const std::vector<std::string>& arguments, std::string_view input,
                        const ChildLimits& limits);

}  // namespace memmatch
