#include <gtest/gtest.h>

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
  // Sent before the signal, so it is answered.
  client.send(post("/v1/verify", R"({"claims": ["the sun", "the moon", "the river"]})"));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  kill(child, SIGTERM);
  EXPECT_EQ(status_of(client.answer()), 200);
  EXPECT_EQ(test::wait_for(child, folder_).code, 0);
}

TEST_F(ServeTest, WhatCannotWorkIsSaidAtOnce) {
  const auto expect = [&](const std::vector<std::string>& more, int code, const char* part) {
    std::vector<std::string> all{"serve", "--store", folder_ / "s.db", "--model", model_};
    all.insert(all.end(), more.begin(), more.end());
    const auto outcome = run_program(all);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
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
