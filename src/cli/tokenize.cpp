#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/checks.h"
#include "cli/common.h"
#include "cli/verbs.h"
#include "memmatch/error.h"
#include "model/tokenizer_files.h"

namespace memmatch::cli {
namespace {

struct Options {
  std::string vocab;
  std::string tokenizer;
  std::string file = "-";
  std::optional<LetterCase> letter_case;
  InputFormat input = InputFormat::text;
  bool special = false;
  bool json = false;
};

text::WordPiece load(const Options& options) {
  if (options.vocab.empty() && options.tokenizer.empty()) {
    throw Error(ErrorKind::invalid_argument, "give a vocabulary: --vocab FILE or --tokenizer FILE");
  }
  return options.vocab.empty() ? load_tokenizer_json(options.tokenizer, options.letter_case)
                               : load_vocab_txt(options.vocab, options.letter_case);
}

std::int32_t id_of(const text::WordPiece& tokenizer, std::string_view piece) {
  const auto id = tokenizer.vocabulary().find(piece);
  if (!id) throw Error(ErrorKind::invalid_argument, fmt::format("the vocabulary has no {}", piece));
  return *id;
}

std::vector<text::Piece> tokenize(const text::WordPiece& tokenizer, const std::string& text,
                                  bool special) {
  std::vector<text::Piece> pieces = tokenizer.tokenize(text);
  if (!special) return pieces;
  const auto end = static_cast<std::uint32_t>(text.size());
  pieces.insert(pieces.begin(), {id_of(tokenizer, "[CLS]"), 0, 0});
  pieces.push_back({id_of(tokenizer, "[SEP]"), end, end});
  return pieces;
}

void print(const text::WordPiece& tokenizer, const std::vector<text::Piece>& pieces, bool json) {
  std::vector<std::int32_t> ids;
  std::vector<std::string> texts;
  std::vector<std::array<std::uint32_t, 2>> offsets;
  for (const text::Piece& piece : pieces) {
    ids.push_back(piece.id);
    texts.push_back(tokenizer.vocabulary().piece(piece.id));
    offsets.push_back({piece.begin, piece.end});
  }
  if (json) return print_json({{"ids", ids}, {"pieces", texts}, {"offsets", offsets}});
  std::vector<std::string> spans;
  for (const auto& [begin, end] : offsets) spans.push_back(fmt::format("{}-{}", begin, end));
  fmt::print("{}\t{}\t{}\n", fmt::join(ids, " "), fmt::join(texts, " "), fmt::join(spans, " "));
}

void run(const Options& options) {
  const text::WordPiece tokenizer = load(options);
  for_each_text(options.file, options.input, [&](const std::string& text) {
    print(tokenizer, tokenize(tokenizer, text, options.special), options.json);
  });
}

}  // namespace

void add_tokenize(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "tokenize", "WordPiece ids, pieces and byte offsets of each input line",
               "echo 'Ada wrote programs.' | memmatch tokenize --vocab vocab.txt\n"
               "memmatch tokenize --tokenizer tokenizer.json --json texts.txt");
  auto* vocab = verb->add_option("--vocab", options->vocab, "A vocab.txt, one piece a line")
                    ->type_name("FILE");
  verb->add_option("--tokenizer", options->tokenizer, "A Hugging Face tokenizer.json of a BERT")
      ->type_name("FILE")
      ->excludes(vocab);
  verb->add_option("FILE", options->file, "Texts, one a line; '-' is standard input")
      ->type_name("")
      ->capture_default_str();
  verb->add_option("--case", options->letter_case,
                   "Keep capitals and accents, or not; by default what the tokeniser's files say")
      ->transform(choice(std::map<std::string, LetterCase>{{"cased", LetterCase::cased},
                                                           {"uncased", LetterCase::uncased}}))
      ->option_text("cased|uncased");
  add_input_option(*verb, options->input);
  verb->add_flag("--special", options->special, "Put [CLS] in front and [SEP] behind");
  verb->add_flag("--json", options->json, "One object a line: ids, pieces, offsets");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
