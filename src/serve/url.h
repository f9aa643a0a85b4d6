#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memmatch::serve {

// "/v1/documents/AC%2FDC?limit=3" taken apart: the path in decoded segments, so that a title may
// have a slash in it, and the decoded parameters.
struct Url {
  std::vector<std::string> path;
  std::vector<std::pair<std::string, std::string>> parameters;
};

// Throws RequestError(400) for what is not a path, has a bad escape, or is not UTF-8 without
// control characters when decoded; 414 for more than 8 KiB.
Url parse_url(std::string_view target);

// The parameters of a request. Every accessor throws RequestError(422), naming the parameter.
class Parameters {
 public:
  // All of them must be among `known`.
  Parameters(const Url& url, std::initializer_list<std::string_view> known);

  std::optional<std::string_view> find(std::string_view name) const;  // none twice
  std::vector<std::string_view> all(std::string_view name) const;
  // The preset must be within the limits, too.
  std::int64_t integer(std::string_view name, std::int64_t preset, std::int64_t least,
                       std::int64_t most) const;

 private:
  const Url& url_;
};

// A text as a segment of a path.
std::string path_escaped(std::string_view text);

// A whole number in decimal digits; none where it is not one, or too large.
std::optional<std::int64_t> parse_number(std::string_view digits);

}  // namespace memmatch::serve
