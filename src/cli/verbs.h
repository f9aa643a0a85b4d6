#pragma once

#include <CLI/CLI.hpp>

// Every verb adds itself to the program and does its work when it is called: it parses, calls the
// library and prints. Data goes to stdout, everything else to stderr.

namespace memmatch::cli {

void add_tokenize(CLI::App& program);
void add_import(CLI::App& program);
void add_store(CLI::App& program);
void add_cover(CLI::App& program);
void add_index(CLI::App& program);
void add_verify(CLI::App& program);
void add_check(CLI::App& program);
void add_predict(CLI::App& program);
void add_evaluate(CLI::App& program);
void add_sweep(CLI::App& program);
void add_calibrate(CLI::App& program);
void add_align(CLI::App& program);
void add_exemplars(CLI::App& program);
void add_exemplars_build(CLI::App& exemplars);  // `exemplars build`
void add_embed(CLI::App& program);
void add_model(CLI::App& program);
void add_model_init(CLI::App& model);  // `model init`
void add_score(CLI::App& program);
void add_pairs(CLI::App& program);
void add_train(CLI::App& program);
void add_report(CLI::App& program);
void add_serve(CLI::App& program);
void add_mcp(CLI::App& program);
void add_describe(CLI::App& program);

}  // namespace memmatch::cli
