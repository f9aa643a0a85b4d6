#include "report/html.h"

#include <fmt/format.h>

#include "report/style.h"

namespace memmatch::report {
namespace {

std::string row(const std::vector<std::string>& cells, bool marked) {
  std::string html = marked ? "<tr class=\"marked\">" : "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    html += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", escape(cells[i]))
                   : fmt::format("<td>{}</td>", escape(cells[i]));
  }
  return html + "</tr>\n";
}

}  // namespace

std::string escape(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string to_html(const Table& table) {
  // Above the box that scrolls, not within: it must not need scrolling.
  std::string html;
  if (!table.caption.empty())
    html += fmt::format("<p class=\"caption\">{}</p>\n", escape(table.caption));
  html += "<div class=\"scroll\"><table>\n";
  html += "<thead><tr>";
  for (const std::string& column : table.columns)
    html += fmt::format("<th scope=\"col\">{}</th>", escape(column));
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < table.rows.size(); ++i) html += row(table.rows[i], table.marked == i);
  return html + "</tbody></table></div>\n";
}

std::string to_html(std::span<const Tile> tiles) {
  std::string html = "<dl class=\"tiles\">\n";
  for (const Tile& tile : tiles) {
    html +=
        fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(tile.name), escape(tile.value));
  }
  return html + "</dl>\n";
}

std::string preformatted(std::string_view text) {
  return fmt::format("<pre class=\"scroll\">{}</pre>\n", escape(text));
}

std::string to_html(const Page& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{0}</title>\n<style>{2}</style>\n</head>\n<body>\n<main>\n"
      "<h1>{0}</h1>\n<p class=\"summary\">{1}</p>\n",
      escape(page.title), escape(page.summary), kStyle);
  for (const Section& section : page.sections) {
    html +=
        fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", escape(section.title), section.html);
  }
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace memmatch::report
