#include <fmt/format.h>

#include "cli/common.h"
#include "cli/verbs.h"
#include "data/documents.h"
#include "data/import.h"
#include "memmatch/datastore.h"

namespace memmatch::cli {
namespace {

struct Options {
  std::string format;
  std::string path;
  std::string store;
  bool skip_bad_lines = false;
  bool overwrite_edits = false;
  bool json = false;
};

void print(const ImportReport& report, const data::DocumentReader& reader, const Options& options) {
  if (options.json) {
    return print_json({{"documents", report.documents},
                       {"sentences", report.sentences},
                       {"new_documents", report.new_documents},
                       {"new_sentences", report.new_sentences},
                       {"changed_sentences", report.changed_sentences},
                       {"removed_sentences", report.removed_sentences},
                       {"kept_edits", report.kept_edits},
                       {"bad_lines", reader.bad_lines().count}});
  }
  fmt::print("{}: {} documents and {} sentences read\n", options.path, report.documents,
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
  const data::DocumentFormat format = data::parse_document_format(options.format);
  const auto reader = data::open_documents(format, options.path, options.skip_bad_lines);
  Datastore store = Datastore::open(options.store, Datastore::Access::create);
  add_words(store, options.store);
  ImportReport report;
  {
    ProgressLine progress("importing", "bytes");
    report = data::import_documents(*reader, store, {.overwrite_edits = options.overwrite_edits},
                                    [&](const Progress& state) { progress.update(state); });
  }
  if (reader->ignored_sentence_lines() > 0) {
    fmt::print(stderr, "{} lines within pages have no sentence number and were left out\n",
               reader->ignored_sentence_lines());
  }
  report_bad_lines(reader->bad_lines());
  print(report, *reader, options);
}

}  // namespace

void add_import(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "import", "Bring documents into a datastore, all or none of them",
               "memmatch import fever-wiki wiki-pages/ --store facts.db\n"
               "memmatch import text notes/ --store facts.db");
  verb->add_option("FORMAT", options->format, "How the documents are given")
      ->option_text("fever-wiki|jsonl|beir|text")
      ->required();
  verb->add_option("PATH", options->path,
                   "A file, a folder of such files, or '-' for standard input")
      ->type_name("")
      ->required();
  verb->add_option("--store", options->store, "The datastore; it is made where there is none")
      ->type_name("FILE")
      ->required();
  verb->add_flag("--skip-bad-lines", options->skip_bad_lines,
                 "Count and report bad lines instead of stopping");
  verb->add_flag("--overwrite-edits", options->overwrite_edits,
                 "The input wins over sentences that were edited, added or deleted by hand");
  verb->add_flag("--json", options->json, "The report as one object");
  verb->callback([options] { making_store(options->store, [&] { run(*options); }); });
}

}  // namespace memmatch::cli
