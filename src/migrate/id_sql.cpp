// Writes the expressions that make IDs.
//
// Text is 26 digits: ten of the time, sixteen of chance. In a UUIDv7 the first random digit begins
// with the four bits of the version, 0111, and the fourth has the variant, 10, in its middle.

#include "migrate/id_sql.h"

#include <array>
#include <functional>

#include "migrate/identifier.h"

namespace tessera::migrate {
namespace {

constexpr std::string_view kUpper = "'0123456789ABCDEFGHJKMNPQRSTVWXYZ'";
constexpr std::string_view kLower = "'0123456789abcdefghjkmnpqrstvwxyz'";
constexpr int kTimeDigits = 10;
constexpr int kRandomDigits = 16;

bool is_uuid(const Target& target) noexcept {
  return target.type.style == PublicStyle::type_id || target.type.style == PublicStyle::base36;
}

// `time` and `random` write numbers: of the bits at a shift, and the n-th random one below a mask.
std::string text_id(const Target& target, const std::function<std::string(int shift)>& time,
                    const std::function<std::string(int n, int mask)>& random) {
  const std::string alphabet(is_uuid(target) ? kLower : kUpper);
  std::string out = quoted_text(target.type.prefix + target.type.separator);
  const auto digit = [&](const std::string& number) {
    out += " || substr(" + alphabet + ", 1 + " + number + ", 1)";
  };
  for (int i = 0; i < kTimeDigits; ++i) digit(time(45 - 5 * i));
  for (int i = 0; i < kRandomDigits; ++i) {
    if (is_uuid(target) && i == 0) {
      digit("14 + " + random(i, 1));
    } else if (is_uuid(target) && i == 3) {
      digit("8 + " + random(i, 19));  // ?10??: the variant, and three random bits
    } else {
      digit(random(i, 31));
    }
  }
  return out;
}

// The bits of 26 digits, as four numbers: 8 bits of two digits, then three times 40 bits of eight.
// `position` is the function that says where in the alphabet a digit is, from 1 on.
std::array<std::string, 4> numbers_of(
    const Target& target, const std::string& text,
    const std::function<std::string(const std::string& digit, const std::string& alphabet)>&
        position) {
  const std::string alphabet(is_uuid(target) ? kLower : kUpper);
  const int before = static_cast<int>(target.type.prefix.size()) + 1;
  std::array<std::string, 4> numbers;
  int digit = 0;
  for (std::size_t group = 0; group < numbers.size(); ++group) {
    const int size = group == 0 ? 2 : 8;
    for (int i = 0; i < size; ++i, ++digit) {
      const std::string at =
          position("substr(" + text + ", " + std::to_string(before + 1 + digit) + ", 1)", alphabet);
      numbers[group] +=
          (i == 0 ? "(" : " + (") + at + " - 1 << " + std::to_string(5 * (size - 1 - i)) + ")";
    }
  }
  return numbers;
}

// A byte of a number: cut out of all 256 of them. SQLite 3.40 has no unhex().
std::string sqlite_byte(const std::string& number) {
  std::string all = "x'";
  for (int i = 0; i < 256; ++i) {
    all += "0123456789abcdef"[i >> 4];
    all += "0123456789abcdef"[i & 15];
  }
  return "substr(" + all + "', 1 + " + number + ", 1)";
}

}  // namespace

std::string postgres_id(const Target& target) {
  // Bytes of r of which all bits are random: not 6 and 8, which have version and variant.
  constexpr std::array<int, kRandomDigits> kBytes = {0,  1,  2,  3,  4,  5,  7,  9,
                                                     10, 11, 12, 13, 14, 15, 16, 17};
  if (target.form == Form::text) {
    return text_id(
        target, [](int shift) { return "(t >> " + std::to_string(shift) + " & 31)::int"; },
        [&](int n, int mask) {
          return "(get_byte(r, " + std::to_string(kBytes[static_cast<std::size_t>(n)]) + ") & " +
                 std::to_string(mask) + ")";
        });
  }
  const std::string time = "lpad(to_hex(t), 12, '0') || ";
  if (!is_uuid(target)) {
    return "(" + time +
           "encode(substring(r FROM 1 FOR 6) || substring(r FROM 10 FOR 4), 'hex'))::uuid";
  }
  return "(" + time +
         "'7' || substr(encode(r, 'hex'), 1, 3) || substr('89ab', 1 + (get_byte(r, 16) & 3), 1) || "
         "substr(encode(r, 'hex'), 4, 9) || substr(encode(r, 'hex'), 19, 6))::uuid";
}

std::string sqlite_id(const Target& target) {
  if (target.form == Form::text) {
    return text_id(
        target, [](int shift) { return "(t >> " + std::to_string(shift) + " & 31)"; },
        [](int, int mask) { return "(random() & " + std::to_string(mask) + ")"; });
  }
  std::string out = "CAST(";
  for (int shift = 40; shift >= 0; shift -= 8) {
    out += sqlite_byte("(t >> " + std::to_string(shift) + " & 255)") + " || ";
  }
  if (is_uuid(target)) {
    out += sqlite_byte("(112 + (random() & 15))") + " || randomblob(1) || " +
           sqlite_byte("(128 + (random() & 63))") + " || randomblob(7)";
  } else {
    out += "randomblob(10)";
  }
  return out + " AS BLOB)";
}

std::string mariadb_id(const Target& target) {
  if (target.form == Form::text) {
    return text_id(
        target, [](int shift) { return "(t >> " + std::to_string(shift) + " & 31)"; },
        [](int n, int mask) {
          return "(ord(substr(r, " + std::to_string(n + 1) + ", 1)) & " + std::to_string(mask) +
                 ")";
        });
  }
  const std::string time = "unhex(lpad(hex(t), 12, '0') || ";
  if (!is_uuid(target)) return time + "hex(substr(r, 1, 10)))";
  return time +
         "'7' || substr(hex(r), 1, 3) || substr('89AB', 1 + (ord(substr(r, 3, 1)) & 3), 1) || "
         "substr(hex(r), 7, 15))";
}

std::string postgres_body(const Target& target, const std::string& text) {
  const auto numbers = numbers_of(target, text, [](const auto& digit, const auto& alphabet) {
    return "strpos(" + alphabet + ", " + digit + ")::bigint";
  });
  return "(lpad(to_hex(" + numbers[0] + "), 2, '0') || lpad(to_hex(" + numbers[1] +
         "), 10, '0') || lpad(to_hex(" + numbers[2] + "), 10, '0') || lpad(to_hex(" + numbers[3] +
         "), 10, '0'))::uuid";
}

std::string mariadb_body(const Target& target, const std::string& text) {
  const auto numbers = numbers_of(target, text, [](const auto& digit, const auto& alphabet) {
    return "locate(" + digit + ", " + alphabet + ")";
  });
  return "unhex(lpad(hex(" + numbers[0] + "), 2, '0') || lpad(hex(" + numbers[1] +
         "), 10, '0') || lpad(hex(" + numbers[2] + "), 10, '0') || lpad(hex(" + numbers[3] +
         "), 10, '0'))";
}

std::string sqlite_body(const Target& target, const std::string& text) {
  const auto numbers = numbers_of(target, text, [](const auto& digit, const auto& alphabet) {
    return "instr(" + alphabet + ", " + digit + ")";
  });
  std::string out = "(SELECT CAST(" + sqlite_byte("a");
  for (const std::string_view number : {"b", "c", "d"}) {
    for (int shift = 32; shift >= 0; shift -= 8) {
      out += " || " +
             sqlite_byte("(" + std::string(number) + " >> " + std::to_string(shift) + " & 255)");
    }
  }
  return out + " AS BLOB) FROM (SELECT " + numbers[0] + " AS a, " + numbers[1] + " AS b, " +
         numbers[2] + " AS c, " + numbers[3] + " AS d))";
}

std::string pattern(const Target& target) {
  const std::string head = "^" + target.type.prefix + "[" + target.type.separator + "]";
  return head + (is_uuid(target) ? "[0-7][0-9a-hjkmnp-tv-z]{25}$" : "[0-7][0-9A-HJKMNP-TV-Z]{25}$");
}

std::string glob_pattern(const Target& target) {
  std::string out = target.type.prefix + "[" + target.type.separator + "][0-7]";
  for (int i = 1; i < kTimeDigits + kRandomDigits; ++i) {
    out += is_uuid(target) ? "[0-9a-hjkmnp-tv-z]" : "[0-9A-HJKMNP-TV-Z]";
  }
  return out;
}

}  // namespace tessera::migrate
