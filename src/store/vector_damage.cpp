#include "store/vector_damage.h"

#include <fmt/format.h>

#include <cstring>

#include "base/float16.h"
#include "store/impl.h"

namespace memmatch::store {
namespace {

// Of a row of key, vector, the set's dimension, the sentence's id and whether it is blank. Empty
// where all is well.
std::string_view problem_of(const Statement& row) {
  if (row.is_null(2)) return "belongs to no model";
  if (row.is_null(3)) return "belongs to no sentence";
  if (row.integer(4) != 0) return "belongs to a blank sentence";
  return is_vector(row.blob(1), row.integer(2))
             ? ""
             : "is of another size than its set says, or holds what is no number";
}

}  // namespace

bool is_vector(std::string_view bytes, std::int64_t dimension) {
  constexpr std::size_t kHalf = sizeof(std::uint16_t);
  if (bytes.size() % kHalf != 0 || static_cast<std::int64_t>(bytes.size() / kHalf) != dimension)
    return false;
  bool finite = true;  // without a way out of the loop, which compilers then vectorise
  for (std::size_t i = 0; i < bytes.size(); i += kHalf) {
    std::uint16_t half = 0;
    std::memcpy(&half, bytes.data() + i, kHalf);
    finite &= is_finite_half(half);
  }
  return finite;
}

std::vector<std::int64_t> damaged_vector_sets(Connection& connection) {
  Statement rows(connection,
                 fmt::format("SELECT id FROM vector_sets WHERE id < 1 OR id > {} OR "
                             "typeof(fingerprint) <> 'blob' OR length(fingerprint) <> {}",
                             kLastVectorSet, sizeof(ContentHash)));
  std::vector<std::int64_t> ids;
  while (rows.step()) ids.push_back(rows.integer(0));
  return ids;
}

void for_each_damaged_vector(
    Connection& connection,
    const std::function<void(std::int64_t key, std::string_view problem)>& visit) {
  Statement rows(
      connection,
      fmt::format("SELECT v.key, v.vector, m.dimension, s.id, s.text = '' FROM vectors v "
                  "LEFT JOIN vector_sets m ON m.id = v.key >> {1} "
                  "LEFT JOIN sentences s ON s.id = v.key & {0} ORDER BY v.key",
                  kLastSentence, kSentenceBits));
  while (rows.step()) {
    if (const std::string_view problem = problem_of(rows); !problem.empty())
      visit(rows.integer(0), problem);
  }
}

}  // namespace memmatch::store
