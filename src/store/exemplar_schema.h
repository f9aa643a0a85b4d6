#pragma once

#include "store/sqlite_file.h"

namespace memmatch::store {

// The exemplar database as a file; docs/file_formats.md explains every column.
const FileKind& exemplar_file_kind();

}  // namespace memmatch::store
