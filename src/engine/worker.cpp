#include <algorithm>
#include <numeric>
#include <optional>

#include "engine/group.h"
#include "engine/packed_model.h"
#include "engine/pooling.h"
#include "engine/products.h"
#include "engine/single_thread.h"
#include "memmatch/error.h"

namespace memmatch::engine {
namespace {

std::int64_t row_capacity(const PackedModel& model) {
  return row_blocks(model.precision).padded(std::max(kRowsTogether, model.config.positions));
}

std::int64_t memory_input(const PackedModel& model) {
  return model.memory ? model.memory->config.word_dimension + model.config.hidden : 0;
}

std::int64_t filters(const PackedModel& model) {
  return model.memory ? model.memory->config.filters : 0;
}

LargestLinear largest_linear(const PackedModel& model) {
  const EncoderConfig& config = model.config;
  return {std::max({config.hidden, config.intermediate, memory_input(model)}),
          std::max({3 * config.hidden, config.intermediate, filters(model)})};
}

Buffer<float> floats(std::int64_t count) { return Buffer<float>(static_cast<std::size_t>(count)); }

}  // namespace

// The forward pass. Its unit of work is a group: sequences that fit into the workspace together.
class Worker::Run {
 public:
  explicit Run(const PackedModel& model)
      : model_(model),
        kernels_(*model.kernels),
        products_(make_products(model.precision, largest_linear(model), kernels_)),
        hand_(make_hand(model.precision, largest_linear(model),
                        attention_scratch(shape(model.config.positions)), model.device)),
        alone_(hand_),
        hidden_(floats(row_capacity(model) * model.config.hidden)),
        qkv_(floats(row_capacity(model) * 3 * model.config.hidden)),
        context_(floats(row_capacity(model) * model.config.hidden)) {
    if (model.memory)
      memory_.emplace(model.memory->config, model.config.hidden, model.precision, kernels_);
    group_.members.reserve(static_cast<std::size_t>(row_capacity(model)));
  }

  void encode(const PackedBatch& batch, std::span<const std::int64_t> sequences, Pooling pooling,
              std::span<float> vectors, Team& team, std::span<std::int32_t> positions) {
    const SingleThread single;
    team_ = &team;
    while (!sequences.empty()) {
      const std::size_t count = gather(batch, sequences);
      embed(batch);
      for (const PackedLayer& layer : layers_read(pooling)) run_layer(layer);
      pool(batch, pooling, vectors, positions);
      sequences = sequences.subspan(count);
    }
  }

  Hand& hand() { return hand_; }
  Team& alone() { return alone_; }

  std::size_t workspace_bytes() const {
    return products_->workspace_bytes() + hidden_.bytes() + qkv_.bytes() + context_.bytes() +
           hand_.bytes() + (memory_ ? memory_->workspace_bytes() : 0);
  }

 private:
  AttentionShape shape(std::int64_t length) const {
    return {length, model_.config.heads, model_.config.hidden / model_.config.heads};
  }

  std::span<const PackedLayer> layers_read(Pooling pooling) const {
    const std::span<const PackedLayer> layers(model_.layers);
    if (pooling == Pooling::mean) return layers;
    const int level = static_cast<int>(pooling) - static_cast<int>(Pooling::level1) + 1;
    const std::int64_t depth = model_.memory->config.depth(level, model_.config);
    return layers.first(static_cast<std::size_t>(depth));
  }

  // Makes a group of the first of these sequences, and says how many it took.
  std::size_t gather(const PackedBatch& batch, std::span<const std::int64_t> sequences) {
    group_.members.clear();
    group_.rows = 0;
    for (const std::int64_t sequence : sequences) {
      const std::int64_t length = batch.length(sequence);
      if (group_.rows > 0 && group_.rows + length > kRowsTogether) break;
      const std::int64_t token = batch.offsets[static_cast<std::size_t>(sequence)];
      group_.members.push_back({sequence, group_.rows, static_cast<std::size_t>(token), length});
      group_.rows += length;
    }
    group_.padded_rows = row_blocks(model_.precision).padded(group_.rows);
    return group_.members.size();
  }

  void embed(const PackedBatch& batch) {
    const std::int64_t width = model_.config.hidden;
    for (const Member& member : group_.members) {
      for (std::int64_t i = 0; i < member.length; ++i) {
        const std::int64_t token = batch.tokens[member.token + static_cast<std::size_t>(i)];
        kernels_.add(model_.word_embeddings.data() + token * width,
                     model_.position_embeddings.data() + i * width,
                     hidden_.data() + (member.row + i) * width, width);
      }
    }
    std::fill(hidden_.data() + group_.rows * width, hidden_.data() + group_.padded_rows * width,
              0.0f);
    normalize(model_.embedding_norm);
  }

