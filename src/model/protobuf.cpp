#include "model/protobuf.h"

#include <fmt/format.h>
#include <simdjson.h>

#include "memmatch/error.h"

namespace memmatch {
namespace {

constexpr std::uint64_t kLargestField = (1u << 29) - 1;

}  // namespace

bool ProtoReader::next() {
  if (position_ == end_) return false;
  start_ = position_;
  const std::uint64_t key = read_varint();
  field_ = key >> 3;
  if (field_ == 0 || field_ > kLargestField)
    fail(fmt::format("no field has the number {}", field_));
  switch (key & 7) {
    case 0:
      wire_ = Wire::varint;
      integer_ = read_varint();
      break;
    case 1:
      take(Wire::fixed, 8);
      break;
    case 2:
      take(Wire::bytes, read_varint());
      break;
    case 5:
      take(Wire::fixed, 4);
      break;
    default:
      fail(fmt::format("field {} has the type {}, which is not read", field_, key & 7));
  }
  return true;
}

std::uint64_t ProtoReader::integer() const {
  require(Wire::varint, "an integer");
  return integer_;
}

ByteRange ProtoReader::bytes() const {
  require(Wire::bytes, "bytes");
  return bytes_;
}

std::string_view ProtoReader::text() const {
  require(Wire::bytes, "a text");
  const std::string_view text(reinterpret_cast<const char*>(file_.data()) + bytes_.begin,
                              bytes_.size());
  if (!simdjson::validate_utf8(text.data(), text.size()))
    fail(fmt::format("field {} is not UTF-8", field_));
  return text;
}

ProtoReader ProtoReader::message() const {
  require(Wire::bytes, "a message");
  ProtoReader inner(file_, where_);
  inner.position_ = bytes_.begin;
  inner.end_ = bytes_.end;
  return inner;
}

void ProtoReader::append_integers(std::vector<std::uint64_t>& values) const {
  if (wire_ == Wire::varint) {
    values.push_back(integer_);
    return;
  }
  ProtoReader packed = message();
  packed.start_ = start_;
  while (packed.position_ < packed.end_) values.push_back(packed.read_varint());
}

std::uint64_t ProtoReader::read_varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (position_ == end_) fail("truncated: an integer breaks off");
    const auto byte = static_cast<std::uint64_t>(file_[position_++]);
    if (shift == 63 && byte > 1) break;
    value |= (byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  fail("an integer has more than 64 bits");
}

void ProtoReader::take(Wire wire, std::uint64_t size) {
  if (size > end_ - position_) {
    fail(fmt::format("truncated: field {} should have {} bytes, there are {}", field_, size,
                     end_ - position_));
  }
  wire_ = wire;
  bytes_ = {position_, position_ + size};
  position_ += size;
}

void ProtoReader::require(Wire wire, const char* what) const {
  if (wire_ != wire) fail(fmt::format("field {} is not {}", field_, what));
}

void ProtoReader::fail(std::string_view message) const {
  throw Error(ErrorKind::corrupt,
              fmt::format("{}: not an ONNX file, or a damaged one: {} (at byte {})", where_,
                          message, start_));
}

}  // namespace memmatch
