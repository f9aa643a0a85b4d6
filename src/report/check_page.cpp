#include "report/check_page.h"

#include <fmt/format.h>

#include <array>

namespace memmatch::report {
namespace {

constexpr const char* kLooks = R"(<style>
.checked { line-height: 1.7; }
.checked details { border-left: 4px solid transparent; padding: .1rem 0 .1rem .7rem; margin: .15rem 0; }
.checked summary { cursor: pointer; list-style: none; overflow-wrap: anywhere; }
.checked .supports { border-color: rgb(0 158 115 / var(--sure)); background: rgb(0 158 115 / calc(var(--sure) * .16)); }
.checked .refutes { border-color: rgb(213 94 0 / var(--sure)); background: rgb(213 94 0 / calc(var(--sure) * .2)); }
.checked .unverifiable { border-color: var(--line); }
.checked .plain { color: var(--soft); padding-left: .95rem; margin: .15rem 0; }
.checked b { font-weight: 600; font-size: .85rem; margin-right: .6rem; }
.checked li { font-size: .92rem; }
</style>
)";

constexpr std::array<const char*, 3> kClasses{"supports", "refutes", "unverifiable"};
constexpr std::array<const char*, 3> kWords{"supported", "contradicted", "not found"};

std::string evidence_list(const Verdict& verdict) {
  if (verdict.evidence.empty()) return "<p class=\"note\">Nothing about this was found.</p>";
  std::string html = "<ol>";
  for (const Evidence& evidence : verdict.evidence) {
    html +=
        fmt::format("<li>{} <span class=\"note\">{}</span></li>", escape(evidence.text),
                    evidence.title.empty()
                        ? ""
                        : escape(fmt::format("{}, sentence {}", evidence.title, evidence.number)));
  }
  return html + "</ol>";
}

std::string to_html(const CheckedSentence& sentence) {
  if (!sentence.verdict)
    return fmt::format("<p class=\"plain\" title=\"not judged: it {}\">{}</p>\n",
                       escape(sentence.not_judged), escape(sentence.text));
  const auto label = static_cast<std::size_t>(sentence.verdict->label);
  const std::optional<double> confidence = sentence.confidence();
  return fmt::format(
      "<details class=\"{}\" style=\"--sure: "
      "{:.2f}\"><summary><b>{}{}</b>{}</summary>{}</details>\n",
      kClasses[label], confidence.value_or(0.6), kWords[label],
      confidence ? fmt::format(" {:.0f} %", 100 * *confidence) : "", escape(sentence.text),
      evidence_list(*sentence.verdict));
}

}  // namespace

Page check_page(std::span<const CheckedSentence> sentences) {
  std::array<std::size_t, 3> labels{};
  std::size_t not_judged = 0;
  Page page{"Checked text", "", {}};
  for (const CheckedSentence& sentence : sentences) {
    sentence.verdict ? ++labels[static_cast<std::size_t>(sentence.verdict->label)] : ++not_judged;
    if (page.sections.empty() || page.sections.back().title != sentence.source)
      page.sections.push_back({sentence.source, std::string(kLooks) + "<div class=\"checked\">\n"});
    page.sections.back().html += to_html(sentence);
  }
  for (Section& section : page.sections) section.html += "</div>\n";
  page.summary = fmt::format(
      "{} sentences: {} supported, {} contradicted, {} not found, {} not judged. Open a sentence "
      "for its evidence.",
      sentences.size(), labels[0], labels[1], labels[2], not_judged);
  return page;
}

}  // namespace memmatch::report
