#include <gtest/gtest.h>

#include <csignal>
#include <map>
#include <nlohmann/json.hpp>

#include "kills.h"
#include "memmatch/datastore.h"
#include "memmatch/exemplars.h"
#include "process.h"
#include "search/search_world.h"

// kill -9 at any moment: what the program has confirmed is there, what it has not is there as a
// whole or not at all, and the files are sound.

namespace memmatch {
namespace {

using test::Clock;
using test::dump;
using test::kill_again_and_again;
using test::Outcome;
using test::TemporaryFolder;
using Command = std::vector<std::string>;

Outcome kill_after(Clock::duration delay, const Command& command) {
  const TemporaryFolder folder;
  const pid_t child = test::start_program(command, folder);
  std::this_thread::sleep_for(delay);
  kill(child, SIGKILL);
  return test::wait_for(child, folder);
}

bool was_killed(const Outcome& outcome) { return outcome.code == 128 + SIGKILL; }

// SQLite's log is there as long as somebody has the file open, and after a kill.
bool has_log(const std::filesystem::path& file) {
  return std::filesystem::exists(file.string() + "-wal");
}

// How long the command takes when nobody kills it.
Clock::duration undisturbed(const Command& command) {
  const Clock::time_point start = Clock::now();
  const Outcome outcome = test::run_program(command);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return Clock::now() - start;
}

void remove_store(const std::filesystem::path& file) {
  for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + ending);
}

// Opened for writing, so that no log is left.
Datastore opened(const std::filesystem::path& file) {
  Datastore store = Datastore::open(file, Datastore::Access::write);
  EXPECT_EQ(store.check(), std::vector<std::string>{});
  return store;
}

std::string state_of(const std::filesystem::path& file) {
  Datastore store = opened(file);
  return dump(store);
}

// --- Import ---

std::string corpus(const std::string& word) {
  std::string lines;
  for (int i = 0; i < 1500; ++i) {
    const std::string n = std::to_string(i);
    lines += R"({"title": "Title )" + n + R"(", "sentences": ["The )" + word +
             " sentence of title " + n + R"(.", "A second one that stays."]})" + "\n";
  }
  return lines;
}

TEST(Kill, AnImportLeavesTheStateBeforeOrAfter) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  const auto old_corpus = folder.write("old.jsonl", corpus("old"));
  const auto new_corpus = folder.write("new.jsonl", corpus("new"));
  undisturbed({"import", "jsonl", old_corpus, "--store", file});
  const std::string pristine = read_file(file);
  const std::string before = state_of(file);
  const Command command{"import", "jsonl", new_corpus, "--store", file};
  const Clock::duration life = undisturbed(command);
  const std::string after = state_of(file);
  ASSERT_NE(before, after);
  kill_again_and_again(life, [&](Clock::duration delay) {
    remove_store(file);
    folder.write("s.db", pristine);
    const Outcome outcome = kill_after(delay, command);
    const bool midway = was_killed(outcome) && has_log(file);
    const std::string state = state_of(file);
    const bool confirmed = outcome.code == 0 || !outcome.out.empty();
    EXPECT_TRUE(state == after || (state == before && !confirmed));
    return midway;
  });
}

TEST(Kill, AFirstImportLeavesNothingOrEverything) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  const Command command{"import", "jsonl", folder.write("old.jsonl", corpus("old")), "--store",
                        file};
  const Clock::duration life = undisturbed(command);
  const std::string after = state_of(file);
  kill_again_and_again(life, [&](Clock::duration delay) {
    remove_store(file);
    const Outcome outcome = kill_after(delay, command);
    const bool midway = was_killed(outcome) && has_log(file);
    const bool confirmed = outcome.code == 0 || !outcome.out.empty();
    const std::string state = std::filesystem::exists(file) ? state_of(file) : "";
    EXPECT_TRUE(state == after || (state.empty() && !confirmed));
    return midway;
  });
  ASSERT_EQ(test::run_program(command).code, 0);
  EXPECT_EQ(state_of(file), after);
}

