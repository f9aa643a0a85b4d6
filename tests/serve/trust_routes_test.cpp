#include <gtest/gtest.h>

#include "audit/calibration.h"
#include "served_world.h"

namespace memmatch {
namespace {

using test::ServedWorld;
using Json = ServedWorld::Json;

Verifier open(ServedWorld& world) {
  const serve::Files& files = world.settings().files;
  return Verifier::open(files.store, files.model, {.threads = 1});
}

Json verify(ServedWorld& world, Json request) {
  const ServedWorld::Answer answer = world.call("POST", "/v1/verify", std::move(request));
  EXPECT_EQ(answer.status, 200) << answer.raw.body;
  return answer.json["verdicts"][0];
}

TEST(TrustRoutesTest, AVerdictSaysThatTheCalibrationIsOfAnotherSearch) {
  ServedWorld world;
  audit::Calibration calibration;
  calibration.model = open(world).model_fingerprint();
  calibration.k1 = 6;
  calibration.z = 3;
  calibration.level2 = calibration.level3 = audit::statistics_of({1, 2, 3});
  audit::write_calibration(world.settings().files.model, calibration);
  const Json same = verify(world, {{"claim", "the moon is old."}, {"admit", "mean"}});
  EXPECT_TRUE(same.contains("admission"));
  EXPECT_FALSE(same.contains("warnings"));
  const Json other = verify(world, {{"claim", "the moon is old."}, {"admit", "mean"}, {"k1", 5}});
  ASSERT_TRUE(other.contains("warnings"));
  EXPECT_NE(other["warnings"][0].get<std::string>().find("calibrated with k1 6 and z 3"),
            std::string::npos);
  const Json none = verify(world, {{"claim", "the moon is old."}, {"admit", "none"}, {"k1", 5}});
  EXPECT_FALSE(none.contains("admission"));
  EXPECT_FALSE(none.contains("warnings"));
  const Json unasked = verify(world, {{"claim", "the moon is old."}});
  EXPECT_EQ(unasked["admission"]["rule"], "mean") << "the calibration has no confidence";
}

TEST(TrustRoutesTest, ADatastoreThatDoesNotFitIsNotLoadedAndTheAnswerSaysSo) {
  ServedWorld world;
  open(world).index();
  world.settings().verifier.memory_limit = 1000;
  const Json verdict = verify(world, {{"claim", "Something else entirely"}});
  EXPECT_EQ(verdict["candidates"]["count"], 0);
  EXPECT_EQ(verdict["warnings"].size(), 1u);
  const auto found = world.call("POST", "/v1/search", Json{{"query", "Something else entirely"}});
  ASSERT_EQ(found.status, 200);
  EXPECT_EQ(found.json["results"][0]["warnings"], verdict["warnings"]);
  const auto all =
      world.call("POST", "/v1/verify", Json{{"claim", "the moon"}, {"candidates", "all"}});
  EXPECT_EQ(all.status, 422);
  EXPECT_NE(all.raw.body.find("1000 are allowed"), std::string::npos) << all.raw.body;
}

}  // namespace
}  // namespace memmatch
