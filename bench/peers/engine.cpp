// The engine's side of bench/peers: reads "PRECISION SEQUENCES LENGTH" a line, encodes such a batch
// and answers with the seconds it took and the first vector.
// Usage: bench_peer_engine ENCODER_FOLDER WORKERS

#include <fmt/format.h>

#include <iostream>

#include "engine/pool.h"
#include "model/model_files.h"
#include "support.h"

namespace memmatch::bench {
namespace {

using engine::Engine;
using engine::PackedBatch;
using engine::Pooling;
using engine::Precision;
using engine::WorkerPool;

PackedBatch make_batch(int sequences, int length) {
  PackedBatch batch;
  for (int s = 0; s < sequences; ++s) {
    std::vector<std::int32_t> tokens;
    for (int i = 0; i < length; ++i) tokens.push_back(1000 + (s * 7919 + i * 10473) % 20000);
    tokens.front() = 101;
    tokens.back() = 102;
    batch.add(tokens);
  }
  return batch;
}

void main_(const std::string& folder, int workers) {
  const ModelWeights weights = load_model(folder).weights;
  const Engine fp32(weights, Precision::fp32);
  const Engine int8(weights, Precision::int8);
  WorkerPool fp32_pool(fp32, workers);
  WorkerPool int8_pool(int8, workers);
  std::string precision;
  for (int sequences, length; std::cin >> precision >> sequences >> length;) {
    const PackedBatch batch = make_batch(sequences, length);
    std::vector<float> vectors(static_cast<std::size_t>(sequences * fp32.dimension(Pooling::mean)));
    WorkerPool& pool = precision == "int8" ? int8_pool : fp32_pool;
    const double time = seconds([&] { pool.encode(batch, Pooling::mean, vectors); });
    const auto first =
        std::span(vectors).first(static_cast<std::size_t>(fp32.dimension(Pooling::mean)));
    fmt::print("{} {}\n", time, fmt::join(first, " "));
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace memmatch::bench

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  memmatch::bench::main_(argv[1], std::stoi(argv[2]));
}
