#include "text/facts.h"

#include <algorithm>
#include <cctype>

namespace memmatch::text {
namespace {

struct Kind {
  std::string_view name;
  std::span<const std::string_view> words;
  bool adjective = false;  // a sentence can do without it
};

constexpr std::string_view kNationalities[] = {
    "American", "British",  "English",    "French",  "German",    "Italian",   "Spanish",
    "Canadian", "Indian",   "Australian", "Chinese", "Japanese",  "Russian",   "Irish",
    "Scottish", "Welsh",    "Dutch",      "Swedish", "Norwegian", "Danish",    "Finnish",
    "Polish",   "Greek",    "Turkish",    "Mexican", "Brazilian", "Argentine", "Austrian",
    "Swiss",    "Belgian",  "Portuguese", "Korean",  "Israeli",   "Egyptian",  "Nigerian",
    "Romanian", "Ukrainian"};
constexpr std::string_view kOccupations[] = {
    "actor",      "actress",     "singer",     "songwriter", "director", "producer",
    "politician", "lawyer",      "writer",     "author",     "novelist", "poet",
    "painter",    "sculptor",    "musician",   "rapper",     "drummer",  "guitarist",
    "composer",   "comedian",    "model",      "dancer",     "boxer",    "wrestler",
    "swimmer",    "architect",   "engineer",   "physicist",  "chemist",  "mathematician",
    "journalist", "philosopher", "footballer", "economist",  "soldier",  "screenwriter",
    "historian",  "pianist",     "inventor",   "activist",   "chef",     "photographer"};
constexpr std::string_view kWorks[] = {"film",     "movie",     "album",   "song",  "novel",
                                       "book",     "play",      "sitcom",  "opera", "documentary",
                                       "magazine", "newspaper", "musical", "poem",  "painting"};
constexpr std::string_view kGenres[] = {"comedy",  "drama", "horror", "thriller", "romance",
                                        "fantasy", "rock",  "pop",    "jazz",     "punk",
                                        "folk",    "blues", "soul",   "mystery",  "crime"};
constexpr std::string_view kPlaces[] = {"city",   "town",   "village",  "river",
                                        "lake",   "island", "mountain", "country",
                                        "county", "desert", "province"};
constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
constexpr std::string_view kDirections[] = {"north",    "south",    "east",    "west",
                                            "northern", "southern", "eastern", "western"};
constexpr std::string_view kColours[] = {"red",   "blue",  "green",  "yellow", "black",
                                         "white", "brown", "purple", "orange"};
constexpr std::string_view kKin[] = {"brother",  "sister", "father",  "mother", "son",
                                     "daughter", "wife",   "husband", "uncle",  "aunt",
                                     "cousin",   "nephew", "niece"};
constexpr std::string_view kNumbers[] = {"two",   "three", "four", "five",   "six",    "seven",
                                         "eight", "nine",  "ten",  "eleven", "twelve", "twenty"};
constexpr std::string_view kOrdinals[] = {"first", "second",  "third",  "fourth", "fifth",
                                          "sixth", "seventh", "eighth", "ninth",  "tenth"};
constexpr std::string_view kSuperlatives[] = {"largest", "smallest", "oldest",  "youngest",
                                              "highest", "lowest",   "longest", "shortest"};
constexpr std::string_view kOrder[] = {"before", "after"};
constexpr std::string_view kContinents[] = {"Asia", "Europe", "Africa", "Australia", "Antarctica"};
constexpr std::string_view kInstruments[] = {"guitar", "piano",   "violin", "drums",
                                             "cello",  "trumpet", "flute",  "saxophone"};
constexpr std::string_view kSports[] = {"football", "basketball", "baseball", "tennis", "cricket",
                                        "hockey",   "rugby",      "golf",     "boxing"};
constexpr std::string_view kOrganisations[] = {"company", "university", "school",   "club", "band",
                                               "museum",  "church",     "hospital", "bank"};
constexpr std::string_view kDeeds[] = {"published", "released",  "directed", "produced",
                                       "recorded",  "performed", "founded",  "built",
                                       "destroyed", "sold",      "stolen"};

constexpr Kind kKinds[] = {{"nationality", kNationalities, true},
                           {"occupation", kOccupations},
                           {"work", kWorks},
                           {"genre", kGenres, true},
                           {"place", kPlaces},
                           {"month", kMonths},
                           {"direction", kDirections},
                           {"colour", kColours, true},
                           {"kin", kKin},
                           {"number word", kNumbers},
                           {"ordinal", kOrdinals},
                           {"superlative", kSuperlatives},
                           {"order", kOrder},
                           {"continent", kContinents},
                           {"instrument", kInstruments},
                           {"sport", kSports},
                           {"organisation", kOrganisations},
                           {"deed", kDeeds}};

constexpr std::string_view kPrepositions[] = {"in",   "on",    "by",    "at",       "from",
                                              "with", "of",    "for",   "to",       "during",
                                              "near", "since", "until", "starring", "featuring"};
constexpr std::string_view kArticles[] = {"the", "a", "an"};
constexpr std::string_view kWithinNames[] = {"of", "the", "de", "van", "von"};

template <typename Words>
bool contains(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

const Kind* kind_named(std::string_view name) {
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

const Kind* kind_of(std::string_view word) {
  for (const Kind& kind : kKinds) {
    if (contains(kind.words, word)) return &kind;
  }
  return nullptr;
}

// Bytes of letters beyond ASCII belong to words, whatever they are.
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

struct Word {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Hyphens and full stops between letters, and commas and full stops between digits, are inside
// words; apostrophes are not, so that "Ada's" has "Ada".
std::vector<Word> words_in(std::string_view text) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!in_word(text[i])) continue;
    Word word{i, i};
    while (i < text.size()) {
      const bool joins = i + 1 < text.size() && i > word.begin && in_word(text[i + 1]) &&
                         (text[i] == '-' || text[i] == '.' ||
                          (text[i] == ',' && is_digit(text[i - 1]) && is_digit(text[i + 1])));
      if (!in_word(text[i]) && !joins) break;
      ++i;
    }
    word.end = i;
    words.push_back(word);
  }
  return words;
}

bool is_number(std::string_view word) {
  return is_digit(word.front()) && std::all_of(word.begin(), word.end(), [](char c) {
           return is_digit(c) || c == ',' || c == '.';
         });
}

bool is_year(std::string_view word) {
  return word.size() == 4 && std::all_of(word.begin(), word.end(), is_digit) &&
         (word.front() == '1' || word.starts_with("20"));
}

std::string lower(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (is_capital(c)) c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

class FactFinder {
 public:
  explicit FactFinder(std::string_view sentence)
      : sentence_(sentence), words_(words_in(sentence)) {}

  std::vector<Fact> facts() const {
    std::vector<Fact> facts;
    for (std::size_t i = 0; i < words_.size();) {
      const std::string_view word = text(i);
      std::size_t last = i;
      if (is_year(word)) {
        facts.push_back({"year", std::string(word)});
      } else if (is_number(word)) {
        facts.push_back({"number", std::string(word)});
      } else if (is_capital(word.front())) {
        last = end_of_name(i);
        add_name(i, last, facts);
      } else if (const Kind* kind = kind_of(word)) {
        facts.push_back({std::string(kind->name), std::string(word)});
      }
      i = last + 1;
    }
    return facts;
  }

 private:
  std::string_view text(std::size_t first, std::size_t last) const {
    return sentence_.substr(words_[first].begin, words_[last].end - words_[first].begin);
  }
  std::string_view text(std::size_t word) const { return text(word, word); }

  // Whether nothing but a space is between a word and the next.
  bool goes_on(std::size_t word) const {
    return word + 1 < words_.size() && words_[word + 1].begin == words_[word].end + 1 &&
           sentence_[words_[word].end] == ' ';
  }

  // The last word of the name that begins here.
  std::size_t end_of_name(std::size_t first) const {
    if (kind_of(text(first))) return first;  // an American actor, March 1912
    std::size_t last = first;
    for (std::size_t i = first; goes_on(i);) {
      ++i;
      if (is_capital(text(i).front())) {
        last = i;
      } else if (!contains(kWithinNames, text(i))) {
        break;
      }
    }
    return last;
  }

  void add_name(std::size_t first, std::size_t last, std::vector<Fact>& facts) const {
    if (const Kind* kind = first == last ? kind_of(text(first)) : nullptr) {
      facts.push_back({std::string(kind->name), std::string(text(first))});
    } else if (first > 0) {
      facts.push_back({"name after " + lower(text(first - 1)), std::string(text(first, last))});
    }
  }

  std::string_view sentence_;
  std::vector<Word> words_;
};

// The next place at or after `from` where the words stand as whole words; npos: nowhere.
std::size_t find_words(std::string_view text, std::string_view words, std::size_t from = 0) {
  for (std::size_t at = text.find(words, from); at != text.npos; at = text.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    if ((at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end])))
      return at;
  }
  return text.npos;
}

// Where the word begins that ends, but for a space, at `end`; npos where there is none.
std::size_t word_before(std::string_view text, std::size_t end) {
  if (end < 2 || text[end - 1] != ' ' || !in_word(text[end - 2])) return text.npos;
  std::size_t begin = end - 1;
  while (begin > 0 && in_word(text[begin - 1])) --begin;
  return begin;
}

bool is_vowel(char c) { return std::string_view("aeiouAEIOU").find(c) != std::string_view::npos; }

// "a" or "an" before the word that begins at `word`, as it has to be.
void mend_article(std::string& text, std::size_t word) {
  const std::size_t article = word_before(text, word);
  if (article == text.npos) return;
  const std::string_view found = std::string_view(text).substr(article, word - 1 - article);
  if (found == "a" || found == "an")
    text.replace(article, found.size(), is_vowel(text[word]) ? "an" : "a");
}

}  // namespace

