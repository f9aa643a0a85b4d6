#include "base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace memmatch {

std::uint64_t machine_memory() {
  std::uint64_t bytes = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES))) *
                        static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  std::uint64_t allowed = 0;
  std::ifstream container("/sys/fs/cgroup/memory.max");
  if (container >> allowed) bytes = std::min(bytes, allowed);  // "max" is no number: no limit
  return bytes;
}

}  // namespace memmatch
