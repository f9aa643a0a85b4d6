#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/files.h"
#include "base/input_file.h"
#include "cli/admit_options.h"
#include "cli/checks.h"
#include "cli/common.h"
#include "cli/search_options.h"
#include "cli/verbs.h"
#include "memmatch/check.h"
#include "memmatch/error.h"
#include "report/check_page.h"
#include "search/verdict_json.h"

namespace memmatch::cli {
namespace {

struct Options {
  SearchArguments search;
  std::vector<std::string> files;
  std::vector<std::string> against;
  FileArguments reading;
  std::string html;
  std::string fail_on;
  bool json = false;
};

// --fail-on: labels that a text must not get, and from which confidence on.
struct FailOn {
  std::optional<Label> label;
  double confidence = 0;
};

FailOn parse_fail_on(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  FailOn result;
  for (const Label label : {Label::supports, Label::refutes, Label::unverifiable}) {
    static constexpr std::string_view kNames[] = {"supports", "refutes", "unverifiable"};
    if (name == kNames[static_cast<std::size_t>(label)]) result.label = label;
  }
  const std::string bound = colon == std::string::npos ? "0" : text.substr(colon + 1);
  char* end = nullptr;
  result.confidence = std::strtod(bound.c_str(), &end);
  const bool is_number = !bound.empty() && *end == '\0';
  if (!result.label || !is_number || !(result.confidence >= 0 && result.confidence <= 1)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("--fail-on is '{}'; it must be a label and a confidence, such as "
                            "refutes:0.8, supports or unverifiable:0.5",
                            text));
  }
  return result;
}

void verify(std::span<CheckedSentence> sentences, Verifier& verifier, Trust& trust,
            const SearchOptions& search) {
  ProgressLine line("checking", "sentences");
  check(
      sentences,
      [&](std::span<const std::string> claims) {
        std::vector<Verdict> verdicts = verifier.verify(claims, search);
        trust.apply(search, verdicts);
        return verdicts;
      },
      [&](const Progress& progress) { line.update(progress); });
}

void print_sentence(const CheckedSentence& sentence, bool coloured) {
  if (!sentence.verdict) return fmt::print("        {}\n", sentence.text);
  static constexpr std::string_view kMarks[] = {"ok ", "NO ", "?  "};
  static constexpr fmt::terminal_color kColors[] = {
      fmt::terminal_color::green, fmt::terminal_color::red, fmt::terminal_color::yellow};
  const auto label = static_cast<std::size_t>(sentence.verdict->label);
  const std::optional<double> confidence = sentence.confidence();
  const std::string mark =
      fmt::format("{}{:>4}", kMarks[label], confidence ? fmt::format("{:.2f}", *confidence) : "");
  fmt::print("{} {}\n", coloured ? fmt::format(fmt::fg(kColors[label]), "{}", mark) : mark,
             sentence.text);
  if (sentence.verdict->label == Label::unverifiable || sentence.verdict->evidence.empty()) return;
  const Evidence& first = sentence.verdict->evidence.front();
  fmt::print("          {}, sentence {}: {}\n", first.title, first.number, first.text);
}

void print_summary(std::span<const CheckedSentence> sentences) {
  std::size_t counts[4] = {};
  for (const CheckedSentence& sentence : sentences)
    ++counts[sentence.verdict ? static_cast<std::size_t>(sentence.verdict->label) : 3];
  fmt::print("\n{} sentences: {} supported, {} contradicted, {} not found, {} not judged\n",
             sentences.size(), counts[0], counts[1], counts[2], counts[3]);
}

bool fails(const CheckedSentence& sentence, const FailOn& on) {
  if (!on.label || !sentence.verdict || sentence.verdict->label != *on.label) return false;
  return on.confidence == 0 || sentence.confidence().value_or(0) >= on.confidence;
}

void run(Options& options) {
  const FailOn fail_on = parse_fail_on(options.fail_on);
  if (options.search.store.empty() == options.against.empty()) {
    throw Error(ErrorKind::invalid_argument,
                "say what to check it against: --against or --store, one of them");
  }
  std::vector<CheckedSentence> sentences;
  for (const std::string& file : options.files) {
    for (CheckedSentence& sentence : sentences_of_file(file, options.reading.largest))
      sentences.push_back(std::move(sentence));
  }
  std::optional<TemporaryStore> documents;
  if (!options.against.empty())
    options.search.store = documents.emplace(open_files(options.against, options.reading)).file();
  Verifier verifier = open_verifier(options.search);
  announce(verifier, options.search);
  Trust trust = open_trust({}, {}, options.search, verifier);
  verify(sentences, verifier, trust, options.search.search);

  if (options.json) {
    for (const CheckedSentence& sentence : sentences) print_json(search::to_json(sentence));
  } else if (options.html.empty()) {
    for (const CheckedSentence& sentence : sentences)
      print_sentence(sentence, ::isatty(STDOUT_FILENO) == 1);
    print_summary(sentences);
  }
  if (!options.html.empty()) {
    write_file_atomically(options.html, report::to_html(report::check_page(sentences)));
    fmt::print(stderr, "{} written\n", options.html);
  }
  const auto failing = std::count_if(sentences.begin(), sentences.end(), [&](const auto& sentence) {
    return fails(sentence, fail_on);
  });
  if (failing > 0) {
    throw Error(ErrorKind::conflict,
                fmt::format("--fail-on {}: {} such sentences", options.fail_on, failing));
  }
}

}  // namespace

void add_check(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      add_verb(program, "check", "Which sentences of a text the documents support or contradict",
               "memmatch check draft.docx --against notes/ handbook.pdf\n"
               "memmatch check draft.txt --store facts.db --html draft.html\n"
               "memmatch check draft.txt --against rules.txt --fail-on refutes:0.8");
  verb->add_option("FILE", options->files,
                   "Texts to check: plain, Markdown, HTML, PDF or DOCX; '-' is standard input")
      ->type_name("")
      ->required();
  add_model_options(*verb, options->search)->required(false);
  verb->add_option("--against", options->against,
                   "Files and folders to check against, in place of a datastore")
      ->option_text("PATH...");
  add_file_options(*verb, options->reading);
  add_search_options(*verb, options->search);
  verb->add_option("--html", options->html, "Write a page with the texts and their evidence")
      ->option_text("FILE");
  verb->add_option("--fail-on", options->fail_on,
                   "End with exit code 1 where a sentence has this label, from this confidence on")
      ->option_text("LABEL[:CONFIDENCE]");
  verb->add_flag("--json", options->json, "One object a sentence");
  verb->callback([options] { run(*options); });
}

}  // namespace memmatch::cli
