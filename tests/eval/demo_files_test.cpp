// The example corpus, its claims, which `make demo` shows, and the claims of the shipped exemplars
// are what their README says.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

#include "data/claims.h"
#include "data/documents.h"
#include "data/import.h"
#include "eval/gold_evidence.h"
#include "memmatch/datastore.h"
#include "support.h"
#include "text/titles.h"

namespace memmatch::eval {
namespace {

using test::TemporaryFolder;

// The first is held out from the second.
constexpr std::array kClaimFiles{"claims.jsonl", "exemplars.jsonl"};

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

// Without regard to case or punctuation.
std::set<std::string> claim_keys(const std::vector<data::Claim>& claims) {
  std::set<std::string> keys;
  for (const data::Claim& claim : claims) keys.insert(text::claim_key(claim.text));
  return keys;
}

std::set<data::SentenceName> evidence_of(const std::vector<data::Claim>& claims) {
  std::set<data::SentenceName> sentences;
  for (const data::Claim& claim : claims)
    for (const data::EvidenceSet& set : claim.evidence) sentences.insert(set.begin(), set.end());
  return sentences;
}

// What is in both, for a message that names it.
template <typename T>
std::vector<T> common(const std::set<T>& a, const std::set<T>& b) {
  std::vector<T> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::map<Label, std::size_t> count_labels(const std::vector<data::Claim>& claims) {
  std::map<Label, std::size_t> labels;
  for (const data::Claim& claim : claims)
    if (claim.label) ++labels[*claim.label];
  return labels;
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
  std::map<Label, std::size_t> labels = count_labels(claims);
  EXPECT_GE(claims.size(), 40u);
  for (const Label label : {Label::supports, Label::refutes, Label::unverifiable})
    EXPECT_GE(labels[label] * 4, claims.size()) << fever_name(label);
}

TEST(DemoFiles, HaveEightyExemplarClaimsOfEachLabel) {
  const std::vector<data::Claim> claims = read_claims(demo_file("exemplars.jsonl"));
  const std::map<Label, std::size_t> expected{
      {Label::supports, 80}, {Label::refutes, 80}, {Label::unverifiable, 80}};
  EXPECT_EQ(count_labels(claims), expected);
  EXPECT_EQ(claims.size(), 240u);
  EXPECT_EQ(claim_keys(claims).size(), 240u) << "a claim is there twice";
}

TEST(DemoFiles, EveryClaimHasALabelItsEvidenceAndAnIdOfItsOwn) {
  std::set<std::string> ids;
  for (const char* file : kClaimFiles) {
    for (const data::Claim& claim : read_claims(demo_file(file))) {
      EXPECT_TRUE(claim.label) << claim.text;
      EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
      EXPECT_EQ(claim.evidence.empty(), !claim.verifiable()) << claim.text;
    }
  }
}

TEST(DemoFiles, EverySentenceOfTheEvidenceIsThereAndWithinItsClaimsReach) {
  const TemporaryFolder folder;
  Datastore store = demo_store(folder / "s.db");
  for (const char* file : kClaimFiles) {
    for (const data::Claim& claim : read_claims(demo_file(file))) {
      const Cover cover = store.cover(claim.text);
      EXPECT_FALSE(cover.sentences.empty()) << claim.text;
      const GoldEvidence gold = find_gold_evidence(store, claim, cover);
      EXPECT_EQ(gold.sets.size(), claim.evidence.size()) << claim.text;
      for (const SentenceId id : gold.sentences) EXPECT_TRUE(is_candidate(cover, id)) << claim.text;
    }
  }
}

TEST(DemoFiles, TheExemplarsHaveEvidenceInEveryArticle) {
  std::set<std::string> without;
  const auto reader = data::open_documents(data::DocumentFormat::jsonl, demo_file("corpus.jsonl"));
  for (NewDocument document; reader->next(document);) without.insert(document.title);
  for (const data::SentenceName& name : evidence_of(read_claims(demo_file("exemplars.jsonl"))))
    without.erase(name.title);
  EXPECT_EQ(without, std::set<std::string>{});
}

// A figure on the claims, audited by the exemplars, counts as one on facts that these do not know.
TEST(DemoFiles, TheClaimsAreHeldOutFromTheExemplars) {
  const std::vector<data::Claim> claims = read_claims(demo_file("claims.jsonl"));
  const std::vector<data::Claim> exemplars = read_claims(demo_file("exemplars.jsonl"));
  EXPECT_EQ(common(claim_keys(claims), claim_keys(exemplars)), std::vector<std::string>{});
  for (const auto& [title, number] : common(evidence_of(claims), evidence_of(exemplars)))
    ADD_FAILURE() << title << " " << number << " is evidence in both files";
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

// The figures on the claims count as never trained on, and what is shipped is our own.
TEST(DemoFiles, RepeatNothingOfTheTrainingData) {
  const auto fever = test::shared_data() / "fever-reduced";
  MEMMATCH_REQUIRE(fever);
  for (const char* part : {"train.jsonl", "dev.jsonl"}) {
    const std::set<std::string> known = claim_keys(read_claims(fever / part));
    for (const char* file : kClaimFiles)
      EXPECT_EQ(common(claim_keys(read_claims(demo_file(file))), known),
                std::vector<std::string>{});
  }

  const auto ours = sentences_of(data::DocumentFormat::jsonl, demo_file("corpus.jsonl"));
  const auto theirs = sentences_of(data::DocumentFormat::fever_wiki, fever / "wiki-pages");
  for (const std::string& sentence : ours) EXPECT_FALSE(theirs.contains(sentence)) << sentence;
}

}  // namespace
}  // namespace memmatch::eval
