#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "memmatch/datastore.h"
#include "store/sqlite_file.h"

namespace memmatch::store {

inline constexpr std::int64_t kFormatVersion = 2;

// Datastores of the version before have no index of words; else they are the same.
inline constexpr std::int64_t kVersionWithWords = 2;

// The statements that make the index of words; see words.h.
std::span<const std::string_view> words_schema();

// Says in the file that it is of this version.
void set_version(Connection& connection);

// Opens a datastore file and makes sure that it is one: see Datastore::open for what is thrown.
std::unique_ptr<Connection> open_datastore_file(const std::filesystem::path& file,
                                                const OpenOptions& options);

// What is wrong with the tables and indexes as such; empty if they are the ones of this version.
std::string schema_difference(Connection& connection);

// The index of match keys is the one that an import does not write to in order. Filling an empty
// datastore goes faster without it; it is built in one go afterwards, in the same transaction.
void drop_key_index(Connection& connection);
void create_key_index(Connection& connection);

}  // namespace memmatch::store
