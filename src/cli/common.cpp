#include "cli/common.h"

#include "cli/checks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>

#include "base/files.h"
#include "base/json.h"
#include "memmatch/datastore.h"

namespace memmatch::cli {

CLI::App* add_verb(CLI::App& parent, const std::string& name, const std::string& summary,
                   const std::string& examples) {
  CLI::App* verb = parent.add_subcommand(name, summary);
  verb->footer(examples);
  verb->formatter(std::make_shared<HelpFormatter>());
  return verb;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  // As one of the verbs in its parent's help, a verb is a line.
  if (mode == CLI::AppFormatMode::Sub) return make_expanded(app);
  std::string help = app->get_footer().empty() ? "" : "Examples:\n";
  std::istringstream examples(app->get_footer());
  for (std::string line; std::getline(examples, line);) help += "  " + line + "\n";
  help += help.empty() ? "" : "\n";
  return help + make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) +
         make_groups(app, mode) + make_subcommands(app, mode);
}

void making_store(const std::string& store, const std::function<void()>& action) {
  const bool is_new = !path_exists(store);
  try {
    action();
  } catch (...) {
    if (is_new) Datastore::remove_if_empty(store);
    throw;
  }
}

void add_words(Datastore& store, const std::string& name) {
  if (store.add_words()) {
    fmt::print(stderr,
               "{}: was of an earlier format, without an index of words; it has one now, and "
               "earlier versions of memmatch no longer read it\n",
               name);
  }
}

void print_json(const Json& value) {
  fmt::print("{}\n", value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

namespace {

void report_bad(const data::BadLines& bad, std::string_view what) {
  if (bad.count == 0) return;
  for (const std::string& example : bad.examples) fmt::print(stderr, "  {}\n", example);
  const std::uint64_t more = bad.count - bad.examples.size();
  if (more > 0) fmt::print(stderr, "  … and {} more\n", more);
  fmt::print(stderr, "{} bad {} were left out\n", bad.count, what);
}

}  // namespace

void report_bad_lines(const data::BadLines& bad_lines) { report_bad(bad_lines, "lines"); }

void report_bad_files(const data::BadLines& bad_files) { report_bad(bad_files, "files"); }

void add_file_options(CLI::App& verb, FileArguments& arguments) {
  verb.add_flag("--skip-bad-files", arguments.skip_bad_files,
                "Name documents that cannot be read and go on instead of stopping");
  verb.add_option(
          "--file-limit", arguments.largest,
          "Bytes, or as 500MB or 2GB, that a text may have at most, unpacked; JSON lines may "
          "have any number")
      ->transform(CLI::AsSizeValue(false))
      ->option_text("BYTES [256MB]");
}

void add_input_option(CLI::App& verb, InputFormat& format) {
  const std::map<std::string, InputFormat> names{{"text", InputFormat::text},
                                                 {"jsonl", InputFormat::jsonl}};
  verb.add_option("--input", format,
                  "How texts are given: one a line, or JSON objects with a field 'text'")
      ->transform(choice(names))
      ->option_text("text|jsonl [text]");
}

void for_each_text(const std::string& file, InputFormat format,
                   const std::function<void(const std::string&)>& visit) {
  LineReader lines(file);
  JsonParser parser;
  for (std::string line; lines.next(line);) {
    if (format == InputFormat::text) {
      visit(line);
    } else if (!line.empty()) {
      visit(std::string(parser.parse_object(line, lines.where()).string("text")));
    }
  }
}

ProgressLine::ProgressLine(std::string what, std::string unit)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      on_terminal_(::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_(start_ + std::chrono::milliseconds(200)) {}

ProgressLine::~ProgressLine() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::update(const Progress& progress) {
  const Clock::time_point now = Clock::now();
  if (!on_terminal_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double scale = unit_ == "bytes" ? 1e-6 : 1.0;
  const std::string_view unit = unit_ == "bytes" ? "MB" : std::string_view(unit_);
  const double done = static_cast<double>(progress.done) * scale;
  std::string line =
      fmt::format("{}: {:.0f} {}, {:.0f} {}/s", what_, done, unit, done / seconds, unit);
  if (progress.total > 0 && progress.done > 0 && progress.done <= progress.total) {
    const double fraction =
        static_cast<double>(progress.done) / static_cast<double>(progress.total);
    const double left = seconds * (1 - fraction) / fraction;
    line += fmt::format(", {:.0f} %, {:.0f} s left", 100 * fraction, left);
  }
  fmt::print(stderr, "\r\033[K{}", line);
  std::fflush(stderr);
}

}  // namespace memmatch::cli
