#include "serve/requests.h"

#include <gtest/gtest.h>

#include "serve/access.h"
#include "serve/base64.h"
#include "serve/http.h"
#include "serve/url.h"
#include "support.h"

namespace memmatch::serve {
namespace {

RequestError refused(const std::function<void()>& action) {
  try {
    action();
  } catch (const RequestError& error) {
    return error;
  }
  ADD_FAILURE() << "expected a refusal";
  return {};
}

RequestError bad_verify(const std::string& body) {
  return refused([&] { parse_verify(body, {}); });
}

TEST(Requests, WhatIsNoJsonObjectIs400) {
  for (const std::string& body :
       {std::string(), std::string("{"), std::string("[]"), std::string("null"), std::string("1"),
        std::string("{\"claim\": \"\xff\xfe\"}"), std::string("{\"claim\": \"a\"} x"),
        std::string("{\"claim\": \"\\ud800\"}"),
        std::string(R"({"claim": "a", "k1": 99999999999999999999})"), std::string("\0{}", 3),
        std::string(100'000, '['), "{\"a\":" + std::string(100'000, '{')}) {
    EXPECT_EQ(bad_verify(body).status, 400) << body.substr(0, 40);
  }
}

TEST(Requests, AFieldThatIsThereTwiceIs422AndNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"claim": "a", "claim": "b"})", "'claim' is there twice"},
      {R"({"claim": "a", "k1": 5, "z": 1, "k1": 5})", "'k1' is there twice"},
      {R"({"claim": "a", "cl\u0061im": "b"})", "'claim' is there twice"},
      {R"({"claim": "a", "exemplars": {"nearest": 1, "nearest": 2}})",
       "'exemplars.nearest' is there twice"}};
  for (const auto& [body, message] : cases) {
    const RequestError error = bad_verify(body);
    EXPECT_EQ(error.status, 422) << body;
    EXPECT_EQ(error.message, message);
  }
  const RequestError rerank =
      refused([] { parse_rerank(R"({"query": "a", "documents": [{"text": "b", "text": "c"}]})"); });
  EXPECT_EQ(rerank.message, "'documents[0].text' is there twice");
}

TEST(Requests, LimitsHoldForDefaultsToo) {
  for (const auto& [k1, z] : {std::pair(0, 5), {-3, 5}, {1001, 5}, {100, -1}, {100, 51}}) {
    Defaults defaults;
    defaults.search.k1 = k1;
    defaults.search.z = z;
    EXPECT_EQ(refused([&] { parse_verify(R"({"claim": "a"})", defaults); }).status, 422);
    EXPECT_EQ(test::error_of([&] { check_defaults(defaults); }).kind(),
              ErrorKind::invalid_argument);
  }
  Defaults defaults;
  defaults.search.k1 = 0;
  EXPECT_EQ(refused([&] { parse_search(R"({"query": "a"})", defaults); }).status, 422);
  const Url url = parse_url("/v1/align");
  EXPECT_EQ(refused([&] { Parameters(url, {"k1"}).integer("k1", 0, 1, 9); }).status, 422);
  check_defaults({});
}

