#include "serve/http_server.h"

#include <gtest/gtest.h>

#include <future>
#include <mutex>
#include <thread>

#include "serve/raw_client.h"
#include "serve/service.h"
#include "support.h"

namespace memmatch::serve {
namespace {

using test::RawClient;
using test::status_of;

// A server that answers with what it got. "/later" is answered when the test says so.
class HttpServerTest : public testing::Test {
 protected:
  ~HttpServerTest() override {
    if (!server_) return;
    server_->stop();
    thread_.join();
  }

  void start(ServerSettings settings) {
    settings.port = 0;
    server_.emplace(
        settings,
        [this](const HttpRequest& request, const Respond& respond) {
          if (request.target == "/304") return respond({.status = 304});
          if (request.target != "/later")
            return respond({.body = request.method + " " + request.target + " " + request.body});
          const std::lock_guard lock(mutex_);
          later_.push_back(respond);
          waiting_.notify_all();
        },
        Service::refusal);
    thread_ = std::thread([this] { server_->run(); });
  }

  Respond wait_for_later() {
    std::unique_lock lock(mutex_);
    waiting_.wait(lock, [&] { return !later_.empty(); });
    Respond respond = later_.back();
    later_.pop_back();
    return respond;
  }

  std::string exchange(const std::string& bytes) {
    RawClient client(server_->port());
    client.send(bytes);
    return client.answer();
  }

