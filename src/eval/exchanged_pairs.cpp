#include "eval/exchanged_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>

#include "eval/gold_evidence.h"
#include "text/facts.h"
#include "text/shared_words.h"

namespace memmatch::eval {
namespace {

// Years and numbers move by one of these.
constexpr int kYears[] = {1, 2, 3, 5, 10, 20, 50, 100};
constexpr int kCounts[] = {1, 2, 3, 5, 10, 20};
constexpr int kLastYear = 2030;

// So many others of a kind make a choice; with fewer, any name will do.
constexpr std::size_t kEnough = 5;

constexpr int kTries = 20;

std::size_t word_count(std::string_view text) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
}

// Draws that are the same with every standard library.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : bits_(seed) {}

  std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits_() % count); }
  bool coin() { return below(2) == 0; }

  template <typename Values>
  const auto& one_of(const Values& values) {
    return values[below(std::size(values))];
  }

 private:
  std::mt19937_64 bits_;
};

// What facts can be exchanged for.
class Others {
 public:
  explicit Others(std::span<const data::Claim> claims) {
    std::map<Key, std::set<std::string>> names;
    for (const data::Claim& claim : claims) {
      for (const text::Fact& fact : text::facts_in(claim.text)) {
        if (!fact.kind.starts_with("name ")) continue;
        names[key(fact)].insert(fact.text);
        names[{"", word_count(fact.text)}].insert(fact.text);
      }
    }
    for (auto& [key, texts] : names) names_[key].assign(texts.begin(), texts.end());
  }

  // Another fact of the kind, of which neither text says anything; none where none was found.
  std::optional<std::string> other(const text::Fact& fact, std::string_view claim,
                                   std::string_view sentence, Draw& draw) const {
    for (int i = 0; i < kTries; ++i) {
      const std::string other = any_other(fact, draw);
      const bool overlap =  // as nothing at all does
          other.find(fact.text) != other.npos || fact.text.find(other) != other.npos;
      if (!overlap && !text::says(claim, other) && !text::says(sentence, other)) return other;
    }
    return std::nullopt;
  }

 private:
  using Key = std::pair<std::string, std::size_t>;  // kind ("": any name) and number of words

  static Key key(const text::Fact& fact) { return {fact.kind, word_count(fact.text)}; }

  std::string any_other(const text::Fact& fact, Draw& draw) const {
    if (fact.kind == "year") {
      const int by = draw.one_of(kYears);
      const int year = std::stoi(fact.text);
      return std::to_string(draw.coin() || year + by > kLastYear ? year - by : year + by);
    }
    if (fact.kind == "number") return other_number(fact.text, draw);
    if (const auto words = text::words_of_kind(fact.kind); !words.empty())
      return std::string(draw.one_of(words));
    const auto same = names_.find(key(fact));
    if (same != names_.end() && same->second.size() >= kEnough) return draw.one_of(same->second);
    const auto any = names_.find({"", word_count(fact.text)});
    return any == names_.end() ? "" : draw.one_of(any->second);
  }

  // Only whole numbers that a few more or less change: of 1,234,567 nobody knows the last digits.
  static std::string other_number(const std::string& text, Draw& draw) {
    if (text.size() > 3 || text.find_first_not_of("0123456789") != text.npos) return "";
    const int number = std::stoi(text);
    const int by = draw.one_of(kCounts);
    return std::to_string(number > by && draw.coin() ? number - by : number + by);
  }

  std::map<Key, std::vector<std::string>> names_;
};

// A claim, the sentence that supports it, and what else its document says.
struct Supported {
  std::string claim;
  Document document;
  Sentence sentence;
  std::vector<Sentence> others;  // no evidence in any set; the most like the claim first
};

