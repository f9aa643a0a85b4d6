// Training: steps of the paper's kind against the same steps as research code does them on
// LibTorch, and against the search that an epoch begins with; workers against OpenMP's threads. All
// contenders take turns in one run.

#include "cost.h"
#include "data/documents.h"
#include "data/import.h"
#include "padded_training.h"
#include "support.h"
#include "train/beams.h"
#include "train/memory_use.h"
#include "train/new_model.h"
#include "train/weights_in_training.h"

namespace memmatch::bench {
namespace {

using train::Beam;
using train::StepBatch;
using train::Trained;

constexpr std::size_t kSearched = 54;    // claims that a round searches
constexpr std::size_t kBatchClaims = 9;  // of these, the claims that it then learns from
constexpr double kDropout = 0.1;
constexpr train::Rates kRates{.memory = 1, .encoder = 2e-5, .head = 0};
constexpr Trained kMemory{.memory = true, .encoder = false};
constexpr Trained kEncoder{.memory = false, .encoder = true};

const std::filesystem::path kSource(MEMMATCH_SOURCE_DIR);
const std::filesystem::path kFever = shared_wiki_pages().parent_path();
const std::filesystem::path kDemo = kSource / "examples" / "demo";
const std::filesystem::path kMiniLm = kSource / "build" / "encoders" / "minilm";

const char* verdict(bool holds) { return holds ? "holds" : "DOES NOT HOLD"; }

// Data and model of the run.
struct Setting {
  Scratch scratch;
  train::Recipe recipe;
  ModelData model;
  train::TrainingSet set;
  std::vector<std::size_t> claims;
};

void copy_lines(const std::filesystem::path& from, const std::filesystem::path& to,
                std::size_t count) {
  std::ifstream in(from);
  std::ofstream out(to);
  for (std::string line; count > 0 && std::getline(in, line); --count) out << line << '\n';
}

void import(const std::filesystem::path& file, bool fever) {
  Datastore store = Datastore::open(file, Datastore::Access::create);
  data::import_documents(
      fever ? *data::open_documents(data::DocumentFormat::fever_wiki, shared_wiki_pages())
            : *data::open_documents(data::DocumentFormat::jsonl, kDemo / "corpus.jsonl"),
      store);
}

// Claims of the reduced FEVER set, or of the demo where that is not there.
void prepare(Setting& setting, std::size_t rounds, const std::string& given_store) {
  const bool fever = std::filesystem::exists(kFever);
  const std::string store =
      given_store.empty() ? (setting.scratch / "store").string() : given_store;
  const std::filesystem::path claims = setting.scratch / "claims.jsonl";
  const std::size_t wanted = kSearched * rounds;
  if (given_store.empty()) import(store, fever);
  copy_lines(fever ? kFever / "train.jsonl" : kDemo / "claims.jsonl", claims, wanted);
  setting.recipe.data.store = store;
  setting.recipe.data.train = {claims.string()};
  setting.recipe.model.start = kMiniLm.string();
  setting.model = train::new_model(setting.recipe, {});
  setting.set = train::load_training_set(setting.recipe.data, SequenceWriter(setting.model), false);
  setting.claims =
      train::draw_claims(setting.set, 0, setting.recipe.seed, 0, static_cast<std::int64_t>(wanted));
  fmt::print("{} claims of {}, {} sentences within their reach\n", setting.set.claims.size(),
             fever ? "reduced FEVER" : "the demo", setting.set.evidence.size());
}

StepBatch make_batch(const Setting& setting, std::span<const std::size_t> claims,
                     std::span<const Beam> beams) {
  const SequenceWriter sequences(setting.model);
  const train::StepBatchWriter writer(sequences, setting.set);
  StepBatch batch;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const train::TrainingClaim& claim = setting.set.claims[claims[i]];
    writer.add_claim(batch, claim, train::make_pairs(claim, beams[i], setting.recipe.pairs, 3),
                     false);
  }
  return batch;
}

// Sequences of a batch as they are and as research code has them, with their tokens.
void print_sizes(const StepBatch& batch, const MemoryConfig& memory) {
  for (std::size_t level = 0; level < 3; ++level) {
    const std::vector<Sequence>& sequences = batch.levels[level].sequences.sequences();
    std::size_t tokens = 0;
    for (const Sequence& sequence : sequences) tokens += sequence.tokens.size();
    const auto stacked = static_cast<std::int64_t>(2 * batch.levels[level].pairs.size());
    fmt::print("a batch's level {}: {} sequences, {} tokens; padded: {}, {}\n", level + 1,
               sequences.size(), tokens, stacked, stacked * (memory.lengths[level] + 2));
  }
}

// How workers share a step.
struct Division {
  const char* name;
  int workers;
  int threads;
};
constexpr std::array<Division, 3> kDivisions{
    {{"two workers", 2, 1}, {"one worker, two threads", 1, 2}, {"one worker", 1, 1}}};

struct StepCost {
  Cost all;
  Cost update;  // the optimiser's part
};

StepCost our_step(train::WeightsInTraining& weights, const StepBatch& batch, const Trained& trained,
                  const Division& division) {
  weights.set_trained(trained);
  train::StepOptions options{.trained = trained, .dropout = kDropout};
  options.workers = division.workers;
  options.worker_threads = division.threads;
  StepCost cost;
  cost.all = cost_of(kBatchClaims, [&] {
    train::StepResult result = weights.compute(batch, options);
    cost.update = cost_of(kBatchClaims, [&] { weights.update(result.gradients, kRates, 3); });
  });
  return cost;
}

// With its better number of threads. Dropout in the encoder's epochs only, as in ours.
Cost padded_step(PaddedTraining& training, const StepBatch& batch, const Trained& trained) {
  const auto run = [&](int threads) {
    at::set_num_threads(threads);
    return cost_of(kBatchClaims, [&] {
      training.compute(batch, trained.encoder ? kDropout : 0);
      training.update(trained, kRates.memory, kRates.encoder);
    });
  };
  const Cost one = run(1);
  return better(one, run(2));
}

// The steps of one kind of epoch.
struct Steps {
  const char* name;
  Trained trained;
  double target;  // times the baseline's claims per second
  Rounds padded{};
  std::array<Rounds, kDivisions.size()> ours{};
  Rounds updates{};

