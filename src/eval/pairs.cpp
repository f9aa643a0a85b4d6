#include "eval/pairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "eval/report_parts.h"
#include "memmatch/error.h"

namespace memmatch::eval {

PairSet read_pairs(const std::filesystem::path& file, bool two_class, const ClaimChoice& choice) {
  PairSet set;
  set.two_class = two_class;
  data::PairReader reader(file);
  std::uint64_t& rows = set.total;
  for (data::Pair pair; (choice.limit == 0 || rows < choice.limit) && reader.next(pair); ++rows) {
    if (two_class && !pair.claim.verifiable()) {
      ++set.left_out;
    } else {
      set.pairs.push_back(std::move(pair));
    }
  }
  if (set.pairs.empty()) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: there are no pairs to evaluate in this file{}", file.string(),
                            set.left_out > 0 ? "; with two classes, NOT ENOUGH INFO is none" : ""));
  }
  take_sample(set.pairs, choice.sample);
  return set;
}

void count_pair(const data::Pair& pair, const Verdict& verdict, PairFigures& figures) {
  const auto count = [&](Confusion& confusion) {
    ++confusion[index(*pair.claim.label)][index(verdict.model_label())];
  };
  count(figures.all);
  if (!pair.source.empty()) count(figures.sources[pair.source]);
  if (!pair.kind.empty()) count(figures.kinds[pair.kind]);
  figures.sentences += verdict.evidence.size();
  figures.cut +=
      std::any_of(verdict.evidence.begin(), verdict.evidence.end(),
                  [](const Evidence& sentence) { return sentence.pieces_seen < sentence.pieces; });
}

Label majority(const Confusion& confusion) {
  return *std::max_element(kLabels.begin(), kLabels.end(), [&](Label a, Label b) {
    return gold_count(confusion, a) < gold_count(confusion, b);
  });
}

}  // namespace memmatch::eval
