#include <gtest/gtest.h>

#include <future>
#include <set>

#include "serve/mcp/session.h"
#include "serve/mcp/stdio.h"
#include "serve/served_world.h"

// The Model Context Protocol on a real service: over no transport, over HTTP, and line by line.

namespace memmatch {
namespace {

using test::ServedWorld;
using Json = nlohmann::json;
namespace mcp = serve::mcp;

// A session that answers at once.
class Client {
 public:
  explicit Client(mcp::Peer peer, std::optional<std::string_view> version = mcp::kLatestVersion)
      : session_(mcp::Session::make(std::move(peer), version)) {}

  // What is answered to a text; null for nothing.
  Json say(const std::string& text) {
    std::promise<std::optional<std::string>> promise;
    session_->take(
        text, [&](std::optional<std::string> answer) { promise.set_value(std::move(answer)); });
    const std::optional<std::string> answer = promise.get_future().get();
    return answer ? Json::parse(*answer) : Json();
  }

  Json ask(const std::string& method, const Json& params = Json::object()) {
    const Json answer =
        say(Json{{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", params}}.dump());
    EXPECT_EQ(answer["jsonrpc"], "2.0");
    EXPECT_EQ(answer["id"], id_);
    return answer;
  }

  Json call(const std::string& tool, const Json& arguments) {
    return ask("tools/call", {{"name", tool}, {"arguments", arguments}})["result"];
  }

  int error(const std::string& text) { return say(text)["error"].value("code", 0); }

 private:
  std::shared_ptr<mcp::Session> session_;
  int id_ = 0;
};

class McpTest : public testing::Test {
 protected:
  mcp::Peer peer(bool writes = true) {
    serve::Service& service = world_.service();
    return {.api =
                [&](serve::HttpRequest request, serve::Respond respond) {
                  service.handle(std::move(request), std::move(respond));
                },
            .sender = ServedWorld::request("", ""),
            .why_no_writes = writes ? "" : "no writes here",
            .exemplars = !world_.settings().files.exemplars.empty(),
            .version = "test"};
  }

  static std::vector<std::string> names(const Json& tools) {
    std::vector<std::string> all;
    for (const Json& tool : tools["result"]["tools"]) all.push_back(tool["name"]);
    return all;
  }

  static Json without_times(Json json) {
    if (json.is_object()) json.erase("seconds");
    for (Json& inner : json) {
      if (inner.is_structured()) inner = without_times(inner);
    }
    return json;
  }

  ServedWorld world_;
};

TEST_F(McpTest, TheVersionIsTheClientsOrElseTheLatest) {
  for (const char* version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
    Client client(peer(), std::nullopt);
    const Json result = client.ask("initialize", {{"protocolVersion", version}})["result"];
    EXPECT_EQ(result["protocolVersion"], version);
    EXPECT_EQ(result["serverInfo"]["version"], "test");
    EXPECT_TRUE(result["capabilities"].contains("tools"));
    EXPECT_TRUE(result["capabilities"].contains("resources"));
  }
  Client client(peer(), std::nullopt);
  EXPECT_EQ(
      client.ask("initialize", {{"protocolVersion", "1900-01-01"}})["result"]["protocolVersion"],
      std::string(mcp::kLatestVersion));
  EXPECT_EQ(client.ask("initialize")["error"]["code"], -32602);
}

TEST_F(McpTest, BeforeInitializeThereIsOnlyPing) {
  Client client(peer(), std::nullopt);
  EXPECT_EQ(client.ask("ping")["result"], Json::object());
  const Json refused = client.ask("tools/list");
  EXPECT_EQ(refused["error"]["code"], -32600);
  EXPECT_EQ(refused["error"]["message"], "send 'initialize' first");
  client.ask("initialize", {{"protocolVersion", "2025-06-18"}});
  EXPECT_TRUE(client.say(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})").is_null());
  EXPECT_TRUE(client.ask("tools/list").contains("result"));
}

TEST_F(McpTest, WhatIsNoMessageIsToldWhatIsWrongWithIt) {
  Client client(peer());
  const std::string deep(100'000, '[');
  for (const std::string& garbage :
       {std::string("{"), std::string("hello"), std::string("\xff\xfe"), deep, std::string("{} {}"),
        std::string(3, '\0')})
    EXPECT_EQ(client.error(garbage), -32700) << garbage.substr(0, 100);
  for (const char* bad :
       {"5", "\"ping\"", "null", "{}", R"({"id": 1, "method": "ping"})",
        R"({"jsonrpc": "1.0", "id": 1, "method": "ping"})", R"({"jsonrpc": "2.0", "id": 1})",
        R"({"jsonrpc": "2.0", "id": 1, "method": 5})",
        R"({"jsonrpc": "2.0", "id": null, "method": "ping"})",
        R"({"jsonrpc": "2.0", "id": 1.5, "method": "ping"})",
        R"({"jsonrpc": "2.0", "id": {}, "method": "ping"})",
        R"({"jsonrpc": "2.0", "id": 1, "method": "ping", "method": "tools/list"})"})
    EXPECT_EQ(client.error(bad), -32600) << bad;
  EXPECT_EQ(client.error(R"({"jsonrpc": "2.0", "id": 1, "method": "nothing"})"), -32601);
  for (const char* params :
       {"[]", "5", "\"x\"", R"({"name": 5})", R"({"name": "nothing"})", R"({"uri": "x"})",
        R"({"name": "verify", "arguments": []})", R"({"name": "verify", "arguments": 5})"}) {
    EXPECT_EQ(client.error(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": )" +
                           std::string(params) + "}"),
              -32602)
        << params;
  }
  const Json answer = client.say(R"({"jsonrpc": "2.0", "id": "x", "method": "tools/call"})");
  EXPECT_EQ(answer["id"], "x");
  EXPECT_EQ(answer["error"]["code"], -32602);
  EXPECT_FALSE(client.say("{").contains("id"));
}

TEST_F(McpTest, NotificationsAndAnswersAreNotAnswered) {
  Client client(peer());
  for (const char* text : {R"({"jsonrpc": "2.0", "method": "notifications/initialized"})",
                           R"({"jsonrpc": "2.0", "method": "notifications/unheard-of"})",
                           R"({"jsonrpc": "2.0", "method": "notifications/cancelled"})",
                           R"({"jsonrpc": "2.0", "method": "notifications/cancelled",
                               "params": {"requestId": 77}})",
                           R"({"jsonrpc": "2.0", "id": 1, "result": {}})",
                           R"({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}})"})
    EXPECT_TRUE(client.say(text).is_null()) << text;
}

TEST_F(McpTest, BatchesAreOfTheVersionThatHasThem) {
  const std::string batch = R"([{"jsonrpc": "2.0", "id": 1, "method": "ping"},
                                {"jsonrpc": "2.0", "method": "notifications/initialized"},
                                {"jsonrpc": "2.0", "id": 2, "method": "nothing"}, 5])";
  Client client(peer(), "2025-03-26");
  const Json answers = client.say(batch);
  ASSERT_EQ(answers.size(), 3u) << answers;
  EXPECT_EQ(answers[0]["result"], Json::object());
  EXPECT_EQ(answers[1]["error"]["code"], -32601);
  EXPECT_EQ(answers[2]["error"]["code"], -32600);
  EXPECT_TRUE(
      client.say(R"([{"jsonrpc": "2.0", "method": "notifications/initialized"}])").is_null());
  EXPECT_EQ(client.error("[]"), -32600);
  EXPECT_EQ(client.error(Json(std::vector<int>(101)).dump()), -32600);
  for (const char* version : {"2025-11-25", "2025-06-18", "2024-11-05"})
    EXPECT_EQ(Client(peer(), version).error(batch), -32600) << version;
}

TEST_F(McpTest, OnlyWhatMayBeCalledIsListed) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(Client(peer()).ask("tools/list")),
            (Names{"verify", "check", "search", "add_document", "edit_sentence", "correct"}));
  EXPECT_EQ(names(Client(peer(false)).ask("tools/list")), (Names{"verify", "check", "search"}));
  mcp::Peer without_exemplars = peer();
  without_exemplars.exemplars = false;
  EXPECT_EQ(names(Client(without_exemplars).ask("tools/list")),
            (Names{"verify", "check", "search", "add_document", "edit_sentence"}));
  EXPECT_EQ(Client(peer()).ask("tools/list", {{"cursor", "x"}})["error"]["code"], -32602);
}

TEST_F(McpTest, AToolAnswersAsItsRouteDoesAndInWords) {
  Client client(peer());
  const Json verified = client.call("verify", {{"claims", {"the moon is old."}}});
  Json verdict = verified["structuredContent"]["verdicts"][0];
  EXPECT_EQ(verdict["decision"], (Json{{"label", verdict["label"]}, {"by", "model"}}));
  verdict.erase("decision");
  const auto route = world_.call(
      "POST", "/v1/verify", Json{{"claim", "the moon is old."}, {"exemplars", {{"nearest", 1}}}});
  EXPECT_EQ(without_times(verdict), without_times(route.json["verdicts"][0]));
  const std::string text = verified["content"][0]["text"];
  EXPECT_TRUE(text.starts_with(verdict["label"].get<std::string>() + ": the moon is old.")) << text;
  EXPECT_NE(text.find(verdict["evidence"][0]["text"].get<std::string>()), std::string::npos)
      << text;

  const Json checked = client.call("check", {{"text", "The moon is old. Is it round?"}});
  EXPECT_EQ(checked["structuredContent"]["sentences"].size(), 2u);
  const std::string summary = checked["content"][0]["text"];
  EXPECT_TRUE(summary.starts_with("2 sentences: ")) << summary;
  EXPECT_NE(summary.find("NOT JUDGED (it is a question): Is it round?"), std::string::npos);

  const Json searched = client.call("search", {{"query", "the moon"}, {"limit", 2}});
  EXPECT_EQ(searched["structuredContent"]["results"][0]["sentences"].size(), 2u);
  EXPECT_TRUE(searched["content"][0]["text"].get<std::string>().starts_with(
      "2 sentences nearest to: the moon\n"));
}

TEST_F(McpTest, ADocumentIsAddedEditedAndReadAgain) {
  Client client(peer());
  const Json document{{"title", "AC/DC 100 %"}, {"sentences", {"One.", "Two."}}};
  const Json added = client.call("add_document", document);
  EXPECT_EQ(added["content"][0]["text"], "'AC/DC 100 %' was added, with 2 sentences.\n");
  const Json again = client.call("add_document", document);
  EXPECT_EQ(again["isError"], true);
  EXPECT_NE(again["content"][0]["text"].get<std::string>().find("'replace'"), std::string::npos);
  Json replacing = document;
  replacing["replace"] = true;
  EXPECT_FALSE(client.call("add_document", replacing).contains("isError"));

  const Json edited =
      client.call("edit_sentence", {{"title", "AC/DC 100 %"}, {"number", 1}, {"text", "Zwei."}});
  EXPECT_EQ(edited["content"][0]["text"],
            "Sentence 1 of 'AC/DC 100 %' was changed.\n   before: Two.\n   now: Zwei.\n");
  const std::string uri = "memmatch://documents/AC%2FDC%20100%20%25";
  const Json read = client.ask("resources/read", {{"uri", uri}})["result"]["contents"][0];
  EXPECT_EQ(read["uri"], uri);
  EXPECT_EQ(read["text"], "AC/DC 100 %\n\n[0] One.\n[1] Zwei.\n");
}

TEST_F(McpTest, ACorrectionChangesWhatIsAnswered) {
  Client client(peer());
  const Json claims{{"claims", {"the moon is old."}}};
  const Json before = client.call("verify", claims)["structuredContent"]["verdicts"][0]["decision"];
  EXPECT_EQ(before["by"], "model");
  const std::string right = before["label"] == "REFUTES" ? "SUPPORTS" : "REFUTES";
  const Json kept = client.call("correct", {{"claim", "the moon is old."}, {"label", right}});
  EXPECT_NE(kept["content"][0]["text"].get<std::string>().find("the right label is " + right),
            std::string::npos);
  const Json after = client.call("verify", claims);
  EXPECT_EQ(after["structuredContent"]["verdicts"][0]["decision"],
            (Json{{"label", right}, {"by", "correction"}}));
  EXPECT_TRUE(after["content"][0]["text"].get<std::string>().starts_with(
      right + " (corrected): the moon is old.\n"));
  const Json checked = client.call("check", {{"text", "the moon is old."}});
  EXPECT_EQ(checked["structuredContent"]["sentences"][0]["verdict"]["decision"]["label"], right);
}

TEST_F(McpTest, WhatAToolRefusesIsAResultThatSaysSo) {
  Client client(peer());
  const std::pair<const char*, Json> cases[] = {
      {"verify", Json::object()},
      {"verify", {{"claims", "a text"}}},
      {"verify", {{"claims", {1}}}},
      {"verify", {{"claims", Json::array()}}},
      {"verify", {{"claims", {"a"}}, {"unheard", 1}}},
      {"check", {{"text", ""}}},
      {"search", {{"query", "a"}, {"limit", 0}}},
      {"search", {{"query", {{"a", 1}}}}},
      {"add_document", {{"sentences", {"a"}}}},
      {"add_document", {{"title", ""}, {"sentences", {"a"}}}},
      {"add_document", {{"title", "a"}, {"sentences", 5}}},
      {"add_document", {{"title", std::string(9000, 'a')}, {"sentences", {"a"}}}},
      {"edit_sentence", {{"title", "0"}, {"number", -1}, {"text", "a"}}},
      {"edit_sentence", {{"title", "0"}, {"number", "x"}, {"text", "a"}}},
      {"edit_sentence", {{"title", "nowhere"}, {"number", 0}, {"text", "a"}}},
      {"edit_sentence", {{"title", "0"}, {"number", 0}}},
      {"correct", {{"claim", "a"}, {"label", "TRUE"}}},
      {"correct", {{"claim", "a"}}}};
  for (const auto& [tool, arguments] : cases) {
    const Json result = client.call(tool, arguments);
    EXPECT_EQ(result["isError"], true) << tool << " " << arguments.dump().substr(0, 200);
    EXPECT_GT(result["content"][0]["text"].get<std::string>().size(), 10u) << result;
  }
}

TEST_F(McpTest, WritesAreRefusedWhereTheyAreNotAllowed) {
  Client client(peer(false));
  const std::pair<const char*, Json> cases[] = {
      {"add_document", {{"title", "a"}, {"sentences", {"b"}}}},
      {"edit_sentence", {{"title", "0"}, {"number", 0}, {"text", "a"}}},
      {"correct", {{"claim", "the moon"}, {"label", "SUPPORTS"}}}};
  for (const auto& [tool, arguments] : cases) {
    const Json result = client.call(tool, arguments);
    EXPECT_EQ(result["isError"], true) << tool;
    EXPECT_EQ(result["content"][0]["text"], "no writes here");
  }
  EXPECT_EQ(world_.call("GET", "/v1/documents/a").status, 404);
}

TEST_F(McpTest, DocumentsAreListedInParts) {
  for (int i = 0; i < 120; ++i)
    world_.call("PUT", "/v1/documents/more%20" + std::to_string(i), Json{{"sentences", {"a"}}});
  Client client(peer());
  std::set<std::string> uris;
  Json params = Json::object();
  int parts = 0;
  while (true) {
    const Json result = client.ask("resources/list", params)["result"];
    for (const Json& resource : result["resources"]) {
      uris.insert(resource["uri"]);
      EXPECT_EQ(resource["mimeType"], "text/plain");
    }
    ++parts;
    if (!result.contains("nextCursor")) break;
    params["cursor"] = result["nextCursor"];
  }
  EXPECT_EQ(parts, 2);
  EXPECT_EQ(uris.size(), 160u);
  EXPECT_TRUE(uris.contains("memmatch://documents/more%20119"));
  for (const char* cursor : {"x", "-1", "99999999"})
    EXPECT_EQ(client.ask("resources/list", {{"cursor", cursor}})["error"]["code"], -32602);
  EXPECT_EQ(client.ask("resources/templates/list")["result"]["resourceTemplates"][0]["uriTemplate"],
            "memmatch://documents/{title}");
}

TEST_F(McpTest, ResourcesThatAreNotThereAreToldApartFromBadRequests) {
  Client client(peer());
  for (const char* uri : {"memmatch://documents/nowhere", "memmatch://documents/", "file:///etc",
                          "memmatch://documents/a/b", "memmatch://documents/a?b", "x"})
    EXPECT_EQ(client.ask("resources/read", {{"uri", uri}})["error"]["code"], -32002) << uri;
  EXPECT_EQ(client.ask("resources/read", {{"uri", 5}})["error"]["code"], -32602);
  EXPECT_EQ(client.ask("resources/read")["error"]["code"], -32602);
}

TEST_F(McpTest, WhatWasCancelledIsNotAnswered) {
  mcp::Peer slow = peer();
  std::vector<serve::Respond> waiting;
  slow.api = [&](const serve::HttpRequest&, serve::Respond respond) {
    waiting.push_back(std::move(respond));
  };
  const auto session = mcp::Session::make(slow, mcp::kLatestVersion);
  std::vector<std::string> answers;
  const auto say = [&](const std::string& text) {
    session->take(text, [&](const std::optional<std::string>& answer) {
      answers.push_back(answer.value_or("nothing"));
    });
  };
  const std::string read = R"({"jsonrpc": "2.0", "id": "a", "method": "resources/read",
                               "params": {"uri": "memmatch://documents/0"}})";
  say(read);
  say(read);
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_NE(answers[0].find("this id is in use already"), std::string::npos);
  say(R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a"}})");
  say(read);  // the id is free again
  ASSERT_EQ(waiting.size(), 2u);
  answers.clear();
  const serve::HttpAnswer document{.body = R"({"title": "0", "sentences": []})"};
  waiting[0](document);
  waiting[1](document);
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0], "nothing");
  EXPECT_NE(answers[1].find("contents"), std::string::npos) << answers[1];
}

