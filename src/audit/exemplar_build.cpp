#include "audit/exemplar_build.h"

#include <algorithm>

namespace memmatch::audit {
namespace {

// As many are lost at most when the program is stopped.
constexpr std::size_t kClaimsTogether = 64;

std::vector<Verdict> verdicts_of(Verifier& verifier, std::span<const ExemplarClaim> claims,
                                 SearchOptions options) {
  options.difference = true;
  std::vector<std::string> texts;
  std::vector<std::vector<GivenEvidence>> evidence;
  for (const ExemplarClaim& claim : claims) {
    texts.push_back(claim.claim);
    if (claim.evidence) evidence.push_back({*claim.evidence});
  }
  return evidence.empty() ? verifier.verify(texts, options)
                          : verifier.verify_given(texts, evidence, options);
}

}  // namespace

std::vector<NewExemplar> decide(Verifier& verifier, std::span<const ExemplarClaim> claims,
                                const SearchOptions& options) {
  std::vector<Verdict> verdicts = verdicts_of(verifier, claims, options);
  std::vector<NewExemplar> exemplars;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    Verdict& verdict = verdicts[i];
    if (verdict.evidence.empty()) continue;
    NewExemplar exemplar{.claim = std::move(verdict.claim),
                         .evidence = {},
                         .gold = claims[i].gold,
                         .predicted = verdict.label,
                         .difference = std::move(verdict.difference)};
    for (Evidence& evidence : verdict.evidence) {
      exemplar.evidence.push_back({std::move(evidence.raw_title), std::move(evidence.title),
                                   evidence.number, std::move(evidence.text)});
    }
    exemplars.push_back(std::move(exemplar));
  }
  return exemplars;
}

BuildReport build_exemplars(Exemplars& exemplars, std::string_view tag, std::string_view setting,
                            Verifier& verifier, std::span<const ExemplarClaim> claims,
                            const SearchOptions& options, const ProgressCallback& progress) {
  BuildReport report{.claims = claims.size()};
  report.taken_up = exemplars.begin_build(tag, setting, claims.size()).done;
  for (std::size_t done = report.taken_up; done < claims.size();) {
    const auto some = claims.subspan(done, std::min(kClaimsTogether, claims.size() - done));
    const std::vector<NewExemplar> decided = decide(verifier, some, options);
    exemplars.append(tag, verifier.fingerprint(), decided, done, some.size());
    done += some.size();
    report.exemplars += decided.size();
    if (progress) progress({done, claims.size()});
  }
  return report;
}

}  // namespace memmatch::audit
