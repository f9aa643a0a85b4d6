#include "memmatch/types.h"

namespace memmatch {

std::string_view fever_name(Label label) {
  switch (label) {
    case Label::supports:
      return "SUPPORTS";
    case Label::refutes:
      return "REFUTES";
    case Label::unverifiable:
      break;
  }
  return "NOT ENOUGH INFO";
}

}  // namespace memmatch
