#include "store/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "base/hash.h"
#include "memmatch/error.h"
#include "store/schema.h"
#include "text/stop_words.h"

namespace memmatch::store {
namespace {

// A word that more sentences have than these is too common to look for in texts, where the claim
// has a rarer one.
constexpr std::int64_t kCommon = 20'000;

// More words of a text are not looked at; each is a bit of Posting::words.
constexpr std::size_t kMostWords = 64;

// A word counts the same in the title and in the text, and in both a little more. A document's
// first sentence, which mostly says what it is about, gets this part of what the rarest word
// weighs. Chosen on FEVER dev; a sentence's length, which BM25 looks at, made it worse.
constexpr double kInOne = 1.0;
constexpr double kInBoth = 1.2;
constexpr double kFirst = 0.16;

// What is looked at more closely: so many sentences by their texts, all those of so many documents
// by their titles, and of each no more than these.
constexpr std::size_t kTexts = 300;
constexpr std::size_t kTitles = 30;
constexpr std::int64_t kSentencesOfTitle = 200;

// The tables are without texts of their own: they point to the rows of documents and sentences.
struct Index {
  std::string_view words;  // the table of the index
  std::string_view table;  // whose texts it has
  std::string_view column;
};
constexpr Index kIndexes[] = {{"title_words", "documents", "title"},
                              {"sentence_words", "sentences", "text"}};

}  // namespace

bool has_words(Connection& connection) {
  return connection.query_integer("PRAGMA user_version") >= kVersionWithWords;
}

void create_words(Connection& connection) {
  for (const std::string_view statement : words_schema())
    connection.execute(std::string(statement));
  rebuild_words(connection);
}

void rebuild_words(Connection& connection) {
  for (const Index& index : kIndexes)
    connection.execute(fmt::format("INSERT INTO {0} ({0}) VALUES ('rebuild')", index.words));
}

WordIndex::WordIndex(Connection& connection)
    : add_title_(connection, "INSERT INTO title_words (rowid, title) VALUES (?1, ?2)"),
      remove_title_(
          connection,
          "INSERT INTO title_words (title_words, rowid, title) VALUES ('delete', ?1, ?2)"),
      add_text_(connection, "INSERT INTO sentence_words (rowid, text) VALUES (?1, ?2)"),
      remove_text_(
          connection,
          "INSERT INTO sentence_words (sentence_words, rowid, text) VALUES ('delete', ?1, ?2)") {}

void WordIndex::add_title(DocumentId id, std::string_view title) {
  Query(add_title_)->bind(1, id).bind(2, title).run();
}

void WordIndex::remove_title(DocumentId id, std::string_view title) {
  Query(remove_title_)->bind(1, id).bind(2, title).run();
}

void WordIndex::add_text(SentenceId id, std::string_view text) {
  Query(add_text_)->bind(1, id).bind(2, text).run();
}

void WordIndex::remove_text(SentenceId id, std::string_view text) {
  Query(remove_text_)->bind(1, id).bind(2, text).run();
}

Words::Words(Connection& connection, Stems stems) {
  fts5_api* api = nullptr;
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(connection.get(), "SELECT fts5(?1)", -1, &statement, nullptr);
  if (code == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", nullptr);
    sqlite3_step(statement);
    code = sqlite3_finalize(statement);
  }
  if (code != SQLITE_OK || !api) connection.fail(code, "use FTS5");
  void* context = nullptr;
  const bool porter = stems == Stems::yes;
  const char* arguments[] = {"unicode61", "remove_diacritics", "2"};
  code = api->xFindTokenizer(api, porter ? "porter" : "unicode61", &context, &methods_);
  if (code == SQLITE_OK) {
    code = porter ? methods_.xCreate(context, arguments, 3, &tokenizer_)
                  : methods_.xCreate(context, arguments + 1, 2, &tokenizer_);
  }
  if (code != SQLITE_OK) connection.fail(code, "use FTS5");
}

Words::~Words() { methods_.xDelete(tokenizer_); }

void Words::for_each(std::string_view text,
                     const std::function<void(std::string_view)>& visit) const {
  const auto call = [](void* context, int, const char* word, int size, int, int) {
    (*static_cast<const std::function<void(std::string_view)>*>(context))(
        {word, static_cast<std::size_t>(size)});
    return SQLITE_OK;
  };
  auto* context = const_cast<void*>(static_cast<const void*>(&visit));
  const int code = methods_.xTokenize(tokenizer_, context, FTS5_TOKENIZE_DOCUMENT, text.data(),
                                      static_cast<int>(text.size()), call);
  if (code == SQLITE_NOMEM) throw std::bad_alloc();
}

namespace {

using Ids = std::vector<std::int64_t>;

// Up to `limit` rows that have the word, in the order of ids.
Ids rows_with(Prepared& prepared, const std::string& word, std::int64_t limit) {
  const Query rows(prepared);
  rows->bind(1, word).bind(2, limit);
  Ids ids;
  while (rows->step()) ids.push_back(rows->integer(0));
  return ids;
}

template <typename Posting>
void merge(std::vector<Posting>& postings, const Ids& ids, std::size_t word) {
  const std::uint64_t bit = std::uint64_t{1} << word;
  std::vector<Posting> merged;
  merged.reserve(postings.size() + ids.size());
  auto next = postings.begin();
  for (const std::int64_t id : ids) {
    while (next != postings.end() && next->id < id) merged.push_back(*next++);
    if (next != postings.end() && next->id == id) {
      merged.push_back({id, next++->words | bit});
    } else {
      merged.push_back({id, bit});
    }
  }
  merged.insert(merged.end(), next, postings.end());
  postings = std::move(merged);
}

template <typename Word>
double weight_of(std::uint64_t in_title, std::uint64_t in_text, const std::vector<Word>& words) {
  double sum = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool title = (in_title >> i & 1) != 0;
    const bool text = (in_text >> i & 1) != 0;
    sum += words[i].weight * (title && text ? kInBoth : title || text ? kInOne : 0);
  }
  return sum;
}

// Of a word that so many of the sentences have.
double rarity(double with, double sentences) {
  return std::log(1 + std::max(0.0, sentences - with + 0.5) / (with + 0.5));
}

// Those of the greatest weight, with equal ones in the order of ids.
template <typename Posting, typename Weight>
void keep_heaviest(std::vector<Posting>& postings, std::size_t count, const Weight& weight) {
  std::vector<std::pair<double, Posting>> weighed;
  weighed.reserve(postings.size());
  for (const Posting& posting : postings) weighed.push_back({-weight(posting), posting});
  const auto end = weighed.begin() + static_cast<std::ptrdiff_t>(std::min(count, weighed.size()));
  std::partial_sort(weighed.begin(), end, weighed.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second.id) < std::pair(b.first, b.second.id);
  });
  postings.clear();
  for (auto it = weighed.begin(); it != end; ++it) postings.push_back(it->second);
}

}  // namespace

