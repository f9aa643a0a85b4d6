#include "serve/service.h"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "memmatch/verifier.h"
#include "search/verdict_json.h"
#include "serve/served_world.h"
#include "store/title_search.h"

namespace memmatch {
namespace {

using test::ServedWorld;
using Json = nlohmann::json;

class ServiceTest : public testing::Test {
 protected:
  Json verify(const std::string& claim, const Json& options = Json::object()) {
    Json body = options;
    body["claim"] = claim;
    const auto answer = world_.call("POST", "/v1/verify", body);
    EXPECT_EQ(answer.status, 200) << answer.raw.body;
    return answer.json["verdicts"][0];
  }

  static Json without_times(Json verdict) {
    verdict.erase("seconds");
    return verdict;
  }

  ServedWorld world_;
  std::vector<std::string> claims_ = test::random_claims(12, 2);
};

TEST_F(ServiceTest, AVerdictIsTheLibrarysAloneAndInCompany) {
  const Json together =
      world_.call("POST", "/v1/verify", Json{{"claims", claims_}}).json["verdicts"];
  ASSERT_EQ(together.size(), claims_.size());
  const auto& files = world_.settings().files;
  Verifier verifier = Verifier::open(files.store, files.model, {.threads = 1});
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    const Json alone = verify(claims_[i]);
    EXPECT_EQ(without_times(alone), without_times(together[i]));
    const auto own = search::to_json(verifier.verify(claims_[i], {.k1 = 6, .z = 3}));
    EXPECT_EQ(without_times(Json::parse(own.dump())), without_times(alone));
  }
}

TEST_F(ServiceTest, ClaimsOfManyClientsAreAnsweredTogetherAndRight) {
  std::vector<Json> alone;
  for (const std::string& claim : claims_) alone.push_back(without_times(verify(claim)));
  serve::Service& service = world_.service();
  std::vector<std::promise<serve::HttpAnswer>> answers(claims_.size());
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    service.handle(
        ServedWorld::request("POST", "/v1/verify", Json{{"claim", claims_[i]}}.dump()),
        [&answers, i](serve::HttpAnswer answer) { answers[i].set_value(std::move(answer)); });
  }
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    const Json answer = Json::parse(answers[i].get_future().get().body);
    EXPECT_EQ(without_times(answer["verdicts"][0]), alone[i]);
  }
  const std::string metrics = world_.call("GET", "/metrics").raw.body;
  EXPECT_NE(metrics.find("memmatch_claims_total 24\n"), std::string::npos) << metrics;
  EXPECT_EQ(metrics.find("memmatch_batches_total 24\n"), std::string::npos) << "all went alone";
}

TEST_F(ServiceTest, OptionsAreThoseOfTheRequest) {
  const Json verdict = verify(
      "the moon is old.",
      {{"k1", 4}, {"z", 2}, {"two_class", true}, {"candidates", "cover"}, {"explain", true}});
  EXPECT_EQ(verdict["evidence"].size(), 2u);
  EXPECT_TRUE(verdict["label_distances"]["NOT ENOUGH INFO"].is_null());
  EXPECT_EQ(verdict["beams"]["level1"].size(), 4u);
  const auto calibration =
      world_.call("POST", "/v1/verify", Json{{"claim", "the moon"}, {"admit", "mean"}});
  EXPECT_EQ(calibration.status, 422);
  EXPECT_NE(calibration.raw.body.find("memmatch calibrate"), std::string::npos);
  EXPECT_EQ(world_.call("POST", "/v1/verify", Json{{"claim", "the moon"}, {"admit", "x"}}).status,
            422);
}

TEST_F(ServiceTest, ATextsSentencesGetTheVerdictsThatTheyGetAlone) {
  const auto answer = world_.call("POST", "/v1/check",
                                  Json{{"text", "The moon is old.\nIs it round? The sun is red."}});
  ASSERT_EQ(answer.status, 200) << answer.raw.body;
  const Json sentences = answer.json["sentences"];
  ASSERT_EQ(sentences.size(), 3u);
  EXPECT_EQ(without_times(sentences[0]["verdict"]), without_times(verify("The moon is old.")));
  EXPECT_EQ(sentences[1]["not_judged"], "it is a question");
  EXPECT_FALSE(sentences[1].contains("verdict"));
  EXPECT_EQ(without_times(sentences[2]["verdict"]), without_times(verify("The sun is red.")));
  const auto none = world_.call("POST", "/v1/check", Json{{"text", "Why?"}});
  EXPECT_EQ(none.status, 200) << none.raw.body;
  EXPECT_EQ(none.json["sentences"].size(), 1u);
}

