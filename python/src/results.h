#pragma once

#include <pybind11/pybind11.h>

namespace memmatch::python {

// A class whose objects only the library makes. Python's own ways to make one would give an object
// without a value, and reading that would be reading anywhere. They never change, so that a copy of
// one is itself.
template <typename T>
pybind11::class_<T> result_class(pybind11::module_& module, const char* name, const char* about) {
  pybind11::class_<T> type(module, name, about);
  reinterpret_cast<PyTypeObject*>(type.ptr())->tp_new = [](PyTypeObject* made, PyObject*,
                                                           PyObject*) -> PyObject* {
    PyErr_Format(PyExc_TypeError, "a %s is what memmatch gives; there is no making one",
                 made->tp_name);
    return nullptr;
  };
  type.def("__copy__", [](pybind11::object self) { return self; });
  type.def("__deepcopy__", [](pybind11::object self, const pybind11::dict&) { return self; });
  return type;
}

}  // namespace memmatch::python
