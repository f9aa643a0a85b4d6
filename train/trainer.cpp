#include "train/trainer.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "memmatch/error.h"
#include "model/initialize.h"
#include "train/beams.h"
#include "train/checkpoint.h"
#include "train/dev.h"
#include "train/draw_batch.h"
#include "train/embedding_teacher.h"
#include "train/head_dev.h"
#include "train/metrics_log.h"
#include "train/plan.h"
#include "train/run_start.h"
#include "train/step.h"
#include "train/weights_in_training.h"

namespace memmatch::train {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int thread_count(int threads) {
  return threads > 0 ? threads
                     : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

torch::Device device_of(const std::string& name) {
  if (name == "cpu") return torch::kCPU;
  if (name != "cuda") {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("--device is '{}'; it must be cpu or cuda", name));
  }
  if (!torch::cuda::is_available()) {
    throw Error(ErrorKind::unsupported,
                "--device cuda: this LibTorch has no CUDA, or there is no such device");
  }
  return torch::kCUDA;
}

template <typename Optionals>
Json nullable(const Optionals& values) {
  Json list = Json::array();
  for (const auto& value : values) list.push_back(value ? Json(*value) : Json());
  return list;
}

class Trainer {
 public:
  Trainer(const Recipe& recipe, const TrainOptions& options, Checkpoint start);

  TrainOutcome run();

 private:
  const StageRecipe& stage() const {
    return recipe_.stages[static_cast<std::size_t>(state_.stage)];
  }
  int workers() const { return options_.device == "cpu" ? threads_ : 1; }
  Plan plan() const { return plan_of(stage(), set_pass_, state_); }

  bool run_stage();
  bool run_epoch();
  bool has_next_stage() const {
    return state_.stage + 1 < static_cast<std::int64_t>(recipe_.stages.size());
  }
  void next_stage();
  void begin_stage();
  void search(std::span<const std::size_t> claims);
  bool take_step(std::span<const std::size_t> claims, std::span<const Beam> beams);
  StepBatch batch_of(std::span<const std::size_t> claims, std::span<const Beam> beams) const {
    return draw_batch(set_, sources_, writer_, recipe_, stage(), state_.step, claims, beams);
  }
  void note_step(const StepBatch& batch, const StepResult& result, double seconds);
  void end_epoch();
  double dev_head_accuracy();
  void save();
  void check_loss(double loss) const;
  bool checkpoint_is_due() const;
  bool must_stop() const { return options_.stop && *options_.stop; }
  void say(const std::string& line, bool passing = false) const {
    if (options_.say) options_.say(line, passing);
  }

