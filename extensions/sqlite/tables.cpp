// Table-valued functions.
//
//   SELECT id FROM tessera_new('ulid', 1000)                        id, bytes
//   SELECT * FROM tessera_range('ulid', from_ms, to_ms)             smallest, largest
//
// Both are tables without rows of their own: SQLite hands what stands in the brackets over as
// equal to hidden columns.

#include <cstring>
#include <new>

#include "sqlite/answer.h"
#include "sqlite/units.h"

namespace tessera::sqlite {
namespace {

// How the two differ; the rest is the same for both.
struct Table {
  const char* name;
  const char* declaration;
  int first_argument;  // the first hidden column
  int arguments;
  int needed;  // so many must be given
};

constexpr Table kNew{"tessera_new", "CREATE TABLE x(id, bytes, kind HIDDEN, n HIDDEN)", 2, 2, 1};
constexpr Table kRange{
    "tessera_range",
    "CREATE TABLE x(smallest, largest, kind HIDDEN, \"from\" HIDDEN, \"to\" HIDDEN)", 2, 3, 3};

struct Vtab : sqlite3_vtab {
  const Table* table;
};

// A batch of 16-byte IDs is made at once; other kinds one by one.
constexpr sqlite3_int64 kBatch = 256;

struct Cursor : sqlite3_vtab_cursor {
  char kind[96];
  std::size_t kind_size;
  sqlite3_int64 row;  // from 0
  sqlite3_int64 rows;
  char texts[2][TESSERA_TEXT_SIZE_MAX];  // the ID, or the bounds
  std::size_t text_size;
  sqlite3_int64 from_ms;
  sqlite3_int64 to_ms;
  int uuid_version;  // 0: a ULID; -1: neither, so no batch
  std::uint8_t batch[kBatch * 16];

