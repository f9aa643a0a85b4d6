#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>

#include "base/files.h"
#include "fault_vfs.h"
#include "memmatch/exemplars.h"
#include "store_support.h"

// For every n: the n-th operation on a file, or the n-th allocation, fails while something is
// written. Afterwards the file is as before or as after it, `check` is content, and the same
// connection, of a process that lives on, sees that too and can do it again.

namespace memmatch {
namespace {

using test::document;
using test::FaultKind;
using test::FaultyFiles;
using test::FaultyMemory;
using test::FileOperation;
using test::TemporaryFolder;

constexpr ContentHash kModel{7, 7, 7};
constexpr std::int64_t kDimension = 8;

// A datastore, or an exemplar database, for the same tests.
struct StoreWorld {
  using Store = Datastore;

  static void prepare(const std::filesystem::path& file) {
    Datastore store = test::small_store(file);
    store.edit_sentence("Moon", 2, "It is a ball.");
    write_vectors(store, {1, 4});
  }

  static std::string state(Datastore& store) {
    std::string state = test::dump(store);
    const std::optional<VectorSet> set = store.vector_set(kModel, kDimension);
    if (!set) return state;
    store.for_each_vector(*set, [&](SentenceId id, std::span<const std::uint16_t> vector) {
      state += fmt::format("vector {} {}\n", id, vector[0]);
    });
    return state;
  }

  static void index(Datastore& store) { write_vectors(store, {1, 3, 4, 5, 6}); }

  static void write_vectors(Datastore& store, const std::vector<SentenceId>& ids) {
    const VectorSet set = store.make_vector_set(kModel, kDimension);
    const std::vector<VectorSource> sources = store.vector_sources(ids);
    store.write_vectors(set, sources,
                        std::vector<std::uint16_t>(sources.size() * kDimension, 0x3C00));
  }

  static void import(Datastore& store) {
    std::vector<NewDocument> documents{document("Moon", {"The Moon is far.", "New."}),
                                       document("Sun (star)", {"The Sun is a star."})};
    for (int i = 0; i < 20; ++i)
      documents.push_back(document(fmt::format("Planet {}", i), {std::string(900, 'x'), "Short."}));
    test::import_all(store, documents);
  }

  static void edit(Datastore& store) { store.edit_sentence("Moon", 0, "The Moon is near."); }
  static void remove(Datastore& store) {
    try {
      store.delete_document("Earth");
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::not_found) throw;  // done before
    }
  }
};

// The first import makes an index at its end.
struct EmptyWorld : StoreWorld {
  static void prepare(const std::filesystem::path& file) {
    Datastore::open(file, Datastore::Access::create);
  }
};

struct ExemplarWorld {
  using Store = Exemplars;

  static NewExemplar example(int i) {
    return {.claim = fmt::format("Claim {}.", i),
            .evidence = {{"Moon", "Moon", 0, "The Moon is round."}},
            .gold = Label::supports,
            .predicted = Label::refutes,
            .difference = std::vector<float>(400, static_cast<float>(i))};
  }

  static void append(Exemplars& store, int count) {
    const std::uint64_t done = store.begin_build("train", "setting", 40).done;
    std::vector<NewExemplar> some;
    for (int i = 0; i < count; ++i) some.push_back(example(i));
    store.append("train", kModel, some, done, some.size());
  }

  static void prepare(const std::filesystem::path& file) {
    Exemplars store = Exemplars::open(file, Exemplars::Access::create);
    store.add("hand", kModel, example(100));
    append(store, 5);
  }

  static std::string state(Exemplars& store) {
    std::string state;
    for (const ExemplarSource& source : store.sources())
      state += fmt::format("{} {} {}\n", source.tag, source.done, source.exemplars);
    store.for_each({}, [&](const Exemplar& e) {
      state += fmt::format("{} {} {} {}\n", e.id, e.claim, fever_name(e.gold), e.evidence[0].text);
    });
    store.for_each_row(kModel, 0, [&](const Exemplars::Row& row) {
      state += fmt::format("{} {}\n", row.id, row.difference[399]);
    });
    return state;
  }

  static void build(Exemplars& store) {
    if (store.source("train")->done == 5) append(store, 20);
  }
  static void relabel(Exemplars& store) { store.relabel(1, Label::unverifiable); }
  static void remove(Exemplars& store) {
    if (store.source("hand")) store.remove_source("hand");
  }
};

template <typename World>
class Trial {
 public:
  using Store = typename World::Store;
  using Action = void (*)(Store&);

  explicit Trial(Action action) : action_(action) {
    World::prepare(file_);
    initial_ = read_file(file_);
    Store store = open();
    before_ = World::state(store);
    action_(store);
    after_ = World::state(store);
    EXPECT_NE(before_, after_);
  }

