#include <fmt/format.h>

#include <algorithm>

#include "audit/exemplar_matrix.h"
#include "audit/exemplar_rules.h"
#include "base/float16.h"
#include "base/hash.h"
#include "memmatch/error.h"

namespace memmatch {

using search::Ranked;

struct ExemplarAuditor::Impl {
  Impl(const std::filesystem::path& file, const ContentHash& fingerprint, int thread_count)
      : database(Exemplars::open(file, Exemplars::Access::read)),
        matrix(fingerprint),
        threads(thread_count) {}

  std::vector<NearExemplar> describe(std::span<const Ranked> ranked, Label label);
  void judge(Verdict& verdict, std::span<const Ranked> ranked, const ExemplarOptions& options);
  void update(std::span<Verdict> verdicts, std::span<const std::size_t> which,
              const ExemplarOptions& options);
  std::vector<float> queries(std::span<const Verdict> verdicts,
                             std::span<const std::size_t> which) const;

  Exemplars database;
  audit::ExemplarMatrix matrix;
  int threads;
};

namespace {

void check_options(const ExemplarOptions& options) {
  constexpr int kMost = 1000;
  for (const int count : {options.nearest, options.neighbours}) {
    if (count >= 1 && count <= kMost) continue;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} exemplars are asked for; it must be from 1 to {}", count, kMost));
  }
}

void check_models(Exemplars& database, const ContentHash& fingerprint,
                  const std::filesystem::path& file) {
  const std::vector<ContentHash> known = database.fingerprints();
  if (known.empty() || std::find(known.begin(), known.end(), fingerprint) != known.end()) return;
  std::string others;
  for (const ContentHash& other : known) others += " " + to_hex(other);
  throw Error(ErrorKind::invalid_argument,
              fmt::format("{}: its exemplars are of another model or precision ({} is asked for, "
                          "there is{}); build a database with this one",
                          file.string(), to_hex(fingerprint), others));
}

}  // namespace

ExemplarAuditor::ExemplarAuditor(const std::filesystem::path& file, const ContentHash& fingerprint,
                                 int threads)
    : impl_(std::make_unique<Impl>(file, fingerprint, std::max(1, threads))) {
  check_models(impl_->database, fingerprint, file);
}
ExemplarAuditor::ExemplarAuditor(ExemplarAuditor&&) noexcept = default;
ExemplarAuditor& ExemplarAuditor::operator=(ExemplarAuditor&&) noexcept = default;
ExemplarAuditor::~ExemplarAuditor() = default;

Exemplars& ExemplarAuditor::database() { return impl_->database; }

// Rounded to halves as those of the exemplars are: a decision is at no distance from its own
// exemplar.
std::vector<float> ExemplarAuditor::Impl::queries(std::span<const Verdict> verdicts,
                                                  std::span<const std::size_t> which) const {
  std::vector<float> all;
  for (const std::size_t i : which) {
    if (verdicts[i].difference.size() != matrix.dimension()) {
      throw Error(ErrorKind::invalid_argument,
                  "a verdict to audit needs its difference vector (SearchOptions::difference)");
    }
    for (const float value : verdicts[i].difference)
      all.push_back(float_from_half(half_from_float(value)));
  }
  return all;
}

std::vector<NearExemplar> ExemplarAuditor::Impl::describe(std::span<const Ranked> ranked,
                                                          Label label) {
  std::vector<NearExemplar> near;
  for (const Ranked& entry : ranked) {
    Exemplar exemplar = database.exemplar(entry.id);
    const ExemplarKind kind = kind_for(label, exemplar.gold, exemplar.predicted);
    near.push_back({std::move(exemplar), entry.distance, kind});
  }
  return near;
}

void ExemplarAuditor::Impl::judge(Verdict& verdict, std::span<const Ranked> ranked,
                                  const ExemplarOptions& options) {
  ExemplarAudit& audit = *verdict.exemplars;
  audit.nearest = describe(ranked, verdict.label);
  const std::span<const NearExemplar> near(audit.nearest);
  audit.true_positive = audit::mostly_true_positive(
      verdict.label,
      near.first(std::min(near.size(), static_cast<std::size_t>(options.neighbours))));
  const bool within =
      !options.max_distance || (!near.empty() && near.front().distance <= *options.max_distance);
  audit.admitted = !options.true_positive || (audit.true_positive && within);
  if (audit.nearest.size() > static_cast<std::size_t>(options.nearest))
    audit.nearest.resize(static_cast<std::size_t>(options.nearest));
}

void ExemplarAuditor::Impl::update(std::span<Verdict> verdicts, std::span<const std::size_t> which,
                                   const ExemplarOptions& options) {
  if (!matrix.has(options.update_tag)) {
    throw Error(ErrorKind::not_found,
                fmt::format("there are no exemplars of the tag '{}' for this model; 'memmatch "
                            "exemplars list --sources' shows the tags",
                            options.update_tag));
  }
  std::vector<std::size_t> changed;
  for (const std::size_t i : which) {
    if (audit::evidence_changed(verdicts[i])) changed.push_back(i);
  }
  if (changed.empty()) return;
  const auto found =
      matrix.nearest(queries(verdicts, changed), static_cast<std::size_t>(options.neighbours),
                     threads, options.update_tag);
  for (std::size_t n = 0; n < changed.size(); ++n) {
    Verdict& verdict = verdicts[changed[n]];
    verdict.exemplars->update = describe(found[n], verdict.label);
    verdict.exemplars->admitted = true;
    verdict.label = audit::voted_label(verdict.exemplars->update);
  }
}

void ExemplarAuditor::audit(std::span<Verdict> verdicts, const ExemplarOptions& options) {
  check_options(options);
  Impl& impl = *impl_;
  impl.database.in_one_state([&] {
    impl.matrix.refresh(impl.database);
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      verdicts[i].label = verdicts[i].model_label();  // whatever an earlier audit made of it
      verdicts[i].exemplars = ExemplarAudit{.nearest = {},
                                            .true_positive = false,
                                            .admitted = !options.true_positive,
                                            .model_label = verdicts[i].label,
                                            .update = {}};
      if (!verdicts[i].evidence.empty() && impl.matrix.rows() > 0) which.push_back(i);
    }
    const auto k = static_cast<std::size_t>(std::max(options.nearest, options.neighbours));
    const auto found = impl.matrix.nearest(impl.queries(verdicts, which), k, impl.threads);
    for (std::size_t n = 0; n < which.size(); ++n)
      impl.judge(verdicts[which[n]], found[n], options);
    if (!options.update_tag.empty()) impl.update(verdicts, which, options);
  });
}

}  // namespace memmatch
