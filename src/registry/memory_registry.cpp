// The registry in memory: tables under one lock. The lock is the gate, too.

#include "tessera/registry/memory_registry.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "tessera/parse_error.h"

namespace tessera {
namespace {

enum class RowState : std::uint8_t { live, deleted, ended };

struct Row {
  std::int64_t key = 0;
  IdBody body{};
  std::string tenant;
  RowState state = RowState::live;
  std::int64_t created_ms = 0;
  std::int64_t deleted_ms = 0;
  std::int64_t parent = 0;
};

struct Table {
  std::map<std::int64_t, Row> rows;
  std::map<std::pair<std::string, IdBody>, std::int64_t> by_id;
  std::set<IdBody> gone;
  std::int64_t epoch = 1;
};

struct Key {
  IdBody digest{};
  std::vector<NewEntry> entries;
  std::int64_t expires_ms = 0;
};

bool needs_work(const RegisteredType& type) { return type.is_exact() || !type.children.empty(); }

struct Contents {
  std::map<std::string, Table> tables;  // by prefix
  std::map<std::tuple<std::string, std::string, std::string>, Key> keys;
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> work;  // to when it is due
};

}  // namespace

struct MemoryRegistryData : Contents {
  std::mutex mutex;
};

std::shared_ptr<const MemoryRegistryData> back_up(MemoryRegistryData& data) {
  auto backup = make_memory_registry_data();
  const std::lock_guard lock(data.mutex);
  static_cast<Contents&>(*backup) = data;
  return backup;
}

void restore(MemoryRegistryData& data, const MemoryRegistryData& backup) {
  const std::lock_guard lock(data.mutex);
  static_cast<Contents&>(data) = backup;
}

namespace {

class MemoryRegistry final : public RegistryStore {
 public:
  MemoryRegistry(std::shared_ptr<MemoryRegistryData> data, const RegistryTypes& types, Clock& clock)
      : data_(std::move(data)), types_(types), clock_(clock) {}

  Result<CreateAnswer, Error> create(const CreateRequest& request) override {
    if (auto fault = fault_of(request)) return Failure{*fault};
    const std::lock_guard lock(data_->mutex);
    const std::int64_t now = now_ms();
    const std::tuple id(std::string(request.tenant), request.type.id.prefix,
                        std::string(request.idempotency_key));
    const bool has_key = !request.idempotency_key.empty();
    if (has_key) {
      const auto known = data_->keys.find(id);
      if (known != data_->keys.end() && known->second.expires_ms > now) {
        if (known->second.digest != request.digest) {
          return Failure{Error{
              Error::Code::key_reused,
              "idempotency key " + quoted(request.idempotency_key) + " belongs to another request",
              "A key is for one request; take a new one."}};
        }
        return CreateAnswer{known->second.entries, true};
      }
    }
    if (now < request.store_ms_min || now > request.store_ms_max) {
      return Failure{Error{Error::Code::store_unavailable,
                           "the clock of the store is away from the time in the ID",
                           "Set the clocks of both machines by NTP; nothing was done."}};
    }
    const Row* parent = nullptr;
    if (request.type.parent != nullptr) {
      parent = live_parent(request.type, request.tenant, request.ancestors);
      if (parent == nullptr) return Failure{no_parent(request.type)};
    }
    Table& table = table_of(request.type);
    const std::string tenant(request.tenant);
    std::set<std::int64_t> keys;
    std::set<IdBody> bodies;
    for (const auto& entry : request.entries) {
      if (table.rows.contains(entry.key) || table.by_id.contains({tenant, entry.body}) ||
          table.gone.contains(request.type.tombstone_of(tenant, entry.body)) ||
          !keys.insert(entry.key).second || !bodies.insert(entry.body).second) {
        return Failure{Error{Error::Code::store_rewound, "the store has this key or ID already",
                             "The scope of its keys was set back; lift its mark."}};
      }
    }
    for (const auto& entry : request.entries) {
      table.rows[entry.key] = {entry.key,
                               entry.body,
                               tenant,
                               RowState::live,
                               now,
                               0,
                               parent == nullptr ? 0 : parent->key};
      table.by_id[{tenant, entry.body}] = entry.key;
    }
    std::vector<NewEntry> entries(request.entries.begin(), request.entries.end());
    if (has_key) {
      data_->keys[id] = {request.digest, entries, now + request.type.declared.key_time.count()};
    }
    return CreateAnswer{std::move(entries), false};
  }

