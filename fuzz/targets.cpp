#include "fuzz/targets.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "data/documents.h"
#include "data/file_text.h"
#include "data/pairs.h"
#include "data/sections.h"
#include "memmatch/error.h"
#include "model/config_files.h"
#include "model/onnx_bert.h"
#include "model/safetensors.h"
#include "model/tokenizer_files.h"
#include "serve/http.h"
#include "serve/requests.h"
#include "serve/url.h"

namespace memmatch::fuzz {
namespace {

void require(bool promise) {
  if (!promise) std::abort();
}

// True where `action` ended well, false where it threw our Error; nothing else may be thrown.
template <typename Action>
bool accepts(Action action) {
  try {
    action();
    return true;
  } catch (const Error& error) {
    require(error.what()[0] != '\0');
    return false;
  }
}

// Tensors that were found in a file can be read from it, and no byte twice.
void read_all(std::span<const std::byte> input, const std::vector<TensorInfo>& tensors) {
  std::uint64_t bytes = 0;
  for (const TensorInfo& tensor : tensors) {
    bytes += tensor.end - tensor.begin;
    accepts([&] { require(read_tensor(input, tensor, "fuzz").size() == tensor.elements); });
  }
  require(bytes <= input.size());
}

}  // namespace

void safetensors(std::span<const std::byte> input) {
  SafetensorsHeader header;
  if (!accepts([&] { header = parse_safetensors(input, "fuzz"); })) return;
  read_all(input, header.tensors);
}

void onnx(std::span<const std::byte> input) {
  OnnxGraph graph;
  if (!accepts([&] { graph = parse_onnx(input, "fuzz"); })) return;
  read_all(input, graph.tensors);
  std::vector<TensorInfo> named;
  if (accepts([&] { named = parse_onnx_bert(input, "fuzz"); })) read_all(input, named);
}

void config(std::span<const std::byte> input) {
  std::string text(reinterpret_cast<const char*>(input.data()), input.size());
  ModelConfig config;
  if (!accepts([&] { config = parse_model_config(text, "fuzz"); })) return;
  require(encoder_parameters(config.encoder) > pooler_parameters(config.encoder));
  if (config.memory) require(memory_level_parameters(*config.memory, config.encoder) > 0);
  // What was accepted is written such that it is accepted again, and means the same.
  std::string written = model_config_text(config);
  require(model_config_text(parse_model_config(written, "written")) == written);
}

namespace {

// The input as a file that is nowhere but in memory.
class InputAsFile {
 public:
  explicit InputAsFile(std::span<const std::byte> input) : descriptor_(::memfd_create("fuzz", 0)) {
    require(descriptor_ >= 0);
    require(::write(descriptor_, input.data(), input.size()) == std::ssize(input));
  }
  InputAsFile(const InputAsFile&) = delete;
  InputAsFile& operator=(const InputAsFile&) = delete;
  ~InputAsFile() { ::close(descriptor_); }

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

void tokenizer(std::span<const std::byte> input) {
  const InputAsFile file(input);
  accepts([&] {
    const text::WordPiece pieces = load_tokenizer_json(file.path());
    for (const text::Piece& piece : pieces.tokenize("The Moon is Earth's only moon."))
      require(piece.id >= 0 && piece.id < pieces.vocabulary().size());
  });
}

void claims(std::span<const std::byte> input) {
  const InputAsFile file(input);
  accepts([&] {
    data::ClaimReader reader(file.path());
    for (data::Claim claim; reader.next(claim);) require(!claim.text.empty());
  });
  accepts([&] {
    data::PairReader reader(file.path());
    for (data::Pair pair; reader.next(pair);)
      require(!pair.claim.text.empty() && pair.claim.label && !pair.evidence.empty());
  });
}

void documents(std::span<const std::byte> input) {
  const InputAsFile file(input);
  using enum data::DocumentFormat;
  for (const data::DocumentFormat format : {fever_wiki, jsonl, beir, kilt, text}) {
    accepts([&] {
      const auto reader = data::open_documents(format, file.path());
      for (NewDocument document; reader->next(document);) {
        for (const NewSentence& sentence : document.sentences) require(sentence.number >= 0);
      }
    });
  }
}

void markup(std::span<const std::byte> input) {
  const std::string bytes(reinterpret_cast<const char*>(input.data()), input.size());
  using enum data::FileKind;
  for (const data::FileKind kind : {text, rows, markdown, html, docx}) {
    accepts([&] {
      for (const NewDocument& document :
           data::documents_of("fuzz", "fuzz", data::file_blocks("fuzz", {kind, bytes}))) {
        require(document.title.starts_with("fuzz") && !document.sentences.empty());
        for (const NewSentence& sentence : document.sentences) require(!sentence.text.empty());
      }
    });
  }
}

namespace {

using serve::RequestError;

// What `parse` gives, where it does not refuse.
template <typename Parse>
auto accepted(Parse parse) -> std::optional<decltype(parse())> {
  try {
    return parse();
  } catch (const RequestError& error) {
    require(error.status >= 400 && error.status < 500);
    require(!error.code.empty() && !error.message.empty());
    return std::nullopt;
  }
}

void require_texts(const std::vector<std::string>& texts, std::size_t most) {
  require(!texts.empty() && texts.size() <= most);
  for (const std::string& text : texts)
    require(!text.empty() && text.size() <= serve::limits::kTextBytes);
}

void require_widths(const SearchOptions& search) {
  require(search.k1 >= 1 && search.k1 <= serve::limits::kK1 && search.z >= 1);
}

void require_options(const serve::VerifyOptions& options) {
  require_widths(options.search);
  require(options.search.z <= serve::limits::kZ);
  require(!options.exemplars || options.exemplars->nearest <= serve::limits::kNearest);
}

}  // namespace

void request(std::span<const std::byte> input) {
  const std::string_view target(reinterpret_cast<const char*>(input.data()), input.size());
  const auto parsed = accepted([&] { return serve::parse_url(target); });
  if (!parsed) return;
  require(!parsed->path.empty());
  accepted([&] {
    return serve::Parameters(*parsed, {"limit", "query"}).integer("limit", 5, 1, 100);
  });
}

void bodies(std::span<const std::byte> input) {
  const std::string body(reinterpret_cast<const char*>(input.data()), input.size());
  if (const auto verify = accepted([&] { return serve::parse_verify(body, {}); })) {
    require_texts(verify->claims, serve::limits::kClaims);
    require_options(verify->options);
  }
  if (const auto check = accepted([&] { return serve::parse_check(body, {}); })) {
    require(check->claims.size() <= check->sentences.size());
    require(check->claims.size() <= serve::limits::kClaims);
    require_options(check->options);
  }
  if (const auto search = accepted([&] { return serve::parse_search(body, {}); })) {
    require_texts(search->queries, serve::limits::kClaims);
    require_widths(search->search);
    require(search->search.z <= search->search.k1);
  }
  if (const auto rerank = accepted([&] { return serve::parse_rerank(body); })) {
    require(rerank->top_n >= 1 && rerank->top_n <= rerank->documents.size());
    require(rerank->documents.size() <= serve::limits::kRerankDocuments);
  }
  if (const auto embeddings = accepted([&] { return serve::parse_embeddings(body); }))
    require_texts(embeddings->texts, serve::limits::kEmbeddingTexts);
  if (const auto sentence = accepted([&] { return serve::parse_sentence(body, true); }))
    require(!sentence->text.empty() && sentence->number.value_or(0) >= 0);
  if (const auto document = accepted([&] { return serve::parse_document(body); })) {
    for (const NewSentence& sentence : document->sentences) require(sentence.number >= 0);
  }
  if (const auto exemplar = accepted([&] { return serve::parse_new_exemplar(body, {}); }))
    require_widths(exemplar->search);
  accepted([&] { return serve::parse_relabelling(body); });
}

}  // namespace memmatch::fuzz
