#include "memmatch/datastore.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "bindings.h"
#include "data/file_documents.h"
#include "data/import.h"
#include "data/sections.h"
#include "guarded.h"
#include "results.h"
#include "text/blocks.h"

namespace memmatch::python {
namespace {

using Store = Guarded<Datastore>;

Datastore::Access parse_access(const std::string& name) {
  if (name == "read") return Datastore::Access::read;
  if (name == "write") return Datastore::Access::write;
  if (name == "create") return Datastore::Access::create;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("access '{}' is none of read, write, create", name));
}

std::unique_ptr<Store> open_store(const std::filesystem::path& file, const std::string& access) {
  const Datastore::Access parsed = parse_access(access);
  const py::gil_scoped_release released;
  return std::make_unique<Store>(std::make_unique<Datastore>(Datastore::open(file, parsed)),
                                 "Datastore");
}

std::vector<Document> documents_of(Datastore& store) {
  std::vector<Document> documents;
  store.for_each_document([&](const Document& document, const std::vector<Sentence>&) {
    documents.push_back(document);
    if (documents.size() % 1000 == 0) check_signals();
  });
  return documents;
}

std::vector<Sentence> sentences_of(Datastore& store, const std::string& title) {
  const Datastore::Snapshot snapshot = store.snapshot();
  return store.sentences(store.find_document(title).id);
}

Sentence sentence_of(Datastore& store, const std::string& title, int number) {
  const Datastore::Snapshot snapshot = store.snapshot();
  const Document document = store.find_document(title);
  if (auto sentence = store.sentence(document.id, number)) return std::move(*sentence);
  throw Error(ErrorKind::not_found, fmt::format("'{}' has no sentence {}", document.title, number));
}

using TitledSentences = std::pair<std::string, std::vector<std::string>>;

ImportReport import_texts(Datastore& store, const std::vector<TitledSentences>& documents,
                          bool overwrite_edits) {
  Datastore::Import import = store.begin_import({.overwrite_edits = overwrite_edits});
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto& [title, texts] = documents[i];
    NewDocument document{title, title, {}};
    for (const std::string& text : texts)
      document.sentences.push_back({static_cast<int>(document.sentences.size()), text});
    import.add(document);
    if (i % 1000 == 0) check_signals();
  }
  return import.commit();
}

// The sentences of running text, as an import splits it.
std::vector<std::string> sentences_in(const std::string& text) {
  NewDocument document;
  for (const text::Block& block : text::plain_blocks(text))
    data::append_sentences(block.text, document);
  std::vector<std::string> sentences;
  for (NewSentence& sentence : document.sentences) sentences.push_back(std::move(sentence.text));
  return sentences;
}

// Files of any kind, where no format is named.
std::unique_ptr<data::DocumentReader> open_files(const std::string& path, const std::string& format,
                                                 bool skip_bad_lines) {
  if (format.empty()) {
    return std::make_unique<data::FileDocuments>(
        data::find_files({&path, 1}), data::FileOptions{.skip_bad_lines = skip_bad_lines});
  }
  if (const auto parsed = data::document_format(format))
    return data::open_documents(*parsed, path, skip_bad_lines);
  throw Error(ErrorKind::invalid_argument,
              fmt::format("format '{}' is none of jsonl, text, beir, kilt, fever-wiki", format));
}

ImportReport import_file(Datastore& store, const std::string& path, const std::string& format,
                         bool overwrite_edits, bool skip_bad_lines) {
  const auto reader = open_files(path, format, skip_bad_lines);
  return data::import_documents(*reader, store, {.overwrite_edits = overwrite_edits},
                                [](const Progress&) { check_signals(); });
}

py::dict to_dict(const ImportReport& report) {
  using namespace py::literals;
  return py::dict(
      "documents"_a = report.documents, "sentences"_a = report.sentences,
      "new_documents"_a = report.new_documents, "new_sentences"_a = report.new_sentences,
      "changed_sentences"_a = report.changed_sentences,
      "removed_sentences"_a = report.removed_sentences, "kept_edits"_a = report.kept_edits);
}

py::dict to_dict(const DatastoreStats& stats) {
  using namespace py::literals;
  return py::dict("documents"_a = stats.documents, "sentences"_a = stats.sentences,
                  "blank_sentences"_a = stats.blank_sentences,
                  "edited_sentences"_a = stats.edited_sentences,
                  "added_sentences"_a = stats.added_sentences,
                  "deleted_sentences"_a = stats.deleted_sentences, "vectors"_a = stats.vectors,
                  "file_bytes"_a = stats.file_bytes, "format_version"_a = stats.format_version);
}

