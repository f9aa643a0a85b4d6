#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <random>

#include "base/files.h"
#include "model/model_files.h"
#include "support.h"

// A model whose files were changed or cut: it is refused, naming the folder, or read as it now is.
// Nothing else is thrown, and nothing is read beyond a file's end (the sanitizers would tell).

namespace memmatch {
namespace {

using test::TemporaryFolder;

class ModelDamageTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::copy(test::fixture("golden_model_v1"), folder_.path());
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      files_.push_back(entry.path().filename().string());
  }

  // Whether it was refused.
  bool refused() {
    try {
      load_model(folder_.path());
      return false;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(folder_.path().string()), std::string::npos)
          << error.what();
      return true;
    }  // anything else fails the test
  }

  TemporaryFolder folder_;
  std::vector<std::string> files_;
};

// All bytes where MEMMATCH_EVERY_BYTE is set, else a sample that is the same every time.
TEST_F(ModelDamageTest, AChangedByteIsRefusedOrReadAsItIs) {
  const bool all = std::getenv("MEMMATCH_EVERY_BYTE") != nullptr;
  std::mt19937 random(11);
  for (const std::string& name : files_) {
    const std::string content = read_file(folder_ / name);
    int refusals = 0;
    for (std::size_t at = 0; at < content.size(); ++at) {
      const auto change = static_cast<char>(1 + random() % 255);
      if (!all && at > 200 && random() % 20 != 0) continue;
      std::string changed = content;
      changed[at] ^= change;
      folder_.write(name, changed);
      refusals += refused();
    }
    folder_.write(name, content);
    if (name == "config.json" || name == "model.safetensors") {
      EXPECT_GT(refusals, 50) << name;
    }
  }
  EXPECT_FALSE(refused()) << "whole again";
}

TEST_F(ModelDamageTest, ACutFileIsRefusedOrReadAsItIs) {
  for (const std::string& name : files_) {
    const std::string content = read_file(folder_ / name);
    const std::size_t step = std::max<std::size_t>(1, content.size() / 200);
    for (std::size_t size = 0; size < content.size(); size += step) {
      folder_.write(name, content.substr(0, size));
      const bool is_refused = refused();
      EXPECT_TRUE(is_refused || name != "model.safetensors") << size;
    }
    folder_.write(name, content);
  }
  EXPECT_FALSE(refused()) << "whole again";
}

TEST_F(ModelDamageTest, AMissingFileIsRefused) {
  for (const std::string name : {"config.json", "model.safetensors", "vocab.txt"}) {
    const std::string content = read_file(folder_ / name);
    std::filesystem::remove(folder_ / name);
    EXPECT_TRUE(refused()) << name;
    folder_.write(name, content);
  }
}

}  // namespace
}  // namespace memmatch