WordSearch::WordSearch(Connection& connection)
    : connection_(connection),
      words_(connection, Words::Stems::no),
      titles_with_(connection, "SELECT rowid FROM title_words WHERE title_words MATCH ?1 LIMIT ?2"),
      sentences_with_(connection,
                      "SELECT rowid FROM sentence_words WHERE sentence_words MATCH ?1 LIMIT ?2"),
      sentences_of_(connection,
                    "SELECT id, number FROM sentences WHERE document = ?1 AND text <> '' "
                    "ORDER BY number LIMIT ?2"),
      sentence_(connection, "SELECT document, number FROM sentences WHERE id = ?1") {}

// Each distinct word that says something; where all are stop words, these.
std::vector<WordSearch::Word> WordSearch::words_of(std::string_view text) {
  std::vector<Word> words;
  std::vector<Word> stop_words;
  words_.for_each(text, [&](std::string_view word) {
    std::vector<Word>& kind = text::is_stop_word(word) ? stop_words : words;
    std::string query = fmt::format("\"{}\"", word);  // a word has no quotation marks
    const auto is_same = [&](const Word& other) { return other.query == query; };
    if (kind.size() < kMostWords && std::none_of(kind.begin(), kind.end(), is_same))
      kind.push_back({std::move(query)});
  });
  return words.empty() ? stop_words : words;
}

namespace {

// Ids are given in order: the last one is about how many sentences there are.
double about_how_many(Connection& connection) {
  return static_cast<double>(connection.query_integer("SELECT max(id) FROM sentences"));
}

}  // namespace

// Which rows have which of the words; the words get their weights by it.
WordSearch::Postings WordSearch::postings_of(std::vector<Word>& words) {
  const double sentences = about_how_many(connection_);
  std::vector<Ids> texts;
  for (Word& word : words) {
    texts.push_back(rows_with(sentences_with_, word.query, kCommon));
    const auto with = static_cast<double>(texts.back().size());
    word.weight = rarity(with, sentences);
  }
  // Rarest first: the merged list stays short, and common words count only where there is no other.
  std::vector<std::size_t> order(words.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return texts[a].size() < texts[b].size(); });
  Postings found;
  for (const std::size_t i : order) {
    const bool common = std::ssize(texts[i]) == kCommon;
    if (!common || found.texts.empty()) merge(found.texts, texts[i], i);
    merge(found.titles, rows_with(titles_with_, words[i].query, kCommon), i);
  }
  return found;
}

