#include "fault_vfs.h"

#include <algorithm>
#include <fstream>
#include <random>
#include <stdexcept>

#include "base/files.h"

namespace memmatch::test {
namespace {

FaultyFiles* g_files = nullptr;  // at most one at a time
sqlite3_vfs* g_real_vfs = nullptr;

// What SQLite holds of an open file; the real one's follows in the same memory.
struct File {
  sqlite3_file base;
  sqlite3_file* real;
  const char* path;  // SQLite keeps it as long as the file is open; null for temporary files
};

File& self(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
sqlite3_file* real(sqlite3_file* file) { return self(file).real; }

int close_file(sqlite3_file* file) { return real(file)->pMethods->xClose(real(file)); }

int read_file_at(sqlite3_file* file, void* data, int size, sqlite3_int64 at) {
  if (g_files->fails(FileOperation::read)) return SQLITE_IOERR_READ;
  return real(file)->pMethods->xRead(real(file), data, size, at);
}

// What a power cut may undo.
void remember_write(const File& file, std::string after, sqlite3_int64 at) {
  if (!file.path) return;
  std::string before(after.size(), '\0');
  const int code =
      file.real->pMethods->xRead(file.real, before.data(), static_cast<int>(before.size()), at);
  if (code == SQLITE_IOERR_SHORT_READ) {
    sqlite3_int64 size = 0;
    file.real->pMethods->xFileSize(file.real, &size);
    before.resize(static_cast<std::size_t>(std::max<sqlite3_int64>(size - at, 0)));
  }
  g_files->unsynced[file.path].push_back(
      {static_cast<std::uint64_t>(at), std::move(before), std::move(after)});
}

int write_file_at(sqlite3_file* file, const void* data, int size, sqlite3_int64 at) {
  const bool fails = g_files->fails(FileOperation::write);
  if (fails && !g_files->shortens()) return SQLITE_IOERR_WRITE;
  const int written = fails ? size / 2 : size;
  remember_write(self(file),
                 std::string(static_cast<const char*>(data), static_cast<std::size_t>(written)),
                 at);
  const int code = real(file)->pMethods->xWrite(real(file), data, written, at);
  return fails ? SQLITE_FULL : code;
}

// Nothing is brought to the disk, which would take long: only the machine's end could tell.
int sync_file(sqlite3_file* file, int) {
  if (g_files->fails(FileOperation::sync)) return SQLITE_IOERR_FSYNC;
  if (self(file).path) g_files->unsynced.erase(self(file).path);
  return SQLITE_OK;
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (g_files->fails(FileOperation::write)) return SQLITE_IOERR_TRUNCATE;
  return real(file)->pMethods->xTruncate(real(file), size);
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
int lock(sqlite3_file* file, int level) { return real(file)->pMethods->xLock(real(file), level); }
int unlock(sqlite3_file* file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}
int check_lock(sqlite3_file* file, int* result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
int file_control(sqlite3_file* file, int operation, void* argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
int sector_size(sqlite3_file* file) { return real(file)->pMethods->xSectorSize(real(file)); }
int characteristics(sqlite3_file* file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
int shm_map(sqlite3_file* file, int region, int size, int extend, void volatile** memory) {
  return real(file)->pMethods->xShmMap(real(file), region, size, extend, memory);
}
int shm_lock(sqlite3_file* file, int offset, int n, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, n, flags);
}
void shm_barrier(sqlite3_file* file) { real(file)->pMethods->xShmBarrier(real(file)); }
int shm_unmap(sqlite3_file* file, int remove) {
  return real(file)->pMethods->xShmUnmap(real(file), remove);
}

constexpr sqlite3_io_methods kMethods = {
    2,        close_file,  read_file_at, write_file_at, truncate_file, sync_file,       file_size,
    lock,     unlock,      check_lock,   file_control,  sector_size,   characteristics, shm_map,
    shm_lock, shm_barrier, shm_unmap,    nullptr,       nullptr};

int open_file(sqlite3_vfs*, const char* path, sqlite3_file* file, int flags, int* out_flags) {
  file->pMethods = nullptr;
  if (g_files->fails(FileOperation::open)) return SQLITE_CANTOPEN;
  File& ours = self(file);
  ours.real = reinterpret_cast<sqlite3_file*>(&ours + 1);
  ours.path = path;
  const int code = g_real_vfs->xOpen(g_real_vfs, path, ours.real, flags, out_flags);
  if (code == SQLITE_OK) file->pMethods = &kMethods;
  return code;
}

int delete_file(sqlite3_vfs*, const char* path, int sync_folder) {
  if (g_files->fails(FileOperation::write)) return SQLITE_IOERR_DELETE;
  g_files->unsynced.erase(path);
  return g_real_vfs->xDelete(g_real_vfs, path, sync_folder);
}

sqlite3_vfs& our_vfs() {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs copy = *g_real_vfs;
    copy.zName = "faulty";
    copy.szOsFile = static_cast<int>(sizeof(File)) + g_real_vfs->szOsFile;
    copy.pNext = nullptr;
    copy.xOpen = open_file;
    copy.xDelete = delete_file;
    return copy;
  }();
  return vfs;
}

void overwrite(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

void put(std::string& content, const FaultyFiles::Write& write) {
  if (content.size() < write.at + write.after.size()) content.resize(write.at + write.after.size());
  std::copy(write.after.begin(), write.after.end(),
            content.begin() + static_cast<std::ptrdiff_t>(write.at));
}

void undo(std::string& content, const FaultyFiles::Write& write) {
  if (content.size() < write.at + write.after.size()) return;  // cut off meanwhile
  std::copy(write.before.begin(), write.before.end(),
            content.begin() + static_cast<std::ptrdiff_t>(write.at));
  const bool was_the_end =
      write.before.size() < write.after.size() && content.size() == write.at + write.after.size();
  if (was_the_end) content.resize(write.at + write.before.size());
}

}  // namespace

FaultyFiles::FaultyFiles() {
  if (g_files) throw std::logic_error("one at a time");
  g_files = this;
  if (!g_real_vfs) g_real_vfs = sqlite3_vfs_find(nullptr);
  sqlite3_vfs_register(&our_vfs(), 1);
}

FaultyFiles::~FaultyFiles() {
  sqlite3_vfs_unregister(&our_vfs());
  sqlite3_vfs_register(g_real_vfs, 1);
  g_files = nullptr;
}

void FaultyFiles::arm(FileOperation operation, FaultKind kind, int n) {
  operation_ = operation;
  kind_ = kind;
  left_ = n;
  armed_ = true;
  fired_ = false;
}

bool FaultyFiles::fails(FileOperation operation) {
  if (!armed_) return false;
  const bool dead = fired_ && kind_ == FaultKind::power_cut;
  if (dead) return true;
  if (operation != operation_) return false;
  if (left_ > 0) --left_;
  if (left_ > 0) return false;
  const bool again = kind_ == FaultKind::fail_on || kind_ == FaultKind::power_cut;
  if (fired_ && !again) return false;
  fired_ = true;
  return true;
}

void FaultyFiles::lose_power(std::uint32_t seed) {
  disarm();
  std::mt19937 random(seed);
  for (const auto& [path, writes] : unsynced) {
    if (!std::filesystem::exists(path)) continue;
    if (path.string().ends_with("-shm")) continue;
    std::string content = memmatch::read_file(path);
    for (auto write = writes.rbegin(); write != writes.rend(); ++write) undo(content, *write);
    for (const Write& write : writes) {
      if (random() % 2 == 0) put(content, write);
    }
    overwrite(path, content);
  }
  unsynced.clear();
}

// --- Memory ---

namespace {

struct Shortage {
  int left = 0;  // allocations until the one that fails; 0: none does
  bool stays = false;
  bool fired = false;
};
thread_local Shortage t_shortage;
sqlite3_mem_methods g_real_memory;

bool memory_fails() {
  Shortage& shortage = t_shortage;
  if (shortage.fired && shortage.stays) return true;
  if (shortage.left == 0 || --shortage.left > 0) return false;
  shortage.fired = true;
  return true;
}

void* allocate(int size) { return memory_fails() ? nullptr : g_real_memory.xMalloc(size); }
void* reallocate(void* memory, int size) {
  return memory_fails() ? nullptr : g_real_memory.xRealloc(memory, size);
}

// SQLite asks for it once, before anything else of it is used.
const bool kInstalled = [] {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &g_real_memory);
  sqlite3_mem_methods methods = g_real_memory;
  methods.xMalloc = allocate;
  methods.xRealloc = reallocate;
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK;
}();

}  // namespace

FaultyMemory::FaultyMemory(int n, bool stays) {
  if (!kInstalled) throw std::logic_error("SQLite's memory could not be taken over");
  t_shortage = {n, stays, false};
}

FaultyMemory::~FaultyMemory() { t_shortage = {}; }

bool FaultyMemory::fired() const { return t_shortage.fired; }

}  // namespace memmatch::test