class McpOverHttpTest : public McpTest {
 protected:
  ServedWorld::Answer post(const std::string& body, const std::string& version = "",
                           bool with_token = true) {
    serve::HttpRequest request = ServedWorld::request("POST", "/mcp", body);
    request.protocol_version = version;
    if (!with_token) request.authorization = "";
    return world_.send(request);
  }
  static std::string message(const std::string& method, const Json& params = Json::object()) {
    return Json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}}.dump();
  }
};

TEST_F(McpOverHttpTest, AMessageIsAnsweredByItself) {
  EXPECT_EQ(post(message("ping")).json["result"], Json::object());
  const auto initialized = post(message("initialize", {{"protocolVersion", "2025-11-25"}}));
  EXPECT_EQ(initialized.json["result"]["protocolVersion"], "2025-11-25");
  const auto notified = post(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})");
  EXPECT_EQ(notified.status, 202);
  EXPECT_EQ(notified.raw.body, "");
  const auto found =
      post(message("tools/call", {{"name", "search"}, {"arguments", {{"query", "the moon"}}}}),
           "2025-06-18");
  EXPECT_EQ(found.status, 200);
  EXPECT_FALSE(found.json["result"]["structuredContent"]["results"].empty());
  EXPECT_EQ(post("[" + message("ping") + "]").json.size(), 1u) << "as in 2025-03-26";
}

