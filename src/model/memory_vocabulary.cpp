#include "model/memory_vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_set>

#include "base/files.h"
#include "memmatch/error.h"
#include "model/prefixes.h"

namespace memmatch {
namespace {

constexpr std::uint64_t kPhase = std::uint64_t{1} << 60;  // further than any text is long
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

constexpr std::string_view kPaddingName = "[PAD]";
constexpr std::string_view kUnknownName = "[UNK]";

// What is counted besides the texts; "Consider:" opens both sequences of level 2.
constexpr std::string_view kCountedPrefixes[] = {
    kConsiderPrefix,   kReferencePrefix,  kPredictPrefix, kLabelPrefixes[0],
    kLabelPrefixes[1], kLabelPrefixes[2], kConsiderPrefix};

// Special tokens have no word of their own, and a line of the file has no place for tabs.
bool can_be_entry(const std::string& piece, const text::WordPieceOptions& options) {
  return !piece.empty() && piece.find_first_of("\t\n\r") == std::string::npos &&
         piece != kPaddingName && piece != kUnknownName && piece != options.unknown &&
         std::find(options.special.begin(), options.special.end(), piece) == options.special.end();
}

struct Line {
  std::string_view piece;
  std::int64_t id = 0;
  std::int64_t count = 0;
};

bool parse_number(std::string_view text, std::int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

Line parse_line(std::string_view text, const LineReader& lines) {
  Line line;
  const std::size_t first = text.find('\t');
  const std::size_t second = first == text.npos ? text.npos : text.find('\t', first + 1);
  if (second == text.npos || first == 0 ||
      !parse_number(text.substr(first + 1, second - first - 1), line.id) ||
      !parse_number(text.substr(second + 1), line.count)) {
    throw Error(ErrorKind::corrupt, lines.where() + ": must be 'piece, tab, id, tab, count'");
  }
  line.piece = text.substr(0, first);
  return line;
}

void check_special(const Line& line, const LineReader& lines) {
  const std::string_view expected =
      line.id == MemoryVocabulary::kPadding ? kPaddingName : kUnknownName;
  if (line.piece != expected || line.count != -1) {
    throw Error(ErrorKind::corrupt, fmt::format("{}: id {} must be {} with the count -1",
                                                lines.where(), line.id, expected));
  }
}

}  // namespace

MemoryVocabularyCounter::MemoryVocabularyCounter(const text::WordPiece& tokenizer)
    : tokenizer_(tokenizer),
      counts_(static_cast<std::size_t>(tokenizer.vocabulary().size())),
      first_places_(counts_.size(), kNever) {}

void MemoryVocabularyCounter::add_query(std::string_view text) {
  ++queries_;
  count(text, 1, 0);
}

void MemoryVocabularyCounter::add_support(std::string_view text) { count(text, 1, kPhase); }

void MemoryVocabularyCounter::count(std::string_view text, std::int64_t times,
                                    std::uint64_t phase) {
  ++texts_;
  for (const text::Piece& piece : tokenizer_.tokenize(text)) {
    const auto id = static_cast<std::size_t>(piece.id);
    counts_[id] += times;
    first_places_[id] = std::min(first_places_[id], phase + place_++);
  }
}

void MemoryVocabularyCounter::fill_from_tokenizer() {
  for (std::size_t id = 0; id < counts_.size(); ++id) {
    const std::string& piece = tokenizer_.vocabulary().piece(static_cast<std::int32_t>(id));
    if (piece.starts_with("[unused")) continue;  // places that BERT's vocabularies keep free
    first_places_[id] = std::min(first_places_[id], 3 * kPhase + id);
  }
}

MemoryVocabulary MemoryVocabularyCounter::finish(std::int64_t pieces) {
  const bool without_texts = texts_ == 0;
  const std::int64_t copies = 2 * std::max<std::int64_t>(queries_, 1);
  for (const std::string_view prefix : kCountedPrefixes) count(prefix, copies, 2 * kPhase);
  if (without_texts) {
    count(kClaimPrefix, copies, 2 * kPhase);
    count(kEvidencePrefix, copies, 2 * kPhase);
    fill_from_tokenizer();
  }
  std::vector<std::int32_t> ids;
  for (std::int32_t id = 0; id < tokenizer_.vocabulary().size(); ++id) {
    if (first_places_[static_cast<std::size_t>(id)] != kNever &&
        can_be_entry(tokenizer_.vocabulary().piece(id), tokenizer_.options())) {
      ids.push_back(id);
    }
  }
  std::sort(ids.begin(), ids.end(), [&](std::int32_t left, std::int32_t right) {
    const auto a = static_cast<std::size_t>(left), b = static_cast<std::size_t>(right);
    return counts_[a] != counts_[b] ? counts_[a] > counts_[b] : first_places_[a] < first_places_[b];
  });
  ids.resize(std::min(ids.size(), static_cast<std::size_t>(std::max<std::int64_t>(pieces, 0))));
  MemoryVocabulary vocabulary;
  for (const std::int32_t id : ids) {
    vocabulary.entries.push_back(
        {tokenizer_.vocabulary().piece(id), counts_[static_cast<std::size_t>(id)]});
  }
  return vocabulary;
}

std::vector<std::int32_t> memory_ids(const MemoryVocabulary& vocabulary,
                                     const text::WordPiece& tokenizer) {
  std::vector<std::int32_t> ids(static_cast<std::size_t>(tokenizer.vocabulary().size()),
                                MemoryVocabulary::kUnknown);
  for (std::size_t i = 0; i < vocabulary.entries.size(); ++i) {
    const std::string& piece = vocabulary.entries[i].piece;
    const auto id = tokenizer.vocabulary().find(piece);
    if (!id) {
      throw Error(
          ErrorKind::corrupt,
          fmt::format("the memory vocabulary's piece '{}' is not in the tokeniser's", piece));
    }
    ids[static_cast<std::size_t>(*id)] = static_cast<std::int32_t>(i) + MemoryVocabulary::kFirst;
  }
  return ids;
}

MemoryVocabulary read_memory_vocabulary(const std::filesystem::path& file) {
  MemoryVocabulary vocabulary;
  LineReader lines(file);
  std::unordered_set<std::string> seen;
  std::int64_t expected = 0;
  for (std::string text; lines.next(text); ++expected) {
    const Line line = parse_line(text, lines);
    if (line.id != expected) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{}: id {} where {} comes next", lines.where(), line.id, expected));
    }
    if (line.id < MemoryVocabulary::kFirst) {
      check_special(line, lines);
      continue;
    }
    if (!seen.emplace(line.piece).second) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{}: piece '{}' comes twice", lines.where(), line.piece));
    }
    vocabulary.entries.push_back({std::string(line.piece), line.count});
  }
  if (expected < MemoryVocabulary::kFirst) {
    throw Error(ErrorKind::corrupt, file.string() + ": must start with [PAD] and [UNK]");
  }
  return vocabulary;
}

std::string memory_vocabulary_text(const MemoryVocabulary& vocabulary) {
  std::string text = fmt::format("{}\t0\t-1\n{}\t1\t-1\n", kPaddingName, kUnknownName);
  std::int32_t id = MemoryVocabulary::kFirst;
  for (const auto& [piece, count] : vocabulary.entries) {
    text += fmt::format("{}\t{}\t{}\n", piece, id++, count);
  }
  return text;
}

}  // namespace memmatch
