#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "memmatch/model.h"
#include "model/model_files.h"

// What the verbs that write or describe models have in common.

namespace memmatch::cli {

// --storage and --force.
void add_save_options(CLI::App& verb, SaveOptions& options);

// What `model info` prints.
void print_model(const std::string& path, const ModelInfo& info, bool json);

}  // namespace memmatch::cli