TEST_F(McpOverHttpTest, WhatIsNotTakenIsABadRequest) {
  EXPECT_EQ(post("{").status, 400);
  EXPECT_EQ(post("{").json["error"]["code"], -32700);
  EXPECT_EQ(post("[" + message("ping") + "]", "2025-11-25").status, 400);
  const auto unknown = post(message("ping"), "2099-01-01");
  EXPECT_EQ(unknown.status, 400);
  EXPECT_NE(unknown.raw.body.find("2025-11-25, 2025-06-18"), std::string::npos);
  EXPECT_EQ(world_.call("GET", "/mcp").status, 405);
  EXPECT_EQ(world_.call("DELETE", "/mcp").status, 405);
  serve::HttpRequest elsewhere = ServedWorld::request("POST", "/mcp", message("ping"));
  elsewhere.origin = "https://example.org";
  EXPECT_EQ(world_.send(elsewhere).status, 403);
}

TEST_F(McpOverHttpTest, WritesNeedTheServersToken) {
  EXPECT_EQ(names(post(message("tools/list")).json).size(), 6u);
  EXPECT_EQ(names(post(message("tools/list"), "", false).json).size(), 3u);
  const std::string add =
      message("tools/call",
              {{"name", "add_document"}, {"arguments", {{"title", "x"}, {"sentences", {"One."}}}}});
  const Json refused = post(add, "", false).json["result"];
  EXPECT_EQ(refused["isError"], true);
  EXPECT_NE(refused["content"][0]["text"].get<std::string>().find("token"), std::string::npos);
  EXPECT_EQ(world_.call("GET", "/v1/documents/x").status, 404);
  EXPECT_FALSE(post(add).json["result"].contains("isError"));
  EXPECT_EQ(world_.call("GET", "/v1/documents/x").status, 200);
}

TEST(McpLines, AreTakenFromPiecesOfAnySize) {
  const std::string text = "one\n\n  \r\ntwo\nlong line that is too long\nthree\nrest";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    mcp::Lines lines(10);
    std::vector<std::string> found;
    const auto take = [&] {
      while (const auto line = lines.next()) found.push_back(line->too_long ? "!" : line->text);
    };
    for (std::size_t at = 0; at < text.size(); at += size) {
      lines.feed(std::string_view(text).substr(at, size));
      take();
    }
    lines.end();
    take();
    take();
    EXPECT_EQ(found, (std::vector<std::string>{"one", "two", "!", "three", "rest"})) << size;
  }
}

TEST(McpLines, ALineWithoutEndIsNotKept) {
  mcp::Lines lines(10);
  lines.feed(std::string(100, 'a'));
  EXPECT_FALSE(lines.next());
  lines.end();
  const auto line = lines.next();
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->too_long);
  EXPECT_FALSE(lines.next());
}

}  // namespace
}  // namespace memmatch
