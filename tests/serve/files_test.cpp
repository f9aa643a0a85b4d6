#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "audit/calibration.h"
#include "memmatch/error.h"
#include "serve/answers.h"
#include "serve/served_world.h"
#include "store/sqlite.h"

// A service whose files others write to, replace, remove or forbid, and what it counts for how much
// work.

namespace memmatch {
namespace {

using test::ServedWorld;
using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

class FilesTest : public testing::Test {
 protected:
  FilesTest() { world_.settings().change_patience = std::chrono::minutes(1); }

  using Answer = std::future<serve::HttpAnswer>;

  // Without waiting for the answer.
  Answer begin(const std::string& method, const std::string& target, const Json& body) {
    auto promise = std::make_shared<std::promise<serve::HttpAnswer>>();
    Answer answer = promise->get_future();
    world_.service().handle(
        ServedWorld::request(method, target, body.dump()),
        [promise](serve::HttpAnswer got) { promise->set_value(std::move(got)); });
    return answer;
  }
  Answer begin_edit() {
    return begin("PUT", "/v1/documents/0/sentences/0", Json{{"text", "the moon is red"}});
  }

  int verify() {
    return world_.call("POST", "/v1/verify", Json{{"claim", "the moon is old."}}).status;
  }

  std::string metric(const std::string& name) {
    const std::string text = world_.call("GET", "/metrics").raw.body;
    const std::size_t at = text.find("\n" + name + " ");
    return at == std::string::npos
               ? "none"
               : text.substr(at + name.size() + 2, text.find('\n', at + 1) - at - name.size() - 2);
  }

  // Somebody else who is writing, while this lives.
  struct OtherWriter {
    explicit OtherWriter(const std::filesystem::path& file)
        : store(Datastore::open(file, Datastore::Access::write)), import(store.begin_import()) {}
    Datastore store;
    Datastore::Import import;
  };

