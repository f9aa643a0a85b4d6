#include "eval/gold_evidence.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "data/evidence_choice.h"
#include "memmatch/error.h"
#include "text/unicode.h"

namespace memmatch::eval {
namespace {

// Documents by raw title in NFC: the cover's, and others as they are asked for.
class Titles {
 public:
  Titles(Datastore& store, const Cover& cover) : store_(store) {
    for (const Document& document : cover.documents)
      covered_.emplace(text::nfc(document.raw_title), document.id);
  }

  bool covered(std::string_view title) const { return covered_.contains(text::nfc(title)); }

  std::optional<DocumentId> find(const std::string& title) {
    const auto found = covered_.find(text::nfc(title));
    if (found != covered_.end()) return found->second;
    const auto [other, is_new] = others_.try_emplace(title);
    if (is_new) {
      const std::optional<Document> document = find_by_raw_title(store_, title);
      if (document) other->second = document->id;
    }
    return other->second;
  }

 private:
  Datastore& store_;
  std::unordered_map<std::string, DocumentId> covered_;
  std::unordered_map<std::string, std::optional<DocumentId>> others_;
};

std::optional<Sentence> find_sentence(Datastore& store, Titles& titles,
                                      const data::SentenceName& name) {
  const std::optional<DocumentId> document = titles.find(name.title);
  if (!document || name.number > std::numeric_limits<int>::max()) return std::nullopt;
  return store.sentence(*document, static_cast<int>(name.number));
}

template <typename T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

bool all_candidates(const std::vector<SentenceId>& set, const Cover& cover) {
  return std::all_of(set.begin(), set.end(), [&](SentenceId id) {
    return std::binary_search(cover.sentences.begin(), cover.sentences.end(), Candidate{id, 0, 0},
                              [](const Candidate& a, const Candidate& b) { return a.id < b.id; });
  });
}

}  // namespace

std::optional<Document> find_by_raw_title(Datastore& store, const std::string& title) {
  for (const std::string& spelling : {title, text::nfc(title)}) {
    try {
      return store.find_document(spelling);
    } catch (const Error& error) {
      // Not there, or only as a display title that several share: not the page that is meant.
      if (error.kind() != ErrorKind::not_found && error.kind() != ErrorKind::invalid_argument)
        throw;
    }
  }
  return std::nullopt;
}

GoldEvidence find_gold_evidence(Datastore& store, const data::Claim& claim, const Cover& cover) {
  GoldEvidence gold;
  if (!claim.verifiable() || claim.evidence.empty()) return gold;
  Titles titles(store, cover);
  for (const data::EvidenceSet& set : claim.evidence) {
    std::vector<SentenceId> ids;
    for (const data::SentenceName& name : set) {
      const std::optional<Sentence> sentence = find_sentence(store, titles, name);
      if (!sentence) continue;
      ids.push_back(sentence->id);
      gold.documents.push_back(sentence->document);
    }
    gold.sentences.insert(gold.sentences.end(), ids.begin(), ids.end());
    if (ids.size() == set.size()) gold.sets.push_back(std::move(ids));
  }
  sort_unique(gold.sentences);
  sort_unique(gold.documents);
  gold.within_cover = std::any_of(gold.sets.begin(), gold.sets.end(),
                                  [&](const auto& set) { return all_candidates(set, cover); });

  const auto chosen = data::choose_evidence(
      claim.evidence, [&](std::string_view title) { return titles.covered(title); });
  const auto id_of = [&](const data::SentenceName& name) {
    const std::optional<Sentence> sentence = find_sentence(store, titles, name);
    return sentence ? sentence->id : 0;
  };
  gold.chosen.push_back(id_of(chosen->first));
  if (chosen->second) gold.chosen.push_back(id_of(*chosen->second));
  return gold;
}

}  // namespace memmatch::eval
