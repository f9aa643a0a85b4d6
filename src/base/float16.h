#pragma once

#include <bit>
#include <cstdint>

// The two 16-bit number formats of weight files. Conversions are done on the bits, so that they
// give the same on every machine; the compiler vectorises them.

namespace memmatch {

// IEEE half precision to fp32: exact.
inline float float_from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t rest = half & 0x7FFFu;
  // The exponent's bias is 112 less than fp32's. Multiplying also gets the subnormals right.
  const float scaled = std::bit_cast<float>(rest << 13) * 0x1p112f;
  const std::uint32_t finite = std::bit_cast<std::uint32_t>(scaled);
  const std::uint32_t special = 0x7F800000u | (rest << 13);  // infinities and NaNs
  return std::bit_cast<float>(sign | (rest >= 0x7C00u ? special : finite));
}

// Whether it is neither an infinity nor a NaN.
inline bool is_finite_half(std::uint16_t half) { return (half & 0x7C00u) != 0x7C00u; }

// bfloat16, the upper half of an fp32: exact.
inline float float_from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

// To the nearest half, ties to even; what is too large becomes infinite.
inline std::uint16_t half_from_float(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t rest = bits & 0x7FFFFFFFu;
  std::uint32_t half = 0;
  if (rest > 0x7F800000u) {
    half = 0x7E00u;  // NaN
  } else if (rest >= 0x477FF000u) {
    half = 0x7C00u;  // 65520 and above round to infinity
  } else if (rest >= 0x38800000u) {
    half = (rest - 0x38000000u + 0xFFFu + ((rest >> 13) & 1u)) >> 13;
  } else {
    // Subnormal: adding 0.5 shifts the value to where fp32's own rounding is the one we need.
    const float shifted = std::bit_cast<float>(rest) + 0.5f;
    half = std::bit_cast<std::uint32_t>(shifted) - 0x3F000000u;
  }
  return static_cast<std::uint16_t>(sign | half);
}

}  // namespace memmatch
