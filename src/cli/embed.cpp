#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <thread>

#include "cli/checks.h"
#include "cli/common.h"
#include "cli/engine_options.h"
#include "cli/verbs.h"
#include "engine/encoder.h"
#include "engine/pool.h"
#include "memmatch/error.h"
#include "model/model_files.h"
#include "model/sequences.h"

namespace memmatch::cli {
namespace {

using engine::Pooling;

enum class Role { query, support };

struct Options {
  std::string model;
  std::string file = "-";
  InputFormat input = InputFormat::text;
  Pooling pooling = Pooling::mean;
  Role role = Role::query;
  bool normalize = false;
  std::int64_t longest = 0;  // 0: what the model can read
  EngineOptions engine;
};

// Enough for all workers to be busy, and little enough to stay in memory.
constexpr std::size_t kTextsAtOnce = 512;
constexpr std::size_t kTokensAtOnce = 16384;

void normalize(std::span<float> vector) {
  double square = 0;
  for (const float value : vector) square += static_cast<double>(value) * value;
  const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
  for (float& value : vector) value = static_cast<float>(value * scale);
}

// {"text": …, "vector": […]}, each number with as many digits as tell it from its neighbours.
void print_vector(const std::string& text, std::span<const float> vector) {
  fmt::memory_buffer line;
  fmt::format_to(std::back_inserter(line), R"({{"text":{},"vector":[)",
                 Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
  const char* separator = "";
  for (const float value : vector) {
    fmt::format_to(std::back_inserter(line), "{}{}", separator, value);
    separator = ",";
  }
  fmt::print("{}]}}\n", std::string_view(line.data(), line.size()));
}

// Collects texts, encodes them together and prints them in the order they came in.
class Embedder {
 public:
  Embedder(const SequenceWriter& writer, const engine::Engine& engine, const Options& options)
      : writer_(writer),
        options_(options),
        dimension_(static_cast<std::size_t>(engine.dimension(options.pooling))),
        pool_(engine, thread_count(options.engine)) {}

  void add(const std::string& text) {
    const Sequence sequence = write(text);
    cut_ += sequence.cut;
    batch_.add(sequence.tokens, sequence.words);
    texts_.push_back(text);
    if (texts_.size() == kTextsAtOnce || batch_.tokens.size() >= kTokensAtOnce) flush();
  }

  void flush() {
    vectors_.resize(texts_.size() * dimension_);
    if (!texts_.empty()) pool_.encode(batch_, options_.pooling, vectors_);
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const auto vector = std::span(vectors_).subspan(i * dimension_, dimension_);
      if (options_.normalize) normalize(vector);
      print_vector(texts_[i], vector);
    }
    texts_.clear();
    batch_.clear();
  }

  std::uint64_t cut() const { return cut_; }

 private:
  Sequence write(const std::string& text) const {
    if (options_.pooling == Pooling::mean) {
      return writer_.plain(text, options_.longest == 0 ? writer_.longest() : options_.longest - 2);
    }
    const int level = static_cast<int>(options_.pooling) - static_cast<int>(Pooling::level1) + 1;
    return options_.role == Role::query ? writer_.query(level, text) : writer_.support(level, text);
  }

  const SequenceWriter& writer_;
  const Options& options_;
  std::size_t dimension_;
  engine::WorkerPool pool_;
  engine::PackedBatch batch_;
  std::vector<std::string> texts_;
  std::vector<float> vectors_;
  std::uint64_t cut_ = 0;
};

void run(const Options& options) {
  ModelData model = load_model(options.model);
  const std::int64_t positions = model.weights.encoder.config.positions;
  if (options.longest > positions) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("--max-length {}: the model reads {} tokens at most", options.longest,
                            positions));
  }
  const SequenceWriter writer(model);
  const engine::Engine engine(std::move(model.weights), options.engine.precision);
  Embedder embedder(writer, engine, options);
  for_each_text(options.file, options.input, [&](const std::string& text) { embedder.add(text); });
  embedder.flush();
  if (embedder.cut() > 0) {
    fmt::print(stderr, "{} texts were too long for the model and were cut\n", embedder.cut());
  }
}

}  // namespace

void add_embed(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      program, "embed", "A vector for each text: sentence embeddings, or a level's memory vectors",
      "echo 'The Moon is round.' | memmatch embed --model build/encoders/minilm --normalize\n"
      "memmatch embed --model models/default --pooling level1 --role query claims.txt\n"
      "memmatch embed --model models/default --pooling level2 --input jsonl texts.jsonl");
  verb->add_option("--model", options->model,
                   "A model's or encoder's folder, or its .safetensors or .onnx file")
      ->type_name("PATH")
      ->required();
  verb->add_option("FILE", options->file, "Texts, one a line; '-' is standard input")
      ->type_name("")
      ->capture_default_str();
  verb->add_option("--pooling", options->pooling,
                   "The mean of the encoder's hidden states, or a level's memory layer")
      ->transform(choice(std::map<std::string, Pooling>{{"mean", Pooling::mean},
                                                        {"level1", Pooling::level1},
                                                        {"level2", Pooling::level2},
                                                        {"level3", Pooling::level3}}))
      ->option_text("mean|level1|level2|level3 [mean]");
  verb->add_option("--role", options->role,
                   "With a level: a claim, which gets the words in front that its level asks for, "
                   "or a support as it is")
      ->transform(
          choice(std::map<std::string, Role>{{"query", Role::query}, {"support", Role::support}}))
      ->option_text("query|support [query]");
  verb->add_flag("--normalize", options->normalize, "Give all vectors the length 1");
  verb->add_option("--max-length", options->longest,
                   "With mean: cut texts to so many tokens, [CLS] and [SEP] among them; by default "
                   "to what the model can read")
      ->check(whole_number(3, 1'000'000));
  add_engine_options(*verb, options->engine);
  add_input_option(*verb, options->input);
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
