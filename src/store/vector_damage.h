#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "store/sqlite.h"

// What cannot be used of a datastore's vectors: `store check` reports it, `store repair` removes
// it.

namespace memmatch::store {

// Whether the bytes are as many halves, all of them finite.
bool is_vector(std::string_view bytes, std::int64_t dimension);

// Sets that can be no model's, by their ids.
std::vector<std::int64_t> damaged_vector_sets(Connection& connection);

// `problem` completes "a vector …".
void for_each_damaged_vector(
    Connection& connection,
    const std::function<void(std::int64_t key, std::string_view problem)>& visit);

}  // namespace memmatch::store