TEST_F(ServiceTest, ADocumentIsNotReplacedByWhoOnlyAdds) {
  const Json body{{"sentences", {"One."}}, {"replace", false}};
  EXPECT_EQ(world_.call("PUT", "/v1/documents/Quince", body).status, 201);
  const auto refused = world_.call("PUT", "/v1/documents/Quince", body);
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.raw.body.find("'replace'"), std::string::npos) << refused.raw.body;
  EXPECT_EQ(world_.call("PUT", "/v1/documents/Quince", Json{{"sentences", {"Two."}}}).status, 200);
}

TEST_F(ServiceTest, SearchGivesTheEvidenceOfTheLevels) {
  const auto answer = world_.call("POST", "/v1/search",
                                  Json{{"query", "the moon is old."}, {"k1", 6}, {"limit", 3}});
  ASSERT_EQ(answer.status, 200);
  const Json evidence = verify("the moon is old.")["evidence"];
  const Json sentences = answer.json["results"][0]["sentences"];
  ASSERT_EQ(sentences.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(sentences[i]["id"], evidence[i]["id"]);
    EXPECT_EQ(sentences[i]["level2_distance"], evidence[i]["level2_distance"]);
  }
}

TEST_F(ServiceTest, AnEditIsIndexedWhenItsAnswerComesAndUndoneByThePreviousText) {
  const std::string claim = "the moon is old.";
  const Json before = verify(claim);
  const Json nearest = before["evidence"][0];
  const std::string target = "/v1/documents/" + nearest["raw_title"].get<std::string>() +
                             "/sentences/" + std::to_string(nearest["number"].get<int>());
  const auto edited = world_.call("PUT", target, Json{{"text", "The tower falls."}});
  ASSERT_EQ(edited.status, 200) << edited.raw.body;
  EXPECT_EQ(edited.json["previous"]["text"], nearest["text"]);
  EXPECT_EQ(edited.json["sentence"]["edited"], true);
  {
    const auto& files = world_.settings().files;
    Verifier reader = Verifier::open(files.store, files.model, {.threads = 1, .read_only = true});
    const std::vector<VectorSet> sets = reader.store().vector_sets();
    ASSERT_EQ(sets.size(), 1U);
    std::vector<std::uint16_t> vector(static_cast<std::size_t>(sets[0].dimension));
    EXPECT_TRUE(reader.store().read_vector(sets[0], nearest["id"].get<SentenceId>(), vector));
  }
  EXPECT_NE(without_times(verify(claim)), without_times(before));
  // Wherever it is in the ranking now.
  const Json all = verify(claim, {{"k1", 1000}, {"z", 50}})["evidence"];
  const auto found = std::find_if(all.begin(), all.end(), [&](const Json& evidence) {
    return evidence["id"] == nearest["id"];
  });
  ASSERT_NE(found, all.end());
  EXPECT_EQ((*found)["edited"], true);
  EXPECT_EQ((*found)["text"], "The tower falls.");
  EXPECT_EQ(world_.call("PUT", target, Json{{"text", edited.json["previous"]["text"]}}).status,
            200);
  EXPECT_EQ(without_times(verify(claim)), without_times(before));
}

