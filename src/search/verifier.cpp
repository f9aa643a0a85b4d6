#include "memmatch/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "base/memory.h"
#include "memmatch/error.h"
#include "search/given.h"
#include "search/store_matrix.h"
#include "search/verdicts.h"

namespace memmatch {

using search::Decision;
using search::Query;

namespace {

// Claims that go through the levels together. They see one state of the datastore, whoever writes
// to it meanwhile.
constexpr std::size_t kClaimsTogether = 32;

// Of claims that bring their evidence, also limited by it; a single claim may have more.
constexpr std::size_t kSentencesTogether = 1024;

// Over the whole datastore, shared words are looked for in this many times k1 sentences.
constexpr std::size_t kWiderForWords = 4;

class Stopwatch {
 public:
  // Seconds since the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void check_options(const SearchOptions& options) {
  const auto check = [](const char* name, int value, int least) {
    if (value >= least && value <= search::kLargestBeam) return;
    throw Error(ErrorKind::invalid_argument, fmt::format("{} is {}; it must be from {} to {}", name,
                                                         value, least, search::kLargestBeam));
  };
  check("k1", options.k1, 1);
  check("z", options.z, 0);
}

int thread_count(int threads) {
  return threads > 0 ? threads
                     : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

// Why the whole datastore cannot be searched.
std::string too_large(std::uint64_t needed, std::uint64_t allowed) {
  return fmt::format(
      "the whole datastore cannot be searched: its vectors take {} bytes in memory, and {} are "
      "allowed (--memory-limit)",
      needed, allowed);
}

std::vector<SentenceId> candidate_ids(Datastore& store, std::string_view claim, Candidates which) {
  std::vector<SentenceId> ids;
  for (const Candidate& candidate : store.candidates(claim, which).sentences)
    ids.push_back(candidate.id);
  return ids;
}

CandidateOrigin origin_of(Candidates candidates, bool none_found) {
  if (candidates == Candidates::all) return CandidateOrigin::all;
  if (none_found) return CandidateOrigin::fallback;
  if (candidates == Candidates::cover) return CandidateOrigin::cover;
  return candidates == Candidates::words ? CandidateOrigin::words : CandidateOrigin::automatic;
}

// Why a claim has no candidates, for people.
std::string_view nothing_found(Datastore& store, Candidates candidates) {
  if (candidates == Candidates::cover) return "the claim names no title of the datastore";
  if (!store.has_words()) {
    return "the claim names no title, and the datastore has no index of words: 'memmatch index' "
           "makes one";
  }
  return "no sentence shares a word with the claim";
}

}  // namespace

std::string_view name_of(CandidateOrigin origin) {
  switch (origin) {
    case CandidateOrigin::automatic:
      return "auto";
    case CandidateOrigin::cover:
      return "cover";
    case CandidateOrigin::words:
      return "words";
    case CandidateOrigin::all:
      return "all";
    case CandidateOrigin::fallback:
      return "fallback";
    case CandidateOrigin::given:
      break;
  }
  return "given";
}

std::optional<double> Verdict::level2_distance() const {
  return evidence.empty() ? std::nullopt : std::optional(evidence.front().level2_distance);
}

std::optional<double> Verdict::level3_distance() const {
  return label_distances[static_cast<std::size_t>(model_label())];
}

namespace {

// What a Verifier has with a datastore only.
struct Stored {
  Stored(Datastore opened, search::Network& network, bool read_only)
      : store(std::move(opened)), vectors(store, network, read_only) {}

  Datastore store;
  search::Level1Vectors vectors;
  search::StoreMatrix matrix;
};

std::optional<Datastore> open_store(const std::filesystem::path& file, bool read_only) {
  return Datastore::open(file, read_only ? Datastore::Access::read : Datastore::Access::write);
}

}  // namespace

struct Verifier::Impl {
  Impl(std::optional<Datastore> store, const std::filesystem::path& model,
       const Settings& settings_given)
      : settings(settings_given),
        threads(thread_count(settings.threads)),
        memory_limit(settings.memory_limit > 0 ? settings.memory_limit : machine_memory() / 2),
        network(load_model(model),
                settings.int8 ? engine::Precision::int8 : engine::Precision::fp32, threads) {
    if (store) with_store.emplace(std::move(*store), network, settings.read_only);
  }

  Stored& stored() {
    if (with_store) return *with_store;
    throw Error(ErrorKind::invalid_argument,
                "there is no datastore: the verifier was opened with a model alone");
  }

  void find_candidates(std::span<Query> queries, const SearchOptions& options,
                       std::span<Verdict> verdicts);
  void search_whole_store(std::span<Query> queries, std::span<const std::size_t> which,
                          const SearchOptions& options, std::span<Verdict> verdicts);
  void note_documents(Verdict& verdict);
  std::vector<std::vector<Verdict>> sweep(std::span<const std::string> claims,
                                          std::span<const SweepCell> cells,
                                          const SearchOptions& options);

