#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "memmatch/datastore.h"
#include "process.h"
#include "store/store_support.h"

namespace memmatch {
namespace {

using test::dump;
using test::TemporaryFolder;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 120;
// Of these, how many must have hit the program in the middle for the test to say anything.
constexpr int kFewestMidway = 10;

std::string corpus(const std::string& word) {
  std::string lines;
  for (int i = 0; i < 1500; ++i) {
    const std::string n = std::to_string(i);
    lines += R"({"title": "Title )" + n + R"(", "sentences": ["The )" + word +
             " sentence of title " + n + R"(.", "A second one that stays."]})" + "\n";
  }
  return lines;
}

std::string state_of(const std::filesystem::path& file) {
  Datastore store = Datastore::open(file, Datastore::Access::read);
  EXPECT_EQ(store.check(), std::vector<std::string>{});
  return dump(store);
}

void remove_store(const std::filesystem::path& file) {
  for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + ending);
}

// Starts the program and kills it after `delay`. Gives whether that hit it while it had the store
// open: then SQLite's log is still there, which a program that ends by itself removes.
bool killed_midway(const std::vector<std::string>& arguments, Clock::duration delay,
                   const std::filesystem::path& store) {
  const TemporaryFolder folder;
  const bool was_open = std::filesystem::exists(store.string() + "-wal");
  const pid_t child = test::start_program(arguments, folder);
  std::this_thread::sleep_for(delay);
  kill(child, SIGKILL);
  const int code = test::wait_for(child, folder).code;
  return !was_open && code == 128 + SIGKILL && std::filesystem::exists(store.string() + "-wal");
}

// How long the command takes when nobody kills it.
Clock::duration undisturbed(const std::vector<std::string>& arguments) {
  const Clock::time_point start = Clock::now();
  EXPECT_EQ(test::run_program(arguments).code, 0);
  return Clock::now() - start;
}

// The moments of death are spread evenly over the command's life and a little beyond.
Clock::duration moment(int round, Clock::duration life) {
  return life * (round * 13 % kRounds) * 12 / (kRounds * 10);
}

TEST(Crash, AKilledImportLeavesTheStateBeforeOrAfter) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  const auto old_corpus = folder.write("old.jsonl", corpus("old"));
  const auto new_corpus = folder.write("new.jsonl", corpus("new"));
  ASSERT_EQ(test::run_program({"import", "jsonl", old_corpus, "--store", file}).code, 0);
  const std::string pristine = read_file(file);
  const std::string before = state_of(file);
  const std::vector<std::string> command{"import", "jsonl", new_corpus, "--store", file};
  const Clock::duration life = undisturbed(command);
  const std::string after = state_of(file);
  ASSERT_NE(before, after);

  int midway = 0;
  for (int round = 0; round < kRounds; ++round) {
    remove_store(file);
    folder.write("s.db", pristine);
    midway += killed_midway(command, moment(round, life), file);
    const std::string state = state_of(file);
    ASSERT_TRUE(state == before || state == after) << "round " << round;
  }
  EXPECT_GE(midway, kFewestMidway);
}

TEST(Crash, AKilledFirstImportLeavesNothingOrEverything) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  const auto input = folder.write("old.jsonl", corpus("old"));
  const std::vector<std::string> command{"import", "jsonl", input, "--store", file};
  const Clock::duration life = undisturbed(command);
  const std::string after = state_of(file);
  int midway = 0;
  for (int round = 0; round < kRounds; ++round) {
    remove_store(file);
    midway += killed_midway(command, moment(round, life), file);
    if (!std::filesystem::exists(file)) continue;
    const std::string state = state_of(file);
    ASSERT_TRUE(state.empty() || state == after) << "round " << round;
  }
  EXPECT_GE(midway, kFewestMidway);
  ASSERT_EQ(test::run_program(command).code, 0);
  EXPECT_EQ(state_of(file), after);
}

TEST(Crash, AKilledEditLeavesTheOldOrTheNewText) {
  const TemporaryFolder folder;
  const auto file = folder / "s.db";
  { test::small_store(file); }
  const auto edit = [&](const std::string& text) {
    return std::vector<std::string>{"store", "edit",     "--store", file, "--title",
                                    "Moon",  "--number", "0",       text};
  };
  const Clock::duration life = undisturbed(edit("Text -1."));
  std::string expected = "Text -1.";
  int midway = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string text = "Text " + std::to_string(round) + ".";
    midway += killed_midway(edit(text), moment(round, life), file);
    Datastore store = Datastore::open(file, Datastore::Access::read);
    ASSERT_EQ(store.check(), std::vector<std::string>{});
    const Sentence sentence = *store.sentence(store.find_document("Moon").id, 0);
    ASSERT_TRUE(sentence.text == expected || sentence.text == text) << sentence.text;
    ASSERT_EQ(store.history(sentence.id).size(), static_cast<std::size_t>(sentence.revision - 1));
    expected = sentence.text;
  }
  EXPECT_GE(midway, kFewestMidway);
}

}  // namespace
}  // namespace memmatch
