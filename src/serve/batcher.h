#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "memmatch/verifier.h"

namespace memmatch::serve {

// The line in front of the engine. Claims of many clients that want the same search go through
// together, a claim of each in turn; everything else (edits, re-ranking, …) takes its turn between
// them, long work in steps. What was accepted is worked on also after close(), for a while.
class Batcher {
 public:
  struct Settings {
    // Claims of k1 = 100, wider ones counting more; a single request may have more where nobody
    // waits.
    std::size_t most_waiting = 128;
    std::chrono::microseconds company{2000};  // how long a lone claim waits for others
  };

  using Clock = std::chrono::steady_clock;

  // What a step of something long has come to: it is finished; more steps are needed; it cannot go
  // on now and is to be tried again after a pause, in which others have their turns.
  enum class StepResult { done, more, blocked };
  using Step = std::function<StepResult()>;
  using Done = std::function<void(std::vector<Verdict>)>;
  using Failed = std::function<void(std::exception_ptr)>;
  using Search =
      std::function<std::vector<Verdict>(std::span<const std::string>, const SearchOptions&)>;

  struct Figures {
    std::size_t waiting = 0;  // the weight of what was accepted and is not finished
    std::uint64_t batches = 0;
    std::uint64_t claims = 0;
    std::uint64_t refused = 0;
    double busy_seconds = 0;
  };

  explicit Batcher(const Settings& settings) : settings_(settings) {}

  // From any thread. False where too many are waiting. `done` or `failed` is called by the thread
  // of run(), once; what `done` throws goes to `failed`.
  bool verify(std::vector<std::string> claims, const SearchOptions& options, Done done,
              Failed failed);

  // The same for other work, which counts for as many claims as its `weight`.
  bool work(std::size_t weight, Step step, Failed failed);

  // Works until close() was called and nothing is waiting, or its deadline has come: then all that
  // is waiting fails with RequestError(503).
  void run(const Search& search);

  // Nothing more is accepted. Called again, only an earlier deadline counts.
  void close(Clock::time_point deadline = Clock::time_point::max());

  Figures figures() const;

  // How long those that are waiting will take, judged by the past; at least 1.
  int seconds_to_wait() const;

 private:
  struct Job {
    std::vector<std::string> claims;  // none: the steps
    SearchOptions options;
    Done done;
    Step step;
    Failed failed;
    std::size_t weight = 1;  // of each claim, or of all steps
    std::size_t taken = 0;   // claims that have gone into batches
    std::vector<Verdict> verdicts;
    Clock::time_point arrived;
    Clock::time_point retry_at;  // of what was blocked
    bool broken = false;

    std::size_t weight_left() const {
      return claims.empty() ? weight : weight * (claims.size() - taken);
    }
  };
  using JobPtr = std::shared_ptr<Job>;
  // A claim's place: its job, and which of its claims it is.
  using Batch = std::vector<std::pair<JobPtr, std::size_t>>;

  bool enqueue(JobPtr job);
  bool wait_for_work(std::unique_lock<std::mutex>& lock);
  void give_up(std::unique_lock<std::mutex>& lock);
  void wait_for_company(std::unique_lock<std::mutex>& lock);
  Batch take_batch();
  void search_batch(const Batch& batch, const Search& search);
  void search_alone(const std::pair<JobPtr, std::size_t>& place, const Search& search);
  void finish_batch(const Batch& batch, double seconds);
  void run_step(const JobPtr& job);

  Settings settings_;
  mutable std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::deque<JobPtr> queue_;
  std::deque<JobPtr> blocked_;  // in the order of retry_at
  Figures figures_;
  bool closed_ = false;
  Clock::time_point deadline_ = Clock::time_point::max();  // of what is waiting
};

}  // namespace memmatch::serve
