#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "memmatch/datastore.h"

namespace memmatch::store {

class Connection;

// Changes documents as a whole. A connection of its own to the datastore's file, for one thread at
// a time.
class DocumentEditor {
 public:
  // Throws as Datastore::open().
  explicit DocumentEditor(const std::filesystem::path& file,
                          std::chrono::milliseconds patience = Datastore::kPatience);
  ~DocumentEditor();

  // In one transaction, the document gets these sentences and no others; it is made where there is
  // none of that raw title. A sentence whose text stays is not touched; what goes is remembered as
  // deleted by hand. Gives the sentences that there were; none for a new document. Throws
  // invalid_argument for a number that is below 0 or comes twice, and for an empty title.
  std::optional<std::vector<Sentence>> replace(std::string_view raw_title,
                                               std::span<const NewSentence> sentences);

 private:
  std::unique_ptr<Connection> connection_;
};

}  // namespace memmatch::store
