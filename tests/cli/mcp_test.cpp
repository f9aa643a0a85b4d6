#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/process.h"
#include "search/search_world.h"

namespace memmatch {
namespace {

using test::Outcome;
using Json = nlohmann::json;

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"
    "\n";

class McpProgramTest : public testing::Test {
 protected:
  McpProgramTest() {
    Datastore store = Datastore::open(folder_ / "s.db", Datastore::Access::create);
    test::import_all(store, test::random_documents(20, 1));
  }

  Outcome run(const std::string& input, std::vector<std::string> more = {}) const {
    std::vector<std::string> all{"mcp",       "--store", folder_ / "s.db", "--model", model_,
                                 "--threads", "1"};
    all.insert(all.end(), more.begin(), more.end());
    return test::run_program(all, input);
  }

  // Answers by their ids, "" for those without.
  static std::map<std::string, Json> answers(const Outcome& outcome) {
    std::map<std::string, Json> by_id;
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
      Json answer = Json::parse(line);
      const std::string id = answer.contains("id") ? answer["id"].dump() : "";
      by_id[id] = std::move(answer);
    }
    return by_id;
  }

  static std::string call(int id, const std::string& tool, const Json& arguments) {
    return Json{{"jsonrpc", "2.0"},
                {"id", id},
                {"method", "tools/call"},
                {"params", {{"name", tool}, {"arguments", arguments}}}}
               .dump() +
           "\n";
  }

  test::TemporaryFolder folder_;
  std::string model_ = test::small_model(folder_).string();
};

TEST_F(McpProgramTest, WhatCameBeforeTheEndOfInputIsAnswered) {
  std::string input = kInitialize;
  for (int id = 1; id <= 600; ++id) input += call(id, "search", {{"query", "the moon"}});
  const Outcome outcome = run(input);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto all = answers(outcome);
  EXPECT_EQ(all.size(), 601u);
  for (const auto& [id, answer] : all) EXPECT_FALSE(answer["result"].contains("isError")) << answer;
  EXPECT_EQ(run("").code, 0);
  EXPECT_EQ(run("").out, "");
}

TEST_F(McpProgramTest, GarbageIsAnsweredAndTheNextLineIsReadAsEver) {
  const Outcome outcome = run("garbage\n" + std::string(2 << 20, 'x') + "\n" + kInitialize);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("-32700"), std::string::npos);
  EXPECT_NE(outcome.out.find("a message may have 1048576 bytes at most"), std::string::npos);
  EXPECT_EQ(answers(outcome)["0"]["result"]["protocolVersion"], "2025-11-25");
}

TEST_F(McpProgramTest, ChangesNeedLeave) {
  const std::string add = call(1, "add_document", {{"title", "Quince"}, {"sentences", {"A."}}});
  const auto added = [&](const std::vector<std::string>& options) {
    return answers(run(kInitialize + add, options))["1"]["result"];
  };
  EXPECT_EQ(added({})["isError"], true);
  EXPECT_EQ(added({"--allow-writes", "--read-only"})["isError"], true);
  EXPECT_FALSE(added({"--allow-writes"}).contains("isError"));
  Datastore store = Datastore::open(folder_ / "s.db", Datastore::Access::read);
  EXPECT_EQ(store.sentences(store.find_document("Quince").id).size(), 1u);

  const std::string exemplars = folder_ / "e.db";
  const Outcome refused = run(kInitialize, {"--exemplars", exemplars});
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("--allow-writes"), std::string::npos) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(exemplars));
}

TEST_F(McpProgramTest, WhatCannotBeOpenedEndsItWithAMessage) {
  const Outcome outcome =
      test::run_program({"mcp", "--store", folder_ / "none.db", "--model", model_},
                        kInitialize + call(1, "search", {{"query", "a"}}));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("none.db"), std::string::npos) << outcome.err;
  // As far as it had read by then.
  const auto all = answers(outcome);
  if (all.contains("1")) {
    EXPECT_EQ(all.at("1")["result"]["isError"], true);
  }
}

}  // namespace
}  // namespace memmatch
