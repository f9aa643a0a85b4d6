#include "model/tokenizer_files.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/json.h"
#include "memmatch/error.h"

namespace memmatch {
namespace {

using text::Vocabulary;
using text::WordPiece;
using text::WordPieceOptions;

void apply(LetterCase letter_case, WordPieceOptions& options) {
  options.lowercase = letter_case == LetterCase::uncased;
  options.strip_accents = options.lowercase;
}

std::optional<LetterCase> case_of_config_beside(const std::filesystem::path& vocab_file) {
  const std::filesystem::path config = vocab_file.parent_path() / "tokenizer_config.json";
  if (!path_exists(config)) return std::nullopt;
  std::string content = read_file(config);
  JsonParser parser;
  const auto lower = parser.parse_object(content, config.string()).optional_bool("do_lower_case");
  if (!lower) return std::nullopt;
  return *lower ? LetterCase::uncased : LetterCase::cased;
}

// What goes wrong in a vocabulary is told with the file's name.
template <typename Make>
auto naming(const std::filesystem::path& file, Make make) {
  try {
    return make();
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", file.string(), error.what()));
  }
}

std::vector<std::string> read_pieces(const JsonObject& model, const std::string& where) {
  const JsonObject entries = model.object("vocab");
  std::vector<std::string> pieces;
  std::vector<bool> seen;
  for (const auto& [piece, value] : entries) {
    const std::int64_t id = as_integer(value, where, fmt::format("vocab.{}", piece));
    if (id < 0 || id > 10'000'000) entries.fail(fmt::format("piece '{}' has the id {}", piece, id));
    const auto index = static_cast<std::size_t>(id);
    if (index >= pieces.size()) pieces.resize(index + 1), seen.resize(index + 1);
    if (seen[index])
      entries.fail(fmt::format("pieces '{}' and '{}' share the id {}", pieces[index], piece, id));
    pieces[index] = piece;
    seen[index] = true;
  }
  for (std::size_t id = 0; id < seen.size(); ++id) {
    if (!seen[id]) entries.fail(fmt::format("no piece has the id {}", id));
  }
  return pieces;
}

void require_type(const JsonObject& part, std::string_view name, std::string_view expected) {
  const std::string_view type = part.optional_string("type").value_or("");
  if (type == expected || (type.empty() && name == "model")) return;
  part.fail(
      fmt::format("{} of type '{}' is not supported, only '{}' (BERT)", name, type, expected));
}

WordPieceOptions read_normalizer(const JsonObject& normalizer) {
  require_type(normalizer, "normalizer", "BertNormalizer");
  WordPieceOptions options;
  options.lowercase = normalizer.optional_bool("lowercase").value_or(true);
  options.strip_accents = normalizer.optional_bool("strip_accents").value_or(options.lowercase);
  options.clean_text = normalizer.optional_bool("clean_text").value_or(true);
  options.split_ideographs = normalizer.optional_bool("handle_chinese_chars").value_or(true);
  return options;
}

std::vector<std::string> read_special(const JsonObject& root, const std::string& where) {
  std::vector<std::string> special;
  if (!root.has("added_tokens")) return special;
  for (const JsonElement element : root.array("added_tokens")) {
    simdjson::dom::object token;
    if (element.get(token) != simdjson::SUCCESS) root.fail("'added_tokens' must hold objects");
    special.emplace_back(JsonObject(token, where).string("content"));
  }
  return special;
}

}  // namespace

WordPiece load_vocab_txt(const std::filesystem::path& file, std::optional<LetterCase> letter_case) {
  std::vector<std::string> pieces;
  LineReader lines(file);
  for (std::string line; lines.next(line);) {
    if (line.empty())
      throw Error(ErrorKind::corrupt, lines.where() + ": empty line in a vocabulary");
    pieces.push_back(line);
  }
  return naming(file, [&] {
    Vocabulary vocabulary(std::move(pieces));
    if (!letter_case) letter_case = case_of_config_beside(file);
    if (!letter_case)
      letter_case = looks_cased(vocabulary) ? LetterCase::cased : LetterCase::uncased;
    WordPieceOptions options;
    apply(*letter_case, options);
    return WordPiece(std::move(vocabulary), std::move(options));
  });
}

WordPiece load_tokenizer_json(const std::filesystem::path& file,
                              std::optional<LetterCase> letter_case) {
  const std::string where = file.string();
  std::string content = read_file(file);
  JsonParser parser;
  const JsonObject root = parser.parse_object(content, where);
  const JsonObject model = root.object("model");
  require_type(model, "model", "WordPiece");
  require_type(root.object("pre_tokenizer"), "pre_tokenizer", "BertPreTokenizer");

  WordPieceOptions options = read_normalizer(root.object("normalizer"));
  if (letter_case) apply(*letter_case, options);
  options.special = read_special(root, where);
  options.unknown = model.optional_string("unk_token").value_or(options.unknown);
  options.continuation =
      model.optional_string("continuing_subword_prefix").value_or(options.continuation);
  options.max_word_characters = static_cast<std::size_t>(
      std::max<std::int64_t>(1, model.optional_integer("max_input_chars_per_word").value_or(100)));
  std::vector<std::string> pieces = read_pieces(model, where);
  return naming(file, [&] { return WordPiece(Vocabulary(std::move(pieces)), std::move(options)); });
}

}  // namespace memmatch
