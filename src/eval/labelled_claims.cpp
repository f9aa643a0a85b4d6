#include "eval/labelled_claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "memmatch/error.h"

namespace memmatch::eval {

LabelledClaims::LabelledClaims(std::filesystem::path file, const ClaimChoice& choice,
                               const std::function<void(const data::Claim&)>& visit)
    : file_(std::move(file)) {
  if (file_ == "-") {
    throw Error(ErrorKind::invalid_argument,
                "claims to evaluate are read twice: give a file, not standard input");
  }
  data::ClaimReader reader(file_);
  for (data::Claim claim; (choice.limit == 0 || total_ < choice.limit) && reader.next(claim);) {
    ++total_;
    if (!claim.label) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{}: the claim has no label, so there is nothing to evaluate; "
                              "'predict' takes unlabelled claims",
                              reader.where()));
    }
    if (visit) visit(claim);
  }
  if (total_ == 0) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: there are no claims in this file", file_.string()));
  }
  count_ = choice.sample == 0 ? total_ : std::min(choice.sample, total_);
}

void LabelledClaims::for_each_batch(
    std::size_t batch, const ProgressCallback& progress,
    const std::function<void(std::span<const data::Claim>)>& visit) const {
  data::ClaimReader reader(file_);
  std::vector<data::Claim> claims;
  data::Claim claim;
  std::uint64_t done = 0;
  for (std::uint64_t i = 0; i < total_; ++i) {
    if (!reader.next(claim)) {
      throw Error(ErrorKind::io,
                  fmt::format("{}: the file changed while it was read", file_.string()));
    }
    if (is_sampled(i, count_, total_)) claims.push_back(std::move(claim));
    if (claims.empty() || (claims.size() < batch && i + 1 < total_)) continue;
    visit(claims);
    done += claims.size();
    claims.clear();
    if (progress) progress({done, count_});
  }
}

}  // namespace memmatch::eval
