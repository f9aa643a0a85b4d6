#include "base/zstd_frames.h"

#include <algorithm>

namespace memmatch {
namespace {

constexpr std::uint32_t kSkippableMagic = 0x184D2A50;  // its last four bits are free
constexpr std::uint32_t kRepeatedByte = 1;             // a block that is one byte, repeated
constexpr std::uint32_t kChecksumBytes = 4;

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

// What follows a frame's descriptor: window, dictionary id and the size of the content.
std::uint32_t rest_of_header(std::uint32_t descriptor) {
  const std::uint32_t single_segment = descriptor >> 5 & 1;
  const std::uint32_t content_code = descriptor >> 6 & 3;
  const std::uint32_t dictionary_code = descriptor & 3;
  const std::uint32_t window = 1 - single_segment;
  const std::uint32_t dictionary = dictionary_code == 3 ? 4 : dictionary_code;
  const std::uint32_t content = content_code == 0 ? single_segment : 1U << content_code;
  return window + dictionary + content;
}

}  // namespace

void ZstdFrames::take(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto skipped = std::min<std::uint64_t>(skip_, bytes.size());
    skip_ -= skipped;
    bytes.remove_prefix(static_cast<std::size_t>(skipped));
    const std::string_view some = bytes.substr(0, size_of_next() - head_.size());
    head_ += some;
    bytes.remove_prefix(some.size());
    if (head_.size() < size_of_next()) continue;
    read_head();
    head_.clear();
  }
}

std::size_t ZstdFrames::size_of_next() const {
  switch (next_) {
    case Part::descriptor:
      return 1;
    case Part::block:
      return 3;
    case Part::magic:
    case Part::skippable_size:
      break;
  }
  return 4;
}

void ZstdFrames::read_head() {
  const std::uint32_t value = little_endian(head_);
  switch (next_) {
    case Part::magic:
      next_ = (value & ~15U) == kSkippableMagic ? Part::skippable_size : Part::descriptor;
      break;
    case Part::skippable_size:
      skip_ = value;
      next_ = Part::magic;
      break;
    case Part::descriptor:
      checksum_ = (value >> 2 & 1) != 0;
      skip_ = rest_of_header(value);
      next_ = Part::block;
      break;
    case Part::block:
      skip_ = (value >> 1 & 3) == kRepeatedByte ? 1 : value >> 3;
      if ((value & 1) == 0) break;  // not the last
      if (checksum_) skip_ += kChecksumBytes;
      next_ = Part::magic;
      break;
  }
}

}  // namespace memmatch