  Result<Issued, Error> find(const IssuedId& id) override {
    const std::lock_guard lock(data_->mutex);
    return found(id);
  }

  Result<Issued, Error> retire(const IssuedId& id) override {
    const std::lock_guard lock(data_->mutex);
    if (Row* row = row_of(id); row != nullptr && row->state == RowState::live) {
      const auto& declared = id.type.declared;
      row->state = declared.undelete.count() > 0 ? RowState::deleted : RowState::ended;
      row->deleted_ms = now_ms();
      if (needs_work(id.type)) {
        data_->work[{id.type.id.prefix, row->key}] =
            row->deleted_ms +
            (id.type.children.empty() ? declared.erase_after.count() : declared.undelete.count());
      }
    }
    return found(id);
  }

  Result<Issued, Error> undelete(const IssuedId& id) override {
    const std::lock_guard lock(data_->mutex);
    Row* row = row_of(id);
    const std::int64_t grace = id.type.declared.undelete.count();
    if (row != nullptr && grace > 0 && row->state == RowState::deleted &&
        row->deleted_ms + grace >= now_ms() && ancestors_live(id.type, *row)) {
      row->state = RowState::live;
      row->deleted_ms = 0;
      data_->work.erase({id.type.id.prefix, row->key});
    }
    return found(id);
  }

  Result<Sweep, Error> sweep(std::size_t count_max) override {
    const std::lock_guard lock(data_->mutex);
    const std::int64_t now = now_ms();
    Sweep sweep;
    std::erase_if(data_->keys, [&](const auto& key) { return key.second.expires_ms <= now; });
    const auto due =
        std::ranges::find_if(data_->work, [&](const auto& work) { return work.second <= now; });
    if (due != data_->work.end()) {
      const auto work = due->first;
      sweep.ended = do_work(*types_.find_by_prefix(work.first), work.second, now,
                            std::max<std::size_t>(1, count_max));
    }
    sweep.more =
        std::ranges::any_of(data_->work, [&](const auto& work) { return work.second <= now; });
    return sweep;
  }

  Result<std::vector<Issued>, Error> list(const ListRequest& request) override {
    const std::lock_guard lock(data_->mutex);
    const Row* parent = nullptr;
    if (!request.ancestors.empty()) {
      parent = live_parent(request.type, request.tenant, request.ancestors);
      if (parent == nullptr) return Failure{no_parent(request.type)};
    }
    std::vector<Issued> list;
    const Table& table = table_of(request.type);
    for (const auto& [id, key] : table.by_id) {
      if (list.size() == request.count_max) break;
      if (id.first != request.tenant || (request.after && id.second <= *request.after)) continue;
      if (parent != nullptr && table.rows.at(key).parent != parent->key) continue;
      auto issued = found({request.type, request.tenant, id.second});
      const auto wanted = request.deleted ? Issued::State::deleted : Issued::State::live;
      if (issued.state == wanted) list.push_back(std::move(issued));
    }
    return list;
  }

  Result<Barrier, Error> barrier(const RegisteredType& type) override {
    const std::lock_guard lock(data_->mutex);
    return Barrier{now_ms(), table_of(type).epoch};
  }

  Result<Barrier, Error> new_epoch(const RegisteredType& type) override {
    const std::lock_guard lock(data_->mutex);
    return Barrier{now_ms(), ++table_of(type).epoch};
  }

