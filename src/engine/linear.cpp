#include "engine/linear.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/single_thread.h"
#include "memmatch/error.h"

namespace memmatch::engine {
namespace {

using DataType = dnnl::memory::data_type;
using Layout = dnnl::memory::format_tag;

bool is_int8(const LinearShape& shape) { return shape.precision == Precision::int8; }

bool has_byte_products_without_saturation() {
  constexpr auto kVnni = 0x40u | 0x400u;  // of avx512_core_vnni and of avx2_vnni
  return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & kVnni) != 0;
}

dnnl::matmul::primitive_desc describe(const LinearShape& shape, std::int64_t rows,
                                      const dnnl::memory::desc& weight,
                                      const dnnl::engine& device) {
  const dnnl::memory::desc x({rows, shape.in}, is_int8(shape) ? DataType::u8 : DataType::f32,
                             Layout::ab);
  const dnnl::memory::desc y({rows, shape.out}, is_int8(shape) ? DataType::s32 : DataType::f32,
                             Layout::ab);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (is_int8(shape)) {
    return {dnnl::matmul::desc(x, weight, y), attributes, device};
  }
  if (shape.destination == Destination::added) {
    dnnl::post_ops add;
    add.append_sum(1.0f);
    attributes.set_post_ops(add);
  }
  const dnnl::memory::desc bias({1, shape.out}, DataType::f32, Layout::ab);
  return {dnnl::matmul::desc(x, weight, bias, y), attributes, device};
}

// The layout that oneDNN chooses for the weights of full blocks; all others use it too.
dnnl::memory::desc packed_layout(const LinearShape& shape, const dnnl::engine& device) {
  const dnnl::memory::desc any({shape.in, shape.out}, is_int8(shape) ? DataType::s8 : DataType::f32,
                               Layout::any);
  return describe(shape, row_blocks(shape.precision).largest, any, device).weights_desc();
}

// `plain` holds W[out][in] in the type of `shape`.
dnnl::memory packed(const void* plain, const LinearShape& shape, const dnnl::engine& device) {
  dnnl::stream stream(device);
  dnnl::memory target(packed_layout(shape, device), device);
  dnnl::memory source(
      {{shape.in, shape.out}, is_int8(shape) ? DataType::s8 : DataType::f32, Layout::ba}, device,
      const_cast<void*>(plain));  // oneDNN only reads it
  dnnl::reorder(source, target).execute(stream, source, target);
  stream.wait();
  return target;
}

// Blocks of columns are the outermost dimension, and the kernels are those whose products do not
// depend on what other columns there are.
std::int64_t column_block(const dnnl::memory::desc& layout) {
  if (best_isa() != Isa::avx512) return 0;
  const dnnl_blocking_desc_t& blocking = layout.data.format_desc.blocking;
  std::int64_t block = 1;
  for (int i = 0; i < blocking.inner_nblks; ++i)
    if (blocking.inner_idxs[i] == 1) block *= blocking.inner_blks[i];
  const bool outermost = blocking.strides[1] == layout.data.padded_dims[0] * block;
  return block > 1 && outermost ? block : 0;
}

std::vector<std::int8_t> quantize(const LinearWeights& weights, PackedLinear& linear) {
  const float levels = has_byte_products_without_saturation() ? 127.0f : 63.0f;
  std::vector<std::int8_t> bytes(weights.weight.size());
  const auto in = static_cast<std::size_t>(weights.in);
  for (std::size_t o = 0; o < static_cast<std::size_t>(weights.out); ++o) {
    const float* row = weights.weight.data() + o * in;
    float largest = 0.0f;
    for (std::size_t i = 0; i < in; ++i) largest = std::max(largest, std::abs(row[i]));
    // Weights that are so small that their scale would not be a normal number count as zero.
    const float scale =
        largest >= levels * std::numeric_limits<float>::min() ? largest / levels : 1.0f;
    float sum = 0.0f;
    for (std::size_t i = 0; i < in; ++i) {
      const float whole = std::nearbyint(row[i] / scale);
      bytes[o * in + i] = static_cast<std::int8_t>(whole);
      sum += whole;
    }
    linear.scales.push_back(scale);
    linear.sums.push_back(sum);
  }
  return bytes;
}

}  // namespace