TEST_F(ServiceTest, SentencesAndDocumentsComeAndGoAndComeBack) {
  const auto made =
      world_.call("PUT", "/v1/documents/AC%2FDC", Json{{"sentences", {"One.", "Two."}}});
  EXPECT_EQ(made.status, 201) << made.raw.body;
  EXPECT_TRUE(made.json["previous"].is_null());
  EXPECT_EQ(made.json["document"]["title"], "AC/DC");
  EXPECT_EQ(made.json["document"]["sentences"][1]["added"], true);

  EXPECT_EQ(world_.call("POST", "/v1/documents/AC%2FDC/sentences", Json{{"text", "Three."}})
                .json["sentence"]["number"],
            2);
  EXPECT_EQ(
      world_
          .call("POST", "/v1/documents/AC%2FDC/sentences", Json{{"text", "Again."}, {"number", 2}})
          .status,
      409);
  const auto gone = world_.call("DELETE", "/v1/documents/AC%2FDC/sentences/1");
  EXPECT_EQ(gone.json["previous"]["text"], "Two.");
  EXPECT_EQ(world_.call("GET", "/v1/documents/AC%2FDC/sentences/1").status, 404);
  EXPECT_EQ(world_.call("PUT", "/v1/documents/AC%2FDC/sentences/1", Json{{"text", "Two."}}).status,
            201);
  EXPECT_EQ(world_.call("GET", "/v1/documents/AC%2FDC/sentences/1").json["sentence"]["text"],
            "Two.");

  const auto replaced =
      world_.call("PUT", "/v1/documents/AC%2FDC", Json{{"sentences", {"One.", "Zwei."}}});
  EXPECT_EQ(replaced.status, 200);
  EXPECT_EQ(replaced.json["previous"].size(), 3u);
  EXPECT_EQ(replaced.json["document"]["sentences"][0]["revision"], 1) << "was not touched";
  EXPECT_EQ(replaced.json["document"]["sentences"][1]["revision"], 2);

  const auto deleted = world_.call("DELETE", "/v1/documents/AC%2FDC");
  EXPECT_EQ(world_.call("GET", "/v1/documents/AC%2FDC").status, 404);
  EXPECT_EQ(
      world_.call("PUT", "/v1/documents/AC%2FDC", Json{{"sentences", deleted.json["previous"]}})
          .status,
      201);
  EXPECT_EQ(world_.call("GET", "/v1/documents/AC%2FDC").json["sentences"][1]["text"], "Zwei.");
  const std::vector<std::string> many(100, "the moon");
  const auto large = world_.call("PUT", "/v1/documents/large", Json{{"sentences", many}});
  EXPECT_EQ(large.json["document"]["sentences"].size(), many.size());
  EXPECT_EQ(world_.call("PUT", "/v1/documents/Nobody/sentences/0", Json{{"text", "x"}}).status,
            404);
}

TEST_F(ServiceTest, AnImportedDocumentThatIsPutBackIsNotEdited) {
  const auto before = world_.call("GET", "/v1/documents/0");
  world_.call("DELETE", "/v1/documents/0");
  world_.call("PUT", "/v1/documents/0", Json{{"sentences", before.json["sentences"]}});
  const auto after = world_.call("GET", "/v1/documents/0");
  ASSERT_EQ(after.json["sentences"].size(), before.json["sentences"].size());
  for (const Json& sentence : after.json["sentences"]) {
    EXPECT_EQ(sentence["edited"], false);
    EXPECT_EQ(sentence["added"], false);
  }
}

TEST_F(ServiceTest, DocumentsAreFoundByTheBeginningOfTheirTitles) {
  const auto moon = world_.call("GET", "/v1/documents?query=MOO&limit=1");
  EXPECT_EQ(moon.json["documents"].size(), 1u);
  EXPECT_EQ(moon.json["more"], true);
  EXPECT_TRUE(moon.json["documents"][0]["title"].get<std::string>().starts_with("moon"));
  const auto rest = world_.call("GET", "/v1/documents?query=moon+(2&offset=1");
  EXPECT_EQ(rest.json["documents"].size(), 1u);
  EXPECT_EQ(world_.call("GET", "/v1/documents?query=nowhere").json["documents"].size(), 0u);
  EXPECT_EQ(world_.call("GET", "/v1/documents").json["documents"].size(), 20u);
  EXPECT_EQ(world_.call("GET", "/v1/documents?limit=101").status, 422);
  EXPECT_EQ(world_.call("GET", "/v1/documents?limit=1&limit=2").status, 422);
  EXPECT_EQ(world_.call("GET", "/v1/documents?qeury=a").status, 422);
}

