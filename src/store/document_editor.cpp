#include "store/document_editor.h"

#include <fmt/format.h>

#include <map>

#include "base/hash.h"
#include "memmatch/error.h"
#include "store/impl.h"
#include "store/schema.h"
#include "text/titles.h"
#include "text/unicode.h"

namespace memmatch::store {
namespace {

// The texts that a document is to have, by number.
std::map<int, std::string> texts_of(std::span<const NewSentence> sentences) {
  std::map<int, std::string> texts;
  for (const NewSentence& sentence : sentences) {
    if (sentence.number < 0)
      throw Error(ErrorKind::invalid_argument, "sentences are numbered from 0");
    if (!texts.emplace(sentence.number, text::tidy(sentence.text)).second) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("sentence {} is there twice", sentence.number));
    }
  }
  return texts;
}

std::optional<DocumentId> find(Connection& connection, std::string_view raw_title) {
  Statement row(connection, "SELECT id FROM documents WHERE raw_title = ?1");
  row.bind(1, raw_title);
  return row.step() ? std::optional(row.integer(0)) : std::nullopt;
}

std::vector<Sentence> sentences_of(Connection& connection, DocumentId document) {
  Statement rows(connection, select_sentences("WHERE document = ?1 ORDER BY number"));
  rows.bind(1, document);
  std::vector<Sentence> sentences;
  while (rows.step()) sentences.push_back(read_sentence(rows));
  return sentences;
}

}  // namespace

DocumentEditor::DocumentEditor(const std::filesystem::path& file,
                               std::chrono::milliseconds patience)
    : connection_(open_datastore_file(file, {Datastore::Access::write, patience})) {}

DocumentEditor::~DocumentEditor() = default;

std::optional<std::vector<Sentence>> DocumentEditor::replace(
    std::string_view raw_title, std::span<const NewSentence> sentences) {
  const std::string title = raw_title_of(raw_title);
  std::map<int, std::string> texts = texts_of(sentences);
  Transaction transaction(*connection_, Transaction::Kind::write);
  Changes changes(*connection_);
  std::optional<DocumentId> id = find(*connection_, title);
  const bool is_new = !id;
  if (is_new) {
    id = changes.insert_document(title, text::display_title(title));
    changes.forget_deleted(title, kWholeDocument);
  }
  std::vector<Sentence> old = sentences_of(*connection_, *id);
  for (const Sentence& sentence : old) {
    const auto text = texts.find(sentence.number);
    if (text == texts.end()) {
      changes.remove_sentence(sentence);
      changes.remember_deleted(title, sentence.number, sentence.id, sentence.imported);
      continue;
    }
    changes.set_text(sentence, text->second, content_hash(text->second), sentence.imported);
    texts.erase(text);
  }
  for (const auto& [number, text] : texts) {
    const auto imported = imported_before_deletion(*connection_, title, number);
    changes.forget_deleted(title, number);
    changes.insert_sentence(*id, number, text, content_hash(text), imported);
  }
  transaction.commit();
  return is_new ? std::nullopt : std::optional(std::move(old));
}

}  // namespace memmatch::store
