// Importing FEVER's wiki-pages, against SQLite inserting the same rows from memory.

#include <sqlite3.h>

#include <stdexcept>
#include <vector>

#include "base/hash.h"
#include "data/documents.h"
#include "data/import.h"
#include "memmatch/datastore.h"
#include "support.h"
#include "text/titles.h"

namespace memmatch::bench {
namespace {

constexpr int kRounds = 3;

// Pages of our own making, for machines without the data: as many, and of the same size.
void write_pages(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream out(folder / "wiki-001.jsonl");
  Words words(1);
  for (int page = 0; page < 57'000; ++page) {
    std::string lines;
    for (int n = 0; n < 5; ++n) {
      std::string sentence;
      for (int i = 0; i < 24; ++i) sentence += words.next(60'000) + " ";
      lines += fmt::format("{}\\t{}.\\n", n, sentence);
    }
    out << fmt::format("{{\"id\": \"{}_{}\", \"text\": \"{}\", \"lines\": \"{}\"}}\n",
                       words.next(60'000), page, lines, lines);
  }
}

struct Row {
  std::string raw_title, title, key;
  std::vector<NewSentence> sentences;
  std::vector<ContentHash> hashes;
};

std::vector<Row> read_rows(const std::filesystem::path& folder) {
  std::vector<Row> rows;
  const auto reader = data::open_documents(data::DocumentFormat::fever_wiki, folder);
  for (NewDocument document; reader->next(document);) {
    Row row{document.raw_title,
            document.title,
            text::match_key(document.title),
            document.sentences,
            {}};
    for (const NewSentence& sentence : row.sentences)
      row.hashes.push_back(content_hash(sentence.text));
    rows.push_back(std::move(row));
  }
  return rows;
}

void check(int code, int expected) {
  if (code != expected) throw std::runtime_error(sqlite3_errstr(code));
}

void execute(sqlite3* db, const char* sql) {
  check(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK);
}

sqlite3_stmt* prepare(sqlite3* db, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  check(sqlite3_prepare_v2(db, sql, -1, &statement, nullptr), SQLITE_OK);
  return statement;
}

void bind(sqlite3_stmt* statement, int index, const std::string& text) {
  sqlite3_bind_text(statement, index, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
}

void run(sqlite3_stmt* statement) {
  check(sqlite3_step(statement), SQLITE_DONE);
  sqlite3_reset(statement);
}

// The same tables, indexes, journal and order of work as the datastore's own import, and nothing
// else.
void insert_with_sqlite(const std::filesystem::path& file, const std::vector<Row>& rows) {
  Datastore::open(file, Datastore::Access::create);
  sqlite3* db = nullptr;
  check(sqlite3_open(file.c_str(), &db), SQLITE_OK);
  execute(
      db,
      "PRAGMA synchronous = FULL; PRAGMA cache_size = -131072; BEGIN; DROP INDEX documents_by_key");
  sqlite3_stmt* document =
      prepare(db, "INSERT INTO documents (raw_title, title, match_key) VALUES (?1, ?2, ?3)");
  sqlite3_stmt* sentence =
      prepare(db,
              "INSERT INTO sentences (document, number, text, hash, revision, imported_hash) "
              "VALUES (?1, ?2, ?3, ?4, 1, ?4)");
  for (const Row& row : rows) {
    bind(document, 1, row.raw_title);
    bind(document, 2, row.title);
    bind(document, 3, row.key);
    run(document);
    const sqlite3_int64 id = sqlite3_last_insert_rowid(db);
    for (std::size_t i = 0; i < row.sentences.size(); ++i) {
      sqlite3_bind_int64(sentence, 1, id);
      sqlite3_bind_int64(sentence, 2, row.sentences[i].number);
      bind(sentence, 3, row.sentences[i].text);
      sqlite3_bind_blob(sentence, 4, row.hashes[i].data(), 16, SQLITE_STATIC);
      run(sentence);
    }
  }
  execute(db, "CREATE INDEX documents_by_key ON documents (match_key); COMMIT");
  sqlite3_finalize(document);
  sqlite3_finalize(sentence);
  sqlite3_close(db);
}

void import_pages(const std::filesystem::path& file, const std::filesystem::path& folder) {
  Datastore store = Datastore::open(file, Datastore::Access::create);
  data::import_documents(*data::open_documents(data::DocumentFormat::fever_wiki, folder), store);
}

void main_() {
  const Scratch scratch;
  std::filesystem::path pages = shared_wiki_pages();
  if (!std::filesystem::exists(pages)) write_pages(pages = scratch / "pages");
  fmt::print("pages: {}\n", pages.string());
  const std::vector<Row> rows = read_rows(pages);
  Best sqlite, ours;
  for (int round = 0; round < kRounds; ++round) {
    const std::string name = std::to_string(round);
    sqlite.add(seconds([&] { insert_with_sqlite(scratch / ("sqlite" + name), rows); }));
    ours.add(seconds([&] { import_pages(scratch / ("ours" + name), pages); }));
  }
  fmt::print("SQLite alone, rows in memory: {:.2f} s; import: {:.2f} s\n", sqlite.value,
             ours.value);
  print_ratio("import / SQLite alone", ours.value / sqlite.value, 2.5);
}

}  // namespace
}  // namespace memmatch::bench

int main() { memmatch::bench::main_(); }
