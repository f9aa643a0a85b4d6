#include "base/json.h"

#include <gtest/gtest.h>

#include "support.h"

namespace memmatch {
namespace {

using test::error_of;

std::string complaint(std::string text, const std::function<void(const JsonObject&)>& read = {}) {
  JsonParser parser;
  return error_of([&] {
           const JsonObject object = parser.parse_object(text, "f:1");
           if (read) read(object);
         })
      .what();
}

TEST(Json, ComplaintsNamePlaceAndField) {
  EXPECT_EQ(complaint("{}", [](const auto& o) { o.string("a"); }), "f:1: field 'a' is missing");
  EXPECT_EQ(complaint("{\"a\": null}", [](const auto& o) { o.string("a"); }),
            "f:1: field 'a' is missing");
  EXPECT_EQ(complaint("{\"a\": 1}", [](const auto& o) { o.string("a"); }),
            "f:1: 'a' must be a string");
  EXPECT_EQ(complaint("{\"a\": 1.5}", [](const auto& o) { o.integer("a"); }),
            "f:1: 'a' must be a whole number");
  EXPECT_EQ(complaint("{\"a\": {}}", [](const auto& o) { o.array("a"); }),
            "f:1: 'a' must be an array");
}

TEST(Json, WhatIsNotOneObjectIsRefused) {
  EXPECT_EQ(complaint("[1]"), "f:1: expected a JSON object");
  for (const char* text :
       {"{", "{} {}", "{\"a\": \"\xff\"}", "{\"a\": \"\\ud800\"}", "", "nonsense"}) {
    EXPECT_TRUE(complaint(text).starts_with("f:1: not valid JSON: ")) << text;
  }
}

TEST(Json, DeepNestingIsRefused) {
  EXPECT_TRUE(
      complaint("{\"a\":" + std::string(100'000, '[')).starts_with("f:1: not valid JSON: "));
}

}  // namespace
}  // namespace memmatch
