#pragma once

#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "memmatch/datastore.h"
#include "serve/context.h"
#include "serve/http.h"

namespace memmatch::serve {

using Json = nlohmann::ordered_json;

HttpAnswer json_answer(int status, const Json& body);
HttpAnswer error_answer(const RequestError& error);

// Of a file that is served.
RequestError file_replaced();

// What a client may know of an error; the rest, and where the files are, goes to the log.
RequestError public_error(const std::exception_ptr& error, const ServiceSettings& settings);

Json to_json(const Sentence& sentence);
Json to_json(const std::vector<Sentence>& sentences);
Json to_json(const Document& document);  // id, title, raw_title

}  // namespace memmatch::serve
