// A waiver has a reason, covers what it names and nothing else, ends, and is told when it is of no
// use.

#include "tessera/contract/waivers.h"

#include <gtest/gtest.h>

namespace tessera::contract {
namespace {

constexpr std::string_view kGood = R"(waivers:
  - rule: TC105
    place: country.*
    reason: the same list for all tenants
  - rule: integer-id
    place: "old.json"
    reason: clients of 2024
    until: 2027-06-30
)";

Findings some() {
  return {finding_of(RuleId::public_id_column, {"", 0, "country.public_id"}, "a"),
          finding_of(RuleId::public_id_column, {"", 0, "orders.public_id"}, "b"),
          finding_of(RuleId::tenant_column, {"", 0, "country.tenant_id"}, "c"),
          finding_of(RuleId::integer_id, {"old.json", 3, "/id"}, "d")};
}

TEST(Waivers, CoverWhatTheyNameAndNothingElse) {
  const auto waivers = read_waivers(kGood, "w.yaml");
  ASSERT_TRUE(waivers) << waivers.error().message;
  Findings findings = some();
  apply_waivers(*waivers, "w.yaml", "2027-06-30", findings);
  ASSERT_EQ(findings.size(), 4U);
  EXPECT_EQ(findings[0].waived, "the same list for all tenants");
  EXPECT_FALSE(findings[1].waived);  // another table
  EXPECT_FALSE(findings[2].waived);  // another rule
  EXPECT_EQ(findings[3].waived, "clients of 2024");
}

TEST(Waivers, EndAndAreToldThen) {
  const auto waivers = read_waivers(kGood, "w.yaml");
  ASSERT_TRUE(waivers);
  Findings findings = some();
  apply_waivers(*waivers, "w.yaml", "2027-07-01", findings);
  ASSERT_EQ(findings.size(), 5U);
  EXPECT_FALSE(findings[3].waived);
  EXPECT_EQ(findings[4].rule, RuleId::unused_waiver);
  EXPECT_EQ(findings[4].place.to_string(), "w.yaml:5");
  EXPECT_NE(findings[4].what.find("over since 2027-06-30"), std::string::npos);
}

TEST(Waivers, OfNoUseAreTold) {
  const auto waivers = read_waivers(kGood, "w.yaml");
  ASSERT_TRUE(waivers);
  Findings findings;
  apply_waivers(*waivers, "w.yaml", "2026-01-01", findings);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].place.to_string(), "w.yaml:2");
  EXPECT_EQ(findings[0].what, "nothing to waive: TC105 at 'country.*'");
  EXPECT_FALSE(breaks_contract(findings));
}

TEST(Waivers, MistakesAreToldWithTheirLine) {
  struct Case {
    std::string_view yaml;
    std::string_view message;
  };
  for (const Case& c :
       {Case{"a: 1\n", "w.yaml:1: no list under the key 'waivers'"},
        Case{"waivers: 7\n", "w.yaml:1: no list under the key 'waivers'"},
        Case{"waivers:\n  - rule: TC105\n    place: a\n", "w.yaml:2: a waiver without reason"},
        Case{"waivers:\n  - rule: TC105\n    reason: a\n", "w.yaml:2: a waiver without place"},
        Case{"waivers:\n  - place: x\n    reason: a\n", "w.yaml:2: a waiver without rule"},
        Case{"waivers:\n  - rule: TC999\n", "w.yaml:2: there is no rule 'TC999'"},
        Case{"waivers:\n  - rule: TC105\n    why: x\n", "w.yaml:3: there is no key 'why'"},
        Case{"waivers:\n  - rule: TC105\n    until: soon\n",
             "w.yaml:3: 'soon' is no date such as 2027-06-30"},
        Case{"waivers:\n  - rule: TC105\n    until: 2027-13-01\n",
             "w.yaml:3: '2027-13-01' is no date such as 2027-06-30"}}) {
    const auto waivers = read_waivers(c.yaml, "w.yaml");
    ASSERT_FALSE(waivers) << c.yaml;
    EXPECT_EQ(waivers.error().message, c.message) << c.yaml;
    EXPECT_EQ(waivers.error().code, Error::Code::invalid_request);
  }
  EXPECT_TRUE(read_waivers("waivers:\n", "w.yaml"));
}

}  // namespace
}  // namespace tessera::contract
