#include "report/example_cards.h"

#include <fmt/format.h>

#include <limits>

#include "report/html.h"

namespace memmatch::report {
namespace {

constexpr const char* kStyleOfCards = R"(<style>
.cards { display: grid; gap: .6rem; }
.card { background: var(--box); border-radius: .5rem; padding: .6rem .8rem; }
.card p { margin: 0; overflow-wrap: anywhere; }
.card .claim { font-weight: 600; }
.card .facts { color: var(--soft); font-size: .9rem; font-variant-numeric: tabular-nums; }
.card ol { margin: .3rem 0 0; padding-left: 1.3rem; }
.card .title { color: var(--soft); }
.bad { color: var(--c1); font-weight: 600; }
.edited { border-bottom: 2px dotted var(--c1); }
</style>
)";

std::string marked(bool bad, const std::string& text) {
  return bad ? fmt::format("<span class=\"bad\">{}</span>", escape(text)) : escape(text);
}

double mean_of(const JsonObject& trust, const char* level) {
  if (!trust.has("calibration")) return std::numeric_limits<double>::infinity();
  return trust.object("calibration").object(level).number("mean");
}

std::string evidence_list(const JsonObject& example) {
  std::string html = "<ol>\n";
  for (const JsonElement value : example.array("evidence")) {
    const JsonObject sentence = as_object(value, example.where(), "evidence[]");
    const bool edited = sentence.optional_bool("edited").value_or(false);
    const std::string_view title = sentence.string("title");
    html += "<li>";
    if (!title.empty()) {
      html += fmt::format("<span class=\"title\">{}, sentence {}:</span> ", escape(title),
                          sentence.integer("number"));
    }
    html += fmt::format("<span{}>{}</span></li>\n",
                        edited ? " class=\"edited\" title=\"edited since import\"" : "",
                        escape(sentence.string("text")));
  }
  return html + "</ol>\n";
}

std::string card(const JsonObject& example, const JsonObject& trust) {
  const std::string label(example.string("label"));
  const std::string gold(example.string("gold"));
  const double d2 = example.number("level2_distance");
  const double d3 = example.number("level3_distance");
  std::string facts =
      fmt::format("verdict {}, gold {} · level 2 {} · level 3 {}", marked(label != gold, label),
                  escape(gold), marked(d2 >= mean_of(trust, "level2"), fmt::format("{:.3f}", d2)),
                  marked(d3 >= mean_of(trust, "level3"), fmt::format("{:.3f}", d3)));
  if (const auto confidence = example.optional_number("confidence"))
    facts += fmt::format(" · confidence {:.3f}", *confidence);
  return fmt::format(
      "<div class=\"card\">\n<p class=\"claim\">{}</p>\n<p class=\"facts\">{}</p>\n{}</div>\n",
      escape(example.string("claim")), facts, evidence_list(example));
}

}  // namespace

std::string example_cards(const JsonObject& examples, const char* which, const JsonObject& trust) {
  std::string html = fmt::format("{}<div class=\"cards\">\n", kStyleOfCards);
  for (const JsonElement value : examples.array(which)) {
    html += card(as_object(value, examples.where(), which), trust);
  }
  return html + "</div>\n";
}

}  // namespace memmatch::report
