#include "memmatch/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "memmatch/error.h"
#include "search/levels.h"
#include "search/store_matrix.h"
#include "text/unicode.h"

namespace memmatch {

using search::Decision;
using search::Query;
using search::Ranked;

namespace {

// Claims that go through the levels together. They see one state of the datastore, whoever writes
// to it meanwhile.
constexpr std::size_t kClaimsTogether = 32;

constexpr int kLargestBeam = 10'000;

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
    if (value >= least && value <= kLargestBeam) return;
    throw Error(ErrorKind::invalid_argument, fmt::format("{} is {}; it must be from {} to {}", name,
                                                         value, least, kLargestBeam));
  };
  check("k1", options.k1, 1);
  check("z", options.z, 0);
}

int thread_count(int threads) {
  return threads > 0 ? threads
                     : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

std::string_view name_of(CandidateOrigin origin) {
  switch (origin) {
    case CandidateOrigin::cover:
      return "cover";
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

struct Verifier::Impl {
  Impl(const std::filesystem::path& store_file, const std::filesystem::path& model_folder,
       const Settings& settings)
      : store(Datastore::open(
            store_file, settings.read_only ? Datastore::Access::read : Datastore::Access::write)),
        threads(thread_count(settings.threads)),
        network(load_model(model_folder),
                settings.int8 ? engine::Precision::int8 : engine::Precision::fp32, threads),
        vectors(store, network, settings.read_only) {}

  std::vector<Query> start(std::span<const std::string> claims) const;
  void find_candidates(std::span<Query> queries, const SearchOptions& options,
                       std::span<Verdict> verdicts);
  void search_whole_store(std::span<Query> queries, std::span<const std::size_t> which,
                          const SearchOptions& options, std::span<Verdict> verdicts);
  void fill(Verdict& verdict, const Query& query, const Decision& decision,
            const SearchOptions& options);
  std::vector<std::vector<Verdict>> sweep(std::span<const std::string> claims,
                                          std::span<const SweepCell> cells,
                                          const SearchOptions& options);

  Datastore store;
  int threads;
  search::Network network;
  search::Level1Vectors vectors;
  search::StoreMatrix matrix;
};

std::vector<Query> Verifier::Impl::start(std::span<const std::string> claims) const {
  std::vector<Query> queries;
  for (const std::string& claim : claims) {
    Query query;
    query.claim = text::tidy(claim);
    if (query.claim.empty()) throw Error(ErrorKind::invalid_argument, "the claim is empty");
    query.words = text::SharedWords(query.claim);
    query.pieces = network.writer().claim_part(query.claim);
    queries.push_back(std::move(query));
  }
  return queries;
}

// Level 1 over each claim's cover, or over everything.
void Verifier::Impl::find_candidates(std::span<Query> queries, const SearchOptions& options,
                                     std::span<Verdict> verdicts) {
  Stopwatch watch;
  std::vector<std::vector<SentenceId>> candidates(queries.size());
  std::vector<std::size_t> whole;  // claims that look at the whole store
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (!options.all) {
      for (const Candidate& candidate : store.cover(queries[i].claim).sentences)
        candidates[i].push_back(candidate.id);
    }
    verdicts[i].candidates = candidates[i].size();
    if (!candidates[i].empty()) continue;
    verdicts[i].origin = options.all ? CandidateOrigin::all : CandidateOrigin::fallback;
    whole.push_back(i);
  }
  const double share = 1 / static_cast<double>(queries.size());
  const double cover_time = watch.lap() * share;
  search::level1(network, vectors, store, queries, candidates,
                 static_cast<std::size_t>(options.k1));
  if (!whole.empty()) search_whole_store(queries, whole, options, verdicts);
  const double level1_time = watch.lap() * share;
  for (Verdict& verdict : verdicts) {
    verdict.times.cover = cover_time;
    verdict.times.level1 = level1_time;
  }
}

void Verifier::Impl::search_whole_store(std::span<Query> queries,
                                        std::span<const std::size_t> which,
                                        const SearchOptions& options, std::span<Verdict> verdicts) {
  if (!vectors.set()) return;  // nothing is indexed: no candidates
  matrix.refresh(store, *vectors.set());
  std::vector<Query> some;
  for (const std::size_t i : which) some.push_back(queries[i]);
  const auto k1 = static_cast<std::size_t>(options.k1);
  const std::size_t wider = network.search().word_credit[0] > 0 ? kWiderForWords * k1 : k1;
  auto nearest = matrix.nearest(search::level1_queries(network, some), wider, threads);
  for (std::size_t n = 0; n < which.size(); ++n) {
    search::set_beam1(queries[which[n]], std::move(nearest[n]), store, network, k1);
    verdicts[which[n]].candidates = matrix.rows();
  }
}

void Verifier::Impl::fill(Verdict& verdict, const Query& query, const Decision& decision,
                          const SearchOptions& options) {
  verdict.claim = query.claim;
  verdict.label_distances = decision.distances;
  verdict.label = search::nearest_label(decision.distances);
  std::map<std::size_t, double> level2_distances;
  for (const Ranked& ranked : query.beam2)
    level2_distances[static_cast<std::size_t>(ranked.id)] = ranked.distance;
  std::vector<SequenceWriter::Pieces> parts;
  for (const std::size_t i : decision.evidence) parts.push_back(query.beam1[i].pieces);
  const std::vector<std::int64_t> seen =
      network.writer().pieces_seen(verdict.label, query.pieces, parts);
  for (std::size_t n = 0; n < decision.evidence.size(); ++n) {
    const std::size_t rank = decision.evidence[n];
    const search::Support& support = query.beam1[rank];
    Evidence evidence;
    evidence.id = support.source.id;
    evidence.title = support.source.title;
    evidence.number = support.source.number;
    evidence.text = support.source.text;
    evidence.level1_rank = static_cast<int>(rank);
    evidence.level1_distance = support.level1_distance;
    evidence.shared_letters = support.shared_letters;
    evidence.level2_distance = level2_distances.at(rank);
    evidence.pieces = static_cast<int>(support.pieces.size());
    evidence.pieces_seen = static_cast<int>(seen[n]);
    if (const std::optional<Sentence> sentence = store.sentence(evidence.id)) {
      evidence.edited = sentence->edited();
      evidence.raw_title = store.document_of(*sentence).raw_title;
    }
    verdict.evidence.push_back(std::move(evidence));
  }
  verdict.difference = query.difference;
  verdict.difference.insert(verdict.difference.end(), decision.difference.begin(),
                            decision.difference.end());
  if (!options.explain) return;
  // The search may have been wider than these options, for other cells of a sweep.
  const auto k1 = std::min(query.beam1.size(), static_cast<std::size_t>(options.k1));
  verdict.beams.emplace();
  for (const search::Support& s : std::span(query.beam1).first(k1))
    verdict.beams->level1.push_back(
        {s.source.id, s.level1_distance, network.search().word_credit[0] * s.shared_letters});
  for (const Ranked& ranked : query.beam2) {
    const auto rank = static_cast<std::size_t>(ranked.id);
    if (rank < k1)
      verdict.beams->level2.push_back(
          {query.beam1[rank].source.id, ranked.distance, ranked.credit});
  }
}

namespace {

// The evidence of a cell: of the k1 nearest at level 1, the z nearest at level 2.
std::vector<std::size_t> evidence_of(const Query& query, const SweepCell& cell) {
  std::vector<std::size_t> evidence;
  for (const Ranked& ranked : query.beam2) {
    if (ranked.id >= cell.k1) continue;
    if (evidence.size() == static_cast<std::size_t>(cell.z)) break;
    evidence.push_back(static_cast<std::size_t>(ranked.id));
  }
  return evidence;
}

// One decision for each distinct set of evidence; cells often share one.
struct Decisions {
  std::vector<Decision> distinct;
  std::vector<std::vector<std::size_t>> of_cell;  // by claim and cell, indexes into `distinct`

  Decisions(std::span<const Query> queries, std::span<const SweepCell> cells) {
    for (const Query& query : queries) {
      std::map<std::vector<std::size_t>, std::size_t> known;
      std::vector<std::size_t>& indexes = of_cell.emplace_back();
      for (const SweepCell& cell : cells) {
        std::vector<std::size_t> evidence = evidence_of(query, cell);
        const auto [entry, is_new] = known.emplace(evidence, distinct.size());
        if (is_new) distinct.push_back({&query, std::move(evidence), {}, {}});
        indexes.push_back(entry->second);
      }
    }
  }
};

// Claims without any evidence are not decided, unless none was asked for.
void decide(search::Network& network, std::vector<Decision>& decisions,
            const SearchOptions& options) {
  if (options.evidence_alone) return;
  const auto is_decided = [&](const Decision& decision) {
    return options.z == 0 || !decision.evidence.empty();
  };
  std::vector<Decision> decided;
  std::copy_if(decisions.begin(), decisions.end(), std::back_inserter(decided), is_decided);
  search::level3(network, decided, options.two_class, options.difference);
  std::size_t next = 0;
  for (Decision& decision : decisions) {
    if (is_decided(decision)) decision = std::move(decided[next++]);
  }
}

}  // namespace

std::vector<std::vector<Verdict>> Verifier::Impl::sweep(std::span<const std::string> claims,
                                                        std::span<const SweepCell> cells,
                                                        const SearchOptions& options) {
  const double network_before = network.seconds();
  std::optional<Datastore::Snapshot> one_state = store.snapshot();
  std::vector<Query> queries = start(claims);
  std::vector<Verdict> found(claims.size());
  find_candidates(queries, options, found);
  Stopwatch watch;
  const double share = 1 / static_cast<double>(claims.size());
  search::level2(network, queries, options.difference);
  const double level2_time = watch.lap() * share;
  Decisions decisions(queries, cells);
  decide(network, decisions.distinct, options);
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
      fill(verdict, queries[i], decisions.distinct[decisions.of_cell[i][cell]], of_cell);
    }
  }
  one_state.reset();
  vectors.keep();
  return verdicts;
}

