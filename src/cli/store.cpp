#include <fmt/format.h>

#include <limits>

#include "base/files.h"
#include "base/hash.h"
#include "cli/checks.h"
#include "cli/common.h"
#include "cli/suggest.h"
#include "cli/verbs.h"
#include "memmatch/datastore.h"
#include "memmatch/error.h"
#include "memmatch/verifier.h"

namespace memmatch::cli {
namespace {

struct Options {
  std::string store;
  std::string title;
  std::optional<int> number;
  std::string text;
  std::string out = "-";
  std::string model;
  InputFormat input = InputFormat::text;
  bool json = false;
};

Json to_json(const Document& document, const Sentence& sentence) {
  return {{"id", sentence.id},
          {"title", document.title},
          {"raw_title", document.raw_title},
          {"number", sentence.number},
          {"text", sentence.text},
          {"hash", to_hex(sentence.hash)},
          {"revision", sentence.revision},
          {"imported", sentence.imported.has_value()},
          {"edited", sentence.edited()}};
}

std::string remark(const Sentence& sentence) {
  if (!sentence.imported) return "  (added)";
  return sentence.edited() ? "  (edited)" : "";
}

void print(const Document& document, const Sentence& sentence, bool json) {
  if (json) return print_json(to_json(document, sentence));
  fmt::print("{}, sentence {} (id {}, revision {}): {}\n", document.title, sentence.number,
             sentence.id, sentence.revision, sentence.text);
}

// Makes the vector of a sentence that was just changed, where a model is given. It is opened before
// anything is changed, so that a wrong one changes nothing.
class Indexer {
 public:
  explicit Indexer(const Options& options) {
    if (!options.model.empty()) verifier_.emplace(Verifier::open(options.store, options.model, {}));
  }

  void index(const Sentence& sentence) {
    if (verifier_) verifier_->index_sentences({&sentence.id, 1});
  }

 private:
  std::optional<Verifier> verifier_;
};

void add_to(const Options& options) {
  Datastore store = Datastore::open(options.store, Datastore::Access::create);
  Indexer indexer(options);
  const auto add_one = [&](const std::string& text) {
    const Sentence sentence = store.add_sentence(options.title, options.number, text);
    indexer.index(sentence);
    print(store.document_of(sentence), sentence, options.json);
  };
  if (options.text != "-") return add_one(options.text);
  if (options.number) {
    throw Error(ErrorKind::invalid_argument, "--number goes with one sentence, not with '-'");
  }
  for_each_text("-", options.input, add_one);
}

void add(const Options& options) {
  making_store(options.store, [&] { add_to(options); });
}

void edit(const Options& options) {
  Datastore store = Datastore::open(options.store, Datastore::Access::write);
  Indexer indexer(options);
  const Sentence sentence = store.edit_sentence(options.title, *options.number, options.text);
  indexer.index(sentence);
  print(store.document_of(sentence), sentence, options.json);
}

void remove(const Options& options) {
  Datastore store = Datastore::open(options.store, Datastore::Access::write);
  const Document document = store.find_document(options.title);
  const std::vector<Sentence> gone = options.number
                                         ? store.delete_sentence(options.title, *options.number)
                                         : store.delete_document(options.title);
  for (const Sentence& sentence : gone) print(document, sentence, options.json);
  if (!options.json) fmt::print("{} sentences deleted\n", gone.size());
}

void show_sentence(Datastore& store, const Document& document, const Sentence& sentence,
                   bool json) {
  const std::vector<PastRevision> history = store.history(sentence.id);
  if (json) {
    Json value = to_json(document, sentence);
    value["history"] = Json::array();
    for (const PastRevision& past : history) {
      value["history"].push_back({{"revision", past.revision}, {"hash", to_hex(past.hash)}});
    }
    return print_json(value);
  }
  fmt::print("  {:>3}  {}{}\n", sentence.number, sentence.text, remark(sentence));
}

void show(const Options& options) {
  Datastore store = Datastore::open(options.store, Datastore::Access::read);
  const Datastore::Snapshot snapshot = store.snapshot();
  const Document document = store.find_document(options.title);
  if (!options.json) fmt::print("{}\n", document.title);
  bool found = false;
  for (const Sentence& sentence : store.sentences(document.id)) {
    if (options.number && sentence.number != *options.number) continue;
    show_sentence(store, document, sentence, options.json);
    found = true;
  }
  if (options.number && !found) {
    throw Error(ErrorKind::not_found,
                fmt::format("'{}' has no sentence {}", document.title, *options.number));
  }
}

void stats(const Options& options) {
  const DatastoreStats stats = Datastore::open(options.store, Datastore::Access::read).stats();
  const Json value = {{"documents", stats.documents},
                      {"sentences", stats.sentences},
                      {"blank_sentences", stats.blank_sentences},
                      {"edited_sentences", stats.edited_sentences},
                      {"added_sentences", stats.added_sentences},
                      {"deleted_sentences", stats.deleted_sentences},
                      {"vectors", stats.vectors},
                      {"file_bytes", stats.file_bytes},
                      {"format_version", stats.format_version}};
  if (options.json) return print_json(value);
  for (const auto& [name, number] : value.items()) {
    fmt::print("{:<20}{:>12}\n", name, number.get<std::uint64_t>());
  }
}

void check(const Options& options) {
  Datastore store = Datastore::open(options.store, Datastore::Access::read);
  std::vector<std::string> problems;
  {
    ProgressLine progress("checking", "rows");
    problems = store.check([&](const Progress& state) { progress.update(state); });
  }
  if (options.json) {
    print_json({{"ok", problems.empty()}, {"problems", problems}});
  } else {
    for (const std::string& problem : problems) fmt::print("{}\n", problem);
    if (problems.empty()) fmt::print("{}: nothing wrong\n", options.store);
  }
  if (!problems.empty()) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: {} problems found; 'memmatch store repair' mends vectors and "
                            "indexes, an import the texts that it brings; else restore a copy",
                            options.store, problems.size()));
  }
}

