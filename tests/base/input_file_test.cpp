#include "base/input_file.h"

#include <gtest/gtest.h>

#include <random>

#include "base/files.h"
#include "base/hash.h"
#include "base/zstd_frames.h"
#include "packed.h"
#include "support.h"

namespace memmatch {
namespace {

using test::error_of;
using test::packed;
using test::TemporaryFolder;

// Words at random, so that packing does not make a few bytes of them.
std::string words(std::size_t bytes) {
  std::mt19937 random(1);
  std::string text;
  while (text.size() < bytes) {
    for (auto length = 2 + random() % 7; length > 0; --length)
      text.push_back(static_cast<char>('a' + random() % 12));
    text.push_back(random() % 9 == 0 ? '\n' : ' ');
  }
  return text;
}

std::string content_of(const std::filesystem::path& path, std::size_t step = 1 << 16) {
  InputFile file(path);
  std::string content;
  std::string some(step, '\0');
  while (const std::size_t n = file.read(some)) content.append(some, 0, n);
  EXPECT_EQ(file.read(some), 0u) << "what has ended does not go on";
  return content;
}

class PackedFileTest : public testing::TestWithParam<std::string> {
 protected:
  std::filesystem::path write(const std::string& bytes, const std::string& name = "") {
    return folder_.write(name.empty() ? "f" + GetParam() : name, bytes);
  }

