#include "report/alignment_page.h"

#include <gtest/gtest.h>

namespace memmatch::report {
namespace {

AlignedClaim small_claim() {
  audit::Alignment alignment;
  alignment.distance = 1.5;
  alignment.query = {"Claim: a<b cut", {{0, 6, true}, {7, 10}}, {}};
  alignment.support = {"Evidence: b", {{0, 9, true}, {10, 11}}, {}};
  alignment.links = {{{1, 1}, {0.5, 4, 2}}, {{0, 1}, {0.5, 1, 1}}, {{1, 0}, {0, -3, -3}}};
  return {"a<b", Label::refutes, {alignment}};
}

TEST(AlignmentPageTest, ShowsTheUsersOwnTextAndItsLinks) {
  const AlignedClaim claim = small_claim();
  const std::string html = to_html(alignment_page(std::span(&claim, 1)));
  EXPECT_NE(html.find("<h2>a&lt;b</h2>"), std::string::npos);
  EXPECT_NE(html.find("data-side=\"q\" data-i=\"1\" data-w=\"1.000\""), std::string::npos) << html;
  EXPECT_NE(html.find(">a&lt;b</span>"), std::string::npos);
  EXPECT_NE(html.find("data-links=\"[[0,1,1.000,1.000],[1,0,-3.000,-3.000],[1,1,4.000,2.000]]\""),
            std::string::npos);
  // What was cut from the sequence is shown as such.
  EXPECT_NE(html.find("title=\"not seen by this level\"> cut</span>"), std::string::npos);
  EXPECT_NE(html.find("<td>b</td>"), std::string::npos);
  EXPECT_EQ(html.find("http"), std::string::npos);
}

TEST(AlignmentPageTest, HasItsScriptOnceHoweverManyClaims) {
  const std::vector<AlignedClaim> claims(3, small_claim());
  const std::string html = to_html(alignment_page(claims));
  EXPECT_EQ(html.find("<script>"), html.rfind("<script>"));
  EXPECT_NE(html.find("<script>"), std::string::npos);
}

}  // namespace
}  // namespace memmatch::report
