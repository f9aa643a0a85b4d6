#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/files.h"
#include "data/import.h"
#include "memmatch/datastore.h"
#include "support.h"
#include "train/trainer.h"

namespace memmatch::test {

// The world of recipes/tiny.toml (examples/tiny) with a datastore of its own.
class TinyWorld {
 public:
  TinyWorld() {
    Datastore store = Datastore::open(folder_ / "tiny.db", Datastore::Access::create);
    const auto reader =
        data::open_documents(data::DocumentFormat::jsonl, source() / "corpus.jsonl");
    data::import_documents(*reader, store);
  }

  static std::filesystem::path source() {
    return std::filesystem::path(MEMMATCH_SOURCE_DIR) / "examples" / "tiny";
  }

  std::filesystem::path operator/(std::string_view name) const { return folder_ / name; }
  const TemporaryFolder& folder() const { return folder_; }

  // Where the world's files are.
  std::vector<std::string> places() const {
    const std::string claims = (source() / "claims.jsonl").string();
    return {"data.store='" + (folder_ / "tiny.db").string() + "'", "data.train=['" + claims + "']",
            "data.dev='" + claims + "'", "model.start='" + (source() / "encoder").string() + "'"};
  }

  // The recipe that the repository has.
  train::Recipe recipe() const {
    return train::read_recipe(std::filesystem::path(MEMMATCH_SOURCE_DIR) / "recipes" / "tiny.toml",
                              places());
  }

  // A short one with epochs of every kind, 6 steps each, and everything that is random.
  std::filesystem::path write_short_recipe() const {
    folder_.write(
        "pairs.jsonl",
        R"({"claim": "The Tolm is blue.", "evidence": "The Tolm is blue.", "label": "SUPPORTS"}
{"claim": "The Tolm is red.", "evidence": "The Tolm is blue.", "label": "REFUTES"}
{"claim": "The Tolm fears dogs.", "evidence": "The Tolm is blue.", "label": "NOT ENOUGH INFO"}
)");
    const std::string stage = "batch = 6\nk1 = 3\nz = 2\npatience = 0\n";
    return folder_.write(
        "short.toml", "[data]\ndev_claims = 12\n[[source]]\nfile = '" +
                          (folder_ / "pairs.jsonl").string() +
                          "'\n[model]\nfilters = 16\nword_dimension = 8\n"
                          "lengths = [20, 30, 50]\n[memory]\nlearning_rate = 0.3\n"
                          "[encoder]\nlearning_rate = 1e-3\n"
                          "[pairs]\nlevel1_negatives = 2\nin_batch_negatives = 1\n"
                          "title_noise = 0.3\n"
                          "head_weight = 0.1\n[embedding]\nlike = '" +
                          (source() / "encoder").string() +
                          "'\n[[stage]]\nkind = 'warmup'\nsearch = 'overlap'\n"
                          "epochs = 1\npairs_share = 0.25\n" +
                          stage + "[[stage]]\nepochs = 3\n" + stage +
                          "[[stage]]\nupdates = 'joint'\nepochs = 1\nfrom_best = true\n"
                          "level1_start = 'words'\nlevel1_loss = 'ranking'\nlevel1_weight = 0.5\n"
                          "withheld_share = 0.3\npairs_share = 0.25\nclaims = 33\n" +
                          stage);
  }

  train::Recipe short_recipe(std::vector<std::string> settings = {}) const {
    const std::vector<std::string> first = places();
    settings.insert(settings.begin(), first.begin(), first.end());
    return train::read_recipe(write_short_recipe(), settings);
  }

  train::TrainOptions options(std::string_view run) const {
    train::TrainOptions options;
    options.run = folder_ / run;
    options.threads = 1;
    options.checkpoint_steps = 2;
    return options;
  }

 private:
  TemporaryFolder folder_;
};

// All files of a run that must not depend on how often it was interrupted, by name.
inline std::vector<std::pair<std::string, std::string>> files_of_run(
    const std::filesystem::path& run) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const char* name :
       {"checkpoint/model/model.safetensors", "checkpoint/training.safetensors",
        "checkpoint/beams.jsonl", "best/model.safetensors", "latest/model.safetensors"})
    files.emplace_back(name, read_file(run / name));
  return files;
}

// The lines of metrics.jsonl without what clocks have to do with.
inline std::vector<nlohmann::json> metrics_of_run(const std::filesystem::path& run) {
  std::vector<nlohmann::json> lines;
  LineReader reader(run / "metrics.jsonl");
  for (std::string line; reader.next(line);) {
    lines.push_back(nlohmann::json::parse(line));
    for (const char* key : {"time", "seconds", "claims_per_second"}) lines.back().erase(key);
  }
  return lines;
}

inline void expect_same_run(const std::filesystem::path& run,
                            const std::filesystem::path& expected) {
  const auto files = files_of_run(run), wanted = files_of_run(expected);
  for (std::size_t i = 0; i < files.size(); ++i)
    EXPECT_TRUE(files[i].second == wanted[i].second) << files[i].first << " differs";
  EXPECT_EQ(metrics_of_run(run), metrics_of_run(expected));
}

}  // namespace memmatch::test
