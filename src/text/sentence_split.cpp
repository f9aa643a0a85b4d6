#include "text/sentence_split.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "text/unicode.h"
#include "text/utf8.h"

namespace memmatch::text {
namespace {

using Words = std::unordered_set<std::string_view>;

// After these no sentence ends. ICU has rules for sentences, too, but takes its list of
// abbreviations for endings of words, and does not look at what follows them.
const Words& always_abbreviated() {
  static const Words words{"mr.",   "mrs.",  "ms.",   "dr.",     "prof.", "gen.",  "col.", "maj.",
                           "lt.",   "sgt.",  "capt.", "cmdr.",   "rev.",  "hon.",  "gov.", "sen.",
                           "rep.",  "pres.", "mt.",   "messrs.", "e.g.",  "i.e.",  "vs.",  "v.",
                           "cf.",   "viz.",  "ca.",   "approx.", "incl.", "resp.", "esp.", "fl.",
                           "z.b.",  "d.h.",  "u.a.",  "vgl.",    "bzw.",  "evtl.", "ggf.", "sog.",
                           "hrsg.", "geb.",  "gest.", "mme.",    "mlle.", "supt.", "adm.", "insp."};
  return words;
}

// These do not end one before a number.
const Words& before_numbers() {
  static const Words words{"no.",   "nos.",  "vol.", "vols.", "pp.",  "p.",    "fig.", "figs.",
                           "ch.",   "chap.", "sec.", "art.",  "par.", "para.", "eq.",  "tab.",
                           "op.",   "nr.",   "abb.", "bd.",   "s.",   "c.",    "b.",   "d.",
                           "r.",    "m.",    "tel.", "ext.",  "app.", "pt.",   "ver.", "ed.",
                           "jan.",  "feb.",  "mar.", "apr.",  "jun.", "jul.",  "aug.", "sep.",
                           "sept.", "oct.",  "nov.", "dec.",  "lat.", "long.", "alt.", "pop."};
  return words;
}

// These end a sentence where the next word is one that sentences begin with.
const Words& perhaps_abbreviated() {
  static const Words words{"st.",   "jr.",   "sr.",   "inc.",   "co.",   "corp.", "ltd.",  "bros.",
                           "ph.d.", "m.d.",  "b.a.",  "m.a.",   "b.sc.", "m.sc.", "al.",   "ave.",
                           "blvd.", "rd.",   "mio.",  "mrd.",   "str.",  "ft.",   "plc.",  "jan.",
                           "feb.",  "aug.",  "sept.", "oct.",   "nov.",  "dec.",  "est.",  "dept.",
                           "univ.", "assn.", "eds.",  "trans.", "natl.", "intl.", "govt.", "esq."};
  return words;
}

const Words& sentence_starters() {
  static const Words words{
      "The",     "A",        "An",      "This",  "That",    "These",   "Those",    "It",
      "He",      "She",      "They",    "We",    "You",     "I",       "His",      "Her",
      "Its",     "Their",    "Our",     "My",    "Your",    "There",   "Here",     "In",
      "On",      "At",       "By",      "For",   "From",    "With",    "Without",  "After",
      "Before",  "During",   "When",    "While", "If",      "As",      "Although", "Though",
      "Because", "Since",    "Until",   "But",   "And",     "Or",      "So",       "Yet",
      "However", "However,", "Then",    "Thus",  "Also",    "Another", "Some",     "Many",
      "Most",    "All",      "Both",    "Each",  "Every",   "No",      "Not",      "Nobody",
      "Only",    "Later",    "Today",   "Now",   "What",    "Who",     "Why",      "How",
      "Where",   "Which",    "To",      "Once",  "Even",    "Such",    "Several",  "Few",
      "Other",   "Others",   "Instead", "Its",   "Whether", "Under",   "Over",     "Despite",
      "Nothing", "Der",      "Die",     "Das",   "Er",      "Sie",     "Es",       "Ein",
      "Eine",    "Im",       "Am",      "Und",   "Wir",     "Ich",     "Dort",     "Dann",
      "Seit"};
  return words;
}

const Words& after_clock_times() {
  static const Words words{"Monday",  "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
                           "Sunday",  "EST",     "ET",        "EDT",      "PST",    "PT",
                           "PDT",     "GMT",     "UTC",       "CET",      "CST",    "Eastern",
                           "Pacific", "Central", "BST"};
  return words;
}

const Words& german_months() {
  static const Words words{"Januar", "Februar", "März",      "April",   "Mai",      "Juni",
                           "Juli",   "August",  "September", "Oktober", "November", "Dezember"};
  return words;
}

// Who said what was quoted.
const Words& speech_verbs() {
  static const Words words{"said",   "asked",  "replied",   "answered", "shouted", "cried",
                           "called", "yelled", "whispered", "wondered", "added",   "exclaimed",
                           "says",   "asks",   "wrote",     "demanded", "inquired"};
  return words;
}

constexpr char32_t kEllipsis = U'…';

bool is_terminator(char32_t c) {
  return c == kEllipsis || u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_S_TERM);
}

// Behind these no blank is needed.
bool is_wide_terminator(char32_t c) { return c == U'。' || c == U'！' || c == U'？' || c == U'｡'; }

bool is_quote(char32_t c) {
  const int8_t type = u_charType(static_cast<UChar32>(c));
  return c == '"' || c == '\'' || type == U_INITIAL_PUNCTUATION || type == U_FINAL_PUNCTUATION ||
         c == U'„';
}

bool closes(char32_t c) {
  return is_quote(c) || u_charType(static_cast<UChar32>(c)) == U_END_PUNCTUATION || c == '*' ||
         c == '_';
}

bool opens(char32_t c) {
  return is_quote(c) || u_charType(static_cast<UChar32>(c)) == U_START_PUNCTUATION || c == '*' ||
         c == '_' || c == U'¿' || c == U'¡';
}

bool is_digit(char32_t c) { return u_isdigit(static_cast<UChar32>(c)) != 0; }
bool is_lower(char32_t c) { return u_islower(static_cast<UChar32>(c)) != 0; }
bool is_upper(char32_t c) { return u_isupper(static_cast<UChar32>(c)) != 0; }
bool is_letter(char32_t c) { return u_isalpha(static_cast<UChar32>(c)) != 0; }

// A place where a sentence may end: behind its full stop and what closes with it.
struct Place {
  std::string_view before;  // of the sentence, with the full stop
  std::string_view word;    // the last one of it, without what opens it: "U.S."
  std::string_view after;   // what follows, from its first word on
  char32_t terminator = 0;
  bool several = false;  // "..." or "?!"
  bool quoted = false;   // a quotation mark closes behind it
};

std::string_view without_opening(std::string_view word) {
  while (!word.empty()) {
    std::size_t next = 0;
    if (!opens(next_code_point(word, next))) break;
    word.remove_prefix(next);
  }
  return word;
}

std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

std::string_view last_word(std::string_view text) { return text.substr(text.rfind(' ') + 1); }

char32_t first_of(std::string_view text) {
  std::size_t next = 0;
  return text.empty() ? 0 : next_code_point(text, next);
}

std::string in_lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// "U.", "z."
bool is_initial(std::string_view word) {
  std::size_t next = 0;
  return !word.empty() && is_letter(next_code_point(word, next)) && word.substr(next) == ".";
}

// "U.S.", "p.m.": letters, each with its full stop.
bool is_acronym(std::string_view word) {
  std::size_t letters = 0;
  while (!word.empty()) {
    std::size_t next = 0;
    if (!is_letter(next_code_point(word, next)) || !word.substr(next).starts_with('.'))
      return false;
    word.remove_prefix(next + 1);
    ++letters;
  }
  return letters > 1;
}

// "1.", "12.", "iv.", "(b)": what opens a list item, where nothing stands before it.
bool is_enumerator(std::string_view sentence) {
  const std::string_view word = without_opening(sentence);
  if (word.size() > 6 || word.find(' ') != std::string_view::npos) return false;
  const std::string_view body = word.substr(0, word.find_last_not_of(".)") + 1);
  const auto all = [&](std::string_view characters) {
    return !body.empty() && body.find_first_not_of(characters) == std::string_view::npos;
  };
  return all("0123456789.") || all("ivxIVX") ||
         (body.size() == 1 && all("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"));
}

// A word in lower case, but not one such as "iPhone".
bool goes_on_in_lower_case(std::string_view after) {
  std::size_t next = 0;
  if (!is_lower(next_code_point(after, next))) return false;
  return next >= after.size() || !is_upper(first_of(after.substr(next)));
}

bool starts_sentence(std::string_view after) {
  std::string_view word = without_opening(first_word(after));
  while (!word.empty() && (word.back() == ',' || word.back() == ';')) word.remove_suffix(1);
  const std::size_t apostrophe = std::min(word.find('\''), word.find("’"));  // "It's"
  return sentence_starters().contains(word.substr(0, apostrophe));
}

std::string_view without_signs(std::string_view word) {
  return word.substr(0, word.find_first_of(".,;:!?"));
}

// Whether the sentence goes on behind the full stop of an abbreviation or a number; nothing where
// the word is neither.
std::optional<bool> goes_on_after_word(const Place& place) {
  const std::string lower = in_lower_case(place.word);
  const char32_t next = first_of(without_opening(place.after));
  if (always_abbreviated().contains(lower)) return true;
  if (lower == "a.m." || lower == "p.m.")
    return is_digit(next) || after_clock_times().contains(without_signs(first_word(place.after)));
  const bool counted = before_numbers().contains(lower) || lower.ends_with("str.");
  if (counted && is_digit(next)) return true;
  if (perhaps_abbreviated().contains(lower) || is_acronym(place.word))
    return !starts_sentence(place.after);
  if (is_initial(place.word)) {
    // "z. B. Der": the second letter of an abbreviation.
    const std::string_view rest = place.before.substr(0, place.before.size() - place.word.size());
    const std::string_view earlier =
        rest.empty() ? rest : last_word(rest.substr(0, rest.size() - 1));
    if (is_initial(earlier) && is_lower(first_of(earlier))) return true;
    return !starts_sentence(place.after);
  }
  const bool is_number = lower.size() <= 3 && is_digit(first_of(lower));
  if (is_number && german_months().contains(first_word(place.after))) return true;
  return std::nullopt;
}

// "Is it far?" Anna asked.
bool is_said_by_somebody(const Place& place) {
  if (!place.quoted || starts_sentence(place.after)) return false;
  std::string_view rest = place.after;
  for (int words = 0; words < 4 && !rest.empty(); ++words) {
    std::string_view word = first_word(rest);
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (always_abbreviated().contains(in_lower_case(word))) continue;  // "Mr."
    if (speech_verbs().contains(without_signs(word))) return words > 0;
    if (word != without_signs(word)) return false;
  }
  return false;
}

bool ends(const Place& place) {
  if (goes_on_in_lower_case(without_opening(place.after))) return false;
  if (is_enumerator(place.before)) return false;
  if (place.after.starts_with('(') && place.quoted) return false;
  if (place.terminator == '.' && !place.several) {
    if (const std::optional<bool> goes_on = goes_on_after_word(place)) return !*goes_on;
    return true;
  }
  const bool ellipsis = place.terminator == kEllipsis || place.terminator == '.';
  if (ellipsis && is_digit(first_of(place.after))) return false;
  return ellipsis || !is_said_by_somebody(place);
}

// "[12]", of encyclopedias
std::size_t reference_at(std::string_view text) {
  if (!text.starts_with('[')) return 0;
  const std::size_t end = text.substr(0, 6).find(']');
  const bool short_one = end != std::string_view::npos && end > 1 && end <= 5;
  if (!short_one) return 0;
  const bool digits = std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(end),
                                  [](char c) { return c >= '0' && c <= '9'; });
  return digits ? end + 1 : 0;
}

