// What several processes that share a database file must agree on: tessera_ulid_ordered(),
// tessera_uuid7_ordered() and tessera_next_long(scope).
//
// The agreement is a row of main.tessera_mark: the highest number that anybody has reserved, and
// who did. SQLite lets one connection write at a time, so whoever has changed the row in its
// transaction is alone with it until the commit, and the order of the numbers is the order of
// the commits.
//
//    reserved by us, in one UPDATE             | next .. end |
//    row in the table                                    end, holder
//
// A reservation is good as long as the row still says what we wrote: then nobody has reserved
// since, and our own change was not rolled back. That is looked up at each call, in a transaction
// that may write. When a transaction is rolled back, its numbers are gone from the database as its
// rows are; this connection does not give them out again all the same.

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "sqlite/answer.h"
#include "sqlite/units.h"

namespace tessera::sqlite {
namespace {

constexpr const char* kCreate =
    "CREATE TABLE IF NOT EXISTS main.tessera_mark(name TEXT PRIMARY KEY NOT NULL,"
    " value INTEGER NOT NULL, holder INTEGER NOT NULL) WITHOUT ROWID";
constexpr const char* kLook = "SELECT value, holder FROM main.tessera_mark WHERE name = ?1";
// ?2 is the number below the lowest that will do, ?3 how many are wanted.
constexpr const char* kReserve =
    "INSERT INTO main.tessera_mark(name, value, holder) VALUES (?1, ?2 + ?3, ?4)"
    " ON CONFLICT(name) DO UPDATE SET value = max(value, ?2) + ?3, holder = ?4 RETURNING value";

constexpr sqlite3_int64 kValueMax = INT64_MAX - (sqlite3_int64{1} << 32);
constexpr std::size_t kNameSizeMax = 128;

// A name, and what this connection has reserved under it.
struct Mark {
  char name[kNameSizeMax];
  std::size_t name_size;
  sqlite3_int64 next;  // the next to give out
  sqlite3_int64 end;   // one past the last that is reserved
  sqlite3_int64 last;  // the highest ever given out here
  sqlite3_int64 step;  // how many to reserve next time
  Mark* following;
};

// What a connection keeps. Statements are finalized when SQLite says that the connection is about
// to be closed, which it says to virtual tables only: so there is one, tessera_marks.
struct Marks {
  sqlite3* db = nullptr;
  sqlite3_stmt* look = nullptr;
  sqlite3_stmt* reserve = nullptr;
  sqlite3_int64 holder = 0;
  Mark* first = nullptr;
  bool watched = false;  // tessera_marks is connected

