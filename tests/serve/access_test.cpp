#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "serve/served_world.h"

// Who may ask a service for what: tokens, other sites' pages, odd paths and methods.

namespace memmatch {
namespace {

using test::kToken;
using test::ServedWorld;

class AccessTest : public testing::Test {
 protected:
  ServedWorld world_;
};

TEST_F(AccessTest, WritesNeedTheTokenAndReadsDoNot) {
  auto write = ServedWorld::request("PUT", "/v1/documents/x", R"({"sentences": []})");
  for (const char* wrong : {"", "Bearer", "Bearer ", "Bearer 0123456789abcdef-tokem", "Basic abc",
                            "Bearer 0123456789abcdef-token0"}) {
    write.authorization = wrong;
    const auto answer = world_.send(write);
    EXPECT_EQ(answer.status, 401) << wrong;
  }
  write.authorization = std::string("bearer ") + kToken;
  EXPECT_EQ(world_.send(write).status, 201);
  auto read = ServedWorld::request("GET", "/v1/documents/x");
  read.authorization = "Bearer sk-of-another-service";
  EXPECT_EQ(world_.send(read).status, 200);
}

TEST_F(AccessTest, BeyondLoopbackEverythingButThePageNeedsTheToken) {
  world_.settings().loopback = false;
  for (const char* target : {"/v1/info", "/v1/documents", "/metrics", "/v1/align?claim=a"}) {
    auto request = ServedWorld::request("GET", target);
    request.authorization = "";
    request.host = "facts.example.org";
    EXPECT_EQ(world_.send(request).status, 401) << target;
    request.authorization = std::string("Bearer ") + kToken;
    EXPECT_NE(world_.send(request).status, 401) << target;
  }
  for (const char* target : {"/", "/healthz", "/readyz", "/openapi.json"}) {
    auto request = ServedWorld::request("GET", target);
    request.authorization = "";
    EXPECT_EQ(world_.send(request).status, 200) << target;
  }
}

TEST_F(AccessTest, PagesOfOtherSitesAreRefused) {
  auto request = ServedWorld::request("GET", "/v1/info");
  request.host = "evil.example.org";
  EXPECT_EQ(world_.send(request).status, 403);
  request.host = "127.0.0.1.example.org";
  EXPECT_EQ(world_.send(request).status, 403);
  request.host = "127.0.0.1:8080";
  EXPECT_EQ(world_.send(request).status, 200);
  request.origin = "http://evil.example.org";
  EXPECT_EQ(world_.send(request).status, 403);
  request.origin = "null";
  EXPECT_EQ(world_.send(request).status, 403);
  request.origin = "http://127.0.0.1:8080";
  EXPECT_EQ(world_.send(request).status, 200);
  request.fetch_site = "cross-site";
  EXPECT_EQ(world_.send(request).status, 403);
  auto post = ServedWorld::request("POST", "/v1/verify", R"({"claim": "the moon"})");
  post.content_type = "text/plain";  // what a form of another site can send
  EXPECT_EQ(world_.send(post).status, 415);
  post.content_type = "application/json; charset=utf-8";
  EXPECT_EQ(world_.send(post).status, 200);
  post.content_encoding = "gzip";
  EXPECT_EQ(world_.send(post).status, 415);
}

TEST_F(AccessTest, PathTricksReachNothing) {
  for (const char* target :
       {"/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/page/index.html", "/%2e%2e/s.db",
        "//etc/passwd", "/openapi.json/", "/v1/", "/index.html/..", "/etc/passwd"}) {
    EXPECT_EQ(world_.call("GET", target).status, 404) << target;
  }
  for (const char* target :
       {"/%", "/%zz", "/%ff", "/%00", "/a%0d%0aSet-Cookie:x", "", "*", "http://x/", "/%c0%ae"}) {
    EXPECT_EQ(world_.call("GET", target).status, 400) << target;
  }
  EXPECT_EQ(world_.call("GET", "/" + std::string(9000, 'a')).status, 414);
  EXPECT_EQ(world_.call("GET", "/v1/documents/..%2F..%2Fetc%2Fpasswd").status, 404);
  EXPECT_EQ(world_.call("GET", "/v1/documents/x/sentences/-1").status, 404);
  EXPECT_EQ(world_.call("GET", "/v1/documents/x/sentences/99999999999999999999").status, 404);
}

TEST_F(AccessTest, WrongMethodsAreToldWhatIsThere) {
  const auto answer = world_.call("DELETE", "/v1/verify");
  EXPECT_EQ(answer.status, 405);
  const auto& headers = answer.raw.headers;
  EXPECT_NE(std::find(headers.begin(), headers.end(),
                      std::pair<std::string, std::string>{"Allow", "POST"}),
            headers.end());
  EXPECT_EQ(world_.call("BREW", "/v1/documents/x").status, 405);
  EXPECT_EQ(world_.call("GET", "/v1/nothing").status, 404);
}

TEST_F(AccessTest, ThePageIsServedWithStrictHeaders) {
  const auto page = world_.call("GET", "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.raw.type, "text/html; charset=utf-8");
  std::map<std::string, std::string> headers(page.raw.headers.begin(), page.raw.headers.end());
  EXPECT_TRUE(headers["Content-Security-Policy"].starts_with("default-src 'self';"));
  EXPECT_EQ(headers["X-Content-Type-Options"], "nosniff");
  EXPECT_EQ(headers["X-Frame-Options"], "DENY");
  EXPECT_FALSE(headers.contains("Access-Control-Allow-Origin"));
  auto again = ServedWorld::request("GET", "/index.html");
  again.if_none_match = headers["ETag"];
  EXPECT_EQ(world_.send(again).status, 304);
}

TEST(Access, WithoutATokenFileWritesSayHowToGetOne) {
  ServedWorld world;
  world.settings().token = "";
  const auto answer = world.call("PUT", "/v1/documents/x", R"({"sentences": []})");
  EXPECT_EQ(answer.status, 401);
  EXPECT_NE(answer.raw.body.find("--token-file"), std::string::npos);
  EXPECT_EQ(world.call("GET", "/v1/info").json["token"], "none");
}

TEST(Access, ReadOnlyMeansSo) {
  ServedWorld world(true, true);
  EXPECT_EQ(world.call("PUT", "/v1/documents/x", R"({"sentences": []})").status, 403);
  EXPECT_EQ(world.call("POST", "/v1/exemplars", R"({"claim": "a", "label": "REFUTES"})").status,
            403);
  EXPECT_EQ(world.call("POST", "/v1/verify", R"({"claim": "the moon", "exemplars": {}})").status,
            200);
}

}  // namespace
}  // namespace memmatch
