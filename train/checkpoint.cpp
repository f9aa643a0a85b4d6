#include "train/checkpoint.h"

#include <fmt/format.h>

#include <map>

#include "base/files.h"
#include "base/hash.h"
#include "base/rename.h"
#include "memmatch/error.h"
#include "model/safetensors.h"

namespace memmatch::train {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& run) { return run / "checkpoint"; }

void write_beams(const fs::path& file, const std::vector<Beam>& beams) {
  std::string text;
  for (const Beam& beam : beams)
    text += nlohmann::json::array({beam.level1, beam.level2}).dump() + "\n";
  write_file_atomically(file, text);
}

std::vector<Beam> read_beams(const fs::path& file) {
  std::vector<Beam> beams;
  LineReader lines(file);
  for (std::string line; lines.next(line);) {
    try {
      const auto json = nlohmann::json::parse(line);
      beams.push_back(
          {json.at(0).get<std::vector<SentenceId>>(), json.at(1).get<std::vector<SentenceId>>()});
    } catch (const nlohmann::json::exception& error) {
      throw Error(ErrorKind::corrupt, fmt::format("{}: {}", lines.where(), error.what()));
    }
  }
  return beams;
}

constexpr const char* kHashes = "hashes.json";

void add_hashes(const fs::path& folder, const std::string& prefix, nlohmann::json& hashes) {
  for (const fs::path& entry : entries_of(folder)) {
    const std::string name = prefix + entry.filename().string();
    if (is_folder(entry)) {
      add_hashes(entry, name + "/", hashes);
    } else {
      hashes[name] = to_hex(content_hash_of_file(entry));
    }
  }
}

// Of every file, so that no changed bit is trained on.
void write_hashes(const fs::path& folder) {
  nlohmann::json hashes = nlohmann::json::object();
  add_hashes(folder, "", hashes);
  write_file_atomically(folder / kHashes, hashes.dump(2) + "\n");
}

// Earlier versions wrote none.
void check_hashes(const fs::path& folder) {
  const fs::path list = folder / kHashes;
  if (!path_exists(list)) return;
  std::map<std::string, std::string> hashes;
  try {
    hashes = nlohmann::json::parse(read_file(list));
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::corrupt, fmt::format("{}: {}", list.string(), error.what()));
  }
  for (const auto& [name, hash] : hashes) {
    const fs::path file = folder / name;
    if (path_exists(file) && to_hex(content_hash_of_file(file)) == hash) continue;
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: is not what was written with this checkpoint, so the run cannot "
                            "go on from it; begin another one with --start {}",
                            file.string(), (folder.parent_path() / "latest").string()));
  }
}

// Folders that a killed run had not finished, or not yet removed.
void remove_leftovers(const fs::path& run) {
  std::vector<fs::path> leftovers;
  for (const fs::path& entry : entries_of(run)) {
    const std::string name = entry.filename().string();
    for (const char* prefix : {".checkpoint.", ".best.", ".latest."})
      if (name.starts_with(prefix)) leftovers.push_back(entry);
  }
  std::error_code ignored;
  for (const fs::path& leftover : leftovers) fs::remove_all(leftover, ignored);
}

// Of tensors on the CPU.
std::vector<TensorView> views_of(const NamedState& tensors) {
  std::vector<TensorView> views;
  for (const auto& [name, tensor] : tensors) {
    TensorView& view = views.emplace_back();
    view.name = name;
    for (const std::int64_t size : tensor.sizes())
      view.shape.push_back(static_cast<std::uint64_t>(size));
    view.values = {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
  }
  return views;
}

}  // namespace

void save_checkpoint(const fs::path& run, const ModelData& model, const RunState& state,
                     const std::vector<Beam>& beams, const NamedState& tensors) {
  AtomicFolder folder(folder_of(run));
  save_model(model, folder.path() / "model", {});
  NamedState on_cpu;
  for (const auto& [name, tensor] : tensors)
    on_cpu.emplace_back(name, tensor.detach().cpu().contiguous());
  write_safetensors(folder.path() / "training.safetensors", views_of(on_cpu), Storage::fp32);
  write_beams(folder.path() / "beams.jsonl", beams);
  write_file_atomically(folder.path() / "state.json", to_json(state).dump(2) + "\n");
  write_hashes(folder.path());
  folder.commit(true);
}

bool has_checkpoint(const fs::path& run) {
  finish_exchange(folder_of(run));
  return path_exists(folder_of(run) / "state.json");
}

Checkpoint load_checkpoint(const fs::path& run) {
  check_hashes(folder_of(run));
  const fs::path file = folder_of(run) / "state.json";
  const std::string text = read_file(file);
  RunState state;
  try {
    state = state_from_json(nlohmann::json::parse(text));
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::corrupt, fmt::format("{}: {}", file.string(), error.what()));
  }
  Checkpoint checkpoint{load_model(folder_of(run) / "model"), state,
                        read_beams(folder_of(run) / "beams.jsonl")};
  remove_leftovers(run);
  return checkpoint;
}

void restore_tensors(const fs::path& run, const NamedState& tensors) {
  const torch::NoGradGuard no_grad;
  const TensorFile file = open_safetensors(folder_of(run) / "training.safetensors");
  for (const auto& [name, tensor] : tensors) {
    const TensorInfo* info = file.find(name);
    if (!info || static_cast<std::int64_t>(info->elements) != tensor.numel()) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{}: tensor {} is missing or of another size; the recipe was changed "
                              "since the checkpoint was written",
                              file.name(), name));
    }
    tensor.copy_(torch::tensor(file.read(*info)).view(tensor.sizes()));
  }
}

}  // namespace memmatch::train
