#include <fmt/format.h>

#include <limits>

#include "base/hash.h"
#include "memmatch/error.h"
#include "store/impl.h"
#include "store/schema.h"
#include "store/vector_damage.h"
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
      check_ids();
      check_documents();
      check_sentences();
      check_vectors();
      check_words();
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

  void check_ids() {
    Statement rows(connection_,
                   fmt::format("SELECT id FROM sentences WHERE id < 1 OR id > {} OR typeof(number) "
                               "<> 'integer' OR number < 0 OR number > {}",
                               kLastSentence, std::numeric_limits<int>::max()));
    while (rows.step())
      report(fmt::format("sentence {}: its id or number is out of range", rows.integer(0)));
  }

  void check_vectors() {
    for (const std::int64_t id : store::damaged_vector_sets(connection_))
      report(fmt::format("vector set {} belongs to no model", id));
    store::for_each_damaged_vector(connection_, [&](std::int64_t key, std::string_view problem) {
      report(fmt::format("a vector of sentence {} {}; 'memmatch store repair' removes it",
                         key & kLastSentence, problem));
    });
  }

  void check_words() {
    if (!store::has_words(connection_)) return;
    if (std::string problem = store::words_problem(connection_); !problem.empty())
      report(std::move(problem));
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
