#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memmatch/types.h"

// The datastore: the sentences that claims are verified against, in one SQLite file.
//
//   auto store = memmatch::Datastore::open("facts.db", memmatch::Datastore::Access::create);
//   auto import = store.begin_import();
//   import.add({"Ada_Lovelace", "Ada Lovelace", {{0, "Ada Lovelace was born in London."}}});
//   import.commit();
//   for (const auto& candidate : store.cover("Ada Lovelace was born in Paris.").sentences) …
//
// Errors are memmatch::Error. Ids are stable and never reused.

namespace memmatch {

struct Document {
  DocumentId id = 0;
  std::string raw_title;  // its identity; in FEVER's dump "Bones_-LRB-TV_series-RRB-"
  std::string title;      // as people write it: "Bones (TV series)"
  std::string match_key;  // what claims are matched by: "bones"
};

struct Sentence {
  SentenceId id = 0;
  DocumentId document = 0;
  int number = 0;    // within the document, from 0, as published; there may be gaps
  std::string text;  // may be empty: the dump has such numbers
  ContentHash hash{};
  int revision = 1;                     // counts the texts this sentence has had
  std::optional<ContentHash> imported;  // hash of the text an import brought; none if added by hand

  // Whether the text is not the one that was imported: the datastore's facts were changed here.
  bool edited() const { return imported != hash; }
};

// A text that a sentence had before it was edited.
struct PastRevision {
  int revision = 0;
  ContentHash hash{};
};

struct NewSentence {
  int number = 0;
  std::string text;
};

struct NewDocument {
  std::string raw_title;
  std::string title;
  std::vector<NewSentence> sentences;
};

// What an import did. A sentence that was edited or deleted by hand stays as it is.
struct ImportReport {
  std::uint64_t documents = 0;  // in the input
  std::uint64_t sentences = 0;  // in the input
  std::uint64_t new_documents = 0;
  std::uint64_t new_sentences = 0;
  std::uint64_t changed_sentences = 0;
  std::uint64_t removed_sentences = 0;  // of documents in the input, no longer part of them
  std::uint64_t kept_edits = 0;  // the input has news of them, but they were edited or deleted here
};

struct Candidate {
  SentenceId id = 0;
  DocumentId document = 0;
  int number = 0;

  friend bool operator==(const Candidate&, const Candidate&) = default;
};

// The level-1 vectors of one model: see Datastore::vector_set().
struct VectorSet {
  std::int64_t id = 0;
  ContentHash fingerprint{};  // of the model
  std::int64_t dimension = 0;
};

// A sentence that a vector is to be made from.
struct VectorSource {
  SentenceId id = 0;
  std::string title;
  int number = 0;
  std::string text;
};

// What a claim's words reach: documents, mostly those whose titles occur in it, and non-blank
// sentences of theirs. Both sorted by id.
struct Cover {
  std::vector<Document> documents;
  std::vector<Candidate> sentences;
};

// Which sentences a claim is compared with.
enum class Candidates {
  automatic,  // those of `cover`, and where the best by words is none of them, `words` as well
  cover,      // all of the documents whose titles the claim names
  words,      // the best by the words that they share with the claim
  all,        // the whole datastore, by its vectors
};
std::string_view name_of(Candidates candidates);  // "auto", "cover", "words", "all"

// A sentence that shares words with a text: the rarer, the greater the weight.
struct WordMatch {
  Candidate sentence;
  double weight = 0;
};

struct DatastoreStats {
  std::uint64_t documents = 0;
  std::uint64_t sentences = 0;
  std::uint64_t blank_sentences = 0;
  std::uint64_t edited_sentences = 0;  // text differs from what was imported
  std::uint64_t added_sentences = 0;   // by hand, never imported
  std::uint64_t deleted_sentences = 0;
  std::uint64_t vectors = 0;  // of all models
  std::uint64_t file_bytes = 0;
  int format_version = 0;
};

// What Datastore::repair() removed.
struct DatastoreRepair {
  std::uint64_t vectors = 0;
  std::uint64_t vector_sets = 0;
};

// One connection to a datastore file. Use each from one thread at a time; open one for each thread
// or process. Readers see the last committed state while a writer works, and do not wait for it. A
// second writer waits its turn.
class Datastore {
  struct Impl;

