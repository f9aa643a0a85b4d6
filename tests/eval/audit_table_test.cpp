#include "eval/audit_table.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "base/json.h"
#include "data/claims.h"
#include "support.h"

namespace memmatch::eval {
namespace {

using enum Label;

constexpr audit::MeanDistances kMeans{.level2 = 1, .level3 = 1};

Label other(Label label) { return label == supports ? refutes : supports; }

// `count` decisions alike, for building runs of known outcome.
void add(std::vector<AuditedDecision>& run, int count, bool right, bool changed, bool near,
         std::optional<Label> update = {}) {
  for (int i = 0; i < count; ++i) {
    const Label gold = i % 2 == 0 ? supports : refutes;
    AuditedDecision decision;
    decision.gold = gold;
    decision.label = right ? gold : other(gold);
    decision.changed = changed;
    decision.level2 = near ? 0.5 : 150;
    decision.level3 = 0.5;
    if (update) decision.update = *update == supports ? gold : other(gold);  // right or wrong
    run.push_back(decision);
  }
}

const AuditLine& line(const AuditTable& table, const std::string& name) {
  const auto found = std::find_if(table.lines.begin(), table.lines.end(),
                                  [&](const AuditLine& one) { return one.name == name; });
  if (found == table.lines.end()) throw std::out_of_range(name);
  return *found;
}

// The counts behind the paper's Table 3 for sym_gen: of 478 changed rows 241 right, of which 135 of
// the 204 admitted; of 239 unchanged ones 195 right, of which 125 of the 139 admitted.
TEST(AuditTable, ThePapersTable3FollowsFromItsCounts) {
  std::vector<AuditedDecision> run;
  add(run, 135, true, true, true);
  add(run, 204 - 135, false, true, true);
  add(run, 241 - 135, true, true, false);
  add(run, 478 - 241 - (204 - 135), false, true, false);
  add(run, 125, true, false, true);
  add(run, 139 - 125, false, false, true);
  add(run, 195 - 125, true, false, false);
  add(run, 239 - 195 - (139 - 125), false, false, false);
  const AuditTable table = audit_table(run, {.means = kMeans});
  EXPECT_EQ(table.claims, 717u);
  EXPECT_EQ(line(table, "model").all.right, 436u);
  EXPECT_EQ(line(table, "+dist").all.claims, 343u);
  EXPECT_EQ(line(table, "+dist").all.right, 260u);
  EXPECT_EQ(line(table, "+dist+exchange").all.right, 498u);  // 436 - 106 + 168
  const std::string text = to_markdown(table);
  EXPECT_NE(text.find("| model | 60.8 (717) | 81.6 (239) | 50.4 (478) |"), std::string::npos)
      << text;
  EXPECT_NE(text.find("| +dist | 75.8 (343) | 89.9 (139) | 66.2 (204) |"), std::string::npos)
      << text;
  EXPECT_NE(text.find("| +dist+exchange | 69.5 (717) |"), std::string::npos) << text;
}

// sym_test.v2: 504 of 712 right, of the 356 changed 187; the exemplars get 239 of these right.
TEST(AuditTable, ThePapersExAUpdateFollowsFromItsCounts) {
  std::vector<AuditedDecision> run;
  add(run, 504 - 187, true, false, true);
  add(run, 356 - (504 - 187), false, false, true);
  add(run, 187, true, true, true, supports);  // the exemplar agrees with gold
  add(run, 239 - 187, false, true, true, supports);
  add(run, 356 - 239, false, true, true, refutes);
  const AuditTable table = audit_table(run, {.exemplars = true, .update = true});
  EXPECT_EQ(line(table, "+ExA_update").all.right, 556u);  // 504 - 187 + 239
  const std::string text = to_markdown(table);
  EXPECT_NE(text.find("| model | 70.8 (712) | 89.0 (356) | 52.5 (356) |"), std::string::npos)
      << text;
  EXPECT_NE(text.find("| +ExA_update | 78.1 (712) | 89.0 (356) | 67.1 (356) |"), std::string::npos)
      << text;
  EXPECT_NE(text.find("| +ExA_tp | – (0) |"), std::string::npos) << text;
}

// Decisions of a small random model on random claims and evidence, audited by as random exemplars,
// as they were recorded.
std::vector<AuditedDecision> recorded_run() {
  std::vector<AuditedDecision> run;
  LineReader lines(test::fixture("audited_run.jsonl"));
  JsonParser parser;
  for (std::string text; lines.next(text);) {
    const JsonObject row = parser.parse_object(text, lines.where());
    AuditedDecision decision;
    decision.gold = data::parse_label(row.string("gold")).value();
    decision.label = data::parse_label(row.string("label")).value();
    decision.changed = row.optional_bool("changed").value();
    decision.level2 = row.optional_number("level2");
    decision.level3 = row.optional_number("level3");
    decision.exemplar = row.optional_number("exemplar");
    decision.true_positive = row.optional_bool("true_positive").value();
    if (const auto update = row.optional_string("update"))
      decision.update = data::parse_label(*update);
    run.push_back(decision);
  }
  return run;
}

// The arithmetic that holds between the paper's numbers holds between ours.
TEST(AuditTable, TheLinesOfARecordedRunAgreeWithEachOther) {
  const std::vector<AuditedDecision> run = recorded_run();
  ASSERT_GT(run.size(), 30u);
  const audit::MeanDistances means{.level2 = 1.2, .level3 = 1.1};
  const AuditTable table = audit_table(run, {.means = means, .exemplars = true, .update = true});
  ASSERT_EQ(table.lines.size(), 5u);
  for (const AuditLine& one : table.lines) {
    EXPECT_EQ(one.all.claims, one.changed.claims + one.unchanged.claims) << one.name;
    EXPECT_EQ(one.all.right, one.changed.right + one.unchanged.right) << one.name;
  }
  const AuditLine& model = line(table, "model");
  const AuditLine& dist = line(table, "+dist");
  EXPECT_EQ(model.all.claims, run.size());
  EXPECT_GT(dist.all.claims, 0u);
  EXPECT_LT(dist.all.claims, run.size());
  // Changed and not admitted: what was right turns wrong, what was wrong turns right.
  const std::uint64_t right_before = model.changed.right - dist.changed.right;
  const std::uint64_t flipped = model.changed.claims - dist.changed.claims;
  EXPECT_GT(flipped, 0u);
  EXPECT_EQ(line(table, "+dist+exchange").all.right,
            model.all.right - right_before + (flipped - right_before));
  EXPECT_EQ(line(table, "+dist+exchange").unchanged.right, model.unchanged.right);
  const AuditLine& update = line(table, "+ExA_update");
  EXPECT_EQ(update.all.right, model.all.right - model.changed.right + update.changed.right);
  const AuditLine& tp = line(table, "+ExA_tp");
  EXPECT_GT(tp.all.claims, 0u);
  const auto curve = exemplar_cut_off(run, run.size());
  EXPECT_EQ(curve.back().count, tp.all.claims);
  EXPECT_DOUBLE_EQ(curve.back().accuracy * static_cast<double>(tp.all.claims),
                   static_cast<double>(tp.all.right));
}

TEST(AuditTable, LinesAreLeftOutWhereThereIsNothingToTellThemBy) {
  std::vector<AuditedDecision> run;
  add(run, 3, true, false, true);
  EXPECT_EQ(audit_table(run, {}).lines.size(), 1u);
  EXPECT_EQ(audit_table(run, {.exemplars = true}).lines.size(), 2u);
  EXPECT_EQ(audit_table(run, {.means = kMeans}).lines.size(), 3u);
}

TEST(CutOffCurve, RunsFromNearToFarWithOnePointADistance) {
  std::vector<AuditedDecision> run(5);
  const double distances[] = {0.5, 0.1, 0.5, 0.2, 0.3};
  for (std::size_t i = 0; i < run.size(); ++i) {
    run[i].exemplar = distances[i];
    run[i].true_positive = i != 3;
    run[i].label = supports;
    run[i].gold = i == 0 ? refutes : supports;
  }
  const auto curve = exemplar_cut_off(run, 10);
  EXPECT_EQ(to_tsv(curve),
            "distance\tclaims\taccuracy\n0.1\t1\t100.0000\n0.3\t2\t100.0000\n0.5\t4\t75.0000\n");
  EXPECT_EQ(to_json(curve)[2]["claims"], 4);
}

}  // namespace
}  // namespace memmatch::eval
