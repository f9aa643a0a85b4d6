#include "session.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "guarded.h"
#include "memmatch/error.h"
#include "text/unicode.h"

namespace memmatch::python {
namespace {

// As many as `memmatch predict` takes; Ctrl-C waits for so many at most.
constexpr std::size_t kClaimsTogether = 64;

Verifier open_verifier(const SessionSource& source, const std::filesystem::path& model,
                       const Verifier::Settings& settings) {
  if (source.documents) return Verifier::open(source.documents->file(), model, settings);
  if (source.store) return Verifier::open(*source.store, model, settings);
  return Verifier::open(model, settings);
}

std::vector<GivenEvidence> sentences_of(std::span<const GivenDocument> texts,
                                        const Verifier& verifier) {
  std::vector<GivenEvidence> sentences;
  for (const GivenDocument& given : texts) {
    const std::string text = text::tidy(given.text);
    if (text.empty()) throw Error(ErrorKind::invalid_argument, "evidence: the text is empty");
    const std::string title = text::tidy(given.title);
    std::ranges::move(verifier.sentences_of({title, title, 0, text}),
                      std::back_inserter(sentences));
  }
  return sentences;
}

}  // namespace

Session::Session(SessionSource source, const std::filesystem::path& model,
                 const Verifier::Settings& settings, const Trust::Settings& trust)
    : source_(std::move(source)),
      verifier_(open_verifier(source_, model, settings)),
      trust_(model, verifier_, trust) {}

std::vector<std::string> Session::left_out() const {
  return source_.documents ? source_.documents->left_out() : std::vector<std::string>();
}

std::vector<Verdict> Session::in_steps(std::size_t count, const SearchOptions& options,
                                       const Step& step) {
  const SearchOptions search = trust_.search(options);
  std::vector<Verdict> all;
  all.reserve(count);
  for (std::size_t begin = 0; begin < count; begin += kClaimsTogether) {
    check_signals();
    std::vector<Verdict> some = step(begin, std::min(kClaimsTogether, count - begin), search);
    trust_.apply(search, some);
    std::ranges::move(some, std::back_inserter(all));
  }
  return all;
}

std::vector<Verdict> Session::verify(std::span<const std::string> claims,
                                     const SearchOptions& options) {
  return in_steps(claims.size(), options,
                  [&](std::size_t begin, std::size_t count, const SearchOptions& search) {
                    return verifier_.verify(claims.subspan(begin, count), search);
                  });
}

std::vector<Verdict> Session::verify_given(std::span<const std::string> claims,
                                           std::span<const std::vector<GivenDocument>> evidence,
                                           const SearchOptions& options) {
  return in_steps(claims.size(), options,
                  [&](std::size_t begin, std::size_t count, const SearchOptions& search) {
                    std::vector<std::vector<GivenEvidence>> given;
                    for (const std::vector<GivenDocument>& texts : evidence.subspan(begin, count))
                      given.push_back(sentences_of(texts, verifier_));
                    return verifier_.verify_given(claims.subspan(begin, count), given, search);
                  });
}

std::vector<CheckedSentence> Session::check(std::string_view text, const SearchOptions& options) {
  std::vector<CheckedSentence> sentences = sentences_to_check(text);
  memmatch::check(sentences,
                  [&](std::span<const std::string> claims) { return verify(claims, options); });
  return sentences;
}

}  // namespace memmatch::python
