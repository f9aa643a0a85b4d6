#pragma once

#include <vector>

#include "engine/crew.h"
#include "engine/hand.h"

namespace memmatch::engine {

// Who works at a group: one worker alone, or a crew whose leader it is.
class Team {
 public:
  explicit Team(Hand& alone) : hands_{&alone} {}
  Team(Crew& crew, std::vector<Hand*> hands) : crew_(&crew), hands_(std::move(hands)) {}

  std::int64_t size() const { return static_cast<std::int64_t>(hands_.size()); }
  bool is_alone() const { return size() == 1; }
  Hand& leader() { return *hands_.front(); }

  // f(hand, item) for every item below `count`.
  template <typename F>
  void each(std::int64_t count, F&& f) {
    if (is_alone() || count == 1) {
      for (std::int64_t i = 0; i < count; ++i) f(leader(), i);
      return;
    }
    auto call = [&](std::size_t hand, std::int64_t item) { f(*hands_[hand], item); };
    crew_->each(count, call);
  }

  // f(hand, first, last) for ranges that make up the `count` rows. For few rows, a step of the crew
  // would cost more than it saves.
  template <typename F>
  void rows(std::int64_t count, F&& f) {
    if (is_alone() || count < kFewRows) return f(leader(), std::int64_t{0}, count);
    each(size(), [&](Hand& hand, std::int64_t part) {
      f(hand, count * part / size(), count * (part + 1) / size());
    });
  }

  // f(hand, first, count) for ranges that make up the columns of a layer that can be split.
  template <typename F>
  void columns(const PackedLinear& linear, F&& f) {
    const std::int64_t block = linear.column_block;
    const std::int64_t blocks = (linear.shape.out + block - 1) / block;
    const std::int64_t parts = std::min(blocks, size());
    each(parts, [&](Hand& hand, std::int64_t part) {
      const std::int64_t first = blocks * part / parts * block;
      const std::int64_t last = std::min(linear.shape.out, blocks * (part + 1) / parts * block);
      f(hand, first, last - first);
    });
  }

 private:
  static constexpr std::int64_t kFewRows = 48;

  Crew* crew_ = nullptr;
  std::vector<Hand*> hands_;
};

}  // namespace memmatch::engine
