#include "faulty_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace memmatch::test {
namespace {

struct Fault {
  bool armed;
  Call call;
  int before;  // calls that still go well
  bool stays;
  bool fired;
};

thread_local Fault fault{};

bool fails(Call call) {
  if (!fault.armed || fault.call != call) return false;
  if (fault.before > 0) {
    --fault.before;
    return false;
  }
  if (fault.fired && !fault.stays) return false;
  fault.fired = true;
  errno = call == Call::write ? ENOSPC : EIO;
  return true;
}

// The function that this file hides.
template <typename Function>
Function* hidden(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void* allocate(std::size_t size, std::size_t alignment) {
  void* p = nullptr;
  if (fails(Call::memory) ||
      posix_memalign(&p, alignment < sizeof(void*) ? sizeof(void*) : alignment, size) != 0)
    throw std::bad_alloc();
  return p;
}

}  // namespace

FaultyCalls::FaultyCalls(Call call, int n, bool stays) {
  fault = {true, call, n - 1, stays, false};
}
FaultyCalls::~FaultyCalls() { fault.armed = false; }
bool FaultyCalls::fired() const { return fault.fired; }

}  // namespace memmatch::test

using memmatch::test::allocate;
using memmatch::test::Call;
using memmatch::test::fails;
using memmatch::test::hidden;

extern "C" {

int stat(const char* path, struct stat* status) noexcept {
  static const auto next = hidden<int(const char*, struct stat*)>("stat");
  return fails(Call::look) ? -1 : next(path, status);
}

int fstat(int file, struct stat* status) noexcept {
  static const auto next = hidden<int(int, struct stat*)>("fstat");
  return fails(Call::look) ? -1 : next(file, status);
}

int open(const char* path, int flags, ...) {
  static const auto next = hidden<int(const char*, int, ...)>("open");
  std::va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return fails(Call::open) ? -1 : next(path, flags, mode);
}

std::FILE* fopen(const char* path, const char* mode) {
  static const auto next = hidden<std::FILE*(const char*, const char*)>("fopen");
  return fails(Call::open) ? nullptr : next(path, mode);
}

int mkdir(const char* path, mode_t mode) noexcept {
  static const auto next = hidden<int(const char*, mode_t)>("mkdir");
  return fails(Call::open) ? -1 : next(path, mode);
}

std::size_t fread(void* to, std::size_t size, std::size_t count, std::FILE* file) {
  static const auto next =
      hidden<std::size_t(void*, std::size_t, std::size_t, std::FILE*)>("fread");
  if (!fails(Call::read)) return next(to, size, count, file);
  file->_flags |= _IO_ERR_SEEN;  // what ferror() asks for
  return 0;
}

void* mmap(void* at, std::size_t size, int access, int flags, int file, off_t offset) noexcept {
  static const auto next = hidden<void*(void*, std::size_t, int, int, int, off_t)>("mmap");
  return fails(Call::map) ? MAP_FAILED : next(at, size, access, flags, file, offset);
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  static const auto next = hidden<ssize_t(int, const void*, std::size_t)>("write");
  return fails(Call::write) ? -1 : next(file, bytes, size);
}

int fsync(int file) {
  static const auto next = hidden<int(int)>("fsync");
  return fails(Call::sync) ? -1 : next(file);
}

int rename(const char* from, const char* to) noexcept {
  static const auto next = hidden<int(const char*, const char*)>("rename");
  return fails(Call::rename) ? -1 : next(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned flags) noexcept {
  static const auto next = hidden<int(int, const char*, int, const char*, unsigned)>("renameat2");
  return fails(Call::rename) ? -1 : next(from_folder, from, to_folder, to, flags);
}

}  // extern "C"

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t a) { return allocate(size, std::size_t(a)); }
void* operator new[](std::size_t size, std::align_val_t a) {
  return allocate(size, std::size_t(a));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
