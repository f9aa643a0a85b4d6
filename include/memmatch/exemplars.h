#pragma once

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
#include "memmatch/types.h"

// The exemplar database: decisions of a model whose right label is known, each with the difference
// vectors of levels 2 and 3, in one SQLite file (paper §3.5). A new decision is audited by those
// that it resembles; see audit.h.
//
//   auto exemplars = memmatch::Exemplars::open("exemplars.db", memmatch::Exemplars::Access::write);
//   exemplars.for_each({.tag = "train"}, [](const memmatch::Exemplar& e) { … });
//   exemplars.relabel(17, memmatch::Label::refutes);  // the next audit knows
//
// Errors are memmatch::Error. Ids are stable and never reused.

namespace memmatch {

using ExemplarId = std::int64_t;

// What an exemplar is for a label: whether that label was right for it, and whether the model chose
// it.
enum class ExemplarKind {
  true_positive,   // right, and chosen
  false_negative,  // right, but the model chose another
  false_positive,  // chosen, but another was right
  true_negative,   // neither
};
ExemplarKind kind_for(Label label, Label gold, Label predicted);
std::string_view name_of(ExemplarKind kind);  // "tp", "fn", "fp", "tn"

struct NewExemplar {
  std::string claim = {};
  std::vector<GivenEvidence> evidence = {};  // what level 3 read, nearest at level 2 first
  Label gold = Label::unverifiable;
  Label predicted = Label::unverifiable;
  std::vector<float> difference = {};  // Verdict::difference; kept as IEEE halves
};

struct Exemplar {
  ExemplarId id = 0;
  std::string tag = {};  // of the source that it came with
  std::string claim = {};
  std::vector<GivenEvidence> evidence = {};
  Label gold = Label::unverifiable;
  Label predicted = Label::unverifiable;
  Label first_gold = Label::unverifiable;  // differs from `gold` where it was re-labelled
};

// Where exemplars came from: a claim file, or somebody's hand.
struct ExemplarSource {
  std::string tag = {};
  std::string setting = {};  // all that a build depended on; empty for those added by hand
  std::uint64_t done = 0;    // claims that a build has been through
  std::uint64_t total = 0;   // claims that it is to go through; 0 for those added by hand
  std::uint64_t exemplars = 0;
  std::uint64_t relabelled = 0;

  bool complete() const { return done == total; }
};

struct ExemplarFilter {
  std::string tag = {};  // empty: all of them
  std::optional<Label> gold = {};
  std::optional<Label> predicted = {};
  std::uint64_t limit = 0;  // 0: all
};

// An exemplar near to a decision.
struct NearExemplar {
  Exemplar exemplar;
  double distance = 0;
  ExemplarKind kind = ExemplarKind::true_negative;  // for the model's label
};

// What the exemplars say of a decision.
struct ExemplarAudit {
  std::vector<NearExemplar> nearest = {};   // nearest first; of equally near ones the newer first
  bool true_positive = false;               // so is the nearest, or most of the neighbours
  bool admitted = true;                     // by ExA_tp, where it was asked for
  Label model_label = Label::unverifiable;  // as level 3 has it
  // ExA_update: the exemplars whose label took the place of the model's; empty where it stands.
  std::vector<NearExemplar> update = {};
};

// One connection to an exemplar database; as with Datastore, one for each thread or process, and
// readers never wait.
class Exemplars {
 public:
  using Access = Datastore::Access;

  // Throws Error: not_found; corrupt (not an exemplar database, truncated, damaged: the message
  // says which); unsupported (written by a newer version); io.
  static Exemplars open(const std::filesystem::path& file, Access access,
                        std::chrono::milliseconds patience = Datastore::kPatience);

  Exemplars(Exemplars&&) noexcept;
  Exemplars& operator=(Exemplars&&) noexcept;
  ~Exemplars();

  // --- Reading ---

  std::vector<ExemplarSource> sources();  // in the order in which they came
  std::optional<ExemplarSource> source(std::string_view tag);

  // Throws not_found.
  Exemplar exemplar(ExemplarId id);

  // In the order of ids.
  void for_each(const ExemplarFilter& filter, const std::function<void(const Exemplar&)>& visit);

  // The models that exemplars were made with; their difference vectors do not go together.
  std::vector<ContentHash> fingerprints();

  // Each exemplar of this model with an id above `after`, in the order of ids.
  struct Row {
    ExemplarId id = 0;
    std::int64_t source = 0;  // equal for equal tags
    std::string_view tag;
    std::span<const std::uint16_t> difference;  // IEEE halves
  };
  void for_each_row(const ContentHash& fingerprint, ExemplarId after,
                    const std::function<void(const Row&)>& visit);

  // How many of this model's have ids up to `last`.
  std::uint64_t count(const ContentHash& fingerprint, ExemplarId last);

  // What `read` reads comes from one state of the file; it must not write.
  void in_one_state(const std::function<void()>& read);

  // As Datastore::has_moved().
  bool has_moved() const;

  // A number that changes with every change of the file by anyone, while this is open.
  std::int64_t change_counter();

  // Looks at everything. Gives what is wrong, one line each; empty means that all is well.
  std::vector<std::string> check();

  // --- Writing: each call is one transaction ---

  // Adds an exemplar by hand; makes the source where there is none of that tag. `fingerprint` is
  // that of the Verifier that made the difference vector.
  ExemplarId add(std::string_view tag, const ContentHash& fingerprint, const NewExemplar& exemplar);

  // Starts a build under a tag that is not there yet, or takes up one with the same setting where
  // it was. Throws conflict where the tag has another setting.
  ExemplarSource begin_build(std::string_view tag, std::string_view setting, std::uint64_t total);

  // The next `claims` claims of a build, and the exemplars that came of them (a claim without any
  // evidence gives none). Throws conflict where the build is not at `done` any more.
  void append(std::string_view tag, const ContentHash& fingerprint,
              std::span<const NewExemplar> exemplars, std::uint64_t done, std::uint64_t claims);

  // Both throw not_found.
  Exemplar relabel(ExemplarId id, Label gold);
  Exemplar remove(ExemplarId id);

  // The source and all its exemplars; gives how many these were. Throws not_found.
  std::uint64_t remove_source(std::string_view tag);

 private:
  struct Impl;
  explicit Exemplars(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace memmatch
