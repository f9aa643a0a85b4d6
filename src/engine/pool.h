#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/crew.h"
#include "engine/encoder.h"
#include "engine/team.h"

namespace memmatch::engine {

// Splits batches over a number of workers, each with its own thread; the calling thread is the
// first of them. Large batches are split by sequences. Of a small batch, the workers do the parts
// of every step together, so that each reads a part of the weights only. Nobody waits for a worker
// that comes late, or for which the system gives no thread. Calls from several threads wait for
// each other. The engine must outlive it.
class WorkerPool {
 public:
  // Throws Error(invalid_argument) unless there is at least one worker.
  WorkerPool(const Engine& engine, int workers);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // As Worker::encode().
  void encode(const PackedBatch& batch, Pooling pooling, std::span<float> vectors);

  std::size_t workspace_bytes() const;

 private:
  // What the workers are working at: sequences, longest first, in shares of about equal size.
  struct Job {
    const PackedBatch* batch = nullptr;
    Pooling pooling = Pooling::mean;
    std::span<float> vectors;
    std::vector<std::int64_t> sequences;
    bool together = false;    // all at every sequence
    std::size_t next = 0;     // the first sequence that nobody has taken
    std::int64_t shares = 0;  // how many there should be
    std::int64_t taken = 0;   // how many have been taken
    std::int64_t tokens_taken = 0;
    std::exception_ptr failure;
  };

  void start(const PackedBatch& batch, Pooling pooling, std::span<float> vectors);
  void finish();
  void serve(const std::stop_token& stop, std::size_t number);
  void work(Worker& worker);
  void lead();
  std::span<const std::int64_t> take_share();

  const Engine& engine_;
  std::vector<Worker> workers_;
  bool can_be_split_;
  Crew crew_;
  std::unique_ptr<Team> team_;
  std::mutex one_call_;
  std::mutex mutex_;  // guards what is below, up to the threads
  std::condition_variable_any changed_;
  Job job_;
  std::size_t round_ = 0;  // counts jobs
  bool open_ = false;      // whether threads may still join this round
  std::size_t busy_ = 0;   // threads that have joined it and not finished
  // Last, so that they have ended before anything that they use goes.
  std::vector<std::jthread> threads_;
};

}  // namespace memmatch::engine
