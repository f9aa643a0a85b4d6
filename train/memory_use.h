#pragma once

namespace memmatch::train {

// A step's tensors come and go by the hundred megabytes. Kept by the program, they cost nothing;
// given back to the system each time, clearing their pages takes a quarter of the time. To be
// called before the first of them, by programs that train.
void keep_freed_memory();

}  // namespace memmatch::train
