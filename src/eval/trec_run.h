#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>

#include "base/files.h"
#include "data/claims.h"
#include "memmatch/datastore.h"
#include "memmatch/verifier.h"

namespace memmatch::eval {

// Writes the beams of verdicts as TREC run files, for trec_eval and its relatives: level1.run and
// level2.run in a folder, each line "qid Q0 docid rank score tag".
//
// qid is the claim's id, or its place in the file (from 1) where it has none; docid is the raw
// title, '#' and the sentence's number, with white space and '%' percent-encoded; ranks are from
// 1; the score is the distance with its sign turned, so that the nearest scores highest.
class TrecRun {
 public:
  // Makes the folder where there is none.
  explicit TrecRun(const std::filesystem::path& folder);

  // The verdict must have beams. Throws Error(invalid_argument) where it has none.
  void add(const data::Claim& claim, const Verdict& verdict, Datastore& store);

  // Gives the files their names; without this call nothing is left behind but the folder.
  void finish();

 private:
  void write(OutputFile& file, const std::string& qid, const std::vector<BeamEntry>& beam,
             int level, Datastore& store);

  OutputFile level1_;
  OutputFile level2_;
  std::uint64_t claims_ = 0;
};

}  // namespace memmatch::eval
