#include "search/rerank.h"

#include "text/unicode.h"

namespace memmatch::search {

Reranker::Reranker(Network& network, std::string query)
    : network_(network), query_(text::tidy(query)), claim_(network.writer().claim_part(query_)) {}

void Reranker::add(std::span<const GivenDocument> documents) {
  const SequenceWriter& writer = network_.writer();
  Batch batch;
  const auto add_one = [&](const Sequence& sequence) {
    tokens_ += sequence.tokens.size();
    return batch.add(sequence);
  };
  std::vector<std::size_t> rows;
  for (const GivenDocument& document : documents) {
    const std::string body = text::tidy(document.text);
    const SequenceWriter::Pieces evidence =
        document.title.empty() ? writer.evidence_part(body)
                               : writer.evidence_part(text::tidy(document.title), 0, body);
    rows.push_back(add_one(writer.level2_support(claim_, evidence)));
  }
  const bool first = vector_.empty();
  const std::size_t query_row = first ? add_one(writer.query(2, query_)) : 0;
  const Vectors vectors = network_.encode(batch, 2);
  if (first) vector_.assign(vectors[query_row].begin(), vectors[query_row].end());
  for (const std::size_t row : rows)
    ranked_.push_back({static_cast<std::int64_t>(ranked_.size()), distance(vector_, vectors[row])});
}

std::vector<Ranked> Reranker::nearest(std::size_t count) const {
  std::vector<Ranked> nearest = ranked_;
  keep_nearest(nearest, count);
  return nearest;
}

}  // namespace memmatch::search