Verifier::Verifier(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Verifier::Verifier(Verifier&&) noexcept = default;
Verifier& Verifier::operator=(Verifier&&) noexcept = default;
Verifier::~Verifier() = default;

Verifier Verifier::open(const std::filesystem::path& store, const std::filesystem::path& model,
                        const Settings& settings) {
  return Verifier(std::make_unique<Impl>(store, model, settings));
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
                                            std::span<const GivenEvidence> evidence,
                                            const SearchOptions& options) {
  if (claims.size() != evidence.size()) {
    throw Error(ErrorKind::invalid_argument, "claims and given evidence differ in number");
  }
  search::Network& network = impl_->network;
  const std::size_t dimension = network.dimension();
  std::vector<Query> queries = impl_->start(claims);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const GivenEvidence& given = evidence[i];
    search::Support support;
    support.source = {0, given.title, given.number, text::tidy(given.text)};
    support.shared_letters = queries[i].words.letters(given.title, support.source.text);
    support.pieces = network.writer().evidence_part(given.title, given.number, support.source.text);
    queries[i].beam1.push_back(std::move(support));
  }
  const std::vector<float> claim_vectors = search::level1_queries(network, queries);
  for (const Query& query : queries)
    network.add(network.writer().level1_support(query.beam1[0].pieces));
  network.encode(1);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    queries[i].beam1[0].level1_distance = search::distance(
        std::span(claim_vectors).subspan(i * dimension, dimension), network.vector(i));
  }
  search::level2(network, queries, options.difference);
  const SweepCell cell{1, 1};
  Decisions decisions(queries, std::span(&cell, 1));
  decide(network, decisions.distinct, options);
  std::vector<Verdict> verdicts(claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) {
    verdicts[i].origin = CandidateOrigin::given;
    verdicts[i].candidates = 1;
    impl_->fill(verdicts[i], queries[i], decisions.distinct[decisions.of_cell[i][0]], options);
    verdicts[i].evidence.at(0).raw_title = evidence[i].raw_title;
  }
  return verdicts;
}

