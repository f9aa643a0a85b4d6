#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/encoder.h"

namespace memmatch::engine {

// Splits batches over a number of workers, each with its own thread; the calling thread is the
// first of them, so that a single sequence costs no switch. Calls from several threads wait for
// each other. The engine must outlive it.
class WorkerPool {
 public:
  // Throws Error(invalid_argument) unless there is at least one worker.
  WorkerPool(const Engine& engine, int workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // As Worker::encode().
  void encode(const PackedBatch& batch, Pooling pooling, std::span<float> vectors);

  std::size_t workspace_bytes() const;

 private:
  // What the workers are working at: sequences, longest first, taken in shares that become smaller
  // towards the end.
  struct Job {
    const PackedBatch* batch = nullptr;
    Pooling pooling = Pooling::mean;
    std::span<float> vectors;
    std::vector<std::int64_t> sequences;
    std::size_t next = 0;  // the first sequence that nobody has taken
    std::int64_t tokens_left = 0;
    std::exception_ptr failure;
  };

  void serve(Worker& worker);
  void work(Worker& worker);
  std::span<const std::int64_t> take_share();
  void wait_for_others();

  const Engine& engine_;
  std::vector<Worker> workers_;
  std::vector<std::thread> threads_;
  std::mutex one_call_;
  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  Job job_;
  std::size_t round_ = 0;  // counts jobs
  std::size_t busy_ = 0;   // threads that have not finished this round
  bool closing_ = false;
};

}  // namespace memmatch::engine