// Measured: fp32 wants its weights used often; in int8, the block's results had better stay in the
// second-level cache.
RowBlocks row_blocks(Precision precision) {
  static const bool any_size = best_isa() == Isa::avx512;
  if (!any_size) return {48, 48};
  return {16, precision == Precision::fp32 ? 256 : 128};
}

ColumnScales PackedLinear::columns() const {
  return {scales.data(), sums.data(), static_cast<const float*>(bias.get_data_handle())};
}

dnnl::memory::desc PackedLinear::column_layout(std::int64_t count) const {
  dnnl::memory::desc layout = weight.get_desc();
  layout.data.dims[1] = count;
  layout.data.padded_dims[1] = (count + column_block - 1) / column_block * column_block;
  return layout;
}

const void* PackedLinear::column_weights(std::int64_t first) const {
  const std::int64_t stride = weight.get_desc().data.format_desc.blocking.strides[1];
  const std::int64_t size = is_int8(shape) ? 1 : static_cast<std::int64_t>(sizeof(float));
  return static_cast<const char*>(weight.get_data_handle()) + first / column_block * stride * size;
}

std::size_t PackedLinear::bytes() const {
  return weight.get_desc().get_size() + bias.get_desc().get_size() +
         (scales.size() + sums.size()) * sizeof(float);
}

PackedLinear pack(const LinearWeights& weights, Precision precision, Destination destination,
                  const dnnl::engine& device) {
  const SingleThread single;
  PackedLinear linear;
  linear.shape = {weights.in, weights.out, precision, destination};
  linear.bias = dnnl::memory({{1, weights.out}, DataType::f32, Layout::ab}, device);
  std::copy(weights.bias.begin(), weights.bias.end(),
            static_cast<float*>(linear.bias.get_data_handle()));
  if (precision == Precision::int8) {
    linear.weight = packed(quantize(weights, linear).data(), linear.shape, device);
  } else {
    linear.weight = packed(weights.weight.data(), linear.shape, device);
  }
  linear.column_block = column_block(linear.weight.get_desc());
  return linear;
}

Matmul::Matmul(const LinearShape& shape, const dnnl::memory::desc& layout,
               const dnnl::engine& device)
    : shape_(shape), layout_(layout), device_(device) {
  const RowBlocks blocks = row_blocks(shape.precision);
  kernels_.resize(static_cast<std::size_t>(blocks.largest / blocks.unit) + 1);
}

Matmul::Kernel& Matmul::kernel(std::int64_t rows) {
  Kernel& kernel = kernels_.at(static_cast<std::size_t>(rows / row_blocks(shape_.precision).unit));
  if (kernel.primitive.get(true) != nullptr) return kernel;
  const auto description = describe(shape_, rows, layout_, device_);
  kernel.weight = dnnl::memory(layout_, device_, nullptr);
  kernel.bias = dnnl::memory({{1, shape_.out}, DataType::f32, Layout::ab}, device_, nullptr);
  kernel.x = dnnl::memory(description.src_desc(), device_, nullptr);
  kernel.y = dnnl::memory(description.dst_desc(), device_, nullptr);
  kernel.scratch = dnnl::memory(description.scratchpad_desc(), device_);
  kernel.primitive = dnnl::matmul(description);
  return kernel;
}

void Matmul::run(const void* weights, const float* bias, const void* x, std::int64_t rows, void* y,
                 dnnl::stream& stream) {
  Kernel& k = kernel(rows);
  k.weight.set_data_handle(const_cast<void*>(weights));  // oneDNN only reads these three
  k.bias.set_data_handle(const_cast<float*>(bias));
  k.x.set_data_handle(const_cast<void*>(x));
  k.y.set_data_handle(y);
  const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, k.x.get()},
                                       {DNNL_ARG_WEIGHTS, k.weight.get()},
                                       {DNNL_ARG_DST, k.y.get()},
                                       {DNNL_ARG_SCRATCHPAD, k.scratch.get()},
                                       {DNNL_ARG_BIAS, k.bias.get()}};
  const int count = is_int8(shape_) ? 4 : 5;
  dnnl::error::wrap_c_api(dnnl_primitive_execute(k.primitive.get(), stream.get(), count, arguments),
                          "could not run a matrix product");
}

}  // namespace memmatch::engine
