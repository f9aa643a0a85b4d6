#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memmatch/datastore.h"
#include "memmatch/exemplars.h"
#include "memmatch/types.h"

// From a claim to a verdict: the paper's coarse-to-fine search over a datastore and a model.
//
//   auto verifier = memmatch::Verifier::open("facts.db", "models/default", {});
//   const auto verdict = verifier.verify("Ada Lovelace was born in Paris.", {});
//   std::cout << fever_name(verdict.label) << ": " << verdict.evidence.at(0).text << '\n';

namespace memmatch {

namespace search {
class Network;
}

struct SearchOptions {
  int k1 = 20;  // sentences that level 1 keeps
  int z = 5;    // of these, sentences that level 2 keeps: the evidence; 0: the claim alone
  bool two_class = false;                         // leave out "unverifiable"
  Candidates candidates = Candidates::automatic;  // what level 1 ranks
  bool explain = false;                           // keep the beams of all levels
  bool difference = false;      // keep the difference vectors of levels 2 and 3, except in sweeps
  bool evidence_alone = false;  // leave out level 3: nothing is decided

  friend bool operator==(const SearchOptions&, const SearchOptions&) = default;
};

// Where the candidates of level 1 came from.
enum class CandidateOrigin {
  automatic,  // the titles that the claim names, and the words that it shares
  cover,      // the titles that the claim names
  words,      // the words that it shares
  all,        // the whole datastore, as asked
  fallback,   // the whole datastore, because there was nothing by titles or words
  given,      // the caller brought the evidence
};
std::string_view name_of(CandidateOrigin origin);

// An evidence sentence, in the order of level 2. A model may rank sentences that share words with
// the claim as nearer than they are: by distance less a credit for each shared letter.
struct Evidence {
  SentenceId id = 0;  // 0 where the caller brought the sentence
  std::string raw_title;
  std::string title;
  int number = 0;
  std::string text;
  bool edited = false;  // the datastore's text is not the one that was imported
  int level1_rank = 0;  // from 0
  double level1_distance = 0;
  double level2_distance = 0;
  int shared_letters = 0;  // of the claim's words that sentence or title repeat
  int pieces = 0;          // of the sentence as level 3 would have it
  int pieces_seen = 0;     // of these, what was left after cutting to level 3's length
};

struct BeamEntry {
  SentenceId id = 0;
  double distance = 0;
  double credit = 0;  // for shared words; beams are ordered by distance less credit
};

// What level 1 kept, in its own order and in that of level 2; the first z of the latter are the
// evidence.
struct Beams {
  std::vector<BeamEntry> level1;
  std::vector<BeamEntry> level2;
};

// Seconds spent on one claim. Where claims are searched together, their shares.
struct SearchTimes {
  double cover = 0;
  double level1 = 0;
  double level2 = 0;
  double level3 = 0;
  double network = 0;  // of the levels' time, what the network took
};

// Whether a verdict is near enough to what the model knows to be relied on, by a rule that the
// caller chose. A verdict that is not admitted keeps its label: what to do with it is the caller's
// decision.
struct Admission {
  std::string rule;  // "mean", "quantile:0.9", "confidence:0.8"
  bool admitted = false;
  // That the label is right; none where the model's calibration has no confidence, and where the
  // label is that of exemplars and not the model's.
  std::optional<double> confidence;
  std::vector<std::string> reasons;  // why it is not admitted, for people
};

struct Verdict {
  std::string claim;
  Label label = Label::unverifiable;
  // Of each label's support, in the order of Label; none for labels that were left out, and for all
  // where the datastore had no candidate.
  std::array<std::optional<double>, 3> label_distances;
  std::vector<Evidence> evidence;
  CandidateOrigin origin = CandidateOrigin::cover;
  std::uint64_t candidates = 0;
  SearchTimes times;
  std::optional<Beams> beams;          // with SearchOptions::explain
  std::optional<Admission> admission;  // where a rule was applied
  // With SearchOptions::difference: |query - support| of level 2 for the nearest evidence, then of
  // level 3 for the label (paper §3.5). Empty where there is no evidence.
  std::vector<float> difference;
  std::optional<ExemplarAudit> exemplars;  // filled by ExemplarAuditor, see audit.h
  // What to know before relying on it, for people: that the whole datastore could not be searched,
  // that the calibration is of another search. Mostly empty.
  std::vector<std::string> warnings;