  void run(train::WeightsInTraining& weights, PaddedTraining& baseline, const StepBatch& batch) {
    for (std::size_t i = 0; i < kDivisions.size(); ++i) {
      const StepCost cost = our_step(weights, batch, trained, kDivisions[i]);
      ours[i].push_back(cost.all);
      if (i == 0) updates.push_back(cost.update);
    }
    padded.push_back(padded_step(baseline, batch, trained));
  }

  void print() const {
    fmt::print("{} epoch: LibTorch, padded: {:.2f} claims/s\n", name,
               1 / median(padded, &Cost::clock));
    for (std::size_t i = 0; i < kDivisions.size(); ++i) {
      fmt::print("{} epoch: {}: {:.2f} claims/s; to one worker: {}\n", name, kDivisions[i].name,
                 1 / median(ours[i], &Cost::clock), text(ratio(ours.back(), ours[i])));
    }
    const Ratio share = ratio(updates, ours[0]);
    fmt::print(
        "{} epoch: with two workers, the optimiser takes {:.0f} % ({:.0f} % of the processor "
        "time)\n",
        name, 100 * share.clock, 100 * share.processors);
    const Ratio gain = ratio(padded, ours[0]);
    fmt::print("{} epoch: {} LibTorch's claims per second (at least {:.1f}: {})\n", name,
               text(gain), target, verdict(gain.clock >= target));
  }
};

// An epoch's search, with two threads.
struct Search {
  const char* name;
  search::Network network;
  Rounds rounds{};

  std::vector<Beam> run(const Setting& setting, std::span<const std::size_t> claims) {
    std::vector<Beam> beams;
    rounds.push_back(cost_of(claims.size(), [&] {
      beams = train::search_beams(setting.set, claims, network, train::StageRecipe{});
    }));
    return beams;
  }

  void print(const Steps& steps) const {
    const Ratio share = ratio(rounds, steps.ours[0]);
    fmt::print("search, {}: {:.0f} ms a claim, {} an {} epoch's step (at most 1.0: {})\n", name,
               1e3 * median(rounds, &Cost::clock), text(share), steps.name,
               verdict(share.clock <= 1));
  }
};

// Both must be the same step: the largest difference of a gradient, as a part of the gradient's
// norm, without dropout and for one claim.
double largest_difference(const Setting& setting, const StepBatch& batch) {
  train::Twin twin(setting.model.weights);
  train::Head head(setting.model.weights.encoder.config.hidden);
  const train::StepOptions options{.trained = {.memory = true, .encoder = true}};
  const std::vector<torch::Tensor> ours =
      train::compute_step(twin, head, batch, twin->parameters(), options).gradients;
  PaddedTraining training(setting.model.weights);
  training.compute(batch, 0);
  double largest = 0;
  const std::vector<train::NamedParameter> theirs = training.gradients();
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    // A key's bias changes no attention: its gradient is all rounding.
    if (theirs[i].name.ends_with("key.bias")) continue;
    const double norm = theirs[i].value.norm().item<double>();
    largest = std::max(largest, (theirs[i].value - ours[i]).norm().item<double>() / norm);
  }
  return largest;
}

void race(const Setting& setting, std::size_t rounds) {
  Search int8{"int8", {setting.model, engine::Precision::int8, 2}};
  Search fp32{"fp32", {setting.model, engine::Precision::fp32, 2}};
  Steps memory{"memory", kMemory, 4};
  Steps encoder{"encoder", kEncoder, 2};
  train::WeightsInTraining weights(setting.model.weights, torch::kCPU);
  weights.make_optimizers(setting.recipe);
  PaddedTraining baseline(setting.model.weights);
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto claims = std::span(setting.claims).subspan(round * kSearched, kSearched);
    fp32.run(setting, claims);
    const std::vector<Beam> beams = int8.run(setting, claims);
    const StepBatch batch = make_batch(setting, claims.first(kBatchClaims), beams);
    if (round == 0) {
      print_sizes(batch, setting.model.weights.memory->config);
      fmt::print("gradients of one claim differ from LibTorch's by {:.1e} of their norm\n",
                 largest_difference(setting, make_batch(setting, claims.first(1), beams)));
    }
    memory.run(weights, baseline, batch);
    encoder.run(weights, baseline, batch);
  }
  fmt::print("medians of {} rounds:\n", rounds);
  for (const Steps* steps : {&memory, &encoder}) steps->print();
  for (const Search* search : {&int8, &fp32})
    for (const Steps* steps : {&memory, &encoder}) search->print(*steps);
}

void main_(std::size_t rounds, const std::string& store) {
  if (!std::filesystem::exists(kMiniLm)) {
    fmt::print("left out: {} is not there; 'make encoder' fetches it\n", kMiniLm.string());
    return;
  }
  train::keep_freed_memory();
  Setting setting;
  prepare(setting, rounds, store);
  race(setting, rounds);
}

}  // namespace
}  // namespace memmatch::bench

// Takes a number of rounds, if not 3, and a datastore of the reduced FEVER set, if there is one.
int main(int count, char** values) {
  memmatch::bench::main_(count > 1 ? std::stoul(values[1]) : 3, count > 2 ? values[2] : "");
}
