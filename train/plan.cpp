#include "train/plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace memmatch::train {
namespace {

constexpr double kHeadLearningRate = 1e-3;

// Alternation as in the paper: memory layers first, then the encoder, and so on; once the encoder
// has had its epochs, memory layers only.
Trained trained_in(const StageRecipe& stage, const RunState& state) {
  if (stage.kind == "warmup" || stage.updates == "encoder") return {false, true};
  if (stage.updates == "joint") return {true, true};
  if (stage.updates == "memory") return {true, false};
  const bool encoder = state.epoch % 2 == 1 && state.encoder_epochs < stage.encoder_epochs;
  return {!encoder, encoder};
}

std::int64_t encoder_epochs_of(const StageRecipe& stage) {
  if (stage.kind == "warmup" || stage.updates == "joint" || stage.updates == "encoder")
    return stage.epochs;
  if (stage.updates == "memory") return 0;
  return std::min(stage.encoder_epochs, stage.epochs / 2);
}

// "loss 0.612: level 1 0.580 (0.637), …": means over the epoch, and what a level would show that
// has learned nothing.
std::string loss_text(const EpochSums& sums) {
  const auto steps = static_cast<double>(std::max<std::int64_t>(1, sums.steps));
  std::string text = fmt::format("loss {:.4f}", sums.loss / steps);
  const auto losses = means(sums.losses, sums.present);
  const auto uninformed = means(sums.uninformed, sums.present);
  for (std::size_t level = 0; level < 3; ++level) {
    if (losses[level])
      text +=
          fmt::format(", level {} {:.4f} ({:.4f})", level + 1, *losses[level], *uninformed[level]);
  }
  if (sums.head_steps > 0)
    text += fmt::format(", head {:.4f}", sums.head_loss / static_cast<double>(sums.head_steps));
  return text;
}

std::string minutes(double seconds) {
  return seconds < 100 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
}

}  // namespace

Rates Plan::rates(const Recipe& recipe, const RunState& state) const {
  const double factor = linear_schedule(state.encoder_step, encoder_steps, recipe.encoder.warm_up);
  Rates rates;
  if (trained.encoder) {
    rates.encoder = recipe.encoder.learning_rate * encoder_rate * factor;
    rates.head = kHeadLearningRate * factor;
  }
  if (trained.memory) {
    const double left =
        1 - static_cast<double>(state.stage_step) / static_cast<double>(stage_steps);
    rates.memory = recipe.memory.learning_rate * memory_rate * (recipe.memory.decay ? left : 1);
  }
  return rates;
}

Plan plan_of(const StageRecipe& stage, std::int64_t pass, const RunState& state) {
  Plan plan;
  plan.trained = trained_in(stage, state);
  plan.kind = stage.kind == "warmup"                        ? "warmup"
              : plan.trained.memory && plan.trained.encoder ? "joint"
              : plan.trained.memory                         ? "memory"
                                                            : "encoder";
  plan.claims_per_epoch = stage.claims > 0 ? stage.claims : pass;
  plan.steps_per_epoch = (plan.claims_per_epoch + stage.batch - 1) / stage.batch;
  plan.stage_steps = stage.epochs * plan.steps_per_epoch;
  plan.memory_rate = stage.memory_rate;
  plan.encoder_rate = stage.encoder_rate;
  plan.encoder_steps = encoder_epochs_of(stage) * plan.steps_per_epoch;
  return plan;
}

std::array<std::optional<double>, 3> means(const std::array<double, 3>& sums,
                                           const std::array<std::int64_t, 3>& counts) {
  std::array<std::optional<double>, 3> result;
  for (std::size_t i = 0; i < 3; ++i)
    if (counts[i] > 0) result[i] = sums[i] / static_cast<double>(counts[i]);
  return result;
}

std::string progress_line(const Plan& plan, const StageRecipe& stage, const RunState& state) {
  const double per_step =
      state.sums.step_seconds / static_cast<double>(std::max<std::int64_t>(1, state.sums.steps));
  const double left = per_step * static_cast<double>(plan.stage_steps - state.stage_step);
  return fmt::format(
      "stage {} epoch {} ({}): step {} of {}, {:.1f} claims/s, {} left in the stage; {}",
      state.stage + 1, state.epoch + 1, plan.kind, state.batch, plan.steps_per_epoch,
      static_cast<double>(stage.batch) / per_step, minutes(left), loss_text(state.sums));
}

std::string epoch_line(const Plan& plan, const StageRecipe& stage, const RunState& state,
                       const nlohmann::ordered_json& dev, bool best) {
  std::string text =
      fmt::format("stage {} epoch {} of {} ({}): search {}, steps {}; {}", state.stage + 1,
                  state.epoch + 1, stage.epochs, plan.kind, minutes(state.sums.search_seconds),
                  minutes(state.sums.step_seconds), loss_text(state.sums));
  if (dev.contains("head_accuracy")) {
    text += fmt::format("; dev: head {:.1f} %", 100 * dev["head_accuracy"].get<double>());
  } else if (!dev.is_null()) {
    text += fmt::format(
        "; dev: accuracy {:.1f} %, FEVER score {:.1f} %, level 1 complete {:.1f} %, level 2 strict "
        "{:.1f} %",
        100 * dev["accuracy"].get<double>(), 100 * dev["fever_score"].get<double>(),
        100 * dev["level1"]["complete"].get<double>(), 100 * dev["level2"]["strict"].get<double>());
  }
  return text + (best ? " (best so far)" : "");
}

}  // namespace memmatch::train
