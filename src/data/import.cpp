#include "data/import.h"

namespace memmatch::data {

ImportReport import_documents(DocumentReader& reader, Datastore& store,
                              const Datastore::ImportOptions& options,
                              const ProgressCallback& progress) {
  Datastore::Import import = store.begin_import(options);
  for (NewDocument document; reader.next(document);) {
    try {
      import.add(document);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::invalid_argument) throw;
      reader.reject(error);
    }
    if (progress) progress(reader.progress());
  }
  return import.commit();
}

}  // namespace memmatch::data
