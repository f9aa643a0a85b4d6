#include "eval/verify_given.h"

namespace memmatch::eval {

std::vector<Verdict> verify_given(Verifier& verifier, std::span<const SymmetricRow> rows,
                                  const SearchOptions& search) {
  std::vector<std::string> claims;
  std::vector<std::vector<GivenEvidence>> evidence;
  for (const SymmetricRow& row : rows) {
    claims.push_back(row.claim.text);
    evidence.push_back(
        {{row.evidence.raw_title, row.evidence.title, row.evidence.number, row.evidence.text}});
  }
  std::vector<Verdict> verdicts = verifier.verify_given(claims, evidence, search);
  for (std::size_t i = 0; i < rows.size(); ++i)
    verdicts[i].evidence.at(0).edited = rows[i].evidence_changed;
  return verdicts;
}

std::vector<Verdict> verify_given(Verifier& verifier, std::span<const data::Pair> pairs,
                                  const SearchOptions& search) {
  std::vector<std::string> claims;
  std::vector<std::vector<GivenEvidence>> evidence;
  for (const data::Pair& pair : pairs) {
    claims.push_back(pair.claim.text);
    evidence.emplace_back();
    for (const GivenEvidence& text : pair.evidence) {
      for (GivenEvidence& sentence : verifier.sentences_of(text))
        evidence.back().push_back(std::move(sentence));
    }
  }
  return verifier.verify_given(claims, evidence, search);
}

}  // namespace memmatch::eval