TEST(Requests, ABadFieldIs422AndNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({})", "claims"},
      {R"({"claim": null})", "claims"},
      {R"({"claim": 1})", "claim"},
      {R"({"claim": ""})", "claim"},
      {R"({"claim": " \n "})", "claim"},
      {R"({"claims": []})", "claims"},
      {R"({"claims": "a"})", "claims"},
      {R"({"claims": ["a", 2]})", "claims[1]"},
      {R"({"claim": "a", "claims": ["b"]})", "claim"},
      {R"({"claim": "a", "k1": 0})", "k1"},
      {R"({"claim": "a", "k1": 1001})", "k1"},
      {R"({"claim": "a", "k1": 5.5})", "k1"},
      {R"({"claim": "a", "k1": "5"})", "k1"},
      {R"({"claim": "a\u0000"})", "claim"},
      {R"({"claims": ["1","2","3","4","5","6","7","8","9","10","11","12","13"], "k1": 1000})",
       "claims"},
      {R"({"claim": "a", "z": -1})", "z"},
      {R"({"claim": "a", "two_class": 1})", "two_class"},
      {R"({"claim": "a", "candidates": "some"})", "candidates"},
      {R"({"claim": "a", "K1": 5})", "K1"},
      {R"({"claim": "a", "exemplars": 3})", "exemplars"},
      {R"({"claim": "a", "exemplars": {"nearest": 0}})", "exemplars.nearest"},
      {R"({"claim": "a", "exemplars": {"max_distance": -1}})", "exemplars.max_distance"},
      {R"({"claim": "a", "exemplars": {"near": 1}})", "exemplars.near"},
  };
  for (const auto& [body, field] : cases) {
    const RequestError error = bad_verify(body);
    EXPECT_EQ(error.status, 422) << body;
    EXPECT_EQ(error.code, "invalid_field");
    EXPECT_TRUE(error.message.starts_with("'" + std::string(field) + "'")) << error.message;
  }
}

TEST(Requests, LimitsHold) {
  std::string many = R"({"claims": ["a")";
  for (std::size_t i = 1; i < limits::kClaims; ++i) many += R"(, "a")";
  EXPECT_EQ(parse_verify(many + "]}", {}).claims.size(), limits::kClaims);
  EXPECT_EQ(bad_verify(many + R"(, "a"]})").status, 422);
  const std::string longest(limits::kTextBytes, 'a');
  EXPECT_EQ(parse_verify(R"({"claim": ")" + longest + R"("})", {}).claims[0], longest);
  EXPECT_EQ(bad_verify(R"({"claim": "a)" + longest + R"("})").status, 422);
}

TEST(Requests, WhatIsNotSaidIsTheServersDefault) {
  Defaults defaults;
  defaults.search.k1 = 7;
  defaults.search.two_class = true;
  defaults.admit = "mean";
  const VerifyRequest request = parse_verify(R"({"claim": "a", "z": 2})", defaults);
  EXPECT_EQ(request.options.search.k1, 7);
  EXPECT_EQ(request.options.search.z, 2);
  EXPECT_TRUE(request.options.search.two_class);
  EXPECT_EQ(request.options.admit, "mean");
  EXPECT_FALSE(request.options.search.difference);
  EXPECT_TRUE(
      parse_verify(R"({"claim": "a", "exemplars": {}})", defaults).options.search.difference);
  EXPECT_TRUE(parse_search(R"({"query": "a"})", defaults).search.evidence_alone);
  EXPECT_FALSE(request.options.search.evidence_alone);
}

TEST(Requests, OtherServicesFieldsAreIgnoredWhereTheirClientsSendThem) {
  const RerankRequest rerank = parse_rerank(
      R"({"model": "m", "query": "q", "documents": ["a", {"text": "b", "title": "t"}], "top_n": 9,
          "max_chunks_per_doc": 10, "rank_fields": ["text"]})");
  EXPECT_EQ(rerank.top_n, 2u);
  EXPECT_EQ(rerank.documents[1].title, "t");
  const EmbeddingsRequest embeddings =
      parse_embeddings(R"({"input": "a", "model": "text-embedding-3-small", "user": "me"})");
  EXPECT_EQ(embeddings.pooling, EmbeddingsRequest::Pooling::mean);
  EXPECT_TRUE(embeddings.normalize);
  EXPECT_EQ(parse_embeddings(R"({"input": ["a"], "model": "level1-support"})").pooling,
            EmbeddingsRequest::Pooling::level1_support);
}

