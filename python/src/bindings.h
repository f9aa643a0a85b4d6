#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "labels.h"

// What each file of this folder adds to the module. The functions and classes here are strict and
// bare: the Python files beside them (memmatch/*.py) are what people call, with defaults, checks of
// types and documentation.

namespace memmatch::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_verdicts(py::module_& module);
void bind_datastore(py::module_& module);
void bind_verifier(py::module_& module);
void bind_vectors(py::module_& module);
void bind_figures(py::module_& module);
void bind_exemplars(py::module_& module);

}  // namespace memmatch::python