std::optional<Supported> find_supported(const data::Claim& claim, Datastore& store) {
  if (claim.label != Label::supports) return std::nullopt;
  const GoldEvidence gold = find_gold_evidence(store, claim, {});
  const auto single = std::find_if(gold.sets.begin(), gold.sets.end(),
                                   [](const auto& set) { return set.size() == 1; });
  if (single == gold.sets.end()) return std::nullopt;
  const std::optional<Sentence> sentence = store.sentence(single->front());
  if (!sentence || sentence->text.empty()) return std::nullopt;
  Supported found{claim.text, store.document_of(*sentence), *sentence, {}};
  for (const Sentence& other : store.sentences(sentence->document)) {
    if (!other.text.empty() &&
        !std::binary_search(gold.sentences.begin(), gold.sentences.end(), other.id))
      found.others.push_back(other);
  }
  const text::SharedWords shared(claim.text);
  std::stable_sort(found.others.begin(), found.others.end(), [&](const auto& a, const auto& b) {
    return shared.letters("", a.text) > shared.letters("", b.text);
  });
  return found;
}

// Those of the claim that its evidence states as well, and the title does not, in a random order.
std::vector<text::Fact> shared_facts(const Supported& supported, Draw& draw) {
  std::vector<text::Fact> facts = text::facts_in(supported.claim);
  std::erase_if(facts, [&](const text::Fact& fact) {
    return !text::says(supported.sentence.text, fact.text) ||
           text::says(supported.document.title, fact.text);
  });
  for (std::size_t i = facts.size(); i > 1; --i) std::swap(facts[i - 1], facts[draw.below(i)]);
  return facts;
}

class PairMaker {
 public:
  PairMaker(const Others& others, Draw& draw, std::vector<ExchangedPair>& pairs)
      : others_(others), draw_(draw), pairs_(pairs) {}

  void make(const Supported& supported, std::size_t most_facts) {
    std::size_t exchanged = 0;
    for (const text::Fact& fact : shared_facts(supported, draw_)) {
      if (exchanged == most_facts) break;
      exchanged += exchange(supported, fact);
    }
    if (exchanged > 0) add(supported.claim, supported, Label::supports, "same");
  }

 private:
  bool exchange(const Supported& supported, const text::Fact& fact) {
    const std::string& sentence = supported.sentence.text;
    const auto other = others_.other(fact, supported.claim, sentence, draw_);
    if (!other) return false;
    const std::string claim = text::exchange(supported.claim, fact.text, *other);
    const std::string evidence = text::exchange(sentence, fact.text, *other);
    add(claim, supported, Label::refutes, "claim");
    if (draw_.coin()) {
      add(supported.claim, supported, Label::refutes, "evidence", evidence);
    } else {
      add(claim, supported, Label::supports, "both", evidence);
    }
    const std::string& either = draw_.coin() ? claim : supported.claim;
    if (const auto rest = text::leave_out(sentence, fact))
      add(either, supported, Label::unverifiable, "left out", *rest);
    if (!supported.others.empty()) add_elsewhere(either, supported);
    return true;
  }

  // One of the two sentences that are most like the claim.
  void add_elsewhere(const std::string& claim, const Supported& supported) {
    Supported elsewhere = supported;
    elsewhere.sentence =
        supported.others[draw_.below(std::min<std::size_t>(2, supported.others.size()))];
    add(claim, elsewhere, Label::unverifiable, "elsewhere");
  }

  void add(const std::string& claim, const Supported& from, Label label, const char* made,
           const std::optional<std::string>& sentence = {}) {
    pairs_.push_back({claim, from.document.title, from.sentence.number,
                      sentence.value_or(from.sentence.text), label, made});
  }

  const Others& others_;
  Draw& draw_;
  std::vector<ExchangedPair>& pairs_;
};

}  // namespace

std::vector<ExchangedPair> exchanged_pairs(std::span<const data::Claim> claims, Datastore& store,
                                           const ExchangedPairsOptions& options,
                                           const ProgressCallback& progress) {
  const Others others(claims);
  Draw draw(options.seed);
  std::vector<ExchangedPair> pairs;
  PairMaker maker(others, draw, pairs);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (const auto supported = find_supported(claims[i], store))
      maker.make(*supported, options.facts);
    if (progress) progress({i + 1, claims.size()});
  }
  return pairs;
}

std::string to_line(const ExchangedPair& pair) {
  return nlohmann::ordered_json{
      {"claim", pair.claim},
      {"evidence", fmt::format("{}, sentence {}: {}", pair.title, pair.number, pair.sentence)},
      {"label", fever_name(pair.label)},
      {"source", pair.made}}
      .dump();
}

}  // namespace memmatch::eval