void bind_rows(py::module_& module) {
  result_class<Document>(module, "Document", "A document of a datastore.")
      .def_readonly("id", &Document::id)
      .def_readonly("title", &Document::title, "As people write it.")
      .def_readonly("raw_title", &Document::raw_title, "Its identity, as it was imported.")
      .def("__repr__", [](const Document& document) {
        return fmt::format("<memmatch.Document {}>", document.title);
      });
  result_class<Sentence>(module, "Sentence",
                         "A sentence of a datastore, as it was when it was read.")
      .def_readonly("id", &Sentence::id, "Never used again for another sentence.")
      .def_readonly("document", &Sentence::document, "The document's id.")
      .def_readonly("number", &Sentence::number, "In the document, from 0; there may be gaps.")
      .def_readonly("text", &Sentence::text)
      .def_readonly("revision", &Sentence::revision, "How many texts it has had.")
      .def_property_readonly(
          "hash", [](const Sentence& sentence) { return to_hex(sentence.hash); },
          "Of the text, in hexadecimal.")
      .def_property_readonly(
          "imported", [](const Sentence& sentence) { return sentence.imported.has_value(); },
          "Whether an import brought it, and not somebody's hand.")
      .def_property_readonly("edited", &Sentence::edited,
                             "Whether the text is not the one that was imported.")
      .def("__repr__", [](const Sentence& sentence) {
        return fmt::format("<memmatch.Sentence {}: {}>", sentence.number, sentence.text);
      });
}

void bind_reading(py::class_<Store>& type) {
  type.def("documents", [](Store& self) { return self.use(documents_of); })
      .def("document",
           [](Store& self, const std::string& title) {
             return self.use([&](Datastore& store) { return store.find_document(title); });
           })
      .def("sentences",
           [](Store& self, const std::string& title) {
             return self.use([&](Datastore& store) { return sentences_of(store, title); });
           })
      .def("sentence",
           [](Store& self, const std::string& title, int number) {
             return self.use([&](Datastore& store) { return sentence_of(store, title, number); });
           })
      .def("stats",
           [](Store& self) {
             return to_dict(self.use([](Datastore& store) { return store.stats(); }));
           })
      .def("check", [](Store& self) {
        return self.use(
            [](Datastore& store) { return store.check([](const Progress&) { check_signals(); }); });
      });
}

void bind_writing(py::class_<Store>& type) {
  type.def("add",
           [](Store& self, const std::string& title, const std::string& text,
              std::optional<int> number) {
             return self.use(
                 [&](Datastore& store) { return store.add_sentence(title, number, text); });
           })
      .def("edit",
           [](Store& self, const std::string& title, int number, const std::string& text) {
             return self.use(
                 [&](Datastore& store) { return store.edit_sentence(title, number, text); });
           })
      .def(
          "delete_sentence",
          [](Store& self, const std::string& title, int number) {
            return self.use([&](Datastore& store) { return store.delete_sentence(title, number); });
          })
      .def("delete_document",
           [](Store& self, const std::string& title) {
             return self.use([&](Datastore& store) { return store.delete_document(title); });
           })
      .def("import_documents",
           [](Store& self, const std::vector<TitledSentences>& documents, bool overwrite_edits) {
             return to_dict(self.use([&](Datastore& store) {
               return import_texts(store, documents, overwrite_edits);
             }));
           })
      .def("import_files",
           [](Store& self, const std::string& path, const std::string& format, bool overwrite_edits,
              bool skip_bad_lines) {
             return to_dict(self.use([&](Datastore& store) {
               return import_file(store, path, format, overwrite_edits, skip_bad_lines);
             }));
           })
      .def("repair", [](Store& self) {
        const DatastoreRepair done = self.use([](Datastore& store) { return store.repair(); });
        using namespace py::literals;
        return py::dict("vectors"_a = done.vectors, "vector_sets"_a = done.vector_sets);
      });
}

}  // namespace

void bind_datastore(py::module_& module) {
  bind_rows(module);
  module.def("split_sentences", &sentences_in);
  py::class_<Store> type(module, "Datastore");
  type.def(py::init(&open_store))
      .def("close", &Store::close)
      .def_property_readonly("closed", &Store::closed);
  bind_reading(type);
  bind_writing(type);
}

}  // namespace memmatch::python