 public:
  enum class Access {
    read,    // the file must exist
    write,   // the file must exist
    create,  // makes a new datastore where there is none
  };

  // How long a write waits for another writer before it throws Error(conflict).
  static constexpr std::chrono::milliseconds kPatience = std::chrono::minutes(1);

  // Throws Error: not_found; corrupt (not a datastore, truncated, damaged: the message says which);
  // unsupported (written by a newer version); io.
  static Datastore open(const std::filesystem::path& file, Access access,
                        std::chrono::milliseconds patience = kPatience);

  // Removes a datastore that nothing was ever put into: open() may have made it for something that
  // then failed. False where it is not that, is in use, or cannot be removed; never throws Error.
  static bool remove_if_empty(const std::filesystem::path& file);

  Datastore(Datastore&&) noexcept;
  Datastore& operator=(Datastore&&) noexcept;
  ~Datastore();

  // --- Reading ---

  // While it lives, everything read through this Datastore comes from one state of the file, and
  // nothing can be written through it. The Datastore must outlive it, but may be moved meanwhile.
  class Snapshot {
   public:
    Snapshot(Snapshot&&) noexcept;
    Snapshot& operator=(Snapshot&&) = delete;
    ~Snapshot();

   private:
    friend class Datastore;
    explicit Snapshot(Impl* impl) : impl_(impl) {}
    Impl* impl_;
  };
  Snapshot snapshot();

  // Sentences are compared with their hashes when they are read: Error(corrupt) where a text is not
  // the one that was stored.

  // The document with this raw title, or else the one that is displayed by this title. Throws
  // not_found, or invalid_argument where several are displayed alike.
  Document find_document(std::string_view title);
  std::optional<Document> document(DocumentId id);
  Document document_of(const Sentence& sentence);
  std::vector<Sentence> sentences(DocumentId document);
  std::optional<Sentence> sentence(SentenceId id);
  std::optional<Sentence> sentence(DocumentId document, int number);

  // Oldest first; also of a sentence that has been deleted.
  std::vector<PastRevision> history(SentenceId id);

  // The lexical title cover of a claim (paper §4.1).
  Cover cover(std::string_view claim);

  // Whether there is an index of words. Datastores of format 1 have none; add_words() makes it.
  bool has_words();

  // Sentences that share words with the text, in their own text or their document's title, the best
  // first. Endings and accents make no difference. None where there is no index of words.
  std::vector<WordMatch> by_words(std::string_view text, std::size_t limit);

  // A claim's candidates; none by words where there is no index of words. Throws invalid_argument
  // for Candidates::all, which has to do with vectors.
  Cover candidates(std::string_view claim, Candidates which);

  // Every document in the order of ids, each with its sentences; one in memory at a time.
  void for_each_document(
      const std::function<void(const Document&, const std::vector<Sentence>&)>& visit);

  // The sentences with these ids, in that order; ids that are gone are left out.
  std::vector<VectorSource> vector_sources(std::span<const SentenceId> ids);

  DatastoreStats stats();

  // --- Level-1 vectors, kept beside the sentences that they were made from ---
  //
  // A vector belongs to a sentence's text, number and title as they are: where one of them
  // changes, its vectors go in the same transaction. Vectors are IEEE halves.

  // The vectors of the model with this fingerprint, whose vectors have this dimension; none where
  // it has not been used here. Throws Error(corrupt) where the file says another dimension.
  std::optional<VectorSet> vector_set(const ContentHash& fingerprint, std::int64_t dimension);
  std::vector<VectorSet> vector_sets();

  // Makes the set where there is none; throws as vector_set().
  VectorSet make_vector_set(const ContentHash& fingerprint, std::int64_t dimension);

  // Up to `limit` non-blank sentences without a vector in this set, with ids above `after`,
  // in the order of ids.
  std::vector<VectorSource> without_vector(const VectorSet& set, SentenceId after, int limit);
  std::uint64_t count_without_vector(const VectorSet& set);

