#pragma once

#include <cstddef>
#include <span>

// What a fuzzer does with one input. The tests replay the kept inputs through the same functions.
// Any input must end in something accepted or an error of ours; a broken promise aborts.

namespace memmatch::fuzz {

// A safetensors file: the header, and then every tensor that can hold weights.
void safetensors(std::span<const std::byte> input);

// An ONNX file of a BERT: the graph, the names of its tensors, and then every tensor that can hold
// weights.
void onnx(std::span<const std::byte> input);

// A model's config.json.
void config(std::span<const std::byte> input);

// A tokenizer.json.
void tokenizer(std::span<const std::byte> input);

// A file of claims, read as one of claims and as one of pairs, packed or not.
void claims(std::span<const std::byte> input);

// A file of documents, in every format that there is.
void documents(std::span<const std::byte> input);

// A text as HTML, Markdown, DOCX, CSV and plain, to its sentences.
void markup(std::span<const std::byte> input);

// What a request to the server asks for: a URL.
void request(std::span<const std::byte> input);

// The body of a request, which goes through the parser of every route that takes one.
void bodies(std::span<const std::byte> input);

}  // namespace memmatch::fuzz
