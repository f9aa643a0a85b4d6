#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "data/claims.h"
#include "memmatch/types.h"

namespace memmatch::eval {

// Which claims of a file to take: the first so many, or so many spread evenly over it; 0 is all.
struct ClaimChoice {
  std::uint64_t limit = 0;
  std::uint64_t sample = 0;
};

// Whether the i-th of `total` is among `count` of them that are spread evenly.
inline bool is_sampled(std::uint64_t i, std::uint64_t count, std::uint64_t total) {
  return i * count % total < count;
}

// Keeps so many rows, spread evenly; 0 is all.
template <typename Row>
void take_sample(std::vector<Row>& rows, std::uint64_t sample) {
  if (sample == 0 || sample >= rows.size()) return;
  std::vector<Row> taken;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_sampled(i, sample, rows.size())) taken.push_back(std::move(rows[i]));
  }
  rows = std::move(taken);
}

// A file of labelled claims, in batches. It is read twice, so that what is wrong with it comes to
// light before hours of searching.
class LabelledClaims {
 public:
  // The first pass; `visit` sees all claims up to choice.limit. Throws Error: invalid_argument for
  // standard input; corrupt, naming file and line, for a claim without label, and for a file
  // without claims.
  LabelledClaims(std::filesystem::path file, const ClaimChoice& choice,
                 const std::function<void(const data::Claim&)>& visit = {});

  std::uint64_t count() const { return count_; }  // of the claims that are taken
  std::uint64_t total() const { return total_; }  // of those that the first pass saw

  // The second pass: calls `visit` with up to `batch` claims at a time.
  void for_each_batch(std::size_t batch, const ProgressCallback& progress,
                      const std::function<void(std::span<const data::Claim>)>& visit) const;

 private:
  std::filesystem::path file_;
  std::uint64_t total_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace memmatch::eval
