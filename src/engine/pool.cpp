#include "engine/pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <system_error>
#include <utility>

#include "engine/group.h"
#include "engine/packed_model.h"
#include "engine/single_thread.h"
#include "memmatch/error.h"

namespace memmatch::engine {
namespace {

// Batches of at most so many tokens are encoded by all workers together.
constexpr std::int64_t kSmallBatch = kRowsTogether;

}  // namespace

WorkerPool::WorkerPool(const Engine& engine, int workers)
    : engine_(engine), can_be_split_(can_be_split(engine.model())) {
  if (workers < 1) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} workers cannot encode anything: give at least 1", workers));
  }
  for (int i = 0; i < workers; ++i) workers_.emplace_back(engine);
  std::vector<Hand*> hands;
  for (Worker& worker : workers_) hands.push_back(&worker.hand());
  team_ = std::make_unique<Team>(crew_, std::move(hands));
  try {
    for (std::size_t i = 1; i < workers_.size(); ++i)
      threads_.emplace_back([this, i](const std::stop_token& stop) { serve(stop, i); });
  } catch (const std::system_error&) {
    // There are no more threads to be had: the others do this one's share.
  }
}

void WorkerPool::encode(const PackedBatch& batch, Pooling pooling, std::span<float> vectors) {
  engine_.check(batch, pooling, vectors);
  const std::lock_guard call(one_call_);
  start(batch, pooling, vectors);
  changed_.notify_all();
  if (job_.together) {
    lead();
  } else {
    work(workers_.front());
  }
  finish();
  if (job_.failure) std::rethrow_exception(job_.failure);
}

void WorkerPool::start(const PackedBatch& batch, Pooling pooling, std::span<float> vectors) {
  const std::lock_guard lock(mutex_);
  const auto workers = static_cast<std::int64_t>(workers_.size());
  const auto tokens = static_cast<std::int64_t>(batch.tokens.size());
  job_.batch = &batch;
  job_.pooling = pooling;
  job_.vectors = vectors;
  job_.together = workers > 1 && can_be_split_ && tokens <= kSmallBatch;
  job_.next = 0;
  // Every worker gets as many shares as the others.
  job_.shares = (tokens + workers * kRowsTogether - 1) / (workers * kRowsTogether) * workers;
  job_.taken = 0;
  job_.tokens_taken = 0;
  job_.failure = nullptr;
  job_.sequences.resize(static_cast<std::size_t>(batch.sequences()));
  std::iota(job_.sequences.begin(), job_.sequences.end(), 0);
  std::sort(job_.sequences.begin(), job_.sequences.end(), [&](std::int64_t a, std::int64_t b) {
    return std::pair(batch.length(b), a) < std::pair(batch.length(a), b);
  });
  if (job_.together) crew_.open();
  open_ = true;
  ++round_;
}

void WorkerPool::finish() {
  std::unique_lock lock(mutex_);
  open_ = false;
  changed_.wait(lock, [&] { return busy_ == 0; });
}

void WorkerPool::serve(const std::stop_token& stop, std::size_t number) {
  for (std::size_t seen = 0;;) {
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [&] { return open_ && round_ != seen; })) return;
      seen = round_;
      ++busy_;
    }
    if (job_.together) {
      const SingleThread single;
      crew_.help(number);
    } else {
      work(workers_[number]);
    }
    {
      const std::lock_guard lock(mutex_);
      --busy_;
    }
    changed_.notify_all();
  }
}

void WorkerPool::work(Worker& worker) {
  try {
    while (true) {
      const std::span<const std::int64_t> share = take_share();
      if (share.empty()) return;
      worker.encode_some(*job_.batch, share, job_.pooling, job_.vectors);
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    job_.failure = std::current_exception();
    job_.next = job_.sequences.size();
  }
}

void WorkerPool::lead() {
  try {
    workers_.front().lead(*team_, *job_.batch, job_.sequences, job_.pooling, job_.vectors);
  } catch (...) {
    job_.failure = std::current_exception();
  }
  crew_.close();
}

// Shares end as near as possible to equal parts of the tokens, but never have more of them than go
// through the layers together.
std::span<const std::int64_t> WorkerPool::take_share() {
  const std::lock_guard lock(mutex_);
  const std::size_t first = job_.next;
  const auto all = static_cast<std::int64_t>(job_.batch->tokens.size());
  const std::int64_t end = all * ++job_.taken / std::max<std::int64_t>(1, job_.shares);
  std::int64_t tokens = 0;
  while (job_.next < job_.sequences.size()) {
    const std::int64_t length = job_.batch->length(job_.sequences[job_.next]);
    const bool full =
        tokens + length > kRowsTogether || job_.tokens_taken + tokens + length / 2 > end;
    if (tokens > 0 && full) break;
    tokens += length;
    ++job_.next;
  }
  job_.tokens_taken += tokens;
  return std::span(job_.sequences).subspan(first, job_.next - first);
}

std::size_t WorkerPool::workspace_bytes() const {
  std::size_t total = 0;
  for (const Worker& worker : workers_) total += worker.workspace_bytes();
  return total;
}

}  // namespace memmatch::engine
