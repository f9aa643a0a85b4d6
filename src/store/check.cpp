#include <fmt/format.h>

#include "base/hash.h"
#include "memmatch/error.h"
#include "store/impl.h"
#include "store/schema.h"
#include "text/titles.h"

namespace memmatch {

using store::Connection;
using store::Statement;

namespace {

// A damaged file can have a complaint for every row; nobody reads more than these.
constexpr std::size_t kMostProblems = 100;

class Checker {
 public:
  Checker(Connection& connection, const ProgressCallback& progress)
      : connection_(connection), progress_(progress) {}

  std::vector<std::string> run() {
    try {
      count();
      check_structure();
      check_references();
      check_documents();
      check_sentences();
      check_vectors();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::corrupt) throw;
      report(error.what());
    }
    return std::move(problems_);
  }

 private:
  void report(std::string problem) {
    if (problems_.size() < kMostProblems) problems_.push_back(std::move(problem));
  }

  void count() {
    state_.total = static_cast<std::uint64_t>(connection_.query_integer(
        "SELECT (SELECT count(*) FROM documents) + (SELECT count(*) FROM sentences)"));
  }

  void advance() {
    if (progress_ && ++state_.done % 1024 == 0) progress_(state_);
  }

  void check_structure() {
    if (std::string difference = store::schema_difference(connection_); !difference.empty()) {
      report(std::move(difference));
    }
    Statement rows(connection_, fmt::format("PRAGMA integrity_check({})", kMostProblems));
    while (rows.step()) {
      if (rows.text(0) != "ok") report(std::string(rows.text(0)));
    }
  }

  void check_references() {
    Statement orphans(connection_, "PRAGMA foreign_key_check");
    while (orphans.step()) {
      report(fmt::format("sentence {} belongs to no document", orphans.integer(1)));
    }
    Statement revisions(connection_,
                        "SELECT id FROM sentences WHERE revision <> 1 + "
                        "(SELECT count(*) FROM history WHERE sentence = id)");
    while (revisions.step()) {
      report(fmt::format("sentence {}: revision and history disagree", revisions.integer(0)));
    }
    Statement reused(connection_,
                     "SELECT id FROM sentences WHERE id IN (SELECT sentence FROM deleted)");
    while (reused.step())
      report(fmt::format("sentence {} is there and deleted", reused.integer(0)));
  }

  void check_documents() {
    Statement rows(connection_, "SELECT id, title, match_key FROM documents ORDER BY id");
    for (; rows.step(); advance()) {
      if (rows.text(2) != text::match_key(rows.text(1))) {
        report(fmt::format("document {} '{}': its match key is not that of its title",
                           rows.integer(0), rows.text(1)));
      }
    }
  }

  void check_sentences() {
    Statement rows(connection_, "SELECT id, text, hash FROM sentences ORDER BY id");
    for (; rows.step(); advance()) {
      if (rows.hash(2) != content_hash(rows.text(1))) {
        report(fmt::format(
            "sentence {}: its text is not the one that was stored (content hash differs)",
            rows.integer(0)));
      }
    }
  }

  void check_vectors() {
    Statement rows(
        connection_,
        fmt::format(
            "SELECT v.key & {0} FROM vectors v LEFT JOIN vector_sets m ON m.id = v.key >> {1} "
            "LEFT JOIN sentences s ON s.id = v.key & {0} "
            "WHERE m.id IS NULL OR s.id IS NULL OR length(v.vector) <> 2 * m.dimension",
            (std::int64_t{1} << kSentenceBits) - 1, kSentenceBits));
    while (rows.step()) {
      report(fmt::format("a vector of sentence {} is of the wrong size, or belongs to nothing",
                         rows.integer(0)));
    }
  }

  Connection& connection_;
  const ProgressCallback& progress_;
  Progress state_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> Datastore::check(const ProgressCallback& progress) {
  const ReadScope scope(*impl_->connection);
  return Checker(*impl_->connection, progress).run();
}

}  // namespace memmatch