std::vector<WordMatch> WordSearch::find(std::string_view text, std::size_t limit) {
  std::vector<Word> words = words_of(text);
  Postings postings = postings_of(words);
  std::unordered_map<DocumentId, std::uint64_t> titles;
  for (const Posting& title : postings.titles) titles.emplace(title.id, title.words);

  const double first = kFirst * rarity(1, about_how_many(connection_));
  const auto bonus_of = [&](const Candidate& sentence) { return sentence.number == 0 ? first : 0; };
  std::unordered_map<SentenceId, WordMatch> found;
  keep_heaviest(postings.texts, std::max(limit, kTexts),
                [&](const Posting& one) { return weight_of(0, one.words, words); });
  for (const Posting& one : postings.texts) {
    const Query row(sentence_);
    row->bind(1, one.id);
    if (!row->step()) continue;  // the index is damaged there
    const DocumentId document = row->integer(0);
    const auto title = titles.find(document);
    const std::uint64_t in_title = title == titles.end() ? 0 : title->second;
    const Candidate sentence{one.id, document, row->small_integer(1, 0)};
    found[one.id] = {sentence, weight_of(in_title, one.words, words) + bonus_of(sentence)};
  }
  keep_heaviest(postings.titles, kTitles,
                [&](const Posting& one) { return weight_of(one.words, 0, words); });
  for (const Posting& title : postings.titles) {
    const Query rows(sentences_of_);
    rows->bind(1, title.id).bind(2, kSentencesOfTitle);
    while (rows->step()) {
      const Candidate sentence{rows->integer(0), title.id, rows->small_integer(1, 0)};
      found.try_emplace(sentence.id,
                        WordMatch{sentence, weight_of(title.words, 0, words) + bonus_of(sentence)});
    }
  }
  std::vector<WordMatch> best;
  for (const auto& [id, match] : found) best.push_back(match);
  std::sort(best.begin(), best.end(), [](const WordMatch& a, const WordMatch& b) {
    return std::pair(-a.weight, a.sentence.id) < std::pair(-b.weight, b.sentence.id);
  });
  if (best.size() > limit) best.resize(limit);
  return best;
}

namespace {

// A sum over all (row, word) of an index, by which it is compared with the texts: in any order, and
// nothing has to be kept.
struct Tally {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;

  void add(std::int64_t row, std::string_view word) {
    const ContentHash hash = content_hash(fmt::format("{} {}", row, word));
    std::uint64_t part = 0;
    for (std::size_t i = 0; i < sizeof part; ++i) part = part << 8 | hash[i];
    ++count;
    sum += part;
  }

  friend bool operator==(const Tally&, const Tally&) = default;
};

Tally tally_of_texts(Connection& connection, const Index& index, const Words& words) {
  Tally tally;
  Statement rows(connection, fmt::format("SELECT id, {} FROM {}", index.column, index.table));
  std::vector<std::string> of_row;
  while (rows.step()) {
    of_row.clear();
    words.for_each(rows.text(1), [&](std::string_view word) { of_row.emplace_back(word); });
    std::sort(of_row.begin(), of_row.end());
    of_row.erase(std::unique(of_row.begin(), of_row.end()), of_row.end());
    for (const std::string& word : of_row) tally.add(rows.integer(0), word);
  }
  return tally;
}

// FTS5 shows its lists by a table of its own, which is made for this connection alone: a temporary
// one, so that the file is not written to.
Tally tally_of_index(Connection& connection, const Index& index) {
  const std::string shown = fmt::format("temp.shown_{}", index.words);
  connection.execute(
      fmt::format("CREATE VIRTUAL TABLE IF NOT EXISTS {} USING fts5vocab(main, {}, instance)",
                  shown, index.words));
  Tally tally;
  Statement rows(connection, fmt::format("SELECT doc, term FROM {}", shown));
  while (rows.step()) tally.add(rows.integer(0), rows.text(1));
  return tally;
}

}  // namespace

namespace {

// While it lives, temporary tables can be made through a connection that only reads.
class WritableForNow {
 public:
  explicit WritableForNow(Connection& connection)
      : connection_(connection), query_only_(connection.query_integer("PRAGMA query_only") != 0) {
    set(false);
  }
  WritableForNow(const WritableForNow&) = delete;
  WritableForNow& operator=(const WritableForNow&) = delete;
  ~WritableForNow() { set(query_only_); }

 private:
  void set(bool query_only) {
    sqlite3_exec(connection_.get(),
                 query_only ? "PRAGMA query_only = ON" : "PRAGMA query_only = OFF", nullptr,
                 nullptr, nullptr);
  }

  Connection& connection_;
  bool query_only_;
};

}  // namespace

std::string words_problem(Connection& connection) {
  const WritableForNow writable(connection);
  try {
    const Words words(connection, Words::Stems::yes);
    for (const Index& index : kIndexes) {
      if (tally_of_index(connection, index) == tally_of_texts(connection, index, words)) continue;
      return fmt::format(
          "the index of words ({}) is not that of the texts; 'memmatch store repair' makes it anew",
          index.words);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt) throw;
    return fmt::format("the index of words is damaged ({}); 'memmatch store repair' makes it anew",
                       error.what());
  }
  return {};
}

}  // namespace memmatch::store