// Reads on from a terminator at `at`: the others behind it and what closes. Moves `at` past them.
Place read_place(std::string_view line, std::size_t& at) {
  Place place;
  place.terminator = next_code_point(line, at);
  while (at < line.size()) {
    std::size_t next = at;
    const char32_t c = next_code_point(line, next);
    if (is_terminator(c)) {
      place.several = true;
      if (c == '?' || c == '!') place.terminator = c;
    } else if (const std::size_t reference = reference_at(line.substr(at))) {
      next = at + reference;
    } else if (closes(c)) {
      place.quoted = place.quoted || is_quote(c);
    } else {
      break;
    }
    at = next;
  }
  return place;
}

// `line` has single blanks.
void split_line(std::string_view line, std::vector<std::string>& sentences) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t next = at;
    const char32_t c = next_code_point(line, next);
    if (!is_terminator(c)) {
      at = next;
      continue;
    }
    Place place = read_place(line, at);
    const bool wide = is_wide_terminator(c);
    if (at == line.size() || (line[at] != ' ' && !wide)) continue;
    const std::size_t rest = at + (line[at] == ' ' ? 1 : 0);
    place.before = line.substr(begin, at - begin);
    place.word = without_opening(last_word(line.substr(begin, next - begin)));
    place.after = line.substr(rest);
    if (!wide && !ends(place)) continue;
    sentences.emplace_back(line.substr(begin, at - begin));
    begin = at = rest;
  }
  if (begin < line.size()) sentences.emplace_back(line.substr(begin));
}

}  // namespace

