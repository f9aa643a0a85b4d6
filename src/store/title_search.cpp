#include "store/title_search.h"

#include "store/impl.h"
#include "store/schema.h"
#include "store/sqlite.h"
#include "text/titles.h"

namespace memmatch::store {

TitleSearch::TitleSearch(const std::filesystem::path& file)
    : connection_(open_datastore_file(file, {Datastore::Access::read})),
      titles_(std::make_unique<Prepared>(
          *connection_,
          select_documents("WHERE match_key >= ?1 AND match_key < ?2 ORDER BY match_key, id "
                           "LIMIT ?3 OFFSET ?4"))) {}

TitleSearch::~TitleSearch() = default;

std::vector<Document> TitleSearch::find(std::string_view prefix, int limit, int offset) {
  // Keys are without the parenthesis, of which a prefix may have only a part.
  const std::string first = text::match_key(prefix.substr(0, prefix.find('(')));
  const std::string last = first + "\xf4\x8f\xbf\xbf";  // behind all that begin so
  const Query rows(*titles_);
  rows->bind(1, first).bind(2, last).bind(3, std::int64_t{limit}).bind(4, std::int64_t{offset});
  std::vector<Document> documents;
  while (rows->step()) documents.push_back(read_document(*rows));
  return documents;
}

}  // namespace memmatch::store
