#include "model/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <limits>

#include "base/atomic_file.h"
#include "base/files.h"
#include "memmatch/error.h"
#include "support.h"

namespace memmatch {
namespace {

class SafetensorsTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_ / "model.safetensors"; }

  test::TemporaryFolder folder_;
};

std::string with_length(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

SafetensorsHeader parse(const std::string& bytes) {
  return parse_safetensors(std::as_bytes(std::span(bytes)), "x.safetensors");
}

// The message with which the bytes are refused.
std::string refusal(const std::string& bytes, ErrorKind kind = ErrorKind::corrupt) {
  try {
    parse(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_EQ(std::string(error.what()).find("x.safetensors: "), 0u) << error.what();
    return error.what();
  }
  return "accepted";
}

std::string refused_header(const std::string& header, std::size_t data_bytes) {
  return refusal(with_length(header, std::string(data_bytes, '\0')));
}

#define EXPECT_SAYS(message, part) \
  EXPECT_NE((message).find(part), std::string::npos) << "says: " << (message)

TEST_F(SafetensorsTest, WhatIsWrittenIsReadBack) {
  const std::vector<float> a = {1.0f, -2.5f, 3e-5f, 0.0f, 65504.0f, -0x1p-24f};
  const std::vector<float> b = {0.125f};
  write_safetensors(file(), {{"b", {}, b}, {"a.weight", {2, 3}, a}}, Storage::fp32);
  const TensorFile read = open_safetensors(file());
  ASSERT_EQ(read.tensors().size(), 2u);
  EXPECT_EQ(read.tensors()[0].name, "a.weight");
  EXPECT_EQ(read.tensors()[0].shape, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(read.read(*read.find("a.weight")), a);
  EXPECT_EQ(read.read(*read.find("b")), b);
  EXPECT_EQ(read.find("a"), nullptr);
  const std::string bytes = read_file(file());
  EXPECT_EQ(parse_safetensors(std::as_bytes(std::span(bytes)), "f").metadata.at("format"), "pt");
}

TEST_F(SafetensorsTest, Fp16KeepsWhatFitsAndRoundsTheRest) {
  const std::vector<float> values = {1.0f, 0.1f};
  write_safetensors(file(), {{"a", {2}, values}}, Storage::fp16);
  const TensorFile read = open_safetensors(file());
  EXPECT_EQ(read.find("a")->type, TensorType::f16);
  EXPECT_EQ(read.read(*read.find("a")), (std::vector<float>{1.0f, 0.0999755859375f}));
}

TEST_F(SafetensorsTest, NumbersStartAtAMultipleOfEightAfterBlanks) {
  const std::vector<float> values = {1.0f};
  write_safetensors(file(), {{"name", {1}, values}}, Storage::fp32);
  const std::string bytes = read_file(file());
  EXPECT_EQ(bytes.size() % 8, 4u);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  EXPECT_EQ(bytes.size(), 8 + length + 4);
}

TEST_F(SafetensorsTest, TheOrderOfTheTensorsDoesNotChangeTheBytes) {
  const std::vector<float> a = {1.0f}, b = {2.0f};
  write_safetensors(file(), {{"a", {1}, a}, {"b", {1}, b}}, Storage::fp32);
  const std::string first = read_file(file());
  write_safetensors(file(), {{"b", {1}, b}, {"a", {1}, a}}, Storage::fp32);
  EXPECT_EQ(read_file(file()), first);
}

TEST_F(SafetensorsTest, ANumberTooLargeForFp16LeavesNoFile) {
  const std::vector<float> values = {1.0f, 1e6f};
  EXPECT_THROW(write_safetensors(file(), {{"a", {2}, values}}, Storage::fp16), Error);
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / ""));
}

TEST_F(SafetensorsTest, WritingRefusesTwinsAndWrongShapes) {
  const std::vector<float> values = {1.0f, 2.0f};
  EXPECT_THROW(write_safetensors(file(), {{"a", {3}, values}}, Storage::fp32), Error);
  EXPECT_THROW(write_safetensors(file(), {{"a", {2}, values}, {"a", {2}, values}}, Storage::fp32),
               Error);
}

TEST_F(SafetensorsTest, BrainFloatsAreRead) {
  const std::string header = R"({"a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})";
  write_file_atomically(file(), with_length(header, std::string("\x80\x3F\x49\xC0", 4)));
  const TensorFile read = open_safetensors(file());
  EXPECT_EQ(read.read(*read.find("a")), (std::vector<float>{1.0f, -3.140625f}));
}

