#include "memmatch/verifier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "plain_search.h"
#include "schema.h"
#include "search/half_matrix.h"
#include "search/verdict_json.h"
#include "search_world.h"

namespace memmatch {
namespace {

using test::error_of;
using test::PlainSearch;
using test::random_claims;
using test::random_documents;
using test::TemporaryFolder;

class VerifierTest : public testing::Test {
 protected:
  Verifier open(const Verifier::Settings& settings = {.threads = 1}) {
    return Verifier::open(store_, model_, settings);
  }

  std::filesystem::path make_store(const char* name, const std::vector<NewDocument>& documents) {
    Datastore store = Datastore::open(folder_ / name, Datastore::Access::create);
    test::import_all(store, documents);
    return folder_ / name;
  }

  // Everything but the times.
  static std::string text_of(const std::vector<Verdict>& verdicts) {
    std::string text;
    for (const Verdict& verdict : verdicts) {
      auto json = search::to_json(verdict);
      json.erase("seconds");
      text += json.dump() + "\n";
    }
    return text;
  }

  TemporaryFolder folder_;
  std::filesystem::path model_ = test::small_model(folder_);
  std::filesystem::path store_ = make_store("s.db", random_documents(40, 1));
  std::vector<std::string> claims_ = random_claims(50, 2);
  SearchOptions options_{.k1 = 6, .z = 3, .candidates = Candidates::cover, .explain = true};
};

// How a model is searched with: as in the paper, or beyond it.
class VerifierSearchTest : public VerifierTest, public testing::WithParamInterface<SearchConfig> {
 protected:
  VerifierSearchTest() {
    if (GetParam() != SearchConfig{}) model_ = test::small_model(folder_, 4, GetParam());
  }
};

INSTANTIATE_TEST_SUITE_P(, VerifierSearchTest,
                         testing::Values(SearchConfig{}, SearchConfig{{0.05, 0}, false},
                                         SearchConfig{{0, 0.1}, false},
                                         SearchConfig{{0.1, 0.05}, true}));

TEST_P(VerifierSearchTest, AgreesWithAPlainSearch) {
  Verifier verifier = open();
  PlainSearch plain(model_);
  int searched = 0;
  const std::vector<Verdict> verdicts = verifier.verify(claims_, options_);
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    if (verdicts[i].origin != CandidateOrigin::cover) continue;
    ++searched;
    const PlainSearch::Result expected =
        plain.search(claims_[i], verifier.store(), options_.k1, options_.z);
    std::vector<SentenceId> level1;
    for (const BeamEntry& entry : verdicts[i].beams->level1) level1.push_back(entry.id);
    EXPECT_EQ(level1, expected.level1) << claims_[i];
    std::vector<SentenceId> evidence;
    for (const Evidence& sentence : verdicts[i].evidence) evidence.push_back(sentence.id);
    EXPECT_EQ(evidence, expected.evidence) << claims_[i];
    for (std::size_t label = 0; label < 3; ++label) {
      EXPECT_NEAR(*verdicts[i].label_distances[label], expected.labels[label], 1e-5) << claims_[i];
    }
    const auto least =
        std::min_element(expected.labels.begin(), expected.labels.end()) - expected.labels.begin();
    EXPECT_EQ(static_cast<std::ptrdiff_t>(verdicts[i].label), least);
  }
  EXPECT_GT(searched, 30);
}

TEST_P(VerifierSearchTest, AVerdictIsTheSameAloneTogetherAndWithMoreThreads) {
  Verifier one = open();
  const std::string together = text_of(one.verify(claims_, options_));
  std::vector<Verdict> alone;
  Verifier two = open({.threads = 2});
  for (const std::string& claim : claims_) alone.push_back(two.verify(claim, options_));
  EXPECT_EQ(text_of(alone), together);
}

TEST_F(VerifierTest, SharedWordsBringASentenceNearer) {
  const std::string claim = "the moon is old.";
  const auto by_words = test::small_model(folder_, 4, {{1000, 1000}, false});
  Verifier verifier = Verifier::open(store_, by_words, {.threads = 1});
  verifier.index();
  for (const Candidates candidates : {Candidates::cover, Candidates::words, Candidates::all}) {
    options_.candidates = candidates;
    const Verdict verdict = verifier.verify(claim, options_);
    ASSERT_EQ(verdict.evidence.size(), 3u);
    const std::vector<Evidence>& evidence = verdict.evidence;
    EXPECT_GE(evidence[0].shared_letters, evidence[1].shared_letters);
    EXPECT_GE(evidence[1].shared_letters, evidence[2].shared_letters);
    EXPECT_EQ(verdict.beams->level2[0].credit, 1000.0 * evidence[0].shared_letters);
    EXPECT_EQ(verdict.level2_distance(), verdict.beams->level2[0].distance)
        << "distances are those of the memory, whatever the ranking";
  }
}

TEST_F(VerifierTest, ModelsThatDifferInTheSearchAloneShareTheirVectors) {
  open().index();
  Verifier other =
      Verifier::open(store_, test::small_model(folder_, 4, {{1, 1}, true}), {.threads = 1});
  EXPECT_TRUE(other.has_vectors());
  EXPECT_EQ(other.index(), 0u);
  EXPECT_NE(other.fingerprint(), open().fingerprint());
}

TEST_F(VerifierTest, IndexMakesWhatIsMissingAndNothingElse) {
  Verifier verifier = open();
  const std::uint64_t all = verifier.store().stats().sentences;
  EXPECT_EQ(verifier.index(), all);
  EXPECT_EQ(verifier.index(), 0u);
  verifier.store().edit_sentence("0", 0, "the moon was made of stone");
  verifier.store().add_sentence("0", {}, "the king sings");
  EXPECT_EQ(verifier.index_state().missing, 2u);
  EXPECT_EQ(verifier.index(), 2u);
  EXPECT_TRUE(verifier.store().check().empty());
}

TEST_F(VerifierTest, AnUpdatedStoreAnswersAsARebuiltOne) {
  std::vector<NewDocument> documents = random_documents(40, 1);
  {
    Verifier verifier = open();
    verifier.index();
    documents[3].sentences[0].text = "the red bird sings in the old tower";
    documents[5].title = "green river";
    test::import_all(verifier.store(), documents);
    verifier.index();
  }
  const auto rebuilt = make_store("rebuilt.db", documents);
  Verifier updated = open();
  Verifier fresh = Verifier::open(rebuilt, model_, {.threads = 2});
  fresh.index();
  EXPECT_EQ(text_of(updated.verify(claims_, options_)), text_of(fresh.verify(claims_, options_)));
}

TEST_F(VerifierTest, IndexOfClaimsReachesTheirCandidatesOnly) {
  Verifier verifier = open();
  const std::vector<std::string> some{"the moon"};
  const std::uint64_t reach =
      verifier.store().candidates(some[0], Candidates::automatic).sentences.size();
  EXPECT_GT(reach, 0u);
  EXPECT_EQ(verifier.index_reach_of(some), reach);
}

TEST_F(VerifierTest, VectorsThatAreNeededAreKeptUnlessReadOnly) {
  const std::string claim = "the moon is cold.";
  const std::string fresh =
      text_of({open({.threads = 1, .read_only = true}).verify(claim, options_)});
  EXPECT_EQ(Datastore::open(store_, Datastore::Access::read).stats().vectors, 0u);
  EXPECT_EQ(text_of({open().verify(claim, options_)}), fresh);
  EXPECT_GT(Datastore::open(store_, Datastore::Access::read).stats().vectors, 0u);
  EXPECT_EQ(text_of({open().verify(claim, options_)}), fresh);
}

TEST_F(VerifierTest, AClaimWithoutTitlesFallsBackToTheWholeStore) {
  Verifier verifier = open();
  const Verdict nothing = verifier.verify("Something else entirely", options_);
  EXPECT_EQ(nothing.origin, CandidateOrigin::fallback);
  EXPECT_EQ(nothing.candidates, 0u);
  EXPECT_EQ(nothing.label, Label::unverifiable);
  EXPECT_FALSE(nothing.level3_distance().has_value());
  verifier.index();
  const Verdict verdict = verifier.verify("Something else entirely", options_);
  EXPECT_EQ(verdict.origin, CandidateOrigin::fallback);
  EXPECT_EQ(verdict.candidates, verifier.store().stats().sentences);
  EXPECT_EQ(verdict.evidence.size(), 3u);
}

TEST_F(VerifierTest, AClaimThatNamesNoTitleIsFoundByItsWordsWithoutAnyIndex) {
  store_ =
      make_store("notes.db", {test::document("2024", {"the king was born in 2024."}),
                              test::document("notes", {"a bakery opened in 2024.", "the sun."})});
  options_.candidates = Candidates::automatic;
  for (const bool int8 : {false, true}) {
    Verifier verifier = open({.int8 = int8, .threads = 1});
    const Verdict verdict = verifier.verify("The bakery opened in 2024.", options_);
    EXPECT_EQ(verdict.origin, CandidateOrigin::automatic);
    EXPECT_EQ(verdict.candidates, 2u) << "of the title, and by the word";
    EXPECT_TRUE(verdict.label_distances[0].has_value());
    options_.candidates = Candidates::words;
    EXPECT_EQ(verifier.verify("bakeries", options_).evidence.at(0).text,
              "a bakery opened in 2024.");
    options_.candidates = Candidates::automatic;
  }
}

TEST_F(VerifierTest, LevelOneRanksTheCandidatesThatAreAskedFor) {
  Verifier verifier = open();
  options_.k1 = 1000;
  for (const std::string& claim : claims_) {
    for (const Candidates which : {Candidates::automatic, Candidates::cover, Candidates::words}) {
      std::set<SentenceId> expected;
      for (const Candidate& one : verifier.store().candidates(claim, which).sentences)
        expected.insert(one.id);
      if (expected.empty()) continue;  // then it is the whole store
      options_.candidates = which;
      std::set<SentenceId> ranked;
      const Verdict verdict = verifier.verify(claim, options_);
      for (const BeamEntry& entry : verdict.beams->level1) ranked.insert(entry.id);
      EXPECT_EQ(ranked, expected) << claim << ", " << name_of(which);
    }
  }
}

TEST_F(VerifierTest, TheWholeStoreWithoutVectorsIsAnErrorAndNoVerdict) {
  options_.candidates = Candidates::all;
  const Error error = error_of([&] { open().verify("the moon is old.", options_); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_NE(std::string(error.what()).find("memmatch index"), std::string::npos) << error.what();
}

TEST_F(VerifierTest, TheWholeStoreGivesCoveredSentencesTheSameDistances) {
  Verifier verifier = open();
  verifier.index();
  SearchOptions all = options_;
  all.candidates = Candidates::all;
  all.k1 = 1000;
  const Verdict covered = verifier.verify("the moon is old.", options_);
  const Verdict whole = verifier.verify("the moon is old.", all);
  EXPECT_EQ(whole.beams->level1.size(), verifier.store().stats().sentences);
  std::map<SentenceId, double> distances;
  for (const BeamEntry& entry : whole.beams->level1) distances[entry.id] = entry.distance;
  for (const BeamEntry& entry : covered.beams->level1)
    EXPECT_EQ(entry.distance, distances.at(entry.id));
}

TEST_F(VerifierTest, TwoClassesLeaveOutUnverifiable) {
  options_.two_class = true;
  const Verdict verdict = open().verify("the moon is old.", options_);
  EXPECT_TRUE(verdict.label_distances[0] && verdict.label_distances[1]);
  EXPECT_FALSE(verdict.label_distances[2].has_value());
  EXPECT_NE(verdict.label, Label::unverifiable);
}

TEST_F(VerifierTest, TheClaimAloneCanBeDecidedOn) {
  Verifier verifier = open();
  const Verdict with = verifier.verify("the moon is old.", options_);
  options_.z = 0;
  const Verdict alone = verifier.verify("the moon is old.", options_);
  EXPECT_TRUE(alone.evidence.empty());
  EXPECT_FALSE(alone.level2_distance().has_value());
  ASSERT_TRUE(alone.label_distances[0] && alone.label_distances[1] && alone.label_distances[2]);
  EXPECT_NE(alone.label_distances, with.label_distances);
  const std::vector<SweepCell> cells{{2, 0}, {2, 3}};
  EXPECT_EQ(error_of([&] { verifier.sweep(claims_, cells, options_); }).kind(),
            ErrorKind::invalid_argument);
}

TEST_F(VerifierTest, EvidenceAloneIsFoundAndNothingDecided) {
  Verifier verifier = open();
  const Verdict whole = verifier.verify("the moon is old.", options_);
  options_.evidence_alone = true;
  const Verdict alone = verifier.verify("the moon is old.", options_);
  ASSERT_FALSE(whole.evidence.empty());
  ASSERT_EQ(alone.evidence.size(), whole.evidence.size());
  for (std::size_t i = 0; i < whole.evidence.size(); ++i) {
    EXPECT_EQ(alone.evidence[i].id, whole.evidence[i].id);
    EXPECT_EQ(alone.evidence[i].level2_distance, whole.evidence[i].level2_distance);
  }
  for (const auto& distance : alone.label_distances) EXPECT_FALSE(distance.has_value());
}

TEST_P(VerifierSearchTest, SweepCellsAreWhatSingleSearchesGive) {
  Verifier verifier = open();
  options_.explain = false;
  const std::vector<SweepCell> cells{{2, 1}, {2, 3}, {6, 3}, {20, 5}};
  const auto swept = verifier.sweep(claims_, cells, options_);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    SearchOptions options = options_;
    options.k1 = cells[cell].k1;
    options.z = cells[cell].z;
    std::vector<Verdict> of_cell;
    for (const auto& verdicts : swept) of_cell.push_back(verdicts[cell]);
    EXPECT_EQ(text_of(of_cell), text_of(verifier.verify(claims_, options)));
  }
}

TEST_F(VerifierTest, GivenEvidenceIsDecidedOn) {
  Verifier verifier = open();
  const Verdict found = verifier.verify("the moon is old.", {.k1 = 1, .z = 1, .explain = true});
  const Evidence& top = found.evidence.at(0);
  const std::vector<std::string> claims{"the moon is old."};
  const std::vector<std::vector<GivenEvidence>> given{
      {{top.raw_title, top.title, top.number, top.text}}};
  const Verdict verdict = verifier.verify_given(claims, given, options_).at(0);
  EXPECT_EQ(verdict.origin, CandidateOrigin::given);
  EXPECT_EQ(verdict.label_distances, found.label_distances);
  EXPECT_EQ(verdict.evidence.at(0).level2_distance, top.level2_distance);
}

TEST_P(VerifierSearchTest, GivenSentencesAreDecidedOnAsIfTheyHadBeenFound) {
  Verifier with_store = open();
  Verifier alone = Verifier::open(model_, {.threads = 1});
  const std::vector<Verdict> found = with_store.verify(claims_, {.k1 = 1000, .z = 1000});
  std::vector<std::string> claims;
  std::vector<Verdict> expected;
  std::vector<std::vector<GivenEvidence>> given;
  for (const Verdict& verdict : found) {
    if (verdict.evidence.size() < 2) continue;
    claims.push_back(verdict.claim);
    expected.push_back(verdict);
    given.emplace_back();
    for (const Evidence& sentence : verdict.evidence)
      given.back().push_back({sentence.raw_title, sentence.title, sentence.number, sentence.text});
    std::reverse(given.back().begin(), given.back().end());  // their order does not matter
  }
  ASSERT_GT(claims.size(), 20u);
  const std::vector<Verdict> verdicts = alone.verify_given(claims, given, options_);
  ASSERT_EQ(verdicts.size(), claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) {
    EXPECT_EQ(verdicts[i].label_distances, expected[i].label_distances) << claims[i];
    EXPECT_EQ(verdicts[i].candidates, given[i].size());
    ASSERT_EQ(verdicts[i].evidence.size(), expected[i].evidence.size());
    for (std::size_t n = 0; n < given[i].size(); ++n) {
      const Evidence& sentence = verdicts[i].evidence[n];
      EXPECT_EQ(sentence.raw_title, expected[i].evidence[n].raw_title);
      EXPECT_EQ(sentence.text, expected[i].evidence[n].text);
      EXPECT_EQ(sentence.level2_distance, expected[i].evidence[n].level2_distance);
      EXPECT_EQ(sentence.pieces_seen, expected[i].evidence[n].pieces_seen);
    }
  }
}

TEST_F(VerifierTest, AModelAloneHasNothingToSearch) {
  Verifier verifier = Verifier::open(model_, {.threads = 1});
  EXPECT_EQ(verifier.fingerprint(), open().fingerprint());
  for (const std::function<void()>& action : std::vector<std::function<void()>>{
           [&] { verifier.verify("the moon is old.", options_); }, [&] { verifier.store(); },
           [&] { verifier.index(); }, [&] { verifier.index_state(); }})
    EXPECT_EQ(error_of(action).kind(), ErrorKind::invalid_argument);
  const std::vector<std::string> claims{"the moon is old."};
  for (const std::size_t sentences : {0, 10'001}) {
    const std::vector<std::vector<GivenEvidence>> given(
        1, std::vector<GivenEvidence>(sentences, GivenEvidence{"", "", 0, "the moon."}));
    EXPECT_EQ(error_of([&] { verifier.verify_given(claims, given, options_); }).kind(),
              ErrorKind::invalid_argument);
  }
}

TEST_F(VerifierTest, EvidenceWithoutATitleHasNoNumber) {
  Verifier verifier = Verifier::open(model_, {.threads = 1});
  const std::vector<std::string> claims(3, "the moon is old.");
  const std::vector<std::vector<GivenEvidence>> given{{{"", "", 0, "the moon was made."}},
                                                      {{"", "", 3, "the moon was made."}},
                                                      {{"moon", "moon", 3, "the moon was made."}}};
  const std::vector<Verdict> verdicts = verifier.verify_given(claims, given, options_);
  EXPECT_EQ(verdicts[0].label_distances, verdicts[1].label_distances);
  EXPECT_NE(verdicts[0].label_distances, verdicts[2].label_distances);
}

TEST_F(VerifierTest, LongTextsBecomeSentencesAndLongSentencesParts) {
  const Verifier verifier = Verifier::open(model_, {.threads = 1});
  const GivenEvidence brief{"m", "moon", 2, "The moon. It was."};
  EXPECT_EQ(verifier.sentences_of(brief), std::vector<GivenEvidence>{brief});
  const GivenEvidence text{
      "m", "moon", 2,
      "The moon is old. The river was cold and the king was born in the old tower of the new city. "
      "It was cold."};
  // Level 1 reads 14 pieces, of which "Evidence: moon, sentence 2:" takes seven.
  const std::vector<GivenEvidence> expected{{"m", "moon", 2, "The moon is old."},
                                            {"m", "moon", 3, "The river was cold and the king"},
                                            {"m", "moon", 3, "was born in the old tower of"},
                                            {"m", "moon", 3, "the new city."},
                                            {"m", "moon", 4, "It was cold."}};
  EXPECT_EQ(verifier.sentences_of(text), expected);
  // A title that takes all the room is nothing to cut at.
  GivenEvidence titled = text;
  titled.title = "the old moon of the new king in the cold tower of the green city";
  EXPECT_EQ(verifier.sentences_of(titled), std::vector<GivenEvidence>{titled});
}

TEST_F(VerifierTest, TheVerdictSaysWhatTheModelSawAndWhatWasEdited) {
  Verifier verifier = open();
  verifier.store().edit_sentence("0", 0,
                                 "the old king was born in the cold green city of the new queen");
  const Verdict verdict =
      verifier.verify("the river is cold.", {.k1 = 1000, .z = 1000, .explain = false});
  int edited = 0;
  std::int64_t seen = 0;
  std::int64_t pieces = 0;
  for (const Evidence& evidence : verdict.evidence) {
    edited += evidence.edited;
    seen += evidence.pieces_seen;
    pieces += evidence.pieces;
    EXPECT_LE(evidence.pieces_seen, evidence.pieces);
  }
  EXPECT_EQ(edited, 1);
  EXPECT_LT(seen, 40);
  EXPECT_GT(pieces, 40);
}

void expect_fits(const nlohmann::json& value, const nlohmann::json& schema,
                 const std::string& what) {
  for (const std::string& problem : test::SchemaChecker(schema).problems(value, schema))
    ADD_FAILURE() << what << ": " << problem;
}

TEST_F(VerifierTest, TheJsonFitsItsSchema) {
  std::ifstream file(std::filesystem::path(MEMMATCH_SOURCE_DIR) / "docs" / "verdict.schema.json");
  const nlohmann::json schema = nlohmann::json::parse(file);
  Verifier verifier = open();
  for (const char* claim : {"the moon is old.", "Nothing at all"}) {
    Verdict verdict = verifier.verify(claim, options_);
    expect_fits(nlohmann::json::parse(search::to_json(verdict).dump()), schema, claim);
    verdict.admission = Admission{"mean", false, 0.5, {"too far"}};
    verdict.warnings = {"calibrated with another search"};
    expect_fits(nlohmann::json::parse(search::to_json(verdict).dump()), schema, claim);
  }
}

TEST_F(VerifierTest, TheJsonOfAnAuditedVerdictFitsItsSchema) {
  std::ifstream file(std::filesystem::path(MEMMATCH_SOURCE_DIR) / "docs" / "verdict.schema.json");
  const nlohmann::json schema = nlohmann::json::parse(file);
  Verdict verdict = open().verify("the moon is old.", options_);
  const NearExemplar near{{.id = 7, .tag = "train", .claim = "A claim.", .evidence = {{}}}, 0.5};
  verdict.exemplars =
      ExemplarAudit{.nearest = {near}, .model_label = verdict.label, .update = {near}};
  const auto json = nlohmann::json::parse(search::to_json(verdict).dump());
  expect_fits(json, schema, "audited");
  EXPECT_EQ(json["exemplars"]["nearest"][0]["kind"], "tn");
  EXPECT_EQ(json["exemplars"]["nearest"][0]["evidence"].size(), 1u);
}

TEST_F(VerifierTest, BadRequestsAreRefused) {
  Verifier verifier = open();
  EXPECT_EQ(error_of([&] { verifier.verify("  ", options_); }).kind(), ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { verifier.verify("a", {.k1 = 0}); }).kind(), ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { verifier.verify("a", {.k1 = 5, .z = -1}); }).kind(),
            ErrorKind::invalid_argument);
  EXPECT_EQ(error_of([&] { Verifier::open(folder_ / "none.db", model_, {}); }).kind(),
            ErrorKind::not_found);
}

TEST_F(VerifierTest, LongAndStrangeClaimsAreSurvived) {
  Verifier verifier = open();
  std::string claim;
  for (int i = 0; i < 10'000; ++i) claim += "moon ";
  EXPECT_FALSE(verifier.verify(claim, options_).evidence.empty());
  EXPECT_FALSE(
      verifier.verify("the moon \x01\x02 \xff\xfe is [SEP] old", options_).evidence.empty());
}

TEST_F(VerifierTest, EachModelHasItsOwnVectors) {
  open().index();
  const auto other = test::small_model(folder_, 5);
  Verifier verifier = Verifier::open(store_, other, {.threads = 1});
  EXPECT_FALSE(verifier.has_vectors());
  EXPECT_TRUE(verifier.has_vectors_of_others());
  verifier.index();
  EXPECT_EQ(open().index(), 0u);
}

// --- Other processes, and what does not fit ---

TEST_F(VerifierTest, AVerdictDoesNotWaitForAWriterAndItsVectorsAreKeptLater) {
  const std::string expected =
      text_of(open({.threads = 1, .read_only = true}).verify(claims_, options_));
  Verifier verifier = open();
  {
    Datastore other = Datastore::open(store_, Datastore::Access::write);
    const Datastore::Import import = other.begin_import();  // holds the write lock
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(text_of(verifier.verify(claims_, options_)), expected);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  }
  EXPECT_EQ(Datastore::open(store_, Datastore::Access::read).stats().vectors, 0u);
  EXPECT_EQ(text_of(verifier.verify(claims_, options_)), expected);
  EXPECT_GT(Datastore::open(store_, Datastore::Access::read).stats().vectors, 0u);
}

TEST_F(VerifierTest, VectorsThatAnotherProcessMakesAreSeen) {
  Verifier reader = open({.threads = 1, .read_only = true});
  EXPECT_FALSE(reader.has_vectors());
  EXPECT_EQ(reader.verify("Something else entirely", options_).candidates, 0u);
  open().index();
  EXPECT_TRUE(reader.has_vectors());
  EXPECT_EQ(reader.index_state().missing, 0u);
  const Verdict verdict = reader.verify("Something else entirely", options_);
  EXPECT_EQ(verdict.candidates, reader.store().stats().sentences);
  EXPECT_EQ(verdict.evidence.size(), 3u);
}

TEST_F(VerifierTest, AStoreThatDoesNotFitIsNotLoaded) {
  open().index();
  const std::uint64_t bytes = open().store().stats().sentences * search::HalfMatrix::row_bytes(20);
  Verifier small = open({.threads = 1, .memory_limit = bytes - 1});
  const Verdict verdict = small.verify("Something else entirely", options_);
  EXPECT_EQ(verdict.origin, CandidateOrigin::fallback);
  EXPECT_EQ(verdict.candidates, 0u);
  EXPECT_EQ(verdict.label, Label::unverifiable);
  ASSERT_EQ(verdict.warnings.size(), 1u);
  EXPECT_NE(verdict.warnings[0].find(std::to_string(bytes)), std::string::npos);
  EXPECT_NE(verdict.warnings[0].find(std::to_string(bytes - 1)), std::string::npos);
  EXPECT_TRUE(search::to_json(verdict).contains("warnings"));
  EXPECT_TRUE(small.verify("the moon is old.", options_).warnings.empty()) << "its cover is enough";
  options_.candidates = Candidates::all;
  const Error error = error_of([&] { small.verify("the moon is old.", options_); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_NE(std::string(error.what()).find(std::to_string(bytes)), std::string::npos);
  Verifier enough = open({.threads = 1, .memory_limit = bytes});
  EXPECT_EQ(enough.verify("the moon is old.", options_).evidence.size(), 3u);
}

// --- A network that fails ---

// A model whose word "queen" is too large for it.
std::filesystem::path model_that_overflows(const TemporaryFolder& folder,
                                           const std::filesystem::path& model, float factor) {
  ModelData data = load_model(model);
  const std::int32_t queen = data.tokenizer.vocabulary().find("queen").value();
  const auto width = static_cast<std::size_t>(data.weights.encoder.config.hidden);
  const auto begin = data.weights.encoder.word_embeddings.begin() +
                     static_cast<std::ptrdiff_t>(static_cast<std::size_t>(queen) * width);
  std::for_each(begin, begin + static_cast<std::ptrdiff_t>(width),
                [&](float& value) { value *= factor; });
  save_model(data, folder / "overflowing", {});
  return folder / "overflowing";
}

TEST_F(VerifierTest, AClaimThatTheNetworkFailsOnDoesNotSpoilTheNext) {
  store_ = make_store("small.db", {test::document("moon", {"the moon is old.", "the sun."})});
  model_ = model_that_overflows(folder_, model_, 1e25F);
  for (const bool int8 : {false, true}) {
    Verifier verifier = open({.int8 = int8, .threads = 2});
    const std::string expected = text_of({verifier.verify("the moon is cold.", options_)});
    const std::vector<std::string> claims{"the moon is cold.", "the moon was a queen."};
    EXPECT_EQ(error_of([&] { verifier.verify(claims, options_); }).kind(), ErrorKind::corrupt);
    const std::vector<std::vector<GivenEvidence>> given(2, {{"moon", "moon", 0, "the queen."}});
    EXPECT_EQ(error_of([&] { verifier.verify_given(claims, given, options_); }).kind(),
              ErrorKind::corrupt);
    EXPECT_EQ(text_of({verifier.verify("the moon is cold.", options_)}), expected);
  }
}

// Finite, but beyond what halves hold.
TEST_F(VerifierTest, VectorsThatAreTooLargeToKeepAreAnError) {
  ModelData data = load_model(model_);
  for (float& value : data.weights.memory->levels[0].filters.weight) value *= 1e5F;
  save_model(data, folder_ / "large", {});
  model_ = folder_ / "large";
  const Error error = error_of([&] { open().index(); });
  EXPECT_EQ(error.kind(), ErrorKind::corrupt);
  EXPECT_NE(std::string(error.what()).find("beyond 32752"), std::string::npos) << error.what();
  EXPECT_EQ(error_of([&] { open().verify("the moon is old.", options_); }).kind(),
            ErrorKind::corrupt);
}

}  // namespace
}  // namespace memmatch
