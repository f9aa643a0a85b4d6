#pragma once

#include "data/documents.h"
#include "memmatch/datastore.h"

namespace memmatch::data {

// Imports all documents of `reader` in one transaction. A document that the datastore refuses
// counts as a bad line of the reader's.
ImportReport import_documents(DocumentReader& reader, Datastore& store,
                              const Datastore::ImportOptions& options = {},
                              const ProgressCallback& progress = {});

}  // namespace memmatch::data
