#include "data/prediction_journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/atomic_file.h"
#include "base/files.h"
#include "memmatch/error.h"

namespace memmatch::data {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file) {
  throw Error(ErrorKind::io,
              fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
}

}  // namespace

PredictionJournal::PredictionJournal(const std::filesystem::path& target, std::string_view setting)
    : target_(target), partial_(target.string() + ".partial") {
  take_up(setting);
  file_.reset(std::fopen(partial_.c_str(), "ab"));
  if (!file_) fail(partial_);
}

// Leaves the partial file with the setting in its first line and whole lines after it.
void PredictionJournal::take_up(std::string_view setting) {
  const std::string first = std::string(setting) + "\n";
  if (path_exists(partial_)) {
    const std::string content = read_file(partial_);
    if (content.starts_with(first)) {
      const std::size_t end = content.rfind('\n') + 1;  // the last line may have been cut
      cut_file(partial_, end);
      done_ = static_cast<std::uint64_t>(
          std::count(content.begin() + static_cast<std::ptrdiff_t>(first.size()),
                     content.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      return;
    }
  }
  write_file_atomically(partial_, first);
}

void PredictionJournal::append(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), file_.get());
  std::fputc('\n', file_.get());
  if (std::fflush(file_.get()) != 0) fail(partial_);
}

void PredictionJournal::finish() {
  LineReader lines(partial_);
  OutputFile out(target_);
  std::string line;
  lines.next(line);  // the setting
  while (lines.next(line)) out.write_line(line);
  out.finish();
  file_.reset();
  remove_file(partial_);
}

}  // namespace memmatch::data
