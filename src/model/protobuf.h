#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// Protobuf's wire format, as far as reading ONNX takes it: a message is a row of fields, each a
// number, a type and a value. See https://protobuf.dev/programming-guides/encoding. What it is
// given may be anything: it never looks beyond the bytes, and calls nothing of itself, however deep
// messages are nested in each other.

namespace memmatch {

// Bytes of a file.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
};

// Goes through the fields of a message:
//   while (reader.next()) if (reader.field() == 8) name = reader.text();
// Everything throws Error(corrupt), naming `where` and the byte, for what is no such message, and
// for a value of another type than the one asked for.
class ProtoReader {
 public:
  // The message that a whole file is. The file and `where` must outlive the reader.
  ProtoReader(std::span<const std::byte> file, std::string_view where)
      : file_(file), where_(where), end_(file.size()) {}

  // Goes on to the next field; false at the message's end.
  bool next();

  std::uint64_t field() const { return field_; }

  std::uint64_t integer() const;
  ByteRange bytes() const;
  std::string_view text() const;  // UTF-8; it points into the file
  ProtoReader message() const;

  // A field that may come any number of times, with one integer or many: appends what it has.
  void append_integers(std::vector<std::uint64_t>& values) const;

 private:
  enum class Wire { varint, fixed, bytes };

  std::uint64_t read_varint();
  void take(Wire wire, std::uint64_t size);
  void require(Wire wire, const char* what) const;
  [[noreturn]] void fail(std::string_view message) const;

  std::span<const std::byte> file_;
  std::string_view where_;
  std::uint64_t position_ = 0;
  std::uint64_t end_ = 0;

  // The field at hand.
  std::uint64_t start_ = 0;
  std::uint64_t field_ = 0;
  Wire wire_ = Wire::varint;
  std::uint64_t integer_ = 0;
  ByteRange bytes_;
};

}  // namespace memmatch
