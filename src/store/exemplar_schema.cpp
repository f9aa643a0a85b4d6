#include "store/exemplar_schema.h"

#include <array>

namespace memmatch::store {
namespace {

constexpr std::array<std::string_view, 6> kSchema{
    "CREATE TABLE models (id INTEGER PRIMARY KEY, fingerprint BLOB NOT NULL UNIQUE, "
    "dimension INTEGER NOT NULL)",
    "CREATE TABLE sources (id INTEGER PRIMARY KEY AUTOINCREMENT, tag TEXT NOT NULL UNIQUE, "
    "setting TEXT NOT NULL, done INTEGER NOT NULL, total INTEGER NOT NULL)",
    "CREATE TABLE exemplars (id INTEGER PRIMARY KEY AUTOINCREMENT, "
    "source INTEGER NOT NULL REFERENCES sources (id), "
    "model INTEGER NOT NULL REFERENCES models (id), claim TEXT NOT NULL, "
    "gold INTEGER NOT NULL CHECK (gold IN (0, 1, 2)), "
    "predicted INTEGER NOT NULL CHECK (predicted IN (0, 1, 2)), "
    "first_gold INTEGER NOT NULL CHECK (first_gold IN (0, 1, 2)))",
    "CREATE INDEX exemplars_by_source ON exemplars (source)",
    "CREATE TABLE evidence (exemplar INTEGER NOT NULL, rank INTEGER NOT NULL, "
    "raw_title TEXT NOT NULL, title TEXT NOT NULL, number INTEGER NOT NULL, text TEXT NOT NULL, "
    "PRIMARY KEY (exemplar, rank)) WITHOUT ROWID",
    // A table of its own, so that a search reads nothing else.
    "CREATE TABLE differences (exemplar INTEGER PRIMARY KEY, difference BLOB NOT NULL)",
};

}  // namespace

const FileKind& exemplar_file_kind() {
  // "memx"
  static constexpr FileKind kKind{.name = "exemplar database",
                                  .application_id = 0x6d656d78,
                                  .version = 1,
                                  .schema = kSchema,
                                  .made_by = "'memmatch exemplars build' makes one",
                                  .recovery = "build it again"};
  return kKind;
}

}  // namespace memmatch::store
