#pragma once

#include <filesystem>
#include <optional>

#include "text/wordpiece.h"

namespace memmatch {

enum class LetterCase { cased, uncased };

// A `vocab.txt`: one piece a line, numbered from 0. Such a file does not say whether text is to be
// lower-cased; unless `letter_case` does, a `tokenizer_config.json` beside it is asked, and failing
// that, whether the vocabulary has capitals.
text::WordPiece load_vocab_txt(const std::filesystem::path& file,
                               std::optional<LetterCase> letter_case = {});

// A Hugging Face `tokenizer.json` with a WordPiece model and BERT's normaliser, which says
// everything itself; `letter_case` overrides it. Truncation and padding settings are not ours.
text::WordPiece load_tokenizer_json(const std::filesystem::path& file,
                                    std::optional<LetterCase> letter_case = {});

}  // namespace memmatch
