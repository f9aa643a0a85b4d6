#pragma once

#include "serve/answers.h"

// Answers of routes as texts that a language model reads well: what matters first, whole sentences,
// the places by which another tool finds them. The whole answer stands beside them as JSON.

namespace memmatch::serve::mcp {

std::string verify_text(const Json& answer);
std::string check_text(const Json& answer);
std::string search_text(const Json& answer);
std::string document_text(const Json& answer);    // one that was put
std::string sentence_text(const Json& answer);    // one that was put
std::string correction_text(const Json& answer);  // an exemplar that was added

// A document to be read: its sentences with their numbers.
std::string resource_text(const Json& document);

// Says of each verdict what holds, and on whose word: `decision`, with `label` and `by`: "model";
// "update", where an exemplar's label took the model's place; "correction", where somebody has said
// of this very decision that another label is right.
void add_decisions(Json& answer);

}  // namespace memmatch::serve::mcp
