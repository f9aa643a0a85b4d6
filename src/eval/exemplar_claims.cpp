#include "eval/exemplar_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>

#include "data/claims.h"
#include "eval/gold_evidence.h"
#include "eval/symmetric.h"
#include "memmatch/error.h"

namespace memmatch::eval {
namespace {

using audit::ExemplarClaim;

// An exemplar for each distinct sentence that is enough as evidence.
void add_gold(const data::Claim& claim, Datastore& store, ExemplarClaims& all) {
  std::set<data::SentenceName> seen;
  for (const data::EvidenceSet& set : claim.evidence) {
    if (set.size() != 1 || !seen.insert(set.front()).second) continue;
    const data::SentenceName& name = set.front();
    const std::optional<Document> document = find_by_raw_title(store, name.title);
    std::optional<Sentence> sentence;
    if (document && name.number <= std::numeric_limits<int>::max())
      sentence = store.sentence(document->id, static_cast<int>(name.number));
    if (!sentence || sentence->text.empty()) {
      ++all.missing;
      continue;
    }
    all.claims.push_back(
        {claim.text, *claim.label,
         GivenEvidence{document->raw_title, document->title, sentence->number, sentence->text}});
  }
}

ExemplarClaims read_labelled(const std::filesystem::path& file, ExemplarEvidence evidence,
                             Datastore& store) {
  ExemplarClaims all;
  data::ClaimReader reader(file);
  for (data::Claim claim; reader.next(claim);) {
    if (!claim.label) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{}: the claim has no label; exemplars need one", reader.where()));
    }
    if (evidence == ExemplarEvidence::gold) {
      if (claim.verifiable()) add_gold(claim, store, all);
    } else {
      all.claims.push_back({claim.text, *claim.label, std::nullopt});
    }
  }
  return all;
}

ExemplarClaims read_given(const std::filesystem::path& file,
                          const std::vector<std::filesystem::path>& gold, Datastore& store) {
  ExemplarClaims all;
  for (const SymmetricRow& row : read_symmetric(file, gold, store).rows) {
    all.claims.push_back({row.claim.text, *row.claim.label,
                          GivenEvidence{row.evidence.raw_title, row.evidence.title,
                                        row.evidence.number, row.evidence.text}});
  }
  return all;
}

// So many of them, in their order: each is taken with the share that is still wanted of those that
// are left.
void take_sample(std::vector<ExemplarClaim>& claims, std::uint64_t wanted, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<ExemplarClaim> taken;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const std::uint64_t left = claims.size() - i;
    if (random() % left < wanted - taken.size()) taken.push_back(std::move(claims[i]));
  }
  claims = std::move(taken);
}

}  // namespace

ExemplarClaims read_exemplar_claims(const std::filesystem::path& file,
                                    const ExemplarClaimOptions& options, Datastore& store) {
  const Datastore::Snapshot snapshot = store.snapshot();
  ExemplarClaims all = options.evidence == ExemplarEvidence::given
                           ? read_given(file, options.gold, store)
                           : read_labelled(file, options.evidence, store);
  if (options.limit > 0 && options.limit < all.claims.size())
    all.claims.resize(static_cast<std::size_t>(options.limit));
  if (options.sample > 0 && options.sample < all.claims.size())
    take_sample(all.claims, options.sample, options.seed);
  if (all.claims.empty()) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: there is nothing to make exemplars from", file.string()));
  }
  return all;
}

}  // namespace memmatch::eval
