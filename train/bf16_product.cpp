#include "train/bf16_product.h"

#include <dnnl.hpp>

#include <fmt/format.h>

#include "memmatch/error.h"
#include "train/arithmetic.h"

namespace memmatch::train {
namespace {

using dnnl::memory;
using torch::Tensor;

const dnnl::engine& cpu() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& stream() {
  thread_local dnnl::stream stream(cpu());
  return stream;
}

memory::data_type type_of(const Tensor& x) {
  return x.scalar_type() == torch::kBFloat16 ? memory::data_type::bf16 : memory::data_type::f32;
}

memory in_memory(const Tensor& x, Use use = Use::plain) {
  const std::int64_t rows = x.size(0), columns = x.size(1);
  const memory::desc layout = use == Use::plain
                                  ? memory::desc({rows, columns}, type_of(x), {columns, 1})
                                  : memory::desc({columns, rows}, type_of(x), {1, columns});
  return {layout, cpu(), x.data_ptr()};
}

}  // namespace

bool processor_has_bf16() {
  return dnnl::get_effective_cpu_isa() == dnnl::cpu_isa::avx512_core_bf16 ||
         dnnl::get_effective_cpu_isa() == dnnl::cpu_isa::avx512_core_amx;
}

Arithmetic parse_arithmetic(std::string_view name) {
  if (name == "fp32") return Arithmetic::fp32;
  if (name == "auto") return processor_has_bf16() ? Arithmetic::bf16 : Arithmetic::fp32;
  if (name != "bf16") {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("encoder.arithmetic is '{}'; it must be fp32, bf16 or auto", name));
  }
  if (!processor_has_bf16()) {
    throw Error(ErrorKind::unsupported,
                "encoder.arithmetic is bf16, but this processor has no instructions for it "
                "(avx512_bf16); use fp32 or auto");
  }
  return Arithmetic::bf16;
}

Tensor to_bf16(const Tensor& x_any) {
  const Tensor x = x_any.contiguous();
  const Tensor result = torch::empty(x.sizes(), torch::kBFloat16);
  memory from = in_memory(x), to = in_memory(result);
  dnnl::reorder(from, to).execute(stream(), from, to);
  stream().wait();
  return result;
}

Tensor bf16_product(const Tensor& a, Use use_a, const Tensor& b, Use use_b) {
  const memory left = in_memory(a, use_a), right = in_memory(b, use_b);
  const Tensor result =
      torch::empty({a.size(use_a == Use::plain ? 0 : 1), b.size(use_b == Use::plain ? 1 : 0)});
  const memory out = in_memory(result);
  // Equal products come from oneDNN's own cache of primitives.
  const dnnl::matmul::primitive_desc description(
      {left.get_desc(), right.get_desc(), out.get_desc()}, cpu());
  dnnl::matmul(description)
      .execute(stream(), {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, right}, {DNNL_ARG_DST, out}});
  stream().wait();
  return result;
}

}  // namespace memmatch::train
