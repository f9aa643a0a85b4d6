#include "text/similarity.h"

#include <algorithm>
#include <string>
#include <vector>

#include "text/utf8.h"

namespace memmatch::text {
namespace {

std::u32string characters(std::string_view bytes) {
  std::u32string result;
  for (std::size_t position = 0; position < bytes.size();)
    result.push_back(next_code_point(bytes, position));
  return result;
}

std::size_t longest_common_subsequence(const std::u32string& a, const std::u32string& b) {
  std::vector<std::size_t> row(b.size() + 1, 0);  // lengths for the prefixes of b
  for (const char32_t c : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = c == b[j - 1] ? diagonal + 1 : std::max(above, row[j - 1]);
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

double similarity(std::string_view a, std::string_view b, double at_least) {
  if (a == b) return 1;
  const std::u32string first = characters(a);
  const std::u32string second = characters(b);
  const double lengths = static_cast<double>(first.size() + second.size());
  const double possible = 2 * static_cast<double>(std::min(first.size(), second.size())) / lengths;
  if (possible <= at_least) return 0;
  return 2 * static_cast<double>(longest_common_subsequence(first, second)) / lengths;
}

}  // namespace memmatch::text
