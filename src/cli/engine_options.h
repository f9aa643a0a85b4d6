#pragma once

#include <CLI/CLI.hpp>

#include "engine/precision.h"

namespace memmatch::cli {

// How a verb that runs the model runs it.
struct EngineOptions {
  engine::Precision precision = engine::Precision::fp32;
  int threads = 0;  // 0: as many as there are processors
};

// --precision and --threads.
void add_engine_options(CLI::App& verb, EngineOptions& options);

// options.threads, or the number of processors that this process may use.
int thread_count(const EngineOptions& options);

}  // namespace memmatch::cli
