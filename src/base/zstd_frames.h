#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace memmatch {

// Follows the frames of a zstd stream (RFC 8878) without unpacking them, to know whether the
// stream ends where a frame does. What is no frame at all is the decompressor's to find out.
class ZstdFrames {
 public:
  // The next bytes of the stream, however it is cut into pieces.
  void take(std::string_view bytes);

  bool between_frames() const { return next_ == Part::magic && head_.empty() && skip_ == 0; }

 private:
  // Parts that say how long something is, or what follows.
  enum class Part { magic, skippable_size, descriptor, block };

  std::size_t size_of_next() const;
  void read_head();

  Part next_ = Part::magic;
  std::string head_;        // of the next part, what has come so far
  std::uint64_t skip_ = 0;  // bytes before it that say nothing
  bool checksum_ = false;   // the frame ends in one
};

}  // namespace memmatch
