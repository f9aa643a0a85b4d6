#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/claims.h"
#include "memmatch/datastore.h"

namespace memmatch::eval {

// Where a claim's gold evidence lies in a datastore.
struct GoldEvidence {
  std::vector<std::vector<SentenceId>> sets;  // those whose sentences are all there
  std::vector<SentenceId> sentences;          // of any set, sorted
  std::vector<DocumentId> documents;          // of these sentences, sorted
  std::vector<SentenceId> chosen;  // the chosen set's one or two, in order; 0 for one not there
  bool within_cover = false;       // a complete set is among the cover's candidates
};

// A document by the title that a claim file gives it, which may be in another Unicode form.
std::optional<Document> find_by_raw_title(Datastore& store, const std::string& title);

// Titles are compared in NFC. Empty for claims without evidence.
GoldEvidence find_gold_evidence(Datastore& store, const data::Claim& claim, const Cover& cover);

}  // namespace memmatch::eval
