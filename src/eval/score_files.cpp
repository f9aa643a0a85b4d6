#include "eval/score_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "data/predictions.h"
#include "memmatch/error.h"

namespace memmatch::eval {
namespace {

using data::Gold;
using data::GoldReader;
using data::Prediction;
using data::PredictionReader;

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::corrupt, message); }

// What happens often is told with its first place and a count.
class Oddity {
 public:
  void note(const std::string& message) {
    if (count_++ == 0) first_ = message;
  }
  void tell(const std::function<void(const std::string&)>& warn) const {
    if (count_ == 0) return;
    warn(count_ == 1 ? first_ : fmt::format("{} (and {} more such lines)", first_, count_ - 1));
  }

 private:
  std::uint64_t count_ = 0;
  std::string first_;
};

class Scoring {
 public:
  explicit Scoring(std::size_t max_evidence) : as_is_(max_evidence), nfc_(max_evidence) {}

  void add(const Gold& gold, const Prediction& prediction, const std::string& where) {
    const std::optional<Label> label = data::parse_label(prediction.label);
    if (!label) {
      unknown_labels_.note(
          fmt::format("{}: predicted_label '{}' counts as wrong: it is none of "
                      "SUPPORTS, REFUTES, NOT ENOUGH INFO",
                      where, prediction.label));
    }
    as_is_.add(gold, label, prediction.evidence);
    nfc_.add(with_nfc_titles(gold), label, with_nfc_titles(prediction.evidence));
  }

  FileScore result(const std::function<void(const std::string&)>& warn) const {
    unknown_labels_.tell(warn);
    return {as_is_.claims(), as_is_.verifiable(), as_is_.score(), nfc_.score()};
  }

 private:
  FeverScorer as_is_;
  FeverScorer nfc_;
  Oddity unknown_labels_;
};

void pair_by_position(GoldReader& golds, PredictionReader& predictions, Scoring& scoring,
                      const std::function<void(const std::string&)>& warn) {
  Oddity ids;
  std::uint64_t count = 0;
  Gold gold;
  Prediction prediction;
  while (golds.next(gold)) {
    ++count;
    if (!predictions.next(prediction)) {
      fail(fmt::format("{}: the predictions end here, after {}, but there are more claims: {}",
                       predictions.where(), count - 1, golds.where()));
    }
    if (!gold.id.empty() && !prediction.id.empty() && gold.id != prediction.id) {
      ids.note(
          fmt::format("{} has the id {}, but {} has {}; lines are paired by position, --by-id "
                      "pairs them by id",
                      golds.where(), gold.id, predictions.where(), prediction.id));
    }
    scoring.add(gold, prediction, predictions.where());
  }
  if (predictions.next(prediction)) {
    fail(fmt::format("{}: a prediction too many, there are only {} claims; they end with {}",
                     predictions.where(), count, golds.where()));
  }
  ids.tell(warn);
}

struct Placed {
  Prediction prediction;
  std::string where;
  std::uint64_t position = 0;
  std::string claimed_by;  // the gold line that it was used for
};

std::unordered_map<std::string, Placed> read_by_id(PredictionReader& predictions) {
  std::unordered_map<std::string, Placed> by_id;
  for (Prediction prediction; predictions.next(prediction);) {
    if (prediction.id.empty()) fail(fmt::format("{}: field 'id' is missing", predictions.where()));
    const auto [placed, is_new] =
        by_id.try_emplace(prediction.id, Placed{prediction, predictions.where(), by_id.size(), ""});
    if (!is_new) {
      fail(fmt::format("{}: the id {} occurs twice, first in {}", predictions.where(),
                       prediction.id, placed->second.where));
    }
  }
  return by_id;
}

void pair_by_id(GoldReader& golds, PredictionReader& predictions, Scoring& scoring) {
  auto by_id = read_by_id(predictions);
  std::uint64_t count = 0;
  for (Gold gold; golds.next(gold); ++count) {
    if (gold.id.empty()) fail(fmt::format("{}: field 'id' is missing", golds.where()));
    const auto found = by_id.find(gold.id);
    if (found == by_id.end())
      fail(fmt::format("{}: there is no prediction for the id {}", golds.where(), gold.id));
    Placed& placed = found->second;
    if (!placed.claimed_by.empty()) {
      fail(fmt::format("{}: the id {} occurs twice, first in {}", golds.where(), gold.id,
                       placed.claimed_by));
    }
    placed.claimed_by = golds.where();
    scoring.add(gold, placed.prediction, placed.where);
  }
  if (count == by_id.size()) return;
  const auto extra = std::min_element(by_id.begin(), by_id.end(), [](const auto& a, const auto& b) {
    return std::pair(!a.second.claimed_by.empty(), a.second.position) <
           std::pair(!b.second.claimed_by.empty(), b.second.position);
  });
  fail(fmt::format("{}: there is no claim with the id {}", extra->second.where, extra->first));
}

}  // namespace

FileScore score_files(const std::filesystem::path& gold, const std::filesystem::path& predictions,
                      const ScoreOptions& options,
                      const std::function<void(const std::string&)>& warn) {
  if (gold == "-" && predictions == "-") {
    throw Error(ErrorKind::invalid_argument,
                "only one of --gold and --predictions can be standard input");
  }
  GoldReader golds(gold);
  PredictionReader predicted(predictions);
  Scoring scoring(options.max_evidence);
  if (options.by_id) {
    pair_by_id(golds, predicted, scoring);
  } else {
    pair_by_position(golds, predicted, scoring, warn);
  }
  const FileScore score = scoring.result(warn);
  if (score.claims == 0) fail(fmt::format("{}: there are no claims in this file", gold.string()));
  return score;
}

}  // namespace memmatch::eval
