#include "engine/crew.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <vector>

namespace memmatch::engine {
namespace {

// A leader, and helpers for as long as this lives.
class Helpers {
 public:
  Helpers(Crew& crew, std::size_t count) : crew_(crew) {
    crew_.open();
    for (std::size_t i = 1; i <= count; ++i) threads_.emplace_back([&, i] { crew_.help(i); });
  }
  ~Helpers() {
    crew_.close();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  Crew& crew_;
  std::vector<std::thread> threads_;
};

// Each step reads what the one before wrote, so that a step that began too early would show.
void expect_every_item_once(Crew& crew) {
  constexpr std::int64_t kItems = 5;
  std::vector<int> counts(kItems, 0);
  for (int step = 0; step < 2000; ++step) {
    std::vector<int> next(kItems, 0);
    auto item = [&](std::size_t, std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      next[at] += counts[(at + 1) % kItems] + 1;
    };
    crew.each(kItems, item);
    counts = next;
  }
  EXPECT_EQ(counts, std::vector<int>(kItems, 2000));
}

TEST(CrewTest, ALeaderAloneDoesEverything) {
  Crew crew;
  expect_every_item_once(crew);
}

TEST(CrewTest, EveryItemOfEveryStepIsDoneOnceAndInTime) {
  for (const std::size_t helpers : {1u, 2u, 4u}) {
    Crew crew;
    const Helpers present(crew, helpers);
    expect_every_item_once(crew);
  }
}

TEST(CrewTest, WhatAnItemThrowsReachesTheLeaderAndTheCrewGoesOn) {
  Crew crew;
  const Helpers present(crew, 2);
  for (int i = 0; i < 100; ++i) {
    auto bad = [](std::size_t, std::int64_t item) {
      if (item == 3) throw std::runtime_error("three");
    };
    EXPECT_THROW(crew.each(6, bad), std::runtime_error);
  }
  expect_every_item_once(crew);
}

}  // namespace
}  // namespace memmatch::engine
