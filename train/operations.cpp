#include "train/operations.h"

#include <dnnl.h>

#include <cmath>

#include "train/bf16_product.h"
#include "train/plain_operations.h"

namespace memmatch::train {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// A matrix within a larger one: row-major, `stride` elements from row to row.
struct Matrix {
  float* data = nullptr;
  std::int64_t stride = 0;
};

Matrix matrix(const Tensor& tensor) { return {tensor.data_ptr<float>(), tensor.size(1)}; }

// c[m][n] = scale * a * b, where a or b may be used transposed.
void multiply(Use use_a, Use use_b, std::int64_t m, std::int64_t n, std::int64_t k, float scale,
              Matrix a, Matrix b, Matrix c) {
  const auto letter = [](Use use) { return use == Use::plain ? 'N' : 'T'; };
  const dnnl_status_t status = dnnl_sgemm(letter(use_a), letter(use_b), m, n, k, scale, a.data,
                                          a.stride, b.data, b.stride, 0.0f, c.data, c.stride);
  TORCH_CHECK(status == dnnl_success, "oneDNN's matrix product failed with status ", status);
}

struct Product : Function<Product> {
  static Tensor forward(AutogradContext* context, const Tensor& x_any, const Tensor& weight) {
    const Tensor x = x_any.contiguous();
    Tensor y = torch::empty({x.size(0), weight.size(0)});
    multiply(Use::plain, Use::transposed, x.size(0), weight.size(0), x.size(1), 1, matrix(x),
             matrix(weight), matrix(y));
    context->save_for_backward({x, weight});
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor& x = saved[0];
    const Tensor& weight = saved[1];
    const Tensor dy = gradients[0].contiguous();
    Tensor dx, dw;
    if (context->needs_input_grad(0)) {
      dx = torch::empty_like(x);
      multiply(Use::plain, Use::plain, x.size(0), x.size(1), dy.size(1), 1, matrix(dy),
               matrix(weight), matrix(dx));
    }
    if (context->needs_input_grad(1)) {
      dw = torch::empty_like(weight);
      multiply(Use::transposed, Use::plain, weight.size(0), weight.size(1), x.size(0), 1,
               matrix(dy), matrix(x), matrix(dw));
    }
    return {dx, dw};
  }
};

// The same with factors of bfloat16, which is also all that is kept for the way back.
struct Bf16Product : Function<Bf16Product> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight) {
    const Tensor rounded = to_bf16(x);
    context->save_for_backward({rounded, weight});
    return bf16_product(rounded, Use::plain, to_bf16(weight), Use::transposed);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor dy = to_bf16(gradients[0]);
    Tensor dx, dw;
    if (context->needs_input_grad(0))
      dx = bf16_product(dy, Use::plain, to_bf16(saved[1]), Use::plain);
    if (context->needs_input_grad(1)) dw = bf16_product(dy, Use::transposed, saved[0], Use::plain);
    return {dx, dw};
  }
};

// The places of one head of one sequence in the packed rows.
struct Head {
  std::int64_t row;     // the sequence's first
  std::int64_t length;  // of the sequence
  std::int64_t column;  // the head's first
  std::int64_t size;    // of the head
};

Matrix part(const Tensor& rows, const Head& head, std::int64_t column) {
  return {rows.data_ptr<float>() + head.row * rows.size(1) + column + head.column, rows.size(1)};
}

// Calls `visit` with each head and the place of its weights: heads of a sequence lie together, each
// [length][length].
template <typename Visit>
void for_each_head(const std::vector<std::int64_t>& offsets, std::int64_t heads,
                   std::int64_t hidden, const Visit& visit) {
  std::int64_t weights = 0;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    const std::int64_t length = offsets[s + 1] - offsets[s];
    for (std::int64_t h = 0; h < heads; ++h, weights += length * length)
      visit(Head{offsets[s], length, h * (hidden / heads), hidden / heads}, weights);
  }
}

