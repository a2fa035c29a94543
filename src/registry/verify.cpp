// Verifies: first the rows of each scope by key, next to its ranges; then the IDs of each type.

#include "tessera/registry/verify.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tessera/parse_error.h"

namespace tessera {
namespace {

using Code = RegistryFault::Code;
using Failed = std::optional<Error>;

// The rows of a type by key, page by page.
class RowStream {
 public:
  RowStream(RegistryStore& store, const RegisteredType& type, std::size_t page_size)
      : store_(&store), type_(&type), page_size_(std::max<std::size_t>(page_size, 1)) {}

  const RegisteredType& type() const noexcept { return *type_; }
  const StoredRow* row() const noexcept { return at_ < page_.size() ? &page_[at_] : nullptr; }

  // The first row, then the next; row() is null behind the last.
  Failed next() {
    if (at_ + 1 < page_.size()) {
      ++at_;
      return std::nullopt;
    }
    if (!page_.empty()) {
      const bool last = page_.size() < page_size_ || page_.back().key == INT64_MAX;
      first_key_ = last ? INT64_MAX : page_.back().key + 1;
      page_.clear();
      if (last) return std::nullopt;
    }
    at_ = 0;
    auto page = store_->rows(*type_, first_key_, page_size_);
    if (!page) return page.error();
    page_ = *std::move(page);
    return std::nullopt;
  }

 private:
  RegistryStore* store_;
  const RegisteredType* type_;
  std::size_t page_size_;
  std::int64_t first_key_ = INT64_MIN;
  std::vector<StoredRow> page_;
  std::size_t at_ = 0;
};

struct Known {
  IdBody id;  // a body, or a tombstone
  std::int64_t key = 0;

  friend auto operator<=>(const Known&, const Known&) = default;
};

// One of `count` parts of about the same size.
std::uint64_t part_of(std::uint64_t hash, std::uint64_t count) noexcept {
  return static_cast<std::uint64_t>(static_cast<detail::uint128>(hash) * count >> 64);
}

std::uint64_t scattered(const IdBody& body) noexcept {
  const auto [hi, lo] = detail::load_pair(body);
  std::uint64_t hash = (hi ^ lo >> 32 ^ lo << 32) * 0x9E37'79B9'7F4A'7C15;
  hash ^= hash >> 32;
  return hash * 0xD6E8'FEB8'6659'FD93;
}

class Verification {
 public:
  Verification(const RegistryTypes& types, RegistryStore& store, RangeLog& log,
               const VerifyOptions& options)
      : types_(types), store_(store), log_(log), options_(options) {}

  Result<VerifyReport, Error> run() {
    std::map<std::string_view, std::vector<const RegisteredType*>> scopes;
    for (const auto& type : types_.all()) {
      scopes[type->declared.scope].push_back(type.get());
      const auto stats = store_.stats(*type);
      if (!stats) return Failure{stats.error()};
      const std::uint64_t parts = stats->rows() / std::max<std::size_t>(options_.ids_max, 1) + 1;
      plans_.push_back({parts, stats->rows() / parts, stats->erased > 0});
      total_ += stats->rows() * (parts + 1);
    }
    for (const auto& [scope, types] : scopes) {
      if (auto error = verify_keys(scope, types)) return Failure{*error};
    }
    for (const auto& type : types_.all()) {
      for (std::uint64_t part = 0; part < plans_[type->number].parts; ++part) {
        if (auto error = verify_ids(*type, part, plans_[type->number])) return Failure{*error};
      }
    }
    return std::move(report_);
  }

 private:
  struct Plan {
    std::uint64_t parts = 1;
    std::uint64_t part_size = 0;  // about
    bool any_erased = false;
  };

  void fault(Code code, const RegisteredType& type, const StoredRow& row, std::string detail = "") {
    ++report_.fault_count;
    if (report_.faults.size() == options_.faults_max) return;
    report_.faults.push_back({code, &type, row, std::move(detail)});
  }

  void one_more() {
    ++done_;
    constexpr std::uint64_t kEvery = 256;
    if (options_.progress && done_ % kEvery == 0) {
      options_.progress(done_, std::max(done_, total_));
    }
  }

