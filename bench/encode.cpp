// Encoding sequences: the engine against LibTorch, against itself, and against bare matrix products
// of oneDNN. All contenders take turns in one run; the best of several turns counts.
// Usage: bench_encode [TURNS]

#include <functional>
#include <map>
#include <numeric>
#include <oneapi/dnnl/dnnl.hpp>

#include "engine/pool.h"
#include "engine/random_model.h"
#include "padded_bert.h"
#include "sequence_lengths.h"
#include "support.h"

namespace memmatch::bench {
namespace {

using engine::Engine;
using engine::PackedBatch;
using engine::Pooling;
using engine::Precision;
using engine::Worker;
using engine::WorkerPool;

constexpr std::size_t kSequences = 128;
constexpr std::int64_t kTorchBatch = 32;

ModelWeights minilm_shaped() {
  EncoderConfig config;
  config.vocabulary = 30522;
  config.hidden = 384;
  config.layers = 6;
  config.heads = 12;
  config.intermediate = 1536;
  return test::random_model(config, {}, 1);
}

PackedBatch make_batch(const std::vector<std::int64_t>& lengths) {
  std::mt19937 random(3);
  PackedBatch batch;
  for (const std::int64_t length : lengths) {
    std::vector<std::int32_t> tokens(static_cast<std::size_t>(length));
    std::vector<std::int32_t> words(tokens.size());
    for (std::int32_t& token : tokens) token = static_cast<std::int32_t>(random() % 30000);
    for (std::size_t i = 1; i + 1 < words.size(); ++i)
      words[i] = static_cast<std::int32_t>(random() % 7500);
    batch.add(tokens, words);
  }
  return batch;
}

// Contenders take turns; names to best times.
class Race {
 public:
  void enter(const std::string& name, std::function<void()> run) {
    run();  // warm
    contenders_.emplace_back(name, std::move(run));
  }

  void run(int rounds) {
    for (int i = 0; i < rounds; ++i)
      for (auto& [name, work] : contenders_) best_[name].add(seconds(work));
  }

  double time(const std::string& name) const { return best_.at(name).value; }

 private:
  std::vector<std::pair<std::string, std::function<void()>>> contenders_;
  std::map<std::string, Best> best_;
};

void print_row(const std::string& what, double ratio, double target, const char* unit = "×") {
  fmt::print("| {} | {:.2f} {} | {:.2f} {} | {} |\n", what, ratio, unit, target, unit,
             ratio >= target ? "holds" : "DOES NOT HOLD");
}

// LibTorch on a whole batch in pieces of 32, padded to `length` or (0) to the longest of the piece.
void run_torch(PaddedBert& bert, const PackedBatch& batch, std::int64_t length, int level,
               int threads) {
  const c10::InferenceMode inference;
  at::set_num_threads(threads);
  for (std::int64_t first = 0; first < batch.sequences(); first += kTorchBatch) {
    const std::int64_t count = std::min(kTorchBatch, batch.sequences() - first);
    std::int64_t longest = length;
    for (std::int64_t i = first; length == 0 && i < first + count; ++i)
      longest = std::max(longest, batch.length(i));
    bert.encode(batch, first, count, longest, level);
  }
}

struct Contenders {
  int rounds;
  ModelWeights weights = minilm_shaped();
  Engine fp32{weights, Precision::fp32};
  Engine int8{weights, Precision::int8};
  Worker fp32_worker{fp32};
  Worker int8_worker{int8};
  WorkerPool fp32_pool{fp32, 2};
  WorkerPool int8_pool{int8, 2};
  PaddedBert torch{train::Twin(weights)};
};

double best_torch(const Race& race, const std::string& style) {
  return std::min(race.time(style + " 1"), race.time(style + " 2"));
}

// The best seconds of each contender, "1" and "2" with one and two workers; LibTorch with its
// better number of threads.
struct Times {
  double tokens = 0;
  double fp32_1 = 0, fp32_2 = 0, int8_1 = 0, int8_2 = 0;
  double padded = 0, sorted = 0;

