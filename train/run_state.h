#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace memmatch::train {

// Sums over the steps of an epoch so far.
struct EpochSums {
  std::int64_t steps = 0;
  double loss = 0;
  std::array<double, 3> losses{};         // over the steps that had the level
  std::array<double, 3> uninformed{};     // what such a level would show that has learned nothing
  std::array<std::int64_t, 3> present{};  // steps that had the level
  double head_loss = 0;
  std::int64_t head_steps = 0;
  double search_seconds = 0;
  double step_seconds = 0;
};

// Where a run is. Together with the weights and the optimisers' state it is all that is needed to
// go on as if nothing had happened.
struct RunState {
  std::int64_t stage = 0;           // from 0
  std::int64_t epoch = 0;           // of the stage, from 0
  std::int64_t batch = 0;           // of the epoch: the next one
  std::int64_t step = 0;            // of the run: how many were taken
  std::int64_t stage_step = 0;      // of the stage
  std::int64_t encoder_step = 0;    // of the stage: those that changed the encoder
  std::int64_t encoder_epochs = 0;  // of the stage
  std::int64_t claims_drawn = 0;    // before this epoch
  double best_accuracy = -1;        // on dev, of the levels' decisions
  std::int64_t best_step = 0;
  std::int64_t stale_epochs = 0;  // since the stage's last gain
  EpochSums sums;
  std::uint64_t metrics_bytes = 0;  // of metrics.jsonl that belong to this state
  bool finished = false;
};

nlohmann::json to_json(const RunState& state);
RunState state_from_json(const nlohmann::json& json);

}  // namespace memmatch::train
