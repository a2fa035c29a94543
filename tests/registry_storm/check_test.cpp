// The checker finds each way to break a promise, and only those.

#include "check.h"

#include <gtest/gtest.h>

namespace registry_storm {
namespace {

Event event(std::uint64_t at, std::string what, std::string id, std::string state = "-",
            std::string tenant = "a") {
  Event made;
  made.invoked_ns = at;
  made.returned_ns = at + 1;
  made.what = std::move(what);
  made.tenant = std::move(tenant);
  made.type = "store";
  made.id = std::move(id);
  made.state = std::move(state);
  return made;
}

Event creation(std::uint64_t at, const std::string& id, const std::string& pk,
               const std::string& key = "-", const std::string& parent = "-") {
  Event made = event(at, "create", id);
  made.pk = pk;
  made.key = key;
  made.parent = parent;
  return made;
}

std::string verdict_on(const std::vector<Event>& events) {
  const auto verdict = check(events);
  return verdict.broken.empty() ? "" : verdict.broken[0].substr(0, verdict.broken[0].find(':'));
}

TEST(RegistryStormCheck, PassesAGoodStorm) {
  EXPECT_EQ(verdict_on({creation(1, "s1", "1", "k"), creation(5, "s1", "1", "k"),
                        creation(7, "p1", "2", "-", "s1"), event(9, "look", "s1", "live"),
                        event(9, "look", "s1", "never_issued", "b"), event(20, "retire", "s1"),
                        event(20, "look", "s1", "live"), event(30, "look", "p1", "deleted"),
                        event(40, "final", "s1", "deleted"), event(40, "final", "p1", "deleted")}),
            "");
}

TEST(RegistryStormCheck, FindsWhatIsBroken) {
  const auto s1 = creation(1, "s1", "1", "k");
  const auto end = event(90, "final", "s1", "live");
  EXPECT_EQ(verdict_on({s1, creation(2, "s2", "2", "k"), end, event(90, "final", "s2", "live")}),
            "a key gave two IDs");
  EXPECT_EQ(verdict_on({s1, creation(2, "s2", "1"), end, event(90, "final", "s2", "live")}),
            "two IDs have one internal key");
  EXPECT_EQ(verdict_on({s1, creation(2, "s1", "2"), end}), "one ID was issued twice");
  EXPECT_EQ(verdict_on({s1, event(90, "final", "s1", "never_issued")}),
            "an acknowledged creation is lost");
  EXPECT_EQ(verdict_on({s1, event(3, "retire", "s1"), end}), "a retired ID came back");
  EXPECT_EQ(verdict_on({s1, event(5, "look", "s1", "never_issued"), end}),
            "an issued ID was called never issued");
  EXPECT_EQ(verdict_on({s1, event(5, "look", "s1", "live", "b"), end}),
            "an answer crossed a tenant");
  EXPECT_EQ(verdict_on({s1, event(3, "retire", "s1"), event(5, "look", "s1", "live"),
                        event(90, "final", "s1", "deleted")}),
            "an ended ID was called live");
  EXPECT_EQ(verdict_on({s1, creation(2, "p1", "7", "-", "s1"), event(3, "retire", "s1"),
                        event(90, "final", "s1", "deleted"), event(90, "final", "p1", "live")}),
            "a retired ID came back");
}

TEST(RegistryStormCheck, PassesOverALineThatIsNotWhole) {
  Event read;
  const auto line = creation(1, "s1", "1").line();
  EXPECT_TRUE(read.read(line));
  for (std::size_t size = 0; size + 2 <= line.size() - 1; ++size) {
    EXPECT_FALSE(Event().read(line.substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace registry_storm