  void normalize(const PackedNorm& norm) {
    const std::int64_t width = model_.config.hidden;
    team_->rows(group_.padded_rows, [&](Hand&, std::int64_t first, std::int64_t last) {
      for (std::int64_t r = first; r < last; ++r)
        kernels_.normalize(hidden_.data() + r * width, norm.view(), width);
    });
  }

  void run_layer(const PackedLayer& layer) {
    const std::int64_t rows = group_.padded_rows;
    products_->project(layer.qkv, hidden_.data(), rows, qkv_.data(), *team_);
    attend();
    products_->add(layer.attention_output, context_.data(), rows, hidden_.data(), *team_);
    normalize(layer.attention_norm);
    products_->feed_forward(layer.up, layer.down, rows, hidden_.data(), *team_);
    normalize(layer.output_norm);
  }

  // By sequences and by parts of the heads.
  void attend() {
    const std::int64_t width = model_.config.hidden;
    const std::int64_t heads = model_.config.heads;
    const auto members = static_cast<std::int64_t>(group_.members.size());
    const std::int64_t parts = std::min(heads, team_->size());
    team_->each(members * parts, [&](Hand& hand, std::int64_t item) {
      const Member& member = group_.members[static_cast<std::size_t>(item / parts)];
      AttentionShape part = shape(member.length);
      part.first_head = heads * (item % parts) / parts;
      part.last_head = heads * (item % parts + 1) / parts;
      kernels_.attention(qkv_.data() + member.row * 3 * width, part, hand.attention.data(),
                         context_.data() + member.row * width);
    });
  }

  void pool(const PackedBatch& batch, Pooling pooling, std::span<float> vectors,
            std::span<std::int32_t> positions) {
    if (pooling == Pooling::mean)
      return pool_mean(group_, hidden_.data(), model_.config.hidden, kernels_, vectors);
    memory_->pool(memory_level(model_, pooling), batch, group_, hidden_.data(), *products_, *team_,
                  vectors, positions);
  }

  const PackedModel& model_;
  const Kernels& kernels_;
  std::unique_ptr<Products> products_;
  Hand hand_;
  Team alone_;
  Team* team_ = nullptr;  // who works at the group
  Buffer<float> hidden_;
  Buffer<float> qkv_;
  Buffer<float> context_;
  std::optional<MemoryPooling> memory_;
  Group group_;
};

Worker::Worker(const Engine& engine)
    : engine_(&engine), run_(std::make_unique<Run>(engine.model())) {}
Worker::~Worker() = default;
Worker::Worker(Worker&&) noexcept = default;
Worker& Worker::operator=(Worker&&) noexcept = default;

void Worker::encode(const PackedBatch& batch, Pooling pooling, std::span<float> vectors) {
  engine_->check(batch, pooling, vectors);
  sequences_.resize(static_cast<std::size_t>(batch.sequences()));
  std::iota(sequences_.begin(), sequences_.end(), 0);
  encode_some(batch, sequences_, pooling, vectors);
}

void Worker::encode_traced(const PackedBatch& batch, Pooling pooling, std::span<float> vectors,
                           std::span<std::int32_t> positions) {
  if (pooling == Pooling::mean)
    throw Error(ErrorKind::invalid_argument, "no single tokens give the elements of a mean");
  if (positions.size() != vectors.size())
    throw Error(ErrorKind::invalid_argument, "there must be a position for each element");
  engine_->check(batch, pooling, vectors);
  sequences_.resize(static_cast<std::size_t>(batch.sequences()));
  std::iota(sequences_.begin(), sequences_.end(), 0);
  lead(run_->alone(), batch, sequences_, pooling, vectors, positions);
}

void Worker::encode_some(const PackedBatch& batch, std::span<const std::int64_t> sequences,
                         Pooling pooling, std::span<float> vectors) {
  lead(run_->alone(), batch, sequences, pooling, vectors);
}

void Worker::lead(Team& team, const PackedBatch& batch, std::span<const std::int64_t> sequences,
                  Pooling pooling, std::span<float> vectors, std::span<std::int32_t> positions) {
  try {
    run_->encode(batch, sequences, pooling, vectors, team, positions);
  } catch (const dnnl::error& error) {
    throw Error(ErrorKind::unsupported,
                std::string("oneDNN cannot run this model on this machine: ") + error.what());
  }
}

Hand& Worker::hand() { return run_->hand(); }

std::size_t Worker::workspace_bytes() const { return run_->workspace_bytes(); }

}  // namespace memmatch::engine
