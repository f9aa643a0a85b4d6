#include <gtest/gtest.h>

#include "audit/exemplar_build.h"
#include "audit/exemplar_matrix.h"
#include "base/float16.h"
#include "memmatch/audit.h"
#include "search/search_world.h"

namespace memmatch {
namespace {

using enum Label;
using test::error_of;
using test::TemporaryFolder;

constexpr ContentHash kModel{1, 2, 3};

Verdict decided(Label label, std::vector<float> difference, bool edited = false) {
  Verdict verdict;
  verdict.label = label;
  verdict.evidence.resize(1);
  verdict.evidence[0].edited = edited;
  verdict.difference = std::move(difference);
  return verdict;
}

// Exemplars at places that the tests choose.
class ExemplarAuditorTest : public testing::Test {
 protected:
  ExemplarId add(const std::string& tag, Label gold, Label predicted,
                 std::vector<float> difference) {
    return database_.add(tag, kModel,
                         {.claim = "Claim.",
                          .evidence = {{"Moon", "Moon", 0, "Text."}},
                          .gold = gold,
                          .predicted = predicted,
                          .difference = std::move(difference)});
  }

  Verdict audited(Verdict verdict, const ExemplarOptions& options) {
    auditor_.audit({&verdict, 1}, options);
    return verdict;
  }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "e.db";
  Exemplars database_ = Exemplars::open(file_, Exemplars::Access::create);
  ExemplarAuditor auditor_{file_, kModel, 2};
};

TEST_F(ExemplarAuditorTest, TheNearestComeFirstWithTheirKinds) {
  const ExemplarId far = add("train", supports, refutes, {4, 0});
  const ExemplarId close = add("train", refutes, refutes, {1, 0});
  const Verdict verdict = audited(decided(refutes, {0, 0}), {.nearest = 5});
  ASSERT_EQ(verdict.exemplars->nearest.size(), 2u);
  EXPECT_EQ(verdict.exemplars->nearest[0].exemplar.id, close);
  EXPECT_EQ(verdict.exemplars->nearest[0].kind, ExemplarKind::true_positive);
  EXPECT_NEAR(verdict.exemplars->nearest[0].distance, 1, 1e-5);
  EXPECT_EQ(verdict.exemplars->nearest[1].exemplar.id, far);
  EXPECT_EQ(verdict.exemplars->nearest[1].kind, ExemplarKind::false_positive);
  EXPECT_TRUE(verdict.exemplars->admitted);  // nobody asked for a rule
}

// T18: "Equal minima in db1 and db2 → db2", what was added later.
TEST_F(ExemplarAuditorTest, OfEquallyNearOnesTheNewerCountsWhateverItsTag) {
  add("db1", supports, supports, {1, 2});
  add("db2", refutes, supports, {1, 2});
  EXPECT_EQ(audited(decided(supports, {1, 1}), {}).exemplars->nearest[0].exemplar.tag, "db2");
  add("db1", supports, supports, {1, 2});
  EXPECT_EQ(audited(decided(supports, {1, 1}), {}).exemplars->nearest[0].exemplar.tag, "db1");
}

TEST_F(ExemplarAuditorTest, ADecisionIsAtNoDistanceFromItsOwnExemplar) {
  const std::vector<float> difference{0.1F, 1.0F / 3, 0.7F, 12.345F};
  add("train", supports, supports, difference);
  const Verdict verdict = audited(decided(supports, difference), {});
  EXPECT_LT(verdict.exemplars->nearest[0].distance, 3e-6);
}

TEST_F(ExemplarAuditorTest, ExATpAdmitsOnlyByATruePositiveThatIsNear) {
  add("train", refutes, refutes, {1, 0});
  add("train", supports, supports, {9, 0});
  const ExemplarOptions rule{.true_positive = true};
  EXPECT_TRUE(audited(decided(refutes, {0, 0}), rule).exemplars->admitted);
  EXPECT_FALSE(audited(decided(supports, {0, 0}), rule).exemplars->admitted);
  EXPECT_TRUE(audited(decided(supports, {8, 0}), rule).exemplars->admitted);
  ExemplarOptions near = rule;
  near.max_distance = 0.5;
  EXPECT_FALSE(audited(decided(refutes, {0, 0}), near).exemplars->admitted);
  EXPECT_TRUE(audited(decided(refutes, {0.75F, 0}), near).exemplars->admitted);
  EXPECT_EQ(audited(decided(supports, {0, 0}), rule).label, supports);  // reported, not changed
}

TEST_F(ExemplarAuditorTest, RelabellingAnExemplarChangesTheNextVerdict) {
  const ExemplarId id = add("train", supports, supports, {1, 0});
  const ExemplarOptions rule{.true_positive = true};
  EXPECT_TRUE(audited(decided(supports, {0, 0}), rule).exemplars->admitted);
  database_.relabel(id, refutes);
  EXPECT_FALSE(audited(decided(supports, {0, 0}), rule).exemplars->admitted);
  database_.remove(id);
  add("train", supports, supports, {2, 0});
  EXPECT_TRUE(audited(decided(supports, {0, 0}), rule).exemplars->admitted);
}

// T18: "Changed datastore and nearest db2 row gold R → output R whatever the model said."
TEST_F(ExemplarAuditorTest, ExAUpdateTakesTheLabelOfTheTagWhereEvidenceWasEdited) {
  add("db1", supports, supports, {0, 0});
  add("db2", refutes, supports, {3, 0});
  const ExemplarOptions rule{.true_positive = true, .update_tag = "db2"};
  const Verdict changed = audited(decided(supports, {0, 0}, true), rule);
  EXPECT_EQ(changed.label, refutes);
  EXPECT_EQ(changed.exemplars->model_label, supports);
  EXPECT_EQ(changed.model_label(), supports);
  EXPECT_TRUE(changed.exemplars->admitted);
  EXPECT_EQ(changed.exemplars->update.at(0).exemplar.tag, "db2");
  EXPECT_EQ(audited(decided(supports, {0, 0}, false), rule).label, supports);
  EXPECT_EQ(error_of([&] {
              audited(decided(supports, {0, 0}), {.update_tag = "db3"});
            }).kind(),
            ErrorKind::not_found);
}

TEST_F(ExemplarAuditorTest, AHandfulOfCorrectionsChangesBehaviourOnEditedFacts) {
  for (int i = 0; i < 50; ++i) add("train", supports, supports, {static_cast<float>(i) / 10, 0});
  const auto label_of_edited = [&](const ExemplarOptions& options) {
    return audited(decided(supports, {2, 0.5F}, true), options).label;
  };
  EXPECT_EQ(label_of_edited({}), supports);
  for (int i = 0; i < 3; ++i) add("corrections", refutes, supports, {2 + static_cast<float>(i), 0});
  EXPECT_EQ(label_of_edited({.update_tag = "corrections"}), refutes);
  EXPECT_EQ(label_of_edited({.neighbours = 3, .update_tag = "corrections"}), refutes);
}

TEST_F(ExemplarAuditorTest, VerdictsWithoutEvidenceResembleNothing) {
  add("train", unverifiable, unverifiable, {1, 0});
  Verdict verdict;
  auditor_.audit({&verdict, 1}, {.true_positive = true});
  EXPECT_TRUE(verdict.exemplars->nearest.empty());
  EXPECT_FALSE(verdict.exemplars->admitted);
}

TEST_F(ExemplarAuditorTest, AnEmptyDatabaseAdmitsNothing) {
  EXPECT_FALSE(audited(decided(refutes, {0, 0}), {.true_positive = true}).exemplars->admitted);
}

TEST_F(ExemplarAuditorTest, BadRequestsAreRefused) {
  add("train", supports, supports, {1, 0});
  const auto kind_of = [&](const Verdict& verdict, const ExemplarOptions& options) {
    return error_of([&] { audited(verdict, options); }).kind();
  };
  EXPECT_EQ(kind_of(decided(refutes, {}), {}), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of(decided(refutes, {0, 0}), {.nearest = 0}), ErrorKind::invalid_argument);
  EXPECT_EQ(kind_of(decided(refutes, {0, 0}), {.neighbours = -1}), ErrorKind::invalid_argument);
  const Error error = error_of([&] { ExemplarAuditor(file_, ContentHash{9}); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_NE(std::string(error.what()).find("of another model or precision"), std::string::npos);
}

TEST_F(ExemplarAuditorTest, TheMatrixFollowsTheFileAndFindsWhatAPlainScanFinds) {
  constexpr std::size_t kDimension = 24;
  Random random(5);
  audit::ExemplarMatrix matrix(kModel);
  std::map<ExemplarId, std::vector<float>> known;
  const auto random_difference = [&] {
    std::vector<float> difference;
    for (std::size_t i = 0; i < kDimension; ++i)
      difference.push_back(float_from_half(half_from_float(static_cast<float>(random.uniform()))));
    return difference;
  };
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 30; ++i) {
      const std::vector<float> difference = random_difference();
      known[add(i % 3 == 0 ? "a" : "b", supports, refutes, difference)] = difference;
    }
    if (round % 2 == 1) {  // some rounds only add, others also remove
      const ExemplarId gone = std::next(known.begin(), round)->first;
      database_.remove(gone);
      known.erase(gone);
    }
    matrix.refresh(database_);
    ASSERT_EQ(matrix.rows(), known.size());
    for (const std::size_t queries : {1U, 9U}) {
      std::vector<float> query;
      for (std::size_t q = 0; q < queries; ++q) {
        const std::vector<float> one = random_difference();
        query.insert(query.end(), one.begin(), one.end());
      }
      const auto found = matrix.nearest(query, 7, 2);
      for (std::size_t q = 0; q < queries; ++q) {
        std::vector<search::Ranked> all;
        for (const auto& [id, difference] : known)
          all.push_back({id, search::distance(std::span(query).subspan(q * kDimension, kDimension),
                                              difference)});
        search::keep_nearest(all, 7);
        EXPECT_EQ(found[q], all);
      }
    }
  }
}

// --- With a real search ---

class ExemplarBuildTest : public testing::Test {
 protected:
  void SetUp() override {
    Datastore store = Datastore::open(folder_ / "s.db", Datastore::Access::create);
    test::import_all(store, test::random_documents(40, 1));
  }