std::vector<Fact> facts_in(std::string_view sentence) { return FactFinder(sentence).facts(); }

std::span<const std::string_view> words_of_kind(std::string_view kind) {
  const Kind* found = kind_named(kind);
  return found ? found->words : std::span<const std::string_view>();
}

bool says(std::string_view text, std::string_view words) {
  return find_words(text, words) != text.npos;
}

std::string exchange(std::string_view text, std::string_view words, std::string_view others) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t at; (at = find_words(text, words, done)) != text.npos;) {
    result.append(text.substr(done, at - done));
    const std::size_t placed = result.size();
    result.append(others);
    mend_article(result, placed);
    done = at + words.size();
  }
  return result.append(text.substr(done));
}

std::optional<std::string> leave_out(std::string_view text, const Fact& fact) {
  std::size_t begin = find_words(text, fact.text);
  if (begin == text.npos) return std::nullopt;
  std::size_t end = begin + fact.text.size();
  if (end + 1 < text.size() && text[end] == ' ' && is_digit(text[end + 1])) return std::nullopt;
  const Kind* kind = kind_named(fact.kind);
  const bool adjective = kind && kind->adjective;
  if (adjective) {
    if (end + 1 >= text.size() || text[end] != ' ' || !in_word(text[end + 1])) return std::nullopt;
    ++end;
  } else {
    const auto word_at = [&](std::size_t place) {
      return text.substr(place, text.find(' ', place) - place);
    };
    std::size_t before = word_before(text, begin);
    if (before != text.npos && contains(kArticles, word_at(before)))
      before = word_before(text, begin = before);
    if (before == text.npos || before == 0 || !contains(kPrepositions, word_at(before)))
      return std::nullopt;
    begin = before - 1;  // the space
    if (begin > 0 && text[begin - 1] == ',') --begin;
  }
  std::string rest = std::string(text.substr(0, begin)).append(text.substr(end));
  if (says(rest, fact.text)) return std::nullopt;
  if (adjective) mend_article(rest, begin);
  return rest;
}

}  // namespace memmatch::text
