#pragma once

// A vector of floats in the widest registers that this translation unit is compiled for.
// Nothing here has external linkage: every instruction set gets its own copy.

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace memmatch::engine {
namespace {

#if defined(__AVX512F__)

using Vector = __m512;
constexpr int kLanes = 16;

inline Vector broadcast(float x) { return _mm512_set1_ps(x); }
inline Vector load(const float* p) { return _mm512_loadu_ps(p); }
inline Vector load(const std::int32_t* p) { return _mm512_cvtepi32_ps(_mm512_loadu_si512(p)); }
inline void store(float* p, Vector v) { _mm512_storeu_ps(p, v); }
// a / b to within 1e-7, in a quarter of the time of a division: an estimate and a step of Newton's.
inline Vector divide(Vector a, Vector b) {
  const Vector estimate = _mm512_rcp14_ps(b);
  return a * (estimate * (broadcast(2.0f) - b * estimate));
}
inline Vector max(Vector a, Vector b) { return _mm512_max_ps(a, b); }
inline Vector min(Vector a, Vector b) { return _mm512_min_ps(a, b); }
inline float sum(Vector v) { return _mm512_reduce_add_ps(v); }
inline float largest(Vector v) { return _mm512_reduce_max_ps(v); }
inline Vector round(Vector v) { return _mm512_roundscale_ps(v, 0); }
// v * 2^exponent for whole exponents.
inline Vector scale_by_power(Vector v, Vector exponent) { return _mm512_scalef_ps(v, exponent); }
// a0 b0 a1 b1 … of the lower and of the upper halves of a and b.
inline Vector interleave_low(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
inline Vector interleave_high(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                 31);
}
// Rounds to the nearest whole number, clamps to [0, 255].
inline void store_bytes(std::uint8_t* p, Vector v) {
  const __m512i whole = _mm512_max_epi32(_mm512_cvtps_epi32(v), _mm512_setzero_si512());
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtusepi32_epi8(whole));
}

#elif defined(__AVX2__)

using Vector = __m256;
constexpr int kLanes = 8;

inline Vector broadcast(float x) { return _mm256_set1_ps(x); }
inline Vector load(const float* p) { return _mm256_loadu_ps(p); }
inline Vector load(const std::int32_t* p) {
  return _mm256_cvtepi32_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
inline void store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
inline Vector max(Vector a, Vector b) { return _mm256_max_ps(a, b); }
inline Vector min(Vector a, Vector b) { return _mm256_min_ps(a, b); }
inline Vector round(Vector v) {
  return _mm256_round_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}
inline Vector scale_by_power(Vector v, Vector exponent) {
  const __m256i bits = _mm256_slli_epi32(_mm256_cvtps_epi32(exponent), 23);
  return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(v), bits));
}
inline Vector interleave_low(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
inline Vector interleave_high(Vector a, Vector b) {
  return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
inline void store_bytes(std::uint8_t* p, Vector v) {
  const __m256i whole = _mm256_cvtps_epi32(v);
  const __m128i words =
      _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi16(words, words));
}

#else  // SSE2, which every x86-64 has

using Vector = __m128;
constexpr int kLanes = 4;

inline Vector broadcast(float x) { return _mm_set1_ps(x); }
inline Vector load(const float* p) { return _mm_loadu_ps(p); }
inline Vector load(const std::int32_t* p) {
  return _mm_cvtepi32_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline void store(float* p, Vector v) { _mm_storeu_ps(p, v); }
inline Vector max(Vector a, Vector b) { return _mm_max_ps(a, b); }
inline Vector min(Vector a, Vector b) { return _mm_min_ps(a, b); }
inline Vector round(Vector v) { return _mm_cvtepi32_ps(_mm_cvtps_epi32(v)); }
inline Vector scale_by_power(Vector v, Vector exponent) {
  const __m128i bits = _mm_slli_epi32(_mm_cvtps_epi32(exponent), 23);
  return _mm_castsi128_ps(_mm_add_epi32(_mm_castps_si128(v), bits));
}
inline Vector interleave_low(Vector a, Vector b) { return _mm_unpacklo_ps(a, b); }
inline Vector interleave_high(Vector a, Vector b) { return _mm_unpackhi_ps(a, b); }
inline void store_bytes(std::uint8_t* p, Vector v) {
  const __m128i whole = _mm_cvtps_epi32(v);
  const __m128i words = _mm_packs_epi32(whole, whole);
  const int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
  std::memcpy(p, &bytes, sizeof(bytes));
}

#endif

#if !defined(__AVX512F__)
inline Vector divide(Vector a, Vector b) { return a / b; }
inline float sum(Vector v) {
  float lanes[kLanes];
  store(lanes, v);
  for (int width = kLanes / 2; width > 0; width /= 2)
    for (int i = 0; i < width; ++i) lanes[i] += lanes[i + width];
  return lanes[0];
}
inline float largest(Vector v) {
  float lanes[kLanes];
  store(lanes, v);
  for (int i = 1; i < kLanes; ++i) lanes[0] = lanes[i] > lanes[0] ? lanes[i] : lanes[0];
  return lanes[0];
}
#endif

inline Vector zeros() { return broadcast(0.0f); }
inline Vector clamp(Vector v, float low, float high) {
  return min(max(v, broadcast(low)), broadcast(high));
}

// Makes columns of rows. Every pass interleaves the first half of the rows with the second; after
// as many passes as it takes to halve kLanes to 1, each element is where it belongs.
inline void transpose(Vector (&rows)[kLanes]) {
#pragma GCC unroll 4
  for (int passes = kLanes; passes > 1; passes /= 2) {
    Vector mixed[kLanes];
#pragma GCC unroll 8
    for (int i = 0; i < kLanes / 2; ++i) {
      mixed[2 * i] = interleave_low(rows[i], rows[i + kLanes / 2]);
      mixed[2 * i + 1] = interleave_high(rows[i], rows[i + kLanes / 2]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) rows[i] = mixed[i];
  }
}

// The last `count` (fewer than kLanes) elements of a row. Lanes that are not there read as zero and
// are not written.
struct Tail {
  int count;
};
// A full vector of a row.
struct Whole {};

template <typename T>
inline Vector load(const T* p, Whole) {
  return load(p);
}
template <typename T>
inline Vector load(const T* p, Tail tail) {
  T lanes[kLanes] = {};
  std::memcpy(lanes, p, static_cast<std::size_t>(tail.count) * sizeof(T));
  return load(lanes);
}
inline void store(float* p, Vector v, Whole) { store(p, v); }
inline void store(float* p, Vector v, Tail tail) {
  float lanes[kLanes];
  store(lanes, v);
  std::memcpy(p, lanes, static_cast<std::size_t>(tail.count) * sizeof(float));
}
inline void store_bytes(std::uint8_t* p, Vector v, Whole) { store_bytes(p, v); }
inline void store_bytes(std::uint8_t* p, Vector v, Tail tail) {
  std::uint8_t lanes[kLanes];
  store_bytes(lanes, v);
  std::memcpy(p, lanes, static_cast<std::size_t>(tail.count));
}
// v with zeros in the lanes that are not there.
inline Vector keep(Vector v, Whole) { return v; }
inline Vector keep(Vector v, Tail tail) {
  float lanes[kLanes];
  store(lanes, v);
  return load(lanes, tail);
}

// Calls f(i, part) for each vector of a row of n elements; i is its first element and `part` says
// how much of it there is.
template <typename F>
inline void for_vectors(std::int64_t n, F&& f) {
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) f(i, Whole{});
  if (i < n) f(i, Tail{static_cast<int>(n - i)});
}

}  // namespace
}  // namespace memmatch::engine
