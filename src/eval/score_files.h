#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "eval/fever_score.h"

namespace memmatch::eval {

struct ScoreOptions {
  std::size_t max_evidence = 5;
  bool by_id =
      false;  // pair lines by their ids; otherwise by position, as the official scorer does
};

struct FileScore {
  std::uint64_t claims = 0;
  std::uint64_t verifiable = 0;
  FeverScore score;      // titles compared as they stand, as the official scorer does
  FeverScore nfc_score;  // titles compared in NFC: claim files and dump may spell them differently
};

// Scores a prediction file against a FEVER claim file. `warn` hears of what is odd but has no
// bearing on the numbers' meaning: ids that disagree, labels that are none. Throws Error(corrupt),
// naming file and line, for missing fields, claims without label, files that do not fit each other,
// and, paired by id, for ids that are missing or occur twice.
FileScore score_files(const std::filesystem::path& gold, const std::filesystem::path& predictions,
                      const ScoreOptions& options,
                      const std::function<void(const std::string&)>& warn);

}  // namespace memmatch::eval
