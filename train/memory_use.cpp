#include "train/memory_use.h"

#include <malloc.h>

#include <limits>

namespace memmatch::train {

void keep_freed_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_ARENA_MAX, 1);
}

}  // namespace memmatch::train
