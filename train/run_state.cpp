#include "train/run_state.h"

namespace memmatch::train {
namespace {

// The one list of fields that both ways follow.
template <typename State, typename Visit>
void for_each_field(State& state, const Visit& visit) {
  visit("stage", state.stage);
  visit("epoch", state.epoch);
  visit("batch", state.batch);
  visit("step", state.step);
  visit("stage_step", state.stage_step);
  visit("encoder_step", state.encoder_step);
  visit("encoder_epochs", state.encoder_epochs);
  visit("claims_drawn", state.claims_drawn);
  visit("best_accuracy", state.best_accuracy);
  visit("best_step", state.best_step);
  visit("stale_epochs", state.stale_epochs);
  visit("sum_steps", state.sums.steps);
  visit("sum_loss", state.sums.loss);
  visit("sum_losses", state.sums.losses);
  visit("sum_uninformed", state.sums.uninformed);
  visit("sum_present", state.sums.present);
  visit("sum_head_loss", state.sums.head_loss);
  visit("sum_head_steps", state.sums.head_steps);
  visit("search_seconds", state.sums.search_seconds);
  visit("step_seconds", state.sums.step_seconds);
  visit("metrics_bytes", state.metrics_bytes);
  visit("finished", state.finished);
}

}  // namespace

nlohmann::json to_json(const RunState& state) {
  nlohmann::json json;
  for_each_field(state, [&](const char* name, const auto& value) { json[name] = value; });
  return json;
}

RunState state_from_json(const nlohmann::json& json) {
  RunState state;
  for_each_field(state, [&](const char* name, auto& value) { json.at(name).get_to(value); });
  return state;
}

}  // namespace memmatch::train
