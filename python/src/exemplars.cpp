#include "memmatch/exemplars.h"

#include <fmt/format.h>

#include "audit/exemplar_build.h"
#include "bindings.h"
#include "guarded.h"
#include "results.h"
#include "session.h"

namespace memmatch::python {
namespace {

using Database = Guarded<Exemplars>;

std::unique_ptr<Database> open_exemplars(const std::filesystem::path& file, bool write) {
  const py::gil_scoped_release released;
  const auto access = write ? Exemplars::Access::create : Exemplars::Access::read;
  return std::make_unique<Database>(std::make_unique<Exemplars>(Exemplars::open(file, access)),
                                    "Exemplars");
}

std::vector<Exemplar> list(Exemplars& exemplars, const ExemplarFilter& filter) {
  std::vector<Exemplar> found;
  exemplars.for_each(filter, [&](const Exemplar& exemplar) {
    found.push_back(exemplar);
    if (found.size() % 1000 == 0) check_signals();
  });
  return found;
}

// The model decides on the claim first; with the database only its exemplar is written.
Exemplar add(Database& self, Guarded<Session>& session, const std::string& claim, Label gold,
             const std::string& tag, const std::optional<GivenDocument>& evidence,
             const SearchOptions& options) {
  audit::ExemplarClaim known{claim, gold, std::nullopt};
  if (evidence) known.evidence = GivenEvidence{evidence->title, evidence->title, 0, evidence->text};
  ContentHash fingerprint{};
  const std::vector<NewExemplar> decided = session.use([&](Session& one) {
    fingerprint = one.verifier().fingerprint();
    return audit::decide(one.verifier(), {&known, 1}, options);
  });
  if (decided.empty()) {
    throw Error(ErrorKind::not_found,
                fmt::format("'{}': there is no evidence for it in the datastore; give it as "
                            "evidence=…",
                            claim));
  }
  return self.use([&](Exemplars& exemplars) {
    return exemplars.exemplar(exemplars.add(tag, fingerprint, decided.front()));
  });
}

py::list sources_of(Database& self) {
  using namespace py::literals;
  py::list sources;
  for (const ExemplarSource& one :
       self.use([](Exemplars& exemplars) { return exemplars.sources(); })) {
    sources.append(py::dict("tag"_a = one.tag, "exemplars"_a = one.exemplars,
                            "relabelled"_a = one.relabelled, "done"_a = one.done,
                            "total"_a = one.total));
  }
  return sources;
}

void bind_exemplar(py::module_& module) {
  result_class<GivenEvidence>(module, "GivenEvidence",
                              "A sentence that an exemplar was decided by.")
      .def_readonly("title", &GivenEvidence::title)
      .def_readonly("raw_title", &GivenEvidence::raw_title)
      .def_readonly("number", &GivenEvidence::number)
      .def_readonly("text", &GivenEvidence::text)
      .def("__repr__", [](const GivenEvidence& evidence) {
        return fmt::format("<memmatch.GivenEvidence {}>", evidence.text);
      });
  result_class<Exemplar>(module, "Exemplar", "A decision whose right label is known.")
      .def_readonly("id", &Exemplar::id, "Never used again for another exemplar.")
      .def_readonly("tag", &Exemplar::tag, "Of the source that it came with.")
      .def_readonly("claim", &Exemplar::claim)
      .def_readonly("evidence", &Exemplar::evidence, "A list of GivenEvidence.")
      .def_readonly("label", &Exemplar::gold, "The right label.")
      .def_readonly("predicted", &Exemplar::predicted, "What the model decided.")
      .def_readonly("first_label", &Exemplar::first_gold,
                    "Differs from the label where it was re-labelled.")
      .def("__repr__", [](const Exemplar& exemplar) {
        return fmt::format("<memmatch.Exemplar {}, {}: {}>", exemplar.id, fever_name(exemplar.gold),
                           exemplar.claim);
      });
}

}  // namespace

void bind_exemplars(py::module_& module) {
  bind_exemplar(module);
  py::class_<Database>(module, "Exemplars")
      .def(py::init(&open_exemplars))
      .def("close", &Database::close)
      .def_property_readonly("closed", &Database::closed)
      .def("sources", &sources_of)
      .def("list",
           [](Database& self, const std::string& tag, std::optional<Label> gold,
              std::optional<Label> predicted, std::uint64_t limit) {
             return self.use([&](Exemplars& exemplars) {
               return list(exemplars,
                           {.tag = tag, .gold = gold, .predicted = predicted, .limit = limit});
             });
           })
      .def("get",
           [](Database& self, ExemplarId id) {
             return self.use([&](Exemplars& exemplars) { return exemplars.exemplar(id); });
           })
      .def("add", &add)
      .def("relabel",
           [](Database& self, ExemplarId id, Label label) {
             return self.use([&](Exemplars& exemplars) { return exemplars.relabel(id, label); });
           })
      .def("remove",
           [](Database& self, ExemplarId id) {
             return self.use([&](Exemplars& exemplars) { return exemplars.remove(id); });
           })
      .def("remove_source",
           [](Database& self, const std::string& tag) {
             return self.use([&](Exemplars& exemplars) { return exemplars.remove_source(tag); });
           })
      .def("check", [](Database& self) {
        return self.use([](Exemplars& exemplars) { return exemplars.check(); });
      });
}

}  // namespace memmatch::python