TEST_F(ServiceTest, ACorrectionIsTheNearestExemplarOfTheSameClaim) {
  const Json exemplars{{"exemplars", {{"nearest", 2}}}};
  EXPECT_EQ(verify("the moon is old.", exemplars)["exemplars"]["nearest"].size(), 0u);
  const auto made = world_.call("POST", "/v1/exemplars",
                                Json{{"claim", "the moon is old."}, {"label", "REFUTES"}});
  ASSERT_EQ(made.status, 201) << made.raw.body;
  EXPECT_EQ(made.json["exemplar"]["tag"], "corrections");
  const Json nearest = verify("the moon is old.", exemplars)["exemplars"]["nearest"][0];
  EXPECT_EQ(nearest["id"], made.json["exemplar"]["id"]);
  EXPECT_LT(nearest["distance"].get<double>(), 1e-4);

  const std::string target = "/v1/exemplars/" + nearest["id"].dump();
  const auto relabelled = world_.call("PATCH", target, Json{{"label", "SUPPORTS"}});
  EXPECT_EQ(relabelled.json["previous_label"], "REFUTES");
  EXPECT_EQ(world_.call("GET", target).json["exemplar"]["gold_label"], "SUPPORTS");
  EXPECT_EQ(world_.call("GET", "/v1/exemplars?gold=SUPPORTS").json["exemplars"].size(), 1u);
  EXPECT_EQ(world_.call("GET", "/v1/exemplars?gold=REFUTES").json["exemplars"].size(), 0u);
  EXPECT_EQ(world_.call("DELETE", target).status, 200);
  EXPECT_EQ(world_.call("GET", target).status, 404);
  EXPECT_EQ(verify("the moon is old.", exemplars)["exemplars"]["nearest"].size(), 0u);
  const auto given = world_.call("POST", "/v1/exemplars",
                                 Json{{"claim", "Ein Satz"},
                                      {"label", "SUPPORTS"},
                                      {"evidence", {{"title", "moon"}, {"text", "the moon"}}}});
  EXPECT_EQ(given.json["exemplar"]["evidence"][0]["text"], "the moon");
}

TEST_F(ServiceTest, AlignmentsAreOfTheSentencesThatWereAskedFor) {
  const Json evidence = verify("the moon is old.")["evidence"];
  const std::string id = evidence[1]["id"].dump();
  const auto one =
      world_.call("GET", "/v1/align?claim=the%20moon+is+old.&level=1,3&sentence=" + id);
  ASSERT_EQ(one.status, 200) << one.raw.body;
  ASSERT_EQ(one.json["alignments"].size(), 2u);
  EXPECT_EQ(one.json["alignments"][0]["sentences"][0], evidence[1]["id"]);
  EXPECT_NEAR(one.json["alignments"][0]["distance"].get<double>(),
              evidence[1]["level1_distance"].get<double>(), 1e-2);
  const auto searched = world_.call("GET", "/v1/align?claim=the%20moon+is+old.&level=2");
  ASSERT_EQ(searched.json["alignments"].size(), 3u);
  EXPECT_NEAR(searched.json["alignments"][2]["distance"].get<double>(),
              evidence[2]["level2_distance"].get<double>(), 1e-4);
  EXPECT_EQ(world_.call("GET", "/v1/align?level=1").status, 422);
  EXPECT_EQ(world_.call("GET", "/v1/align?claim=a&level=4").status, 422);
  EXPECT_EQ(world_.call("GET", "/v1/align?claim=a&sentence=999999").status, 404);
}

TEST_F(ServiceTest, AnAlignmentDoesNotWaitForEverybodyElseAgainAndAgain) {
  verify("the moon is old.");
  serve::Service& service = world_.service();
  std::mutex mutex;
  std::vector<std::string> order;
  std::vector<std::promise<void>> answered(9);
  const auto send = [&](std::size_t number, const serve::HttpRequest& request) {
    service.handle(request, [&, number](const serve::HttpAnswer& answer) {
      EXPECT_EQ(answer.status, 200) << answer.body;
      {
        const std::lock_guard lock(mutex);
        order.push_back(number == 0 ? "align" : "verify");
      }
      answered[number].set_value();
    });
  };
  send(0, ServedWorld::request("GET", "/v1/align?claim=the+moon+is+old.&level=1,2,3"));
  for (std::size_t i = 1; i < answered.size(); ++i) {  // searches that do not go together
    const Json body{{"claims", claims_}, {"k1", i}, {"z", 1}};
    send(i, ServedWorld::request("POST", "/v1/verify", body.dump()));
  }
  for (std::promise<void>& answer : answered) answer.get_future().get();
  EXPECT_EQ(order.front(), "align");
}