  Settings settings;
  int threads;
  std::uint64_t memory_limit;
  search::Network network;
  std::optional<Stored> with_store;
};

// Level 1 over each claim's candidates, or over everything.
void Verifier::Impl::find_candidates(std::span<Query> queries, const SearchOptions& options,
                                     std::span<Verdict> verdicts) {
  Stopwatch watch;
  std::vector<std::vector<SentenceId>> candidates(queries.size());
  std::vector<std::size_t> whole;  // claims that look at the whole store
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (options.candidates != Candidates::all)
      candidates[i] = candidate_ids(stored().store, queries[i].claim, options.candidates);
    verdicts[i].candidates = candidates[i].size();
    verdicts[i].origin = origin_of(options.candidates, candidates[i].empty());
    if (candidates[i].empty()) whole.push_back(i);
  }
  const double share = 1 / static_cast<double>(queries.size());
  const double cover_time = watch.lap() * share;
  search::level1(network, stored().vectors, stored().store, queries, candidates,
                 static_cast<std::size_t>(options.k1));
  if (!whole.empty()) search_whole_store(queries, whole, options, verdicts);
  const double level1_time = watch.lap() * share;
  for (Verdict& verdict : verdicts) {
    verdict.times.cover = cover_time;
    verdict.times.level1 = level1_time;
  }
}

// A claim that just happens to have no candidates is told where the datastore is too large; who
// asks for all of it gets an error.
void Verifier::Impl::search_whole_store(std::span<Query> queries,
                                        std::span<const std::size_t> which,
                                        const SearchOptions& options, std::span<Verdict> verdicts) {
  Stored& from = stored();
  const std::optional<VectorSet> set = from.vectors.find_set();
  if (!set) {
    if (options.candidates == Candidates::all) {
      throw Error(ErrorKind::invalid_argument,
                  "the whole datastore cannot be searched: none of its sentences is indexed with "
                  "this model and precision; run 'memmatch index' first");
    }
    for (const std::size_t i : which)
      verdicts[i].warnings.emplace_back(nothing_found(from.store, options.candidates));
    return;
  }
  const std::uint64_t needed = from.matrix.refresh(from.store, *set, memory_limit);
  if (needed > memory_limit) {
    const std::string message = too_large(needed, memory_limit);
    if (options.candidates == Candidates::all) throw Error(ErrorKind::invalid_argument, message);
    for (const std::size_t i : which) {
      verdicts[i].warnings.push_back(
          fmt::format("{}; {}", nothing_found(from.store, options.candidates), message));
    }
    return;
  }
  std::vector<Query> some;
  for (const std::size_t i : which) some.push_back(queries[i]);
  const auto k1 = static_cast<std::size_t>(options.k1);
  const std::size_t wider = network.search().word_credit[0] > 0 ? kWiderForWords * k1 : k1;
  const search::Vectors claims = search::level1_queries(network, some);
  auto nearest = from.matrix.nearest(claims.values(), wider, threads);
  for (std::size_t n = 0; n < which.size(); ++n) {
    search::set_beam1(queries[which[n]], std::move(nearest[n]), from.store, network, k1);
    verdicts[which[n]].candidates = from.matrix.rows();
  }
}

// What only the datastore knows of the evidence.
void Verifier::Impl::note_documents(Verdict& verdict) {
  for (Evidence& evidence : verdict.evidence) {
    if (const std::optional<Sentence> sentence = stored().store.sentence(evidence.id)) {
      evidence.edited = sentence->edited();
      evidence.raw_title = stored().store.document_of(*sentence).raw_title;
    }
  }
}

std::vector<std::vector<Verdict>> Verifier::Impl::sweep(std::span<const std::string> claims,
                                                        std::span<const SweepCell> cells,
                                                        const SearchOptions& options) {
  const double network_before = network.seconds();
  std::optional<Datastore::Snapshot> one_state = stored().store.snapshot();
  std::vector<Query> queries;
  for (const std::string& claim : claims) queries.push_back(search::make_query(network, claim));
  std::vector<Verdict> found(claims.size());
  find_candidates(queries, options, found);
  Stopwatch watch;
  const double share = 1 / static_cast<double>(claims.size());
  search::level2(network, queries, options.difference);
  const double level2_time = watch.lap() * share;
  search::Decisions decisions(queries, cells);
  search::decide(network, decisions.distinct, options);
  const double level3_time = watch.lap() * share;
  const double network_time = (network.seconds() - network_before) * share;

  std::vector<std::vector<Verdict>> verdicts(claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) {
    found[i].times.level2 = level2_time;
    found[i].times.level3 = level3_time;
    found[i].times.network = network_time;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      SearchOptions of_cell = options;
      of_cell.k1 = cells[cell].k1;
      Verdict& verdict = verdicts[i].emplace_back(found[i]);
      const Decision& decision = decisions.distinct[decisions.of_cell[i][cell]];
      search::fill(verdict, network, queries[i], decision, of_cell);
      note_documents(verdict);
    }
  }
  one_state.reset();
  stored().vectors.keep();
  return verdicts;
}