  ~Marks() {
    while (first != nullptr) delete std::exchange(first, first->following);
  }
  void finalize() noexcept {
    sqlite3_finalize(std::exchange(look, nullptr));
    sqlite3_finalize(std::exchange(reserve, nullptr));
    watched = false;
  }
};

Mark* find_mark(Marks& marks, std::string_view name) noexcept {
  for (Mark* mark = marks.first; mark != nullptr; mark = mark->following) {
    if (std::string_view(mark->name, mark->name_size) == name) return mark;
  }
  auto* mark = new (std::nothrow) Mark{};
  if (mark == nullptr) return nullptr;
  std::memcpy(mark->name, name.data(), name.size());
  mark->name_size = name.size();
  mark->following = marks.first;
  marks.first = mark;
  return mark;
}

int prepare(sqlite3* db, const char* sql, sqlite3_stmt** out) noexcept {
  return sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, nullptr);
}

int create(sqlite3* db) noexcept { return sqlite3_exec(db, kCreate, nullptr, nullptr, nullptr); }

// Statements, table and holder, at the first call of a connection.
int make_ready(Marks& marks) noexcept {
  if (marks.reserve != nullptr) return SQLITE_OK;
  if (marks.holder == 0) {
    std::uint8_t random[8];
    if (tessera_random_bytes(random, sizeof random) != TESSERA_OK) return SQLITE_ERROR;
    std::memcpy(&marks.holder, random, sizeof random);
  }
  int code = prepare(marks.db, kLook, &marks.look);
  if (code != SQLITE_OK) {  // most likely there is no table yet
    code = create(marks.db);
    if (code == SQLITE_OK) code = prepare(marks.db, kLook, &marks.look);
  }
  if (code == SQLITE_OK) code = prepare(marks.db, kReserve, &marks.reserve);
  if (code == SQLITE_OK && !marks.watched) {
    code = sqlite3_exec(marks.db, "SELECT 1 FROM tessera_marks", nullptr, nullptr, nullptr);
  }
  if (code != SQLITE_OK) marks.finalize();
  return code;
}

// Is the row as we left it?
bool still_ours(Marks& marks, const Mark& mark) noexcept {
  if (sqlite3_txn_state(marks.db, "main") != SQLITE_TXN_WRITE) return false;
  sqlite3_bind_text(marks.look, 1, mark.name, static_cast<int>(mark.name_size), SQLITE_STATIC);
  const bool same = sqlite3_step(marks.look) == SQLITE_ROW &&
                    sqlite3_column_int64(marks.look, 0) == mark.end - 1 &&
                    sqlite3_column_int64(marks.look, 1) == marks.holder;
  sqlite3_reset(marks.look);
  return same;
}

int reserve(Marks& marks, Mark& mark, sqlite3_int64 floor, sqlite3_int64 count) noexcept {
  sqlite3_bind_text(marks.reserve, 1, mark.name, static_cast<int>(mark.name_size), SQLITE_STATIC);
  sqlite3_bind_int64(marks.reserve, 2, floor);
  sqlite3_bind_int64(marks.reserve, 3, count);
  sqlite3_bind_int64(marks.reserve, 4, marks.holder);
  const int stepped = sqlite3_step(marks.reserve);
  const sqlite3_int64 value = stepped == SQLITE_ROW ? sqlite3_column_int64(marks.reserve, 0) : 0;
  const bool number =
      stepped == SQLITE_ROW && sqlite3_column_type(marks.reserve, 0) == SQLITE_INTEGER;
  const int code = sqlite3_reset(marks.reserve);
  if (code != SQLITE_OK) return code;
  if (!number || value > kValueMax) return SQLITE_FULL;
  mark.end = value + 1;
  mark.next = mark.end - count;
  return SQLITE_OK;
}

// The next number under a name, above `floor`. It doubles what it reserves as long as calls go on
// in one transaction: few updates for many, and few numbers lost.
int take(Marks& marks, Mark& mark, sqlite3_int64 floor, sqlite3_int64 step_max,
         sqlite3_int64* out) noexcept {
  if (const int code = make_ready(marks); code != SQLITE_OK) return code;
  floor = std::max(floor, mark.last);
  const bool ours = mark.end > 0 && still_ours(marks, mark);
  if (ours) mark.next = std::max(mark.next, floor + 1);
  if (!ours || mark.next >= mark.end) {
    mark.step = ours ? std::min(2 * mark.step, step_max) : 1;
    int code = reserve(marks, mark, floor, mark.step);
    // The transaction that made the table may have been rolled back.
    if (code == SQLITE_ERROR && create(marks.db) == SQLITE_OK) {
      code = reserve(marks, mark, floor, mark.step);
    }
    if (code != SQLITE_OK) return code;
  }
  *out = mark.next++;
  mark.last = *out;
  return SQLITE_OK;
}

void fail_with_code(sqlite3_context* context, const Marks& marks, const char* function,
                    int code) noexcept {
  if (code == SQLITE_FULL) return fail_with(context, function, "there are no more numbers");
  char* words = sqlite3_mprintf("%s: %s", function, sqlite3_errmsg(marks.db));
  if (words == nullptr) return sqlite3_result_error_nomem(context);
  sqlite3_result_error(context, words, -1);
  sqlite3_result_error_code(context, code);
  sqlite3_free(words);
}

// Ordered IDs: | time_ms: 48 | count: 16 | random |, where time and count are one number, the tick.
enum class Ordered : std::uint8_t { ulid_text, ulid_bytes, uuid7_text, uuid7_bytes };

struct OrderedFunction {
  const char* name;
  const char* mark;
  Ordered form;
};

constexpr OrderedFunction kOrdered[] = {
    {"tessera_ulid_ordered", "/ulid", Ordered::ulid_text},
    {"tessera_ulid_ordered_bytes", "/ulid", Ordered::ulid_bytes},
    {"tessera_uuid7_ordered", "/uuid7", Ordered::uuid7_text},
    {"tessera_uuid7_ordered_bytes", "/uuid7", Ordered::uuid7_bytes},
};

void store_tick(std::uint64_t tick, bool uuid, std::uint8_t* id) noexcept {
  for (unsigned i = 0; i < 6; ++i) id[i] = static_cast<std::uint8_t>(tick >> (56 - 8 * i));
  const auto count = static_cast<unsigned>(tick & 0xFFFF);
  if (!uuid) {
    id[6] = static_cast<std::uint8_t>(count >> 8);
    id[7] = static_cast<std::uint8_t>(count);
    return;
  }
  // 12 bits of the count stand before the variant, 4 behind it.
  id[6] = static_cast<std::uint8_t>(0x70 | count >> 12);
  id[7] = static_cast<std::uint8_t>(count >> 4);
  id[8] = static_cast<std::uint8_t>(0x80 | (count & 15) << 2 | (id[8] & 3));
}

// The same function object serves connections of all threads; each has marks of its own.
struct Registration {
  Marks* marks;
  const OrderedFunction* ordered;
};

void make_ordered(sqlite3_context* context, int, sqlite3_value**) {
  const auto& registration = *static_cast<const Registration*>(sqlite3_user_data(context));
  const OrderedFunction& function = *registration.ordered;
  Marks& marks = *registration.marks;
  Mark* mark = find_mark(marks, function.mark);
  if (mark == nullptr) return sqlite3_result_error_nomem(context);
  // The process-wide generator says where the clock is, and starts its count at random.
  std::uint8_t id[16];
  const bool uuid = function.form == Ordered::uuid7_text || function.form == Ordered::uuid7_bytes;
  if (const int code = tessera_ulid_new(id); code != TESSERA_OK) {
    return fail(context, function.name, code);
  }
  std::uint64_t tick = 0;
  for (unsigned i = 0; i < 8; ++i) tick = tick << 8 | id[i];
  if (tick > static_cast<std::uint64_t>(kValueMax)) {
    return fail(context, function.name, TESSERA_TIME_OUT_OF_RANGE);
  }
  sqlite3_int64 next = 0;
  constexpr sqlite3_int64 kStepMax = 1 << 14;
  const int code = take(marks, *mark, static_cast<sqlite3_int64>(tick) - 1, kStepMax, &next);
  if (code != SQLITE_OK) return fail_with_code(context, marks, function.name, code);
  store_tick(static_cast<std::uint64_t>(next), uuid, id);
  char text[TESSERA_UUID_TEXT_SIZE];
  switch (function.form) {
    case Ordered::ulid_text:
      tessera_ulid_text(id, text);
      return give_text(context, {text, TESSERA_ULID_TEXT_SIZE});
    case Ordered::uuid7_text:
      tessera_uuid_text(id, text);
      return give_text(context, {text, TESSERA_UUID_TEXT_SIZE});
    default: return give_blob(context, id, sizeof id);
  }
}

// tessera_next_long(scope): 1, 2, 3 and so on, for all processes that share the file.
void next_long(sqlite3_context* context, int, sqlite3_value** values) {
  constexpr const char* kName = "tessera_next_long";
  const auto& registration = *static_cast<const Registration*>(sqlite3_user_data(context));
  const std::string_view scope = text_of(values[0]);
  if (is_null(values[0]) || scope.empty() || scope.size() > 64 || scope[0] == '/') {
    return fail_with(context, kName,
                     "a scope is a name of 1 to 64 bytes that does not begin with /");
  }
  Mark* mark = find_mark(*registration.marks, scope);
  if (mark == nullptr) return sqlite3_result_error_nomem(context);
  sqlite3_int64 next = 0;
  constexpr sqlite3_int64 kStepMax = 1024;
  const int code = take(*registration.marks, *mark, 0, kStepMax, &next);
  if (code != SQLITE_OK) return fail_with_code(context, *registration.marks, kName, code);
  sqlite3_result_int64(context, next);
}

// The table that is told when its connection is about to be closed. It has no rows.
struct Watch : sqlite3_vtab {
  Marks* marks;
};

int watch_connect(sqlite3* db, void* data, int, const char* const*, sqlite3_vtab** out, char**) {
  if (const int code = sqlite3_declare_vtab(db, "CREATE TABLE x(y)"); code != SQLITE_OK) {
    return code;
  }
  auto* watch = new (std::nothrow) Watch{};
  if (watch == nullptr) return SQLITE_NOMEM;
  watch->marks = static_cast<Marks*>(data);
  watch->marks->watched = true;
  *out = watch;
  return SQLITE_OK;
}

int watch_disconnect(sqlite3_vtab* vtab) {
  static_cast<Watch*>(vtab)->marks->finalize();
  delete static_cast<Watch*>(vtab);
  return SQLITE_OK;
}

int watch_best_index(sqlite3_vtab*, sqlite3_index_info*) { return SQLITE_OK; }

int watch_open(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  *out = new (std::nothrow) sqlite3_vtab_cursor{};
  return *out == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int watch_close(sqlite3_vtab_cursor* cursor) {
  delete cursor;
  return SQLITE_OK;
}

int watch_filter(sqlite3_vtab_cursor*, int, const char*, int, sqlite3_value**) { return SQLITE_OK; }
int watch_next(sqlite3_vtab_cursor*) { return SQLITE_OK; }
int watch_eof(sqlite3_vtab_cursor*) { return 1; }
int watch_column(sqlite3_vtab_cursor*, sqlite3_context*, int) { return SQLITE_OK; }
int watch_rowid(sqlite3_vtab_cursor*, sqlite3_int64*) { return SQLITE_OK; }

constexpr sqlite3_module make_watch() noexcept {
  sqlite3_module module{};
  module.xConnect = watch_connect;
  module.xBestIndex = watch_best_index;
  module.xDisconnect = watch_disconnect;
  module.xOpen = watch_open;
  module.xClose = watch_close;
  module.xFilter = watch_filter;
  module.xNext = watch_next;
  module.xEof = watch_eof;
  module.xColumn = watch_column;
  module.xRowid = watch_rowid;
  return module;
}

constexpr sqlite3_module kWatch = make_watch();

void free_marks(void* marks) { delete static_cast<Marks*>(marks); }
void free_registration(void* registration) { delete static_cast<Registration*>(registration); }

int add(sqlite3* db, const char* name, int count, Marks* marks, const OrderedFunction* ordered,
        void (*function)(sqlite3_context*, int, sqlite3_value**)) noexcept {
  auto* registration = new (std::nothrow) Registration{marks, ordered};
  if (registration == nullptr) return SQLITE_NOMEM;
  // SQLite calls free_registration also if this fails.
  return sqlite3_create_function_v2(db, name, count, kWriter, registration, function, nullptr,
                                    nullptr, free_registration);
}

}  // namespace

int add_marks(sqlite3* db) noexcept {
  auto* marks = new (std::nothrow) Marks;
  if (marks == nullptr) return SQLITE_NOMEM;
  marks->db = db;
  // The module owns the marks: SQLite frees modules after functions, or if this fails.
  int code = sqlite3_create_module_v2(db, "tessera_marks", &kWatch, marks, free_marks);
  for (const OrderedFunction& ordered : kOrdered) {
    if (code == SQLITE_OK) code = add(db, ordered.name, 0, marks, &ordered, make_ordered);
  }
  if (code == SQLITE_OK) code = add(db, "tessera_next_long", 1, marks, nullptr, next_long);
  return code;
}

}  // namespace tessera::sqlite