void repair(const Options& options) {
  Datastore store = Datastore::open(options.store, Datastore::Access::write);
  const DatastoreRepair done = store.repair();
  const std::vector<std::string> problems = store.check();
  if (options.json) {
    print_json({{"removed_vectors", done.vectors},
                {"removed_vector_sets", done.vector_sets},
                {"ok", problems.empty()},
                {"problems", problems}});
  } else {
    fmt::print("{}: all indexes made anew; {} vectors and {} vector sets removed\n", options.store,
               done.vectors, done.vector_sets);
    if (done.vectors > 0) fmt::print("'memmatch index' makes the vectors again\n");
    for (const std::string& problem : problems) fmt::print("still wrong: {}\n", problem);
  }
  if (!problems.empty()) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: {} problems are left; an import mends the texts that it brings; "
                            "else restore a copy",
                            options.store, problems.size()));
  }
}

// A line of the format that `import jsonl` reads.
Json exported(const Document& document, const std::vector<Sentence>& sentences) {
  Json texts = Json::array();
  Json numbers = Json::array();
  bool has_gaps = false;
  for (const Sentence& sentence : sentences) {
    has_gaps |= sentence.number != static_cast<int>(texts.size());
    texts.push_back(sentence.text);
    numbers.push_back(sentence.number);
  }
  Json line = {{"title", document.title}, {"sentences", texts}};
  if (document.raw_title != document.title) line["id"] = document.raw_title;
  if (has_gaps) line["numbers"] = numbers;
  return line;
}

void export_all(const Options& options) {
  Datastore store = Datastore::open(options.store, Datastore::Access::read);
  OutputFile out(options.out);
  ProgressLine progress("exporting", "documents");
  Progress state{0, store.stats().documents};
  store.for_each_document([&](const Document& document, const std::vector<Sentence>& sentences) {
    out.write_line(exported(document, sentences).dump());
    ++state.done;
    progress.update(state);
  });
  out.finish();
}

// A title that is not there may be a slip.
void run_part(const Options& options, void (*run)(const Options&)) {
  try {
    run(options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::not_found || options.title.empty()) throw;
    throw Error(error.kind(), error.what() + title_suggestion(options.store, options.title));
  }
}