TEST_F(ServiceTest, RerankRanksAsLevel2DoesInTheShapeOfOthers) {
  std::vector<std::string> documents;
  for (int i = 0; i < 70; ++i) documents.push_back("the river is cold " + std::to_string(i % 5));
  documents[33] = "the moon is old.";
  const auto answer = world_.call("POST", "/v1/rerank",
                                  Json{{"model", "rerank-v3.5"},
                                       {"query", "the moon is old."},
                                       {"documents", documents},
                                       {"top_n", 5},
                                       {"max_tokens_per_doc", 4096}});
  ASSERT_EQ(answer.status, 200) << answer.raw.body;
  const Json results = answer.json["results"];
  ASSERT_EQ(results.size(), 5u);
  for (std::size_t i = 1; i < 5; ++i)
    EXPECT_LE(results[i]["relevance_score"], results[i - 1]["relevance_score"]);
  EXPECT_EQ(results[0]["document"]["text"], documents[results[0]["index"].get<std::size_t>()]);
  // The same alone, whatever the slice.
  const auto index = results[4]["index"].get<std::size_t>();
  const auto alone = world_.call("POST", "/rerank",
                                 Json{{"query", "the moon is old."},
                                      {"documents", {{{"text", documents[index]}}}},
                                      {"return_documents", false}});
  EXPECT_EQ(alone.json["results"][0]["relevance_score"], results[4]["relevance_score"]);
  EXPECT_FALSE(alone.json["results"][0].contains("document"));
}

TEST_F(ServiceTest, EmbeddingsHaveOpenAIsShapeInNumbersAndBase64) {
  const auto answer = world_.call("POST", "/v1/embeddings",
                                  Json{{"input", {"the moon", "the sun is old"}}, {"model", "x"}});
  ASSERT_EQ(answer.status, 200) << answer.raw.body;
  ASSERT_EQ(answer.json["data"].size(), 2u);
  const auto vector = answer.json["data"][1]["embedding"].get<std::vector<double>>();
  EXPECT_EQ(vector.size(), 16u);
  double square = 0;
  for (const double value : vector) square += value * value;
  EXPECT_NEAR(square, 1, 1e-5);
  const auto encoded = world_.call(
      "POST", "/embeddings", Json{{"input", "the sun is old"}, {"encoding_format", "base64"}});
  EXPECT_EQ(encoded.json["data"][0]["embedding"].get<std::string>().size(), (16u * 4 + 2) / 3 * 4);
  const auto level1 =
      world_.call("POST", "/v1/embeddings", Json{{"input", "the moon"}, {"model", "level1-query"}});
  EXPECT_EQ(level1.json["data"][0]["embedding"].size(), 20u);
  EXPECT_EQ(world_.call("POST", "/v1/embeddings", R"({"input": [[1, 2]]})").status, 422);
  EXPECT_EQ(world_.call("POST", "/v1/embeddings", Json{{"input", "a"}, {"dimensions", 7}}).status,
            422);
}

TEST_F(ServiceTest, AClaimThatIsBlankToTheLibraryFailsAlone) {
  serve::Service& service = world_.service();
  std::promise<serve::HttpAnswer> bad;
  std::promise<serve::HttpAnswer> good;
  service.handle(ServedWorld::request("POST", "/v1/verify", "{\"claim\": \"\\u2003\"}"),
                 [&](serve::HttpAnswer answer) { bad.set_value(std::move(answer)); });
  service.handle(ServedWorld::request("POST", "/v1/verify", R"({"claim": "the moon"})"),
                 [&](serve::HttpAnswer answer) { good.set_value(std::move(answer)); });
  EXPECT_EQ(bad.get_future().get().status, 422);
  EXPECT_EQ(good.get_future().get().status, 200);
}

TEST_F(ServiceTest, ReadersSeeOneStateWhileAWriterCommits) {
  // Two sentences that are always changed together, by somebody else.
  const auto write = [&](Datastore& store, const std::string& word) {
    Datastore::Import import = store.begin_import({.overwrite_edits = true});
    import.add({"tower",
                "tower",
                { {0, "The tower is " + word + "."},
                  { 1,
                    "It was " + word + "." } }});
    import.commit();
  };
  Datastore store = Datastore::open(world_.store_file(), Datastore::Access::write);
  write(store, "red");
  world_.service();
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; !done; ++i) {
      write(store, i % 2 == 0 ? "green" : "red");
      std::this_thread::sleep_for(std::chrono::milliseconds(2));  // others write, too
    }
  });
  for (int i = 0; i < 40; ++i) {
    const Json verdict = verify("the tower", {{"k1", 100}, {"z", 50}});
    std::set<std::string> words;
    for (const Json& evidence : verdict["evidence"]) {
      if (evidence["raw_title"] != "tower") continue;
      const auto text = evidence["text"].get<std::string>();
      words.insert(text.substr(text.rfind(' ')));
    }
    EXPECT_EQ(words.size(), 1u) << verdict.dump();
  }
  done = true;
  writer.join();
}

