// What formatting promises: an identifier prints as its text wherever C++ prints, in streams, in
// {fmt} and in std::format where there is one, with the options that strings have.

#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>
#include <string>

#include "tessera/fmt.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/snowflake.h"
#include "tessera/std_format.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera {
namespace {

using namespace literals;

constexpr Ulid kUlid = "01ARZ3NDEKTSV4RRFFQ69G5FAV"_ulid;
constexpr Uuid kUuid = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"_uuid;

// Not for what has no text.
static_assert(fmt::is_formattable<Ulid>::value && fmt::is_formattable<Text<26>>::value);
struct NoText {};
static_assert(!fmt::is_formattable<NoText>::value);

TEST(Fmt, PrintsEveryKindAsItsText) {
  EXPECT_EQ(fmt::format("{}", kUlid), kUlid.to_string());
  EXPECT_EQ(fmt::format("{}", kUuid), kUuid.to_string());
  EXPECT_EQ(fmt::format("{}", Ksuid{}), "000000000000000000000000000");
  EXPECT_EQ(fmt::format("{}", ObjectId{}), "000000000000000000000000");
  EXPECT_EQ(fmt::format("{}", Snowflake{175'928'847'299'117'063}), "175928847299117063");
  EXPECT_EQ(fmt::format("{} {}", kUlid.text(), Snowflake{7}.text()),
            "01ARZ3NDEKTSV4RRFFQ69G5FAV 7");
}

TEST(Fmt, KnowsTheOptionsOfStrings) {
  const Snowflake id{42};
  const struct {
    const char* format;
    const char* text;
  } cases[] = {
      {"{:5}|", "42   |"}, {"{:>5}|", "   42|"}, {"{:*^6}|", "**42**|"},
      {"{:.1}|", "4|"},    {"{:s}|", "42|"},
  };
  for (const auto& c : cases) EXPECT_EQ(fmt::format(fmt::runtime(c.format), id), c.text);
  EXPECT_EQ(fmt::format("{:>{}}|", id, 4), "  42|");
  EXPECT_THROW(static_cast<void>(fmt::format(fmt::runtime("{:x}"), id)), fmt::format_error)
      << "a number's options are not for IDs";
}

TEST(Stream, PrintsEveryKindAsItsText) {
  std::ostringstream out;
  out << kUlid << ' ' << kUuid << ' ' << Ksuid{} << ' ' << ObjectId{} << ' ' << Snowflake{42} << ' '
      << std::setw(4) << Snowflake{7} << ' ' << kUlid.text();
  EXPECT_EQ(
      out.str(),
      "01ARZ3NDEKTSV4RRFFQ69G5FAV 017f22e2-79b0-7cc3-98c4-dc0c0c07398f "
      "000000000000000000000000000 000000000000000000000000 42    7 01ARZ3NDEKTSV4RRFFQ69G5FAV");
}

#ifdef __cpp_lib_format

TEST(StdFormat, PrintsEveryKindAsItsTextWithTheOptionsOfStrings) {
  EXPECT_EQ(std::format("{} {}", kUlid, kUuid), kUlid.to_string() + " " + kUuid.to_string());
  EXPECT_EQ(std::format("{:>5}|{:.1}|{}", Snowflake{42}, Snowflake{42}, kUlid.text()),
            "   42|4|01ARZ3NDEKTSV4RRFFQ69G5FAV");
}

#endif

}  // namespace
}  // namespace tessera