  ServedWorld world_;
};

TEST_F(FilesTest, AnEditWaitsForAnotherWriterAndVerdictsDoNot) {
  ASSERT_EQ(verify(), 200);  // all vectors that it needs are there
  Answer edit;
  {
    const OtherWriter other(world_.store_file());
    edit = begin_edit();
    for (int i = 0; i < 20; ++i) EXPECT_EQ(verify(), 200);
    EXPECT_EQ(edit.wait_for(milliseconds(100)), std::future_status::timeout);
  }
  EXPECT_EQ(edit.get().status, 200);
  EXPECT_EQ(world_.call("GET", "/v1/documents/0/sentences/0").json["sentence"]["text"],
            "the moon is red");
}

TEST_F(FilesTest, AnEditIsRefusedWhereAnotherWriterTakesLong) {
  world_.settings().change_patience = milliseconds(200);
  ASSERT_EQ(verify(), 200);
  const OtherWriter other(world_.store_file());
  const auto start = Clock::now();
  std::vector<Answer> edits;
  for (int i = 0; i < 20; ++i) edits.push_back(begin_edit());
  EXPECT_EQ(verify(), 200);
  for (Answer& edit : edits) {
    const serve::HttpAnswer answer = edit.get();
    EXPECT_EQ(answer.status, 409);
    EXPECT_NE(answer.body.find("another process is writing"), std::string::npos) << answer.body;
  }
  // They wait side by side, not one after the other.
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(2));
  EXPECT_EQ(world_.call("POST", "/v1/exemplars", Json{{"claim", "the moon"}, {"label", "REFUTES"}})
                .status,
            201)
      << "which are in another file";
}

TEST_F(FilesTest, ExemplarsWaitForTheirFile) {
  world_.settings().change_patience = milliseconds(200);
  world_.service();
  const std::string& file = world_.settings().files.exemplars;
  store::Connection other(file, SQLITE_OPEN_READWRITE, file);
  const store::Transaction writing(other, store::Transaction::Kind::write);
  EXPECT_EQ(verify(), 200);
  EXPECT_EQ(world_.call("POST", "/v1/exemplars", Json{{"claim", "the moon"}, {"label", "REFUTES"}})
                .status,
            409);
}

TEST_F(FilesTest, WorkCountsForWhatItCosts) {
  world_.settings().queue.most_waiting = 6;
  ASSERT_EQ(verify(), 200);
  Answer edit;
  {
    // An edit that has to wait counts for one, so that others are refused by their own weight.
    const OtherWriter other(world_.store_file());
    edit = begin_edit();
    const auto status = [&](const std::string& method, const std::string& target,
                            const Json& body = {}) {
      return world_.call(method, target, body.is_null() ? std::string() : body.dump()).status;
    };
    const std::string align = "/v1/align?claim=the+moon+is+old.";
    EXPECT_EQ(status("GET", align + "&level=1"), 200);
    EXPECT_EQ(status("GET", align + "&level=1&k1=1000"), 429);
    EXPECT_EQ(status("GET", align + "&level=1,2,1&z=50&k1=200"), 429);
    const Json exemplar{{"claim", "the moon"}, {"label", "REFUTES"}};
    EXPECT_EQ(status("POST", "/v1/exemplars", exemplar), 201);
    Json wide = exemplar;
    wide["k1"] = 1000;
    EXPECT_EQ(status("POST", "/v1/exemplars", wide), 429);
    const std::vector<std::string> some(100, "the moon");
    const std::vector<std::string> many(900, "the moon");
    const std::vector<std::string> long_ones(300, std::string(2000, 'x'));
    for (const auto& [texts, expected] :
         {std::pair(some, 200), std::pair(many, 429), std::pair(long_ones, 429)}) {
      EXPECT_EQ(status("POST", "/v1/embeddings", Json{{"input", texts}}), expected);
      EXPECT_EQ(status("POST", "/v1/rerank", Json{{"query", "a"}, {"documents", texts}}), expected);
    }
    EXPECT_EQ(status("PUT", "/v1/documents/many", Json{{"sentences", many}}), 429);
  }
  EXPECT_EQ(edit.get().status, 200);
}

// Of SQLite's shared-memory file, where it counts transactions. By another process, since whoever
// opens and closes that file loses its locks.
int transactions(const std::filesystem::path& store) {
  FILE* output = ::popen(("od -An -tu4 -j8 -N4 '" + store.string() + "-shm'").c_str(), "r");
  int count = 0;
  EXPECT_EQ(std::fscanf(output, "%d", &count), 1);
  ::pclose(output);
  return count;
}

TEST_F(FilesTest, TheVectorsOfADocumentAreWrittenTogether) {
  ASSERT_EQ(verify(), 200);
  const int before = transactions(world_.store_file());
  std::vector<std::string> texts;
  for (int i = 0; i < 150; ++i) texts.push_back("the moon is " + std::to_string(i));
  ASSERT_EQ(world_.call("PUT", "/v1/documents/Long", Json{{"sentences", texts}}).status, 201);
  EXPECT_EQ(transactions(world_.store_file()) - before, 2) << "texts, vectors";
  const auto& files = world_.settings().files;
  Verifier reader = Verifier::open(files.store, files.model, {.threads = 1, .read_only = true});
  const std::uint64_t missing = reader.index_state().missing;
  ASSERT_EQ(world_.call("DELETE", "/v1/documents/Long").status, 200);
  EXPECT_EQ(reader.index_state().missing, missing) << "none of these was";
}

class GoneTest : public FilesTest {
 protected:
  // Every route answers so, but those that say how the server is.
  void expect_refused() {
    for (const char* target : {"/v1/info", "/v1/models", "/v1/documents", "/v1/documents/0",
                               "/v1/exemplars", "/v1/align?claim=the+moon", "/readyz"}) {
      const auto answer = world_.call("GET", target);
      EXPECT_EQ(answer.status, 503) << target;
      EXPECT_EQ(answer.json["error"]["code"], "file_replaced") << target;
    }
    EXPECT_EQ(verify(), 503);
    EXPECT_EQ(world_.call("PUT", "/v1/documents/0/sentences/0", Json{{"text", "a"}}).status, 503);
    EXPECT_EQ(world_.call("DELETE", "/v1/documents/0").status, 503);
    EXPECT_EQ(world_.call("GET", "/healthz").status, 200);
    EXPECT_EQ(metric("memmatch_ready"), "0");
  }

  void move(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::filesystem::rename(from, to);
  }