  void add(const Times& more) {
    tokens += more.tokens;
    fp32_1 += more.fp32_1;
    fp32_2 += more.fp32_2;
    int8_1 += more.int8_1;
    int8_2 += more.int8_2;
    padded += more.padded;
    sorted += more.sorted;
  }
};

void print_rows(const std::string& name, const Times& times) {
  print_row(name + ": fp32 vs LibTorch, padded to the level's length", times.padded / times.fp32_2,
            2.5);
  print_row(name + ": fp32 vs LibTorch, sorted and padded to the longest",
            times.sorted / times.fp32_2, 1.3);
  print_row(name + ": int8 vs fp32, one worker", times.fp32_1 / times.int8_1, 2.5);
  print_row(name + ": int8 vs fp32, two workers", times.fp32_2 / times.int8_2, 2.5);
  print_row(name + ": two workers vs one, fp32", times.fp32_1 / times.fp32_2, 1.85);
  print_row(name + ": two workers vs one, int8", times.int8_1 / times.int8_2, 1.85);
  fmt::print(stderr,
             "{}: tokens/s: fp32 {:.0f} and {:.0f}, int8 {:.0f} and {:.0f} with one and two "
             "workers; LibTorch padded {:.0f}, sorted {:.0f}\n",
             name, times.tokens / times.fp32_1, times.tokens / times.fp32_2,
             times.tokens / times.int8_1, times.tokens / times.int8_2, times.tokens / times.padded,
             times.tokens / times.sorted);
}

Times measure_level(Contenders& all, int level, const std::vector<std::int64_t>& lengths) {
  const auto pooling = static_cast<Pooling>(level);
  const PackedBatch batch = make_batch(lengths);
  std::vector<std::int64_t> sorted_lengths = lengths;
  std::sort(sorted_lengths.begin(), sorted_lengths.end());
  const PackedBatch sorted = make_batch(sorted_lengths);
  std::vector<float> vectors(
      static_cast<std::size_t>(batch.sequences() * all.fp32.dimension(pooling)));

  Race race;
  race.enter("fp32 1", [&] { all.fp32_worker.encode(batch, pooling, vectors); });
  race.enter("fp32 2", [&] { all.fp32_pool.encode(batch, pooling, vectors); });
  race.enter("int8 1", [&] { all.int8_worker.encode(batch, pooling, vectors); });
  race.enter("int8 2", [&] { all.int8_pool.encode(batch, pooling, vectors); });
  const std::int64_t longest = 50 * level + 2;
  for (const int threads : {1, 2}) {
    race.enter(fmt::format("padded {}", threads),
               [&, threads] { run_torch(all.torch, batch, longest, level, threads); });
    race.enter(fmt::format("sorted {}", threads),
               [&, threads] { run_torch(all.torch, sorted, 0, level, threads); });
  }
  race.run(all.rounds);
  const auto tokens = static_cast<double>(batch.tokens.size());
  fmt::print(stderr, "{:.1f} tokens a sequence; ", tokens / static_cast<double>(batch.sequences()));
  return {tokens,
          race.time("fp32 1"),
          race.time("fp32 2"),
          race.time("int8 1"),
          race.time("int8 2"),
          best_torch(race, "padded"),
          best_torch(race, "sorted")};
}

// One product of oneDNN with weights in the layout of its choice.
class BareMatmul {
 public:
  BareMatmul(std::int64_t rows, std::int64_t in, std::int64_t out) {
    using Type = dnnl::memory::data_type;
    using Tag = dnnl::memory::format_tag;
    const dnnl::memory::desc x({rows, in}, Type::f32, Tag::ab);
    const dnnl::memory::desc w({in, out}, Type::f32, Tag::any);
    const dnnl::memory::desc y({rows, out}, Type::f32, Tag::ab);
    const dnnl::matmul::primitive_desc description({x, w, y}, device_);
    matmul_ = dnnl::matmul(description);
    arguments_ = {{DNNL_ARG_SRC, dnnl::memory(x, device_)},
                  {DNNL_ARG_WEIGHTS, dnnl::memory(description.weights_desc(), device_)},
                  {DNNL_ARG_DST, dnnl::memory(y, device_)}};
    for (auto& [name, memory] : arguments_) {
      const std::size_t count = memory.get_desc().get_size() / sizeof(float);
      std::fill_n(static_cast<float*>(memory.get_data_handle()), count, 0.01f);
    }
  }

  void run() { matmul_.execute(stream_, arguments_); }

