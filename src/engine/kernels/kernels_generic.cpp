#include "engine/kernels/attention_kernel.h"
#include "engine/kernels/row_kernels.h"
#include "engine/kernels/tables.h"

namespace memmatch::engine {

const Kernels kGenericKernels = {gelu_row,
                                 normalize_row,
                                 add_rows,
                                 maximum_row,
                                 quantize_row,
                                 dequantize_row,
                                 dequantize_gelu_quantize_row,
                                 dequantize_add_row,
                                 attention_sequence};

}  // namespace memmatch::engine
