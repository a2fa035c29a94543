// A finding says everything, in three forms; SARIF has what its standard demands.

#include "tessera/contract/report.h"

#include <gtest/gtest.h>
#include <boost/json/parse.hpp>

#include <set>

namespace tessera::contract {
namespace {

namespace json = boost::json;

Finding sample() {
  Finding finding =
      finding_of(RuleId::integer_id, {"a b.json", 7, "/data/*/id"}, "'id' is a number");
  finding.count = 3;
  return finding;
}

TEST(Rules, AreCompleteAndDiffer) {
  std::set<std::string_view> names;
  for (const Rule& rule : rules()) {
    SCOPED_TRACE(rule.number);
    EXPECT_TRUE(names.insert(rule.number).second);
    EXPECT_TRUE(names.insert(rule.name).second);
    EXPECT_FALSE(rule.what.empty());
    EXPECT_FALSE(rule.what.ends_with('.'));
    EXPECT_TRUE(rule.why.ends_with('.'));
    EXPECT_TRUE(rule.mend.ends_with('.'));
    EXPECT_EQ(find_rule(rule.number), &rule);
    EXPECT_EQ(find_rule(rule.name), &rule);
  }
  EXPECT_EQ(find_rule("TC999"), nullptr);
}

TEST(Report, TextHasPlaceRuleReasonAndRemedy) {
  EXPECT_EQ(text_of(sample()),
            "a b.json:7: error: 'id' is a number (/data/*/id), 3 times [TC201 integer-id]\n"
            "  why: A key that is shown tells how many there are, lets others count through them, "
            "and can never be changed.\n"
            "  mend: Show the public ID instead.\n");
  Finding waived = sample();
  waived.waived = "old clients, until March";
  EXPECT_NE(text_of(waived).find("waived error"), std::string::npos);
  EXPECT_NE(text_of(waived).find("because: old clients"), std::string::npos);
}

TEST(Report, JsonHasTheSame) {
  const json::object object = json::parse(json_of(sample())).as_object();
  EXPECT_EQ(object.at("rule").as_string(), "TC201");
  EXPECT_EQ(object.at("place").as_string(), "a b.json:7");
  EXPECT_EQ(object.at("line").as_int64(), 7);
  EXPECT_EQ(object.at("path").as_string(), "/data/*/id");
  EXPECT_EQ(object.at("count").as_int64(), 3);
  EXPECT_FALSE(object.contains("waived"));
}

TEST(Report, SarifHasWhatItsStandardDemands) {
  Finding waived = sample();
  waived.waived = "agreed";
  const Finding table = finding_of(RuleId::primary_key, {"", 0, "orders"}, "no key");
  const Findings findings = {sample(), waived, table};
  const json::object log = json::parse(sarif_of(findings, "1.2.3")).as_object();
  EXPECT_EQ(log.at("version").as_string(), "2.1.0");
  const json::object run = log.at("runs").as_array().at(0).as_object();
  const json::object driver = run.at("tool").as_object().at("driver").as_object();
  EXPECT_EQ(driver.at("version").as_string(), "1.2.3");
  const json::array& all = driver.at("rules").as_array();
  ASSERT_EQ(all.size(), rules().size());
  const json::array& results = run.at("results").as_array();
  ASSERT_EQ(results.size(), 3U);
  for (const json::value& value : results) {
    const json::object& result = value.as_object();
    const auto index = static_cast<std::size_t>(result.at("ruleIndex").as_int64());
    EXPECT_EQ(all.at(index).as_object().at("id"), result.at("ruleId"));
    EXPECT_FALSE(result.at("message").as_object().at("text").as_string().empty());
    EXPECT_EQ(result.at("locations").as_array().size(), 1U);
  }
  const json::object physical =
      results[0].at("locations").as_array().at(0).as_object().at("physicalLocation").as_object();
  EXPECT_EQ(physical.at("artifactLocation").as_object().at("uri").as_string(), "a%20b.json");
  EXPECT_EQ(physical.at("region").as_object().at("startLine").as_int64(), 7);
  EXPECT_FALSE(results[0].as_object().contains("suppressions"));
  EXPECT_EQ(results[1].at("suppressions").as_array().at(0).at("justification").as_string(),
            "agreed");
  EXPECT_FALSE(
      results[2].at("locations").as_array().at(0).as_object().contains("physicalLocation"));
}

TEST(Findings, OnlyWhatNobodyAcceptedBreaksTheContract) {
  Finding finding = sample();
  EXPECT_TRUE(breaks_contract(Findings{finding}));
  finding.level = Level::note;
  EXPECT_FALSE(breaks_contract(Findings{finding}));
  finding = sample();
  finding.waived = "agreed";
  EXPECT_FALSE(breaks_contract(Findings{finding}));
  EXPECT_FALSE(breaks_contract({}));
}

}  // namespace
}  // namespace tessera::contract
