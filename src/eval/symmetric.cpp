#include "eval/symmetric.h"

#include <fmt/format.h>

#include <limits>
#include <unordered_map>

#include "eval/gold_evidence.h"
#include "memmatch/error.h"
#include "text/similarity.h"

namespace memmatch::eval {
namespace {

constexpr std::size_t kSuffixLength = 7;
constexpr double kSimilar = 0.95;

SymmetricKind kind_of(const std::string& id) {
  if (id.size() <= kSuffixLength) return SymmetricKind::original;
  const std::string_view suffix = std::string_view(id).substr(id.size() - kSuffixLength);
  if (suffix == "0000002") return SymmetricKind::changed_evidence;
  if (suffix == "0000003") return SymmetricKind::changed_claim;
  if (suffix == "0000004") return SymmetricKind::changed_both;
  return SymmetricKind::original;
}

struct Group {
  std::vector<SymmetricRow*> rows;
  std::vector<data::EvidenceSet> gold;  // of the parent, where a claim file has it
  bool has_parent = false;

  // The row of the first of these kinds that the group has, or else any.
  const SymmetricRow& first_of(std::initializer_list<SymmetricKind> kinds) const {
    for (const SymmetricKind kind : kinds) {
      for (const SymmetricRow* row : rows) {
        if (row->kind == kind) return *row;
      }
    }
    return *rows.front();
  }

  // Version 0.1 has no parent rows; a changed claim keeps the evidence, and the other way round.
  const std::string& original_evidence() const {
    return *first_of({SymmetricKind::original, SymmetricKind::changed_claim}).claim.given_evidence;
  }
  const std::string& original_claim() const {
    return first_of({SymmetricKind::original, SymmetricKind::changed_evidence}).claim.text;
  }
};

using Groups = std::unordered_map<std::string, Group>;

std::vector<SymmetricRow> read_rows(const std::filesystem::path& file) {
  data::ClaimReader reader(file);
  std::vector<SymmetricRow> rows;
  for (data::Claim claim; reader.next(claim);) {
    const auto fail = [&](std::string_view what) {
      throw Error(ErrorKind::corrupt, fmt::format("{}: {}", reader.where(), what));
    };
    if (!claim.given_evidence)
      fail("a symmetric set's line must have its evidence as 'evidence' or 'evidence_sentence'");
    if (claim.id.empty()) fail("field 'id' is missing");
    if (!claim.label) fail("field 'label' is missing");
    if (!claim.verifiable()) fail("a symmetric set's labels are SUPPORTS and REFUTES");
    SymmetricRow row;
    row.kind = kind_of(claim.id);
    row.parent = row.kind == SymmetricKind::original
                     ? claim.id
                     : claim.id.substr(0, claim.id.size() - kSuffixLength);
    row.claim = std::move(claim);
    rows.push_back(std::move(row));
  }
  return rows;
}

void read_parents(const std::vector<std::filesystem::path>& files, Groups& groups) {
  for (const std::filesystem::path& file : files) {
    data::ClaimReader reader(file);
    for (data::Claim claim; reader.next(claim);) {
      const auto found = groups.find(claim.id);
      if (found == groups.end() || found->second.has_parent) continue;
      found->second.has_parent = true;
      found->second.gold = std::move(claim.evidence);
    }
  }
}

struct Place {
  Document document;
  int number = 0;
  double similarity = -1;
};

void consider(const Document& document, const Sentence& sentence, const std::string& evidence,
              Place& best) {
  if (sentence.text.empty()) return;
  const double similarity = text::similarity(sentence.text, evidence, best.similarity);
  if (similarity > best.similarity) best = {document, sentence.number, similarity};
}

Place find_in_gold(const Group& group, Datastore& store) {
  Place best;
  for (const data::EvidenceSet& set : group.gold) {
    if (set.size() != 1 || set.front().number > std::numeric_limits<int>::max()) continue;
    const std::optional<Document> document = find_by_raw_title(store, set.front().title);
    if (!document) continue;
    const auto sentence = store.sentence(document->id, static_cast<int>(set.front().number));
    if (sentence) consider(*document, *sentence, group.original_evidence(), best);
  }
  return best;
}

Place find_in_cover(const Group& group, Datastore& store) {
  Place best;
  for (const Document& document : store.cover(group.original_claim()).documents) {
    for (const Sentence& sentence : store.sentences(document.id))
      consider(document, sentence, group.original_evidence(), best);
  }
  return best;
}

void place_group(Group& group, Datastore& store, SymmetricSet& set) {
  FoundBy found_by = FoundBy::gold;
  Place place = find_in_gold(group, store);
  if (place.similarity < 0) {
    found_by = FoundBy::cover;
    place = find_in_cover(group, store);
  }
  if (place.similarity < 0) found_by = FoundBy::nobody;
  ++set.groups;
  ++set.found_by[static_cast<std::size_t>(found_by)];
  set.dissimilar += found_by != FoundBy::nobody && place.similarity < kSimilar;
  for (SymmetricRow* row : group.rows) {
    row->evidence_changed = *row->claim.given_evidence != group.original_evidence();
    row->evidence.raw_title = place.document.raw_title;
    row->evidence.title = place.document.title;
    row->evidence.number = place.number;
    row->evidence.text = *row->claim.given_evidence;
    row->evidence.edited = row->evidence_changed;
    const bool told_by_id =
        row->kind == SymmetricKind::changed_evidence || row->kind == SymmetricKind::changed_both;
    set.disagreeing_ids += told_by_id != row->evidence_changed;
  }
}

}  // namespace

SymmetricSet read_symmetric(const std::filesystem::path& file,
                            const std::vector<std::filesystem::path>& claims, Datastore& store) {
  SymmetricSet set;
  set.rows = read_rows(file);
  Groups groups;
  for (SymmetricRow& row : set.rows) groups[row.parent].rows.push_back(&row);
  read_parents(claims, groups);
  const Datastore::Snapshot snapshot = store.snapshot();
  for (auto& [parent, group] : groups) place_group(group, store, set);
  return set;
}

void count_symmetric(const SymmetricRow& row, const Verdict& verdict, SymmetricFigures& figures) {
  const bool right = verdict.model_label() == *row.claim.label;
  const auto count = [&](Share& share) {
    ++share.claims;
    share.right += right;
  };
  count(figures.all);
  count(row.evidence_changed ? figures.changed : figures.unchanged);
  count(figures.by_kind[static_cast<std::size_t>(row.kind)]);
  const auto label = static_cast<std::size_t>(verdict.model_label());
  ++figures.confusion[static_cast<std::size_t>(*row.claim.label)][label];
  if (!verdict.evidence.empty()) {
    const double distance = verdict.evidence.front().level2_distance;
    (right ? figures.level2_right : figures.level2_wrong).add(distance);
  }
  if (const std::optional<double> distance = verdict.level3_distance())
    (right ? figures.level3_right : figures.level3_wrong).add(*distance);
}

}  // namespace memmatch::eval
