#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace memmatch::test {

// What is counted, and may fail.
enum class FileOperation { open, read, write, sync };

enum class FaultKind {
  fail,      // once, as if the device had refused
  shorten,   // once: half of a write is done, and the disk is full
  fail_on,   // from there on, until disarm(): the disk stays full or broken
  power_cut  // from there on nothing is done, and what was not synced before may be lost
};

// SQLite's file system with faults: while it lives it is what every new connection uses, in between
// SQLite and the real one. All connections must be closed before it goes.
class FaultyFiles {
 public:
  FaultyFiles();
  ~FaultyFiles();
  FaultyFiles(const FaultyFiles&) = delete;
  FaultyFiles& operator=(const FaultyFiles&) = delete;

  // The fault happens at the `n`-th such operation from now on, counted from 1.
  void arm(FileOperation operation, FaultKind kind, int n);
  void disarm() { armed_ = false; }
  bool fired() const { return fired_; }

  // After a power cut, when all connections are closed: of what was written after a file's last
  // sync, some stays and some does not, as `seed` has it. Files that only running processes share
  // go.
  void lose_power(std::uint32_t seed);

  // For the functions that SQLite calls: whether this operation is to fail, and how.
  bool fails(FileOperation operation);
  bool shortens() const { return kind_ == FaultKind::shorten; }

  // A write that no sync has followed.
  struct Write {
    std::uint64_t at;
    std::string before;  // shorter where the file ended
    std::string after;
  };
  std::map<std::filesystem::path, std::vector<Write>> unsynced;

 private:
  bool armed_ = false;
  bool fired_ = false;
  FileOperation operation_ = FileOperation::open;
  FaultKind kind_ = FaultKind::fail;
  int left_ = 0;
};

// Makes SQLite's allocations fail, for this thread: the n-th from now on, and with `stays` all that
// follow. Gone with the object.
class FaultyMemory {
 public:
  FaultyMemory(int n, bool stays);
  ~FaultyMemory();
  FaultyMemory(const FaultyMemory&) = delete;
  FaultyMemory& operator=(const FaultyMemory&) = delete;

  bool fired() const;
};

}  // namespace memmatch::test
