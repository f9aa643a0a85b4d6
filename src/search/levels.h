#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memmatch/verifier.h"
#include "search/distance.h"
#include "search/level1_vectors.h"
#include "search/network.h"
#include "text/shared_words.h"

// The three levels of the search. Each takes many claims at a time, whose sequences go through the
// network together; what comes out for a claim does not depend on the others.

namespace memmatch::search {

// The most sentences that a level may keep, or a claim may bring.
inline constexpr int kLargestBeam = 10'000;

// A sentence as levels 2 and 3 read it.
struct Support {
  VectorSource source;
  double level1_distance = 0;
  int shared_letters = 0;  // see text::SharedWords
  SequenceWriter::Pieces pieces;
};

// A claim on its way through the levels.
struct Query {
  std::string claim;
  text::SharedWords words;
  SequenceWriter::Pieces pieces;
  std::vector<Support> beam1;     // what level 1 kept, in its order
  std::vector<Ranked> beam2;      // indexes into beam1 with level-2 distances, in level 2's order
  std::vector<float> difference;  // level 2's, to the first; only where it was asked for
};

// Throws Error(invalid_argument) for an empty claim.
Query make_query(const Network& network, std::string_view claim);

// Level 1: fills each query's beam with the first `k1` of its candidates: the nearest, those with
// shared words counting as nearer (SearchConfig::word_credit).
void level1(Network& network, Level1Vectors& vectors, Datastore& store, std::span<Query> queries,
            std::span<const std::vector<SentenceId>> candidates, std::size_t k1);

// The vectors of the claims as level 1's queries, in their order.
Vectors level1_queries(Network& network, std::span<const Query> queries);

// Ranks what was found for a query by distance and shared words, and makes the first `k1` its beam.
void set_beam1(Query& query, std::vector<Ranked> found, Datastore& store, const Network& network,
               std::size_t k1);

// Level 2: ranks all of each query's beam1 into beam2.
void level2(Network& network, std::span<Query> queries, bool difference = false);

// What level 3 decides on: a claim and its evidence, as indexes into its beam1, in level 2's order.
struct Decision {
  const Query* query = nullptr;
  std::vector<std::size_t> evidence;
  std::array<std::optional<double>, 3> distances;  // by label; filled by level3()
  std::vector<float> difference;  // level 3's, to the nearest label; only where it was asked for
};

// The nearest label; equally near ones in the order of Label. Unverifiable where there is none.
Label nearest_label(const std::array<std::optional<double>, 3>& distances);

// Level 3: the distances of the labels' supports, which hold all of the evidence; with
// SearchConfig::first_alone the means of these and of those with its first sentence alone. The
// difference is that of all the evidence.
void level3(Network& network, std::span<Decision> decisions, bool two_class,
            bool difference = false);

}  // namespace memmatch::search