CLI::App* add_part(CLI::App& parent, std::shared_ptr<Options> options, const std::string& name,
                   const std::string& summary, const std::string& example,
                   void (*run)(const Options&)) {
  CLI::App* part = add_verb(parent, name, summary, example);
  part->add_option("--store", options->store, "The datastore")->type_name("FILE")->required();
  part->callback([options, run] { run_part(*options, run); });
  return part;
}

void add_title(CLI::App& part, Options& options) {
  part.add_option("--title", options.title, "The document's title, as displayed or raw")
      ->required();
}

CLI::Option* add_number(CLI::App& part, Options& options) {
  return part.add_option("--number", options.number, "The sentence's number")
      ->check(whole_number(0, std::numeric_limits<int>::max()));
}

void add_model(CLI::App& part, Options& options) {
  part.add_option("--model", options.model,
                  "Make the sentence's level-1 vector of this model at once")
      ->type_name("PATH");
}

void add_json(CLI::App& part, Options& options, const std::string& help) {
  part.add_flag("--json", options.json, help);
}

}  // namespace

void add_store(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(program, "store", "Look into a datastore and edit its facts",
                            "memmatch store show --store facts.db --title 'Ada Lovelace'\n"
                            "memmatch store edit --store facts.db --title 'Ada Lovelace' --number "
                            "0 'She was born in 1815.'\n"
                            "memmatch store check --store facts.db");
  verb->require_subcommand(1);

  CLI::App* part =
      add_part(*verb, options, "add", "Add a sentence, and the document where there is none",
               "memmatch store add --store facts.db --title 'Ada Lovelace' 'She was a countess.'\n"
               "memmatch store add --store facts.db --title Notes - < sentences.txt",
               add);
  add_title(*part, *options);
  add_number(*part, *options)->description("The sentence's number; by default after the last one");
  part->add_option("TEXT", options->text,
                   "The sentence; '-' reads several from standard input, one a line")
      ->required();
  add_model(*part, *options);
  add_input_option(*part, options->input);
  add_json(*part, *options, "The sentence as an object");

  part = add_part(*verb, options, "edit", "Replace a sentence's text",
                  "memmatch store edit --store facts.db --title 'Ada Lovelace' --number 0 'She was "
                  "born in 1815.'",
                  edit);
  add_title(*part, *options);
  add_number(*part, *options)->required();
  part->add_option("TEXT", options->text, "The new text")->required();
  add_model(*part, *options);
  add_json(*part, *options, "The sentence as an object");

  part = add_part(*verb, options, "delete", "Delete a sentence, or a whole document",
                  "memmatch store delete --store facts.db --title 'Ada Lovelace' --number 3\n"
                  "memmatch store delete --store facts.db --title 'Ada Lovelace'",
                  remove);
  add_title(*part, *options);
  add_number(*part, *options)->description("The sentence's number; without it the document goes");
  add_json(*part, *options, "What was deleted, an object a sentence");

  part = add_part(*verb, options, "show", "A document's sentences",
                  "memmatch store show --store facts.db --title 'Ada Lovelace'", show);
  add_title(*part, *options);
  add_number(*part, *options)->description("Only this sentence");
  add_json(*part, *options, "An object a sentence, with its past revisions");

  part =
      add_part(*verb, options, "stats", "Counts", "memmatch store stats --store facts.db", stats);
  add_json(*part, *options, "One object");

  part = add_part(*verb, options, "check", "Look for damage, everywhere",
                  "memmatch store check --store facts.db", check);
  add_json(*part, *options, "One object: ok, problems");

  part = add_part(*verb, options, "repair",
                  "Make indexes anew and remove damaged vectors; texts are never touched",
                  "memmatch store repair --store facts.db", repair);
  add_json(*part, *options, "One object: removed_vectors, removed_vector_sets, ok, problems");

  part =
      add_part(*verb, options, "export", "All documents, in the format that 'import jsonl' reads",
               "memmatch store export --store facts.db --out facts.jsonl", export_all);
  part->add_option("--out", options->out, "The file to write; '-' is standard output")
      ->type_name("FILE")
      ->capture_default_str();
}

}  // namespace memmatch::cli