  Result<RegistryStats, Error> stats(const RegisteredType& type) override {
    const std::lock_guard lock(data_->mutex);
    RegistryStats stats;
    for (const auto& [key, row] : table_of(type).rows) {
      switch (row.state) {
        case RowState::live: ++stats.live; break;
        case RowState::deleted: ++stats.deleted; break;
        case RowState::ended: ++stats.ended; break;
      }
    }
    stats.erased = table_of(type).gone.size();
    const std::string& prefix = type.id.prefix;
    stats.keys = static_cast<std::uint64_t>(std::ranges::count_if(
        data_->keys, [&](const auto& key) { return std::get<1>(key.first) == prefix; }));
    stats.work = static_cast<std::uint64_t>(std::ranges::count_if(
        data_->work, [&](const auto& work) { return work.first.first == prefix; }));
    return stats;
  }

  Result<std::vector<StoredRow>, Error> rows(const RegisteredType& type, std::int64_t first_key,
                                             std::size_t count_max) override {
    const std::lock_guard lock(data_->mutex);
    std::vector<StoredRow> list;
    const auto& rows = table_of(type).rows;
    for (auto at = rows.lower_bound(first_key); at != rows.end() && list.size() < count_max; ++at) {
      const Row& row = at->second;
      StoredRow stored{.key = row.key,
                       .tenant = row.tenant,
                       .state = static_cast<std::int64_t>(row.state),
                       .created_ms = row.created_ms};
      switch (type.declared.storage) {
        case RegistryType::Storage::text: stored.id = type.stored_text_of(row.body); break;
        case RegistryType::Storage::bytes:
          stored.id.assign(row.body.begin(), row.body.end());
          break;
        case RegistryType::Storage::integer:
          stored.number = static_cast<std::int64_t>(detail::load_pair(row.body).lo);
          break;
      }
      if (row.state != RowState::live) stored.deleted_ms = row.deleted_ms;
      if (type.parent != nullptr) stored.parent = row.parent;
      list.push_back(std::move(stored));
    }
    return list;
  }

  Result<IssuedPage, Error> issued(const RegisteredType& type, std::int64_t created_ms,
                                   std::int64_t key, std::size_t count_max) override {
    const std::lock_guard lock(data_->mutex);
    std::map<std::pair<std::int64_t, std::int64_t>, const Row*> rows;
    for (const auto& [number, row] : table_of(type).rows) {
      if (std::pair(row.created_ms, number) > std::pair(created_ms, key)) {
        rows[{row.created_ms, number}] = &row;
      }
    }
    IssuedPage page{{}, created_ms, key, rows.size() > count_max};
    for (const auto& [place, row] : rows) {
      if (page.filter_keys.size() == count_max) break;
      std::tie(page.created_ms, page.key) = place;
      page.filter_keys.push_back(type.filter_key_of(row->tenant, row->body));
    }
    return page;
  }

  Result<std::vector<IdBody>, Error> erased(const RegisteredType& type, const IdBody& after,
                                            std::size_t count_max) override {
    const std::lock_guard lock(data_->mutex);
    std::vector<IdBody> list;
    const auto& gone = table_of(type).gone;
    for (auto at = gone.upper_bound(after); at != gone.end() && list.size() < count_max; ++at) {
      list.push_back(*at);
    }
    return list;
  }

 private:
  std::int64_t now_ms() { return static_cast<std::int64_t>(clock_.now_ms()); }
  Table& table_of(const RegisteredType& type) { return data_->tables[type.id.prefix]; }

  static Error no_parent(const RegisteredType& type) {
    return Error{Error::Code::not_found,
                 "there is no such " + quoted(type.parent->name()) + " to create a " +
                     quoted(type.name()) + " in",
                 "It was never issued, or has ended, or belongs to another tenant."};
  }

  Row* row_of(const IssuedId& id) {
    Table& table = table_of(id.type);
    const auto at = table.by_id.find({std::string(id.tenant), id.body});
    return at == table.by_id.end() ? nullptr : &table.rows.at(at->second);
  }

  const Row* row_at(const RegisteredType& type, std::int64_t key) {
    const auto& rows = table_of(type).rows;
    const auto at = rows.find(key);
    return at == rows.end() ? nullptr : &at->second;
  }

  bool ancestors_live(const RegisteredType& type, const Row& row) {
    std::int64_t key = row.parent;
    for (const auto* at = type.parent; at != nullptr; at = at->parent) {
      const Row* above = row_at(*at, key);
      if (above == nullptr || above->state != RowState::live) return false;
      key = above->parent;
    }
    return true;
  }

