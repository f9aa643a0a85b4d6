#include "train/dev.h"

#include <algorithm>

#include "eval/metrics.h"
#include "memmatch/error.h"
#include "memmatch/verifier.h"
#include "model/initialize.h"
#include "train/noise.h"

namespace memmatch::train {
namespace {

constexpr std::size_t kClaimsTogether = 64;

nlohmann::json retrieval_json(const eval::Retrieval& level) {
  const auto share = [&](std::uint64_t count) {
    return level.claims == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(level.claims);
  };
  return {{"strict", share(level.strict)}, {"complete", share(level.complete)}};
}

nlohmann::json to_json(const eval::Figures& figures) {
  const auto share = [&](std::uint64_t count) {
    return static_cast<double>(count) / static_cast<double>(figures.claims);
  };
  return {{"claims", figures.claims},
          {"accuracy", share(figures.right())},
          {"fever_score", figures.fever_nfc.score().fever_score},
          {"level1", retrieval_json(figures.level1)},
          {"level2", retrieval_json(figures.level2)},
          {"confusion", figures.confusion}};
}

}  // namespace

std::vector<data::Claim> read_dev_claims(const Recipe& recipe) {
  std::vector<data::Claim> claims;
  if (recipe.data.dev.empty()) return claims;
  data::ClaimReader reader(recipe.data.dev);
  for (data::Claim claim; reader.next(claim);) {
    if (!claim.label)
      throw Error(ErrorKind::corrupt, reader.where() + ": a dev claim needs a label");
    claims.push_back(std::move(claim));
  }
  const auto wanted = static_cast<std::size_t>(recipe.data.dev_claims);
  if (wanted == 0 || wanted >= claims.size()) return claims;
  // Each claim is kept with the chance that leaves `wanted` of them.
  Random random(mix_seed({recipe.seed, 0xdeu}));
  std::vector<data::Claim> some;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const double needed = static_cast<double>(wanted - some.size());
    if (random.uniform() * static_cast<double>(claims.size() - i) < needed)
      some.push_back(std::move(claims[i]));
  }
  return some;
}

DevFigures evaluate_on_dev(const std::vector<data::Claim>& claims, const Recipe& recipe,
                           const std::filesystem::path& model, const StageRecipe& stage,
                           int threads) {
  Verifier verifier = Verifier::open(
      recipe.data.store, model,
      {.int8 = recipe.data.precision == "int8", .threads = threads, .read_only = true});
  SearchOptions options;
  options.k1 = static_cast<int>(stage.k1);
  options.z = static_cast<int>(stage.z);
  options.explain = true;
  eval::Metrics metrics(verifier.store());
  std::array<double, 3> distances{};
  std::array<std::uint64_t, 3> counted{};
  const auto note = [&](std::size_t level, std::optional<double> distance) {
    if (!distance) return;
    distances[level] += *distance;
    ++counted[level];
  };
  for (std::size_t begin = 0; begin < claims.size(); begin += kClaimsTogether) {
    const std::size_t end = std::min(claims.size(), begin + kClaimsTogether);
    const auto some = std::span(claims).subspan(begin, end - begin);
    const std::vector<Verdict> verdicts = verifier.verify(data::texts_of(some), options);
    for (std::size_t i = 0; i < some.size(); ++i) {
      metrics.add(some[i], verdicts[i], verifier.store().cover(some[i].text));
      if (!verdicts[i].beams->level1.empty()) note(0, verdicts[i].beams->level1[0].distance);
      note(1, verdicts[i].level2_distance());
      note(2, verdicts[i].level3_distance());
    }
  }
  DevFigures figures;
  figures.json = to_json(metrics.figures());
  figures.accuracy = figures.json.at("accuracy").get<double>();
  for (std::size_t level = 0; level < 3; ++level) {
    figures.json["distances"].push_back(
        counted[level] == 0 ? 0.0 : distances[level] / static_cast<double>(counted[level]));
  }
  return figures;
}

}  // namespace memmatch::train
