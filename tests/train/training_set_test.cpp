#include "train/training_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "search/search_world.h"

namespace memmatch::train {
namespace {

using test::TemporaryFolder;

TrainingSet set_of(std::size_t verifiable, std::size_t unverifiable) {
  TrainingSet set;
  set.claims.resize(verifiable + unverifiable);
  for (std::size_t i = 0; i < verifiable; ++i) set.claims[i].label = Label::supports;
  return set;
}

std::vector<std::size_t> sorted(std::vector<std::size_t> values) {
  std::sort(values.begin(), values.end());
  return values;
}

TEST(DrawClaims, EachPassHasEveryClaimOnceInAnOrderOfItsOwn) {
  const TrainingSet set = set_of(30, 20);
  std::vector<std::size_t> all(50);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> passes;
  for (int pass = 0; pass < 3; ++pass) {
    passes.push_back(draw_claims(set, 0, 1, pass * 50, 50));
    EXPECT_EQ(sorted(passes.back()), all);
    EXPECT_NE(passes.back(), all);
  }
  EXPECT_NE(passes[0], passes[1]);
  EXPECT_NE(passes[1], passes[2]);
}

TEST(DrawClaims, TheSameSeedGivesTheSameOrder) {
  const TrainingSet set = set_of(30, 20);
  EXPECT_EQ(draw_claims(set, 0.5, 1, 7, 90), draw_claims(set, 0.5, 1, 7, 90));
  EXPECT_NE(draw_claims(set, 0.5, 1, 7, 90), draw_claims(set, 0.5, 2, 7, 90));
}

// So that epochs of fewer claims than the set has go on where the last one ended.
TEST(DrawClaims, StretchesAreOfOneStream) {
  const TrainingSet set = set_of(30, 20);
  for (const double share : {0.0, 0.2, 0.7}) {
    const std::vector<std::size_t> stream = draw_claims(set, share, 9, 0, 300);
    for (const std::int64_t size : {1, 7, 50, 99}) {
      std::vector<std::size_t> pieces;
      for (std::int64_t begin = 0; begin < 300; begin += size) {
        const auto some = draw_claims(set, share, 9, begin, std::min(size, 300 - begin));
        pieces.insert(pieces.end(), some.begin(), some.end());
      }
      EXPECT_EQ(pieces, stream) << share << " " << size;
    }
  }
}

TEST(DrawClaims, UnverifiableClaimsComeAsOftenAsAsked) {
  const TrainingSet set = set_of(30, 7);
  for (const double share : {0.1, 0.25, 0.5, 0.8}) {
    const std::int64_t pass = claims_of_a_pass(set, share);
    std::map<std::size_t, std::int64_t> times;
    for (const std::size_t claim : draw_claims(set, share, 3, 0, pass)) ++times[claim];
    std::int64_t unverifiable = 0;
    std::int64_t least = pass, most = 0;
    for (std::size_t i = 0; i < set.claims.size(); ++i) {
      if (i < 30) {
        EXPECT_EQ(times[i], 1);
      } else {
        unverifiable += times[i];
        least = std::min(least, times[i]);
        most = std::max(most, times[i]);
      }
    }
    EXPECT_NEAR(static_cast<double>(unverifiable) / static_cast<double>(pass), share, 0.02);
    EXPECT_LE(most - least, 1) << "none is favoured";
  }
  EXPECT_EQ(claims_of_a_pass(set, 0), 37);
  EXPECT_EQ(claims_of_a_pass(set_of(30, 0), 0.5), 30);
  EXPECT_EQ(claims_of_a_pass(set_of(0, 7), 0.5), 7);
}

// A store of three documents and claims about them.
class LoadTrainingSetTest : public testing::Test {
 protected:
  LoadTrainingSetTest() {
    Datastore store = Datastore::open(folder_ / "s.db", Datastore::Access::create);
    test::import_all(store, {test::document("Moon", {"the moon is cold.", "the old moon falls."}),
                             test::document("King", {"the king was born in the tower.", ""}),
                             test::document("River", {"the river is green."})});
    const auto id = [&](const char* title, int number) {
      return store.sentence(store.find_document(title).id, number).value().id;
    };
    moon_ = {id("Moon", 0), id("Moon", 1)};
    king_ = {id("King", 0), id("King", 1)};
    river_ = {id("River", 0)};
  }