  // False where the fault did not come any more.
  bool files(FileOperation operation, FaultKind kind, int n) {
    start_again();
    FaultyFiles files;
    Store store = open();
    files.arm(operation, kind, n);
    const bool done = act(store);
    files.disarm();
    expect_sound(store, done);
    return files.fired();
  }

  bool memory(int n, bool stays) {
    start_again();
    const FaultyFiles files;  // quick, since it does not wait for the disk
    Store store = open();
    bool done = false;
    bool fired = false;
    {
      const FaultyMemory memory(n, stays);
      done = act(store);
      fired = memory.fired();
    }
    expect_sound(store, done);
    return fired;
  }

  // The machine stops at the n-th operation, and what was not synced is partly lost.
  bool power_cut(FileOperation operation, int n) {
    start_again();
    FaultyFiles files;
    bool done = false;
    {
      Store store = open();
      files.arm(operation, FaultKind::power_cut, n);
      done = act(store);
    }
    files.lose_power(static_cast<std::uint32_t>(n));
    std::filesystem::remove(file_.string() + "-shm");
    Store store = open();
    const std::string state = World::state(store);
    EXPECT_TRUE(state == after_ || (!done && state == before_)) << state;
    EXPECT_EQ(store.check(), std::vector<std::string>{});
    return files.fired();
  }

 private:
  Store open() { return Store::open(file_, Store::Access::write); }

  void start_again() {
    for (const char* ending : {"-wal", "-shm"}) std::filesystem::remove(file_.string() + ending);
    folder_.write("f.db", initial_);
  }

  bool act(Store& store) {
    try {
      action_(store);
      return true;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("f.db"), std::string::npos) << error.what();
      return false;
    }
  }

  void expect_sound(Store& store, bool done) {
    const std::string state = World::state(store);
    EXPECT_TRUE(state == after_ || (!done && state == before_)) << state;
    EXPECT_EQ(store.check(), std::vector<std::string>{});
    action_(store);
    EXPECT_EQ(World::state(store), after_);
    Store other = Store::open(file_, Store::Access::read);
    EXPECT_EQ(World::state(other), after_);
  }

  Action action_;
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "f.db";
  std::string initial_;
  std::string before_;
  std::string after_;
};

template <typename World>
void try_all_files(void (*action)(typename World::Store&)) {
  Trial<World> trial(action);
  int faults = 0;
  for (const FileOperation operation :
       {FileOperation::open, FileOperation::read, FileOperation::write, FileOperation::sync}) {
    for (const FaultKind kind : {FaultKind::fail, FaultKind::shorten, FaultKind::fail_on}) {
      if (kind == FaultKind::shorten && operation != FileOperation::write) continue;
      for (int n = 1; trial.files(operation, kind, n); ++n) {
        ++faults;
        ASSERT_FALSE(testing::Test::HasFailure())
            << "operation " << static_cast<int>(operation) << " kind " << static_cast<int>(kind)
            << " n " << n;
      }
    }
  }
  for (const FileOperation operation : {FileOperation::write, FileOperation::sync}) {
    for (int n = 1; trial.power_cut(operation, n); ++n) {
      ++faults;
      ASSERT_FALSE(testing::Test::HasFailure()) << "power cut at " << n;
    }
  }
  EXPECT_GT(faults, 10);
}

// There are thousands of allocations: of the later ones a part, unless MEMMATCH_EVERY_FAULT is set.
template <typename World>
void try_all_memory(void (*action)(typename World::Store&)) {
  const bool all = std::getenv("MEMMATCH_EVERY_FAULT") != nullptr;
  Trial<World> trial(action);
  int faults = 0;
  for (const bool stays : {false, true}) {
    for (int n = 1; trial.memory(n, stays); n += n < 200 || all ? 1 : 13) {
      ++faults;
      ASSERT_FALSE(testing::Test::HasFailure()) << "allocation " << n << " stays " << stays;
    }
  }
  EXPECT_GT(faults, 10);
}

TEST(Faults, FilesWhileImporting) { try_all_files<StoreWorld>(StoreWorld::import); }
TEST(Faults, FilesWhileFilling) { try_all_files<EmptyWorld>(StoreWorld::import); }
TEST(Faults, FilesWhileEditing) { try_all_files<StoreWorld>(StoreWorld::edit); }
TEST(Faults, FilesWhileDeleting) { try_all_files<StoreWorld>(StoreWorld::remove); }
TEST(Faults, FilesWhileIndexing) { try_all_files<StoreWorld>(StoreWorld::index); }
TEST(Faults, FilesWhileBuildingExemplars) { try_all_files<ExemplarWorld>(ExemplarWorld::build); }
TEST(Faults, FilesWhileRelabelling) { try_all_files<ExemplarWorld>(ExemplarWorld::relabel); }
TEST(Faults, FilesWhileRemovingExemplars) { try_all_files<ExemplarWorld>(ExemplarWorld::remove); }

