#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <random>

#include "base/files.h"
#include "memmatch/exemplars.h"
#include "store_support.h"

// One byte of a small file changed, at a time: all of them where MEMMATCH_EVERY_BYTE is set, else a
// sample that is the same every time. What is read afterwards is right, or an Error that names the
// file, or `check` finds it; what can pass all of these is listed in docs/file_formats.md.

namespace memmatch {
namespace {

using test::TemporaryFolder;

constexpr ContentHash kModel{7, 7, 7};
constexpr std::int64_t kDimension = 24;

struct Place {
  std::size_t at;
  char change;  // what is changed of the byte's bits
};

std::vector<Place> places(const std::string& bytes) {
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kPageHeader = 16;
  const bool all = std::getenv("MEMMATCH_EVERY_BYTE") != nullptr;
  std::mt19937 random(5);
  std::vector<Place> places;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const auto change = static_cast<char>(1 + random() % 255);
    if (all || at < 100 || at % kPage < kPageHeader || random() % 40 == 0)
      places.push_back({at, change});
  }
  return places;
}

// What damage came to, counted.
struct Outcomes {
  int right = 0;
  int refused = 0;    // an Error, at opening or reading
  int found = 0;      // something else was read, but `check` finds it
  int unnoticed = 0;  // something else was read, which nothing in the file tells
};

// Everything that can be read.
struct Reading {
  std::map<SentenceId, std::string> texts;
  std::string rest;
  // What has neither a hash nor a copy in an index, and may pass unnoticed: titles, hashes of what
  // was imported, numbers of vectors.
  std::string unprotected;

  friend bool operator==(const Reading&, const Reading&) = default;
};

Reading read_all(Datastore& store) {
  Reading reading;
  store.for_each_document([&](const Document& document, const std::vector<Sentence>& sentences) {
    reading.unprotected +=
        fmt::format("{}|{}|{}\n", document.raw_title, document.title, document.match_key);
    for (const Sentence& s : sentences) {
      reading.texts[s.id] = s.text;
      reading.unprotected += s.edited() ? "edited\n" : "\n";
      reading.rest += fmt::format("{} {} {} {}\n", s.id, s.document, s.number, s.revision);
    }
  });
  const Cover cover = store.cover("Title 7, title 9, the Moon and title 12 (of many).");
  for (const Document& document : cover.documents)
    reading.rest += fmt::format("covered {}\n", document.id);
  for (const Candidate& candidate : cover.sentences) {
    const std::optional<Sentence> sentence = store.sentence(candidate.id);
    reading.rest += fmt::format("{} {} {}\n", candidate.id, candidate.document, candidate.number);
    if (sentence) reading.texts[sentence->id] = sentence->text;
  }
  for (const WordMatch& match : store.by_words("the first edited title", 20))
    reading.unprotected += fmt::format("by words {}\n", match.sentence.id);
  if (const auto set = store.vector_set(kModel, kDimension)) {
    store.for_each_vector(*set, [&](SentenceId id, std::span<const std::uint16_t> vector) {
      reading.unprotected += std::to_string(id);
      for (const std::uint16_t half : vector) reading.unprotected += fmt::format(" {}", half);
    });
  }
  return reading;
}

void make_store(const std::filesystem::path& file) {
  Datastore store = test::small_store(file);
  std::vector<NewDocument> documents;
  for (int i = 0; i < 30; ++i) {
    documents.push_back(test::document(
        fmt::format("Title {}", i),
        {fmt::format("The first sentence of {}.", i), std::string(i == 12 ? 6000 : 40, 'y'), ""}));
  }
  test::import_all(store, documents);
  store.edit_sentence("Title 7", 0, "An edited sentence.");
  store.delete_sentence("Title 8", 1);
  store.delete_document("Title 9");
  const VectorSet set = store.make_vector_set(kModel, kDimension);
  const std::vector<VectorSource> sources = store.without_vector(set, 0, 1000);
  store.write_vectors(set, sources,
                      std::vector<std::uint16_t>(sources.size() * kDimension, 0x3555));
}

void remove_log(const std::filesystem::path& file) {
  for (const char* ending : {"-wal", "-shm"}) std::filesystem::remove(file.string() + ending);
}

void expect_named(const Error& error, const std::filesystem::path& file) {
  EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
}

TEST(EveryByte, OfADatastore) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  make_store(folder / "healthy.db");
  const std::string bytes = read_file(folder / "healthy.db");
  folder.write("s.db", bytes);
  Reading before;
  {
    Datastore store = Datastore::open(file, Datastore::Access::read);
    before = read_all(store);
  }
  Outcomes outcomes;
  for (const Place& place : places(bytes)) {
    std::string damaged = bytes;
    damaged[place.at] = static_cast<char>(damaged[place.at] ^ place.change);
    remove_log(file);
    folder.write("s.db", damaged);
    try {
      Datastore store = Datastore::open(file, Datastore::Access::read);
      const Reading now = read_all(store);
      for (const auto& [id, text] : now.texts) {
        const auto found = before.texts.find(id);
        const bool noticed = found == before.texts.end() && !store.check().empty();
        const bool known = found != before.texts.end() && text == found->second;
        ASSERT_TRUE(known || noticed) << "byte " << place.at;
      }
      if (now == before) {
        ++outcomes.right;
      } else if (!store.check().empty()) {
        ++outcomes.found;
      } else {
        ++outcomes.unnoticed;
        ASSERT_EQ(now.texts, before.texts) << "byte " << place.at;
        ASSERT_EQ(now.rest, before.rest) << "byte " << place.at;
      }
    } catch (const Error& error) {
      expect_named(error, file);
      ++outcomes.refused;
    }
  }
  fmt::print("of {} bytes: {} right, {} refused, {} found by check, {} unnoticed\n",
             places(bytes).size(), outcomes.right, outcomes.refused, outcomes.found,
             outcomes.unnoticed);
  EXPECT_GT(outcomes.refused, 100);
}

