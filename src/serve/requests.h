#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "memmatch/audit.h"
#include "memmatch/check.h"
#include "memmatch/datastore.h"
#include "memmatch/temporary_store.h"
#include "memmatch/verifier.h"

// Bodies of requests as plain structs. Pure functions: all that a client can send ends here in a
// struct within the limits below or in a RequestError: 400 for what is no JSON object, 422 for a
// field, which the message names. docs/serve.md says what the fields mean.

namespace memmatch::serve {

namespace limits {
inline constexpr std::size_t kBodyBytes = 1 << 20;
inline constexpr std::size_t kTextBytes = 10'000;  // of a claim, a sentence, a title, a tag
inline constexpr std::size_t kClaims = 128;
inline constexpr std::size_t kCheckedBytes = 100'000;  // of a text that is checked
inline constexpr int kK1 = 1000;
inline constexpr std::size_t kClaimsTimesK1 = 12'800;  // what a single request may ask for
inline constexpr int kZ = 50;
inline constexpr std::size_t kRerankDocuments = 1000;
inline constexpr std::size_t kEmbeddingTexts = 1024;
inline constexpr int kNearest = 100;
inline constexpr int kSentenceNumber = 1'000'000;
inline constexpr std::size_t kSentences = 2000;
}  // namespace limits

// How claims are to be verified.
struct VerifyOptions {
  SearchOptions search;
  std::string admit;  // a rule, not looked at yet; where it is empty, the calibration decides
  std::optional<ExemplarOptions> exemplars;
};

struct VerifyRequest {
  std::vector<std::string> claims;
  VerifyOptions options;
};

struct CheckRequest {
  std::vector<CheckedSentence> sentences;
  std::vector<std::string> claims;  // those of the sentences that are judged
  VerifyOptions options;
};

struct DocumentRequest {
  std::vector<NewSentence> sentences;
  bool replace = true;  // the document that is there already
};

struct TextSearchRequest {
  std::vector<std::string> queries;
  SearchOptions search;  // z is the limit
};

struct RerankRequest {
  std::string model = "memmatch";
  std::string query;
  std::vector<GivenDocument> documents;
  std::size_t top_n = 0;
  bool return_documents = true;
};

struct EmbeddingsRequest {
  enum class Pooling { mean, level1_query, level1_support };
  std::string model = "mean";
  std::vector<std::string> texts;
  Pooling pooling = Pooling::mean;
  bool normalize = true;
  bool base64 = false;
  std::optional<std::int64_t> dimensions;  // the caller says whether they are right
};

struct SentenceRequest {
  std::string text;
  std::optional<int> number;
};

struct NewExemplarRequest {
  std::string claim;
  Label label = Label::unverifiable;
  std::string tag = "corrections";
  std::optional<GivenEvidence> evidence;
  SearchOptions search;
};

// What holds where a request does not say.
struct Defaults {
  SearchOptions search;
  std::string admit;
};

// Throws Error(invalid_argument) where the defaults are beyond the limits, so that no request could
// be answered with them.
void check_defaults(const Defaults& defaults);

VerifyRequest parse_verify(std::string body, const Defaults& defaults);
CheckRequest parse_check(std::string body, const Defaults& defaults);
TextSearchRequest parse_search(std::string body, const Defaults& defaults);
RerankRequest parse_rerank(std::string body);
EmbeddingsRequest parse_embeddings(std::string body);
SentenceRequest parse_sentence(std::string body, bool with_number);
DocumentRequest parse_document(std::string body);
NewExemplarRequest parse_new_exemplar(std::string body, const Defaults& defaults);
Label parse_relabelling(std::string body);

// "SUPPORTS", "REFUTES", "NOT ENOUGH INFO"; 422 for anything else, naming the field.
Label parse_label(std::string_view name, std::string_view field);

}  // namespace memmatch::serve
