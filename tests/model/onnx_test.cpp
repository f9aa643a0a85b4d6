#include "model/onnx.h"

#include <gtest/gtest.h>

#include "model/onnx_writer.h"
#include "support.h"

namespace memmatch {
namespace {

using test::bytes_field;
using test::integer_field;
using test::onnx_file;
using test::OnnxOperator;
using test::OnnxTensor;
using test::varint;

const std::vector<float> kNumbers = {1.0f, -2.5f, 3e-5f, 0.0f, 1e30f, -0.125f};

OnnxTensor matrix() { return {"a", {2, 3}, test::raw_bytes(kNumbers)}; }

OnnxGraph parse(const std::string& file) {
  return parse_onnx(std::as_bytes(std::span(file)), "f.onnx");
}

std::vector<float> read(const OnnxTensor& tensor) {
  const std::string file = onnx_file({}, {tensor});
  return read_tensor(std::as_bytes(std::span(file)), parse(file).tensors.at(0), "f.onnx");
}

void expect_refused(const std::string& file, const std::vector<std::string>& parts,
                    ErrorKind kind = ErrorKind::corrupt) {
  const Error error = test::error_of([&] { parse(file); });
  EXPECT_EQ(error.kind(), kind) << error.what();
  EXPECT_TRUE(std::string(error.what()).starts_with("f.onnx: ")) << error.what();
  for (const std::string& part : parts) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

void expect_tensor_refused(const OnnxTensor& tensor, const std::vector<std::string>& parts,
                           ErrorKind kind = ErrorKind::corrupt) {
  expect_refused(onnx_file({}, {tensor}), parts, kind);
}

TEST(Onnx, NodesAndTensorsAreRead) {
  const std::string file =
      onnx_file({{"Add", {"x", "b"}, {"y"}}, {"Attention", {}, {}, "com.microsoft"}},
                {{"b", {}, std::string(4, '\0')}, matrix()});
  const OnnxGraph graph = parse(file);
  ASSERT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(graph.nodes[0].operation, "Add");
  EXPECT_EQ(graph.nodes[0].name, "/Add");
  EXPECT_EQ(graph.nodes[0].domain, "");
  EXPECT_EQ(graph.nodes[0].inputs, (std::vector<std::string_view>{"x", "b"}));
  EXPECT_EQ(graph.nodes[0].outputs, (std::vector<std::string_view>{"y"}));
  EXPECT_EQ(graph.nodes[1].domain, "com.microsoft");
  ASSERT_EQ(graph.tensors.size(), 2u);
  EXPECT_EQ(graph.tensors[0].name, "a");
  EXPECT_EQ(graph.tensors[0].shape, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(graph.tensors[0].elements, 6u);
  EXPECT_EQ(graph.tensors[1].elements, 1u);
}

TEST(Onnx, NumbersAreReadInEveryFormThatWeightsComeIn) {
  EXPECT_EQ(read(matrix()), kNumbers);
  OnnxTensor floats = matrix();
  floats.data_field = 4;
  EXPECT_EQ(read(floats), kNumbers);
  OnnxTensor packed_shape = matrix();
  packed_shape.shape.clear();
  packed_shape.more = bytes_field(1, varint(2) + varint(3));
  EXPECT_EQ(read(packed_shape), kNumbers);
  const std::vector<std::uint16_t> halves = {0x3C00, 0xC100};
  const OnnxTensor half = {"h", {2}, test::raw_bytes(halves), test::onnx_type::kFloat16};
  EXPECT_EQ(read(half), (std::vector<float>{1.0f, -2.5f}));
  OnnxTensor brain = half;
  brain.type = 16;
  EXPECT_EQ(read(brain), (std::vector<float>{0.0078125f, -8.0f}));
  EXPECT_TRUE(read({"nothing", {0, 5}, ""}).empty());
}

TEST(Onnx, TensorsOfOtherTypesAreListedButNotRead) {
  const OnnxTensor ids = {"ids", {3}, "", test::onnx_type::kInt64, 9, bytes_field(7, "\1\2\3")};
  const Error error = test::error_of([&] { read(ids); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_NE(std::string(error.what()).find("'ids' is INT64"), std::string::npos) << error.what();
  EXPECT_EQ(parse(onnx_file({}, {{"odd", {1}, "", 99}})).tensors[0].type, TensorType::other);
}

TEST(Onnx, WhatIsNoOnnxFileIsToldSo) {
  expect_refused("", {"not an ONNX file: it holds no graph"});
  expect_refused(integer_field(1, 6), {"holds no graph"});
  expect_refused("version https://git-lfs.github.com/spec/v1\n", {"not an ONNX file"});
  expect_refused("<!DOCTYPE html><html></html>", {"not an ONNX file"});
  expect_refused(integer_field(7, 6), {"field 7 is not a message"});
}

TEST(Onnx, EveryTruncationIsRefused) {
  const std::string file = onnx_file({{"Add", {"x", "b"}, {"y"}}}, {matrix()});
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_THROW(parse(file.substr(0, size)), Error) << size;
  }
}

TEST(Onnx, DamagedFieldsAreRefusedWithTheirPlace) {
  expect_refused(std::string(10, '\xFF') + '\1', {"more than 64 bits", "at byte 0"});
  expect_refused(integer_field(1, 6) + varint(7 << 3 | 2) + std::string(9, '\xFF') + '\2',
                 {"more than 64 bits", "at byte 2"});
  expect_refused(varint(7 << 3 | 2) + varint(~std::uint64_t{0}) + "abc",
                 {"should have 18446744073709551615 bytes, there are 3"});
  expect_refused(varint(2), {"no field has the number 0"});
  expect_refused(varint(std::uint64_t{1} << 40), {"no field has the number"});
  expect_refused(varint(7 << 3 | 3) + varint(7 << 3 | 4), {"field 7 has the type 3"});
  expect_refused(varint(3 << 3 | 5) + "abc", {"should have 4 bytes, there are 3"});
  expect_refused(varint(3 << 3 | 1) + "abc", {"should have 8 bytes, there are 3"});
  expect_refused(bytes_field(7, bytes_field(1, bytes_field(4, "\xC3\x28"))), {"is not UTF-8"});
}

TEST(Onnx, ShapesThatCannotBeAreRefusedWithTheTensorsName) {
  OnnxTensor tensor = matrix();
  tensor.shape = {2, ~std::uint64_t{0}};
  expect_tensor_refused(tensor, {"tensor 'a'", "negative: -1"});
  tensor.shape = {std::uint64_t{1} << 32, std::uint64_t{1} << 32, 2};
  expect_tensor_refused(tensor, {"tensor 'a'", "absurdly large"});
  tensor.shape = {std::uint64_t{1} << 62};
  expect_tensor_refused(tensor, {"tensor 'a'", "absurdly large"});
  tensor.shape = {2, 4};
  expect_tensor_refused(tensor, {"tensor 'a'", "[2, 4] of FLOAT takes 32 bytes, but it has 24"});
  tensor.shape = {2, 3};
  tensor.more = bytes_field(1, "\x80");
  expect_tensor_refused(tensor, {"breaks off"});
}

TEST(Onnx, NumbersThatAreElsewhereAreRefusedWithTheTensorsName) {
  OnnxTensor tensor = matrix();
  tensor.more = integer_field(14, 1);
  expect_tensor_refused(tensor, {"tensor 'a'", "another file"}, ErrorKind::unsupported);
  tensor.more = bytes_field(13, bytes_field(1, "location") + bytes_field(2, "weights.bin"));
  expect_tensor_refused(tensor, {"tensor 'a'", "another file"}, ErrorKind::unsupported);
  tensor.more = integer_field(14, 0);  // here
  EXPECT_EQ(read(tensor), kNumbers);
  tensor.data_field = 5;
  expect_tensor_refused(tensor, {"tensor 'a'", "neither in 'raw_data' nor"},
                        ErrorKind::unsupported);
}

TEST(Onnx, WhatComesTwiceIsRefused) {
  expect_refused(onnx_file({}, {matrix(), matrix()}), {"tensor 'a' comes twice"});
  const std::string file = onnx_file({}, {});
  expect_refused(file + file, {"the graph comes twice"});
  OnnxTensor tensor = matrix();
  tensor.more = bytes_field(9, tensor.data);
  expect_tensor_refused(tensor, {"'raw_data' comes twice"});
  tensor.more = bytes_field(4, tensor.data);
  expect_tensor_refused(tensor, {"tensor 'a'", "both 'raw_data' and 'float_data'"});
  tensor.more = bytes_field(8, "b");
  expect_tensor_refused(tensor, {"'name' comes twice"});
  tensor.more = integer_field(2, 1);
  expect_tensor_refused(tensor, {"'data_type' comes twice"});
}

TEST(Onnx, ATensorNeedsAName) {
  expect_tensor_refused({"", {1}, "abcd"}, {"an initialiser has no name"});
}

TEST(Onnx, GraphsWithinTheGraphAreNotEntered) {
  std::string deep;
  for (int i = 0; i < 20'000; ++i) deep = bytes_field(5, deep);
  const OnnxOperator node = {"If", {"x"}, {"y"}, "", deep};
  EXPECT_EQ(parse(onnx_file({node}, {})).nodes.at(0).operation, "If");
}

}  // namespace
}  // namespace memmatch
