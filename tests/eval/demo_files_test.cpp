// The example corpus and its claims, which `make demo` shows, are what their README says.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "data/claims.h"
#include "data/documents.h"
#include "data/import.h"
#include "eval/gold_evidence.h"
#include "memmatch/datastore.h"
#include "support.h"

namespace memmatch::eval {
namespace {

using test::TemporaryFolder;

std::filesystem::path demo_file(std::string_view name) {
  return std::filesystem::path(MEMMATCH_SOURCE_DIR) / "examples" / "demo" / name;
}

std::vector<data::Claim> read_claims(const std::filesystem::path& file) {
  std::vector<data::Claim> claims;
  data::ClaimReader reader(file);
  for (data::Claim claim; reader.next(claim);) claims.push_back(claim);
  return claims;
}

std::set<std::string> sentences_of(data::DocumentFormat format, const std::filesystem::path& path) {
  std::set<std::string> sentences;
  const auto reader = data::open_documents(format, path);
  for (NewDocument document; reader->next(document);) {
    for (NewSentence& sentence : document.sentences) sentences.insert(std::move(sentence.text));
  }
  return sentences;
}

Datastore demo_store(const std::filesystem::path& file) {
  Datastore store = Datastore::open(file, Datastore::Access::create);
  const auto reader = data::open_documents(data::DocumentFormat::jsonl, demo_file("corpus.jsonl"));
  data::import_documents(*reader, store);
  return store;
}

bool is_candidate(const Cover& cover, SentenceId id) {
  return std::any_of(cover.sentences.begin(), cover.sentences.end(),
                     [id](const Candidate& candidate) { return candidate.id == id; });
}

TEST(DemoFiles, HaveEnoughArticlesAndSentences) {
  const TemporaryFolder folder;
  Datastore store = demo_store(folder / "s.db");
  const DatastoreStats stats = store.stats();
  EXPECT_GE(stats.documents, 60u);
  EXPECT_GE(stats.sentences, 500u);
  EXPECT_EQ(stats.blank_sentences, 0u);
}

TEST(DemoFiles, HaveClaimsOfAllThreeLabels) {
  const std::vector<data::Claim> claims = read_claims(demo_file("claims.jsonl"));
  std::map<Label, std::size_t> labels;
  std::set<std::string> ids;
  for (const data::Claim& claim : claims) {
    ASSERT_TRUE(claim.label) << claim.text;
    ++labels[*claim.label];
    EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
    EXPECT_EQ(claim.evidence.empty(), !claim.verifiable()) << claim.text;
  }
  EXPECT_GE(claims.size(), 40u);
  for (const Label label : {Label::supports, Label::refutes, Label::unverifiable})
    EXPECT_GE(labels[label] * 4, claims.size()) << fever_name(label);
}

TEST(DemoFiles, EverySentenceOfTheEvidenceIsThereAndWithinItsClaimsReach) {
  const TemporaryFolder folder;
  Datastore store = demo_store(folder / "s.db");
  for (const data::Claim& claim : read_claims(demo_file("claims.jsonl"))) {
    const Cover cover = store.cover(claim.text);
    EXPECT_FALSE(cover.sentences.empty()) << claim.text;
    const GoldEvidence gold = find_gold_evidence(store, claim, cover);
    EXPECT_EQ(gold.sets.size(), claim.evidence.size()) << claim.text;
    for (const SentenceId id : gold.sentences) EXPECT_TRUE(is_candidate(cover, id)) << claim.text;
  }
}

TEST(DemoFiles, SomeEvidenceNeedsTwoArticles) {
  const std::vector<data::Claim> claims = read_claims(demo_file("claims.jsonl"));
  const auto needs_two_articles = [](const data::Claim& claim) {
    return claim.verifiable() && std::all_of(claim.evidence.begin(), claim.evidence.end(),
                                             [](const data::EvidenceSet& set) {
                                               return set.size() == 2 &&
                                                      set[0].title != set[1].title;
                                             });
  };
  EXPECT_GE(std::count_if(claims.begin(), claims.end(), needs_two_articles), 3);
}

// The figures on these claims count as never trained on.
TEST(DemoFiles, RepeatNothingOfTheTrainingData) {
  const auto fever = test::shared_data() / "fever-reduced";
  MEMMATCH_REQUIRE(fever);
  std::set<std::string> known_claims;
  for (const char* part : {"train.jsonl", "dev.jsonl"})
    for (const data::Claim& claim : read_claims(fever / part)) known_claims.insert(claim.text);
  for (const data::Claim& claim : read_claims(demo_file("claims.jsonl")))
    EXPECT_FALSE(known_claims.contains(claim.text)) << claim.text;

  const auto ours = sentences_of(data::DocumentFormat::jsonl, demo_file("corpus.jsonl"));
  const auto theirs = sentences_of(data::DocumentFormat::fever_wiki, fever / "wiki-pages");
  for (const std::string& sentence : ours) EXPECT_FALSE(theirs.contains(sentence)) << sentence;
}

}  // namespace
}  // namespace memmatch::eval
