#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "fuzz/targets.h"
#include "support.h"

// Every input that a fuzzer found interesting or that once did harm goes through the same function
// again, without the fuzzer.

namespace memmatch {
namespace {

using Target = void (*)(std::span<const std::byte>);

void replay(const std::filesystem::path& corpus, Target target) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_GE(files.size(), 20u) << corpus << " has lost its files";
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename().string());
    const std::string content = read_file(file);
    EXPECT_NO_THROW(target(std::as_bytes(std::span(content))));
  }
}

TEST(FuzzReplay, SafetensorsInputsDoNoHarm) {
  replay(test::fixture("fuzz/safetensors"), fuzz::safetensors);
}

TEST(FuzzReplay, OnnxInputsDoNoHarm) { replay(test::fixture("fuzz/onnx"), fuzz::onnx); }

TEST(FuzzReplay, ConfigInputsDoNoHarm) { replay(test::fixture("fuzz/config"), fuzz::config); }

TEST(FuzzReplay, TokenizerInputsDoNoHarm) {
  replay(test::fixture("fuzz/tokenizer"), fuzz::tokenizer);
}

TEST(FuzzReplay, ClaimsInputsDoNoHarm) { replay(test::fixture("fuzz/claims"), fuzz::claims); }

TEST(FuzzReplay, DocumentsInputsDoNoHarm) {
  replay(test::fixture("fuzz/documents"), fuzz::documents);
}

TEST(FuzzReplay, MarkupInputsDoNoHarm) { replay(test::fixture("fuzz/markup"), fuzz::markup); }

TEST(FuzzReplay, RequestInputsDoNoHarm) { replay(test::fixture("fuzz/request"), fuzz::request); }

TEST(FuzzReplay, BodiesInputsDoNoHarm) { replay(test::fixture("fuzz/bodies"), fuzz::bodies); }

}  // namespace
}  // namespace memmatch
