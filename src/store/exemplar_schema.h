#pragma once

#include <cstdint>

#include "store/sqlite_file.h"

namespace memmatch::store {

// The exemplar database as a file; docs/file_formats.md explains every column.
const FileKind& exemplar_file_kind();

// Components are absolutes of differences, as halves: never negative, infinite or no number.
inline bool is_difference(std::uint16_t half) { return half < 0x7C00; }

}  // namespace memmatch::store
