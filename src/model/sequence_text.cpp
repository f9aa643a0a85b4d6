#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "memmatch/error.h"
#include "model/prefixes.h"
#include "model/sequences.h"

// The same grammar as in sequences.cpp, with the texts kept. Tests hold the two together.

namespace memmatch {
namespace {

constexpr std::int64_t kUncut = std::numeric_limits<std::int64_t>::max();

void cut(SequenceText& text, std::int64_t pieces) {
  if (std::cmp_greater(text.pieces.size(), pieces))
    text.pieces.resize(static_cast<std::size_t>(pieces));
}

}  // namespace

// Adds words of our own and a text behind them, which together may have so many pieces.
void SequenceWriter::append_text(SequenceText& to, std::string_view fixed, std::string_view text,
                                 std::int64_t pieces) const {
  const std::size_t before = to.pieces.size();
  const auto add = [&](std::string_view part) {
    if (part.empty()) return;
    if (!to.text.empty()) to.text += ' ';
    const auto offset = static_cast<std::uint32_t>(to.text.size());
    for (const text::Piece& piece : tokenizer_.tokenize(part))
      to.pieces.push_back({piece.id, piece.begin + offset, piece.end + offset});
    to.text += part;
  };
  add(fixed);
  to.fixed.emplace_back(to.text.size() - fixed.size(), to.text.size());
  add(text);
  if (pieces == kUncut) return;
  to.pieces.resize(std::min(to.pieces.size(), before + static_cast<std::size_t>(pieces)));
}

SequenceText SequenceWriter::query_text(int level, std::string_view claim) const {
  const std::int64_t length = length_of(level);
  SequenceText text;
  if (level == 2) append_text(text, kConsiderPrefix, "", kUncut);
  if (level == 3) append_text(text, kPredictPrefix, "", kUncut);
  append_text(text, kClaimPrefix, claim, kUncut);
  cut(text, length);
  return text;
}

SequenceText SequenceWriter::support_text(int level, Label label, std::string_view claim,
                                          std::span<const EvidenceText> evidence) const {
  const std::int64_t length = length_of(level);
  if (level < 3 && evidence.size() != 1) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a support of level {} has one sentence of evidence", level));
  }
  SequenceText text;
  if (level == 2) append_text(text, kConsiderPrefix, "", kUncut);
  if (level == 3) append_text(text, label_prefix(label), "", kUncut);
  if (level > 1) append_text(text, kClaimPrefix, claim, length_of(1));
  for (const EvidenceText& sentence : evidence) {
    append_text(text, kEvidencePrefix,
                fmt::format("{}, sentence {}: {}", sentence.title, sentence.number, sentence.text),
                length_of(1));
  }
  cut(text, length);
  return text;
}

}  // namespace memmatch
