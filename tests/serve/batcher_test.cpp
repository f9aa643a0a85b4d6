#include "serve/batcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "memmatch/error.h"
#include "serve/http.h"

namespace memmatch::serve {
namespace {

// A batcher whose search only notes what it was asked for. Nothing is worked on before start().
class BatcherTest : public testing::Test {
 protected:
  ~BatcherTest() override { finish(); }

  void start() {
    thread_ = std::thread([this] {
      batcher_.run([this](std::span<const std::string> claims, const SearchOptions&) {
        batches_.emplace_back(claims.begin(), claims.end());
        std::vector<Verdict> verdicts;
        for (const std::string& claim : claims) {
          if (claim == "bad") throw Error(ErrorKind::invalid_argument, "a bad claim");
          verdicts.emplace_back().claim = claim;
        }
        return verdicts;
      });
    });
  }
  void finish() {
    batcher_.close();
    if (thread_.joinable()) thread_.join();
  }

  bool verify(std::vector<std::string> claims, int k1 = 100) {
    return batcher_.verify(
        std::move(claims), {.k1 = k1},
        [this](std::vector<Verdict> verdicts) {
          std::string all;
          for (const Verdict& verdict : verdicts) all += verdict.claim + " ";
          events_.push_back(all);
        },
        [this](const std::exception_ptr&) { events_.push_back("failed"); });
  }

  Batcher batcher_{{.most_waiting = 10, .company = std::chrono::microseconds(0)}};
  std::thread thread_;
  std::vector<std::vector<std::string>> batches_;
  std::vector<std::string> events_;
};

using StepResult = Batcher::StepResult;
using Batches = std::vector<std::vector<std::string>>;

TEST_F(BatcherTest, ClaimsOfTheSameSearchGoTogetherOneOfEachInTurn) {
  verify({"a1", "a2", "a3", "a4", "a5"});
  verify({"b1"});
  verify({"other"}, 50);
  verify({"c1"});
  start();
  finish();
  // Four of k1 = 100 fit; those who have more to come go to the end of the line.
  EXPECT_EQ(batches_, (Batches{{"a1", "b1", "c1", "a2"}, {"other"}, {"a3", "a4", "a5"}}));
  EXPECT_EQ(events_, (std::vector<std::string>{"b1 ", "c1 ", "other ", "a1 a2 a3 a4 a5 "}));
}

TEST_F(BatcherTest, WhatDoesNotFitIsRefusedAtOnce) {
  EXPECT_TRUE(verify({"1", "2", "3", "4", "5", "6"}));
  EXPECT_FALSE(verify({"7", "8", "9", "10", "11"}));
  EXPECT_TRUE(verify({"7", "8", "9", "10"}));
  EXPECT_FALSE(batcher_.work(
      1, [] { return StepResult::done; }, [](const std::exception_ptr&) {}));
  EXPECT_EQ(batcher_.figures().waiting, 10u);
  EXPECT_EQ(batcher_.figures().refused, 2u);
  start();
  finish();
  EXPECT_EQ(batcher_.figures().waiting, 0u);
  EXPECT_EQ(batcher_.figures().claims, 10u);
}

TEST_F(BatcherTest, WideSearchesWeighMore) {
  EXPECT_TRUE(verify({"a", "b"}, 300));
  EXPECT_EQ(batcher_.figures().waiting, 6u);
  EXPECT_FALSE(verify({"c"}, 500));
  EXPECT_TRUE(verify({"c"}, 400));
  start();
  finish();
  EXPECT_EQ(batcher_.figures().waiting, 0u);
}

TEST_F(BatcherTest, ALargeRequestIsTakenWhereNobodyWaits) {
  EXPECT_TRUE(verify(std::vector<std::string>(50, "x")));
  EXPECT_FALSE(verify({"y"}));
  start();
  finish();
  EXPECT_EQ(batcher_.figures().claims, 50u);
}

TEST_F(BatcherTest, ABadClaimSpoilsOnlyItsOwnRequest) {
  verify({"a"});
  verify({"bad", "never", "never", "never", "never"});
  verify({"c"});
  start();
  finish();
  EXPECT_EQ(events_, (std::vector<std::string>{"failed", "a ", "c "}));
  EXPECT_EQ(batcher_.figures().waiting, 0u);
}

TEST_F(BatcherTest, LongWorkTakesTurnsWithOthers) {
  int steps = 0;
  batcher_.work(
      1,
      [&] {
        events_.push_back("step");
        return ++steps == 3 ? StepResult::done : StepResult::more;
      },
      [](const std::exception_ptr&) {});
  verify({"a"});
  batcher_.work(
      1, []() -> StepResult { throw Error(ErrorKind::not_found, "nothing"); },
      [&](const std::exception_ptr&) { events_.push_back("failed"); });
  start();
  finish();
  EXPECT_EQ(events_, (std::vector<std::string>{"step", "a ", "failed", "step", "step"}));
}

TEST_F(BatcherTest, WhatWasAcceptedIsAnsweredAfterClosing) {
  verify({"a"});
  batcher_.close();
  EXPECT_FALSE(verify({"late"}));
  start();
  finish();
  EXPECT_EQ(events_, (std::vector<std::string>{"a "}));
}

TEST_F(BatcherTest, NobodyWaitsForWhatIsBlocked) {
  int tries = 0;
  batcher_.work(
      1,
      [&] {
        events_.push_back("try");
        return ++tries == 3 ? StepResult::done : StepResult::blocked;
      },
      [](const std::exception_ptr&) {});
  verify({"a"});
  verify({"b"}, 50);
  start();
  finish();
  EXPECT_EQ(events_, (std::vector<std::string>{"try", "a ", "b ", "try", "try"}));
  EXPECT_EQ(batcher_.figures().waiting, 0u);
}

TEST_F(BatcherTest, AtTheDeadlineWhatIsWaitingIsToldSo) {
  std::vector<int> statuses;
  const auto failed = [&](const std::exception_ptr& error) {
    try {
      std::rethrow_exception(error);
    } catch (const RequestError& refused) {
      statuses.push_back(refused.status);
    }
  };
  // Without an end of their own: a step after the other, and one that is always blocked.
  batcher_.work(
      1, [] { return StepResult::more; }, failed);
  batcher_.work(
      1, [] { return StepResult::blocked; }, failed);
  start();
  batcher_.close(Batcher::Clock::now() + std::chrono::milliseconds(50));
  batcher_.close();  // does not take the deadline back
  thread_.join();
  EXPECT_EQ(statuses, (std::vector<int>{503, 503}));
  EXPECT_EQ(batcher_.figures().waiting, 0u);
}

TEST(Batcher, ALoneClaimWaitsForCompany) {
  Batcher batcher({.most_waiting = 10, .company = std::chrono::seconds(60)});
  std::atomic<std::size_t> largest = 0;
  std::promise<void> answered;
  std::thread thread([&] {
    batcher.run([&](std::span<const std::string> claims, const SearchOptions&) {
      largest = std::max(largest.load(), claims.size());
      return std::vector<Verdict>(claims.size());
    });
  });
  const auto verify = [&](Batcher::Done done) {
    batcher.verify({"a"}, {.k1 = 200}, std::move(done), [](const std::exception_ptr&) {});
  };
  verify([](const std::vector<Verdict>&) {});
  verify([&](const std::vector<Verdict>&) { answered.set_value(); });  // two of k1 = 200 are full
  answered.get_future().get();
  EXPECT_EQ(largest, 2u);
  batcher.close();
  thread.join();
}

}  // namespace
}  // namespace memmatch::serve
