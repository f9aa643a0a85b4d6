#include "engine/pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/group.h"
#include "memmatch/error.h"

namespace memmatch::engine {
namespace {

// Tokens that are worth a worker's while.
constexpr std::int64_t kSmallestShare = 48;

}  // namespace

WorkerPool::WorkerPool(const Engine& engine, int workers) : engine_(engine) {
  if (workers < 1) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} workers cannot encode anything: give at least 1", workers));
  }
  for (int i = 0; i < workers; ++i) workers_.emplace_back(engine);
  for (std::size_t i = 1; i < workers_.size(); ++i)
    threads_.emplace_back([this, i] { serve(workers_[i]); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::encode(const PackedBatch& batch, Pooling pooling, std::span<float> vectors) {
  engine_.check(batch, pooling, vectors);
  const std::lock_guard call(one_call_);
  {
    const std::lock_guard lock(mutex_);
    job_.batch = &batch;
    job_.pooling = pooling;
    job_.vectors = vectors;
    job_.next = 0;
    job_.tokens_left = static_cast<std::int64_t>(batch.tokens.size());
    job_.failure = nullptr;
    job_.sequences.resize(static_cast<std::size_t>(batch.sequences()));
    std::iota(job_.sequences.begin(), job_.sequences.end(), 0);
    std::sort(job_.sequences.begin(), job_.sequences.end(), [&](std::int64_t a, std::int64_t b) {
      return std::pair(batch.length(b), a) < std::pair(batch.length(a), b);
    });
    busy_ = threads_.size();
    ++round_;
  }
  changed_.notify_all();
  work(workers_.front());
  wait_for_others();
  if (job_.failure) std::rethrow_exception(job_.failure);
}

void WorkerPool::serve(Worker& worker) {
  for (std::size_t seen = 0;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return closing_ || round_ != seen; });
      if (closing_) return;
      seen = round_;
    }
    work(worker);
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

std::span<const std::int64_t> WorkerPool::take_share() {
  const std::lock_guard lock(mutex_);
  const std::size_t first = job_.next;
  const auto workers = static_cast<std::int64_t>(workers_.size());
  const std::int64_t fair = std::clamp(job_.tokens_left / workers, kSmallestShare, kRowsTogether);
  std::int64_t tokens = 0;
  while (job_.next < job_.sequences.size()) {
    const std::int64_t length = job_.batch->length(job_.sequences[job_.next]);
    if (tokens > 0 && tokens + length > fair) break;
    tokens += length;
    ++job_.next;
  }
  job_.tokens_left -= tokens;
  return std::span(job_.sequences).subspan(first, job_.next - first);
}

void WorkerPool::wait_for_others() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return busy_ == 0; });
}

std::size_t WorkerPool::workspace_bytes() const {
  std::size_t total = 0;
  for (const Worker& worker : workers_) total += worker.workspace_bytes();
  return total;
}

}  // namespace memmatch::engine
