#include "serve/batcher.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "serve/http.h"
#include "serve/weight.h"

namespace memmatch::serve {
namespace {

using Clock = Batcher::Clock;

// Sequences of level 2 in a batch: enough to keep the engine at its best, few enough for others to
// have their turn soon.
constexpr int kSequencesTogether = 400;
constexpr std::size_t kMostClaims = 32;

// Until what was blocked is tried again.
constexpr std::chrono::milliseconds kPause{20};

std::size_t room(const SearchOptions& options) {
  const auto claims =
      static_cast<std::size_t>(std::max(1, kSequencesTogether / std::max(1, options.k1)));
  return std::min(claims, kMostClaims);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

bool Batcher::enqueue(JobPtr job) {
  const std::lock_guard lock(mutex_);
  if (closed_ ||
      (figures_.waiting > 0 && figures_.waiting + job->weight_left() > settings_.most_waiting)) {
    ++figures_.refused;
    return false;
  }
  figures_.waiting += job->weight_left();
  job->arrived = Clock::now();
  queue_.push_back(std::move(job));
  changed_.notify_one();
  return true;
}

bool Batcher::verify(std::vector<std::string> claims, const SearchOptions& options, Done done,
                     Failed failed) {
  auto job = std::make_shared<Job>();
  job->weight = weight_of(static_cast<std::size_t>(std::max(1, options.k1)));
  job->verdicts.resize(claims.size());
  job->claims = std::move(claims);
  job->options = options;
  job->done = std::move(done);
  job->failed = std::move(failed);
  return enqueue(std::move(job));
}

bool Batcher::work(std::size_t weight, Step step, Failed failed) {
  auto job = std::make_shared<Job>();
  job->weight = std::max<std::size_t>(1, weight);
  job->step = std::move(step);
  job->failed = std::move(failed);
  return enqueue(std::move(job));
}

void Batcher::close(Clock::time_point deadline) {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  deadline_ = std::min(deadline_, deadline);
  changed_.notify_all();
}

Batcher::Figures Batcher::figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

int Batcher::seconds_to_wait() const {
  const Figures now = figures();
  const double each = now.claims == 0 ? 0.1 : now.busy_seconds / static_cast<double>(now.claims);
  return static_cast<int>(
      std::clamp(std::ceil(each * static_cast<double>(now.waiting)), 1.0, 60.0));
}

// The first in line is a claim: where the engine has been idle, others may be about to come.
void Batcher::wait_for_company(std::unique_lock<std::mutex>& lock) {
  const JobPtr first = queue_.front();
  changed_.wait_until(lock, first->arrived + settings_.company, [&] {
    std::size_t claims = 0;
    for (const JobPtr& job : queue_) {
      if (!job->claims.empty() && job->options == first->options)
        claims += job->claims.size() - job->taken;
    }
    return closed_ || claims >= room(first->options);
  });
}

// Of every job that wants the first one's search a claim in turn, as far as there is room. Jobs
// that have more go to the end of the line.
Batcher::Batch Batcher::take_batch() {
  const SearchOptions options = queue_.front()->options;
  std::vector<JobPtr> jobs;
  for (const JobPtr& job : queue_) {
    if (!job->claims.empty() && job->options == options) jobs.push_back(job);
  }
  Batch batch;
  for (bool any = true; any && batch.size() < room(options);) {
    any = false;
    for (const JobPtr& job : jobs) {
      if (batch.size() == room(options)) break;
      if (job->taken == job->claims.size()) continue;
      batch.emplace_back(job, job->taken++);
      any = true;
    }
  }
  std::vector<JobPtr> unfinished;
  std::erase_if(queue_, [&](const JobPtr& job) {
    const bool in_batch = std::any_of(batch.begin(), batch.end(),
                                      [&](const auto& place) { return place.first == job; });
    if (in_batch && job->taken < job->claims.size()) unfinished.push_back(job);
    return in_batch;
  });
  queue_.insert(queue_.end(), unfinished.begin(), unfinished.end());
  return batch;
}

void Batcher::search_alone(const std::pair<JobPtr, std::size_t>& place, const Search& search) {
  const auto& [job, number] = place;
  if (job->broken) return;
  try {
    job->verdicts[number] = std::move(search({&job->claims[number], 1}, job->options).front());
  } catch (...) {
    job->broken = true;
    job->failed(std::current_exception());
  }
}

void Batcher::search_batch(const Batch& batch, const Search& search) {
  std::vector<std::string> claims;
  for (const auto& [job, number] : batch) claims.push_back(job->claims[number]);
  try {
    std::vector<Verdict> verdicts = search(claims, batch.front().first->options);
    for (std::size_t i = 0; i < batch.size(); ++i)
      batch[i].first->verdicts[batch[i].second] = std::move(verdicts[i]);
  } catch (...) {
    // Whoever brought it must not spoil it for the others.
    for (const auto& place : batch) search_alone(place, search);
  }
}

// The figures first: who has an answer finds it counted.
void Batcher::finish_batch(const Batch& batch, double seconds) {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [job, number] : batch) {
      if (!job->broken) continue;
      std::erase(queue_, job);
      figures_.waiting -= job->weight_left();
      job->taken = job->claims.size();
    }
    for (const auto& [job, number] : batch) figures_.waiting -= job->weight;
    figures_.claims += batch.size();
    figures_.batches += 1;
    figures_.busy_seconds += seconds;
  }
  for (const auto& [job, number] : batch) {
    if (number + 1 < job->claims.size() || job->broken) continue;
    try {
      job->done(std::move(job->verdicts));
    } catch (...) {
      job->failed(std::current_exception());
    }
  }
}

void Batcher::run_step(const JobPtr& job) {
  const Clock::time_point start = Clock::now();
  StepResult result = StepResult::done;
  try {
    result = job->step();
  } catch (...) {
    job->failed(std::current_exception());
  }
  const std::lock_guard lock(mutex_);
  figures_.busy_seconds += seconds_since(start);
  if (result == StepResult::done) {
    figures_.waiting -= job->weight;
  } else if (result == StepResult::more) {
    queue_.push_back(job);
  } else {
    job->retry_at = Clock::now() + kPause;
    blocked_.push_back(job);
  }
}

// True when the first in line can be worked on; false when the work has come to its end.
bool Batcher::wait_for_work(std::unique_lock<std::mutex>& lock) {
  while (true) {
    const Clock::time_point now = Clock::now();
    if (closed_ && now >= deadline_) return false;
    while (!blocked_.empty() && blocked_.front()->retry_at <= now) {
      queue_.push_back(blocked_.front());
      blocked_.pop_front();
    }
    if (!queue_.empty()) return true;
    if (closed_ && blocked_.empty()) return false;
    if (blocked_.empty()) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, blocked_.front()->retry_at);
    }
  }
}

// Whoever is still waiting is told.
void Batcher::give_up(std::unique_lock<std::mutex>& lock) {
  std::deque<JobPtr> left = std::exchange(queue_, {});
  left.insert(left.end(), blocked_.begin(), blocked_.end());
  blocked_.clear();
  for (const JobPtr& job : left) figures_.waiting -= job->weight_left();
  lock.unlock();
  for (const JobPtr& job : left) {
    job->failed(std::make_exception_ptr(
        RequestError{503, "closing", "the server is closing down, before this had its turn"}));
  }
}

void Batcher::run(const Search& search) {
  while (true) {
    std::unique_lock lock(mutex_);
    if (!wait_for_work(lock)) return give_up(lock);
    if (queue_.front()->claims.empty()) {
      const JobPtr job = queue_.front();
      queue_.pop_front();
      lock.unlock();
      run_step(job);
      continue;
    }
    wait_for_company(lock);
    const Batch batch = take_batch();
    lock.unlock();
    const Clock::time_point start = Clock::now();
    search_batch(batch, search);
    finish_batch(batch, seconds_since(start));
  }
}

}  // namespace memmatch::serve