std::vector<std::string> split_sentences(std::string_view text) {
  std::vector<std::string> sentences;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    split_line(tidy(text.substr(0, end)), sentences);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return sentences;
}

namespace {

// Of evidence, a model of the default size reads 60 pieces, with the title and some words of its
// own. A part has half of the room that is left at least, so that it still says something.
constexpr std::size_t kRoom = 44;
constexpr std::size_t kLeast = 14;

// About how many pieces a word has: rare and long ones have several, each sign is one.
std::size_t about_pieces(std::string_view word) {
  const auto is_sign = [](char c) { return is_ascii_punctuation(static_cast<unsigned char>(c)); };
  const auto signs = static_cast<std::size_t>(std::count_if(word.begin(), word.end(), is_sign));
  return signs + (word.size() > signs ? 1 + (word.size() - signs) / 9 : 0);
}

// How good it is to cut between two words: 0 where it is no clause's border.
int border(std::string_view before, std::string_view after) {
  static const Words kJoining{"and",   "but",      "or",     "which",   "who",  "where",   "while",
                              "when",  "although", "though", "because", "so",   "whereas", "with",
                              "after", "before",   "until",  "if",      "that", "as"};
  if (before.ends_with(';') || before.ends_with(':') || before == "–" || before == "—") return 4;
  if (before.ends_with(',')) return kJoining.contains(after) ? 3 : 2;
  return kJoining.contains(after) ? 1 : 0;
}

}  // namespace