TEST(Requests, ATextIsCheckedBySentencesWithinTheLimitsOfClaims) {
  const CheckRequest request =
      parse_check(R"({"text": "The Moon is old. Is it round? It has no atmosphere.", "z": 2})", {});
  ASSERT_EQ(request.sentences.size(), 3u);
  EXPECT_EQ(request.sentences[1].not_judged, "is a question");
  EXPECT_EQ(request.claims,
            (std::vector<std::string>{"The Moon is old.", "It has no atmosphere."}));
  EXPECT_EQ(request.options.search.z, 2);
  std::string many;
  for (std::size_t i = 0; i <= limits::kClaims; ++i) many += "The Moon is old. ";
  const RequestError refusal = refused([&] { parse_check(R"({"text": ")" + many + R"("})", {}); });
  EXPECT_EQ(refusal.status, 422);
  EXPECT_EQ(refusal.message,
            "'text' has 129 sentences to judge; at most 128 are taken: send it in parts");
  const std::string long_sentence(limits::kTextBytes + 1, 'a');
  EXPECT_EQ(
      refused([&] { parse_check(R"({"text": "It )" + long_sentence + R"( is."})", {}); }).status,
      422);
  EXPECT_EQ(refused([] { parse_check(R"({"text": 5})", {}); }).status, 422);
}

TEST(Requests, ADocumentsNumbersAreDistinct) {
  const auto sentences =
      parse_document(R"({"sentences": ["a", {"number": 5, "text": "b"}, "c"]})").sentences;
  ASSERT_EQ(sentences.size(), 3u);
  EXPECT_EQ(sentences[1].number, 5);
  EXPECT_EQ(sentences[2].number, 2);
  EXPECT_EQ(refused([] {
              parse_document(R"({"sentences": ["a", {"number": 0, "text": "b"}]})");
            }).message,
            "'sentences[1].number' is there twice");
}

TEST(Url, IsTakenApart) {
  const Url url = parse_url("/v1/documents/AC%2FDC/%C3%A9?query=a+b%2Bc&x&y=");
  EXPECT_EQ(url.path, (std::vector<std::string>{"v1", "documents", "AC/DC", "é"}));
  EXPECT_EQ(url.parameters[0], (std::pair<std::string, std::string>{"query", "a b+c"}));
  EXPECT_EQ(url.parameters[1], (std::pair<std::string, std::string>{"x", ""}));
  EXPECT_EQ(parse_url("/").path, std::vector<std::string>{""});
}

TEST(Url, WhatIsNoTextIsRefused) {
  for (const char* bad : {"", "x", "/%", "/%4", "/%4g", "/%ff", "/%c0%80", "/%ed%a0%80", "/%00",
                          "/%0a", "/%f4%90%80%80", "/?a=%fe", "/\x01"}) {
    EXPECT_EQ(refused([&] { parse_url(bad); }).status, 400) << bad;
  }
}

TEST(Access, TokensAreEqualOnlyAsAWhole) {
  EXPECT_TRUE(equal_tokens("secret", "secret"));
  for (const char* other : {"", "secre", "secrets", "Secret", "secretsecret", "terces"})
    EXPECT_FALSE(equal_tokens(other, "secret")) << other;
  EXPECT_FALSE(equal_tokens("secret", ""));
}

TEST(Access, LocalHostsAreToldFromNamesThatLookLikeThem) {
  for (const char* host :
       {"localhost", "LOCALHOST:8080", "127.0.0.1:80", "127.1.2.3", "[::1]:8080", "[::1]"}) {
    EXPECT_TRUE(is_local_host(host)) << host;
  }
  for (const char* host : {"example.org", "localhost.example.org", "127.0.0.1.example.org",
                           "127.0.0.1x", "[::2]", "10.0.0.1", "127.evil.example.org:80"}) {
    EXPECT_FALSE(is_local_host(host)) << host;
  }
}

TEST(Base64, IsTheUsualOne) {
  const auto encoded = [](std::string_view text) { return base64(std::as_bytes(std::span(text))); };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("\xff\xfe"), "//4=");
}

}  // namespace
}  // namespace memmatch::serve
