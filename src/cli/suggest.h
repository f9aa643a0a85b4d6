#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace memmatch::cli {

// "; did you mean 'verify'?" where one of `names` is much like `given`; else nothing.
std::string suggestion(std::string_view given, const std::vector<std::string>& names);

// The same for a title that the datastore does not have, of those that begin like it. Nothing where
// there is such a document. Throws as Datastore::open().
std::string title_suggestion(const std::filesystem::path& store, const std::string& title);

}  // namespace memmatch::cli
