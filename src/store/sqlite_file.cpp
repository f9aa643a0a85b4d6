#include "store/sqlite_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/files.h"
#include "base/rename.h"
#include "memmatch/error.h"

namespace memmatch::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSqliteMagic("SQLite format 3\0", 16);

[[noreturn]] void fail(ErrorKind kind, const fs::path& file, std::string_view message) {
  throw Error(kind, fmt::format("{}: {}", file.string(), message));
}

std::uint32_t big_endian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i)
    value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

// The first bytes of the file, at most 100. Through SQLite and not by a stream of our own: closing
// any descriptor of a file takes away all locks that the process has on it (POSIX), also those of
// other connections to it. Another process that ends would then take itself for the last one, and
// remove the log that these connections go on writing to.
std::string read_header(const fs::path& file) {
  Connection connection(fs::absolute(file).string(), SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                        file.string());
  sqlite3_file* handle = nullptr;
  sqlite3_file_control(connection.get(), "main", SQLITE_FCNTL_FILE_POINTER, &handle);
  std::string header(std::min<std::uint64_t>(100, size_or_zero(file)), '\0');
  const int code =
      handle->pMethods->xRead(handle, header.data(), static_cast<int>(header.size()), 0);
  if (code != SQLITE_OK) connection.fail(code, "read its header");
  return header;
}

// Looks at the first bytes of the file, since SQLite is silent about some kinds of damage until it
// meets them: it takes an empty file for an empty database, and a cut one for a whole one.
void check_header(const fs::path& file, const FileKind& kind) {
  std::string header = read_header(file);
  if (header.empty())
    fail(ErrorKind::corrupt, file, fmt::format("is empty, not a memmatch {}", kind.name));
  if (!header.starts_with(kSqliteMagic.substr(0, header.size()))) {
    fail(ErrorKind::corrupt, file,
         fmt::format("is not a memmatch {} (it is no SQLite file)", kind.name));
  }
  // A write-ahead log may hold pages that the file does not have yet.
  const bool has_log = size_or_zero(file.string() + "-wal") > 0;
  const bool whole = header.size() == 100;
  header.resize(100);
  const std::uint32_t stored = big_endian(header, 16, 2);
  const std::uint64_t page_size = stored == 1 ? 65536 : stored;
  const std::uint64_t expected = page_size * big_endian(header, 28, 4);
  const std::uint64_t size = size_or_zero(file);
  if (!whole || (!has_log && size < expected)) {
    fail(ErrorKind::corrupt, file,
         fmt::format("is truncated: {} of {} bytes are there; restore a copy, or {}", size,
                     expected, kind.recovery));
  }
}

void check_identity(Connection& connection, const fs::path& file, const FileKind& kind) {
  if (connection.query_integer("PRAGMA application_id") != kind.application_id) {
    fail(ErrorKind::corrupt, file,
         fmt::format("is a SQLite file, but not a memmatch {}", kind.name));
  }
  const std::int64_t version = connection.query_integer("PRAGMA user_version");
  if (version > kind.version) {
    fail(ErrorKind::unsupported, file,
         fmt::format("has {} format {}, written by a newer memmatch; this one reads up to {}",
                     kind.name, version, kind.version));
  }
  if (version < 1) fail(ErrorKind::corrupt, file, "is damaged: it has no format version");
  if (const std::string difference = schema_difference(connection, kind); !difference.empty()) {
    fail(ErrorKind::corrupt, file, fmt::format("is damaged: {}", difference));
  }
}

// SQLite would say of all of this that it is "unable to open database file".
void check_folder_of_new(const fs::path& file, const FileKind& kind) {
  const fs::path folder = absolute_path(file).parent_path();
  if (!is_folder(folder)) {
    fail(ErrorKind::not_found, file,
         fmt::format("the {} cannot be made: {} is no folder", kind.name, folder.string()));
  }
  if (::access(folder.c_str(), W_OK) != 0) throw_io_error(file, "make it", errno);
  // SQLite would take it for the log of the new file. A file is made before its log, so that one
  // that another process has just made is there by now.
  const fs::path log = file.string() + "-wal";
  if (path_exists(log) && !path_exists(file)) {
    fail(
        ErrorKind::conflict, log,
        fmt::format("is what was left of a {} that is gone; remove it, then try again", kind.name));
  }
}

// Builds the empty file under another name and renames it, so that nobody ever sees half of one.
// Where another process was quicker, its file is as good as ours.
void create_file(const fs::path& file, const FileKind& kind) {
  check_folder_of_new(file, kind);
  static std::atomic<int> count = 0;  // threads share the process id
  const fs::path temporary = fmt::format("{}.new-{}-{}", file.string(), ::getpid(), ++count);
  struct Remover {
    const fs::path& path;
    ~Remover() {
      std::error_code ignored;
      for (const char* ending : {"", "-journal", "-wal", "-shm"})
        fs::remove(path.string() + ending, ignored);
    }
  } remover{temporary};
  remove_file(temporary);
  {
    Connection connection(temporary.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                          file.string());
    Transaction transaction(connection, Transaction::Kind::write);
    for (const std::string_view statement : kind.schema) connection.execute(std::string(statement));
    connection.execute(fmt::format("PRAGMA application_id = {}", kind.application_id));
    connection.execute(fmt::format("PRAGMA user_version = {}", kind.version));
    transaction.commit();
    connection.execute("PRAGMA journal_mode = WAL");
  }
  if (!rename_to_new(temporary, file) && errno != EEXIST) throw_io_error(file, "make it", errno);
}

