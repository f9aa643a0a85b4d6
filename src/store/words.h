#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "memmatch/datastore.h"
#include "store/sqlite.h"

// The index of words: which titles and which sentences have a word, by SQLite's FTS5. It is changed
// in the same transaction as the texts (WordIndex), not by triggers: a file that may be a
// stranger's is opened so that its schema cannot make anything happen.

namespace memmatch::store {

// Makes it for a datastore of a version that has none. Like what follows, it needs an open write
// transaction.
void create_words(Connection& connection);

// Makes the index anew from the texts.
void rebuild_words(Connection& connection);

bool has_words(Connection& connection);

// Keeps the index in step with the texts. Each call needs an open write transaction, and where
// something goes what it was.
class WordIndex {
 public:
  explicit WordIndex(Connection& connection);

  void add_title(DocumentId id, std::string_view title);
  void remove_title(DocumentId id, std::string_view title);
  void add_text(SentenceId id, std::string_view text);
  void remove_text(SentenceId id, std::string_view text);

 private:
  Prepared add_title_;
  Prepared remove_title_;
  Prepared add_text_;
  Prepared remove_text_;
};

// Cuts texts into words, in lower case and without accents, as FTS5 does; with Stems::yes by what
// the index has them under.
class Words {
 public:
  enum class Stems { no, yes };
  Words(Connection& connection, Stems stems);
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words();

  void for_each(std::string_view text, const std::function<void(std::string_view)>& visit) const;

 private:
  fts5_tokenizer methods_{};
  Fts5Tokenizer* tokenizer_ = nullptr;
};

// Finds sentences by the words of a text.
class WordSearch {
 public:
  explicit WordSearch(Connection& connection);

  // See Datastore::by_words().
  std::vector<WordMatch> find(std::string_view text, std::size_t limit);

 private:
  // A word that is looked for, and how much it says.
  struct Word {
    std::string query;  // as FTS5 reads it
    double weight = 0;
  };
  // A row and which of the words it has.
  struct Posting {
    std::int64_t id = 0;
    std::uint64_t words = 0;
  };
  struct Postings {
    std::vector<Posting> texts;   // sentences
    std::vector<Posting> titles;  // documents
  };
  std::vector<Word> words_of(std::string_view text);
  Postings postings_of(std::vector<Word>& words);

  Connection& connection_;
  Words words_;
  Prepared titles_with_;
  Prepared sentences_with_;
  Prepared sentences_of_;
  Prepared sentence_;
};

// What is wrong with the index: where it has not the words of the texts. Empty if all is well.
std::string words_problem(Connection& connection);

}  // namespace memmatch::store
