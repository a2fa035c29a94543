// Placeholders are numbered where they are placeholders, and nowhere else.

#include "db/placeholders.h"

#include <gtest/gtest.h>

namespace tessera::db {
namespace {

TEST(Placeholders, AreNumberedOutsideQuotes) {
  struct Row {
    std::string_view sql, numbered;
  };
  for (const auto& [sql, numbered] : {
           Row{"", ""},
           Row{"a = ? AND b = ?", "a = $1 AND b = $2"},
           Row{"'?' || ?", "'?' || $1"},
           Row{"'it''s ?' ?", "'it''s ?' $1"},
           Row{"\"a?b\" ?", "\"a?b\" $1"},
           Row{"E'\\'?' ?", "E'\\'?' $1"},
           Row{"name'\\' ?", "name'\\' $1"},
           Row{"-- ?\n?", "-- ?\n$1"},
           Row{"/* ? /* ? */ ? */ ?", "/* ? /* ? */ ? */ $1"},
           Row{"$$ ? $$ ?", "$$ ? $$ $1"},
           Row{"$a$ ? $$ ? $a$ ?", "$a$ ? $$ ? $a$ $1"},
           Row{"a$b ? ", "a$b $1 "},
           Row{"'?", "'?"},
       }) {
    EXPECT_EQ(with_numbered_placeholders(sql), numbered);
  }
}

}  // namespace
}  // namespace tessera::db
