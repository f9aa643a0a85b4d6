#include "memmatch/verifier.h"

#include <fmt/format.h>

#include "audit/alignment_json.h"
#include "audit/support_probability.h"
#include "bindings.h"
#include "guarded.h"
#include "session.h"

namespace memmatch::python {
namespace {

using Owner = Guarded<Session>;

Candidates parse_candidates(const std::string& name) {
  for (const Candidates one :
       {Candidates::automatic, Candidates::cover, Candidates::words, Candidates::all}) {
    if (name == name_of(one)) return one;
  }
  throw Error(ErrorKind::invalid_argument,
              fmt::format("candidates '{}' are none of auto, cover, words, all", name));
}

bool parse_int8(const std::string& precision) {
  if (precision == "fp32" || precision == "int8") return precision == "int8";
  throw Error(ErrorKind::invalid_argument,
              fmt::format("precision '{}' is none of fp32, int8", precision));
}

std::unique_ptr<Owner> open_session(const std::optional<std::filesystem::path>& store,
                                    const std::optional<std::vector<GivenDocument>>& texts,
                                    const std::optional<std::vector<std::string>>& paths,
                                    const std::filesystem::path& model,
                                    const std::string& precision, int threads, bool read_only,
                                    std::uint64_t memory_limit, Trust::Settings trust) {
  const py::gil_scoped_release released;
  SessionSource source{.store = store};
  if (texts) source.documents.emplace(TemporaryStore::of_texts(*texts));
  if (paths) source.documents.emplace(TemporaryStore::of_paths(*paths));
  const Verifier::Settings settings{.int8 = parse_int8(precision),
                                    .threads = threads,
                                    .read_only = read_only,
                                    .memory_limit = memory_limit};
  trust.threads = threads;
  return std::make_unique<Owner>(
      std::make_unique<Session>(std::move(source), model, settings, trust), "Verifier");
}

// A label is 1 where the evidence supports the claim, as MiniCheck has it.
std::pair<std::vector<int>, std::vector<double>> score(
    Session& session, const std::vector<std::string>& claims,
    const std::vector<std::vector<GivenDocument>>& evidence, const SearchOptions& options) {
  std::pair<std::vector<int>, std::vector<double>> scores;
  for (const Verdict& verdict : session.verify_given(claims, evidence, options)) {
    const std::optional<double> probability = audit::support_probability(verdict);
    if (!probability) {
      throw Error(ErrorKind::not_found,
                  "there is no probability without a confidence: the model is not calibrated in "
                  "this precision (see memmatch calibrate), or admit is 'none'");
    }
    scores.first.push_back(verdict.label == Label::supports);
    scores.second.push_back(*probability);
  }
  return scores;
}

std::string align(Session& session, const std::string& claim, int level, int evidence,
                  std::optional<Label> label, const SearchOptions& options) {
  Verifier& verifier = session.verifier();
  const Verdict verdict = verifier.verify(claim, options);
  if (verdict.evidence.empty()) {
    throw Error(ErrorKind::not_found,
                fmt::format("'{}': there is no sentence to align it with", claim));
  }
  if (std::cmp_greater(evidence, verdict.evidence.size())) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' has {} sentences of evidence, so there is no evidence {}", claim,
                            verdict.evidence.size(), evidence));
  }
  audit::AlignmentRequest request{level, verdict.claim, {}, label.value_or(verdict.label)};
  for (const Evidence& sentence : verdict.evidence)
    request.evidence.push_back({sentence.title, sentence.number, sentence.text});
  if (level < 3) request.evidence = {request.evidence.at(static_cast<std::size_t>(evidence) - 1)};
  return audit::to_json(audit::align(verifier.network(), request)).dump();
}

void bind_options(py::module_& module) {
  py::class_<SearchOptions>(module, "SearchOptions")
      .def(py::init([](int k1, int z, bool two_class, const std::string& candidates, bool explain,
                       bool difference) {
        return SearchOptions{.k1 = k1,
                             .z = z,
                             .two_class = two_class,
                             .candidates = parse_candidates(candidates),
                             .explain = explain,
                             .difference = difference};
      }));
  py::class_<Trust::Settings>(module, "TrustSettings")
      .def(py::init([](const std::string& admit, const std::filesystem::path& exemplars,
                       int nearest, int neighbours, bool true_positive,
                       std::optional<double> max_distance, const std::string& update_tag) {
        return Trust::Settings{.admit = admit,
                               .exemplars = exemplars,
                               .audit = {.nearest = nearest,
                                         .neighbours = neighbours,
                                         .true_positive = true_positive,
                                         .max_distance = max_distance,
                                         .update_tag = update_tag}};
      }));
  py::class_<GivenDocument>(module, "GivenDocument")
      .def(py::init<const std::string&, const std::string&>());
}

}  // namespace

void bind_verifier(py::module_& module) {
  bind_options(module);
  using Given = std::vector<std::vector<GivenDocument>>;
  py::class_<Owner>(module, "Session")
      .def(py::init(&open_session))
      .def("close", &Owner::close)
      .def_property_readonly("closed", &Owner::closed)
      .def("rule", [](Owner& self) { return self.use([](Session& one) { return one.rule(); }); })
      .def("left_out",
           [](Owner& self) { return self.use([](Session& one) { return one.left_out(); }); })
      .def("verify",
           [](Owner& self, const std::vector<std::string>& claims, const SearchOptions& options) {
             return self.use([&](Session& one) { return one.verify(claims, options); });
           })
      .def("verify_given",
           [](Owner& self, const std::vector<std::string>& claims, const Given& evidence,
              const SearchOptions& options) {
             return self.use(
                 [&](Session& one) { return one.verify_given(claims, evidence, options); });
           })
      .def("check",
           [](Owner& self, const std::string& text, const SearchOptions& options) {
             return self.use([&](Session& one) { return one.check(text, options); });
           })
      .def("score",
           [](Owner& self, const std::vector<std::string>& claims, const Given& evidence,
              const SearchOptions& options) {
             return self.use([&](Session& one) { return score(one, claims, evidence, options); });
           })
      .def("align",
           [](Owner& self, const std::string& claim, int level, int evidence,
              std::optional<Label> label, const SearchOptions& options) {
             return self.use(
                 [&](Session& one) { return align(one, claim, level, evidence, label, options); });
           })
      .def("index", [](Owner& self) {
        return self.use([](Session& one) {
          return one.verifier().index([](const Progress&) { check_signals(); });
        });
      });
}

}  // namespace memmatch::python