Verifier::Verifier(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Verifier::Verifier(Verifier&&) noexcept = default;
Verifier& Verifier::operator=(Verifier&&) noexcept = default;
Verifier::~Verifier() = default;

Verifier Verifier::open(const std::filesystem::path& store, const std::filesystem::path& model,
                        const Settings& settings) {
  return Verifier(std::make_unique<Impl>(open_store(store, settings.read_only), model, settings));
}

Verifier Verifier::open(const std::filesystem::path& model, const Settings& settings) {
  return Verifier(std::make_unique<Impl>(std::nullopt, model, settings));
}

Verdict Verifier::verify(std::string_view claim, const SearchOptions& options) {
  const std::string text(claim);
  return std::move(verify(std::span(&text, 1), options).front());
}

std::vector<Verdict> Verifier::verify(std::span<const std::string> claims,
                                      const SearchOptions& options) {
  const SweepCell cell{options.k1, options.z};
  std::vector<Verdict> verdicts;
  for (std::vector<Verdict>& one : sweep(claims, std::span(&cell, 1), options))
    verdicts.push_back(std::move(one.front()));
  return verdicts;
}

std::vector<std::vector<Verdict>> Verifier::sweep(std::span<const std::string> claims,
                                                  std::span<const SweepCell> cells,
                                                  const SearchOptions& options) {
  SearchOptions widest = options;
  widest.k1 = 0;
  widest.difference = options.difference && cells.size() == 1;
  for (const SweepCell& cell : cells) {
    check_options({.k1 = cell.k1, .z = cell.z});
    if (cell.z == 0 && cells.size() > 1)
      throw Error(ErrorKind::invalid_argument, "z is 0; in a sweep it must be at least 1");
    widest.k1 = std::max(widest.k1, cell.k1);
    widest.z = cell.z;
  }
  std::vector<std::vector<Verdict>> verdicts;
  for (std::size_t begin = 0; begin < claims.size(); begin += kClaimsTogether) {
    const auto some = claims.subspan(begin, std::min(kClaimsTogether, claims.size() - begin));
    for (std::vector<Verdict>& one : impl_->sweep(some, cells, widest))
      verdicts.push_back(std::move(one));
  }
  return verdicts;
}

std::vector<Verdict> Verifier::verify_given(std::span<const std::string> claims,
                                            std::span<const std::vector<GivenEvidence>> evidence,
                                            const SearchOptions& options) {
  if (claims.size() != evidence.size()) {
    throw Error(ErrorKind::invalid_argument, "claims and given evidence differ in number");
  }
  std::vector<Verdict> verdicts;
  for (std::size_t begin = 0; begin < claims.size();) {
    std::size_t count = 1;
    std::size_t sentences = evidence[begin].size();
    while (count < kClaimsTogether && begin + count < claims.size()) {
      sentences += evidence[begin + count].size();
      if (sentences > kSentencesTogether) break;
      ++count;
    }
    for (Verdict& one : search::verify_given(impl_->network, claims.subspan(begin, count),
                                             evidence.subspan(begin, count), options))
      verdicts.push_back(std::move(one));
    begin += count;
  }
  return verdicts;
}

std::vector<GivenEvidence> Verifier::sentences_of(const GivenEvidence& text) const {
  return search::sentences_of(impl_->network.writer(), text);
}

std::uint64_t Verifier::index(const ProgressCallback& progress) {
  return impl_->stored().vectors.index_all(progress);
}

std::uint64_t Verifier::index_reach_of(std::span<const std::string> claims,
                                       const ProgressCallback& progress) {
  std::set<SentenceId> ids;
  for (const std::string& claim : claims) {
    for (const SentenceId id : candidate_ids(impl_->stored().store, claim, Candidates::automatic))
      ids.insert(id);
  }
  return impl_->stored().vectors.index(std::vector<SentenceId>(ids.begin(), ids.end()), progress);
}

void Verifier::index_sentences(std::span<const SentenceId> ids) {
  impl_->stored().vectors.need(ids);
  impl_->stored().vectors.keep();
}

IndexState Verifier::index_state() {
  Datastore& store = impl_->stored().store;
  IndexState state;
  // Of a set with the id 0 nobody has a vector.
  state.missing =
      store.count_without_vector(impl_->stored().vectors.find_set().value_or(VectorSet{}));
  const DatastoreStats stats = store.stats();
  state.indexed = stats.sentences - stats.blank_sentences - state.missing;
  state.bytes = state.indexed * impl_->network.dimension() * sizeof(std::uint16_t);
  return state;
}

bool Verifier::has_vectors() { return impl_->stored().vectors.find_set().has_value(); }

bool Verifier::has_vectors_of_others() {
  return impl_->stored().store.vector_sets().size() > (has_vectors() ? 1U : 0U);
}

const ContentHash& Verifier::fingerprint() const { return impl_->network.fingerprint(); }

const ContentHash& Verifier::model_fingerprint() const {
  return impl_->network.model_fingerprint();
}

const Verifier::Settings& Verifier::settings() const { return impl_->settings; }

Datastore& Verifier::store() { return impl_->stored().store; }

search::Network& Verifier::network() { return impl_->network; }

}  // namespace memmatch
