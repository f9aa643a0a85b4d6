#include <fmt/format.h>

#include <algorithm>

#include "bindings.h"
#include "eval/report.h"
#include "memmatch/error.h"
#include "memmatch/verifier.h"

namespace memmatch::python {
namespace {

// As `memmatch evaluate --pairs --json`, without what it says of trust.
std::string figures_of(const std::vector<const Verdict*>& verdicts,
                       const std::vector<Label>& labels, const std::vector<std::string>& kinds,
                       bool two_class) {
  eval::PairSet set{.pairs = {}, .two_class = two_class, .total = verdicts.size()};
  eval::PairFigures figures;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    data::Pair& pair = set.pairs.emplace_back();
    pair.claim.label = labels.at(i);
    if (!kinds.empty()) pair.kind = kinds.at(i);
    eval::count_pair(pair, *verdicts[i], figures);
  }
  return eval::to_json(figures, set).dump();
}

// That they can all be compared with verdicts, before there are any.
void check_labels(const std::vector<Label>& labels, bool two_class) {
  const auto bad = std::ranges::find(labels, Label::unverifiable);
  if (labels.empty()) throw Error(ErrorKind::invalid_argument, "there are no claims to evaluate");
  if (!two_class || bad == labels.end()) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("labels[{}] is NOT ENOUGH INFO, which two_class leaves out",
                          bad - labels.begin()));
}

}  // namespace

void bind_figures(py::module_& module) {
  module.def("check_labels", &check_labels);
  module.def("figures_of", &figures_of);
}

}  // namespace memmatch::python
