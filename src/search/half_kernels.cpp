#include "search/half_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/float16.h"
#include "search/distance.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace memmatch::search {
namespace {

constexpr std::size_t kLanes = 16;  // of distance(), whose order of additions is kept here

void plain_floats(std::span<const std::uint16_t> halves, float* floats) {
  std::transform(halves.begin(), halves.end(), floats, float_from_half);
}

double plain_distance(std::span<const float> query, std::span<const std::uint16_t> support) {
  thread_local std::vector<float> floats;
  floats.resize(support.size());
  plain_floats(support, floats.data());
  return distance(query, floats);
}

#ifdef __x86_64__

// The end of distance(): what is left after the whole lanes, then the lanes.
double finish(const std::array<float, kLanes>& lanes, std::span<const float> query,
              std::span<const std::uint16_t> support) {
  double square = 0;
  for (std::size_t i = query.size() / kLanes * kLanes; i < query.size(); ++i) {
    const double difference = query[i] - float_from_half(support[i]) + kDistanceEpsilon;
    square += difference * difference;
  }
  for (const float lane : lanes) square += static_cast<double>(lane);
  return std::sqrt(square);
}

__attribute__((target("avx512f"))) __m512 load16(const std::uint16_t* halves) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(halves)));
}

__attribute__((target("avx512f"))) double avx512_distance(std::span<const float> query,
                                                          std::span<const std::uint16_t> support) {
  const __m512 epsilon = _mm512_set1_ps(kDistanceEpsilon);
  __m512 sums = _mm512_setzero_ps();
  for (std::size_t i = 0; i + kLanes <= query.size(); i += kLanes) {
    const __m512 difference =
        _mm512_sub_ps(_mm512_loadu_ps(query.data() + i), load16(support.data() + i));
    const __m512 shifted = _mm512_add_ps(difference, epsilon);
    sums = _mm512_add_ps(sums, _mm512_mul_ps(shifted, shifted));
  }
  std::array<float, kLanes> lanes;
  _mm512_storeu_ps(lanes.data(), sums);
  return finish(lanes, query, support);
}

__attribute__((target("avx512f"))) void avx512_floats(std::span<const std::uint16_t> halves,
                                                      float* floats) {
  const std::size_t whole = halves.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < whole; i += kLanes)
    _mm512_storeu_ps(floats + i, load16(halves.data() + i));
  plain_floats(halves.subspan(whole), floats + whole);
}

__attribute__((target("avx2,f16c"))) __m256 load8(const std::uint16_t* halves) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(halves)));
}

__attribute__((target("avx2,f16c"))) __m256 shifted8(const float* query,
                                                     const std::uint16_t* support) {
  const __m256 difference = _mm256_sub_ps(_mm256_loadu_ps(query), load8(support));
  return _mm256_add_ps(difference, _mm256_set1_ps(kDistanceEpsilon));
}

__attribute__((target("avx2,f16c"))) double avx2_distance(std::span<const float> query,
                                                          std::span<const std::uint16_t> support) {
  __m256 low = _mm256_setzero_ps();
  __m256 high = _mm256_setzero_ps();
  for (std::size_t i = 0; i + kLanes <= query.size(); i += kLanes) {
    const __m256 first = shifted8(query.data() + i, support.data() + i);
    const __m256 second = shifted8(query.data() + i + 8, support.data() + i + 8);
    low = _mm256_add_ps(low, _mm256_mul_ps(first, first));
    high = _mm256_add_ps(high, _mm256_mul_ps(second, second));
  }
  std::array<float, kLanes> lanes;
  _mm256_storeu_ps(lanes.data(), low);
  _mm256_storeu_ps(lanes.data() + 8, high);
  return finish(lanes, query, support);
}

__attribute__((target("avx2,f16c"))) void avx2_floats(std::span<const std::uint16_t> halves,
                                                      float* floats) {
  const std::size_t whole = halves.size() / 8 * 8;
  for (std::size_t i = 0; i < whole; i += 8) _mm256_storeu_ps(floats + i, load8(halves.data() + i));
  plain_floats(halves.subspan(whole), floats + whole);
}

#endif

std::vector<HalfKernels> supported_kernels() {
  std::vector<HalfKernels> kernels;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f"))
    kernels.push_back({"avx512", avx512_distance, avx512_floats});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c"))
    kernels.push_back({"avx2", avx2_distance, avx2_floats});
#endif
  kernels.push_back({"plain", plain_distance, plain_floats});
  return kernels;
}

}  // namespace

std::span<const HalfKernels> half_kernels() {
  static const std::vector<HalfKernels> kernels = supported_kernels();
  return kernels;
}

}  // namespace memmatch::search
