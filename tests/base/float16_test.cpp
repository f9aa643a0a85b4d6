#include "base/float16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace memmatch {
namespace {

TEST(Float16, HalvesHaveTheirIeeeValues) {
  EXPECT_EQ(float_from_half(0x0000), 0.0f);
  EXPECT_TRUE(std::signbit(float_from_half(0x8000)));
  EXPECT_EQ(float_from_half(0x3C00), 1.0f);
  EXPECT_EQ(float_from_half(0xC000), -2.0f);
  EXPECT_EQ(float_from_half(0x7BFF), 65504.0f);
  EXPECT_EQ(float_from_half(0x0400), 0x1p-14f);
  EXPECT_EQ(float_from_half(0x0001), 0x1p-24f);
  EXPECT_EQ(float_from_half(0xFC00), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(float_from_half(0x7E00)));
}

TEST(Float16, EveryHalfSurvivesTheWayThroughFp32) {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (std::isnan(float_from_half(half))) continue;
    ASSERT_EQ(half_from_float(float_from_half(half)), half) << bits;
  }
}

TEST(Float16, RoundsToTheNearestHalfAndTiesToEven) {
  EXPECT_EQ(half_from_float(1.0f + 0x1p-11f), 0x3C00);             // tie, down to even
  EXPECT_EQ(half_from_float(1.0f + 0x1p-11f + 0x1p-20f), 0x3C01);  // above the tie
  EXPECT_EQ(half_from_float(1.0f + 3 * 0x1p-11f), 0x3C02);         // tie, up to even
  EXPECT_EQ(half_from_float(0x1p-25f), 0x0000);                    // tie, down to zero
  EXPECT_EQ(half_from_float(0x1.8p-25f), 0x0001);
  EXPECT_EQ(half_from_float(65519.0f), 0x7BFF);
  EXPECT_EQ(half_from_float(65520.0f), 0x7C00);
  EXPECT_EQ(half_from_float(-1e30f), 0xFC00);
  EXPECT_TRUE(std::isnan(float_from_half(half_from_float(std::nanf("")))));
}

TEST(Float16, Bfloat16IsTheUpperHalfOfFp32) {
  EXPECT_EQ(float_from_bfloat16(0x3F80), 1.0f);
  EXPECT_EQ(float_from_bfloat16(0xC049), -3.140625f);
}

}  // namespace
}  // namespace memmatch
