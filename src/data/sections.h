#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memmatch/datastore.h"
#include "text/blocks.h"

namespace memmatch::data {

// Adds the sentences of a text, numbered on; those that are too long for a model in parts.
void append_sentences(std::string_view text, NewDocument& document);

// The documents that a file's text is made of: what stands under one heading, or on one page, is a
// document whose title says where that is ("policy.md › Leave policy › Carry-over", "handbook.pdf,
// page 3"), so that evidence names its place. A title that begins with a file's name is not found
// in a claim that only shares a word with it. `name` is the file's identity, `shown` what people
// know it by. A heading with nothing under it is a sentence.
std::vector<NewDocument> documents_of(std::string_view name, std::string_view shown,
                                      const std::vector<text::Block>& blocks);

}  // namespace memmatch::data
