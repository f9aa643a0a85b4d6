#include "cli/checks.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

namespace memmatch::cli {
namespace {

template <typename Number>
std::optional<Number> parse(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::string list_of(const std::map<std::string, std::int64_t>& names) {
  std::string list;
  std::size_t left = names.size();
  for (const auto& [name, number] : names) {
    --left;
    list += name + (left > 1 ? ", " : left == 1 ? " or " : "");
  }
  return list;
}

}  // namespace

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  const auto check = [least, most](const std::string& text) {
    const std::optional<std::int64_t> number = parse<std::int64_t>(text);
    if (number && *number >= least && *number <= most) return std::string();
    return fmt::format("must be a whole number from {} to {}, not '{}'", least, most, text);
  };
  return {check, fmt::format("{}..{}", least, most)};
}

CLI::Validator not_negative() {
  const auto check = [](const std::string& text) {
    const std::optional<double> number = parse<double>(text);
    if (number && std::isfinite(*number) && *number >= 0) return std::string();
    return fmt::format("must be a number that is not below 0, not '{}'", text);
  };
  return {check, ""};
}

CLI::Validator one_of(const std::map<std::string, std::int64_t>& names) {
  const auto translate = [names](std::string& text) {
    const auto found = names.find(CLI::detail::to_lower(text));
    if (found == names.end()) return fmt::format("must be {}, not '{}'", list_of(names), text);
    text = std::to_string(found->second);
    return std::string();
  };
  return {translate, ""};
}

}  // namespace memmatch::cli
