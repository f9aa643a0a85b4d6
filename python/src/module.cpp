#include "bindings.h"
#include "memmatch/version.h"

PYBIND11_MODULE(_memmatch, module) {
  using namespace memmatch::python;
  module.doc() = "What memmatch's Python package is made of; see the package memmatch.";
  module.attr("__version__") = MEMMATCH_VERSION;
  bind_errors(module);
  bind_verdicts(module);
  bind_datastore(module);
  bind_verifier(module);
  bind_vectors(module);
  bind_figures(module);
  bind_exemplars(module);
}