// A file that ends after any of its pages.
TEST(EveryByte, TruncatedDatastores) {
  const TemporaryFolder folder;
  make_store(folder / "healthy.db");
  const std::string bytes = read_file(folder / "healthy.db");
  for (std::size_t size = 4096; size < bytes.size(); size += 4096) {
    const auto file = folder.write("s.db", std::string_view(bytes).substr(0, size));
    const Error error = test::error_of([&] { Datastore::open(file, Datastore::Access::write); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    expect_named(error, file);
  }
}

std::string read_all(Exemplars& exemplars) {
  std::string all;
  for (const ExemplarSource& s : exemplars.sources())
    all += fmt::format("{} {} {} {} {}\n", s.tag, s.setting, s.done, s.total, s.exemplars);
  exemplars.for_each({}, [&](const Exemplar& e) {
    all += fmt::format("{} {} {} {} {}\n", e.id, e.tag, e.claim, static_cast<int>(e.gold),
                       static_cast<int>(e.predicted));
    for (const GivenEvidence& evidence : e.evidence)
      all += fmt::format("{} {} {}\n", evidence.title, evidence.number, evidence.text);
  });
  exemplars.for_each_row(kModel, 0, [&](const Exemplars::Row& row) {
    all += fmt::format("{} {}", row.id, row.tag);
    for (const std::uint16_t half : row.difference) all += fmt::format(" {}", half);
  });
  return all;
}

void make_exemplars(const std::filesystem::path& file) {
  Exemplars exemplars = Exemplars::open(file, Exemplars::Access::create);
  for (int i = 0; i < 12; ++i) {
    exemplars.add(i % 3 == 0 ? "a" : "b", kModel,
                  {.claim = fmt::format("Claim {}.", i),
                   .evidence = {{"Moon", "Moon", i, "The Moon is round."}},
                   .gold = Label::supports,
                   .predicted = Label::refutes,
                   .difference = std::vector<float>(300, static_cast<float>(i))});
  }
}

TEST(EveryByte, OfAnExemplarDatabase) {
  const TemporaryFolder folder;
  const auto file = folder / "e.db";
  make_exemplars(folder / "healthy.db");
  const std::string bytes = read_file(folder / "healthy.db");
  folder.write("e.db", bytes);
  std::string before;
  {
    Exemplars exemplars = Exemplars::open(file, Exemplars::Access::read);
    before = read_all(exemplars);
  }
  Outcomes outcomes;
  for (const Place& place : places(bytes)) {
    std::string damaged = bytes;
    damaged[place.at] = static_cast<char>(damaged[place.at] ^ place.change);
    remove_log(file);
    folder.write("e.db", damaged);
    try {
      Exemplars exemplars = Exemplars::open(file, Exemplars::Access::read);
      const bool right = read_all(exemplars) == before;
      ++(right ? outcomes.right : exemplars.check().empty() ? outcomes.unnoticed : outcomes.found);
    } catch (const Error& error) {
      expect_named(error, file);
      ++outcomes.refused;
    }
  }
  fmt::print("of {} bytes: {} right, {} refused, {} found by check, {} unnoticed\n",
             places(bytes).size(), outcomes.right, outcomes.refused, outcomes.found,
             outcomes.unnoticed);
  EXPECT_GT(outcomes.refused, 100);
}

TEST(EveryByte, TruncatedExemplarDatabases) {
  const TemporaryFolder folder;
  make_exemplars(folder / "healthy.db");
  const std::string bytes = read_file(folder / "healthy.db");
  for (std::size_t size = 4096; size < bytes.size(); size += 4096) {
    const auto file = folder.write("e.db", std::string_view(bytes).substr(0, size));
    const Error error = test::error_of([&] { Exemplars::open(file, Exemplars::Access::write); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    expect_named(error, file);
  }
}

// What a file says of its vectors' size is not believed.
TEST(EveryByte, DimensionsOfExemplarsAreNotBelieved) {
  for (const char* dimension : {"-1", "0", "3", "1099511627776", "9223372036854775807"}) {
    const TemporaryFolder folder;
    make_exemplars(folder / "e.db");
    test::run_sql(folder / "e.db",
                  fmt::format("UPDATE models SET dimension = {}", dimension).c_str());
    Exemplars exemplars = Exemplars::open(folder / "e.db", Exemplars::Access::read);
    EXPECT_EQ(test::error_of([&] { exemplars.for_each_row(kModel, 0, [](const auto&) {}); }).kind(),
              ErrorKind::corrupt);
    EXPECT_FALSE(exemplars.check().empty());
  }
}

}  // namespace
}  // namespace memmatch
