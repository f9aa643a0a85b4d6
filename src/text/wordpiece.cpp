#include "text/wordpiece.h"

#include <fmt/format.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <limits>

#include "memmatch/error.h"
#include "text/bert_characters.h"
#include "text/utf8.h"

namespace memmatch::text {
namespace {

const icu::Normalizer2& nfd() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFDInstance(status);
  if (U_FAILURE(status)) {
    throw Error(ErrorKind::io,
                std::string("ICU cannot load its normalisation data: ") + u_errorName(status));
  }
  return *normalizer;
}

std::vector<std::string> continuation_texts(const Vocabulary& vocabulary, const std::string& prefix,
                                            std::vector<std::int32_t>& ids) {
  std::vector<std::string> texts;
  for (std::int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string& piece = vocabulary.piece(id);
    if (!piece.starts_with(prefix)) continue;
    texts.push_back(piece.substr(prefix.size()));
    ids.push_back(id);
  }
  return texts;
}

// A character of a word after normalisation: where it ends in the word, and the source bytes that
// it stands for.
struct WordCharacter {
  std::uint32_t word_end;
  std::uint32_t begin;
  std::uint32_t end;
};

}  // namespace

// One text on its way to pieces. Characters are normalised one by one into the current word, which
// is matched against the vocabulary as soon as it ends.
class WordPiece::Run {
 public:
  Run(const WordPiece& tokenizer, std::string_view text)
      : tokenizer_(tokenizer), options_(tokenizer.options_), text_(text) {
    pieces_.reserve(text.size() / 4 + 4);
  }

  std::vector<Piece> pieces() && {
    for (std::size_t i = 0; i < text_.size();) {
      if (const std::size_t length = special_at(i)) {
        i += length;
        continue;
      }
      const std::size_t begin = i;
      const char32_t c = next_code_point(text_, i);
      add(c, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(i));
    }
    finish_word();
    return std::move(pieces_);
  }