TEST_F(SafetensorsTest, OtherTypesMayBeThereButNotBeReadAsWeights) {
  const std::string header = R"({"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})";
  write_file_atomically(file(), with_length(header, std::string(8, '\0')));
  const TensorFile read = open_safetensors(file());
  const Error error = test::error_of([&] { read.read(*read.find("a")); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_SAYS(std::string(error.what()), "tensor 'a' is I64");
}

TEST_F(SafetensorsTest, NansAndInfinitiesAreRefusedWithTheTensorsName) {
  const float bad[] = {std::numeric_limits<float>::quiet_NaN(),
                       -std::numeric_limits<float>::infinity()};
  for (const float number : bad) {
    for (const Storage storage : {Storage::fp32, Storage::fp16}) {
      const std::vector<float> values = {1.0f, number};
      write_safetensors(file(), {{"filters.bias", {2}, values}}, storage);
      const TensorFile read = open_safetensors(file());
      const Error error = test::error_of([&] { read.read(*read.find("filters.bias")); });
      EXPECT_EQ(error.kind(), ErrorKind::corrupt);
      EXPECT_SAYS(std::string(error.what()), "tensor 'filters.bias'");
    }
  }
}

TEST_F(SafetensorsTest, EveryTruncationIsRefused) {
  const std::vector<float> a = {1.0f, 2.0f}, b = {3.0f};
  write_safetensors(file(), {{"a", {2}, a}, {"b", {1}, b}}, Storage::fp32);
  const std::string bytes = read_file(file());
  parse(bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(refusal(bytes.substr(0, size)), "accepted") << size;
  }
}

TEST_F(SafetensorsTest, ALongerFileIsRefused) {
  const std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  parse(with_length(header, std::string(4, '\0')));
  EXPECT_SAYS(refused_header(header, 5), "1 bytes after the last tensor");
}

TEST_F(SafetensorsTest, OverlapsAndHolesAreRefused) {
  EXPECT_SAYS(refused_header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                             R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                             8),
              "tensor 'b' overlaps");
  EXPECT_SAYS(refused_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                             R"("b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})",
                             12),
              "a hole of 4 bytes before tensor 'b'");
}

TEST_F(SafetensorsTest, AnImpossibleHeaderLengthIsRefused) {
  std::string bytes(16, '\0');
  for (const std::uint64_t length :
       {std::uint64_t{9}, std::uint64_t{1} << 62, ~std::uint64_t{0}, ~std::uint64_t{7}}) {
    std::memcpy(bytes.data(), &length, 8);
    EXPECT_SAYS(refusal(bytes), "header");
  }
}

TEST_F(SafetensorsTest, AbsurdSizesAreRefused) {
  const auto with_shape = [](const std::string& shape, const std::string& offsets) {
    return R"({"a":{"dtype":"F32","shape":[)" + shape + R"(],"data_offsets":[)" + offsets + "]}}";
  };
  EXPECT_SAYS(refused_header(with_shape("9223372036854775808", "0,0"), 0), "absurdly large");
  EXPECT_SAYS(refused_header(with_shape("4294967296,4294967296", "0,0"), 0), "absurdly large");
  EXPECT_SAYS(refused_header(with_shape("4611686018427387904", "0,0"), 0), "absurdly large");
  EXPECT_NE(refused_header(with_shape("18446744073709551616", "0,0"), 0), "accepted");
  EXPECT_SAYS(refused_header(with_shape("1", "18446744073709551612,0"), 0), "before they begin");
  EXPECT_SAYS(refused_header(with_shape("1", "18446744073709551611,18446744073709551615"), 0),
              "hole");
  EXPECT_SAYS(refused_header(with_shape("1000000000", "0,4000000000"), 4), "truncated");
}

TEST_F(SafetensorsTest, AShapeWithAZeroHasNoBytesHoweverLargeTheRest) {
  const auto header = parse(with_length(
      R"({"a":{"dtype":"F32","shape":[0,9223372036854775808],"data_offsets":[0,0]}})", ""));
  EXPECT_EQ(header.tensors.at(0).elements, 0u);
}

TEST_F(SafetensorsTest, ShapeTypeAndPlaceMustFit) {
  EXPECT_SAYS(refused_header(R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[0,8]}})", 8),
              "takes 4 bytes, but 'data_offsets' give it 8");
  EXPECT_SAYS(refused_header(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4),
              "whole numbers from 0");
  EXPECT_SAYS(refused_header(R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", 4),
              "whole numbers from 0");
  EXPECT_SAYS(refused_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})", 8),
              "must be [begin, end]");
  EXPECT_SAYS(refused_header(R"({"a":{"dtype":4,"shape":[1],"data_offsets":[0,4]}})", 4),
              "'dtype' must be a string");
  EXPECT_SAYS(refusal(with_length(R"({"a":{"dtype":"F5","shape":[1],"data_offsets":[0,4]}})",
                                  std::string(4, '\0')),
                      ErrorKind::unsupported),
              "tensor 'a': type 'F5' is not known");
}

TEST_F(SafetensorsTest, DoubledAndMissingNamesAreRefused) {
  EXPECT_SAYS(refused_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                             R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                             8),
              "tensor 'a' comes twice");
  EXPECT_SAYS(
      refused_header(R"({"a":{"dtype":"F32","shape":[1],"shape":[2],"data_offsets":[0,4]}})", 4),
      "comes twice");
  EXPECT_SAYS(refused_header(R"({"a":{"dtype":"F32","shape":[1]}})", 0),
              "field 'data_offsets' is missing");
  EXPECT_SAYS(refused_header(R"({"__metadata__":{},"__metadata__":{}})", 0), "comes twice");
  EXPECT_SAYS(refused_header(R"({"__metadata__":{"a":1}})", 0), "__metadata__.a");
}

TEST_F(SafetensorsTest, WhatIsNoSafetensorsFileIsToldSo) {
  EXPECT_SAYS(refusal("PK\x03\x04 a zip archive, as pytorch_model.bin is one"),
              "not a safetensors file");
  EXPECT_SAYS(refused_header("[]", 0), "not a safetensors file");
  EXPECT_SAYS(refused_header("{", 0), "not valid JSON");
  EXPECT_SAYS(refused_header(R"({"a":[]})", 0), "must be an object");
}

TEST_F(SafetensorsTest, AMissingFileIsNotFound) {
  const Error error = test::error_of([&] { open_safetensors(folder_ / "none.safetensors"); });
  EXPECT_EQ(error.kind(), ErrorKind::not_found);
  EXPECT_THROW(open_safetensors(folder_ / ""), Error);
}

}  // namespace
}  // namespace memmatch
