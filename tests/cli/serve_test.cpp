#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/process.h"
#include "search/search_world.h"
#include "serve/raw_client.h"

namespace memmatch {
namespace {

using test::RawClient;
using test::run_program;
using test::status_of;
using test::TemporaryFolder;

class ServeTest : public testing::Test {
 protected:
  ServeTest() {
    Datastore store = Datastore::open(folder_ / "s.db", Datastore::Access::create);
    test::import_all(store, test::random_documents(20, 1));
  }

  std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"serve",    "--store",     folder_ / "s.db", "--model", model_,
                                 "--listen", "127.0.0.1:0", "--threads",      "1"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  // The port that the program says it is ready at.
  std::uint16_t wait_until_ready() const {
    for (int i = 0; i < 3000; ++i) {
      const std::string text = read_file(folder_ / "stderr");
      const std::size_t ready = text.find(": ready");
      if (ready != std::string::npos)
        return static_cast<std::uint16_t>(std::stoi(text.substr(text.rfind(':', ready - 1) + 1)));
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "it is not ready";
    return 0;
  }

  TemporaryFolder folder_;
  std::string model_ = test::small_model(folder_).string();
};

std::string post(const std::string& target, const std::string& body) {
  return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST_F(ServeTest, ItServesUntilItIsToldToEndAndEndsWell) {
  const pid_t child = test::start_program(arguments(), folder_);
  const std::uint16_t port = wait_until_ready();
  RawClient client(port);
  client.send(post("/v1/verify", R"({"claim": "the moon is old."})"));
  const std::string answer = client.answer();
  EXPECT_EQ(status_of(answer), 200) << answer;
  const auto json = nlohmann::json::parse(answer.substr(answer.find("\r\n\r\n")));
  EXPECT_EQ(json["verdicts"][0]["claim"], "the moon is old.");
  client.send(post("/v1/documents/x/sentences", R"({"text": "a"})"));
  EXPECT_EQ(status_of(client.answer()), 401);
  kill(child, SIGTERM);
  EXPECT_EQ(test::wait_for(child, folder_).code, 0);
}

// On a file system of 4 MB that only the server sees, and that is filled when the file "fill" is
// there.
TEST_F(ServeTest, AFullDiskIsToldAndTheRestGoesOn) {
  const TemporaryFolder disk;
  const std::string mount = "mount -t tmpfs -o size=4m tmpfs '" + disk.path().string() + "'";
  const std::string unshare = "/usr/bin/unshare";
  const TemporaryFolder trial;
  if (test::wait_for(test::start_program({"-rm", "sh", "-c", mount}, trial, "", unshare), trial)
          .code != 0) {
    GTEST_SKIP() << "no file system can be mounted here";
  }
  const std::string place = disk.path().string();
  const std::string token = folder_.write("token", "0123456789abcdef");
  std::string script = mount + " && cp '" + (folder_ / "s.db").string() + "' '" + place + "/s.db'";
  script += " && cd '" + folder_.path().string() + "' || exit 1\n";
  script += "{ for i in $(seq 600); do [ -e fill ] && break; sleep 0.1; done; ";
  script += "cat /dev/zero >'" + place + "/zeros'; touch filled; } 2>/dev/null &\n";
  script += "exec '" MEMMATCH_PROGRAM "' serve";
  script += " --listen 127.0.0.1:0 --threads 1 --store '" + place + "/s.db' --model '" + model_;
  script += "' --token-file '" + token + "'";
  const pid_t child = test::start_program({"-rm", "sh", "-c", script}, folder_, "", unshare);
  RawClient client(wait_until_ready());
  const auto edit = [&](const std::string& text) {
    std::string request = post("/v1/documents/0/sentences/0", "{\"text\": \"" + text + "\"}");
    request.replace(0, 4, "PUT");
    request.insert(request.find("\r\n") + 2, "Authorization: Bearer 0123456789abcdef\r\n");
    client.send(request);
    return client.answer();
  };
  const auto verify = [&] {
    client.send(post("/v1/verify", R"({"claim": "the moon is old."})"));
    return status_of(client.answer());
  };
  EXPECT_EQ(status_of(edit("the first")), 200);
  EXPECT_EQ(verify(), 200);
  folder_.write("fill", "");
  for (int i = 0; i < 600 && !std::filesystem::exists(folder_ / "filled"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const std::string refused = edit("the second");
  EXPECT_EQ(status_of(refused), 507) << refused;
  EXPECT_NE(refused.find("the server's disk is full; nothing was changed"), std::string::npos);
  EXPECT_EQ(verify(), 200);
  client.send("GET /v1/documents/0/sentences/0 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_NE(client.answer().find("the first"), std::string::npos);
  kill(child, SIGTERM);
  EXPECT_EQ(test::wait_for(child, folder_).code, 0);
}

// Clients with more claims than the engine gets through in a moment.
class DrainTest : public ServeTest {
 protected:
  static constexpr int kClients = 40;

  // Sends SIGTERM when all of it waits, and gives the statuses of the answers.
  std::map<int, int> drain(const std::string& seconds) {
    const pid_t child =
        test::start_program(arguments({"--queue", "100000", "--drain", seconds}), folder_);
    const std::uint16_t port = wait_until_ready();
    const std::vector<std::string> claims(128, "the moon is old, the sun is red.");
    const std::string request = post("/v1/verify", nlohmann::json{{"claims", claims}}.dump());
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < kClients; ++i) {
      clients.push_back(std::make_unique<RawClient>(port));
      clients.back()->send(request);
    }
    wait_until_queued(port);
    const auto start = std::chrono::steady_clock::now();
    kill(child, SIGTERM);
    std::map<int, int> statuses;
    for (const auto& client : clients) ++statuses[status_of(client->answer())];
    EXPECT_EQ(test::wait_for(child, folder_).code, 0);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return statuses;
  }

  // Until all requests have been accepted, while some of them are still waiting.
  static void wait_until_queued(std::uint16_t port) {
    constexpr int kClaims = 128 * kClients;
    RawClient client(port);
    for (int i = 0; i < 3000; ++i) {
      client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
      const std::string text = client.answer();
      const auto metric = [&](const std::string& name) {
        return std::stoi(text.substr(text.find("\n" + name + " ") + name.size() + 2));
      };
      const int waiting = metric("memmatch_queue_claims");
      if (waiting + metric("memmatch_claims_total") < kClaims) continue;
      ASSERT_GT(waiting, kClaims / 10) << "the machine is too fast for this test";
      return;
    }
    FAIL() << "they are not accepted";
  }

  double seconds_ = 0;
};

TEST_F(DrainTest, WhatWasAcceptedIsAnsweredAfterTheSignal) {
  EXPECT_EQ(drain("600"), (std::map<int, int>{{200, kClients}}));
}

TEST_F(DrainTest, WhatIsStillWaitingAtTheEndOfTheDrainIsRefusedAndTheServerEnds) {
  std::map<int, int> statuses = drain("0");
  EXPECT_EQ(statuses[200] + statuses[503], kClients);
  EXPECT_GT(statuses[503], 0);
  EXPECT_LT(seconds_, 10);
}

TEST_F(ServeTest, WhatCannotWorkIsSaidAtOnce) {
  const auto expect = [&](const std::vector<std::string>& more, int code, const char* part) {
    std::vector<std::string> all{"serve", "--store", folder_ / "s.db", "--model", model_};
    all.insert(all.end(), more.begin(), more.end());
    const auto outcome = run_program(all);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  expect({"--listen", "127.0.0.1:0", "--k1", "0"}, 2,
         "--k1: must be a whole number from 1 to 1000");
  expect({"--listen", "127.0.0.1:0", "--z", "-1"}, 2, "--z: must be a whole number from 1 to 50");
  expect({"--listen", "0.0.0.0:0"}, 2, "--token-file");
  expect({"--listen", "localhost"}, 2, "127.0.0.1:8080");
  expect({"--listen", "example.org:80"}, 2, "IP address");
  expect({"--listen", "127.0.0.1:0", "--token-file", folder_.write("t", "short")}, 2,
         "at least 16");
  expect({"--listen", "127.0.0.1:0", "--exemplars", folder_.write("e", "not a database at all")}, 1,
         "not");
}

TEST_F(ServeTest, AMissingModelEndsItWithAMessage) {
  const auto outcome = run_program({"serve", "--store", folder_ / "s.db", "--model",
                                    folder_ / "none", "--listen", "127.0.0.1:0"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("none"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace memmatch
