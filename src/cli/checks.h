#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>

namespace memmatch::cli {

// For options that count claims or the like: more than anybody has.
inline constexpr std::int64_t kMostClaims = 1'000'000'000'000;

// What options take, with messages that people understand: "--k1: must be a whole number from 1 to
// 10000, not '0'".
CLI::Validator whole_number(std::int64_t least, std::int64_t most);
CLI::Validator not_negative();  // any number

// One of `names`, whatever the case: "--precision: must be fp32 or int8, not 'fp16'".
CLI::Validator one_of(const std::map<std::string, std::int64_t>& names);

template <typename Value>
CLI::Validator choice(const std::map<std::string, Value>& names) {
  std::map<std::string, std::int64_t> numbers;
  for (const auto& [name, value] : names) numbers.emplace(name, static_cast<std::int64_t>(value));
  return one_of(numbers);
}

}  // namespace memmatch::cli
