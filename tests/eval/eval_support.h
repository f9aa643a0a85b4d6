#pragma once

#include <string>
#include <vector>

#include "data/claims.h"
#include "data/import.h"
#include "memmatch/verifier.h"
#include "store/store_support.h"

namespace memmatch::test {

inline data::Claim claim(const std::string& text, Label label,
                         std::vector<data::EvidenceSet> evidence = {}) {
  data::Claim claim;
  claim.text = text;
  claim.label = label;
  claim.evidence = std::move(evidence);
  return claim;
}

// A verdict as the search would give it: `level1` are all it kept there, `evidence` what of that
// level 2 kept, each with its level's distance, given by title and number.
struct Kept {
  std::string title;
  int number = 0;
  double distance = 0;
};

inline Verdict verdict(Datastore& store, Label label, const std::vector<Kept>& level1,
                       const std::vector<Kept>& evidence, double level3 = 1) {
  Verdict verdict;
  verdict.label = label;
  verdict.candidates = level1.size();
  verdict.beams.emplace();
  const auto id_of = [&](const Kept& kept) {
    return store.sentence(store.find_document(kept.title).id, kept.number).value().id;
  };
  for (const Kept& kept : level1) verdict.beams->level1.push_back({id_of(kept), kept.distance});
  for (const Kept& kept : evidence) {
    verdict.beams->level2.push_back({id_of(kept), kept.distance});
    Evidence entry;
    entry.id = id_of(kept);
    entry.raw_title = entry.title = kept.title;
    entry.number = kept.number;
    entry.level2_distance = kept.distance;
    verdict.evidence.push_back(entry);
  }
  if (!evidence.empty()) {
    verdict.label_distances.fill(level3 + 1);
    verdict.label_distances[static_cast<std::size_t>(label)] = level3;
  }
  return verdict;
}

// The reduced Wikipedia beside the repository.
inline void import_reduced_fever(Datastore& store) {
  const auto reader = data::open_documents(data::DocumentFormat::fever_wiki,
                                           shared_data() / "fever-reduced" / "wiki-pages");
  data::import_documents(*reader, store);
}

}  // namespace memmatch::test