  std::vector<audit::ExemplarClaim> claims(int count) const {
    std::vector<audit::ExemplarClaim> all;
    for (const std::string& claim : test::random_claims(count, 3))
      all.push_back({claim, static_cast<Label>(all.size() % 3), std::nullopt});
    return all;
  }

  TemporaryFolder folder_;
  std::filesystem::path model_ = test::small_model(folder_);
  SearchOptions options_{.k1 = 5, .z = 2};
};

TEST_F(ExemplarBuildTest, DifferenceVectorsHaveTheDistancesOfTheirLevels) {
  Verifier verifier = Verifier::open(folder_ / "s.db", model_, {.threads = 1});
  options_.difference = true;
  const std::string claim = "the moon is old.";
  const std::vector<GivenEvidence> given{{"moon", "moon", 0, "the moon was cold."}};
  for (const Verdict& verdict :
       {verifier.verify(claim, options_),
        verifier.verify_given(std::span(&claim, 1), std::span(&given, 1), options_).front()}) {
    const auto length = [&](std::size_t half) {
      double square = 0;
      const std::size_t filters = verdict.difference.size() / 2;
      for (std::size_t i = half * filters; i < (half + 1) * filters; ++i) {
        EXPECT_GE(verdict.difference[i], 0);
        square += static_cast<double>(verdict.difference[i] * verdict.difference[i]);
      }
      return std::sqrt(square);
    };
    ASSERT_EQ(verdict.difference.size(), 40u);
    EXPECT_NEAR(length(0), *verdict.level2_distance(), 1e-4);
    EXPECT_NEAR(length(1), *verdict.level3_distance(), 1e-4);
  }
  options_.difference = false;
  EXPECT_TRUE(verifier.verify(claim, options_).difference.empty());
}

TEST_F(ExemplarBuildTest, TheSameClaimsGiveTheSameExemplarsTogetherOrOneByOne) {
  Verifier verifier = Verifier::open(folder_ / "s.db", model_, {.threads = 2});
  const auto all = claims(12);
  const auto together = audit::decide(verifier, all, options_);
  ASSERT_EQ(together.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto one = audit::decide(verifier, std::span(all).subspan(i, 1), options_);
    EXPECT_EQ(one[0].difference, together[i].difference);
    EXPECT_EQ(one[0].evidence, together[i].evidence);
    EXPECT_EQ(one[0].predicted, together[i].predicted);
    EXPECT_EQ(one[0].gold, all[i].gold);
  }
}

TEST_F(ExemplarBuildTest, AStoppedBuildGoesOnWhereItWas) {
  Verifier verifier = Verifier::open(folder_ / "s.db", model_, {.threads = 2});
  const auto all = claims(150);
  const auto build = [&](const char* file, const ProgressCallback& progress) {
    Exemplars exemplars = Exemplars::open(folder_ / file, Exemplars::Access::create);
    return audit::build_exemplars(exemplars, "train", "setting", verifier, all, options_, progress);
  };
  const auto content = [&](const char* file) {
    std::vector<std::string> lines;
    Exemplars exemplars = Exemplars::open(folder_ / file, Exemplars::Access::read);
    exemplars.for_each({}, [&](const Exemplar& e) {
      lines.push_back(std::to_string(e.id) + e.claim + e.evidence.at(0).text);
    });
    return lines;
  };
  build("whole.db", {});
  EXPECT_THROW(build("e.db", [](const Progress&) { throw std::runtime_error("stop"); }),
               std::runtime_error);
  EXPECT_GT(content("e.db").size(), 0u);
  EXPECT_LT(content("e.db").size(), 150u);
  EXPECT_GT(build("e.db", {}).taken_up, 0u);
  EXPECT_EQ(content("e.db"), content("whole.db"));
  EXPECT_EQ(build("e.db", {}).exemplars, 0u);
}

// The whole way: a fact is edited, the model's label is replaced by that of a correction.
TEST_F(ExemplarBuildTest, CorrectionsDecideOnAnEditedFact) {
  Verifier verifier = Verifier::open(folder_ / "s.db", model_, {.threads = 1});
  options_.difference = true;
  const std::string claim = test::random_claims(1, 3).front();
  Verdict before = verifier.verify(claim, options_);
  const Label wrong = before.label;
  const Label right = wrong == supports ? refutes : supports;
  const Evidence top = before.evidence.at(0);
  verifier.store().edit_sentence(top.raw_title, top.number, top.text + " of old stone.");

  Exemplars exemplars = Exemplars::open(folder_ / "e.db", Exemplars::Access::create);
  audit::build_exemplars(exemplars, "train", "setting", verifier, claims(30), options_, {});
  const audit::ExemplarClaim correction{claim, right, std::nullopt};
  exemplars.add("corrections", verifier.fingerprint(),
                audit::decide(verifier, std::span(&correction, 1), options_).at(0));
  ExemplarAuditor auditor(folder_ / "e.db", verifier.fingerprint());
  Verdict after = verifier.verify(claim, options_);
  ASSERT_TRUE(after.evidence.at(0).edited);
  auditor.audit({&after, 1}, {.true_positive = true, .update_tag = "corrections"});
  EXPECT_EQ(after.label, right);
  EXPECT_LT(after.exemplars->update.at(0).distance, 1e-4);
}

}  // namespace
}  // namespace memmatch
