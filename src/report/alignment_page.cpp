#include "report/alignment_page.h"

#include <fmt/format.h>

#include <algorithm>

namespace memmatch::report {
namespace {

// Words are tinted by --w, from 0 to 1: how strong their strongest link is, or while a word is
// pointed at, how strong their link with it is.
constexpr const char* kLooks = R"(<style>
.alignment { --tint: 0 114 178; background: var(--box); border-radius: .5rem; padding: .7rem .8rem;
  margin: 0 0 .8rem; }
@media (prefers-color-scheme: dark) { .alignment { --tint: 86 180 233; } }
.alignment p { margin: 0 0 .5rem; line-height: 2; overflow-wrap: anywhere; }
.alignment .side { color: var(--soft); font-size: .85rem; display: block; line-height: 1.3; }
.alignment .w { padding: .15em .1em; border-radius: .25em; cursor: default;
  background: rgb(var(--tint) / calc(var(--w, 0) * .55)); }
.alignment .w.fixed, .alignment .cut { color: var(--soft); }
.alignment .cut { text-decoration: line-through; text-decoration-color: var(--line); }
.alignment .here { outline: 2px solid rgb(var(--tint)); }
.alignment .detail { min-height: 1.5em; line-height: 1.5; font-size: .9rem; color: var(--soft);
  margin: 0; }
</style>
)";

constexpr const char* kScript = R"(<script>
for (const box of document.querySelectorAll('.alignment')) {
  const links = JSON.parse(box.dataset.links);
  const words = [...box.querySelectorAll('.w')];
  const detail = box.querySelector('.detail');
  const find = (side, i) => words.find(w => w.dataset.side == side && w.dataset.i == i);
  const rest = () => {
    for (const w of words) { w.style.setProperty('--w', w.dataset.w); w.classList.remove('here'); }
    detail.textContent = detail.dataset.hint;
  };
  const show = word => {
    const query = word.dataset.side == 'q';
    const found = links.filter(l => l[query ? 0 : 1] == word.dataset.i)
      .map(l => ({ word: find(query ? 's' : 'q', l[query ? 1 : 0]), strength: l[query ? 2 : 3] }))
      .filter(l => l.strength > 0).sort((a, b) => b.strength - a.strength);
    rest();
    for (const w of words) w.style.setProperty('--w', 0);
    word.classList.add('here');
    for (const l of found) l.word.style.setProperty('--w', l.strength / found[0].strength);
    detail.textContent = word.textContent + (query ? ' → ' : ' ← ') + (found.length
      ? found.slice(0, 6).map(l => l.word.textContent + ' ' + l.strength.toFixed(2)).join(', ')
      : 'nothing');
  };
  for (const w of words) {
    w.addEventListener('mouseenter', () => show(w));
    w.addEventListener('mouseleave', rest);
    w.addEventListener('focus', () => show(w));
    w.addEventListener('blur', rest);
  }
}
</script>
)";

// For each word its strongest link, as a share of the strongest of all.
std::vector<double> weights(const audit::Alignment& alignment, bool query) {
  std::vector<double> weights((query ? alignment.query : alignment.support).words.size(), 0);
  double greatest = 0;
  for (const auto& [places, link] : alignment.links) {
    double& weight = weights[query ? places.first : places.second];
    weight = std::max(weight, query ? link.query : link.support);
    greatest = std::max(greatest, weight);
  }
  if (greatest > 0) {
    for (double& weight : weights) weight /= greatest;
  }
  return weights;
}

// What lies between words: blanks, or what the model did not get to see.
std::string between(const std::string& text) {
  const bool blank = text.find_first_not_of(" \t\n") == std::string::npos;
  return blank ? escape(text)
               : fmt::format("<span class=\"cut\" title=\"not seen by this level\">{}</span>",
                             escape(text));
}

std::string side(const audit::AlignedText& text, const std::vector<double>& weights, char name) {
  std::string html;
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.words.size(); ++i) {
    const audit::Word& word = text.words[i];
    html += between(text.text.substr(done, word.begin - done));
    html += fmt::format(
        "<span class=\"w{0}\" data-side=\"{1}\" data-i=\"{2}\" data-w=\"{3:.3f}\" "
        "style=\"--w:{3:.3f}\" tabindex=\"0\">{4}</span>",
        word.fixed ? " fixed" : "", name, i, weights[i],
        escape(text.text.substr(word.begin, word.end - word.begin)));
    done = word.end;
  }
  return html + between(text.text.substr(done));
}

std::string links_json(const audit::Alignment& alignment) {
  std::string json = "[";
  for (const auto& [places, link] : alignment.links) {
    json += fmt::format("{}[{},{},{:.3f},{:.3f}]", json.size() > 1 ? "," : "", places.first,
                        places.second, link.query, link.support);
  }
  return json + "]";
}

Table strongest(const audit::Alignment& alignment) {
  Table table;
  table.columns = {"words of the query", "strongest link", "strength"};
  const auto words = [](const audit::AlignedText& text, std::size_t first, std::size_t last) {
    const std::size_t begin = text.words[first].begin;
    return text.text.substr(begin, text.words[last - 1].end - begin);
  };
  for (const audit::AlignedGroup& group : alignment.groups()) {
    table.rows.push_back({words(alignment.query, group.first, group.last),
                          words(alignment.support, group.support, group.support + 1),
                          fmt::format("{:.3f}", group.strength)});
  }
  return table;
}

std::string to_html(const audit::Alignment& alignment) {
  return fmt::format(
             "<h3>Level {}</h3>\n<p class=\"note\">Distance {:.3f}; {} of {} filters link "
             "words.{}</p>\n"
             "<div class=\"alignment\" data-links=\"{}\">\n<p><span "
             "class=\"side\">query</span>{}</p>\n"
             "<p><span class=\"side\">support</span>{}</p>\n<p class=\"detail\" "
             "aria-live=\"polite\" "
             "data-hint=\"Point at a word.\">Point at a word.</p>\n</div>\n"
             "<details><summary>Strongest links</summary>\n",
             alignment.level, alignment.distance, alignment.linked_filters, alignment.filters,
             alignment.level == 1
                 ? ""
                 : " The support repeats the claim, which attracts most of the links.",
             links_json(alignment), side(alignment.query, weights(alignment, true), 'q'),
             side(alignment.support, weights(alignment, false), 's')) +
         report::to_html(strongest(alignment)) + "</details>\n";
}

}  // namespace

Page alignment_page(std::span<const AlignedClaim> claims) {
  Page page;
  page.title = "Which words matched which";
  page.summary =
      "Each filter of a level takes its value from one word of the query and one of the support, "
      "and "
      "links the two; links are summed, strongest where values are large and alike.";
  for (const AlignedClaim& claim : claims) {
    std::string html = fmt::format("<p>Verdict: {}</p>\n", escape(fever_name(claim.label)));
    for (const audit::Alignment& alignment : claim.alignments) html += to_html(alignment);
    page.sections.push_back({claim.claim, html});
  }
  if (page.sections.empty()) return page;
  page.sections.front().html = kLooks + page.sections.front().html;
  page.sections.back().html += kScript;
  return page;
}

}  // namespace memmatch::report
