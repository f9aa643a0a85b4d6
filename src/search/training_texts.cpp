#include "search/training_texts.h"

#include <fmt/format.h>

#include <limits>
#include <unordered_map>

#include "data/evidence_choice.h"
#include "memmatch/error.h"
#include "model/prefixes.h"
#include "text/unicode.h"

namespace memmatch::search {
namespace {

// Claim files may spell a title in another Unicode form than the dump does.
std::string title_key(std::string_view raw_title) { return text::nfc(raw_title); }

std::optional<Document> find_document(Datastore& store, const std::string& raw_title) {
  try {
    return store.find_document(raw_title);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::not_found) throw;
    return std::nullopt;
  }
}

std::string evidence_text(const data::SentenceName& name, Datastore& store) {
  const std::optional<Document> document = find_document(store, name.title);
  if (!document || name.number > std::numeric_limits<int>::max()) return "";
  const std::optional<Sentence> sentence =
      store.sentence(document->id, static_cast<int>(name.number));
  if (!sentence) return "";
  return fmt::format(" {} {}, sentence {}: {}", kEvidencePrefix, document->title, name.number,
                     sentence->text);
}

std::string chosen_evidence_text(const data::Claim& claim, Datastore& store) {
  std::unordered_map<std::string, DocumentId> covered;
  for (const Document& document : store.cover(claim.text).documents) {
    covered[title_key(document.raw_title)] = document.id;
  }
  const auto chosen = data::choose_evidence(
      claim.evidence, [&](std::string_view title) { return covered.contains(title_key(title)); });
  if (!chosen) return "";
  const std::string first = evidence_text(chosen->first, store);
  return chosen->second ? first + evidence_text(*chosen->second, store) : first;
}

}  // namespace

std::string query_text(const data::Claim& claim) {
  return fmt::format("{} {}", kClaimPrefix, claim.text);
}

std::string support_text(const data::Claim& claim, Datastore* store) {
  std::string text = fmt::format("{} {}", label_prefix(claim.label.value()), query_text(claim));
  if (claim.given_evidence) {
    text += fmt::format(" {} {}", kEvidencePrefix, *claim.given_evidence);
  } else if (store && claim.verifiable()) {
    text += chosen_evidence_text(claim, *store);
  }
  return text;
}

}  // namespace memmatch::search