  // What level 3 decided; differs from `label` where exemplars have changed it.
  Label model_label() const { return exemplars ? exemplars->model_label : label; }

  // By all rules that were applied.
  bool admitted() const {
    return (!admission || admission->admitted) && (!exemplars || exemplars->admitted);
  }

  // The paper's d2 and d3: how far the nearest evidence, and the winning label, are from the claim.
  std::optional<double> level2_distance() const;
  std::optional<double> level3_distance() const;
};

// A cell of a sweep.
struct SweepCell {
  int k1 = 0;
  int z = 0;
};

// How far a datastore's sentences have vectors of a model.
struct IndexState {
  std::uint64_t indexed = 0;
  std::uint64_t missing = 0;  // non-blank sentences without
  std::uint64_t bytes = 0;    // that all vectors take in memory
};

// A datastore and a model, or a model alone. One thread at a time; inside, the work is spread over
// threads.
class Verifier {
 public:
  struct Settings {
    bool int8 = false;       // 8-bit products: faster, a little less exact
    int threads = 0;         // 0: as many as there are processors
    bool read_only = false;  // do not keep vectors that had to be made
    // Bytes that vectors may take in memory for a search of the whole datastore; 0: half of what
    // the machine has.
    std::uint64_t memory_limit = 0;
  };

  // Throws Error: of Datastore::open and Model::open; invalid_argument where the model has no
  // memory layers.
  static Verifier open(const std::filesystem::path& store, const std::filesystem::path& model,
                       const Settings& settings);

  // Without a datastore, for evidence that the caller brings: verify_given, sentences_of and what
  // concerns the model; all else throws Error(invalid_argument).
  static Verifier open(const std::filesystem::path& model, const Settings& settings);

  Verifier(Verifier&&) noexcept;
  Verifier& operator=(Verifier&&) noexcept;
  ~Verifier();

  // Throws invalid_argument for an empty claim, for k1 or z out of range, and where the whole
  // datastore is asked for but does not fit into Settings::memory_limit. Another process that
  // writes to the datastore is never waited for.
  Verdict verify(std::string_view claim, const SearchOptions& options);

  // Many claims together, which is faster; the verdicts are the same as one by one. Memory is
  // bounded by calling it with some hundred at a time.
  std::vector<Verdict> verify(std::span<const std::string> claims, const SearchOptions& options);

  // The verdicts on evidence that the caller brings, one or more sentences for each claim, as if
  // these were all that the search found: levels 1 and 2 give distances and order, level 3 reads
  // them all, as far as they fit (Evidence::pieces_seen). k1, z and `all` do not matter.
  std::vector<Verdict> verify_given(std::span<const std::string> claims,
                                    std::span<const std::vector<GivenEvidence>> evidence,
                                    const SearchOptions& options);

  // The model reads so much of a sentence and no more. A text that is longer comes back as its
  // sentences, with consecutive numbers, and a sentence that is still longer as several parts, so
  // that verify_given cuts none of them; any other text comes back as it is.
  std::vector<GivenEvidence> sentences_of(const GivenEvidence& text) const;

  // For every claim a verdict for each cell, in the order of `cells`. Levels 1 and 2 are searched
  // once.
  std::vector<std::vector<Verdict>> sweep(std::span<const std::string> claims,
                                          std::span<const SweepCell> cells,
                                          const SearchOptions& options);

  // Makes the level-1 vectors of all sentences that have none, or of those within these claims'
  // reach. Stopped at any time, it goes on where it was. Gives how many were made.
  std::uint64_t index(const ProgressCallback& progress = {});
  std::uint64_t index_reach_of(std::span<const std::string> claims,
                               const ProgressCallback& progress = {});

  // Makes the vectors of these sentences where they have none, all of them together, and keeps them
  // as verify() does: it is no error where they cannot be kept.
  void index_sentences(std::span<const SentenceId> ids);

  // Looks at every sentence.
  IndexState index_state();

  // Whether the datastore has any vectors of this model, and of others.
  bool has_vectors();
  bool has_vectors_of_others();

  // Of the model and the precision it runs in: vectors of another are of no use.
  const ContentHash& fingerprint() const;
  // Of the model alone.
  const ContentHash& model_fingerprint() const;

  // As it was opened.
  const Settings& settings() const;

  Datastore& store();

  // The model ready to run, for the library's own use.
  search::Network& network();

 private:
  struct Impl;
  explicit Verifier(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace memmatch
