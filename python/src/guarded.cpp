#include "guarded.h"

namespace memmatch::python {

void check_signals() {
  const py::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

Turn::Held::Held(Turn& turn, const char* name) : turn_(turn), lock_(turn.mutex_, std::defer_lock) {
  using namespace std::chrono_literals;
  if (turn.is_forked()) {
    throw Error(ErrorKind::conflict,
                fmt::format("this {0} belongs to the process that opened it; open another "
                            "memmatch.{0}(…) after a fork",
                            name));
  }
  if (turn.owner_.load() == std::this_thread::get_id()) {
    throw Error(ErrorKind::conflict,
                fmt::format("this {} is at work in this very thread; a handler of signals must "
                            "not use it",
                            name));
  }
  while (!lock_.try_lock_for(100ms)) check_signals();
  turn.owner_ = std::this_thread::get_id();
}

}  // namespace memmatch::python