  // All rows of a scope in the order of their keys, whatever their types.
  Failed verify_keys(std::string_view scope, const std::vector<const RegisteredType*>& types) {
    std::vector<RowStream> streams;
    for (const auto* type : types) {
      streams.emplace_back(store_, *type, options_.page_size);
      if (auto error = streams.back().next()) return error;
    }
    std::optional<KeyRange> range;
    const RegisteredType* last_type = nullptr;
    std::int64_t last_key = 0;
    while (true) {
      RowStream* lowest = nullptr;
      for (auto& stream : streams) {
        if (stream.row() == nullptr) continue;
        if (lowest == nullptr || stream.row()->key < lowest->row()->key) lowest = &stream;
      }
      if (lowest == nullptr) return std::nullopt;
      const StoredRow& row = *lowest->row();
      const RegisteredType& type = lowest->type();
      ++report_.rows;
      one_more();
      verify_row(type, row);
      if (last_type != nullptr && row.key == last_key) {
        fault(Code::key_used_twice, type, row, "by type '" + last_type->name() + "' too");
      }
      last_type = &type;
      last_key = row.key;
      if (!range || row.key < range->first || row.key > range->last) {
        auto found = log_.range_of(scope, row.key);
        if (!found) return found.error();
        range = *found;
        if (!range) {
          fault(Code::key_never_drawn, type, row, "scope '" + printable(scope, 64) + "'");
        } else if (auto error = verify_range(scope, *range, type, row)) {
          return error;
        }
      }
      if (auto error = lowest->next()) return error;
    }
  }

  // One that begins in it would be found at its end, or hide it there.
  Failed verify_range(std::string_view scope, const KeyRange& range, const RegisteredType& type,
                      const StoredRow& row) {
    ++report_.ranges;
    if (range.last == row.key) return std::nullopt;
    const auto at_end = log_.range_of(scope, range.last);
    if (!at_end) return at_end.error();
    if (!*at_end || (*at_end)->first != range.first) {
      fault(Code::range_overlaps, type, row,
            std::to_string(range.first) + ".." + std::to_string(range.last));
    }
    return std::nullopt;
  }

  void verify_row(const RegisteredType& type, const StoredRow& row) {
    if (!body_of(type, row)) fault(Code::bad_id, type, row);
    const bool ended = row.state == 1 || row.state == 2;
    if (row.state < 0 || row.state > 2 || ended != row.deleted_ms.has_value()) {
      fault(Code::bad_state, type, row, "state " + std::to_string(row.state));
    }
    if (fault_of_tenant(row.tenant)) fault(Code::bad_tenant, type, row);
  }

  // What stands at a key now; nothing, if it was erased meanwhile.
  Result<std::optional<StoredRow>, Error> row_at(const RegisteredType& type, std::int64_t key) {
    auto rows = store_.rows(type, key, 1);
    if (!rows) return Failure{rows.error()};
    if (rows->empty() || rows->front().key != key) return std::optional<StoredRow>();
    return std::optional(std::move(rows->front()));
  }

  // One part of the IDs of a type, and one of their tombstones.
  Failed verify_ids(const RegisteredType& type, std::uint64_t part, const Plan& plan) {
    const auto& [parts, part_size, any_erased] = plan;
    std::vector<Known> bodies;
    std::vector<Known> tombstones;
    const auto room = static_cast<std::size_t>(part_size + part_size / 64 + 64);
    bodies.reserve(room);
    if (any_erased) tombstones.reserve(room);
    RowStream rows(store_, type, options_.page_size);
    if (auto error = rows.next()) return error;
    while (const StoredRow* row = rows.row()) {
      one_more();
      if (const auto body = body_of(type, *row)) {
        if (part_of(scattered(*body), parts) == part) bodies.push_back({*body, row->key});
        if (any_erased) {
          const IdBody tombstone = type.tombstone_of(row->tenant, *body);
          if (part_of(detail::load_pair(tombstone).hi, parts) == part) {
            tombstones.push_back({tombstone, row->key});
          }
        }
      }
      if (auto error = rows.next()) return error;
    }
    std::ranges::sort(bodies);
    for (std::size_t i = 1; i < bodies.size(); ++i) {
      if (bodies[i].id != bodies[i - 1].id) continue;
      if (auto error = fault_of_twins(type, bodies[i - 1].key, bodies[i].key)) return error;
    }
    std::ranges::sort(tombstones);
    return any_erased ? verify_tombstones(type, tombstones, part, parts) : std::nullopt;
  }

