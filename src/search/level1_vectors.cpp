#include "search/level1_vectors.h"

#include <algorithm>

#include "base/float16.h"

namespace memmatch::search {
namespace {

// Enough to keep all workers busy; little enough to lose, and to hold in memory.
constexpr std::size_t kSentencesTogether = 1024;

}  // namespace

Level1Vectors::Level1Vectors(Datastore& store, Network& network, bool read_only)
    : store_(store), network_(network), read_only_(read_only), set_(find_set()) {}

std::int64_t Level1Vectors::dimension() const {
  return static_cast<std::int64_t>(network_.dimension());
}

// Asked every time: another process may make the set while this one runs, or make it anew.
std::optional<VectorSet> Level1Vectors::find_set() {
  return store_.vector_set(network_.vector_fingerprint(), dimension());
}

void Level1Vectors::need(std::span<const SentenceId> ids) {
  sources_.clear();
  fresh_ids_.clear();
  fresh_.clear();
  set_ = find_set();
  std::vector<SentenceId> missing;
  for (const SentenceId id : ids) {
    if (!set_ || !store_.read_vector(*set_, id, half_)) missing.push_back(id);
  }
  if (missing.empty()) return;
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  sources_ = store_.vector_sources(missing);
  fresh_ = encode(sources_);
  for (const VectorSource& source : sources_) fresh_ids_.push_back(source.id);
}

void Level1Vectors::keep() {
  if (sources_.empty() || read_only_) return;
  store_.try_write_vectors(network_.vector_fingerprint(), dimension(), sources_, fresh_);
  sources_.clear();
}

bool Level1Vectors::find(SentenceId id, std::span<float> vector) {
  const auto fresh = std::lower_bound(fresh_ids_.begin(), fresh_ids_.end(), id);
  std::span<const std::uint16_t> half = half_;
  if (fresh != fresh_ids_.end() && *fresh == id) {
    const auto row = static_cast<std::size_t>(fresh - fresh_ids_.begin());
    half = std::span(fresh_).subspan(row * network_.dimension(), network_.dimension());
  } else if (!set_ || !store_.read_vector(*set_, id, half_)) {
    return false;
  }
  std::transform(half.begin(), half.end(), vector.begin(), float_from_half);
  return true;
}

std::vector<std::uint16_t> Level1Vectors::encode(std::span<const VectorSource> sources) {
  const SequenceWriter& writer = network_.writer();
  std::vector<std::uint16_t> halves;
  halves.reserve(sources.size() * network_.dimension());
  for (std::size_t begin = 0; begin < sources.size(); begin += kSentencesTogether) {
    Batch batch;
    for (const VectorSource& s :
         sources.subspan(begin, std::min(kSentencesTogether, sources.size() - begin))) {
      batch.add(writer.level1_support(writer.evidence_part(s.title, s.number, s.text)));
    }
    const Vectors vectors = network_.encode(batch, 1);
    for (const float value : vectors.values()) halves.push_back(half_from_float(value));
  }
  return halves;
}

VectorSet Level1Vectors::make_set() {
  return store_.make_vector_set(network_.vector_fingerprint(), dimension());
}

std::uint64_t Level1Vectors::index_all(const ProgressCallback& progress) {
  const VectorSet set = make_set();
  Progress state{0, store_.count_without_vector(set)};
  SentenceId last = 0;
  while (true) {
    const auto sources = store_.without_vector(set, last, static_cast<int>(kSentencesTogether));
    if (sources.empty()) return state.done;
    store_.write_vectors(set, sources, encode(sources));
    last = sources.back().id;
    state.done += sources.size();
    if (progress) progress(state);
  }
}

std::uint64_t Level1Vectors::index(std::span<const SentenceId> ids,
                                   const ProgressCallback& progress) {
  const VectorSet set = make_set();
  std::vector<SentenceId> missing;
  for (const SentenceId id : ids) {
    if (!store_.read_vector(set, id, half_)) missing.push_back(id);
  }
  Progress state{0, missing.size()};
  for (std::size_t begin = 0; begin < missing.size(); begin += kSentencesTogether) {
    const auto some =
        std::span(missing).subspan(begin, std::min(kSentencesTogether, missing.size() - begin));
    const std::vector<VectorSource> sources = store_.vector_sources(some);
    store_.write_vectors(set, sources, encode(sources));
    state.done += some.size();
    if (progress) progress(state);
  }
  return missing.size();
}

}  // namespace memmatch::search