  // The parent, if it and all above it are live and as named.
  const Row* live_parent(const RegisteredType& type, std::string_view tenant,
                         std::span<const IdBody> ancestors) {
    const Row* row = row_of({*type.parent, tenant, ancestors[0]});
    if (row == nullptr || row->state != RowState::live || !ancestors_live(*type.parent, *row)) {
      return nullptr;
    }
    const auto known = found({*type.parent, tenant, ancestors[0]});
    return std::ranges::equal(known.ancestors, ancestors.subspan(1)) ? row : nullptr;
  }

  Issued found(const IssuedId& id) {
    Issued issued;
    issued.body = id.body;
    const Row* row = row_of(id);
    if (row == nullptr) {
      const bool gone = table_of(id.type).gone.contains(id.type.tombstone_of(id.tenant, id.body));
      if (gone) issued.state = Issued::State::deleted;
      return issued;
    }
    issued.key = row->key;
    issued.created_ms = static_cast<std::uint64_t>(row->created_ms);
    bool live = row->state == RowState::live;
    bool whole = true;
    std::optional<std::uint64_t> deleted_ms;
    if (!live) deleted_ms = static_cast<std::uint64_t>(row->deleted_ms);
    std::int64_t key = row->parent;
    for (const auto* at = id.type.parent; at != nullptr; at = at->parent) {
      const Row* above = row_at(*at, key);
      if (above == nullptr) {
        live = whole = false;
        break;
      }
      issued.ancestors.push_back(above->body);
      key = above->parent;
      if (above->state == RowState::live) continue;
      live = false;
      const auto ended_ms = static_cast<std::uint64_t>(above->deleted_ms);
      deleted_ms = std::min(deleted_ms.value_or(ended_ms), ended_ms);
    }
    if (!whole) issued.ancestors.clear();
    issued.state = live ? Issued::State::live : Issued::State::deleted;
    if (!live && !id.type.is_exact()) issued.deleted_ms = deleted_ms;
    return issued;
  }

  std::size_t do_work(const RegisteredType& type, std::int64_t key, std::int64_t now,
                      std::size_t count_max) {
    const std::pair place(type.id.prefix, key);
    Table& table = table_of(type);
    const auto at = table.rows.find(key);
    if (at == table.rows.end() || at->second.state == RowState::live) {
      data_->work.erase(place);
      return 0;
    }
    Row& row = at->second;
    row.state = RowState::ended;
    std::size_t count = 0;
    for (const RegisteredType* child : type.children) {
      for (auto& [child_key, child_row] : table_of(*child).rows) {
        if (child_row.parent != key || child_row.state != RowState::live) continue;
        if (count == count_max) return count;
        ++count;
        child_row.state = RowState::ended;
        child_row.deleted_ms = row.deleted_ms;
        if (needs_work(*child)) {
          data_->work[{child->id.prefix, child_key}] =
              row.deleted_ms + (child->children.empty() ? child->declared.erase_after.count() : 0);
        }
      }
    }
    if (count == count_max) return count;
    if (type.is_exact()) {
      const std::int64_t due = row.deleted_ms + type.declared.erase_after.count();
      if (due > now) {
        data_->work[place] = due;
        return count;
      }
      table.gone.insert(type.tombstone_of(row.tenant, row.body));
      table.by_id.erase({row.tenant, row.body});
      table.rows.erase(at);
      ++count;
    }
    data_->work.erase(place);
    return count;
  }

  const std::shared_ptr<MemoryRegistryData> data_;
  const RegistryTypes& types_;
  Clock& clock_;
};

}  // namespace

std::shared_ptr<MemoryRegistryData> make_memory_registry_data() {
  return std::make_shared<MemoryRegistryData>();
}

std::unique_ptr<RegistryStore> make_memory_registry(std::shared_ptr<MemoryRegistryData> data,
                                                    const RegistryTypes& types, Clock& clock) {
  return std::make_unique<MemoryRegistry>(std::move(data), types, clock);
}

}  // namespace tessera
