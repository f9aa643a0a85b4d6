#include <algorithm>
#include <array>
#include <numeric>

#include "engine/packed_model.h"
#include "engine/products.h"
#include "engine/single_thread.h"
#include "memmatch/error.h"

namespace memmatch::engine {
namespace {

// Rows (tokens) that go through the layers together: enough to use every weight often while it is
// in the cache, few enough for the hidden states to stay there too.
constexpr std::int64_t kRowsTogether = 256;

std::int64_t row_capacity(const PackedModel& model) {
  return row_blocks().padded(std::max(kRowsTogether, model.config.positions));
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
        products_(make_products(model.precision, largest_linear(model), kernels_, model.device)),
        hidden_(floats(row_capacity(model) * model.config.hidden)),
        qkv_(floats(row_capacity(model) * 3 * model.config.hidden)),
        context_(floats(row_capacity(model) * model.config.hidden)),
        scratch_(floats(attention_scratch(shape(model.config.positions)))),
        memory_rows_(floats(row_blocks().largest * memory_input(model))),
        filtered_(floats(row_blocks().largest * filters(model))) {
    group_.reserve(static_cast<std::size_t>(row_capacity(model)));
  }

  void encode(const PackedBatch& batch, std::span<const std::int64_t> sequences, Pooling pooling,
              std::span<float> vectors) {
    const SingleThread single;
    while (!sequences.empty()) {
      const std::size_t count = gather(batch, sequences);
      embed(batch);
      for (const PackedLayer& layer : model_.layers) run_layer(layer);
      pool(batch, pooling, vectors);
      sequences = sequences.subspan(count);
    }
  }

  std::size_t workspace_bytes() const {
    return products_->workspace_bytes() + hidden_.bytes() + qkv_.bytes() + context_.bytes() +
           scratch_.bytes() + memory_rows_.bytes() + filtered_.bytes();
  }

 private:
  // A sequence of the group: where its rows begin in the workspace, and its tokens in the batch.
  struct Member {
    std::int64_t sequence;
    std::int64_t row;
    std::size_t token;
    std::int64_t length;
  };

  AttentionShape shape(std::int64_t length) const {
    return {length, model_.config.heads, model_.config.hidden / model_.config.heads};
  }

  // Makes a group of the first of these sequences, and says how many it took.
  std::size_t gather(const PackedBatch& batch, std::span<const std::int64_t> sequences) {
    group_.clear();
    rows_ = 0;
    for (const std::int64_t sequence : sequences) {
      const std::int64_t length = batch.length(sequence);
      if (rows_ > 0 && rows_ + length > kRowsTogether) break;
      const std::int64_t token = batch.offsets[static_cast<std::size_t>(sequence)];
      group_.push_back({sequence, rows_, static_cast<std::size_t>(token), length});
      rows_ += length;
    }
    padded_rows_ = row_blocks().padded(rows_);
    return group_.size();
  }

  void embed(const PackedBatch& batch) {
    const std::int64_t width = model_.config.hidden;
    for (const Member& member : group_) {
      for (std::int64_t i = 0; i < member.length; ++i) {
        const std::int64_t token = batch.tokens[member.token + static_cast<std::size_t>(i)];
        kernels_.add(model_.word_embeddings.data() + token * width,
                     model_.position_embeddings.data() + i * width,
                     hidden_.data() + (member.row + i) * width, width);
      }
    }
    std::fill(hidden_.data() + rows_ * width, hidden_.data() + padded_rows_ * width, 0.0f);
    normalize(model_.embedding_norm);
  }

  void normalize(const PackedNorm& norm) {
    const std::int64_t width = model_.config.hidden;
    for (std::int64_t r = 0; r < padded_rows_; ++r)
      kernels_.normalize(hidden_.data() + r * width, norm.view(), width);
  }

  void run_layer(const PackedLayer& layer) {
    const std::int64_t width = model_.config.hidden;
    products_->project(layer.qkv, hidden_.data(), padded_rows_, qkv_.data());
    for (const Member& member : group_) {
      kernels_.attention(qkv_.data() + member.row * 3 * width, shape(member.length),
                         scratch_.data(), context_.data() + member.row * width);
    }
    products_->add(layer.attention_output, context_.data(), padded_rows_, hidden_.data());
    normalize(layer.attention_norm);
    products_->feed_forward(layer.up, layer.down, padded_rows_, hidden_.data());
    normalize(layer.output_norm);
  }

  void pool(const PackedBatch& batch, Pooling pooling, std::span<float> vectors) {
    if (pooling == Pooling::mean) return pool_mean(vectors);
    const PackedMemoryLevel& level = memory_level(model_, pooling);
    const std::int64_t width = level.filters.shape.out;
    for (const Member& member : group_) {
      // What padding would give: b, with max(0, …) as the largest over padding and tokens.
      std::copy_n(level.filters.columns().bias, width, vectors.data() + member.sequence * width);
    }
    pool_memory(batch, level, vectors);
  }

  void pool_mean(std::span<float> vectors) {
    const std::int64_t width = model_.config.hidden;
    for (const Member& member : group_) {
      float* vector = vectors.data() + member.sequence * width;
      std::fill_n(vector, width, 0.0f);
      for (std::int64_t i = 0; i < member.length; ++i)
        kernels_.add(hidden_.data() + (member.row + i) * width, vector, vector, width);
      const float length = static_cast<float>(member.length);
      std::for_each(vector, vector + width, [length](float& x) { x /= length; });
    }
  }

  // Goes over the rows of the group in blocks, whatever sequence they belong to.
  void pool_memory(const PackedBatch& batch, const PackedMemoryLevel& level,
                   std::span<float> vectors) {
    const std::int64_t width = level.filters.shape.out;
    auto member = group_.begin();
    for_row_blocks(padded_rows_, [&](std::int64_t first, std::int64_t count) {
      const std::int64_t last = std::min(first + count, rows_);
      const auto begin = member;
      for (std::int64_t row = first; row < last; ++row) {
        if (row >= member->row + member->length) ++member;
        set_memory_row(batch.words[member->token + static_cast<std::size_t>(row - member->row)],
                       level, row, row - first);
      }
      products_->project(level.filters, memory_rows_.data(), count, filtered_.data());
      member = begin;
      for (std::int64_t row = first; row < last; ++row) {
        if (row >= member->row + member->length) ++member;
        kernels_.maximum(filtered_.data() + (row - first) * width,
                         vectors.data() + member->sequence * width, width);
      }
    });
  }

  // [word embedding ; hidden state]; word 0, which [CLS] and [SEP] have, is zero.
  void set_memory_row(std::int32_t word, const PackedMemoryLevel& level, std::int64_t row,
                      std::int64_t to) {
    const std::int64_t word_width = model_.memory->config.word_dimension;
    const std::int64_t width = model_.config.hidden;
    float* out = memory_rows_.data() + to * (word_width + width);
    if (word == 0) {
      std::fill_n(out, word_width, 0.0f);
    } else {
      std::copy_n(level.embeddings.data() + word * word_width, word_width, out);
    }
    std::copy_n(hidden_.data() + row * width, width, out + word_width);
  }

  const PackedModel& model_;
  const Kernels& kernels_;
  std::unique_ptr<Products> products_;
  Buffer<float> hidden_;
  Buffer<float> qkv_;
  Buffer<float> context_;
  Buffer<float> scratch_;
  Buffer<float> memory_rows_;
  Buffer<float> filtered_;
  std::vector<Member> group_;
  std::int64_t rows_ = 0;
  std::int64_t padded_rows_ = 0;
};

Worker::Worker(const Engine& engine)
    : engine_(&engine), run_(std::make_unique<Run>(engine.model())) {}
Worker::~Worker() = default;
Worker::Worker(Worker&&) noexcept = default;
Worker& Worker::operator=(Worker&&) noexcept = default;

void Worker::encode(const PackedBatch& batch, Pooling pooling, std::span<float> vectors) {
  engine_->check(batch, pooling);
  sequences_.resize(static_cast<std::size_t>(batch.sequences()));
  std::iota(sequences_.begin(), sequences_.end(), 0);
  encode_some(batch, sequences_, pooling, vectors);
}

void Worker::encode_some(const PackedBatch& batch, std::span<const std::int64_t> sequences,
                         Pooling pooling, std::span<float> vectors) {
  run_->encode(batch, sequences, pooling, vectors);
}

std::size_t Worker::workspace_bytes() const { return run_->workspace_bytes(); }

}  // namespace memmatch::engine
