#pragma once

// Elementary functions on vectors; one copy for each instruction set, like `vector.h`.

#include "engine/kernels/vector.h"

namespace memmatch::engine {
namespace {

// e^x to within 2 ulp for -87 < x < 88; smaller x count as -87, NaNs stay what they are. x = n ln 2
// + r, and e^r by its Taylor series, of which seven terms are exact to a float for |r| <= ln 2 / 2.
inline Vector exp(Vector x) {
  constexpr float kLog2E = 1.44269504088896341f;
  constexpr float kLn2High = 0.693359375f;  // exact in few bits, so that n * high is exact
  constexpr float kLn2Low = -2.12194440e-4f;
  x = max(broadcast(-87.0f), x);  // in this order: of a NaN and a number, the second comes out
  const Vector n = round(x * broadcast(kLog2E));
  const Vector r = (x - n * broadcast(kLn2High)) - n * broadcast(kLn2Low);
  Vector y = broadcast(1.0f / 720.0f);
  y = y * r + broadcast(1.0f / 120.0f);
  y = y * r + broadcast(1.0f / 24.0f);
  y = y * r + broadcast(1.0f / 6.0f);
  y = y * r + broadcast(0.5f);
  y = y * r + broadcast(1.0f);
  y = y * r + broadcast(1.0f);
  return scale_by_power(y, n);
}

// erf(x) / x is a quotient of two polynomials in x^2, with the coefficients that Eigen uses; beyond
// 4 the error function is 1 in a float.
inline Vector erf(Vector x) {
  x = clamp(x, -4.0f, 4.0f);
  const Vector t = x * x;
  Vector p = broadcast(-2.72614225801306e-10f);
  p = p * t + broadcast(2.77068142495902e-08f);
  p = p * t + broadcast(-2.10102402082508e-06f);
  p = p * t + broadcast(-5.69250639462346e-05f);
  p = p * t + broadcast(-7.34990630326855e-04f);
  p = p * t + broadcast(-2.95459980854025e-03f);
  p = p * t + broadcast(-1.60960333262415e-02f);
  Vector q = broadcast(-1.45660718464996e-05f);
  q = q * t + broadcast(-2.13374055278905e-04f);
  q = q * t + broadcast(-1.68282697438203e-03f);
  q = q * t + broadcast(-7.37332916720468e-03f);
  q = q * t + broadcast(-1.42647390514189e-02f);
  return divide(x * p, q);
}

inline Vector gelu(Vector x) {
  constexpr float kSqrtHalf = 0.70710678118654752f;
  const Vector half = broadcast(0.5f) * x;
  return half * erf(x * broadcast(kSqrtHalf)) + half;
}

}  // namespace
}  // namespace memmatch::engine
