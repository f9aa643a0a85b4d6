#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "memmatch/datastore.h"

namespace memmatch::store {

class Connection;
class Prepared;

// Finds documents by the beginnings of their titles. A connection of its own to the datastore's
// file, for one thread at a time.
class TitleSearch {
 public:
  // Throws as Datastore::open().
  explicit TitleSearch(const std::filesystem::path& file);
  ~TitleSearch();

  // Documents whose match key begins with that of `prefix`, in the order of keys, then ids; those
  // after the first `offset`.
  std::vector<Document> find(std::string_view prefix, int limit, int offset = 0);

 private:
  std::unique_ptr<Connection> connection_;
  std::unique_ptr<Prepared> titles_;
};

}  // namespace memmatch::store
