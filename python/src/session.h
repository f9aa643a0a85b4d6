#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "memmatch/check.h"
#include "memmatch/temporary_store.h"
#include "memmatch/trust.h"
#include "memmatch/verifier.h"

namespace memmatch::python {

// What is searched: a datastore, or documents for this object alone, or nothing, for evidence that
// comes with each claim.
struct SessionSource {
  std::optional<std::filesystem::path> store = {};
  std::optional<TemporaryStore> documents = {};
};

// A Verifier and how far to trust its verdicts: what a Python Verifier is made of.
class Session {
 public:
  Session(SessionSource source, const std::filesystem::path& model,
          const Verifier::Settings& settings, const Trust::Settings& trust);

  // Some claims at a time; between them, Ctrl-C ends it.
  std::vector<Verdict> verify(std::span<const std::string> claims, const SearchOptions& options);

  // On the texts that come with each claim, those that are too long for the model in parts.
  std::vector<Verdict> verify_given(std::span<const std::string> claims,
                                    std::span<const std::vector<GivenDocument>> evidence,
                                    const SearchOptions& options);

  std::vector<CheckedSentence> check(std::string_view text, const SearchOptions& options);

  Verifier& verifier() { return verifier_; }
  std::string rule() const { return trust_.rule(); }

  // What of the documents was not read, for people.
  std::vector<std::string> left_out() const;

 private:
  using Step = std::function<std::vector<Verdict>(std::size_t begin, std::size_t count,
                                                  const SearchOptions& options)>;
  std::vector<Verdict> in_steps(std::size_t count, const SearchOptions& options, const Step& step);

  SessionSource source_;
  Verifier verifier_;
  Trust trust_;
};

}  // namespace memmatch::python
