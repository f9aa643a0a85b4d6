#include "serve/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "memmatch/error.h"
#include "serve/fields.h"
#include "serve/http.h"

namespace memmatch::serve {
namespace {

void read_widths(const Fields& fields, SearchOptions& search) {
  search.k1 = fields.integer("k1", search.k1, 1, limits::kK1);
  search.z = fields.integer("z", search.z, 1, limits::kZ);
}

void read_candidates(const Fields& fields, SearchOptions& search) {
  const std::string_view chosen =
      fields.one_of("candidates", name_of(search.candidates), {"auto", "cover", "words", "all"});
  for (const Candidates one :
       {Candidates::automatic, Candidates::cover, Candidates::words, Candidates::all}) {
    if (name_of(one) == chosen) search.candidates = one;
  }
}

// A claim costs about as much as k1 says.
void check_work(std::string_view field, std::size_t claims, const SearchOptions& search) {
  const std::size_t most = limits::kClaimsTimesK1 / static_cast<std::size_t>(search.k1);
  if (claims > most) {
    bad_field(field, fmt::format("has {} elements; at k1 = {} at most {} are taken", claims,
                                 search.k1, most));
  }
}

ExemplarOptions exemplar_options(const Fields& fields) {
  fields.allow({"nearest", "neighbours", "true_positive", "max_distance", "update_tag"});
  return {.nearest = fields.integer("nearest", 3, 1, limits::kNearest),
          .neighbours = fields.integer("neighbours", 1, 1, limits::kNearest),
          .true_positive = fields.boolean("true_positive", false),
          .max_distance = fields.number("max_distance"),
          .update_tag = fields.text_or("update_tag", "")};
}

VerifyOptions verify_options(const Fields& fields, const Defaults& defaults) {
  VerifyOptions options;
  options.search = defaults.search;
  read_widths(fields, options.search);
  read_candidates(fields, options.search);
  options.search.two_class = fields.boolean("two_class", defaults.search.two_class);
  options.search.explain = fields.boolean("explain", false);
  options.admit = fields.text_or("admit", defaults.admit);
  if (const std::optional<Fields> exemplars = fields.object("exemplars")) {
    options.exemplars = exemplar_options(*exemplars);
    options.search.difference = true;
  }
  return options;
}

}  // namespace

Label parse_label(std::string_view name, std::string_view field) {
  for (const Label label : {Label::supports, Label::refutes, Label::unverifiable}) {
    if (name == fever_name(label)) return label;
  }
  bad_field(field, "must be SUPPORTS, REFUTES or NOT ENOUGH INFO");
}

void check_defaults(const Defaults& defaults) {
  const auto check = [](const char* name, int value, int most) {
    if (value >= 1 && value <= most) return;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} is {}; for the server it must be from 1 to {}", name, value, most));
  };
  check("k1", defaults.search.k1, limits::kK1);
  check("z", defaults.search.z, limits::kZ);
}

VerifyRequest parse_verify(std::string body, const Defaults& defaults) {
  JsonParser parser;
  const Fields fields(parser, body);
  fields.allow(
      {"claim", "claims", "k1", "z", "two_class", "candidates", "explain", "admit", "exemplars"});
  VerifyRequest request;
  request.claims = fields.texts("claims", "claim", limits::kClaims);
  request.options = verify_options(fields, defaults);
  check_work("claims", request.claims.size(), request.options.search);
  return request;
}

CheckRequest parse_check(std::string body, const Defaults& defaults) {
  JsonParser parser;
  const Fields fields(parser, body);
  fields.allow({"text", "k1", "z", "two_class", "candidates", "explain", "admit", "exemplars"});
  CheckRequest request;
  request.sentences = sentences_to_check(fields.text("text", limits::kCheckedBytes));
  for (const CheckedSentence& sentence : request.sentences) {
    if (!sentence.not_judged.empty()) continue;
    if (sentence.text.size() > limits::kTextBytes)
      bad_field("text", fmt::format("has a sentence of more than {} bytes", limits::kTextBytes));
    request.claims.push_back(sentence.text);
  }
  if (request.claims.size() > limits::kClaims) {
    bad_field("text", fmt::format("has {} sentences to judge; at most {} are taken: send it in "
                                  "parts",
                                  request.claims.size(), limits::kClaims));
  }
  request.options = verify_options(fields, defaults);
  check_work("text", request.claims.size(), request.options.search);
  return request;
}

TextSearchRequest parse_search(std::string body, const Defaults& defaults) {
  JsonParser parser;
  const Fields fields(parser, body);
  fields.allow({"query", "queries", "k1", "limit", "candidates"});
  TextSearchRequest request;
  request.queries = fields.texts("queries", "query", limits::kClaims);
  request.search = defaults.search;
  request.search.evidence_alone = true;
  request.search.k1 = fields.integer("k1", request.search.k1, 1, limits::kK1);
  check_work("queries", request.queries.size(), request.search);
  const int most = request.search.k1;
  request.search.z = fields.integer("limit", std::min(10, most), 1, most);
  read_candidates(fields, request.search);
  return request;
}

