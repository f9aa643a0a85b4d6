#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Words of an English sentence that state a fact, and what happens to the sentence where the fact
// is another one. Good enough to make training examples from; nothing else relies on it.

namespace memmatch::text {

struct Fact {
  std::string kind;  // "year", "number", "month", …, or "name after in": the word before it
  std::string text;  // as it stands in the sentence

  friend bool operator==(const Fact&, const Fact&) = default;
};

// In the sentence's order: years, numbers, words of a kind of which there are but few (months,
// nationalities, occupations, …), and names, which are words with capitals. A name that begins the
// sentence is what it is about, and left alone.
std::vector<Fact> facts_in(std::string_view sentence);

// All words of a fact's kind; empty for years, numbers and names.
std::span<const std::string_view> words_of_kind(std::string_view kind);

// Whether the words occur, as whole words.
bool says(std::string_view text, std::string_view words);

// With `others` wherever `words` occur as whole words, and "a" or "an" before them as it has to be.
std::string exchange(std::string_view text, std::string_view words, std::string_view others);

// Without the fact, where it can be left out and what remains is still a sentence: with the
// preposition before it, or by itself where it is an adjective. A month that a day or a year
// follows cannot.
std::optional<std::string> leave_out(std::string_view text, const Fact& fact);

}  // namespace memmatch::text
