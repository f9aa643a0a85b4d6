#include "eval/cover_figures.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "text/unicode.h"

namespace memmatch::eval {
namespace {

// Raw titles are the dump's bytes; claim files may spell them in another Unicode form.
std::string title_key(std::string_view raw_title) { return text::nfc(raw_title); }

}  // namespace

void count_cover(Datastore& store, const data::Claim& claim, CoverFigures& figures,
                 Candidates candidates) {
  const Cover cover = store.candidates(claim.text, candidates);
  ++figures.claims;
  figures.titles += cover.documents.size();
  figures.sentences += cover.sentences.size();
  if (cover.sentences.empty()) ++figures.without_candidates;
  if (!claim.verifiable() || claim.evidence.empty()) return;
  ++figures.verifiable;

  std::unordered_map<std::string, DocumentId> covered;
  for (const Document& document : cover.documents)
    covered[title_key(document.raw_title)] = document.id;
  std::set<std::pair<DocumentId, std::int64_t>> sentences;
  for (const Candidate& candidate : cover.sentences)
    sentences.emplace(candidate.document, candidate.number);

  const auto title_covered = [&](const data::SentenceName& name) {
    return covered.contains(title_key(name.title));
  };
  const auto is_candidate = [&](const data::SentenceName& name) {
    const auto document = covered.find(title_key(name.title));
    return document != covered.end() && sentences.contains({document->second, name.number});
  };
  figures.any_gold_title +=
      std::any_of(claim.evidence.begin(), claim.evidence.end(), [&](const data::EvidenceSet& set) {
        return std::any_of(set.begin(), set.end(), title_covered);
      });
  figures.full_gold_set +=
      std::any_of(claim.evidence.begin(), claim.evidence.end(), [&](const data::EvidenceSet& set) {
        return std::all_of(set.begin(), set.end(), is_candidate);
      });
}

}  // namespace memmatch::eval