TEST(Faults, MemoryWhileImporting) { try_all_memory<StoreWorld>(StoreWorld::import); }
TEST(Faults, MemoryWhileFilling) { try_all_memory<EmptyWorld>(StoreWorld::import); }
TEST(Faults, MemoryWhileEditing) { try_all_memory<StoreWorld>(StoreWorld::edit); }
TEST(Faults, MemoryWhileDeleting) { try_all_memory<StoreWorld>(StoreWorld::remove); }
TEST(Faults, MemoryWhileIndexing) { try_all_memory<StoreWorld>(StoreWorld::index); }
TEST(Faults, MemoryWhileBuildingExemplars) { try_all_memory<ExemplarWorld>(ExemplarWorld::build); }
TEST(Faults, MemoryWhileRelabelling) { try_all_memory<ExemplarWorld>(ExemplarWorld::relabel); }
TEST(Faults, MemoryWhileRemovingExemplars) { try_all_memory<ExemplarWorld>(ExemplarWorld::remove); }

// Closing brings the log into the file.
TEST(Faults, FilesWhileClosing) {
  const TemporaryFolder folder;
  { StoreWorld::prepare(folder / "f.db"); }
  const std::string initial = read_file(folder / "f.db");
  for (const FileOperation operation : {FileOperation::write, FileOperation::sync}) {
    for (const FaultKind kind : {FaultKind::fail, FaultKind::fail_on, FaultKind::power_cut}) {
      bool fired = true;
      for (int n = 1; fired; ++n) {
        for (const char* ending : {"-wal", "-shm"})
          std::filesystem::remove(folder / (std::string("f.db") + ending));
        folder.write("f.db", initial);
        FaultyFiles files;
        std::string after;
        {
          Datastore store = Datastore::open(folder / "f.db", Datastore::Access::write);
          StoreWorld::import(store);
          after = StoreWorld::state(store);
          files.arm(operation, kind, n);
        }
        fired = files.fired();
        if (kind == FaultKind::power_cut) {
          files.lose_power(static_cast<std::uint32_t>(n));
          std::filesystem::remove(folder / "f.db-shm");
        }
        files.disarm();
        Datastore store = Datastore::open(folder / "f.db", Datastore::Access::read);
        ASSERT_EQ(StoreWorld::state(store), after) << n;
        ASSERT_EQ(store.check(), std::vector<std::string>{}) << n;
      }
    }
  }
}

// A store that could not be made leaves nothing behind.
TEST(Faults, FilesWhileMakingAStore) {
  for (const FileOperation operation :
       {FileOperation::open, FileOperation::read, FileOperation::write, FileOperation::sync}) {
    bool fired = true;
    for (int n = 1; fired; ++n) {
      const TemporaryFolder folder;
      FaultyFiles files;
      files.arm(operation, FaultKind::fail, n);
      try {
        Datastore::open(folder / "f.db", Datastore::Access::create);
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("f.db"), std::string::npos) << error.what();
      }
      fired = files.fired();
      files.disarm();
      for (const std::filesystem::path& entry : entries_of(folder.path()))
        EXPECT_EQ(entry.filename().string().find(".new-"), std::string::npos) << entry;
      Datastore store = Datastore::open(folder / "f.db", Datastore::Access::create);
      ASSERT_EQ(store.check(), std::vector<std::string>{});
      store.add_sentence("Moon", {}, "A sentence.");
    }
  }
}

// C2: what a failed snapshot leaves behind.
TEST(Faults, ASnapshotThatCannotBeTakenIsNone) {
  const TemporaryFolder folder;
  { StoreWorld::prepare(folder / "f.db"); }
  FaultyFiles files;
  Datastore writer = Datastore::open(folder / "f.db", Datastore::Access::write);
  Datastore store = Datastore::open(folder / "f.db", Datastore::Access::write);
  store.stats();
  writer.edit_sentence("Moon", 0, "First.");  // so that there is something to read
  files.arm(FileOperation::read, FaultKind::fail, 1);
  EXPECT_EQ(test::error_of([&] { store.snapshot(); }).kind(), ErrorKind::io);
  files.disarm();
  store.edit_sentence("Moon", 0, "Second.");  // no transaction is open
  const Datastore::Snapshot snapshot = store.snapshot();
  const std::string before = test::dump(store);
  writer.edit_sentence("Moon", 0, "Third.");
  EXPECT_EQ(test::dump(store), before);
}

}  // namespace
}  // namespace memmatch
