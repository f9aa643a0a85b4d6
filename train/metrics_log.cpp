#include "train/metrics_log.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>

#include "memmatch/error.h"

namespace memmatch::train {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path) {
  throw Error(ErrorKind::io, path.string() + ": " + std::strerror(errno));
}

double now() {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since_1970).count();
}

// All numbers of a line under names such as "step/loss" and "epoch/dev/level1/strict".
void collect(const std::string& name, const nlohmann::ordered_json& value,
             std::vector<std::pair<std::string, double>>& numbers) {
  if (value.is_number()) {
    numbers.emplace_back(name, value.get<double>());
  } else if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) collect(name + "/" + key, inner, numbers);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      collect(name + std::to_string(i + 1), value[i], numbers);
  }
}

}  // namespace

MetricsLog::MetricsLog(const fs::path& run, std::uint64_t bytes, std::int64_t next_step)
    : path_(run / "metrics.jsonl"),
      bytes_(bytes),
      events_(run / "tensorboard", static_cast<std::uint64_t>(next_step)) {
  file_.reset(std::fopen(path_.c_str(), "a"));
  if (!file_) fail(path_);
  std::error_code error;
  fs::resize_file(path_, bytes_, error);
  if (error) throw Error(ErrorKind::io, path_.string() + ": " + error.message());
}

void MetricsLog::write(nlohmann::ordered_json line) {
  const double time = now();
  std::vector<std::pair<std::string, double>> numbers;
  const auto step = line.at("step").get<std::uint64_t>();
  for (const auto& [key, value] : line.items()) {
    if (key != "step") collect(line.at("event").get<std::string>() + "/" + key, value, numbers);
  }
  line["time"] = time;
  const std::string text = line.dump() + "\n";
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
      std::fflush(file_.get()) != 0) {
    fail(path_);
  }
  bytes_ += text.size();
  std::vector<Scalar> scalars;
  for (const auto& [name, value] : numbers) scalars.push_back({name, value});
  events_.add(step, time, scalars);
  events_.flush();
}

}  // namespace memmatch::train