std::uint64_t Verifier::index(const ProgressCallback& progress) {
  return impl_->vectors.index_all(progress);
}

std::uint64_t Verifier::index_reach_of(std::span<const std::string> claims,
                                       const ProgressCallback& progress) {
  std::set<SentenceId> ids;
  for (const std::string& claim : claims) {
    for (const Candidate& candidate : impl_->store.cover(claim).sentences) ids.insert(candidate.id);
  }
  return impl_->vectors.index(std::vector<SentenceId>(ids.begin(), ids.end()), progress);
}

void Verifier::index_sentences(std::span<const SentenceId> ids) {
  impl_->vectors.need(ids);
  impl_->vectors.keep();
}

IndexState Verifier::index_state() {
  Datastore& store = impl_->store;
  IndexState state;
  // Of a set with the id 0 nobody has a vector.
  state.missing = store.count_without_vector(impl_->vectors.set().value_or(VectorSet{}));
  const DatastoreStats stats = store.stats();
  state.indexed = stats.sentences - stats.blank_sentences - state.missing;
  state.bytes = state.indexed * impl_->network.dimension() * sizeof(std::uint16_t);
  return state;
}

bool Verifier::has_vectors() { return impl_->vectors.set().has_value(); }

bool Verifier::has_vectors_of_others() {
  return impl_->store.vector_sets().size() > (has_vectors() ? 1U : 0U);
}

const ContentHash& Verifier::fingerprint() const { return impl_->network.fingerprint(); }

const ContentHash& Verifier::model_fingerprint() const {
  return impl_->network.model_fingerprint();
}

Datastore& Verifier::store() { return impl_->store; }

search::Network& Verifier::network() { return impl_->network; }

}  // namespace memmatch