  const Recipe& recipe_;
  const TrainOptions& options_;
  int threads_;
  Arithmetic arithmetic_;
  ModelData model_;  // all but the weights, which live in weights_
  SequenceWriter writer_;
  TrainingSet set_;
  std::vector<PairSource> sources_;
  std::int64_t set_pass_;  // claims of a pass over the set
  std::vector<data::Claim> dev_;
  std::optional<EmbeddingTeacher> teacher_;
  std::optional<TrainingSet> head_dev_;  // read when a warm-up first needs it
  WeightsInTraining weights_;
  RunState state_;
  std::vector<Beam> beams_;  // of the epoch at hand; none before its search
  MetricsLog log_;
  Clock::time_point last_checkpoint_ = Clock::now();
  std::int64_t steps_since_checkpoint_ = 0;
};

bool any_stage(const Recipe& recipe, bool (*holds)(const StageRecipe&)) {
  return std::any_of(recipe.stages.begin(), recipe.stages.end(), holds);
}

bool searches_by_overlap(const StageRecipe& stage) { return stage.search == "overlap"; }

Trainer::Trainer(const Recipe& recipe, const TrainOptions& options, Checkpoint start)
    : recipe_(recipe),
      options_(options),
      threads_(thread_count(options.threads)),
      arithmetic_(parse_arithmetic(recipe.encoder.arithmetic)),
      model_(std::move(start.model)),
      writer_(model_),
      set_(load_training_set(recipe.data, writer_, any_stage(recipe, searches_by_overlap),
                             [&](const Progress& p) {
                               if (p.done % 100 == 0 || p.done == p.total)
                                 say(fmt::format("reading claims: {} of {}", p.done, p.total),
                                     true);
                             })),
      sources_(read_pair_sources(recipe.sources, writer_)),
      set_pass_(claims_of_a_pass(set_, recipe.data.unverifiable_share)),
      dev_(read_dev_claims(recipe)),
      weights_(model_.weights, device_of(options.device)),
      state_(start.state),
      beams_(std::move(start.beams)),
      log_(options.run, state_.metrics_bytes, state_.step) {
  say(fmt::format("{} training claims, {} sentences within their reach, {} dev claims, {} workers",
                  set_.claims.size(), set_.evidence.size(), dev_.size(), threads_));
  if (!recipe.embedding.like.empty())
    teacher_.emplace(recipe.embedding.like, model_.weights.encoder.config, threads_);
  if (state_.step == 0 && state_.stage == 0) {
    begin_stage();
  } else {
    weights_.make_optimizers(recipe_, stage());
    restore_tensors(options.run, weights_.training_state());
  }
}

TrainOutcome Trainer::run() {
  // The recipe was given more stages since the run ended.
  if (state_.finished && has_next_stage()) {
    state_.finished = false;
    next_stage();
  }
  while (!state_.finished) {
    if (!run_stage()) break;
  }
  return {state_.finished, state_.best_accuracy, state_.step};
}

// False where it was stopped.
bool Trainer::run_stage() {
  const auto is_stale = [&] {
    return stage().patience > 0 && state_.stale_epochs >= stage().patience;
  };
  while (state_.epoch < stage().epochs && !is_stale()) {
    if (!run_epoch()) return false;
  }
  if (is_stale()) {
    say(fmt::format("stage {}: no gain on dev for {} epochs, so it ends here", state_.stage + 1,
                    stage().patience));
  }
  if (has_next_stage()) {
    next_stage();
  } else {
    state_.finished = true;
    save();
  }
  return true;
}

void Trainer::next_stage() {
  ++state_.stage;
  state_.epoch = 0;
  state_.stage_step = state_.encoder_step = state_.encoder_epochs = state_.stale_epochs = 0;
  if (stage().from_best && state_.best_accuracy >= 0)
    weights_.set(load_model(options_.run / "best").weights);
  begin_stage();
}

void Trainer::begin_stage() {
  if (stage().level1_start == "words") {
    ModelWeights weights = weights_.get();
    weights.memory->levels[0] = match_words(
        model_.memory_vocabulary.value(), weights.memory->config, weights.encoder.config,
        static_cast<std::int64_t>(set_.claims.size()), recipe_.seed);
    weights_.set(weights);
  }
  weights_.make_optimizers(recipe_, stage());
}

bool Trainer::run_epoch() {
  const Plan plan = this->plan();
  const std::vector<std::size_t> claims =
      draw_claims(set_, recipe_.data.unverifiable_share, recipe_.seed, state_.claims_drawn,
                  plan.claims_per_epoch);
  if (beams_.empty() && state_.batch == 0) {
    state_.sums = {};
    search(claims);
  } else if (beams_.size() != claims.size()) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: the epoch at hand has {} claims, but the checkpoint beams for {}: "
                            "the recipe's claims cannot be changed in the middle of an epoch",
                            options_.run.string(), claims.size(), beams_.size()));
  }
  weights_.set_trained(plan.trained);
  const auto size = static_cast<std::size_t>(stage().batch);
  std::span<const std::size_t> some;
  std::span<const Beam> beams;
  while (state_.batch < plan.steps_per_epoch) {
    const std::size_t begin = static_cast<std::size_t>(state_.batch) * size;
    const std::size_t count = std::min(size, claims.size() - begin);
    some = std::span(claims).subspan(begin, count);
    beams = std::span(beams_).subspan(begin, count);
    if (!take_step(some, beams)) return false;
  }
  check_loss(weights_.loss(batch_of(some, beams), workers()));
  end_epoch();
  return true;
}

void Trainer::search(std::span<const std::size_t> claims) {
  const auto start = Clock::now();
  if (stage().search == "overlap") {
    beams_ = overlap_beams(set_, claims, stage());
  } else {
    ModelData model = model_;
    model.weights = weights_.get();
    search::Network network(
        std::move(model),
        recipe_.data.precision == "int8" ? engine::Precision::int8 : engine::Precision::fp32,
        threads_);
    beams_ = search_beams(set_, claims, network, stage(), [&](const Progress& p) {
      say(fmt::format("searching: {} of {} claims", p.done, p.total), true);
    });
  }
  state_.sums.search_seconds += seconds_since(start);
}

// False where it was stopped. A checkpoint is written between the loss and the update, or after
// the loss was looked at once more, so that its weights are known to give one: those that an update
// has spoilt are never saved.
bool Trainer::take_step(std::span<const std::size_t> claims, std::span<const Beam> beams) {
  const auto start = Clock::now();
  const Plan plan = this->plan();
  StepBatch batch = batch_of(claims, beams);
  if (teacher_ && plan.trained.encoder) teacher_->teach(batch.embedding);
  StepOptions options;
  options.trained = plan.trained;
  options.arithmetic = arithmetic_;
  options.dropout = recipe_.encoder.dropout;
  options.level1_weight = stage().level1_weight;
  options.head_weight = recipe_.pairs.head_weight;
  options.embedding_weight = recipe_.embedding.weight;
  options.seed = mix_seed({recipe_.seed, static_cast<std::uint64_t>(state_.step)});
  options.workers = workers();
  StepResult result = weights_.compute(batch, options);
  check_loss(result.loss);
  const bool stop = must_stop();
  if (stop || checkpoint_is_due()) save();
  if (stop) return false;
  weights_.update(result.gradients, plan.rates(recipe_, state_), recipe_.memory.clip_norm);
  note_step(batch, result, seconds_since(start));
  return true;
}