TEST_F(ServiceTest, EveryDescribedRouteExistsAndAnswersAsDescribed) {
  const std::string id =
      world_.call("POST", "/v1/exemplars", Json{{"claim", "the moon"}, {"label", "REFUTES"}})
          .json["exemplar"]["id"]
          .dump();
  world_.call("POST", "/v1/verify",
              Json{{"claims", claims_}, {"explain", true}, {"exemplars", Json::object()}});
  world_.call("POST", "/v1/check", Json{{"text", "The moon is old. Is it round?"}});
  world_.call("POST", "/v1/search", Json{{"queries", claims_}});
  world_.call("GET", "/v1/align?claim=the+moon&level=1,2,3");
  for (const char* target : {"/v1/rerank", "/v2/rerank", "/rerank"})
    world_.call("POST", target, Json{{"query", "the moon"}, {"documents", {"the sun", ""}}});
  for (const char* target : {"/v1/embeddings", "/embeddings"})
    world_.call("POST", target, Json{{"input", "the moon"}});
  world_.call("PUT", "/v1/documents/Quince", Json{{"sentences", {"a", ""}}});
  world_.call("POST", "/v1/documents/Quince/sentences", Json{{"text", "b"}});
  world_.call("PUT", "/v1/documents/Quince/sentences/0", Json{{"text", "c"}});
  for (const char* target : {"/v1/models", "/v1/documents", "/v1/documents/Quince", "/v1/exemplars",
                             "/v1/documents/Quince/sentences/0", "/v1/info", "/healthz", "/readyz",
                             "/metrics", "/openapi.json"}) {
    EXPECT_EQ(world_.call("GET", target).status, 200) << target;
  }
  world_.call("DELETE", "/v1/documents/Quince/sentences/0");
  world_.call("DELETE", "/v1/documents/Quince");
  world_.call("POST", "/mcp", Json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}});
  world_.call("GET", "/v1/exemplars/" + id);
  world_.call("PATCH", "/v1/exemplars/" + id, Json{{"label", "SUPPORTS"}});
  world_.call("DELETE", "/v1/exemplars/" + id);
  for (const auto& [path, operations] : world_.description()["paths"].items()) {
    for (const auto& [method, operation] : operations.items())
      EXPECT_TRUE(world_.covered().contains(method + " " + path)) << method << " " << path;
  }
}

TEST(Service, WithoutExemplarsTheirRoutesAreNotThere) {
  ServedWorld world(false);
  EXPECT_EQ(world.call("GET", "/v1/exemplars").status, 404);
  EXPECT_EQ(world.call("POST", "/v1/verify", R"({"claim": "the moon", "exemplars": {}})").status,
            404);
  EXPECT_EQ(world.call("GET", "/v1/info").json["exemplars"], false);
}

TEST(Service, TooManyClaimsAreRefusedAtOnceAndTheRestAnswered) {
  ServedWorld world;
  world.settings().queue.most_waiting = 4;
  serve::Service& service = world.service();
  std::vector<std::promise<serve::HttpAnswer>> answers(40);
  for (auto& answer : answers) {
    service.handle(ServedWorld::request("POST", "/v1/verify", R"({"claim": "the moon"})"),
                   [&](serve::HttpAnswer got) { answer.set_value(std::move(got)); });
  }
  int done = 0;
  int refused = 0;
  for (auto& answer : answers) {
    const serve::HttpAnswer got = answer.get_future().get();
    done += got.status == 200;
    if (got.status != 429) continue;
    ++refused;
    EXPECT_TRUE(std::any_of(got.headers.begin(), got.headers.end(),
                            [](const auto& header) { return header.first == "Retry-After"; }));
  }
  EXPECT_GE(done, 4);
  EXPECT_EQ(done + refused, 40);
  EXPECT_GT(refused, 0);
}

TEST(Service, LoadingAndFailingAreTold) {
  ServedWorld world;
  world.settings().files.model = "/nowhere";
  std::promise<std::exception_ptr> loaded;
  serve::Service service(world.settings(),
                         [&](std::exception_ptr error) { loaded.set_value(error); });
  EXPECT_NE(loaded.get_future().get(), nullptr);
  const auto status = [&](const char* target) {
    return ServedWorld::answer(service, ServedWorld::request("GET", target)).status;
  };
  EXPECT_EQ(status("/healthz"), 200);
  EXPECT_EQ(status("/readyz"), 503);
  EXPECT_EQ(status("/v1/info"), 503);
  EXPECT_EQ(status("/"), 200);
}

}  // namespace
}  // namespace memmatch