  // How many vectors the set has: at most this many, which costs nothing to say, and exactly, for
  // which all are looked at.
  std::uint64_t most_vectors(const VectorSet& set);
  std::uint64_t count_vectors(const VectorSet& set);

  // False where the sentence has none. `vector` has the set's dimension. Throws Error(corrupt)
  // where the file's has another one, or is not finite.
  bool read_vector(const VectorSet& set, SentenceId id, std::span<std::uint16_t> vector);

  // Every vector in the order of sentence ids; throws as read_vector().
  void for_each_vector(
      const VectorSet& set,
      const std::function<void(SentenceId, std::span<const std::uint16_t>)>& visit);

  // One transaction. `vectors` holds one after the other; those whose sentence is no longer as it
  // was when its source was read are left out. Throws invalid_argument for vectors that are not
  // finite or not as many as their sources.
  void write_vectors(const VectorSet& set, std::span<const VectorSource> sources,
                     std::span<const std::uint16_t> vectors);

  // The same for vectors that were made on the way, as a cache keeps them: makes the set where
  // there is none, does not wait for another writer, and what fails is not an error. False where
  // nothing could be written: another writer is at work, a snapshot or an import of this Datastore
  // is open, the disk is full, the file is read-only or damaged.
  bool try_write_vectors(const ContentHash& fingerprint, std::int64_t dimension,
                         std::span<const VectorSource> sources,
                         std::span<const std::uint16_t> vectors);

  // Whether the file was deleted, or another one put in its place, since it was opened. Reading
  // goes on in the old one; writing throws conflict.
  bool has_moved() const;

  // A number that changes with every change of the file by anyone, while this Datastore is open.
  std::int64_t change_counter();

  // Looks at everything: the file's structure, hashes, titles and their keys, references. Gives
  // what is wrong, one line each; empty means that all is well.
  std::vector<std::string> check(const ProgressCallback& progress = {});

  // In one transaction, makes all indexes anew, that of words too, and removes vectors that cannot
  // be used, to be made again when they are needed. Texts, titles and histories are never touched:
  // what is wrong with them stays. Throws Error(corrupt) where the damage is to the tables
  // themselves.
  DatastoreRepair repair();

  // --- Writing: each call is one transaction ---

  // Adds a sentence, after the last one where `number` is not given; makes the document where there
  // is none of that title. Throws conflict where the number is taken.
  Sentence add_sentence(std::string_view title, std::optional<int> number, std::string_view text);

  // Replaces the text; the previous one's hash goes into the history.
  Sentence edit_sentence(std::string_view title, int number, std::string_view text);

  // Gives the sentences that are gone.
  std::vector<Sentence> delete_sentence(std::string_view title, int number);
  std::vector<Sentence> delete_document(std::string_view title);

  // Makes the index of words for a datastore that has none, which is then of the present format:
  // earlier versions of memmatch no longer read it. False where it is there already.
  bool add_words();

  // Many documents in one transaction; see Import.
  class Import;
  struct ImportOptions {
    bool overwrite_edits = false;  // the input wins over edits and deletions made by hand
  };
  Import begin_import(const ImportOptions& options);
  Import begin_import();

 private:
  explicit Datastore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A running import. Nothing of it is seen by anyone until commit(); destroying it without leaves
// the file as it was. The Datastore must outlive it.
//
// A document of the input replaces what an earlier import brought of it, sentence by sentence, so
// that importing the same input again changes nothing and a newer version changes only what
// differs. What was edited, added or deleted by hand stays, unless the options say otherwise.
class Datastore::Import {
 public:
  Import(Import&&) noexcept;
  Import& operator=(Import&&) = delete;
  ~Import();

  // Throws invalid_argument for a document without a title, with a sentence number below 0, or
  // of a title that this import has had already; such a document is left out as a whole.
  void add(const NewDocument& document);

  ImportReport commit();

 private:
  friend class Datastore;
  struct State;
  explicit Import(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace memmatch
