#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "data/bad_lines.h"
#include "memmatch/types.h"

namespace memmatch::data {

// A sentence named as FEVER names it: the page's raw title and the sentence's number.
struct SentenceName {
  std::string title;
  std::int64_t number = 0;

  friend auto operator<=>(const SentenceName&, const SentenceName&) = default;
};

using EvidenceSet = std::vector<SentenceName>;

struct Claim {
  std::string id;  // as in the file; empty where it has none
  bool id_is_number = false;
  std::string text;
  std::optional<Label> label;
  std::vector<EvidenceSet> evidence;  // each set alone is enough; empty for unverifiable claims
  std::optional<std::string> given_evidence;  // symmetric sets bring the sentence itself

  bool verifiable() const { return label && *label != Label::unverifiable; }
};

// What the claims say, without all else.
std::vector<std::string> texts_of(std::span<const Claim> claims);

// "SUPPORTS", "REFUTES", "NOT ENOUGH INFO", in any mix of upper and lower case.
std::optional<Label> parse_label(std::string_view name);

// A line's `label`; none where it has none. Throws Error(corrupt) where it is none of the three.
std::optional<Label> read_label(const JsonObject& row);

// Reads claim files line by line: FEVER's (train, dev, and test without labels) and the symmetric
// sets, v0.1 (`evidence_sentence`) and v0.2 (`evidence` is the sentence), whose claims and evidence
// are in the dump's tokenisation and come out as natural text.
class ClaimReader {
 public:
  ClaimReader(const std::filesystem::path& file, bool skip_bad_lines = false);

  // False at the end. Throws Error(corrupt) naming file, line and field of a bad line.
  bool next(Claim& claim);

  // "dev.jsonl:12", for complaints about the claim that next() gave last.
  std::string where() const { return lines_.where(); }

  const BadLines& bad_lines() const { return bad_lines_; }
  std::uint64_t bytes_read() const { return lines_.bytes_read(); }

 private:
  LineReader lines_;
  JsonParser parser_;
  BadLines bad_lines_;
  std::string line_;
};

}  // namespace memmatch::data
