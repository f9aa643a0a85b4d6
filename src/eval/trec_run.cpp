#include "eval/trec_run.h"

#include <fmt/format.h>

#include "memmatch/error.h"

namespace memmatch::eval {
namespace {

const std::filesystem::path& existing(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::io,
                fmt::format("{}: cannot make this folder: {}", folder.string(), error.message()));
  }
  return folder;
}

// Fields of a run are separated by white space, so none may be left in them.
std::string field(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '%' || c == 0x7f) {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

TrecRun::TrecRun(const std::filesystem::path& folder)
    : level1_(existing(folder) / "level1.run"), level2_(folder / "level2.run") {}

void TrecRun::add(const data::Claim& claim, const Verdict& verdict, Datastore& store) {
  if (!verdict.beams)
    throw Error(ErrorKind::invalid_argument, "a run file needs verdicts with their beams");
  ++claims_;
  const std::string qid = claim.id.empty() ? std::to_string(claims_) : field(claim.id);
  write(level1_, qid, verdict.beams->level1, 1, store);
  write(level2_, qid, verdict.beams->level2, 2, store);
}

void TrecRun::write(OutputFile& file, const std::string& qid, const std::vector<BeamEntry>& beam,
                    int level, Datastore& store) {
  std::unordered_map<DocumentId, std::string> titles;
  int rank = 0;
  for (const BeamEntry& entry : beam) {
    const std::optional<Sentence> sentence = store.sentence(entry.id);
    if (!sentence) continue;  // deleted since
    auto [title, is_new] = titles.try_emplace(sentence->document);
    if (is_new) title->second = field(store.document(sentence->document).value().raw_title);
    file.write_line(fmt::format("{} Q0 {}#{} {} {} memmatch-level{}", qid, title->second,
                                sentence->number, ++rank, entry.credit - entry.distance, level));
  }
}

void TrecRun::finish() {
  level1_.finish();
  level2_.finish();
}

}  // namespace memmatch::eval
