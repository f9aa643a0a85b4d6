#include "train/event_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>

#include "memmatch/error.h"

// The file is a sequence of TFRecords, each holding a message `Event` of TensorFlow's event.proto:
//
//   Event      wall_time = 1 (double), step = 2, file_version = 3 (string), summary = 5,
//              session_log = 7
//   Summary    value = 1 (repeated)        Value  tag = 1 (string), simple_value = 2 (float)
//   SessionLog status = 1 (START is 1)
//
// These few fields are written by hand: the protobuf library would be a dependency for them alone.

namespace memmatch::train {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ (value & 1 ? 0x82F63B78u : 0u);
    table[i] = value;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kCrcTable = make_crc_table();

// TFRecords store checksums so, lest a checksum of data with checksums be degenerate.
std::uint32_t masked_crc32c(std::string_view data) {
  return std::rotr(crc32c(data), 15) + 0xA282EAD8u;
}

template <typename T>
void append_little_endian(std::string& bytes, T value) {
  for (std::size_t i = 0; i < sizeof value; ++i)
    bytes.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

void append_varint(std::string& message, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) message.push_back(static_cast<char>(value | 0x80));
  message.push_back(static_cast<char>(value));
}

void append_key(std::string& message, std::uint32_t field, Wire wire) {
  append_varint(message, field << 3 | static_cast<std::uint32_t>(wire));
}

void append_varint_field(std::string& message, std::uint32_t field, std::uint64_t value) {
  append_key(message, field, Wire::varint);
  append_varint(message, value);
}

void append_double_field(std::string& message, std::uint32_t field, double value) {
  append_key(message, field, Wire::fixed64);
  append_little_endian(message, std::bit_cast<std::uint64_t>(value));
}

void append_float_field(std::string& message, std::uint32_t field, float value) {
  append_key(message, field, Wire::fixed32);
  append_little_endian(message, std::bit_cast<std::uint32_t>(value));
}

// Strings and messages within messages.
void append_bytes_field(std::string& message, std::uint32_t field, std::string_view value) {
  append_key(message, field, Wire::bytes);
  append_varint(message, value.size());
  message.append(value);
}

std::string event(double wall_time, std::uint64_t step) {
  std::string message;
  append_double_field(message, 1, wall_time);
  append_varint_field(message, 2, step);
  return message;
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  return name.data();
}

}  // namespace

std::uint32_t crc32c(std::string_view data) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char byte : data)
    crc = crc >> 8 ^ kCrcTable[(crc ^ static_cast<std::uint8_t>(byte)) & 0xFF];
  return ~crc;
}

EventFile::EventFile(const std::filesystem::path& folder, std::uint64_t first_step) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    throw Error(ErrorKind::io,
                fmt::format("{}: cannot make the folder: {}", folder.string(), failed.message()));
  }
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  // The number keeps files of the same second apart, and in order.
  for (int number = 0; !file_; ++number) {
    path_ = folder / fmt::format("events.out.tfevents.{:010.0f}.{}.{:03}", std::floor(now),
                                 host_name(), number);
    file_.reset(std::fopen(path_.c_str(), "wbx"));
    if (!file_ && errno != EEXIST) fail("make");
  }
  std::string version = event(now, first_step);
  append_bytes_field(version, 3, "brain.Event:2");
  write_record(version);
  std::string start;
  append_varint_field(start, 1, 1);
  std::string session = event(now, first_step);
  append_bytes_field(session, 7, start);
  write_record(session);
  flush();
}

void EventFile::add(std::uint64_t step, double wall_time, std::span<const Scalar> scalars) {
  std::string summary;
  for (const Scalar& scalar : scalars) {
    std::string value;
    append_bytes_field(value, 1, scalar.name);
    append_float_field(value, 2, static_cast<float>(scalar.value));
    append_bytes_field(summary, 1, value);
  }
  std::string message = event(wall_time, step);
  append_bytes_field(message, 5, summary);
  write_record(message);
}

void EventFile::flush() {
  if (std::fflush(file_.get()) != 0) fail("write");
}

void EventFile::write_record(std::string_view data) {
  std::string record;
  append_little_endian(record, std::uint64_t{data.size()});
  append_little_endian(record, masked_crc32c(record));
  record.append(data);
  append_little_endian(record, masked_crc32c(data));
  if (std::fwrite(record.data(), 1, record.size(), file_.get()) != record.size()) fail("write");
}

void EventFile::fail(const char* what) const {
  throw Error(ErrorKind::io,
              fmt::format("{}: cannot {}: {}", path_.string(), what, std::strerror(errno)));
}

}  // namespace memmatch::train
