#include "bindings.h"
#include "memmatch/error.h"

namespace memmatch::python {
namespace {

const char* name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_argument:
      return "invalid_argument";
    case ErrorKind::not_found:
      return "not_found";
    case ErrorKind::corrupt:
      return "corrupt";
    case ErrorKind::io:
      return "io";
    case ErrorKind::full:
      return "full";
    case ErrorKind::unsupported:
      return "unsupported";
    case ErrorKind::conflict:
      return "conflict";
  }
  return "";
}

// A message may quote bytes of a damaged file: what is no UTF-8 comes out as U+FFFD.
py::str text_of(const Error& error) {
  const std::string_view message = error.what();
  PyObject* text =
      PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace");
  if (!text) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(text);
}

void raise(const Error& error) {
  const py::object type = py::module_::import("memmatch.errors").attr("Error");
  const py::object value = type(text_of(error), name_of(error.kind()));
  PyErr_SetObject(type.ptr(), value.ptr());
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace memmatch::python
