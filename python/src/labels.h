#pragma once

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <string>

#include "data/claims.h"
#include "memmatch/error.h"
#include "memmatch/types.h"

namespace pybind11::detail {

// memmatch.Label, an enumeration whose values are str: defined in Python, which has such a thing.
// Every spelling that files may have is taken.
template <>
struct type_caster<memmatch::Label> {
  PYBIND11_TYPE_CASTER(memmatch::Label, const_name("memmatch.Label"));

  bool load(handle source, bool) {
    if (!isinstance<str>(source)) return false;
    const auto spelled = source.cast<std::string>();
    const auto label = memmatch::data::parse_label(spelled);
    if (!label) {
      throw memmatch::Error(
          memmatch::ErrorKind::invalid_argument,
          fmt::format("label '{}' is none of SUPPORTS, REFUTES, NOT ENOUGH INFO", spelled));
    }
    value = *label;
    return true;
  }

  static handle cast(memmatch::Label label, return_value_policy, handle) {
    const object type = module_::import("memmatch.labels").attr("Label");
    return type(std::string(memmatch::fever_name(label))).release();
  }
};

}  // namespace pybind11::detail