  TrainingSet load(const std::string& claims, bool rank = false) {
    const auto file = folder_.write("claims.jsonl", claims);
    const ModelData model = load_model(test::small_model(folder_, seed_++));
    const SequenceWriter writer(model);
    DataRecipe data;
    data.store = folder_ / "s.db";
    data.train = {file};
    return load_training_set(data, writer, rank);
  }

  static std::string line(const std::string& label, const std::string& claim,
                          const std::string& evidence) {
    return R"({"id": 1, "label": ")" + label + R"(", "claim": ")" + claim + R"(", "evidence": )" +
           evidence + "}\n";
  }

  TemporaryFolder folder_;
  std::uint64_t seed_ = 1;
  std::vector<SentenceId> moon_, king_, river_;
};

TEST_F(LoadTrainingSetTest, KnowsEvidenceAndCandidatesOfEachClaim) {
  const TrainingSet set =
      load(line("SUPPORTS", "The moon is cold.",
                R"([[[1, 1, "Moon", 0]], [[1, 2, "River", 0], [1, 2, "Moon", 1]]])") +
           line("NOT ENOUGH INFO", "The king sings.", "[[[1, 3, null, null]]]"));
  ASSERT_EQ(set.claims.size(), 2u);
  const TrainingClaim& moon = set.claims[0];
  EXPECT_EQ(moon.label, Label::supports);
  EXPECT_EQ(moon.chosen, (std::vector<SentenceId>{moon_[0]}));
  std::vector<SentenceId> gold{moon_[0], moon_[1], river_[0]};
  std::sort(gold.begin(), gold.end());
  EXPECT_EQ(moon.gold, gold);
  EXPECT_EQ(moon.candidates, moon_);
  EXPECT_TRUE(moon.by_overlap.empty());
  EXPECT_FALSE(set.claims[1].verifiable());
  EXPECT_TRUE(set.claims[1].chosen.empty());
  EXPECT_EQ(set.claims[1].candidates, (std::vector<SentenceId>{king_[0]}));
  EXPECT_EQ(set.evidence.size(), 3u) << "the candidates; River was not chosen";
}

TEST_F(LoadTrainingSetTest, EvidenceOutOfReachIsThereAllTheSame) {
  const TrainingSet set = load(line("REFUTES", "The moon is green.", R"([[[1, 1, "River", 0]]])"));
  EXPECT_EQ(set.claims[0].chosen, river_);
  EXPECT_EQ(set.evidence.size(), 3u);
  EXPECT_EQ(set.evidence_of(set.claims[0].chosen).size(), 1u);
}

// D20.
TEST_F(LoadTrainingSetTest, EvidenceThatTheStoreLacksOrThatIsBlankIsNone) {
  const TrainingSet set = load(line("REFUTES", "The moon is green.", R"([[[1, 1, "Sea", 0]]])") +
                               line("REFUTES", "The king is old.", R"([[[1, 1, "King", 1]]])"));
  EXPECT_TRUE(set.claims[0].verifiable());
  EXPECT_TRUE(set.claims[0].chosen.empty());
  EXPECT_EQ(set.claims[0].candidates, moon_);
  EXPECT_TRUE(set.claims[1].chosen.empty());
}

TEST_F(LoadTrainingSetTest, RanksCandidatesBySharedWordsWhereAsked) {
  const TrainingSet set =
      load(line("SUPPORTS", "The old moon falls.", R"([[[1, 1, "Moon", 1]]])"), true);
  EXPECT_EQ(set.claims[0].by_overlap, (std::vector<SentenceId>{moon_[1], moon_[0]}));
}

TEST_F(LoadTrainingSetTest, AClaimWithoutALabelIsNamedWithItsLine) {
  const Error error = test::error_of([&] {
    load(line("SUPPORTS", "The moon is cold.", R"([[[1, 1, "Moon", 0]]])") +
         R"({"id": 2, "claim": "The king sings."})" + "\n");
  });
  EXPECT_EQ(error.kind(), ErrorKind::corrupt);
  EXPECT_NE(std::string(error.what()).find("claims.jsonl:2: "), std::string::npos) << error.what();
}

}  // namespace
}  // namespace memmatch::train
