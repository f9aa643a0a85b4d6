#include "store/title_search.h"

#include "store/schema.h"
#include "store/sqlite.h"
#include "text/titles.h"

namespace memmatch::store {

TitleSearch::TitleSearch(const std::filesystem::path& file)
    : connection_(open_datastore_file(file, {Datastore::Access::read})),
      rows_(std::make_unique<Statement>(
          *connection_,
          "SELECT id, raw_title, title, match_key FROM documents WHERE match_key >= ?1 AND "
          "match_key < ?2 ORDER BY match_key, id LIMIT ?3 OFFSET ?4")) {}

TitleSearch::~TitleSearch() = default;

std::vector<Document> TitleSearch::find(std::string_view prefix, int limit, int offset) {
  // Keys are without the parenthesis, of which a prefix may have only a part.
  const std::string first = text::match_key(prefix.substr(0, prefix.find('(')));
  const std::string last = first + "\xf4\x8f\xbf\xbf";  // behind all that begin so
  rows_->bind(1, first).bind(2, last);
  rows_->bind(3, std::int64_t{limit}).bind(4, std::int64_t{offset});
  std::vector<Document> documents;
  while (rows_->step()) {
    documents.push_back({rows_->integer(0), std::string(rows_->text(1)),
                         std::string(rows_->text(2)), std::string(rows_->text(3))});
  }
  return documents;
}

}  // namespace memmatch::store