  const std::uint8_t* bytes() const noexcept { return batch + (row % kBatch) * 16; }
  std::string_view what() const noexcept { return {kind, kind_size}; }
};

int set_error(sqlite3_vtab* vtab, const char* words) noexcept {
  sqlite3_free(vtab->zErrMsg);
  vtab->zErrMsg = sqlite3_mprintf("%s: %s", static_cast<Vtab*>(vtab)->table->name, words);
  return SQLITE_ERROR;
}

int connect(sqlite3* db, void* data, int, const char* const*, sqlite3_vtab** out, char**) {
  const auto* table = static_cast<const Table*>(data);
  if (const int code = sqlite3_declare_vtab(db, table->declaration); code != SQLITE_OK) return code;
  sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
  auto* vtab = new (std::nothrow) Vtab{};
  if (vtab == nullptr) return SQLITE_NOMEM;
  vtab->table = table;
  *out = vtab;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* vtab) {
  delete static_cast<Vtab*>(vtab);
  return SQLITE_OK;
}

// The arguments go to filter() in their order. A plan in which one has no value yet is no plan.
int best_index(sqlite3_vtab* vtab, sqlite3_index_info* info) {
  const Table& table = *static_cast<Vtab*>(vtab)->table;
  int place[3] = {-1, -1, -1};
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    const int argument = constraint.iColumn - table.first_argument;
    if (argument < 0 || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (constraint.usable == 0) return SQLITE_CONSTRAINT;
    place[argument] = i;
  }
  int given = 0;
  for (; given < table.arguments && place[given] >= 0; ++given) {
    info->aConstraintUsage[place[given]].argvIndex = given + 1;
    info->aConstraintUsage[place[given]].omit = 1;
  }
  if (given < table.needed) return set_error(vtab, "arguments are missing");
  info->estimatedCost = 100;
  info->estimatedRows = 100;
  return SQLITE_OK;
}

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  auto* cursor = new (std::nothrow) Cursor{};
  if (cursor == nullptr) return SQLITE_NOMEM;
  *out = cursor;
  return SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

// The version of a UUID that is made by batches; 0 for a ULID, -1 for all else.
int batch_version(std::string_view what) noexcept {
  if (what == "ulid") return 0;
  if (what == "uuid") return 4;
  for (const std::string_view name :
       {"uuidv1", "uuidv4", "uuidv6", "uuidv7", "uuid1", "uuid4", "uuid6", "uuid7"}) {
    if (what == name) return name.back() - '0';
  }
  return -1;
}

int make_row(Cursor& cursor) noexcept {
  if (cursor.uuid_version < 0) {
    return tessera_new(cursor.kind, cursor.kind_size, cursor.texts[0], TESSERA_TEXT_SIZE_MAX,
                       &cursor.text_size);
  }
  if (cursor.row % kBatch == 0) {
    const sqlite3_int64 left = cursor.rows - cursor.row;
    const auto count = static_cast<std::size_t>(left < kBatch ? left : kBatch);
    const int code = cursor.uuid_version == 0
                         ? tessera_ulid_new_many(cursor.batch, count)
                         : tessera_uuid_new_many(cursor.uuid_version, cursor.batch, count);
    if (code != TESSERA_OK) return code;
  }
  return TESSERA_OK;
}

int start_new(Cursor& cursor, int count, sqlite3_value** values) noexcept {
  cursor.rows = count > 1 && !is_null(values[1]) ? sqlite3_value_int64(values[1]) : 1;
  if (cursor.rows <= 0) cursor.rows = 0;
  cursor.uuid_version = batch_version(cursor.what());
  return cursor.rows == 0 ? TESSERA_OK : make_row(cursor);
}

int start_range(Cursor& cursor, sqlite3_value** values) noexcept {
  cursor.from_ms = sqlite3_value_int64(values[1]);
  cursor.to_ms = sqlite3_value_int64(values[2]);
  cursor.rows = 1;
  if (cursor.from_ms < 0 || cursor.to_ms < 0) return TESSERA_OUT_OF_RANGE;
  return tessera_range(cursor.kind, cursor.kind_size, static_cast<std::uint64_t>(cursor.from_ms),
                       static_cast<std::uint64_t>(cursor.to_ms), cursor.texts[0], cursor.texts[1],
                       &cursor.text_size);
}

int filter(sqlite3_vtab_cursor* base, int, const char*, int count, sqlite3_value** values) {
  auto& cursor = *static_cast<Cursor*>(base);
  const Table& table = *static_cast<Vtab*>(base->pVtab)->table;
  cursor.row = 0;
  cursor.rows = 0;
  const std::string_view what = text_of(values[0]);
  if (is_null(values[0])) return SQLITE_OK;  // no rows, as of any comparison with NULL
  if (what.size() > sizeof cursor.kind) return set_error(base->pVtab, "no such kind");
  std::memcpy(cursor.kind, what.data(), what.size());
  cursor.kind_size = what.size();
  const int code = &table == &kNew ? start_new(cursor, count, values) : start_range(cursor, values);
  return code == TESSERA_OK ? SQLITE_OK : set_error(base->pVtab, tessera_error_phrase(code));
}

int next_row(sqlite3_vtab_cursor* base) {
  auto& cursor = *static_cast<Cursor*>(base);
  if (++cursor.row >= cursor.rows) return SQLITE_OK;
  const int code = make_row(cursor);
  return code == TESSERA_OK ? SQLITE_OK : set_error(base->pVtab, tessera_error_phrase(code));
}

int at_end(sqlite3_vtab_cursor* base) {
  const auto& cursor = *static_cast<Cursor*>(base);
  return cursor.row >= cursor.rows ? 1 : 0;
}

void give_new(sqlite3_context* context, const Cursor& cursor, bool as_bytes) noexcept {
  if (cursor.uuid_version >= 0) {
    if (as_bytes) return give_blob(context, cursor.bytes(), 16);
    char text[TESSERA_UUID_TEXT_SIZE];
    if (cursor.uuid_version == 0) {
      tessera_ulid_text(cursor.bytes(), text);
      return give_text(context, {text, TESSERA_ULID_TEXT_SIZE});
    }
    tessera_uuid_text(cursor.bytes(), text);
    return give_text(context, {text, TESSERA_UUID_TEXT_SIZE});
  }
  const std::string_view id(cursor.texts[0], cursor.text_size);
  if (!as_bytes) return give_text(context, id);
  // The form that the kind has; of a prefix it is the body's.
  std::string_view from = "crockford";
  if (id.find('_') != id.npos) {
    from = "public";
  } else if (cursor.what() == "uuidv8" || cursor.what() == "uuid8" || cursor.what() == "uuid-v8") {
    from = "uuid";
  } else if (cursor.what() != "random") {
    from = cursor.what();  // objectid, ksuid, typeid
  }
  char bytes[TESSERA_TEXT_SIZE_MAX];
  std::size_t size = 0;
  if (tessera_convert(from.data(), from.size(), "bytes", 5, id.data(), id.size(), 0, bytes,
                      sizeof bytes, &size, nullptr) == TESSERA_OK) {
    give_blob(context, bytes, size);
  }
}

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int index) {
  const auto& cursor = *static_cast<Cursor*>(base);
  const Table& table = *static_cast<Vtab*>(base->pVtab)->table;
  if (index < 2 && &table == &kNew) {
    give_new(context, cursor, index == 1);
  } else if (index < 2) {
    give_text(context, {cursor.texts[index], cursor.text_size});
  } else if (index == 2) {
    give_text(context, cursor.what());
  } else if (&table == &kNew) {
    sqlite3_result_int64(context, cursor.rows);
  } else {
    sqlite3_result_int64(context, index == 3 ? cursor.from_ms : cursor.to_ms);
  }
  return SQLITE_OK;
}

int rowid(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  *out = static_cast<Cursor*>(base)->row;
  return SQLITE_OK;
}

constexpr sqlite3_module make_module() noexcept {
  sqlite3_module module{};
  module.xConnect = connect;  // and no xCreate: it is there without CREATE VIRTUAL TABLE
  module.xBestIndex = best_index;
  module.xDisconnect = disconnect;
  module.xOpen = open_cursor;
  module.xClose = close_cursor;
  module.xFilter = filter;
  module.xNext = next_row;
  module.xEof = at_end;
  module.xColumn = column;
  module.xRowid = rowid;
  return module;
}

constexpr sqlite3_module kModule = make_module();

}  // namespace

int add_tables(sqlite3* db) noexcept {
  for (const Table* table : {&kNew, &kRange}) {
    const int code =
        sqlite3_create_module_v2(db, table->name, &kModule, const_cast<Table*>(table), nullptr);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

}  // namespace tessera::sqlite