// --- Edit ---

// The journal holds every text that was confirmed, in order.
TEST(Kill, AnEditThatWasConfirmedIsThere) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  { test::small_store(file); }
  const auto edit = [&](const std::string& text) {
    return Command{"store", "edit", "--store", file, "--title", "Moon", "--number", "0", text};
  };
  std::vector<std::string> journal{"Text -1."};
  const Clock::duration life = undisturbed(edit(journal[0]));
  int round = 0;
  kill_again_and_again(life, [&](Clock::duration delay) {
    const std::string text = "Text " + std::to_string(round++) + ".";
    const Outcome outcome = kill_after(delay, edit(text));
    const bool midway = was_killed(outcome) && has_log(file);
    const bool confirmed = outcome.code == 0 || outcome.out.find(text) != std::string::npos;
    Datastore store = opened(file);
    const Sentence sentence = *store.sentence(store.find_document("Moon").id, 0);
    EXPECT_TRUE(sentence.text == text || (sentence.text == journal.back() && !confirmed))
        << sentence.text;
    if (sentence.text == text) journal.push_back(text);
    EXPECT_EQ(store.history(sentence.id).size(), journal.size());
    EXPECT_EQ(sentence.revision, static_cast<std::int64_t>(journal.size()) + 1);
    return midway;
  });
}

// --- What takes long, and goes on where it was killed ---

class LongWork : public testing::Test {
 protected:
  void SetUp() override {
    Datastore store = Datastore::open(store_, Datastore::Access::create);
    test::import_all(store, test::random_documents(600, 1));
  }

  Command search_command(Command command) const {
    command.insert(command.end(), {"--store", store_, "--model", model_});
    return command;
  }

  std::string write_claims(int count) const {
    static constexpr const char* kLabels[] = {"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"};
    std::string lines;
    int id = 0;
    for (const std::string& claim : test::random_claims(count, 3)) {
      const nlohmann::json sentence = {1, 1, "0", 0};
      lines +=
          nlohmann::json{
              {"id", id}, {"claim", claim}, {"label", kLabels[id % 3]}, {"evidence", {{sentence}}}}
              .dump() +
          "\n";
      ++id;
    }
    return folder_.write("claims.jsonl", lines);
  }

  TemporaryFolder folder_;
  std::string store_ = folder_ / "s.db";
  std::string model_ = test::small_model(folder_);
};

using Vectors = std::map<SentenceId, std::vector<std::uint16_t>>;

Vectors vectors_of(Datastore& store) {
  Vectors vectors;
  for (const VectorSet& set : store.vector_sets()) {
    store.for_each_vector(set, [&](SentenceId id, std::span<const std::uint16_t> vector) {
      vectors[id].assign(vector.begin(), vector.end());
    });
  }
  return vectors;
}

TEST_F(LongWork, AnIndexKeepsWhatItHasMade) {
  const std::string pristine = read_file(store_);
  const Command command = search_command({"index"});
  const Clock::duration life = undisturbed(command);
  Datastore whole = opened(store_);
  const Vectors expected = vectors_of(whole);
  ASSERT_GT(expected.size(), 1000u);
  store_ = folder_ / "killed.db";
  folder_.write("killed.db", pristine);
  const Command killed = search_command({"index"});
  Vectors journal;
  kill_again_and_again(life, [&](Clock::duration delay) {
    if (journal.size() == expected.size()) {
      remove_store(store_);
      folder_.write("killed.db", pristine);
      journal.clear();
    }
    const Outcome outcome = kill_after(delay, killed);
    const bool midway = was_killed(outcome) && has_log(store_);
    Datastore store = opened(store_);
    const Vectors found = vectors_of(store);
    for (const auto& [id, vector] : found) EXPECT_EQ(vector, expected.at(id));
    for (const auto& [id, vector] : journal) EXPECT_TRUE(found.contains(id));
    EXPECT_TRUE(outcome.code != 0 || found.size() == expected.size());
    journal = found;
    return midway;
  });
  ASSERT_EQ(test::run_program(killed).code, 0);
  Datastore store = opened(store_);
  EXPECT_EQ(vectors_of(store), expected);
}

