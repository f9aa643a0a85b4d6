#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "memmatch/audit.h"
#include "memmatch/verifier.h"

// How far to rely on verdicts: admission by the model's calibration (paper §3.4), and audit by
// exemplars (§3.5).
//
//   auto verifier = memmatch::Verifier::open("facts.db", "models/default", {});
//   memmatch::Trust trust("models/default", verifier, {});
//   auto verdict = verifier.verify("Ada Lovelace was born in Paris.", trust.search({}));
//   trust.apply({}, {&verdict, 1});
//   if (!verdict.admitted()) …  // verdict.admission says why, and how likely it is right

namespace memmatch {

// Applies the same rules to any number of verdicts of one Verifier. One thread at a time.
class Trust {
 public:
  struct Settings {
    // The rule of admission: "mean" (the paper's), "quantile:0.9", "confidence:0.8", or "none".
    // Empty: what the model's calibration allows, and none where it has none.
    std::string admit = {};
    std::filesystem::path exemplars = {};  // the database to audit by; empty: no audit
    ExemplarOptions audit = {};
    int threads = 1;  // of the search for exemplars
  };

  // `model` is the folder that the Verifier was opened with. Throws Error: invalid_argument for a
  // rule that is none; not_found where the model has no calibration of the precision that the
  // Verifier runs in, or one without what the rule needs; those of ExemplarAuditor.
  Trust(const std::filesystem::path& model, const Verifier& verifier, const Settings& settings);

  Trust(Trust&&) noexcept;
  Trust& operator=(Trust&&) noexcept;
  ~Trust();

  // These options, with what an audit needs the search to keep.
  SearchOptions search(SearchOptions options) const;

  // Fills Verdict::exemplars and Verdict::admission. Exemplars come first, since they may change a
  // label. `options` are those of the search. Doing it again changes nothing.
  void apply(const SearchOptions& options, std::span<Verdict> verdicts);

  // The rule that holds; "none" without one.
  std::string rule() const;

  // All that its admissions depend on, for telling whether two runs belong together; empty without
  // a rule.
  const std::string& setting() const;

  // The exemplars that it audits by; none without. It lives as long as this.
  ExemplarAuditor* auditor();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A confidence in words: "about 9 of 10 such verdicts are right".
std::string_view in_words(double confidence);

}  // namespace memmatch