  std::mutex mutex_;
  std::condition_variable waiting_;
  std::vector<Respond> later_;
  std::optional<HttpServer> server_;
  std::thread thread_;
};

const std::string kGet = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n";
const std::string kLater = "GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n";

TEST_F(HttpServerTest, RequestsOfAConnectionAreAnsweredInTurn) {
  start({});
  RawClient client(server_->port());
  client.send(
      kGet + "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc" +
      "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n0\r\n\r\n");
  EXPECT_TRUE(client.answer().ends_with("\r\n\r\nGET /a "));
  EXPECT_TRUE(client.answer().ends_with("\r\n\r\nPOST /b abc"));
  EXPECT_TRUE(client.answer().ends_with("\r\n\r\nPOST /c de"));
}

TEST_F(HttpServerTest, HeadHasNoBodyAndContinueIsSaid) {
  start({});
  RawClient client(server_->port());
  client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
  client.send("POST /b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n");
  std::string both = client.answer();  // takes as much as Content-Length says, so both heads
  while (both.find("100 Continue") == std::string::npos) both += client.answer();
  EXPECT_TRUE(both.starts_with("HTTP/1.1 200"));
  EXPECT_NE(both.find("Content-Length: 8\r\n"), std::string::npos);
  client.send("x");
  EXPECT_NE(client.answer().find("POST /b x"), std::string::npos);
}

TEST_F(HttpServerTest, WhatIsNotHttpIsRefusedAndTheConnectionClosed) {
  start({});
  for (const std::string& bytes :
       {std::string("hello\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
        std::string("GET /\x01 HTTP/1.1\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nA\x01: b\r\n\r\n"),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + std::string(100, 'x'),
        std::string("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")}) {
    RawClient client(server_->port());
    client.send(bytes);
    EXPECT_EQ(status_of(client.answer()), 400) << bytes;
    EXPECT_TRUE(client.closed()) << bytes;
  }
  EXPECT_EQ(status_of(exchange(kGet)), 200);
}

TEST_F(HttpServerTest, LargeBodiesAndHeadersAreRefused) {
  start({.header_bytes = 4096, .body_bytes = 1000});
  const auto post = [](std::size_t bytes) {
    return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(bytes) + "\r\n\r\n" +
           std::string(bytes, 'x');
  };
  EXPECT_EQ(status_of(exchange(post(1000))), 200);
  EXPECT_EQ(status_of(exchange(post(1001))), 413);
  EXPECT_EQ(status_of(exchange(post(5'000'000))), 413);
  std::string chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 20; ++i) chunked += "64\r\n" + std::string(100, 'x') + "\r\n";
  EXPECT_EQ(status_of(exchange(chunked)), 413);
  EXPECT_EQ(status_of(exchange("GET / HTTP/1.1\r\nA: " + std::string(5000, 'x') + "\r\n\r\n")),
            431);
  EXPECT_EQ(status_of(exchange("GET /" + std::string(5000, 'x') + " HTTP/1.1\r\n\r\n")), 431);
  std::string many = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 2000; ++i) many += "A: b\r\n";
  EXPECT_EQ(status_of(exchange(many + "\r\n")), 431);
}

TEST_F(HttpServerTest, SlowClientsAreClosedAndDoNotKeepOthersWaiting) {
  start({.request_time = std::chrono::seconds(1)});
  std::vector<std::unique_ptr<RawClient>> slow;
  for (const char* part : {"", "G", "GET / HTTP/1.1\r\nA: ",
                           "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"}) {
    for (int i = 0; i < 25; ++i) {
      slow.push_back(std::make_unique<RawClient>(server_->port()));
      slow.back()->send(part);
    }
  }
  EXPECT_EQ(status_of(exchange(kGet)), 200);
  // A byte now and then does not buy more time.
  RawClient drip(server_->port());
  const std::string head = "GET / HTTP/1.1\r\nA: " + std::string(100'000, 'x');
  std::size_t sent = 0;
  while (sent < head.size() && drip.send(head.substr(sent, 1))) {
    ++sent;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_LT(sent, 5000u);
  for (const auto& client : slow) EXPECT_TRUE(client->closed());
}

TEST_F(HttpServerTest, WhereConnectionsAreTakenTheLongestIdleOneGoes) {
  start({.most_connections = 3});
  RawClient first(server_->port());
  first.send(kGet);
  EXPECT_EQ(status_of(first.answer()), 200);
  RawClient busy(server_->port());
  busy.send(kLater);
  const Respond answer_later = wait_for_later();
  RawClient third(server_->port());
  third.send(kGet);
  EXPECT_EQ(status_of(third.answer()), 200);
  RawClient fourth(server_->port());
  fourth.send(kGet);
  EXPECT_EQ(status_of(fourth.answer()), 200);
  EXPECT_TRUE(first.closed());
  answer_later({.body = "at last"});
  EXPECT_TRUE(busy.answer().ends_with("at last"));
}

TEST_F(HttpServerTest, WhereAllConnectionsAreBusyOthersAreRefused) {
  start({.most_connections = 1});
  RawClient busy(server_->port());
  busy.send(kLater);
  const Respond answer_later = wait_for_later();
  EXPECT_EQ(status_of(exchange(kGet)), 503);
  answer_later({});
  EXPECT_EQ(status_of(busy.answer()), 200);
}

TEST_F(HttpServerTest, StoppingAnswersWhatWasAcceptedAndNothingElse) {
  start({});
  const std::uint16_t port = server_->port();
  RawClient idle(port);
  idle.send(kGet);
  EXPECT_EQ(status_of(idle.answer()), 200);
  RawClient busy(port);
  busy.send(kLater);
  const Respond answer_later = wait_for_later();
  server_->stop();
  EXPECT_TRUE(idle.closed());
  EXPECT_ANY_THROW(RawClient late(port));
  answer_later({.body = "done"});
  const std::string answer = busy.answer();
  EXPECT_TRUE(answer.ends_with("done"));
  EXPECT_NE(answer.find("Connection: close"), std::string::npos);
  thread_.join();
  server_.reset();
}

TEST_F(HttpServerTest, ClientsThatDripTheirBodiesDoNotLockOthersOut) {
  start({.most_connections = 20});
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 50; ++i) {
    slow.push_back(std::make_unique<RawClient>(server_->port()));
    slow.back()->send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc");
  }
  for (int i = 0; i < 50; ++i) EXPECT_EQ(status_of(exchange(kGet)), 200);
  // The oldest have gone for the newer ones.
  for (int i = 0; i < 30; ++i) EXPECT_TRUE(slow[static_cast<std::size_t>(i)]->closed()) << i;
  // One that gets to its end in time is answered.
  RawClient late(server_->port());
  late.send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na");
  EXPECT_EQ(status_of(exchange(kGet)), 200);
  late.send("b");
  EXPECT_TRUE(late.answer().ends_with("POST /b ab"));
}

TEST_F(HttpServerTest, ARequestHasOneHost) {
  start({});
  EXPECT_EQ(status_of(exchange("GET / HTTP/1.1\r\n\r\n")), 400);
  EXPECT_EQ(status_of(exchange("GET / HTTP/1.1\r\nHost:\r\n\r\n")), 400);
  EXPECT_EQ(status_of(exchange("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")), 400);
  EXPECT_EQ(status_of(exchange("GET / HTTP/1.1\r\nHost: a\r\nA: b\r\nhost: a\r\n\r\n")), 400);
  EXPECT_EQ(status_of(exchange("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n")), 400);
  EXPECT_EQ(status_of(exchange("GET / HTTP/1.0\r\n\r\n")), 200) << "which knew no Host";
}

TEST_F(HttpServerTest, NotModifiedSaysNothingOfABody) {
  start({});
  RawClient client(server_->port());
  client.send("GET /304 HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::string answer = client.answer();
  EXPECT_EQ(status_of(answer), 304);
  EXPECT_EQ(answer.find("Content-Length"), std::string::npos) << answer;
  client.send(kGet);
  EXPECT_TRUE(client.answer().ends_with("\r\n\r\nGET /a "));
}

TEST_F(HttpServerTest, AClientThatLeavesIsForgotten) {
  start({});
  for (int i = 0; i < 10; ++i) {
    Respond answer_later;
    {
      RawClient client(server_->port());
      client.send(kLater);
      answer_later = wait_for_later();
    }
    EXPECT_GE(server_->connections(), 1u) << "the handler has not answered yet";
    answer_later({.body = std::string(1 << 20, 'x')});
  }
  for (const char* part : {"", "GET", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na"}) {
    RawClient client(server_->port());
    client.send(part);
  }
  EXPECT_EQ(status_of(exchange(kGet)), 200);
  for (int i = 0; i < 1000 && server_->connections() > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(server_->connections(), 0u);
}

TEST(HttpServer, AddressesAreChecked) {
  EXPECT_TRUE(is_loopback("127.0.0.1"));
  EXPECT_TRUE(is_loopback("::1"));
  EXPECT_FALSE(is_loopback("0.0.0.0"));
  EXPECT_FALSE(is_loopback("::"));
  EXPECT_EQ(test::error_of([] { is_loopback("localhost"); }).kind(), ErrorKind::invalid_argument);
  EXPECT_EQ(test::error_of([] { HttpServer server({.address = "192.0.2.1"}, {}, {}); }).kind(),
            ErrorKind::io);
}

}  // namespace
}  // namespace memmatch::serve
