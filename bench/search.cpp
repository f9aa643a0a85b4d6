// From claims to verdicts: the Verifier against the same search as research code does it on
// LibTorch. All contenders take turns in one run.

#include "data/claims.h"
#include "data/documents.h"
#include "data/import.h"
#include "memmatch/verifier.h"
#include "model/initialize.h"
#include "model/sequences.h"
#include "padded_bert.h"
#include "support.h"

namespace memmatch::bench {
namespace {

constexpr std::size_t kRounds = 5;         // each of a part of the claims
constexpr std::size_t kBaselineStep = 10;  // the baseline runs on every tenth claim
constexpr std::int64_t kTorchBatch = 32;
constexpr SearchOptions kOptions{.k1 = 30, .z = 3, .explain = true};

const std::filesystem::path kSource(MEMMATCH_SOURCE_DIR);
const std::filesystem::path kFever = shared_wiki_pages().parent_path();
const std::filesystem::path kEncoder = kSource / "build" / "encoders" / "minilm";

std::vector<std::string> read_claims(std::size_t count) {
  std::vector<std::string> claims;
  data::ClaimReader reader(kFever / "dev.jsonl");
  for (data::Claim claim; claims.size() < count && reader.next(claim);)
    claims.push_back(claim.text);
  return claims;
}

// MiniLM with memory layers of the default size, whose numbers are random: they decide what is
// found, but not how long it takes.
void make_model(const std::filesystem::path& folder, const std::vector<std::string>& claims) {
  ModelData model = load_model(kEncoder);
  MemoryVocabularyCounter counter(model.tokenizer);
  for (const std::string& claim : claims) counter.add_query(claim);
  add_memory(model, {}, counter.finish(7500), 1776);
  save_model(model, folder, {});
}

struct Files {
  Scratch scratch;
  std::filesystem::path store = scratch / "store";
  std::filesystem::path model = scratch / "model";
};

Verifier open(const Files& files, bool int8) {
  return Verifier::open(files.store, files.model, {.int8 = int8, .read_only = true});
}

void prepare(const Files& files, const std::vector<std::string>& claims) {
  make_model(files.model, claims);
  {
    Datastore store = Datastore::open(files.store, Datastore::Access::create);
    data::import_documents(
        *data::open_documents(data::DocumentFormat::fever_wiki, shared_wiki_pages()), store);
  }
  for (const bool int8 : {false, true}) {
    Verifier verifier = Verifier::open(files.store, files.model, {.int8 = int8});
    std::uint64_t made = 0;
    const double time = seconds([&] { made = verifier.index_reach_of(claims); });
    fmt::print("indexing {} sentences, {}: {:.0f} s\n", made, int8 ? "int8" : "fp32", time);
  }
}

void measure_memory(const Files& files, std::span<const std::string> claims) {
  Verifier verifier = open(files, true);
  verifier.verify(claims.first(claims.size() / 4), kOptions);
  const double early = peak_resident_mb();
  verifier.verify(claims.subspan(claims.size() / 4), kOptions);
  fmt::print("peak resident memory, int8: {:.0f} MB after {} claims, {:.0f} MB after {}\n", early,
             claims.size() / 4, peak_resident_mb(), claims.size());
}

// Of the sequences that a search encodes at each level, how many there are.
using Counts = std::array<double, 3>;

Counts sequences_of(const Verdict& verdict) {
  return {1, 1 + static_cast<double>(verdict.beams->level1.size()), 4};
}

// The same search on LibTorch, for some of the claims. Cover, level 1's look into the store and
// tokenising are done for it beforehand: its time is that of the network alone.
class Baseline {
 public:
  explicit Baseline(const Files& files)
      : model_(load_model(files.model)), writer_(model_), bert_(train::Twin(model_.weights)) {}

  void load(std::span<const Verdict> verdicts, Datastore& store) {
    verdicts_.clear();
    for (engine::PackedBatch& batch : batches_) batch.clear();
    for (std::size_t i = 0; i < verdicts.size(); i += kBaselineStep) {
      verdicts_.push_back(verdicts[i]);
      add_sequences(store, verdicts[i]);
    }
  }

  // Seconds that it takes for so many sequences, from those that are loaded: all sequences of a
  // level are padded to the same length and so take the same time.
  double run(int threads, const Counts& counts) {
    const c10::InferenceMode inference;
    at::set_num_threads(threads);
    double time = 0;
    for (std::size_t level = 0; level < 3; ++level) {
      const auto loaded = static_cast<double>(batches_[level].sequences());
      time += seconds([&] { encode(level); }) / loaded * counts[level];
    }
    return time;
  }

  // How far its label distances are from those of the Verifier, at the most.
  double largest_difference() const {
    const c10::InferenceMode inference;
    double largest = 0;
    for (std::size_t i = 0; i < verdicts_.size(); ++i) {
      const torch::Tensor rows = vectors_[2].narrow(0, static_cast<std::int64_t>(4 * i), 4);
      const torch::Tensor distances = torch::pairwise_distance(rows[0], rows.narrow(0, 1, 3));
      for (std::int64_t label = 0; label < 3; ++label) {
        const double ours = verdicts_[i].label_distances[static_cast<std::size_t>(label)].value();
        largest = std::max(largest, std::abs(distances[label].item<double>() - ours));
      }
    }
    return largest;
  }

 private:
  void encode(std::size_t level) {
    const engine::PackedBatch& batch = batches_[level];
    const std::int64_t length = model_.weights.memory->config.lengths[level] + 2;
    std::vector<torch::Tensor> vectors;
    for (std::int64_t first = 0; first < batch.sequences(); first += kTorchBatch) {
      const std::int64_t count = std::min(kTorchBatch, batch.sequences() - first);
      vectors.push_back(bert_.encode(batch, first, count, length, static_cast<int>(level) + 1));
    }
    vectors_[level] = torch::cat(vectors);
  }