 private:
  dnnl::engine device_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{device_};
  dnnl::matmul matmul_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

// Operations of all linear layers for one token.
double operations_per_token(const Contenders& all) {
  const EncoderConfig& c = all.weights.encoder.config;
  const MemoryConfig& m = all.weights.memory->config;
  const std::int64_t layer = 4 * c.hidden * c.hidden + 2 * c.hidden * c.intermediate;
  const std::int64_t memory = (m.word_dimension + c.hidden) * m.filters;
  return 2.0 * static_cast<double>(c.layers * layer + memory);
}

void measure_efficiency(Contenders& all, const std::vector<std::int64_t>& lengths) {
  const PackedBatch batch = make_batch(lengths);
  std::vector<float> vectors(
      static_cast<std::size_t>(batch.sequences() * all.fp32.dimension(Pooling::level2)));
  const EncoderConfig& c = all.weights.encoder.config;
  const MemoryConfig& m = all.weights.memory->config;
  at::set_num_threads(1);  // oneDNN's as well
  Race race;
  race.enter("forward", [&] { all.fp32_worker.encode(batch, Pooling::level2, vectors); });
  const std::int64_t rows[] = {128, 256, 512};
  std::vector<std::vector<BareMatmul>> bare;
  for (const std::int64_t r : rows) {
    std::vector<BareMatmul>& products = bare.emplace_back();
    for (std::int64_t i = 0; i < c.layers; ++i) {
      products.emplace_back(r, c.hidden, 3 * c.hidden);
      products.emplace_back(r, c.hidden, c.hidden);
      products.emplace_back(r, c.hidden, c.intermediate);
      products.emplace_back(r, c.intermediate, c.hidden);
    }
    products.emplace_back(r, m.word_dimension + c.hidden, m.filters);
  }
  for (std::size_t i = 0; i < bare.size(); ++i) {
    race.enter(fmt::format("bare {}", rows[i]), [&, i] {
      for (BareMatmul& product : bare[i]) product.run();
    });
  }
  race.run(2 * all.rounds);
  const auto tokens = static_cast<double>(batch.tokens.size());
  const double forward = tokens * operations_per_token(all) / race.time("forward");
  double best = 0;
  for (const std::int64_t r : rows) {
    best = std::max(best, static_cast<double>(r) * operations_per_token(all) /
                              race.time(fmt::format("bare {}", r)));
  }
  print_row("products of the fp32 forward vs oneDNN's bare matmul, level 2", 100 * forward / best,
            70, "%");
  fmt::print(stderr, "forward {:.0f} G/s, bare {:.0f} G/s\n", forward * 1e-9, best * 1e-9);
}

void measure_latency(Contenders& all) {
  const PackedBatch batch = make_batch({16});
  std::vector<float> vector(static_cast<std::size_t>(all.fp32.dimension(Pooling::level1)));
  Race race;
  race.enter("fp32 1", [&] { all.fp32_worker.encode(batch, Pooling::level1, vector); });
  race.enter("int8 1", [&] { all.int8_worker.encode(batch, Pooling::level1, vector); });
  race.enter("fp32 2", [&] { all.fp32_pool.encode(batch, Pooling::level1, vector); });
  race.enter("int8 2", [&] { all.int8_pool.encode(batch, Pooling::level1, vector); });
  for (const int threads : {1, 2})
    race.enter(fmt::format("torch {}", threads),
               [&, threads] { run_torch(all.torch, batch, 16, 1, threads); });
  race.run(100 * all.rounds);
  const double torch = best_torch(race, "torch");
  print_row("latency of 16 tokens, fp32 vs LibTorch", torch / race.time("fp32 2"), 2.0);
  print_row("latency of 16 tokens, int8 vs LibTorch", torch / race.time("int8 2"), 2.0);
  fmt::print(stderr,
             "latency with one and two workers: fp32 {:.2f} and {:.2f} ms, int8 {:.2f} and {:.2f} "
             "ms; LibTorch {:.2f} ms\n",
             1e3 * race.time("fp32 1"), 1e3 * race.time("fp32 2"), 1e3 * race.time("int8 1"),
             1e3 * race.time("int8 2"), 1e3 * torch);
}

void main_(int rounds) {
  Contenders all{.rounds = rounds};
  const SequenceLengths lengths = draw_sequence_lengths(kSequences);
  fmt::print("MiniLM's shape with three memory layers; {} sequence lengths.\n\n",
             lengths.are_real ? "real" : "recorded");
  fmt::print("| | measured | at least | |\n|---|---|---|---|\n");
  measure_latency(all);
  Times sum;
  for (int level = 1; level <= 3; ++level) {
    const Times times =
        measure_level(all, level, lengths.levels[static_cast<std::size_t>(level - 1)]);
    print_rows(fmt::format("level {}", level), times);
    sum.add(times);
  }
  print_rows("all three levels", sum);
  print_rows("level 3, supports alone", measure_level(all, 3, lengths.level3_supports));
  measure_efficiency(all, lengths.levels[1]);
  const auto mb = [](std::size_t bytes) { return static_cast<double>(bytes) * 1e-6; };
  fmt::print(
      "\nWeights: fp32 {:.0f} MB, int8 {:.0f} MB; workspace of a worker: fp32 {:.1f} MB, int8 "
      "{:.1f} MB; peak of this process, LibTorch included: {:.0f} MB.\n",
      mb(all.fp32.weight_bytes()), mb(all.int8.weight_bytes()),
      mb(all.fp32_worker.workspace_bytes()), mb(all.int8_worker.workspace_bytes()),
      peak_resident_mb());
}

}  // namespace
}  // namespace memmatch::bench

int main(int argc, char** argv) { memmatch::bench::main_(argc > 1 ? std::stoi(argv[1]) : 6); }
