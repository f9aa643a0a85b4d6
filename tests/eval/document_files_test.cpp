// The corpora of examples/documents are their texts, and the claims what the README says.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/files.h"
#include "data/claims.h"
#include "data/documents.h"
#include "support.h"
#include "text/sentence_split.h"

namespace memmatch::eval {
namespace {

namespace fs = std::filesystem;

using Documents = std::map<std::string, std::vector<std::string>>;  // sentences by title

constexpr std::array kFolders{"handbook", "faq", "news", "abstracts", "minutes", "manual"};

fs::path folder_of(std::string_view name) {
  return fs::path(MEMMATCH_SOURCE_DIR) / "examples" / "documents" / name;
}

Documents read_corpus(std::string_view name) {
  Documents documents;
  const auto reader =
      data::open_documents(data::DocumentFormat::jsonl, folder_of(name) / "corpus.jsonl");
  for (NewDocument document; reader->next(document);) {
    EXPECT_FALSE(documents.contains(document.title)) << document.title;
    for (const NewSentence& sentence : document.sentences)
      documents[document.title].push_back(sentence.text);
  }
  return documents;
}

std::vector<data::Claim> read_claims(std::string_view name) {
  std::vector<data::Claim> claims;
  data::ClaimReader reader(folder_of(name) / "claims.jsonl");
  for (data::Claim claim; reader.next(claim);) claims.push_back(claim);
  return claims;
}

// In Markdown a second heading is a title; a plain text has its file's name.
void add_text(const fs::path& file, Documents& documents) {
  std::string title = file.stem().string();
  LineReader lines(file);
  for (std::string line; lines.next(line);) {
    if (line.starts_with("## ")) title = line.substr(3);
    if (line.starts_with("#")) continue;
    for (std::string& sentence : text::split_sentences(line))
      documents[title].push_back(std::move(sentence));
  }
}

Documents read_texts(std::string_view name) {
  Documents documents;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_of(name)))
    if (entry.path().extension() == ".txt" || entry.path().extension() == ".md")
      add_text(entry.path(), documents);
  return documents;
}

bool is_there(const Documents& documents, const data::SentenceName& name) {
  const auto found = documents.find(name.title);
  return found != documents.end() && name.number >= 0 &&
         static_cast<std::size_t>(name.number) < found->second.size();
}

TEST(DocumentFiles, ACorpusIsTheSentencesOfItsTexts) {
  for (const char* folder : kFolders) EXPECT_EQ(read_corpus(folder), read_texts(folder)) << folder;
}

TEST(DocumentFiles, AllEvidenceIsThere) {
  for (const char* folder : kFolders) {
    const Documents corpus = read_corpus(folder);
    for (const data::Claim& claim : read_claims(folder)) {
      EXPECT_EQ(claim.evidence.empty(), !claim.verifiable()) << claim.text;
      for (const data::EvidenceSet& set : claim.evidence) {
        EXPECT_FALSE(set.empty()) << claim.text;
        for (const data::SentenceName& name : set)
          EXPECT_TRUE(is_there(corpus, name)) << claim.text << ": " << name.title;
      }
    }
  }
}

TEST(DocumentFiles, AThirdOfTheClaimsOfEachCorpusHasEachLabel) {
  for (const char* folder : kFolders) {
    const std::vector<data::Claim> claims = read_claims(folder);
    EXPECT_GE(claims.size(), 27u) << folder;
    for (const Label label : {Label::supports, Label::refutes, Label::unverifiable}) {
      const auto count =
          std::count_if(claims.begin(), claims.end(),
                        [label](const data::Claim& claim) { return claim.label == label; });
      EXPECT_EQ(static_cast<std::size_t>(count) * 3, claims.size()) << folder;
    }
  }
}

TEST(DocumentFiles, EveryClaimAndItsIdIsThereOnce) {
  std::set<std::string> ids;
  std::set<std::string> texts;
  for (const char* folder : kFolders) {
    for (const data::Claim& claim : read_claims(folder)) {
      EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
      EXPECT_TRUE(texts.insert(claim.text).second) << claim.text;
    }
  }
  EXPECT_EQ(texts.size(), 171u);
}

}  // namespace
}  // namespace memmatch::eval