  void add(std::size_t level, const Sequence& sequence) {
    batches_[level - 1].add(sequence.tokens, sequence.words);
  }

  void add_sequences(Datastore& store, const Verdict& verdict) {
    const SequenceWriter::Pieces claim = writer_.claim_part(verdict.claim);
    std::vector<SentenceId> beam;
    for (const BeamEntry& entry : verdict.beams->level1) beam.push_back(entry.id);
    add(1, writer_.query(1, verdict.claim));
    add(2, writer_.query(2, verdict.claim));
    for (const VectorSource& s : store.vector_sources(beam))
      add(2, writer_.level2_support(claim, writer_.evidence_part(s.title, s.number, s.text)));
    std::vector<SequenceWriter::Pieces> evidence;
    for (const Evidence& e : verdict.evidence)
      evidence.push_back(writer_.evidence_part(e.title, e.number, e.text));
    add(3, writer_.query(3, verdict.claim));
    for (const Label label : {Label::supports, Label::refutes, Label::unverifiable})
      add(3, writer_.level3_support(label, claim, evidence));
  }

  ModelData model_;
  SequenceWriter writer_;
  PaddedBert bert_;
  std::vector<Verdict> verdicts_;
  std::array<engine::PackedBatch, 3> batches_;
  std::array<torch::Tensor, 3> vectors_;
};

// The Verifier in one precision, over part after part of the claims.
struct Contender {
  Verifier verifier;
  std::vector<Verdict> verdicts{};  // of the last part
  double claims_in_all = 0;
  double seconds_in_all = 0;
  SearchTimes times{};  // the sum of all claims'

  double run(std::span<const std::string> claims) {
    const double time = seconds([&] { verdicts = verifier.verify(claims, kOptions); });
    claims_in_all += static_cast<double>(claims.size());
    seconds_in_all += time;
    for (const Verdict& verdict : verdicts) {
      times.cover += verdict.times.cover;
      times.level1 += verdict.times.level1;
      times.level2 += verdict.times.level2;
      times.level3 += verdict.times.level3;
      times.network += verdict.times.network;
    }
    return time;
  }

  void print(const char* name) const {
    const double share = 100 * (1 - times.network / seconds_in_all);
    const double scale = 1e3 / claims_in_all;
    fmt::print(
        "{}: {:.2f} claims/s; cover {:.2f}, level 1 {:.2f}, level 2 {:.1f}, level 3 {:.1f} ms a "
        "claim; not in the network: {:.1f} % (at most 5: {})\n",
        name, claims_in_all / seconds_in_all, scale * times.cover, scale * times.level1,
        scale * times.level2, scale * times.level3, share, share <= 5 ? "holds" : "DOES NOT HOLD");
  }
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print_row(const char* name, const std::vector<double>& ratios, double target) {
  fmt::print(
      "{}: {:.2f} times LibTorch's claims per second, median of {} rounds from {:.2f} to "
      "{:.2f} (at least {:.1f}: {})\n",
      name, median(ratios), ratios.size(), *std::min_element(ratios.begin(), ratios.end()),
      *std::max_element(ratios.begin(), ratios.end()), target,
      median(ratios) >= target ? "holds" : "DOES NOT HOLD");
}

void race(const Files& files, std::span<const std::string> claims) {
  Contender fp32{.verifier = open(files, false)};
  Contender int8{.verifier = open(files, true)};
  Baseline baseline(files);
  fp32.verifier.verify(claims.first(4), kOptions);  // warm
  int8.verifier.verify(claims.first(4), kOptions);
  std::vector<double> fp32_ratios, int8_ratios;
  double torch_seconds = 0;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::size_t size = claims.size() / kRounds;
    const auto part = claims.subspan(round * size, size);
    const double fp32_time = fp32.run(part);
    Counts counts{};
    for (const Verdict& verdict : fp32.verdicts) {
      for (std::size_t level = 0; level < 3; ++level) counts[level] += sequences_of(verdict)[level];
    }
    baseline.load(fp32.verdicts, fp32.verifier.store());
    Best torch;
    for (const int threads : {1, 2}) torch.add(baseline.run(threads, counts));
    torch_seconds += torch.value;
    fp32_ratios.push_back(torch.value / fp32_time);
    int8_ratios.push_back(torch.value / int8.run(part));
  }
  fp32.print("fp32");
  int8.print("int8");
  fmt::print("LibTorch: {:.2f} claims/s; its label distances differ by {:.1e} at the most\n",
             fp32.claims_in_all / torch_seconds, baseline.largest_difference());
  print_row("fp32", fp32_ratios, 2.5);
  print_row("int8", int8_ratios, 6.0);
}

void main_(std::size_t count) {
  for (const std::filesystem::path& path : {kFever, kEncoder}) {
    if (std::filesystem::exists(path)) continue;
    fmt::print("left out: {} is not there{}\n", path.string(),
               path == kEncoder ? "; 'make encoder' fetches it" : "");
    return;
  }
  const Files files;
  const std::vector<std::string> claims = read_claims(count);
  in_another_process([&] { prepare(files, claims); });
  in_another_process([&] { measure_memory(files, claims); });
  race(files, claims);
}

}  // namespace
}  // namespace memmatch::bench

// Takes a number of claims, if not 200.
int main(int count, char** values) {
  memmatch::bench::main_(count > 1 ? std::stoul(values[1]) : 200);
}