  Failed fault_of_twins(const RegisteredType& type, std::int64_t first, std::int64_t second) {
    const auto one = row_at(type, first);
    if (!one) return one.error();
    const auto other = row_at(type, second);
    if (!other) return other.error();
    const std::string tenant = *one ? ", tenant '" + printable((*one)->tenant, 64) + "'" : "";
    fault(Code::id_issued_twice, type, other->value_or(StoredRow{.key = second}),
          "key " + std::to_string(first) + tenant + " has it too");
    return std::nullopt;
  }

  // Both are in order: those of the rows, and those of the store.
  Failed verify_tombstones(const RegisteredType& type, const std::vector<Known>& ours,
                           std::uint64_t part, std::uint64_t parts) {
    auto mine = ours.begin();
    IdBody after{};
    if (part > 0) {
      const auto start = (static_cast<detail::uint128>(part) << 64) / parts;
      after = detail::store_pair({static_cast<std::uint64_t>(start) - 1, UINT64_MAX});
    }
    while (true) {
      const auto page = store_.erased(type, after, options_.page_size);
      if (!page) return page.error();
      for (const IdBody& tombstone : *page) {
        const std::uint64_t of = part_of(detail::load_pair(tombstone).hi, parts);
        if (of > part) return std::nullopt;
        if (of == part) ++report_.tombstones;
        while (mine != ours.end() && mine->id < tombstone) ++mine;
        if (mine == ours.end() || mine->id != tombstone) continue;
        // To erase is one commit: whose row is still there was not erased just now.
        const auto row = row_at(type, mine->key);
        if (!row) return row.error();
        if (*row) fault(Code::came_back, type, **row);
      }
      if (page->size() < options_.page_size) return std::nullopt;
      after = page->back();
    }
  }

  const RegistryTypes& types_;
  RegistryStore& store_;
  RangeLog& log_;
  const VerifyOptions& options_;
  std::vector<Plan> plans_;  // by the number of the type
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
  VerifyReport report_;
};

}  // namespace

Result<VerifyReport, Error> verify_registry(const RegistryTypes& types, RegistryStore& store,
                                            RangeLog& log, const VerifyOptions& options) {
  return Verification(types, store, log, options).run();
}

std::string_view name_of(RegistryFault::Code code) noexcept {
  switch (code) {
    case Code::bad_id: return "bad_id";
    case Code::bad_state: return "bad_state";
    case Code::bad_tenant: return "bad_tenant";
    case Code::key_never_drawn: return "key_never_drawn";
    case Code::range_overlaps: return "range_overlaps";
    case Code::key_used_twice: return "key_used_twice";
    case Code::id_issued_twice: return "id_issued_twice";
    case Code::came_back: return "came_back";
  }
  return "";
}

std::string_view phrase_of(RegistryFault::Code code) noexcept {
  switch (code) {
    case Code::bad_id: return "not an ID of this type in its form";
    case Code::bad_state: return "no state that there is, or a time that does not fit it";
    case Code::bad_tenant: return "not a tenant";
    case Code::key_never_drawn: return "no draw on record has its key";
    case Code::range_overlaps: return "its range was drawn again in part";
    case Code::key_used_twice: return "its key is used twice";
    case Code::id_issued_twice: return "its ID was issued twice";
    case Code::came_back: return "it was erased, and has come back";
  }
  return "";
}

std::optional<IdBody> body_of(const RegisteredType& type, const StoredRow& row) {
  IdBody body{};
  switch (type.declared.storage) {
    case RegistryType::Storage::text: {
      const auto parsed = type.parse_stored(row.id);
      if (!parsed || type.stored_text_of(*parsed) != row.id) return std::nullopt;
      body = *parsed;
      break;
    }
    case RegistryType::Storage::bytes:
      if (row.id.size() != body.size()) return std::nullopt;
      std::copy(row.id.begin(), row.id.end(), body.begin());
      break;
    case RegistryType::Storage::integer:
      if (row.number < 0) return std::nullopt;
      body = detail::store_pair({0, static_cast<std::uint64_t>(row.number)});
      break;
  }
  // What everybody is shown leads back to it.
  const auto shown = type.parse(type.text_of(body));
  if (!shown || *shown != body) return std::nullopt;
  return body;
}

}  // namespace tessera