  std::filesystem::path store_ = world_.store_file();
  std::filesystem::path aside_ = store_.string() + ".aside";
};

TEST_F(GoneTest, AStoreThatIsReplacedIsNoticed) {
  { Datastore::open(aside_, Datastore::Access::create).add_sentence("0", 0, "Of another file."); }
  ASSERT_EQ(verify(), 200);
  EXPECT_EQ(metric("memmatch_ready"), "1");
  ASSERT_EQ(world_.call("GET", "/v1/documents/0").status, 200);
  move(aside_, store_);
  expect_refused();
}

TEST_F(GoneTest, AStoreThatIsRemovedIsNoticedAndWelcomeBack) {
  ASSERT_EQ(verify(), 200);
  move(store_, aside_);
  expect_refused();
  move(aside_, store_);
  EXPECT_EQ(verify(), 200);
  EXPECT_EQ(world_.call("GET", "/readyz").status, 200);
}

TEST_F(GoneTest, ExemplarsThatAreRemovedAreNoticed) {
  ASSERT_EQ(verify(), 200);
  std::filesystem::remove(world_.settings().files.exemplars);
  expect_refused();
}

TEST_F(GoneTest, AnEditThatWentIntoARemovedFileIsNotConfirmed) {
  ASSERT_EQ(verify(), 200);
  Answer edit;
  {
    const OtherWriter other(store_);
    edit = begin_edit();
    ASSERT_EQ(edit.wait_for(milliseconds(50)), std::future_status::timeout);
    move(store_, aside_);
  }
  EXPECT_EQ(edit.get().status, 503);
}

TEST_F(FilesTest, AStoreThatMayNotBeWrittenAnyMoreIsRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  ASSERT_EQ(verify(), 200);
  ::chmod(world_.store_file().c_str(), 0400);
  EXPECT_EQ(begin_edit().get().status, 403);
  EXPECT_EQ(verify(), 200);
  ::chmod(world_.store_file().c_str(), 0600);
  EXPECT_EQ(begin_edit().get().status, 200);
}

TEST_F(FilesTest, ErrorsHaveTheirStatus) {
  std::vector<std::string> log;
  serve::ServiceSettings settings;
  settings.log = [&](const std::string& line) { log.push_back(line); };
  const auto error = [&](ErrorKind kind) {
    return serve::public_error(std::make_exception_ptr(Error(kind, "why")), settings);
  };
  EXPECT_EQ(error(ErrorKind::invalid_argument).status, 422);
  EXPECT_EQ(error(ErrorKind::not_found).status, 404);
  EXPECT_EQ(error(ErrorKind::conflict).status, 409);
  EXPECT_TRUE(log.empty());
  EXPECT_EQ(error(ErrorKind::full).status, 507);
  EXPECT_EQ(error(ErrorKind::unsupported).status, 500) << "which is not the client's fault";
  EXPECT_EQ(error(ErrorKind::corrupt).status, 500);
  EXPECT_EQ(error(ErrorKind::io).status, 500);
  EXPECT_EQ(log.size(), 4u);
}

TEST_F(FilesTest, AConfidenceThatTheModelDoesNotHaveIsNoMissingPage) {
  const auto& files = world_.settings().files;
  const auto statistics = audit::statistics_of({1, 2, 3});
  audit::Calibration calibration;
  calibration.model = Verifier::open(files.store, files.model, {.threads = 1}).model_fingerprint();
  calibration.k1 = 6;
  calibration.z = 3;
  calibration.level2 = calibration.level3 = statistics;
  audit::write_calibration(files.model, calibration);
  const auto admit = [&](const char* rule) {
    return world_.call("POST", "/v1/verify", Json{{"claim", "the moon"}, {"admit", rule}});
  };
  EXPECT_EQ(admit("mean").status, 200);
  EXPECT_EQ(admit("confidence:0.8").status, 422);
  EXPECT_NE(admit("confidence:0.8").raw.body.find("memmatch calibrate"), std::string::npos);
}

TEST_F(FilesTest, WhatIsQueuedWhenTheServerClosesIsAnsweredOrRefusedInTime) {
  world_.settings().drain_time = milliseconds(100);
  world_.settings().queue.most_waiting = 1'000'000;
  const std::vector<std::string> claims(128, "the moon is old.");
  world_.service();
  std::vector<Answer> answers;
  for (int i = 0; i < 200; ++i)
    answers.push_back(begin("POST", "/v1/verify", Json{{"claims", claims}, {"k1", 100}}));
  const auto start = Clock::now();
  world_.service().close();
  int refused = 0;
  for (Answer& answer : answers) {
    const int status = answer.get().status;
    refused += status == 503;
    EXPECT_TRUE(status == 200 || status == 503) << status;
  }
  EXPECT_GT(refused, 0) << "the machine is too fast for this test";
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
}

TEST_F(FilesTest, ThePageIsCountedAsSuch) {
  world_.call("GET", "/");
  world_.call("GET", "/nothing");
  const std::string text = world_.call("GET", "/metrics").raw.body;
  EXPECT_NE(text.find("{route=\"page\",code=\"200\"} 1"), std::string::npos) << text;
  EXPECT_NE(text.find("{route=\"other\",code=\"404\"} 1"), std::string::npos) << text;
}

}  // namespace
}  // namespace memmatch