  TemporaryFolder folder_;
};

TEST_P(PackedFileTest, ComesOutAsItWas) {
  for (const std::size_t size : {0, 1, 5'000, 1'000'000}) {
    const std::string text = words(size);
    const std::string bytes = packed(GetParam(), text);
    EXPECT_TRUE(content_of(write(bytes)) == text) << size;
    EXPECT_TRUE(content_of(write(bytes, "no_ending")) == text) << "told by its content";
    EXPECT_TRUE(content_of(write(bytes), 7) == text) << "in small steps";
    // Packed files put together are the packed file of their contents.
    EXPECT_TRUE(content_of(write(bytes + packed(GetParam(), "") + bytes)) == text + text) << size;
  }
}

// The one thing that must not happen is a text that ends too early and nobody notices.
TEST_P(PackedFileTest, CutOffAnywhereIsAnError) {
  const std::string text = words(1'500);
  const std::string one = packed(GetParam(), text);
  const std::string two = one + packed(GetParam(), words(200));
  for (std::size_t size = 0; size < two.size(); ++size) {
    if (size == one.size()) continue;
    const auto file = write(two.substr(0, size));
    const Error error = error_of([&] { content_of(file); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt) << size;
    EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
  }
}

TEST_P(PackedFileTest, LargeFilesThatAreCutOffAreErrors) {
  const std::string bytes = packed(GetParam(), words(2'000'000));
  for (std::size_t parts = 1; parts < 40; ++parts) {
    const auto file = write(bytes.substr(0, bytes.size() * parts / 40));
    EXPECT_EQ(error_of([&] { content_of(file); }).kind(), ErrorKind::corrupt) << parts;
  }
}

TEST_P(PackedFileTest, WhatFollowsMustBePackedAsWell) {
  const auto file = write(packed(GetParam(), words(3'000)) + "and then some text that is not\n");
  EXPECT_EQ(error_of([&] { content_of(file); }).kind(), ErrorKind::corrupt);
}

TEST_P(PackedFileTest, ANameThatPromisesItMustKeepIt) {
  for (const char* content : {"", "{\"claim\": \"The Moon is round.\"}\n"}) {
    const auto file = write(content);
    const Error error = error_of([&] { InputFile input(file); });
    EXPECT_EQ(error.kind(), ErrorKind::corrupt);
    EXPECT_NE(std::string(error.what()).find("the name ends in " + GetParam()), std::string::npos)
        << error.what();
  }
}

TEST_P(PackedFileTest, LinesAreReadAndTheBytesOfTheFileAreCounted) {
  const std::string text = words(1'000'000);
  const auto file = write(packed(GetParam(), text));
  LineReader lines(file);
  std::string again;
  for (std::string line; lines.next(line);) again += line + "\n";
  EXPECT_TRUE(again == text + (text.ends_with('\n') ? "" : "\n"));
  EXPECT_EQ(lines.bytes_read(), std::filesystem::file_size(file));
}

TEST_P(PackedFileTest, WhatUnpacksWithoutEndIsAnError) {
  const auto file = write(packed(GetParam(), std::string(LineReader::kLongestLine + 1000, 'x')));
  EXPECT_LT(std::filesystem::file_size(file), 2u << 20);
  LineReader lines(file);
  std::string line;
  const Error error = error_of([&] { lines.next(line); });
  EXPECT_NE(std::string(error.what()).find(":1: line of over 256 MB"), std::string::npos)
      << error.what();
}

TEST_P(PackedFileTest, TheHashIsThatOfTheContent) {
  const std::string text = words(300'000);
  EXPECT_EQ(content_hash_of_file(write(packed(GetParam(), text))), content_hash(text));
  EXPECT_EQ(content_hash_of_file(write(text, "plain")), content_hash(text));
}

INSTANTIATE_TEST_SUITE_P(Packings, PackedFileTest, testing::Values(".gz", ".xz", ".zst"),
                         [](const auto& packing) { return packing.param.substr(1); });

// "Ten green bottles, 0." to "Ten green bottles, 841.", with a checksum, as the zstd program packs
// it.
constexpr std::string_view kChecked{
    "\x28\xB5\x2F\xFD\x04\x68\x35\x03\x00\x02\x85\x0F\x11\xA0\xED\x36"
    "\x75\x5E\xFB\xBF\xA8\x24\x52\xA9\x49\xD9\x5C\xE1\xB9\x02\x60\xE4"
    "\xBB\x8D\x1A\xC3\x6C\x56\xB7\xFF\x3F\xB9\x5C\xCB\xE9\xD5\x55\xE5"
    "\x73\xF8\x57\x92\xD9\xE7\x73\x2E\xAB\x9C\xE7\x09\x06\x09\x02\x2A"
    "\x16\xA3\x4B\xA1\x29\xF5\x56\x68\x0A\x05\x1D\xA8\x10\x40\xDB\xFD"
    "\x3B\xC0\xE3\x8C\x01\x10\xFE\x47\x04\xA2\x1E\x27\xE6\x7E\x6A\xBE"
    "\xC8\xE1\xDF\xA4\xB9\x73\x9E\xDE\x69\xF4\xB6\xAE\x04\x24\x05\x46"
    "\x7F\xA3\x6D",
    115};

std::string bottles() {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "Ten green bottles, " + std::to_string(i * i) + ".\n";
  return text;
}

// A changed bit is an error, or changes nothing of what comes out: a few bits mean nothing.
TEST(InputFile, DamageIsNoticedByTheChecksum) {
  const TemporaryFolder folder;
  const std::string text = words(20'000);
  const std::vector<std::pair<std::string, std::string>> files{
      {packed(".gz", text), text}, {packed(".xz", text), text}, {std::string(kChecked), bottles()}};
  for (const auto& [bytes, content] : files) {
    ASSERT_TRUE(content_of(folder.write("f", bytes)) == content);
    int errors = 0;
    for (std::size_t i = 0; i < 200; ++i) {
      const std::size_t place = 6 + (bytes.size() - 6) * i / 200;  // what tells the packing stays
      std::string damaged = bytes;
      damaged[place] = static_cast<char>(damaged[place] ^ 1 << i % 8);
      try {
        EXPECT_TRUE(content_of(folder.write("f", damaged)) == content) << place;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::corrupt) << error.what();
        ++errors;
      }
    }
    EXPECT_GT(errors, 180);
  }
}

TEST(InputFile, StandardInputIsNotHashed) {
  EXPECT_EQ(error_of([] { content_hash_of_file("-"); }).kind(), ErrorKind::invalid_argument);
}

TEST(InputFile, NamesWithoutTheirPacking) {
  EXPECT_EQ(unpacked_name("a/wiki-001.jsonl.xz"), "a/wiki-001.jsonl");
  EXPECT_EQ(unpacked_name("notes.txt.zst"), "notes.txt");
  EXPECT_EQ(unpacked_name("notes.txt"), "notes.txt");
}

TEST(ZstdFrames, AreFollowedWhateverThePieces) {
  const std::string skippable{"\x52\x2A\x4D\x18\x03\x00\x00\x00xyz", 11};
  const std::string stream =
      skippable + std::string(kChecked) + packed(".zst", words(500'000)) + skippable;
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
    ZstdFrames frames;
    for (std::size_t i = 0; i < stream.size(); i += piece)
      frames.take(std::string_view(stream).substr(i, piece));
    EXPECT_TRUE(frames.between_frames()) << piece;
    frames.take("\x28");
    EXPECT_FALSE(frames.between_frames()) << piece;
  }
}

}  // namespace
}  // namespace memmatch
