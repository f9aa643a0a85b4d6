// Title cover over 5.4 million titles, against the same over 57 thousand of them.

#include <vector>

#include "memmatch/datastore.h"
#include "support.h"

namespace memmatch::bench {
namespace {

constexpr std::uint64_t kFew = 57'000;
constexpr std::uint64_t kMany = 5'400'000;
constexpr int kClaims = 2'000;
constexpr int kRounds = 5;

// Titles of one to four words. Those beyond the first `kFew` end in a number of their own: they
// stand between the others in the index and begin as claims do, but no claim names them. So both
// stores give the same answers, and what is compared is the finding, not the fetching of more.
std::string title(Words& words, std::uint64_t number) {
  std::string text = words.next(400'000);
  for (std::uint64_t n = words.number(4); n > 0; --n) text += " " + words.next(400'000);
  const bool numbered = number >= kFew || words.number(3) > 0;
  return numbered ? fmt::format("{} {}", text, number) : text;
}

void build(const std::filesystem::path& file, std::uint64_t titles) {
  in_another_process([&] {
    Datastore store = Datastore::open(file, Datastore::Access::create);
    Datastore::Import import = store.begin_import();
    Words words(5);
    for (std::uint64_t i = 0; i < titles; ++i) {
      const std::string name = title(words, i);
      import.add({fmt::format("{}:{}", i, name), name, {
                    { 0,
                      "A sentence about " + name + "." }
                  }});
    }
    import.commit();
  });
}

// Claims name a title of the smaller store among other words.
std::vector<std::string> make_claims() {
  std::vector<std::string> titles;
  Words title_words(5);
  for (std::uint64_t i = 0; i < kFew; ++i) titles.push_back(title(title_words, i));
  std::vector<std::string> claims;
  Words words(9);
  for (int i = 0; i < kClaims; ++i) {
    std::string claim = titles[words.number(titles.size())];
    for (int n = 0; n < 7; ++n) claim += " " + words.next(400'000);
    claims.push_back(claim + ".");
  }
  return claims;
}

struct Result {
  double microseconds;
  double titles;
};

Result measure(Datastore& store, const std::vector<std::string>& claims) {
  std::uint64_t titles = 0;
  const double time = seconds([&] {
    for (const std::string& claim : claims) titles += store.cover(claim).documents.size();
  });
  const auto count = static_cast<double>(claims.size());
  return {1e6 * time / count, static_cast<double>(titles) / count};
}

void main_() {
  const Scratch scratch;
  build(scratch / "few", kFew);
  fmt::print("building a store of {} titles: {:.0f} s\n", kMany,
             seconds([&] { build(scratch / "many", kMany); }));
  const std::vector<std::string> claims = make_claims();
  Datastore few = Datastore::open(scratch / "few", Datastore::Access::read);
  Datastore many = Datastore::open(scratch / "many", Datastore::Access::read);
  Best best_few, best_many;
  Result result_few{}, result_many{};
  for (int round = 0; round < kRounds; ++round) {
    best_few.add((result_few = measure(few, claims)).microseconds);
    best_many.add((result_many = measure(many, claims)).microseconds);
  }
  fmt::print("{:>9} titles: {:6.1f} us and {:.1f} covered titles per claim\n", kFew, best_few.value,
             result_few.titles);
  fmt::print("{:>9} titles: {:6.1f} us and {:.1f} covered titles per claim\n", kMany,
             best_many.value, result_many.titles);
  print_ratio("cover over 5.4 million / 57 thousand titles", best_many.value / best_few.value, 3.0);
  fmt::print("peak resident memory: {:.0f} MB (at most 300)\n", peak_resident_mb());
}

}  // namespace
}  // namespace memmatch::bench

int main() { memmatch::bench::main_(); }
