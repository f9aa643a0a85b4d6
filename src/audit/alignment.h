#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/sequences.h"
#include "search/network.h"

// Which words of a claim met which words of its evidence (paper appendix A, reference §10): each
// filter of a memory layer takes its value from one token of the query and one of the support, and
// links the two.

namespace memmatch::audit {

// What the filters that link two places add up to.
struct Strength {
  double squares = 0;  // of the filters' differences: their part of the squared distance
  double query = 0;    // of the query's values, each scaled by e^-|difference|
  double support = 0;  // of the support's
};

// By place in the query and place in the support.
using Links = std::map<std::pair<std::size_t, std::size_t>, Strength>;

// The paper scales by the difference, its research code by the square of it; we follow the paper.
enum class Scaling { difference, squared_difference };

// `query` and `support` are memory vectors, the places are those that gave their elements, negative
// where that is no piece of the text; such filters are left out.
Links link_filters(std::span<const float> query, std::span<const float> support,
                   std::span<const std::int32_t> query_places,
                   std::span<const std::int32_t> support_places,
                   Scaling scaling = Scaling::difference);

// A word: bytes [begin, end) of its text.
struct Word {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool fixed = false;  // one of the sequences' own ("Claim:")
};

// A text in words: what WordPiece took apart is one again.
struct AlignedText {
  std::string text;
  std::vector<Word> words;
  std::vector<std::size_t> word_of_piece;
};

AlignedText words_of(const SequenceText& text, const text::WordPiece& tokenizer);

// Links between pieces as links between the words that they are part of.
Links merge_to_words(const Links& links, const AlignedText& query, const AlignedText& support);

// Neighbouring words [first, last) of the query that are linked most strongly with the same word of
// the support.
struct AlignedGroup {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t support = 0;
  double strength = 0;  // Strength::query of the links, summed
};

struct Alignment {
  int level = 1;
  double distance = 0;
  AlignedText query;
  AlignedText support;
  Links links;  // between words
  std::size_t filters = 0;
  std::size_t linked_filters = 0;  // the others are on [CLS], [SEP] or no token at all

  // The support word that a query word is linked with most strongly (Strength::query, above 0), and
  // the other way round (Strength::support); -1 for none.
  std::vector<std::int64_t> best_supports() const;
  std::vector<std::int64_t> best_queries() const;

  // What the paper's Figure 3 shows; the sequences' own words are left out.
  std::vector<AlignedGroup> groups() const;
};

// What is aligned: a level's query with a level's support. Levels 1 and 2 have one sentence.
struct AlignmentRequest {
  int level = 1;
  std::string claim;
  std::vector<EvidenceText> evidence;
  Label label = Label::supports;  // of level 3's support
};

// Runs the network on the two sequences.
Alignment align(search::Network& network, const AlignmentRequest& request);

}  // namespace memmatch::audit
