// Training: steps of the paper's kind against the same steps as research code does them on
// LibTorch, and against the search that an epoch begins with; workers against OpenMP's threads. All
// contenders take turns in one run.

#include "cost.h"
#include "data/documents.h"
#include "data/import.h"
#include "padded_training.h"
#include "support.h"
#include "train/beams.h"
#include "train/new_model.h"
#include "train/weights_in_training.h"

namespace memmatch::bench {
namespace {

using train::Beam;
using train::StepBatch;
using train::Trained;

// Claims that a round searches, then learning from the first. An epoch's claims share candidates,
// the more the more claims there are.
constexpr std::size_t kSearched = 512;
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
  train::Recipe recipe;
  ModelData model;
  train::TrainingSet set;
  std::vector<std::size_t> claims;
};

// What a user may choose.
struct Options {
  std::size_t rounds = 3;
  std::size_t batch = 9;  // claims of a mini-batch
  std::string store;      // of the reduced FEVER set; made where none is given
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
Setting prepare(const Scratch& scratch, const Options& options) {
  const bool fever = std::filesystem::exists(kFever);
  const std::filesystem::path claims = scratch / "claims.jsonl";
  const std::size_t wanted = kSearched * options.rounds;
  train::Recipe recipe;
  recipe.data.store = options.store.empty() ? (scratch / "store").string() : options.store;
  recipe.data.train = {claims.string()};
  recipe.model.start = kMiniLm.string();
  if (options.store.empty()) import(recipe.data.store, fever);
  copy_lines(fever ? kFever / "train.jsonl" : kDemo / "claims.jsonl", claims, wanted);
  ModelData model = train::new_model(recipe, {});
  train::TrainingSet set = train::load_training_set(recipe.data, SequenceWriter(model), false);
  fmt::print("{} claims of {}, {} sentences within their reach; {} claims a batch\n",
             set.claims.size(), fever ? "reduced FEVER" : "the demo", set.evidence.size(),
             options.batch);
  std::vector<std::size_t> drawn =
      train::draw_claims(set, 0, recipe.seed, 0, static_cast<std::int64_t>(wanted));
  return {std::move(recipe), std::move(model), std::move(set), std::move(drawn)};
}

StepBatch make_batch(const Setting& setting, std::span<const std::size_t> claims,
                     std::span<const Beam> beams) {
  const SequenceWriter sequences(setting.model);
  const train::StepBatchWriter writer(sequences, setting.set);
  StepBatch batch;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const train::TrainingClaim& claim = setting.set.claims[claims[i]];
    writer.add_claim(batch, claim, train::make_pairs(claim, beams[i], setting.recipe.pairs, {}),
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

// A mini-batch of so many claims.
struct Batch {
  std::size_t claims;
  StepBatch sequences;
};

StepCost our_step(train::WeightsInTraining& weights, const Batch& batch, const Trained& trained,
                  const Division& division) {
  weights.set_trained(trained);
  train::StepOptions options{.trained = trained, .dropout = kDropout};
  options.workers = division.workers;
  options.worker_threads = division.threads;
  StepCost cost;
  cost.all = cost_of(batch.claims, [&] {
    train::StepResult result = weights.compute(batch.sequences, options);
    cost.update = cost_of(batch.claims, [&] { weights.update(result.gradients, kRates, 3); });
  });
  return cost;
}

// With its better number of threads. Dropout in the encoder's epochs only, as in ours.
Cost padded_step(PaddedTraining& training, const Batch& batch, const Trained& trained) {
  const auto run = [&](int threads) {
    at::set_num_threads(threads);
    return cost_of(batch.claims, [&] {
      training.compute(batch.sequences, trained.encoder ? kDropout : 0);
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

  void run(train::WeightsInTraining& weights, PaddedTraining& baseline, const Batch& batch) {
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
  search::Network& network;
  std::int64_t k1;
  Rounds rounds{};

  std::vector<Beam> run(const Setting& setting, std::span<const std::size_t> claims) {
    std::vector<Beam> beams;
    rounds.push_back(cost_of(claims.size(), [&] {
      beams = train::search_beams(setting.set, claims, network, train::StageRecipe{.k1 = k1});
    }));
    return beams;
  }

  void print(const Steps& steps) const {
    const Ratio share = ratio(rounds, steps.ours[0]);
    fmt::print(
        "search, {}, k1 = {}: {:.0f} ms a claim, {} a step of the {} epoch (at most 1.0: {})\n",
        name, k1, 1e3 * median(rounds, &Cost::clock), text(share), steps.name,
        verdict(share.clock <= 1));
  }
};

// Both must be the same step: the largest difference of a gradient, as a part of the gradient's
// norm, without dropout and for one claim, and where it is.
std::string largest_difference(const Setting& setting, const StepBatch& batch) {
  train::Twin twin(setting.model.weights);
  train::Head head(setting.model.weights.encoder.config.hidden);
  const train::StepOptions options{.trained = {.memory = true, .encoder = true}};
  const std::vector<torch::Tensor> ours =
      train::compute_step(twin, head, batch, twin->parameters(), options).gradients;
  PaddedTraining training(setting.model.weights);
  training.compute(batch, 0);
  const std::vector<train::NamedParameter> theirs = training.gradients();
  double largest_norm = 0;
  for (const train::NamedParameter& gradient : theirs) {
    if (gradient.value.defined())
      largest_norm = std::max(largest_norm, gradient.value.norm().item<double>());
  }
  double largest = -1;
  std::string where;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    if (!theirs[i].value.defined()) continue;
    // A key's bias changes no attention, a filter's no difference of vectors: gradients of that
    // kind are nothing but rounding.
    const double norm = theirs[i].value.norm().item<double>();
    if (norm < 1e-6 * largest_norm) continue;
    const double difference = (theirs[i].value - ours[i]).norm().item<double>() / norm;
    if (difference <= largest) continue;
    largest = difference;
    where = fmt::format("{:.1e} of their norm at most, in {}, whose norm is {:.0e} of the largest",
                        difference, theirs[i].name, norm / largest_norm);
  }
  return where;
}

void race(const Setting& setting, const Options& options) {
  search::Network int8_network(setting.model, engine::Precision::int8, 2);
  search::Network fp32_network(setting.model, engine::Precision::fp32, 2);
  Search int8{"int8", int8_network, 10};
  Search wider{"int8", int8_network, 30};
  Search fp32{"fp32", fp32_network, 10};
  Steps memory{"memory", kMemory, 4};
  Steps encoder{"encoder", kEncoder, 2};
  train::WeightsInTraining weights(setting.model.weights, torch::kCPU);
  weights.make_optimizers(setting.recipe, {});
  PaddedTraining baseline(setting.model.weights);
  for (std::size_t round = 0; round < options.rounds; ++round) {
    const auto claims = std::span(setting.claims).subspan(round * kSearched, kSearched);
    fp32.run(setting, claims);
    wider.run(setting, claims);
    const std::vector<Beam> beams = int8.run(setting, claims);
    const Batch batch{options.batch, make_batch(setting, claims.first(options.batch), beams)};
    if (round == 0) {
      print_sizes(batch.sequences, setting.model.weights.memory->config);
      fmt::print("gradients of one claim differ from LibTorch's by {}\n",
                 largest_difference(setting, make_batch(setting, claims.first(1), beams)));
    }
    memory.run(weights, baseline, batch);
    encoder.run(weights, baseline, batch);
  }
  fmt::print("medians of {} rounds:\n", options.rounds);
  for (const Steps* steps : {&memory, &encoder}) steps->print();
  for (const Search* search : {&int8, &wider, &fp32})
    for (const Steps* steps : {&memory, &encoder}) search->print(*steps);
}

void main_(const Options& options) {
  if (!std::filesystem::exists(kMiniLm)) {
    fmt::print("left out: {} is not there; 'make encoder' fetches it\n", kMiniLm.string());
    return;
  }
  const Scratch scratch;
  race(prepare(scratch, options), options);
}

}  // namespace
}  // namespace memmatch::bench

// Takes a number of rounds, one of claims of a mini-batch, and a datastore of the reduced FEVER
// set; all may be left out.
int main(int count, char** values) {
  memmatch::bench::Options options;
  if (count > 1) options.rounds = std::stoul(values[1]);
  if (count > 2) options.batch = std::min(std::stoul(values[2]), memmatch::bench::kSearched);
  if (count > 3) options.store = values[3];
  memmatch::bench::main_(options);
}
