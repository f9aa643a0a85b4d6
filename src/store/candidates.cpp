#include "memmatch/datastore.h"

namespace memmatch {

std::string_view name_of(Candidates candidates) {
  switch (candidates) {
    case Candidates::automatic:
      return "auto";
    case Candidates::cover:
      return "cover";
    case Candidates::words:
      return "words";
    case Candidates::all:
      break;
  }
  return "all";
}

}  // namespace memmatch
