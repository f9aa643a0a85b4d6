#include <fmt/format.h>

#include "bindings.h"
#include "memmatch/check.h"
#include "results.h"
#include "search/verdict_json.h"

namespace memmatch::python {
namespace {

template <typename T>
std::string json_of(const T& value) {
  return search::to_json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <typename T>
py::object dictionary_of(const T& value) {
  return py::module_::import("json").attr("loads")(json_of(value));
}

std::optional<double> confidence_of(const Verdict& verdict) {
  return verdict.admission ? verdict.admission->confidence : std::nullopt;
}

// {"SUPPORTS": 3.2, …}, without the labels that were left out.
py::dict distances_of(const Verdict& verdict) {
  py::dict distances;
  for (const Label label : {Label::supports, Label::refutes, Label::unverifiable}) {
    const std::optional<double> distance = verdict.label_distances[static_cast<std::size_t>(label)];
    if (distance) distances[py::cast(label)] = *distance;
  }
  return distances;
}

// The verdict's own numbers, which cannot be changed and live as long as the array.
py::array_t<float> difference_of(const py::object& self) {
  const std::vector<float>& difference = self.cast<const Verdict&>().difference;
  py::array_t<float> array({difference.size()}, {sizeof(float)}, difference.data(), self);
  array.attr("flags").attr("writeable") = false;
  return array;
}

std::string text_of(const Verdict& verdict) {
  const std::optional<double> confidence = confidence_of(verdict);
  return fmt::format("<memmatch.Verdict {}{}: {}>", fever_name(verdict.label),
                     confidence ? fmt::format(" {:.2f}", *confidence) : "", verdict.claim);
}

void bind_evidence(py::module_& module) {
  result_class<Evidence>(module, "Evidence",
                         "A sentence that a verdict was reached by; the nearest comes first.")
      .def_readonly("id", &Evidence::id, "Its number in the datastore; 0 for given evidence.")
      .def_readonly("title", &Evidence::title, "Its document's title as people write it.")
      .def_readonly("raw_title", &Evidence::raw_title, "Its document's title as it was imported.")
      .def_readonly("number", &Evidence::number, "Its number in the document, from 0.")
      .def_readonly("text", &Evidence::text, "The sentence.")
      .def_readonly("edited", &Evidence::edited, "Whether it is not the text that was imported.")
      .def_readonly("level1_rank", &Evidence::level1_rank, "Its rank at level 1, from 0.")
      .def_readonly("level1_distance", &Evidence::level1_distance, "From the claim, at level 1.")
      .def_readonly("level2_distance", &Evidence::level2_distance, "From the claim, at level 2.")
      .def_readonly("shared_letters", &Evidence::shared_letters,
                    "Letters of the claim's words that sentence or title repeat.")
      .def_readonly("pieces", &Evidence::pieces, "Word pieces that it has.")
      .def_readonly("pieces_seen", &Evidence::pieces_seen, "Of these, those that level 3 read.")
      .def("__repr__", [](const Evidence& evidence) {
        return fmt::format("<memmatch.Evidence {}{}>",
                           evidence.title.empty()
                               ? ""
                               : fmt::format("{}, sentence {}: ", evidence.title, evidence.number),
                           evidence.text);
      });
}

void bind_checked(py::module_& module) {
  result_class<CheckedSentence>(module, "CheckedSentence", "A sentence of a text that was checked.")
      .def_readonly("text", &CheckedSentence::text, "The sentence.")
      .def_readonly("verdict", &CheckedSentence::verdict, "None where it was not judged.")
      .def_property_readonly(
          "not_judged",
          [](const CheckedSentence& sentence) {
            return sentence.verdict ? std::nullopt : std::optional("it " + sentence.not_judged);
          },
          "Why it was not judged: 'it is a question'. None where it was.")
      .def("to_json", &json_of<CheckedSentence>, "As a line of `memmatch check --json`.")
      .def("to_dict", &dictionary_of<CheckedSentence>, "The same as a dictionary.")
      .def("__repr__", [](const CheckedSentence& sentence) {
        return fmt::format("<memmatch.CheckedSentence {}: {}>",
                           sentence.verdict ? fever_name(sentence.verdict->label) : "NOT JUDGED",
                           sentence.text);
      });
}

}  // namespace

void bind_verdicts(py::module_& module) {
  bind_evidence(module);
  bind_checked(module);
  result_class<Verdict>(module, "Verdict", "What a claim's evidence says of it.")
      .def_readonly("claim", &Verdict::claim, "The claim, tidied.")
      .def_readonly("label", &Verdict::label, "A memmatch.Label, which is a str.")
      .def_property_readonly("confidence", &confidence_of,
                             "How likely the label is right, from 0 to 1; None where the model's "
                             "calibration cannot say, or no rule of admission holds.")
      .def_property_readonly("admitted", &Verdict::admitted,
                             "Whether the rules that hold say to rely on it.")
      .def_property_readonly(
          "reasons",
          [](const Verdict& verdict) {
            return verdict.admission ? verdict.admission->reasons : std::vector<std::string>();
          },
          "Why it is not admitted, for people.")
      .def_property_readonly(
          "evidence",
          [](const Verdict& verdict) -> const std::vector<Evidence>& { return verdict.evidence; },
          py::return_value_policy::reference_internal, "A list of Evidence, the nearest first.")
      .def_property_readonly("distances", &distances_of,
                             "Level 3's distance of each label, by label: the least decides. "
                             "Empty where there was no evidence.")
      .def_property_readonly("level2_distance", &Verdict::level2_distance,
                             "Of the nearest evidence; None where there is none.")
      .def_property_readonly("level3_distance", &Verdict::level3_distance,
                             "Of the model's label; None where there is no evidence.")
      .def_property_readonly("model_label", &Verdict::model_label,
                             "The model's own decision, which exemplars may have changed.")
      .def_readonly("candidates", &Verdict::candidates, "How many sentences were looked at.")
      .def_property_readonly(
          "origin", [](const Verdict& verdict) { return name_of(verdict.origin); },
          "Where these came from: 'auto', 'cover', 'words', 'all', 'fallback' or 'given'.")
      .def_property_readonly("difference", &difference_of,
                             "With difference=True: the difference vectors of levels 2 and 3, an "
                             "array that is the verdict's own memory and cannot be written to.")
      .def_readonly("warnings", &Verdict::warnings,
                    "What to know before relying on it, for people; mostly empty.")
      .def("to_json", &json_of<Verdict>, "As a line of `memmatch verify --json` (docs/verdict.md).")
      .def("to_dict", &dictionary_of<Verdict>, "The same as a dictionary.")
      .def("__repr__", &text_of);
}

}  // namespace memmatch::python
