#include <gtest/gtest.h>

#include "process.h"

namespace memmatch {
namespace {

using test::Outcome;
using test::run_program;
using test::TemporaryFolder;

TEST(ReportVerb, WritesThePageOfARun) {
  const TemporaryFolder folder;
  folder.write("metrics.jsonl", R"({"event":"step","epoch":1,"step":10,"losses":[0.5,0.5,0.5]})"
                                "\n");
  const std::string out = folder / "page.html";
  const Outcome outcome = run_program({"report", folder / "", "--out", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  const std::string page = read_file(out);
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_EQ(run_program({"report", folder / "", "--out", "-"}).out, page);
}

TEST(ReportVerb, RefusesWhatIsNoRunAndLeavesTheOldPage) {
  const TemporaryFolder folder;
  const std::string out = folder.write("page.html", "old");
  EXPECT_EQ(run_program({"report", folder / "nowhere", "--out", out}).code, 1);
  folder.write("metrics.jsonl", "{}\n{}\n");
  const Outcome outcome = run_program({"report", folder / "", "--out", out});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("metrics.jsonl:1: field 'event' is missing"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(read_file(out), "old");
}

}  // namespace
}  // namespace memmatch
