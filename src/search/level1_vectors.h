#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "memmatch/datastore.h"
#include "search/network.h"

namespace memmatch::search {

// The memory vectors of the datastore's sentences at level 1, as halves: whether stored or encoded
// just now, a sentence has the same vector to the bit.
class Level1Vectors {
 public:
  // With `read_only`, what has to be encoded is not kept.
  Level1Vectors(Datastore& store, Network& network, bool read_only);

  // Makes sure that these sentences have vectors that find() gives, until the next call. Only
  // reads from the datastore.
  void need(std::span<const SentenceId> ids);

  // Stores what the last need() had to encode, unless read_only. That is a cache: where it cannot
  // be done at once, it is left for another time.
  void keep();

  // As floats; `vector` has room for one. False where the sentence has gone or changed meanwhile.
  bool find(SentenceId id, std::span<float> vector);

  // Encodes and stores all that have none, some hundreds at a time: what is stored stays, whenever
  // the work is stopped. Gives how many these were.
  std::uint64_t index_all(const ProgressCallback& progress);

  // The same for these sentences.
  std::uint64_t index(std::span<const SentenceId> ids, const ProgressCallback& progress);

  // The set of this model's vectors as the datastore has it now; none where nothing was indexed.
  std::optional<VectorSet> find_set();

 private:
  std::vector<std::uint16_t> encode(std::span<const VectorSource> sources);
  VectorSet make_set();
  std::int64_t dimension() const;

  Datastore& store_;
  Network& network_;
  bool read_only_;
  std::optional<VectorSet> set_;       // as the last need() found it
  std::vector<VectorSource> sources_;  // encoded for the last need() and not stored yet
  std::vector<SentenceId> fresh_ids_;  // encoded for the last need(), sorted
  std::vector<std::uint16_t> fresh_;   // their vectors
  std::vector<std::uint16_t> half_ = std::vector<std::uint16_t>(network_.dimension());
};

}  // namespace memmatch::search
