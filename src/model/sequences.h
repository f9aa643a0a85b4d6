#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/model_files.h"

namespace memmatch {

// What the network reads: [CLS], pieces, [SEP].
struct Sequence {
  std::vector<std::int32_t> tokens;  // ids of the tokeniser
  std::vector<std::int32_t> words;   // ids of the memory vocabulary, 0 for [CLS] and [SEP]; empty
                                     // where the model has no memory layers
  bool cut = false;                  // the text had more pieces than there was room for
};

// A sequence as people read it: the texts that it was made of, one after the other.
struct SequenceText {
  std::string text;
  // Of the sequence's pieces, [CLS] and [SEP] not among them, what bytes of `text` they stand for.
  // What was cut from the sequence is still part of the text.
  std::vector<text::Piece> pieces;
  // Bytes [begin, end) of `text` that are the sequences' own words: "Claim:", "Supports:" …
  std::vector<std::pair<std::size_t, std::size_t>> fixed;
};

// A sentence as supports name it.
struct EvidenceText {
  std::string title;
  int number = 0;
  std::string text;
};

// Writes texts as the sequences of the three levels (reference §2.2, D9). Lengths count pieces
// without [CLS] and [SEP]; what is too long is cut from the right.
//
// Immutable: any number of threads may use one. The model's tokeniser must outlive it; the weights
// need not.
class SequenceWriter {
 public:
  explicit SequenceWriter(const ModelData& model);

  // The text as it is, with at most `pieces` pieces.
  Sequence plain(std::string_view text, std::int64_t pieces) const;

  // A claim as the query of a level from 1 to 3: "Claim: …", "Consider: Claim: …",
  // "Predict: Claim: …". Throws Error(invalid_argument) where the model has no memory layers, here
  // and below.
  Sequence query(int level, std::string_view claim) const;

  // The query of level 3 beside the annotated evidence, in training: "Reference: Claim: …".
  Sequence reference_query(std::string_view claim) const;

  // A text that is a level's support already, but for the word that opens level 2: of level 1
  // "Evidence: Title, sentence 0: …", of level 2 "Claim: … Evidence: …", of level 3 "Supports:
  // Claim: … Evidence: …".
  Sequence support(int level, std::string_view text) const;

  // --- The parts that supports are made of, each cut to the length of level 1 ---

  using Pieces = std::vector<std::int32_t>;  // ids of the tokeniser

  // "Claim: …"
  Pieces claim_part(std::string_view claim) const;
  // "Evidence: Title, sentence 3: …"
  Pieces evidence_part(std::string_view title, int number, std::string_view text) const;
  // "Evidence: …", of a sentence that has no title.
  Pieces evidence_part(std::string_view text) const;

  // Of a text that is to be evidence under this title (empty: without one), how many bytes have
  // room in such a part; cut between words where that can be. All of them where there is room for
  // none.
  std::size_t evidence_room(std::string_view title, int number, std::string_view text) const;

  Sequence level1_support(const Pieces& evidence) const;
  Sequence level2_support(const Pieces& claim, const Pieces& evidence) const;
  Sequence level3_support(Label label, const Pieces& claim, std::span<const Pieces> evidence) const;

  // A level-3 support without its label: what a classifier of claim and evidence reads in training.
  Sequence unlabelled_support(const Pieces& claim, std::span<const Pieces> evidence) const;

  // Of a level-3 support: how many pieces of each evidence part are left after cutting.
  std::vector<std::int64_t> pieces_seen(Label label, const Pieces& claim,
                                        std::span<const Pieces> evidence) const;

  // The texts of query() and of the three levels' supports. Level 1 has one sentence of evidence
  // and no claim, level 2 one sentence; only level 3 has a label.
  SequenceText query_text(int level, std::string_view claim) const;
  SequenceText support_text(int level, Label label, std::string_view claim,
                            std::span<const EvidenceText> evidence) const;

  // As many pieces as the encoder has positions for.
  std::int64_t longest() const { return positions_ - 2; }

 private:
  std::int64_t length_of(int level) const;
  void append_text(SequenceText& to, std::string_view fixed, std::string_view text,
                   std::int64_t pieces) const;
  void append(Sequence& sequence, std::string_view text) const;
  void append(Sequence& sequence, const Pieces& pieces) const;
  Pieces part(std::string_view text) const;
  Sequence close(Sequence sequence, std::int64_t pieces) const;

  const text::WordPiece& tokenizer_;
  std::int64_t positions_ = 0;
  std::optional<std::array<std::int64_t, 3>> lengths_;  // none without memory layers
  std::vector<std::int32_t> memory_ids_;                // by the tokeniser's ids
  std::int32_t cls_ = 0;
  std::int32_t sep_ = 0;
};

}  // namespace memmatch
