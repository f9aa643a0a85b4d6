#include "eval/exchanged_pairs.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "eval/eval_support.h"
#include "text/facts.h"

namespace memmatch::eval {
namespace {

class ExchangedPairsTest : public testing::Test {
 protected:
  ExchangedPairsTest() {
    test::import_all(store_, {test::document("Ada Lovelace", {"Ada Lovelace was an English writer.",
                                                              "She was born in London in 1815.",
                                                              "Her father was Lord Byron."}),
                              test::document("Oslo", {"Oslo is large.", ""})});
  }

  std::vector<ExchangedPair> pairs(std::uint64_t seed = 1, std::size_t facts = 2) {
    return exchanged_pairs(claims_, store_, {.facts = facts, .seed = seed});
  }

  test::TemporaryFolder folder_;
  Datastore store_ = Datastore::open(folder_ / "s.db", Datastore::Access::create);
  std::vector<data::Claim> claims_ = {
      test::claim("Ada Lovelace was born in London.", Label::supports, {{{"Ada Lovelace", 1}}}),
      test::claim("Ada Lovelace was born in Rome.", Label::refutes, {{{"Ada Lovelace", 1}}}),
      test::claim("Ada Lovelace knew Mary Shelley in Paris.", Label::unverifiable),
      test::claim("Oslo is large.", Label::supports, {{{"Oslo", 0}}}),  // no fact
      test::claim("Oslo lies in Norway.", Label::supports, {{{"Oslo", 7}}}),
      test::claim("Ada wrote in London in 1843.", Label::supports,
                  {{{"Ada Lovelace", 1}, {"Ada Lovelace", 0}}}),  // two sentences are needed
  };
};

TEST_F(ExchangedPairsTest, TheLabelFollowsFromWhereTheFactWasExchanged) {
  std::map<std::string, int> made;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const ExchangedPair& pair : pairs(seed)) {
      ++made[pair.made];
      EXPECT_EQ(pair.title, "Ada Lovelace");
      const bool claim_says = text::says(pair.claim, "London");
      const bool evidence_says = text::says(pair.sentence, "London");
      EXPECT_TRUE(text::says(pair.claim, "born in")) << pair.claim;
      if (pair.made == "same") {
        EXPECT_EQ(pair.claim, "Ada Lovelace was born in London.");
        EXPECT_EQ(pair.sentence, "She was born in London in 1815.");
      } else if (pair.made == "claim") {
        EXPECT_TRUE(!claim_says && evidence_says) << pair.claim;
      } else if (pair.made == "evidence") {
        EXPECT_TRUE(claim_says && !evidence_says) << pair.sentence;
      } else if (pair.made == "both") {
        EXPECT_TRUE(!claim_says && !evidence_says) << pair.claim;
        const text::Fact other = text::facts_in(pair.claim).back();
        EXPECT_TRUE(text::says(pair.sentence, other.text)) << pair.sentence;
      } else if (pair.made == "left out") {
        EXPECT_EQ(pair.sentence, "She was born in 1815.");
      } else {
        EXPECT_EQ(pair.made, "elsewhere");
        EXPECT_NE(pair.number, 1);
      }
      const bool supported = pair.made == "same" || pair.made == "both";
      const bool refuted = pair.made == "claim" || pair.made == "evidence";
      EXPECT_EQ(pair.label, supported ? Label::supports
                            : refuted ? Label::refutes
                                      : Label::unverifiable);
    }
  }
  EXPECT_EQ(made.size(), 6u);
  EXPECT_EQ(made["same"], 10);
  EXPECT_EQ(made["evidence"] + made["both"], 10);
}

TEST_F(ExchangedPairsTest, TheSeedDecides) {
  const auto lines = [&](std::uint64_t seed) {
    std::string text;
    for (const ExchangedPair& pair : pairs(seed)) text += to_line(pair) + "\n";
    return text;
  };
  EXPECT_EQ(lines(3), lines(3));
  EXPECT_NE(lines(3) + lines(4) + lines(5), lines(6) + lines(7) + lines(8));
}

TEST_F(ExchangedPairsTest, AtMostSoManyFactsOfAClaim) {
  claims_[0].text = "Ada Lovelace was born in London in 1815.";
  const auto exchanged = [&](std::size_t facts) {
    const std::vector<ExchangedPair> all = pairs(1, facts);
    return std::count_if(all.begin(), all.end(), [](const auto& p) { return p.made == "claim"; });
  };
  EXPECT_EQ(exchanged(1), 1);
  EXPECT_EQ(exchanged(5), 2);
}

TEST_F(ExchangedPairsTest, ALineIsWhatTheTrainerReads) {
  const auto line = nlohmann::json::parse(
      to_line({"C is \"d\".", "Title", 3, "It is e.", Label::unverifiable, "left out"}));
  EXPECT_EQ(line["claim"], "C is \"d\".");
  EXPECT_EQ(line["evidence"], "Title, sentence 3: It is e.");
  EXPECT_EQ(line["label"], "NOT ENOUGH INFO");
  EXPECT_EQ(line["source"], "left out");
}

}  // namespace
}  // namespace memmatch::eval