struct Attention : Function<Attention> {
  static Tensor forward(AutogradContext* context, const Tensor& qkv,
                        const std::vector<std::int64_t>& offsets, std::int64_t heads,
                        Noise* noise) {
    const std::int64_t hidden = qkv.size(1) / 3;
    const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(hidden / heads)));
    std::int64_t elements = 0;
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      const std::int64_t length = offsets[s + 1] - offsets[s];
      elements += heads * length * length;
    }
    Tensor weights = torch::empty({elements});
    for_each_head(offsets, heads, hidden, [&](const Head& head, std::int64_t at) {
      multiply(Use::plain, Use::transposed, head.length, head.length, head.size, scale,
               part(qkv, head, 0), part(qkv, head, hidden),
               {weights.data_ptr<float>() + at, head.length});
    });
    std::int64_t at = 0;
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      const std::int64_t length = offsets[s + 1] - offsets[s];
      Tensor scores = weights.narrow(0, at, heads * length * length).view({heads * length, length});
      at::softmax_out(scores, scores, 1);
      at += scores.numel();
    }
    const bool drops = noise && !noise->silent();
    const Tensor mask = drops ? noise->mask({elements}) : Tensor();
    const Tensor used = drops ? weights * mask : weights;
    Tensor mixed = torch::empty({qkv.size(0), hidden});
    for_each_head(offsets, heads, hidden, [&](const Head& head, std::int64_t place) {
      multiply(Use::plain, Use::plain, head.length, head.size, head.length, 1,
               {used.data_ptr<float>() + place, head.length}, part(qkv, head, 2 * hidden),
               part(mixed, head, 0));
    });
    context->save_for_backward({qkv, weights, used, mask});
    context->saved_data["offsets"] = offsets;
    context->saved_data["heads"] = heads;
    return mixed;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor &qkv = saved[0], &weights = saved[1], &used = saved[2], &mask = saved[3];
    const std::vector<std::int64_t> offsets = context->saved_data["offsets"].toIntVector();
    const std::int64_t heads = context->saved_data["heads"].toInt();
    const std::int64_t hidden = qkv.size(1) / 3;
    const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(hidden / heads)));
    const Tensor d_mixed = gradients[0].contiguous();
    Tensor d_qkv = torch::empty_like(qkv);
    Tensor d_weights = torch::empty_like(weights);
    for_each_head(offsets, heads, hidden, [&](const Head& head, std::int64_t at) {
      const Matrix d_used{d_weights.data_ptr<float>() + at, head.length};
      multiply(Use::plain, Use::transposed, head.length, head.length, head.size, 1,
               part(d_mixed, head, 0), part(qkv, head, 2 * hidden), d_used);
      multiply(Use::transposed, Use::plain, head.length, head.size, head.length, 1,
               {used.data_ptr<float>() + at, head.length}, part(d_mixed, head, 0),
               part(d_qkv, head, 2 * hidden));
    });
    if (mask.defined()) d_weights *= mask;
    softmax_backward(offsets, heads, weights, d_weights);
    for_each_head(offsets, heads, hidden, [&](const Head& head, std::int64_t at) {
      const Matrix d_scores{d_weights.data_ptr<float>() + at, head.length};
      multiply(Use::plain, Use::plain, head.length, head.size, head.length, scale, d_scores,
               part(qkv, head, hidden), part(d_qkv, head, 0));
      multiply(Use::transposed, Use::plain, head.length, head.size, head.length, scale, d_scores,
               part(qkv, head, 0), part(d_qkv, head, hidden));
    });
    return {d_qkv, Tensor(), Tensor(), Tensor()};
  }

  // In place: from the gradient of the weights to that of the scores.
  static void softmax_backward(const std::vector<std::int64_t>& offsets, std::int64_t heads,
                               const Tensor& weights, Tensor& gradient) {
    const auto* w = weights.data_ptr<float>();
    auto* g = gradient.data_ptr<float>();
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
      const std::int64_t length = offsets[s + 1] - offsets[s];
      for (std::int64_t row = 0; row < heads * length; ++row, w += length, g += length) {
        float sum = 0;
        for (std::int64_t i = 0; i < length; ++i) sum += w[i] * g[i];
        for (std::int64_t i = 0; i < length; ++i) g[i] = w[i] * (g[i] - sum);
      }
    }
  }
};

struct PositiveMaximum : Function<PositiveMaximum> {
  static Tensor forward(AutogradContext* context, const Tensor& rows_any,
                        const std::vector<std::int64_t>& offsets) {
    const Tensor rows = rows_any.contiguous();
    const auto sequences = static_cast<std::int64_t>(offsets.size()) - 1;
    const std::int64_t width = rows.size(1);
    Tensor largest = torch::zeros({sequences, width});
    Tensor winner = torch::full({sequences, width}, -1, torch::kInt64);  // row; -1: none above 0
    for (std::int64_t s = 0; s < sequences; ++s) {
      auto* best = largest.data_ptr<float>() + s * width;
      auto* from = winner.data_ptr<std::int64_t>() + s * width;
      const auto i = static_cast<std::size_t>(s);
      for (std::int64_t row = offsets[i]; row < offsets[i + 1]; ++row) {
        const auto* values = rows.data_ptr<float>() + row * width;
        for (std::int64_t c = 0; c < width; ++c) {
          const bool above = values[c] > best[c];
          best[c] = above ? values[c] : best[c];
          from[c] = above ? row : from[c];
        }
      }
    }
    context->save_for_backward({winner});
    context->saved_data["rows"] = rows.size(0);
    return largest;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const Tensor winner = context->get_saved_variables()[0];
    const Tensor gradient = gradients[0].contiguous();
    const std::int64_t width = gradient.size(1);
    Tensor d_rows = torch::zeros({context->saved_data["rows"].toInt(), width});
    const auto* from = winner.data_ptr<std::int64_t>();
    const auto* g = gradient.data_ptr<float>();
    auto* out = d_rows.data_ptr<float>();
    for (std::int64_t i = 0; i < winner.numel(); ++i)
      if (from[i] >= 0) out[from[i] * width + i % width] = g[i];
    return {d_rows, Tensor()};
  }
};

}  // namespace

Tensor product(const Tensor& x, const Tensor& weight, Arithmetic arithmetic) {
  if (!x.is_cpu()) return plain::product(x, weight);
  return arithmetic == Arithmetic::bf16 ? Bf16Product::apply(x, weight) : Product::apply(x, weight);
}

Tensor affine(const Tensor& x, const Tensor& weight, const Tensor& bias, Arithmetic arithmetic) {
  return product(x, weight, arithmetic).add_(bias);
}

Tensor attention(const Tensor& qkv, const std::vector<std::int64_t>& offsets, std::int64_t heads,
                 Noise* noise) {
  return qkv.is_cpu() ? Attention::apply(qkv, offsets, heads, noise)
                      : plain::attention(qkv, offsets, heads, noise);
}

Tensor positive_maximum(const Tensor& rows, const std::vector<std::int64_t>& offsets) {
  return rows.is_cpu() ? PositiveMaximum::apply(rows, offsets)
                       : plain::positive_maximum(rows, offsets);
}

}  // namespace memmatch::train
