#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "data/claims.h"
#include "memmatch/verifier.h"

// FEVER's prediction files: a line for each claim, in the claims' order,
//   {"id": 1, "predicted_label": "REFUTES", "predicted_evidence": [["Moon", 0], ["Earth", 3]]}
// with "admitted" and "confidence" behind it where a rule of admission was applied; these are
// written and not read.

namespace memmatch::data {

struct Prediction {
  std::string id;  // as in the file; empty where it has none
  bool id_is_number = false;
  std::string label;                   // as in the file, whatever it says
  std::vector<SentenceName> evidence;  // best first
  std::optional<bool> admitted;        // where a rule of admission was applied
  std::optional<double> confidence;
};

// What a verdict says of a claim; also for an unverifiable one with the evidence that was looked
// at.
Prediction to_prediction(const Claim& claim, const Verdict& verdict);

// One line, without its end. An id goes out as number or string as it came, none as none.
std::string to_line(const Prediction& prediction);

class PredictionReader {
 public:
  explicit PredictionReader(const std::filesystem::path& file) : lines_(file) {}

  // False at the end; blank lines are passed over. Throws Error(corrupt) naming file, line and
  // field.
  bool next(Prediction& prediction);

  std::string where() const { return lines_.where(); }

 private:
  LineReader lines_;
  JsonParser parser_;
  std::string line_;
};

}  // namespace memmatch::data
