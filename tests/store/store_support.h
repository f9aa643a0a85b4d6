#pragma once

#include <sqlite3.h>

#include <string>
#include <vector>

#include "memmatch/datastore.h"
#include "support.h"

namespace memmatch::test {

inline NewDocument document(const std::string& title, const std::vector<std::string>& sentences) {
  NewDocument document{title, title, {}};
  for (const std::string& text : sentences) {
    document.sentences.push_back({static_cast<int>(document.sentences.size()), text});
  }
  return document;
}

inline ImportReport import_all(Datastore& store, const std::vector<NewDocument>& documents,
                               const Datastore::ImportOptions& options = {}) {
  Datastore::Import import = store.begin_import(options);
  for (const NewDocument& document : documents) import.add(document);
  return import.commit();
}

// A store of three small documents.
inline Datastore small_store(const std::filesystem::path& file) {
  Datastore store = Datastore::open(file, Datastore::Access::create);
  import_all(store, {document("Moon", {"The Moon orbits the Earth.", "", "It is round."}),
                     document("Earth", {"The Earth orbits the Sun."}),
                     document("Sun (star)", {"The Sun is a star.", "It is hot."})});
  return store;
}

// What others may do to a file.
inline void run_sql(const std::filesystem::path& file, const char* sql) {
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
  sqlite3_close(db);
}

// Everything that can be seen of a store, as text.
inline std::string dump(Datastore& store) {
  std::string all;
  store.for_each_document([&](const Document& document, const std::vector<Sentence>& sentences) {
    all += document.raw_title + "|" + document.title + "|" + document.match_key + "\n";
    for (const Sentence& s : sentences) {
      all += "  " + std::to_string(s.id) + " " + std::to_string(s.number) + " r" +
             std::to_string(s.revision) + (s.edited() ? " edited " : " ") + s.text + "\n";
    }
  });
  return all;
}

}  // namespace memmatch::test