std::vector<std::string> split_long_sentence(std::string_view sentence) {
  const std::vector<std::string_view> words = split_whitespace(sentence);
  std::vector<std::size_t> sums{0};  // pieces before each word
  for (const std::string_view word : words) sums.push_back(sums.back() + about_pieces(word));
  std::vector<std::string> parts;
  const auto part = [&](std::size_t first, std::size_t last) {
    const char* begin = words[first].data();
    const char* end = words[last - 1].data() + words[last - 1].size();
    parts.emplace_back(begin, static_cast<std::size_t>(end - begin));
  };
  std::size_t first = 0;
  while (sums.back() - sums[first] > kRoom) {
    std::size_t best = 0;
    int best_border = -1;
    for (std::size_t i = first + 1; i < words.size() && sums[i] - sums[first] <= kRoom; ++i) {
      const bool enough = sums[i] - sums[first] >= kLeast && sums.back() - sums[i] >= kLeast;
      const int here = enough ? border(words[i - 1], words[i]) : 0;
      if (here >= best_border) {
        best = i;
        best_border = here;
      }
    }
    if (best == 0) best = first + 1;  // a single word without an end
    part(first, best);
    first = best;
  }
  if (first < words.size()) part(first, words.size());
  return parts;
}

}  // namespace memmatch::text
