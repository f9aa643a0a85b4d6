#include <fmt/format.h>

#include "cli/common.h"
#include "cli/verbs.h"
#include "data/documents.h"
#include "data/file_documents.h"
#include "data/import.h"
#include "memmatch/datastore.h"

namespace memmatch::cli {
namespace {

struct Options {
  std::vector<std::string> paths;  // before them, perhaps, the name of a format
  std::string store;
  FileArguments reading;
  bool skip_bad_lines = false;
  bool overwrite_edits = false;
  bool json = false;
};

// What was read, whatever it was read by.
struct Input {
  std::unique_ptr<data::DocumentReader> reader;
  const data::FileDocuments* files = nullptr;  // the same, where no format was named

  std::uint64_t bad_files() const { return files ? files->bad_files().count : 0; }
};

Input open_input(const Options& options) {
  const std::optional<data::DocumentFormat> format = data::document_format(options.paths.front());
  if (format && options.paths.size() == 2)
    return {data::open_documents(*format, options.paths[1], options.skip_bad_lines)};
  if (format) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' is the name of a format: one path must follow it",
                            options.paths.front()));
  }
  data::FoundFiles found = data::find_files(options.paths);
  if (!found.left_out.empty())
    fmt::print(stderr, "left out, being no documents: {}\n", data::left_out_text(found));
  auto files = std::make_unique<data::FileDocuments>(
      std::move(found), data::FileOptions{.skip_bad_lines = options.skip_bad_lines,
                                          .skip_bad_files = options.reading.skip_bad_files,
                                          .largest = options.reading.largest});
  const data::FileDocuments* view = files.get();
  return {std::move(files), view};
}

void print(const ImportReport& report, const Input& input, const Options& options) {
  if (options.json) {
    return print_json({{"documents", report.documents},
                       {"sentences", report.sentences},
                       {"new_documents", report.new_documents},
                       {"new_sentences", report.new_sentences},
                       {"changed_sentences", report.changed_sentences},
                       {"removed_sentences", report.removed_sentences},
                       {"kept_edits", report.kept_edits},
                       {"bad_lines", input.reader->bad_lines().count},
                       {"bad_files", input.bad_files()}});
  }
  fmt::print("{}: {} documents and {} sentences read\n", options.paths.back(), report.documents,
             report.sentences);
  fmt::print("{}: {} documents and {} sentences are new, {} sentences changed, {} removed\n",
             options.store, report.new_documents, report.new_sentences, report.changed_sentences,
             report.removed_sentences);
  if (report.kept_edits > 0) {
    fmt::print(
        "{} sentences that were edited or deleted by hand have news and stay as they are "
        "(--overwrite-edits takes the news)\n",
        report.kept_edits);
  }
}

void run(const Options& options) {
  const Input input = open_input(options);
  Datastore store = Datastore::open(options.store, Datastore::Access::create);
  add_words(store, options.store);
  ImportReport report;
  {
    ProgressLine progress("importing", "bytes");
    report =
        data::import_documents(*input.reader, store, {.overwrite_edits = options.overwrite_edits},
                               [&](const Progress& state) { progress.update(state); });
  }
  if (input.reader->ignored_sentence_lines() > 0) {
    fmt::print(stderr, "{} lines within pages have no sentence number and were left out\n",
               input.reader->ignored_sentence_lines());
  }
  report_bad_lines(input.reader->bad_lines());
  if (input.files) report_bad_files(input.files->bad_files());
  print(report, input, options);
}

}  // namespace

void add_import(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "import", "Bring documents into a datastore, all or none of them",
               "memmatch import notes/ handbook.pdf --store facts.db\n"
               "memmatch import fever-wiki wiki-pages/ --store facts.db");
  verb->add_option(
          "PATH", options->paths,
          "Files and folders: text, Markdown, HTML, PDF, DOCX, JSON lines; '-' is standard "
          "input. In front of one path, the format may be named: fever-wiki, jsonl, beir, "
          "kilt, text")
      ->type_name("")
      ->required();
  verb->add_option("--store", options->store, "The datastore; it is made where there is none")
      ->type_name("FILE")
      ->required();
  verb->add_flag("--skip-bad-lines", options->skip_bad_lines,
                 "Count and report bad lines instead of stopping");
  add_file_options(*verb, options->reading);
  verb->add_flag("--overwrite-edits", options->overwrite_edits,
                 "The input wins over sentences that were edited, added or deleted by hand");
  verb->add_flag("--json", options->json, "The report as one object");
  verb->callback([options] { making_store(options->store, [&] { run(*options); }); });
}

}  // namespace memmatch::cli
