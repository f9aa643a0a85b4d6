#include "model/sequences.h"

#include <fmt/format.h>

#include <algorithm>

#include "memmatch/error.h"
#include "model/prefixes.h"

namespace memmatch {

SequenceWriter::SequenceWriter(const ModelData& model)
    : tokenizer_(model.tokenizer),
      positions_(model.weights.encoder.config.positions),
      cls_(model.tokenizer.vocabulary().find("[CLS]").value()),
      sep_(model.tokenizer.vocabulary().find("[SEP]").value()) {
  if (model.weights.memory) lengths_ = model.weights.memory->config.lengths;
  if (model.memory_vocabulary) memory_ids_ = memory_ids(*model.memory_vocabulary, model.tokenizer);
}

Sequence SequenceWriter::plain(std::string_view text, std::int64_t pieces) const {
  Sequence sequence;
  append(sequence, text);
  return close(std::move(sequence), pieces);
}

Sequence SequenceWriter::query(int level, std::string_view claim) const {
  const std::int64_t length = length_of(level);
  Sequence sequence;
  if (level == 2) append(sequence, kConsiderPrefix);
  if (level == 3) append(sequence, kPredictPrefix);
  append(sequence, kClaimPrefix);
  append(sequence, claim);
  return close(std::move(sequence), length);
}

Sequence SequenceWriter::reference_query(std::string_view claim) const {
  Sequence sequence;
  append(sequence, kReferencePrefix);
  append(sequence, kClaimPrefix);
  append(sequence, claim);
  return close(std::move(sequence), length_of(3));
}

Sequence SequenceWriter::support(int level, std::string_view text) const {
  const std::int64_t length = length_of(level);
  Sequence sequence;
  if (level == 2) append(sequence, kConsiderPrefix);
  append(sequence, text);
  return close(std::move(sequence), length);
}

SequenceWriter::Pieces SequenceWriter::claim_part(std::string_view claim) const {
  return part(fmt::format("{} {}", kClaimPrefix, claim));
}

SequenceWriter::Pieces SequenceWriter::evidence_part(std::string_view title, int number,
                                                     std::string_view text) const {
  return part(fmt::format("{} {}, sentence {}: {}", kEvidencePrefix, title, number, text));
}

SequenceWriter::Pieces SequenceWriter::evidence_part(std::string_view text) const {
  return part(fmt::format("{} {}", kEvidencePrefix, text));
}

std::size_t SequenceWriter::evidence_room(std::string_view title, int number,
                                          std::string_view text) const {
  const std::size_t before =
      (title.empty() ? evidence_part("") : evidence_part(title, number, "")).size();
  const auto length = static_cast<std::size_t>(length_of(1));
  const std::vector<text::Piece> pieces = tokenizer_.tokenize(text);
  if (before >= length || before + pieces.size() <= length) return text.size();
  const std::size_t end = pieces[length - before].begin;
  if (end == 0) return text.size();  // a character of many pieces
  const std::size_t space = text.substr(0, end).rfind(' ');
  return space == std::string_view::npos || space == 0 ? end : space;
}

SequenceWriter::Pieces SequenceWriter::part(std::string_view text) const {
  Pieces pieces;
  for (const text::Piece& piece : tokenizer_.tokenize(text)) pieces.push_back(piece.id);
  const auto length = static_cast<std::size_t>(length_of(1));
  if (pieces.size() > length) pieces.resize(length);
  return pieces;
}

Sequence SequenceWriter::level1_support(const Pieces& evidence) const {
  Sequence sequence;
  append(sequence, evidence);
  return close(std::move(sequence), length_of(1));
}

Sequence SequenceWriter::level2_support(const Pieces& claim, const Pieces& evidence) const {
  Sequence sequence;
  append(sequence, kConsiderPrefix);
  append(sequence, claim);
  append(sequence, evidence);
  return close(std::move(sequence), length_of(2));
}

Sequence SequenceWriter::level3_support(Label label, const Pieces& claim,
                                        std::span<const Pieces> evidence) const {
  Sequence sequence;
  append(sequence, label_prefix(label));
  append(sequence, claim);
  for (const Pieces& pieces : evidence) append(sequence, pieces);
  return close(std::move(sequence), length_of(3));
}

Sequence SequenceWriter::unlabelled_support(const Pieces& claim,
                                            std::span<const Pieces> evidence) const {
  Sequence sequence;
  append(sequence, claim);
  for (const Pieces& pieces : evidence) append(sequence, pieces);
  return close(std::move(sequence), length_of(3));
}

std::vector<std::int64_t> SequenceWriter::pieces_seen(Label label, const Pieces& claim,
                                                      std::span<const Pieces> evidence) const {
  const std::size_t prefix = tokenizer_.tokenize(label_prefix(label)).size();
  std::int64_t room = length_of(3) - static_cast<std::int64_t>(prefix + claim.size());
  std::vector<std::int64_t> seen;
  for (const Pieces& pieces : evidence) {
    seen.push_back(std::clamp<std::int64_t>(room, 0, static_cast<std::int64_t>(pieces.size())));
    room -= static_cast<std::int64_t>(pieces.size());
  }
  return seen;
}

std::int64_t SequenceWriter::length_of(int level) const {
  if (level < 1 || level > 3) {
    throw Error(ErrorKind::invalid_argument, fmt::format("there is no level {}", level));
  }
  if (!lengths_) {
    throw Error(ErrorKind::invalid_argument,
                "the model has no memory layers; `memmatch model init` gives an encoder some");
  }
  return (*lengths_)[static_cast<std::size_t>(level - 1)];
}

void SequenceWriter::append(Sequence& sequence, std::string_view text) const {
  if (sequence.tokens.empty()) sequence.tokens.push_back(cls_);
  for (const text::Piece& piece : tokenizer_.tokenize(text)) {
    sequence.tokens.push_back(piece.id);
  }
}

void SequenceWriter::append(Sequence& sequence, const Pieces& pieces) const {
  if (sequence.tokens.empty()) sequence.tokens.push_back(cls_);
  sequence.tokens.insert(sequence.tokens.end(), pieces.begin(), pieces.end());
}

Sequence SequenceWriter::close(Sequence sequence, std::int64_t pieces) const {
  std::vector<std::int32_t>& tokens = sequence.tokens;
  const auto room = static_cast<std::size_t>(pieces) + 1;  // with [CLS]
  sequence.cut = tokens.size() > room;
  if (sequence.cut) tokens.resize(room);
  if (!memory_ids_.empty()) {
    for (const std::int32_t token : tokens) {
      sequence.words.push_back(memory_ids_[static_cast<std::size_t>(token)]);
    }
    sequence.words.front() = MemoryVocabulary::kPadding;
    sequence.words.push_back(MemoryVocabulary::kPadding);
  }
  tokens.push_back(sep_);
  return sequence;
}

}  // namespace memmatch
