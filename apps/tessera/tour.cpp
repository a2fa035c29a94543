// tessera tour: the library in twenty lines of output.

#include <string>

#include "commands.h"
#include "output.h"
#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/odds.h"
#include "tessera/public_id.h"
#include "tessera/random_id.h"
#include "tessera/time_text.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"
#include "tessera/version.h"

namespace tessera::cli {
namespace {

using OrderId = PublicId<"ord">;
using PaymentId = PublicId<"pay", PublicStyle::checked>;

template <class Id>
bool show(Output& out, std::string_view kind, const Result<Id, MintError>& id,
          std::string_view remark) {
  if (!id) {
    out.flush();
    complain("could not make a " + std::string(kind) + ": " + std::string(describe(id.error())));
    return false;
  }
  const std::string text = id->to_string();
  out.line("  " + std::string(kind) + std::string(11 - kind.size(), ' ') + text +
           std::string(text.size() < 40 ? 40 - text.size() : 2, ' ') + std::string(remark));
  return true;
}

}  // namespace

Exit run_tour(const Args&) {
  Output& out = Output::standard();
  out.line("tessera " TESSERA_VERSION ": identifiers that are made once, sort, and stay\n");
  out.line("One of each kind, made just now:");
  bool good = show(out, "ulid", Ulid::generate(), "sorts by time, 64 fresh random bits");
  good = good && show(out, "uuidv7", Uuid::generate_v7(), "the same for uuid columns");
  good = good && show(out, "uuidv4", Uuid::generate_v4(), "tells nothing");
  good = good && show(out, "ksuid", Ksuid::generate(), "160 bits, by the second");
  good = good && show(out, "objectid", ObjectId::generate(), "MongoDB's");
  good = good && show(out, "random", RandomId::generate(60), "60 bits and a check symbol");
  good = good && show(out, "public", OrderId::generate(), "what customers see");
  good = good && show(out, "checked", PaymentId::generate(), "mistyped is not missing");
  if (!good) return Exit::io;

  const auto payment = PaymentId::generate();
  if (!payment) return Exit::io;
  std::string typed = payment->to_string();
  typed[20] = typed[20] == '7' ? '1' : '7';  // somebody mishears a digit
  out.line("\nA customer reads one aloud, and one digit is misheard:");
  out.line("  " + typed + "  " + describe(PaymentId::parse(typed).error(), typed));
  out.line("\nWhen was it made? The ID knows:  " +
           time_text(static_cast<std::int64_t>(payment->body.time_ms())).to_string());
  out.line("A billion random UUIDs, and two alike:  " +
           odds_in_words(collision_probability(122, 1e9)));
  out.line("\nNext:  tessera new ulid   tessera inspect " + payment->to_string() +
           "   tessera help");
  return Exit::good;
}

}  // namespace tessera::cli