std::string exemplars_of(Exemplars& database) {
  EXPECT_EQ(database.check(), std::vector<std::string>{});
  std::string all;
  database.for_each({}, [&](const Exemplar& e) {
    all += std::to_string(e.id) + e.claim + std::string(fever_name(e.gold)) + "\n";
  });
  return all;
}

TEST_F(LongWork, ABuildOfExemplarsKeepsWhatItHasMade) {
  const std::string claims = write_claims(600);
  const auto build = [&](const std::string& database) {
    return search_command({"exemplars", "build", "--claims", claims, "--tag", "train",
                           "--exemplars", database, "--k1", "5", "--z", "2"});
  };
  const Clock::duration life = undisturbed(build(folder_ / "whole.db"));
  const auto state = [&](const std::string& file) {
    Exemplars database = Exemplars::open(file, Exemplars::Access::write);
    return exemplars_of(database);
  };
  const std::string expected = state(folder_ / "whole.db");
  const std::string file = folder_ / "killed.db";
  std::string journal;
  kill_again_and_again(life, [&](Clock::duration delay) {
    if (journal == expected) {
      remove_store(file);
      journal.clear();
    }
    const Outcome outcome = kill_after(delay, build(file));
    if (!std::filesystem::exists(file)) {
      EXPECT_TRUE(journal.empty());
      return false;
    }
    const bool midway = was_killed(outcome) && has_log(file);
    const std::string found = state(file);
    EXPECT_TRUE(found.starts_with(journal));
    EXPECT_TRUE(expected.starts_with(found));
    EXPECT_TRUE(outcome.code != 0 || found == expected);
    journal = found;
    return midway;
  });
  ASSERT_EQ(test::run_program(build(file)).code, 0);
  EXPECT_EQ(state(file), expected);
}

// Only whole lines count: the last one may be half there.
std::string whole_lines(const std::string& text) { return text.substr(0, text.rfind('\n') + 1); }

TEST_F(LongWork, PredictionsGoOnAfterTheLastLine) {
  const std::string claims = write_claims(700);
  ASSERT_EQ(test::run_program(search_command({"index"})).code, 0);
  const auto predict = [&](const std::string& out) {
    return search_command(
        {"predict", "--claims", claims, "--out", out, "--k1", "5", "--z", "2", "--threads", "1"});
  };
  const Clock::duration life = undisturbed(predict(folder_ / "whole.jsonl"));
  const std::string expected = read_file(folder_ / "whole.jsonl");
  const std::string out = folder_ / "killed.jsonl";
  const std::string partial = out + ".partial";
  std::string journal;  // with the first line, which says what the others depend on
  kill_again_and_again(life, [&](Clock::duration delay) {
    const Outcome outcome = kill_after(delay, predict(out));
    if (std::filesystem::exists(out)) {
      EXPECT_EQ(read_file(out), expected);
      EXPECT_TRUE(was_killed(outcome) || !std::filesystem::exists(partial));
      for (const std::string& file : {out, partial}) std::filesystem::remove(file);
      journal.clear();
      return false;
    }
    EXPECT_NE(outcome.code, 0);
    if (!std::filesystem::exists(partial)) {
      EXPECT_TRUE(journal.empty());
      return false;
    }
    const std::string found = whole_lines(read_file(partial));
    EXPECT_TRUE(found.starts_with(journal));
    EXPECT_TRUE(expected.starts_with(found.substr(std::min(found.find('\n') + 1, found.size()))));
    const bool midway = was_killed(outcome) && found != journal;
    journal = found;
    return midway;
  });
  ASSERT_EQ(test::run_program(predict(out)).code, 0);
  EXPECT_EQ(read_file(out), expected);
}

}  // namespace
}  // namespace memmatch