void Trainer::check_loss(double loss) const {
  if (std::isfinite(loss)) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("the loss is {} at step {}: training has diverged; resume from the last "
                          "checkpoint with a smaller learning rate (--resume --set "
                          "encoder.learning_rate=… --set memory.learning_rate=…)",
                          loss, state_.step));
}

void Trainer::note_step(const StepBatch& batch, const StepResult& result, double seconds) {
  const Rates rates = plan().rates(recipe_, state_);
  EpochSums& sums = state_.sums;
  std::array<std::optional<double>, 3> uninformed;
  for (std::size_t level = 0; level < 3; ++level) {
    if (!result.losses[level]) continue;
    uninformed[level] = batch.levels[level].uninformed_loss();
    sums.losses[level] += *result.losses[level];
    sums.uninformed[level] += *uninformed[level];
    ++sums.present[level];
  }
  if (result.head_loss) {
    sums.head_loss += *result.head_loss;
    ++sums.head_steps;
  }
  ++sums.steps;
  sums.loss += result.loss;
  sums.step_seconds += seconds;
  if (plan().trained.encoder) ++state_.encoder_step;
  ++state_.stage_step;
  ++state_.step;
  ++state_.batch;
  ++steps_since_checkpoint_;
  log_.write({{"event", "step"},
              {"stage", state_.stage + 1},
              {"epoch", state_.epoch + 1},
              {"kind", plan().kind},
              {"step", state_.step},
              {"claims", state_.claims_drawn + state_.batch * stage().batch},
              {"loss", result.loss},
              {"losses", nullable(result.losses)},
              {"uninformed", nullable(uninformed)},
              {"head_loss", result.head_loss ? Json(*result.head_loss) : Json()},
              {"head_accuracy", result.head_loss ? Json(result.head_accuracy) : Json()},
              {"embedding_loss", result.embedding_loss ? Json(*result.embedding_loss) : Json()},
              {"lr_memory", rates.memory},
              {"lr_encoder", rates.encoder},
              {"claims_per_second", static_cast<double>(stage().batch) / seconds}});
  say(progress_line(plan(), stage(), state_), true);
}

void Trainer::end_epoch() {
  const Plan plan = this->plan();
  const auto start = Clock::now();
  const fs::path latest = options_.run / "latest";
  model_.weights = weights_.get();
  save_model(model_, latest, {.force = true});
  Json dev;
  bool best = false;
  if (stage().kind == "warmup") {
    if (!dev_.empty()) dev = {{"claims", dev_.size()}, {"head_accuracy", dev_head_accuracy()}};
  } else if (!dev_.empty()) {
    say("verifying dev claims", true);
    const DevFigures figures = evaluate_on_dev(dev_, recipe_, latest, stage(), threads_);
    dev = figures.json;
    best = figures.accuracy > state_.best_accuracy;
    state_.stale_epochs = best ? 0 : state_.stale_epochs + 1;
    if (best) state_.best_accuracy = figures.accuracy;
  } else {
    best = true;
  }
  if (best) {
    state_.best_step = state_.step;
    save_model(model_, options_.run / "best", {.force = true});
  }
  const EpochSums& sums = state_.sums;
  log_.write({{"event", "epoch"},
              {"stage", state_.stage + 1},
              {"epoch", state_.epoch + 1},
              {"kind", plan.kind},
              {"step", state_.step},
              {"loss", sums.loss / static_cast<double>(std::max<std::int64_t>(1, sums.steps))},
              {"losses", nullable(means(sums.losses, sums.present))},
              {"uninformed", nullable(means(sums.uninformed, sums.present))},
              {"seconds",
               {{"search", sums.search_seconds},
                {"steps", sums.step_seconds},
                {"dev", seconds_since(start)}}},
              {"dev", dev},
              {"best", best}});
  say(epoch_line(plan, stage(), state_, dev, best));
  if (plan.trained.encoder && stage().kind == "match") ++state_.encoder_epochs;
  state_.claims_drawn += plan.claims_per_epoch;
  ++state_.epoch;
  state_.batch = 0;
  beams_.clear();
  save();  // the next search may take long
}

double Trainer::dev_head_accuracy() {
  if (!head_dev_) head_dev_ = load_head_dev(recipe_, writer_, dev_);
  return head_accuracy_on_dev(*head_dev_, writer_, weights_, stage().z, workers());
}

bool Trainer::checkpoint_is_due() const {
  if (state_.batch == 0) return true;
  if (options_.checkpoint_steps > 0 && steps_since_checkpoint_ >= options_.checkpoint_steps)
    return true;
  return seconds_since(last_checkpoint_) >= 60 * options_.checkpoint_minutes;
}

void Trainer::save() {
  state_.metrics_bytes = log_.bytes();
  model_.weights = weights_.get();
  save_checkpoint(options_.run, model_, state_, beams_, weights_.training_state());
  last_checkpoint_ = Clock::now();
  steps_since_checkpoint_ = 0;
}

}  // namespace

TrainOutcome train(const Recipe& recipe, const TrainOptions& options) {
  check(recipe);
  return Trainer(recipe, options, start_of_run(recipe, options)).run();
}

}  // namespace memmatch::train
