#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "data/bad_lines.h"
#include "data/file_text.h"
#include "memmatch/datastore.h"
#include "memmatch/types.h"

namespace memmatch::cli {

using Json = nlohmann::ordered_json;

// Adds a verb whose help opens with `examples`, one command a line.
CLI::App* add_verb(CLI::App& parent, const std::string& name, const std::string& summary,
                   const std::string& examples);

// "  memmatch …" help with the examples first.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

// Does `action`, which may make the datastore. Where it fails, no empty one is left behind.
void making_store(const std::string& store, const std::function<void()>& action);

// Makes the index of words for a datastore of an earlier format, and says so on stderr.
void add_words(Datastore& store, const std::string& name);

// One JSON value on a line of stdout. Bytes that are not UTF-8 come out as U+FFFD.
void print_json(const Json& value);

// Tells on stderr which lines were left out, if any.
void report_bad_lines(const data::BadLines& bad_lines);
void report_bad_files(const data::BadLines& bad_files);

// How documents are read from files.
struct FileArguments {
  std::uint64_t largest = data::kLargestFile;
  bool skip_bad_files = false;
};
// --skip-bad-files, --file-limit
void add_file_options(CLI::App& verb, FileArguments& arguments);

// Texts, one a line or (`--input jsonl`) one in the field `text` of each line's object.
enum class InputFormat { text, jsonl };
void add_input_option(CLI::App& verb, InputFormat& format);
void for_each_text(const std::string& file, InputFormat format,
                   const std::function<void(const std::string&)>& visit);

// Draws how far a long operation has come, with rate and time left: on a terminal only.
class ProgressLine {
 public:
  // `what` is said in front; `unit` is what the numbers count ("bytes" are shown as MB).
  ProgressLine(std::string what, std::string unit);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  std::string unit_;
  bool on_terminal_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point next_;
};

}  // namespace memmatch::cli
