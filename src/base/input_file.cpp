#include "base/input_file.h"

#include <fmt/format.h>

#include <array>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <new>

#include "base/zstd_frames.h"
#include "memmatch/error.h"

namespace memmatch {
namespace {

namespace io = boost::iostreams;

constexpr std::streamsize kBuffer = std::streamsize{1} << 16;

struct Packing {
  std::string_view name;
  std::string_view ending;
  std::string_view first_bytes;
};

constexpr std::array<Packing, 3> kPackings{{{"gzip", ".gz", "\x1F\x8B"},
                                            {"xz", ".xz", {"\xFD\x37zXZ\0", 6}},
                                            {"zstd", ".zst", "\x28\xB5\x2F\xFD"}}};
constexpr const Packing* kGzip = &kPackings[0];
constexpr const Packing* kXz = &kPackings[1];
constexpr const Packing* kZstd = &kPackings[2];

const Packing* packing_by_name(const std::filesystem::path& file) {
  for (const Packing& packing : kPackings) {
    if (file.extension() == packing.ending) return &packing;
  }
  return nullptr;
}

const Packing* packing_by_content(std::string_view content) {
  for (const Packing& packing : kPackings) {
    if (content.starts_with(packing.first_bytes)) return &packing;
  }
  return nullptr;
}

struct Closer {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

// The file as it is; a source for the filters of Boost.
class PackedBytes {
 public:
  using char_type = char;
  using category = io::source_tag;

  explicit PackedBytes(const std::filesystem::path& path)
      : name_(path == "-" ? "standard input" : path.string()),
        file_(path == "-" ? stdin : std::fopen(path.c_str(), "rb")) {
    if (!file_) fail("open");
    std::array<char, 8> first{};
    first_.assign(first.data(), get(first.data(), first.size()));
    packing_ = packing_by_content(first_);
  }

  const Packing* packing() const { return packing_; }  // none: the file is not packed

  // -1 at the end.
  std::streamsize read(char* to, std::streamsize room) {
    std::size_t n = first_.copy(to, static_cast<std::size_t>(room));
    first_.erase(0, n);
    n += get(to + n, static_cast<std::size_t>(room) - n);
    bytes_read_ += n;
    if (packing_ == kZstd) frames_.take({to, n});
    return n == 0 ? -1 : static_cast<std::streamsize>(n);
  }

  std::uint64_t bytes_read() const { return bytes_read_; }
  const std::string& name() const { return name_; }

  // Boost's filter takes a zstd stream that breaks off for a whole one.
  bool breaks_off() const { return packing_ == kZstd && !frames_.between_frames(); }

 private:
  std::size_t get(char* to, std::size_t room) {
    errno = 0;
    const std::size_t n = std::fread(to, 1, room, file_.get());
    if (n < room && std::ferror(file_.get())) fail("read");
    return n;
  }

  [[noreturn]] void fail(const char* what) const {
    const int code = errno;
    const ErrorKind kind = code == ENOENT ? ErrorKind::not_found : ErrorKind::io;
    throw Error(kind, fmt::format("{}: cannot {}: {}", name_, what, std::strerror(code)));
  }

  std::string name_;
  std::unique_ptr<std::FILE, Closer> file_;
  std::string first_;  // what the packing was told by; it is read all the same
  const Packing* packing_ = nullptr;
  std::uint64_t bytes_read_ = 0;
  ZstdFrames frames_;
};

// Gives how many bytes it put there, -1 at the end.
using Unpack = std::function<std::streamsize(char* to, std::streamsize room)>;

template <typename Filter>
Unpack through(std::shared_ptr<Filter> filter, PackedBytes& bytes) {
  return [filter, &bytes](char* to, std::streamsize room) { return filter->read(bytes, to, room); };
}

Unpack unpacker(PackedBytes& bytes) {
  const Packing* packing = bytes.packing();
  if (packing == kGzip) {
    return through(std::make_shared<io::gzip_decompressor>(io::zlib::default_window_bits, kBuffer),
                   bytes);
  }
  if (packing == kXz) return through(std::make_shared<io::lzma_decompressor>(kBuffer), bytes);
  if (packing == kZstd) return through(std::make_shared<io::zstd_decompressor>(kBuffer), bytes);
  return [&bytes](char* to, std::streamsize room) { return bytes.read(to, room); };
}

}  // namespace

struct InputFile::Impl {
  explicit Impl(const std::filesystem::path& path) : bytes(path), unpack(unpacker(bytes)) {
    const Packing* expected = packing_by_name(path);
    if (expected == nullptr || expected == bytes.packing()) return;
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: the name ends in {}, but this is no {} file; fetch it again, or "
                            "give it the name that fits its content",
                            bytes.name(), expected->ending, expected->name));
  }

  [[noreturn]] void fail_damaged() const {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: the {} data is damaged or cut off; fetch or pack the file again",
                            bytes.name(), bytes.packing()->name));
  }

  std::size_t read(std::span<char> to) {
    if (ended || to.empty()) return 0;
    const std::streamsize n = unpack(to.data(), static_cast<std::streamsize>(to.size()));
    ended = n < 0;
    if (n == 0 || (ended && bytes.breaks_off())) fail_damaged();
    return ended ? 0 : static_cast<std::size_t>(n);
  }

  PackedBytes bytes;
  Unpack unpack;
  bool ended = false;
};

InputFile::InputFile(const std::filesystem::path& path) : impl_(std::make_unique<Impl>(path)) {}
InputFile::InputFile(InputFile&&) noexcept = default;
InputFile& InputFile::operator=(InputFile&&) noexcept = default;
InputFile::~InputFile() = default;

std::size_t InputFile::read(std::span<char> to) {
  try {
    return impl_->read(to);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::io,
                fmt::format("{}: there is not enough memory to unpack it", impl_->bytes.name()));
  } catch (const std::exception&) {  // of Boost's filters, which do not say more
    impl_->fail_damaged();
  }
}

std::uint64_t InputFile::bytes_read() const { return impl_->bytes.bytes_read(); }

const std::string& InputFile::name() const { return impl_->bytes.name(); }

std::filesystem::path unpacked_name(const std::filesystem::path& file) {
  return packing_by_name(file) == nullptr ? file : file.parent_path() / file.stem();
}

}  // namespace memmatch
