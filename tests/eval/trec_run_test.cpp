#include "eval/trec_run.h"

#include <gtest/gtest.h>

#include "eval_support.h"

namespace memmatch::eval {
namespace {

using test::claim;
using test::error_of;
using test::TemporaryFolder;
using test::verdict;

TEST(TrecRun, AFileForEachLevel) {
  const TemporaryFolder folder;
  Datastore store = test::small_store(folder / "s.db");
  data::Claim first = claim("The Sun is hot.", Label::supports);
  first.id = "a b";
  {
    TrecRun run(folder / "runs");
    run.add(first,
            verdict(store, Label::supports, {{"Sun (star)", 1, 0.25}, {"Sun (star)", 0, 2}},
                    {{"Sun (star)", 0, 1.5}}),
            store);
    run.add(claim("The Moon.", Label::supports), verdict(store, Label::supports, {}, {}), store);
    run.add(claim("The Moon.", Label::supports),
            verdict(store, Label::supports, {{"Moon", 0, 3}}, {{"Moon", 0, 4}}), store);
    EXPECT_FALSE(std::filesystem::exists(folder / "runs/level1.run"));
    run.finish();
  }
  EXPECT_EQ(read_file(folder / "runs/level1.run"),
            "a%20b Q0 Sun%20(star)#1 1 -0.25 memmatch-level1\n"
            "a%20b Q0 Sun%20(star)#0 2 -2 memmatch-level1\n"
            "3 Q0 Moon#0 1 -3 memmatch-level1\n");
  EXPECT_EQ(read_file(folder / "runs/level2.run"),
            "a%20b Q0 Sun%20(star)#0 1 -1.5 memmatch-level2\n"
            "3 Q0 Moon#0 1 -4 memmatch-level2\n");
}

TEST(TrecRun, ScoresFollowTheRankingWithItsCredit) {
  const TemporaryFolder folder;
  Datastore store = test::small_store(folder / "s.db");
  Verdict found = verdict(store, Label::supports, {{"Moon", 0, 3}, {"Sun (star)", 0, 2}}, {});
  found.beams->level1[0].credit = 1.5;
  TrecRun run(folder / "runs");
  run.add(claim("The Moon.", Label::supports), found, store);
  run.finish();
  EXPECT_EQ(read_file(folder / "runs/level1.run"),
            "1 Q0 Moon#0 1 -1.5 memmatch-level1\n"
            "1 Q0 Sun%20(star)#0 2 -2 memmatch-level1\n");
}

TEST(TrecRun, NothingIsLeftOfARunThatWasNotFinished) {
  const TemporaryFolder folder;
  { TrecRun run(folder / "runs"); }
  EXPECT_TRUE(std::filesystem::is_empty(folder / "runs"));
}

TEST(TrecRun, NeedsBeamsAndAFolder) {
  const TemporaryFolder folder;
  Datastore store = test::small_store(folder / "s.db");
  TrecRun run(folder / "runs");
  EXPECT_EQ(error_of([&] { run.add(claim("x", Label::supports), Verdict{}, store); }).kind(),
            ErrorKind::invalid_argument);
  const Error error = error_of([&] { TrecRun(folder.write("file", "") / "x"); });
  EXPECT_EQ(error.kind(), ErrorKind::io);
}

}  // namespace
}  // namespace memmatch::eval
