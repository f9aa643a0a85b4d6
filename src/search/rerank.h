#pragma once

#include <span>
#include <string>
#include <vector>

#include "memmatch/temporary_store.h"
#include "search/distance.h"
#include "search/network.h"

namespace memmatch::search {

// Orders texts by level 2: how near each of them, read together with the query, is to it.
class Reranker {
 public:
  // `network` must outlive it.
  Reranker(Network& network, std::string query);

  // The next texts, which go through the network together.
  void add(std::span<const GivenDocument> documents);

  // The nearest, each with its place among those that were added as its id.
  std::vector<Ranked> nearest(std::size_t count) const;

  std::size_t added() const { return ranked_.size(); }
  std::size_t tokens() const { return tokens_; }  // that the network has read

 private:
  Network& network_;
  std::string query_;
  SequenceWriter::Pieces claim_;
  std::vector<float> vector_;  // the query's, once there is something to compare it with
  std::vector<Ranked> ranked_;
  std::size_t tokens_ = 0;
};

// A distance as something that is greater for what is nearer: 1 at most, above 0.
inline double relevance(double distance) { return 1 / (1 + distance); }

}  // namespace memmatch::search
