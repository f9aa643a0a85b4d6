#include "sequence_lengths.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "data/claims.h"
#include "data/documents.h"
#include "model/tokenizer_files.h"
#include "support.h"

namespace memmatch::bench {
namespace {

// In pieces: "Claim: …" and "Evidence: <title>, sentence <n>: <text>", neither cut.
struct Pieces {
  std::vector<std::int64_t> claims;
  std::vector<std::int64_t> evidence;
};

// Of the reduced FEVER set in bert-base-cased's pieces: every twentieth part of the distribution.
const Pieces kRecorded = {
    {10, 11, 12, 12, 13, 13, 13, 14, 14, 15, 15, 15, 16, 16, 17, 18, 18, 19, 21, 24},
    {18, 22, 24, 27, 28, 30, 32, 34, 35, 37, 38, 40, 42, 44, 47, 49, 52, 57, 64, 80}};

std::filesystem::path fever() { return shared_wiki_pages().parent_path(); }

std::filesystem::path vocabulary_file() {
  return fever().parent_path() / "vocab" / "bert-base-cased-vocab.txt";
}

Pieces read_pieces(std::size_t count) {
  const text::WordPiece tokenizer = load_vocab_txt(vocabulary_file(), LetterCase::cased);
  const auto length = [&](const std::string& text) {
    return static_cast<std::int64_t>(tokenizer.tokenize(text).size());
  };
  Pieces pieces;
  data::ClaimReader claims(fever() / "dev.jsonl");
  for (data::Claim claim; pieces.claims.size() < count && claims.next(claim);)
    pieces.claims.push_back(length("Claim: " + claim.text));
  const auto documents =
      data::open_documents(data::DocumentFormat::fever_wiki, shared_wiki_pages());
  for (NewDocument document; pieces.evidence.size() < 5 * count && documents->next(document);) {
    for (const NewSentence& sentence : document.sentences) {
      pieces.evidence.push_back(length(fmt::format("Evidence: {}, sentence {}: {}", document.title,
                                                   sentence.number, sentence.text)));
    }
  }
  return pieces;
}

template <typename Random>
std::int64_t draw(const std::vector<std::int64_t>& values, std::int64_t longest, Random& random) {
  return std::min(longest, values[random() % values.size()]);
}

}  // namespace

SequenceLengths draw_sequence_lengths(std::size_t count) {
  SequenceLengths result;
  result.are_real = exists(vocabulary_file()) && exists(shared_wiki_pages());
  const Pieces pieces = result.are_real ? read_pieces(4 * count) : kRecorded;
  constexpr std::int64_t kPiece = 50;    // a claim or a sentence is cut to this
  constexpr std::int64_t kSpecial = 2;   // [CLS] and [SEP]
  constexpr std::int64_t kConsider = 2;  // pieces of "Consider:"
  constexpr std::int64_t kLabel = 4;     // pieces of most labels
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t claim = draw(pieces.claims, kPiece, random);
    const std::int64_t evidence = draw(pieces.evidence, kPiece, random);
    std::int64_t beam = evidence;
    for (int k = 1; k < 5; ++k) beam += draw(pieces.evidence, kPiece, random);
    // Queries beside their supports: at level 2 one for a hundred, at level 3 one for three labels.
    const std::int64_t level2 = kConsider + claim + (i % 100 == 0 ? 0 : evidence);
    const std::int64_t level3 = kLabel + claim + (i % 4 == 0 ? 0 : beam);
    result.levels[0].push_back(kSpecial + (i % 8 == 0 ? claim : evidence));
    result.levels[1].push_back(kSpecial + std::min<std::int64_t>(100, level2));
    result.levels[2].push_back(kSpecial + std::min<std::int64_t>(150, level3));
    result.level3_supports.push_back(kSpecial + std::min<std::int64_t>(150, kLabel + claim + beam));
  }
  return result;
}

}  // namespace memmatch::bench