bool is_on_read_only_file_system(const fs::path& file) {
  struct statvfs info {};
  return ::statvfs(file.c_str(), &info) == 0 && (info.f_flag & ST_RDONLY) != 0;
}

// An immutable file is read without a lock, and without the files beside it that readers and
// writers share.
std::string uri_of(const fs::path& file, bool immutable) {
  std::string uri = "file:";
  for (const char c : absolute_path(file).string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '/' || c == '-' || c == '_' || c == '.';
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<std::uint8_t>(c));
  }
  return immutable ? uri + "?immutable=1" : uri;
}

// Whether readers and writers share two files beside this one, and not just locks on it.
bool has_write_ahead_log(const fs::path& file) { return big_endian(read_header(file), 19, 1) == 2; }

// Without the right to write, a reader depends on files that others have made.
void check_readable_as_it_is(const fs::path& file, const fs::path& folder) {
  if (!has_write_ahead_log(file)) return;
  if (path_exists(file.string() + "-shm") || ::access(folder.c_str(), W_OK) == 0) return;
  fail(ErrorKind::io, file,
       "cannot be read without the right to write to its folder, unless somebody who has it uses "
       "the file, for they share two files beside it; grant that right, copy the file to a folder "
       "of your own, or put it on a read-only file system");
}

std::unique_ptr<Connection> connect(const fs::path& file, const OpenOptions& options) {
  const fs::path folder = absolute_path(file).parent_path();
  const bool writable = ::access(file.c_str(), W_OK) == 0 && ::access(folder.c_str(), W_OK) == 0;
  const bool fixed = is_on_read_only_file_system(file);
  if (!writable && options.access != Datastore::Access::read) {
    fail(ErrorKind::io, file,
         fmt::format("cannot be changed: the {}; verbs that only read it take --read-only",
                     fixed ? "file system is read-only" : "file or its folder is not writable"));
  }
  // Nobody can write to a read-only file system, while here somebody else may. A log that was left
  // behind holds a part of the content, and must be read.
  const bool immutable = fixed && size_or_zero(file.string() + "-wal") == 0;
  if (!writable && !immutable) check_readable_as_it_is(file, folder);
  // Also for reading the file is opened writable where it can be: after a crash the first to come
  // has to recover the log.
  const int mode = writable ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  auto connection = std::make_unique<Connection>(
      uri_of(file, immutable), mode | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, file.string());
  connection->set_patience(options.patience);
  return connection;
}

void configure(Connection& connection, const OpenOptions& options) {
  connection.execute(
      "PRAGMA synchronous = FULL");  // an edit that was confirmed survives a power cut
  connection.set_cache(kCacheMiB);
  connection.execute("PRAGMA cell_size_check = ON");
  if (options.access == Datastore::Access::read) connection.execute("PRAGMA query_only = ON");
}

}  // namespace

std::string schema_difference(Connection& connection, const FileKind& kind) {
  const bool is_older = connection.query_integer("PRAGMA user_version") < kind.version;
  const std::span<const std::string_view> schema =
      kind.schema.first(kind.schema.size() - (is_older ? kind.new_statements : 0));
  std::vector<bool> found(schema.size());
  Statement rows(connection, "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
  while (rows.step()) {
    const std::string_view name = rows.text(0);
    if (name == "sqlite_sequence") continue;  // SQLite's own, for AUTOINCREMENT
    if (std::find(kind.hidden.begin(), kind.hidden.end(), name) != kind.hidden.end()) continue;
    const auto statement = std::find(schema.begin(), schema.end(), rows.text(1));
    if (statement == schema.end())
      return fmt::format("'{}' is not part of a memmatch {}", name, kind.name);
    found[static_cast<std::size_t>(statement - schema.begin())] = true;
  }
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (!found[i]) return fmt::format("this is missing: {}", schema[i]);
  }
  return {};
}

std::unique_ptr<Connection> open_sqlite_file(const fs::path& file, const OpenOptions& options,
                                             const FileKind& kind) {
  if (!path_exists(file)) {
    if (options.access != Datastore::Access::create) {
      fail(ErrorKind::not_found, file,
           fmt::format("there is no such {}; {}", kind.name, kind.made_by));
    }
    create_file(file, kind);
  }
  if (is_folder(file))
    fail(ErrorKind::invalid_argument, file,
         fmt::format("is a folder, not a memmatch {}", kind.name));
  check_header(file, kind);
  std::unique_ptr<Connection> connection = connect(file, options);
  check_identity(*connection, file, kind);
  configure(*connection, options);
  return connection;
}

}  // namespace memmatch::store