RerankRequest parse_rerank(std::string body) {
  JsonParser parser;
  const Fields fields(parser, body);
  RerankRequest request;
  request.model = fields.text_or("model", request.model);
  request.query = fields.text("query");
  for (const JsonElement element : fields.elements("documents", limits::kRerankDocuments)) {
    const std::string name = fmt::format("documents[{}]", request.documents.size());
    if (!element.is_object()) {
      request.documents.push_back({"", as_text(element, name, true)});
      continue;
    }
    const Fields document(element, name);
    const std::optional<JsonElement> text = document.find("text");
    if (!text) bad_field(name + ".text", "is missing");
    request.documents.push_back(
        {document.text_or("title", ""), as_text(*text, name + ".text", true)});
  }
  if (request.documents.empty()) bad_field("documents", "is empty");
  const auto count = static_cast<int>(request.documents.size());
  // A client that wants more than there are gets all of them, as elsewhere.
  const int top_n = fields.integer("top_n", count, 1, 1'000'000'000);
  request.top_n = static_cast<std::size_t>(std::min(top_n, count));
  request.return_documents = fields.boolean("return_documents", true);
  return request;
}

EmbeddingsRequest parse_embeddings(std::string body) {
  using Pooling = EmbeddingsRequest::Pooling;
  JsonParser parser;
  const Fields fields(parser, body);
  EmbeddingsRequest request;
  request.model = fields.text_or("model", request.model);
  const std::optional<JsonElement> input = fields.find("input");
  if (!input) bad_field("input", "is missing");
  if (input->is_string()) {
    request.texts = {as_text(*input, "input")};
  } else {
    for (const JsonElement element : fields.elements("input", limits::kEmbeddingTexts)) {
      const std::string name = fmt::format("input[{}]", request.texts.size());
      if (!element.is_string()) bad_field(name, "must be a text; tokens are not taken");
      request.texts.push_back(as_text(element, name));
    }
    if (request.texts.empty()) bad_field("input", "is empty");
  }
  const bool by_name = request.model.starts_with("level1");
  const bool level1 =
      fields.one_of("pooling", by_name ? "level1" : "mean", {"mean", "level1"}) == "level1";
  const std::string_view role = request.model == "level1-support" ? "support" : "query";
  const bool support = fields.one_of("role", role, {"query", "support"}) == "support";
  request.pooling = !level1   ? Pooling::mean
                    : support ? Pooling::level1_support
                              : Pooling::level1_query;
  request.normalize = fields.boolean("normalize", !level1);
  request.base64 = fields.one_of("encoding_format", "float", {"float", "base64"}) == "base64";
  if (fields.has("dimensions")) request.dimensions = fields.integer("dimensions", 0, 1, 1 << 20);
  return request;
}

SentenceRequest parse_sentence(std::string body, bool with_number) {
  JsonParser parser;
  const Fields fields(parser, body);
  SentenceRequest request;
  with_number ? fields.allow({"text", "number"}) : fields.allow({"text"});
  request.text = fields.text("text");
  if (fields.has("number"))
    request.number = fields.integer("number", 0, 0, limits::kSentenceNumber);
  return request;
}

DocumentRequest parse_document(std::string body) {
  JsonParser parser;
  const Fields fields(parser, body);
  fields.allow({"sentences", "replace"});
  std::vector<NewSentence> sentences;
  std::set<int> numbers;
  for (const JsonElement element : fields.elements("sentences", limits::kSentences)) {
    const std::string name = fmt::format("sentences[{}]", sentences.size());
    const auto place = static_cast<int>(sentences.size());
    if (!element.is_object()) {
      sentences.push_back({place, as_text(element, name, true)});
    } else {
      const Fields sentence(element, name);
      sentence.allow({"number", "text", "id", "edited", "added", "revision"});
      const std::optional<JsonElement> text = sentence.find("text");
      if (!text) bad_field(name + ".text", "is missing");
      sentences.push_back({sentence.integer("number", place, 0, limits::kSentenceNumber),
                           as_text(*text, name + ".text", true)});
    }
    if (!numbers.insert(sentences.back().number).second)
      bad_field(name + ".number", "is there twice");
  }
  return {std::move(sentences), fields.boolean("replace", true)};
}

NewExemplarRequest parse_new_exemplar(std::string body, const Defaults& defaults) {
  JsonParser parser;
  const Fields fields(parser, body);
  fields.allow({"claim", "label", "tag", "evidence", "k1", "z"});
  NewExemplarRequest request;
  request.claim = fields.text("claim");
  request.label = parse_label(fields.text("label"), "label");
  request.tag = fields.text_or("tag", request.tag);
  request.search = defaults.search;
  read_widths(fields, request.search);
  if (const std::optional<Fields> evidence = fields.object("evidence")) {
    evidence->allow({"title", "number", "text"});
    const std::string title = evidence->text("title");
    request.evidence = {title, title, evidence->integer("number", 0, 0, limits::kSentenceNumber),
                        evidence->text("text")};
  }
  return request;
}

Label parse_relabelling(std::string body) {
  JsonParser parser;
  const Fields fields(parser, body);
  fields.allow({"label"});
  return parse_label(fields.text("label"), "label");
}

}  // namespace memmatch::serve
