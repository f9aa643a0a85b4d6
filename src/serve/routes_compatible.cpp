#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <iterator>
#include <optional>

#include "search/network.h"
#include "search/rerank.h"
#include "serve/answers.h"
#include "serve/base64.h"
#include "serve/router.h"
#include "serve/weight.h"
#include "text/unicode.h"

// Routes in the shapes of other services, for their clients.

namespace memmatch::serve {
namespace {

// Sequences of a step; others have their turn between steps.
constexpr std::size_t kSequencesAtOnce = 64;

struct Reranking {
  RerankRequest request;
  std::optional<search::Reranker> reranker = {};

  StepResult step(search::Network& network);
  Json answer() const;
};

StepResult Reranking::step(search::Network& network) {
  if (!reranker) reranker.emplace(network, request.query);
  const std::size_t begin = reranker->added();
  const std::size_t end = std::min(request.documents.size(), begin + kSequencesAtOnce);
  reranker->add(std::span(request.documents).subspan(begin, end - begin));
  return end == request.documents.size() ? StepResult::done : StepResult::more;
}

Json Reranking::answer() const {
  static std::atomic<std::uint64_t> count = 0;
  Json results = Json::array();
  for (const search::Ranked& entry : reranker->nearest(request.top_n)) {
    Json result = {{"index", entry.id}, {"relevance_score", search::relevance(entry.distance)}};
    const GivenDocument& document = request.documents[static_cast<std::size_t>(entry.id)];
    if (request.return_documents) result["document"] = {{"text", document.text}};
    results.push_back(std::move(result));
  }
  const std::size_t tokens = reranker->tokens();
  return {{"id", fmt::format("rerank-{}", ++count)},
          {"model", request.model},
          {"results", std::move(results)},
          {"usage", {{"prompt_tokens", tokens}, {"total_tokens", tokens}}},
          {"meta", {{"api_version", {{"version", "1"}}}, {"billed_units", {{"search_units", 1}}}}}};
}

struct Embedding {
  EmbeddingsRequest request;
  std::size_t next = 0;
  std::size_t tokens = 0;
  std::string data = {};  // the array's elements, as JSON

  Sequence sequence(const SequenceWriter& writer, const std::string& text) const;
  void append(std::span<const float> vector);
  StepResult step(search::Network& network);
  HttpAnswer answer() const;
};

Sequence Embedding::sequence(const SequenceWriter& writer, const std::string& text) const {
  using Pooling = EmbeddingsRequest::Pooling;
  if (request.pooling == Pooling::mean) return writer.plain(text, writer.longest());
  if (request.pooling == Pooling::level1_query) return writer.query(1, text::tidy(text));
  return writer.level1_support(writer.evidence_part(text::tidy(text)));
}

void Embedding::append(std::span<const float> vector) {
  double square = 0;
  for (const float value : vector) square += static_cast<double>(value) * value;
  const double scale = request.normalize && square > 0 ? 1 / std::sqrt(square) : 1;
  std::vector<float> scaled;
  for (const float value : vector) scaled.push_back(static_cast<float>(value * scale));
  const auto to = std::back_inserter(data);
  fmt::format_to(to, R"({}{{"object":"embedding","index":{},"embedding":)", next == 0 ? "" : ",",
                 next);
  if (request.base64) {
    fmt::format_to(to, "\"{}\"}}", base64(std::as_bytes(std::span(scaled))));
  } else {
    fmt::format_to(to, "[{}]}}", fmt::join(scaled, ","));
  }
  ++next;
}

StepResult Embedding::step(search::Network& network) {
  const bool mean = request.pooling == EmbeddingsRequest::Pooling::mean;
  const std::size_t dimension = mean ? network.mean_dimension() : network.dimension();
  if (request.dimensions && std::cmp_not_equal(*request.dimensions, dimension)) {
    refuse(
        422, "invalid_field",
        fmt::format("'dimensions' must be {}, or left out: vectors are not shortened", dimension));
  }
  const std::size_t end = std::min(request.texts.size(), next + kSequencesAtOnce);
  search::Batch batch;
  for (std::size_t i = next; i < end; ++i) {
    const Sequence one = sequence(network.writer(), request.texts[i]);
    tokens += one.tokens.size();
    batch.add(one);
  }
  const search::Vectors vectors = mean ? network.encode_mean(batch) : network.encode(batch, 1);
  for (std::size_t row = 0; row < vectors.rows(); ++row) append(vectors[row]);
  return next == request.texts.size() ? StepResult::done : StepResult::more;
}

HttpAnswer Embedding::answer() const {
  const Json model = request.model;
  return {.body = fmt::format(R"({{"object":"list","model":{},"data":[{}],)"
                              R"("usage":{{"prompt_tokens":{},"total_tokens":{}}}}})"
                              "\n",
                              model.dump(-1, ' ', false, Json::error_handler_t::replace), data,
                              tokens, tokens),
          .headers = {{"Cache-Control", "no-store"}}};
}

}  // namespace

void rerank(Context& context, const CallPtr& call) {
  const auto work =
      std::make_shared<Reranking>(Reranking{parse_rerank(std::move(call->request.body))});
  std::size_t sequences = 1;
  for (const GivenDocument& document : work->request.documents)
    sequences += sequences_of(document.text, kBytesOfASupport);
  on_engine(context, call, weight_of(sequences), [call, work](Workbench& bench) {
    const StepResult result = work->step(bench.verifier.network());
    if (result == StepResult::done) call->respond(json_answer(200, work->answer()));
    return result;
  });
}

void embeddings(Context& context, const CallPtr& call) {
  const auto work =
      std::make_shared<Embedding>(Embedding{parse_embeddings(std::move(call->request.body))});
  std::size_t sequences = 0;
  for (const std::string& text : work->request.texts)
    sequences += sequences_of(text, kBytesOfAPlainText);
  on_engine(context, call, weight_of(sequences), [call, work](Workbench& bench) {
    const StepResult result = work->step(bench.verifier.network());
    if (result == StepResult::done) call->respond(work->answer());
    return result;
  });
}

void models(Context&, const CallPtr& call) {
  Json data = Json::array();
  for (const char* name : {"memmatch", "mean", "level1-query", "level1-support"}) {
    data.push_back({{"id", name}, {"object", "model"}, {"created", 0}, {"owned_by", "memmatch"}});
  }
  call->respond(json_answer(200, {{"object", "list"}, {"data", std::move(data)}}));
}

}  // namespace memmatch::serve