 private:
  // Length of the special token at `at` (0: none), which is put out as a piece.
  std::size_t special_at(std::size_t at) {
    if (!tokenizer_.starts_special_[static_cast<unsigned char>(text_[at])]) return 0;
    for (const auto& [token, id] : tokenizer_.special_) {
      if (!text_.substr(at).starts_with(token)) continue;
      finish_word();
      pieces_.push_back(
          {id, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + token.size())});
      return token.size();
    }
    return 0;
  }

  void add(char32_t c, std::uint32_t begin, std::uint32_t end) {
    const BertClass kind = bert_class(c);
    if (kind == BertClass::dropped && options_.clean_text) return;
    if (kind == BertClass::space) return finish_word();
    if (kind == BertClass::ideograph && options_.split_ideographs) {
      finish_word();
      normalize(c, begin, end);
      return finish_word();
    }
    normalize(c, begin, end);
  }

  void normalize(char32_t c, std::uint32_t begin, std::uint32_t end) {
    if (c < 0x80) return add_lowercase(c, begin, end);
    icu::UnicodeString parts;
    if (!options_.strip_accents || !nfd().getDecomposition(static_cast<UChar32>(c), parts)) {
      return add_mark_or_base(c, begin, end);
    }
    for (int32_t i = 0; i < parts.length(); i = parts.moveIndex32(i, 1)) {
      add_mark_or_base(static_cast<char32_t>(parts.char32At(i)), begin, end);
    }
  }

  void add_mark_or_base(char32_t c, std::uint32_t begin, std::uint32_t end) {
    if (options_.strip_accents && is_nonspacing_mark(c)) return;
    add_lowercase(c, begin, end);
  }

  void add_lowercase(char32_t c, std::uint32_t begin, std::uint32_t end) {
    if (!options_.lowercase) return add_normalized(c, begin, end);
    if (c == U'İ') {  // the one character whose lower case is two, whatever stands around it
      add_normalized(U'i', begin, end);
      return add_normalized(U'\u0307', begin, end);
    }
    add_normalized(static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))), begin, end);
  }

  void add_normalized(char32_t c, std::uint32_t begin, std::uint32_t end) {
    const BertClass kind = bert_class(c);
    if (kind == BertClass::space) return finish_word();
    if (kind == BertClass::punctuation) finish_word();
    append_utf8(word_, c);
    characters_.push_back({static_cast<std::uint32_t>(word_.size()), begin, end});
    if (kind == BertClass::punctuation) finish_word();
  }

  void finish_word() {
    if (characters_.empty()) return;
    const std::size_t before = pieces_.size();
    if (characters_.size() > options_.max_word_characters || !match_word()) {
      pieces_.resize(before);
      pieces_.push_back(
          {tokenizer_.unknown_id_, characters_.front().begin, characters_.back().end});
    }
    word_.clear();
    characters_.clear();
  }

  // Greedy longest match from the left; false where the vocabulary has no piece to go on with.
  bool match_word() {
    std::size_t first = 0;
    std::size_t first_byte = 0;
    while (first < characters_.size()) {
      std::size_t last = characters_.size();
      std::optional<std::int32_t> id;
      for (; last > first; --last) {
        const std::size_t length = characters_[last - 1].word_end - first_byte;
        if (length > tokenizer_.longest_piece_) continue;
        id = find(std::string_view(word_).substr(first_byte, length), first > 0);
        if (id) break;
      }
      if (!id) return false;
      pieces_.push_back({*id, characters_[first].begin, characters_[last - 1].end});
      first_byte = characters_[last - 1].word_end;
      first = last;
    }
    return true;
  }

  std::optional<std::int32_t> find(std::string_view text, bool continues) const {
    if (!continues) return tokenizer_.vocabulary_.find(text);
    const std::optional<std::int32_t> index = tokenizer_.continuations_.find(text);
    if (!index) return std::nullopt;
    return tokenizer_.continuation_ids_[static_cast<std::size_t>(*index)];
  }

  const WordPiece& tokenizer_;
  const WordPieceOptions& options_;
  std::string_view text_;
  std::vector<Piece> pieces_;
  std::string word_;
  std::vector<WordCharacter> characters_;
};

WordPiece::WordPiece(Vocabulary vocabulary, WordPieceOptions options)
    : vocabulary_(std::move(vocabulary)),
      continuations_(continuation_texts(vocabulary_, options.continuation, continuation_ids_)),
      options_(std::move(options)) {
  const std::optional<std::int32_t> unknown = vocabulary_.find(options_.unknown);
  if (!unknown) {
    throw Error(ErrorKind::corrupt,
                fmt::format("vocabulary of {} pieces lacks the unknown token '{}'",
                            vocabulary_.size(), options_.unknown));
  }
  unknown_id_ = *unknown;
  for (const std::string& token : options_.special) {
    if (const auto id = vocabulary_.find(token); id && !token.empty())
      special_.emplace_back(token, *id);
  }
  for (const auto& [token, id] : special_)
    starts_special_[static_cast<unsigned char>(token[0])] = true;
  std::stable_sort(special_.begin(), special_.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  for (std::int32_t id = 0; id < vocabulary_.size(); ++id) {
    longest_piece_ = std::max(longest_piece_, vocabulary_.piece(id).size());
  }
}

std::vector<Piece> WordPiece::tokenize(std::string_view text) const {
  if (text.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorKind::invalid_argument,
                "a text of over 4 GB cannot be tokenised in one piece");
  }
  return Run(*this, text).pieces();
}

bool looks_cased(const Vocabulary& vocabulary) {
  for (std::int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string& piece = vocabulary.piece(id);
    if (piece.starts_with('[')) continue;  // [CLS] and its kind
    if (std::any_of(piece.begin(), piece.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
      return true;
  }
  return false;
}

}  // namespace memmatch::text
