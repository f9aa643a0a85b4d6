#include "cli/suggest.h"

#include <fmt/format.h>

#include "memmatch/datastore.h"
#include "memmatch/error.h"
#include "store/title_search.h"
#include "text/similarity.h"
#include "text/titles.h"

namespace memmatch::cli {
namespace {

// Below that, a suggestion is a guess.
constexpr double kLeastSimilarity = 0.7;

std::string_view without_dashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

bool is_there(Datastore& store, const std::string& title) {
  try {
    store.find_document(title);
    return true;
  } catch (const Error& error) {
    return error.kind() != ErrorKind::not_found;
  }
}

// Without its last character.
std::string_view shortened(std::string_view text) {
  std::size_t size = text.size();
  do {
    --size;
  } while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80);
  return text.substr(0, size);
}

}  // namespace

std::string suggestion(std::string_view given, const std::vector<std::string>& names) {
  double best = kLeastSimilarity;
  std::string nearest;
  for (const std::string& name : names) {
    const double similarity = text::similarity(without_dashes(given), without_dashes(name), best);
    if (similarity <= best) continue;
    best = similarity;
    nearest = name;
  }
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

std::string title_suggestion(const std::filesystem::path& file, const std::string& title) {
  constexpr int kTitlesToCompare = 200;
  Datastore store = Datastore::open(file, Datastore::Access::read);
  if (is_there(store, title)) return {};
  store::TitleSearch search(file);
  const std::string key = text::match_key(title);
  for (std::string_view prefix = title; !prefix.empty(); prefix = shortened(prefix)) {
    double best = kLeastSimilarity;
    std::string nearest;
    for (const Document& document : search.find(prefix, kTitlesToCompare)) {
      const double similarity = text::similarity(key, document.match_key, best);
      if (similarity <= best) continue;
      best = similarity;
      nearest = document.title;
    }
    if (!nearest.empty()) return fmt::format("; did you mean '{}'?", nearest);
  }
  return {};
}

}  // namespace memmatch::cli
