#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memmatch::text {

// An immutable set of pieces numbered from 0, looked up by text in constant time.
class Vocabulary {
 public:
  // `pieces[i]` gets the id i. Throws Error(corrupt) when a piece occurs twice.
  explicit Vocabulary(std::vector<std::string> pieces);

  std::optional<std::int32_t> find(std::string_view piece) const;
  const std::string& piece(std::int32_t id) const {
    return pieces_.at(static_cast<std::size_t>(id));
  }
  std::int32_t size() const { return static_cast<std::int32_t>(pieces_.size()); }

 private:
  std::size_t slot_of(std::string_view piece) const;

  std::vector<std::string> pieces_;
  std::vector<std::int32_t> slots_;  // open addressing with linear probing; -1 is free
};

}  // namespace memmatch::text
