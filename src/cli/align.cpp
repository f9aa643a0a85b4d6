#include "audit/alignment.h"

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "audit/alignment_json.h"
#include "base/atomic_file.h"
#include "cli/checks.h"
#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/verbs.h"
#include "memmatch/error.h"
#include "report/alignment_page.h"

namespace memmatch::cli {
namespace {

struct Options {
  SearchArguments search;
  std::vector<std::string> claims;
  std::vector<int> levels = {1};
  int evidence = 1;
  std::string label;
  std::string html;
  bool json = false;
};

constexpr fmt::terminal_color kColors[] = {
    fmt::terminal_color::cyan,        fmt::terminal_color::yellow,       fmt::terminal_color::green,
    fmt::terminal_color::magenta,     fmt::terminal_color::blue,         fmt::terminal_color::red,
    fmt::terminal_color::bright_cyan, fmt::terminal_color::bright_yellow};

Label label_of(const Options& options, const Verdict& verdict) {
  if (options.label == "supports") return Label::supports;
  if (options.label == "refutes") return Label::refutes;
  if (options.label == "unverifiable") return Label::unverifiable;
  return verdict.label;
}

report::AlignedClaim align(const std::string& claim, const Options& options, Verifier& verifier) {
  const Verdict verdict = verifier.verify(claim, options.search.search);
  const std::vector<Evidence>& evidence = verdict.evidence;
  report::AlignedClaim aligned{verdict.claim, verdict.label, {}};
  if (evidence.empty()) {
    throw Error(ErrorKind::not_found,
                fmt::format("'{}': there is no sentence to align it with", claim));
  }
  if (std::cmp_greater(options.evidence, evidence.size())) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' has {} sentences of evidence, so there is no --evidence {}",
                            claim, evidence.size(), options.evidence));
  }
  for (const int level : options.levels) {
    audit::AlignmentRequest request{level, verdict.claim, {}, label_of(options, verdict)};
    for (const Evidence& sentence : evidence)
      request.evidence.push_back({sentence.title, sentence.number, sentence.text});
    if (level < 3)
      request.evidence = {request.evidence[static_cast<std::size_t>(options.evidence) - 1]};
    aligned.alignments.push_back(audit::align(verifier.network(), request));
  }
  return aligned;
}

std::string_view word_text(const audit::AlignedText& text, std::size_t first, std::size_t last) {
  const std::size_t begin = text.words[first].begin;
  return std::string_view(text.text).substr(begin, text.words[last - 1].end - begin);
}

std::string in_color(std::string_view text, std::size_t color) {
  return fmt::format(fmt::fg(kColors[color % std::size(kColors)]), "{}", text);
}

// The whole text, words of group `color_of` in its colour, our own words faint.
std::string painted(const audit::AlignedText& text, const std::vector<std::int64_t>& color_of) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.words.size(); ++i) {
    out += text.text.substr(done, text.words[i].begin - done);
    const std::string_view word = word_text(text, i, i + 1);
    if (color_of[i] >= 0) {
      out += in_color(word, static_cast<std::size_t>(color_of[i]));
    } else {
      out +=
          text.words[i].fixed ? fmt::format(fmt::emphasis::faint, "{}", word) : std::string(word);
    }
    done = text.words[i].end;
  }
  return out + text.text.substr(done);
}

void print_readable(const audit::Alignment& alignment) {
  const bool color = ::isatty(STDOUT_FILENO) == 1;
  const std::vector<audit::AlignedGroup> groups = alignment.groups();
  std::vector<std::int64_t> query_colors(alignment.query.words.size(), -1);
  std::vector<std::int64_t> support_colors(alignment.support.words.size(), -1);
  std::size_t width = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    // Groups with one target share a colour.
    std::int64_t& of_support = support_colors[groups[i].support];
    if (of_support < 0) of_support = static_cast<std::int64_t>(i);
    std::fill(query_colors.begin() + static_cast<std::ptrdiff_t>(groups[i].first),
              query_colors.begin() + static_cast<std::ptrdiff_t>(groups[i].last), of_support);
    width = std::max(width, word_text(alignment.query, groups[i].first, groups[i].last).size());
  }
  fmt::print("level {}, distance {:.3f}\n", alignment.level, alignment.distance);
  fmt::print("  query    {}\n",
             color ? painted(alignment.query, query_colors) : alignment.query.text);
  fmt::print("  support  {}\n\n",
             color ? painted(alignment.support, support_colors) : alignment.support.text);
  for (const audit::AlignedGroup& group : groups) {
    const std::string words(word_text(alignment.query, group.first, group.last));
    const std::string target(word_text(alignment.support, group.support, group.support + 1));
    const auto of = static_cast<std::size_t>(support_colors[group.support]);
    fmt::print("  {:8.3f}  {}{}  →  {}\n", group.strength, color ? in_color(words, of) : words,
               std::string(width - words.size(), ' '), color ? in_color(target, of) : target);
  }
  fmt::print("\n");
}

void print(const report::AlignedClaim& aligned, bool json) {
  if (json) {
    Json alignments = Json::array();
    for (const audit::Alignment& alignment : aligned.alignments)
      alignments.push_back(audit::to_json(alignment));
    return print_json({{"claim", aligned.claim},
                       {"label", fever_name(aligned.label)},
                       {"alignments", alignments}});
  }
  fmt::print("{}  {}\n\n", fever_name(aligned.label), aligned.claim);
  for (const audit::Alignment& alignment : aligned.alignments) print_readable(alignment);
}

void run(const Options& options) {
  if (options.claims.empty()) throw Error(ErrorKind::invalid_argument, "give a claim to align");
  Verifier verifier = open_verifier(options.search);
  announce(verifier, options.search);
  std::vector<report::AlignedClaim> aligned;
  for (const std::string& claim : options.claims) {
    aligned.push_back(align(claim, options, verifier));
    if (options.html.empty()) print(aligned.back(), options.json);
  }
  if (options.html.empty()) return;
  const std::string page = report::to_html(report::alignment_page(aligned));
  if (options.html == "-") {
    fmt::print("{}", page);
    return;
  }
  write_file_atomically(options.html, page);
  fmt::print(stderr, "{} written\n", options.html);
}

}  // namespace

void add_align(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = add_verb(
      program, "align", "Which words of a claim the model matched with which of the evidence",
      "memmatch align 'The Moon has no atmosphere.' --store facts.db --model models/default\n"
      "memmatch align 'The Moon has no atmosphere.' --level 1,2,3 --html moon.html --store "
      "facts.db "
      "--model models/default");
  verb->add_option("CLAIM", options->claims, "Claims");
  verb->add_option("--level", options->levels,
                   "Levels to align at; levels 2 and 3 read the claim in the support again, which "
                   "attracts most links")
      ->delimiter(',')
      ->check(whole_number(1, 3))
      ->capture_default_str();
  verb->add_option("--evidence", options->evidence,
                   "At levels 1 and 2: with the nearest sentence (1), the second nearest (2) …")
      ->check(whole_number(1, 10'000))
      ->capture_default_str();
  verb->add_option("--label", options->label, "At level 3: the label's support; else the verdict's")
      ->check(CLI::IsMember({"supports", "refutes", "unverifiable"}))
      ->option_text("supports|refutes|unverifiable");
  add_model_options(*verb, options->search);
  add_search_options(*verb, options->search);
  verb->add_option("--html", options->html,
                   "Write a page to look at instead, one file; - is standard output")
      ->type_name("FILE");
  verb->add_flag("--json", options->json, "One object a claim, with all links between words");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
