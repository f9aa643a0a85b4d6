#include <fmt/format.h>

#include "base/files.h"
#include "cli/checks.h"
#include "cli/common.h"
#include "cli/model_options.h"
#include "cli/verbs.h"
#include "data/claims.h"
#include "memmatch/datastore.h"
#include "memmatch/error.h"
#include "model/initialize.h"
#include "model/prefixes.h"
#include "search/training_texts.h"
#include "text/unicode.h"

namespace memmatch::cli {
namespace {

struct Options {
  std::string encoder;
  std::string out;
  MemoryConfig memory;
  std::int64_t vocabulary = 7500;
  std::vector<std::int64_t> lengths = {50, 100, 150};
  std::vector<std::int64_t> layers = {0, 0, 0};
  std::uint64_t seed = 1776;
  std::vector<std::string> claims;
  std::string store;
  std::vector<std::string> texts;
  InputFormat input = InputFormat::text;
  bool skip_bad_lines = false;
  SaveOptions save;
  bool json = false;
};

void count_claims(const std::string& file, Datastore* store, bool skip_bad_lines,
                  MemoryVocabularyCounter& counter) {
  data::ClaimReader reader(file, skip_bad_lines);
  {
    ProgressLine progress("counting pieces", "bytes");
    for (data::Claim claim; reader.next(claim);) {
      counter.add_query(search::query_text(claim));
      if (claim.label) counter.add_support(search::support_text(claim, store));
      progress.update({reader.bytes_read(), size_or_zero(file)});
    }
  }
  report_bad_lines(reader.bad_lines());
}

// A plain text could be a claim or evidence, so the words that mark both are counted with it.
void count_texts(const std::string& file, InputFormat input, MemoryVocabularyCounter& counter) {
  for_each_text(file, input, [&](const std::string& text) {
    counter.add_query(fmt::format("{} {} {}", kClaimPrefix, kEvidencePrefix, text::tidy(text)));
  });
}

MemoryVocabulary count_vocabulary(const Options& options, const text::WordPiece& tokenizer) {
  std::optional<Datastore> store;
  if (!options.store.empty()) {
    store = Datastore::open(options.store, Datastore::Access::read);
  }
  MemoryVocabularyCounter counter(tokenizer);
  for (const std::string& file : options.claims) {
    count_claims(file, store ? &*store : nullptr, options.skip_bad_lines, counter);
  }
  for (const std::string& file : options.texts) count_texts(file, options.input, counter);
  if (options.claims.empty() && options.texts.empty()) {
    fmt::print(stderr,
               "no texts given (--claims, --texts): the memory vocabulary is made of the "
               "tokeniser's first pieces\n");
  }
  return counter.finish(options.vocabulary);
}

void run(Options& options) {
  check_target(options.out, options.save.force);
  std::copy_n(options.lengths.begin(), 3, options.memory.lengths.begin());
  std::copy_n(options.layers.begin(), 3, options.memory.layers.begin());
  ModelData model = load_model(options.encoder);
  MemoryVocabulary vocabulary = count_vocabulary(options, model.tokenizer);
  add_memory(model, options.memory, std::move(vocabulary), options.seed);
  save_model(model, options.out, options.save);
  print_model(options.out, Model::open(options.out).info(), options.json);
}

}  // namespace

void add_model_init(CLI::App& model) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      model, "init",
      "Make a model from a BERT encoder: gives it memory layers with random first values",
      "memmatch model init --encoder bert-base-cased/ --claims train.jsonl --store facts.db "
      "--out models/new\n"
      "memmatch model init --encoder build/encoders/minilm --texts sentences.txt --out models/new");
  verb->add_option("--encoder", options->encoder,
                   "A BERT's folder in Hugging Face's layout, or its .safetensors or .onnx file")
      ->type_name("PATH")
      ->required();
  verb->add_option("--out", options->out, "The folder to make")->type_name("FOLDER")->required();
  verb->add_option("--filters", options->memory.filters, "The size of a memory vector")
      ->capture_default_str();
  verb->add_option("--word-dimension", options->memory.word_dimension,
                   "The size of the memory layers' word embeddings")
      ->capture_default_str();
  verb->add_option("--memory-vocabulary", options->vocabulary,
                   "How many pieces have such an embedding: the most frequent of the texts")
      ->check(whole_number(0, 9'999'998))
      ->capture_default_str();
  verb->add_option("--lengths", options->lengths,
                   "The longest sequences of the three levels, in pieces")
      ->delimiter(',')
      ->expected(3)
      ->capture_default_str();
  verb->add_option("--level-layers", options->layers,
                   "How many of the encoder's layers each level reads through; 0 is all")
      ->delimiter(',')
      ->expected(3)
      ->capture_default_str();
  verb->add_option("--seed", options->seed, "Of the random first values")
      ->check(whole_number(0, std::int64_t{1} << 62))
      ->capture_default_str();
  verb->add_option("--claims", options->claims,
                   "FEVER or symmetric claim files whose pieces are counted, with their labels")
      ->type_name("FILE");
  verb->add_option("--store", options->store,
                   "With --claims: the datastore that has their evidence, to be counted as well")
      ->type_name("FILE");
  verb->add_option("--texts", options->texts, "Files of plain texts whose pieces are counted")
      ->type_name("FILE");
  add_input_option(*verb, options->input);
  verb->add_flag("--skip-bad-lines", options->skip_bad_lines,
                 "With --claims: count and report bad lines instead of stopping");
  add_save_options(*verb, options->save);
  verb->add_flag("--json", options->json, "What was made as one object");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
