// An installation: what is opened for a configuration, and what looks after it.

#include "installation.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "numbers.h"
#include "registry_open.h"
#include "remote.h"
#include "settings.h"
#include "short_key.h"
#include "tessera/client/http_lease_store.h"
#include "tessera/client/http_registry.h"
#include "tessera/client/http_segment_store.h"
#include "tessera/parse_error.h"
#include "tessera/segment/short_ids.h"
#include "tessera/segment/witness.h"
#include "tessera/system.h"
#include "tokens_file.h"

namespace tessera::cli {
namespace {

using service::Installation;
using service::Log;

constexpr std::chrono::seconds kLookAfter{1};
constexpr int kSweepsMax = 64;  // in a row, so that filters are not forgotten

// Keys and short IDs from the cache of the service.
class ServedNumbers final : public NumberSource {
 public:
  explicit ServedNumbers(IdService& ids) : ids_(ids) {}

  Result<std::vector<std::int64_t>, Error> keys(std::string_view scope,
                                                std::size_t count) override {
    const auto segments = ids_.next_longs(scope, count);
    if (!segments) return Failure{segments.error()};
    std::vector<std::int64_t> keys;
    keys.reserve(count);
    for (const Segment& segment : *segments) {
      for (std::uint64_t key = segment.first; key != segment.end; ++key) {
        keys.push_back(static_cast<std::int64_t>(key));
      }
    }
    return keys;
  }

  Result<std::uint64_t, Error> short_number(const RegisteredType& type, std::int64_t key) override {
    const auto id = ids_.short_of(type.declared.scope, key);
    if (!id) return Failure{id.error()};
    return id->number();
  }

 private:
  IdService& ids_;
};

// All of one configuration. Shared with requests that were begun with it.
struct Parts {
  std::shared_ptr<SegmentPorts> store;
  std::shared_ptr<IdService> ids;
  RegistryTypes types;
  // Of a registry in a database; none, if it is another Tessera's.
  std::unique_ptr<RegistryStore> rows;
  std::optional<service::MeteredRegistry> metered;
  std::optional<ServedNumbers> numbers;
  Registry* stored = nullptr;

  std::unique_ptr<RegistryPort> registry;
};

struct Sources {
  SystemClock clock;
  SystemMonotonicClock monotonic;
  SystemBootClock boot;
  SystemEntropy entropy;
};

class Opened final : public Installed {
 public:
  Opened(Config config, InstallationOptions options, Log& log)
      : config_(std::move(config)), options_(std::move(options)), log_(log) {}

  ~Opened() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
    save_filters();
  }

  std::optional<Error> begin() {
    if (!options_.witness.empty()) {
      auto witness = FileWitness::open(options_.witness);
      if (!witness) return witness.error();
      witness_ = *std::move(witness);
    }
    if (auto error = is_http_url(config_.store) ? begin_remote() : begin_store()) return error;
    segments_ = std::make_unique<service::MeteredSegments>(store_->segments(), meter_);
    leases_ = std::make_unique<service::MeteredLeases>(
        client_ == nullptr ? database_->leases() : *remote_leases_, meter_);
    snowflakes_ = std::make_unique<service::Snowflakes>(
        *leases_, sources_.boot,
        SnowflakeLeaseOptions{.holder = holder_name("serve"),
                              .terms = options_.lease,
                              .jitter_seed = static_cast<std::uint64_t>(::getpid())},
        snowflakes_of(config_));
    auto installation = make(config_);
    if (!installation) return installation.error();
    keep(*std::move(installation), config_);
    thread_ = std::thread([this] { look_after(); });
    return std::nullopt;
  }

  Ptr now() const override {
    const std::lock_guard lock(mutex_);
    return now_;
  }

  Result<Ptr, Error> reload(const Config& config) override {
    if (config.store != config_.store) {
      return Failure{Error{Error::Code::invalid_request, "the store has changed",
                           "Start the service again: a store is chosen at the start."}};
    }
    if (config.snowflakes != config_.snowflakes) {
      return Failure{Error{Error::Code::invalid_request,
                           "what stands under 'snowflakes' has changed",
                           "Start the service again: its machine numbers are held until then."}};
    }
    save_filters();
    auto installation = make(config);
    if (!installation) return Failure{installation.error()};
    const std::lock_guard lock(mutex_);
    keep(*std::move(installation), config);
    return Ptr(now_);
  }

  Ptr reload_tokens() override {
    if (config_.tokens.empty() || stamp_of(config_.tokens) == tokens_stamp_) return nullptr;
    auto tokens = read_tokens(config_.tokens);
    if (!tokens) {
      log_.write(Log::Level::error, "tokens_not_read", {{"error", tokens.error().message}});
      return nullptr;
    }
    const std::lock_guard lock(mutex_);
    auto newer = std::make_shared<Installation>(*now_);
    newer->tokens = *std::move(tokens);
    now_ = newer;
    return Ptr(now_);
  }

 private:
  std::optional<Error> begin_store() {
    auto made = init_store(config_.store, options_.store);
    if (!made) return made.error();
    auto store = tessera::open_store(config_.store, options_.store);
    if (!store) return store.error();
    database_ = *std::move(store);
    store_ = database_;
    return std::nullopt;
  }

  std::optional<Error> begin_remote() {
    auto client = open_remote(config_.store);
    if (!client) return client.error();
    client_ = *std::move(client);
    store_ = std::make_shared<HttpSegmentStore>(client_, sources_.entropy);
    remote_leases_ = std::make_unique<HttpLeaseStore>(client_);
    return std::nullopt;
  }

  using Tokens = std::shared_ptr<const service::TokenTable>;
  using Stamp = std::pair<std::int64_t, std::int64_t>;  // when it was changed, and its inode

  static Stamp stamp_of(const std::string& path) {
    struct stat about {};
    if (::stat(path.c_str(), &about) != 0) return {};
    return {about.st_mtim.tv_sec * 1'000'000'000 + about.st_mtim.tv_nsec,
            static_cast<std::int64_t>(about.st_ino)};
  }

  Result<Tokens, Error> read_tokens(const std::string& path) {
    if (path.empty()) return Tokens();
    tokens_stamp_ = stamp_of(path);
    auto table = read_tokens_file(path);
    if (!table) return Failure{table.error()};
    return Tokens(std::make_shared<const service::TokenTable>(*std::move(table)));
  }

  struct Made {
    std::shared_ptr<const Installation> installation;
    std::shared_ptr<Parts> parts;
  };

  void keep(Made made, const Config& config) {
    config_ = config;
    now_ = std::move(made.installation);
    parts_ = std::move(made.parts);
  }

  Result<Made, Error> make(const Config& config) {
    auto parts = std::make_shared<Parts>();
    parts->store = store_;
    auto ids = make_ids(config);
    if (!ids) return Failure{ids.error()};
    parts->ids = *std::move(ids);
    if (auto error = make_registry(config, *parts)) return Failure{*std::move(error)};
    auto tokens = read_tokens(config.tokens);
    if (!tokens) return Failure{tokens.error()};
    auto installation =
        std::make_shared<const Installation>(Installation{.ids = parts->ids.get(),
                                                          .registry = parts->registry.get(),
                                                          .segments = segments_.get(),
                                                          .scopes = &store_->scopes(),
                                                          .leases = leases_.get(),
                                                          .snowflakes = snowflakes_.get(),
                                                          .meter = &meter_,
                                                          .tokens = *std::move(tokens),
                                                          .clock = &sources_.clock,
                                                          .monotonic = &sources_.monotonic,
                                                          .owner = parts});
    return Made{std::move(installation), std::move(parts)};
  }

  Result<std::shared_ptr<IdService>, Error> make_ids(const Config& config) {
    if (ids_ != nullptr && config.scopes == config_.scopes && config.types == config_.types &&
        config.step == config_.step && config.separator == config_.separator &&
        config.enabled == config_.enabled) {
      return ids_;
    }
    const auto types = config.type_table();
    if (!types) {
      return Failure{Error{Error::Code::invalid_request, "the types are not as they should be",
                           "tessera config check says what is wrong."}};
    }
    IdServiceOptions options{.draws_max = options_.store.connections_max,
                             .enabled = config.enabled};
    for (const ResourceType* type : types->types()) options.types.push_back(*type);
    options.allocator.holder = holder_name("serve");
    options.allocator.jitter_seed = static_cast<std::uint64_t>(::getpid());
    for (const ScopeConfig& declared : config.scopes) {
      const Scope scope = scope_of(config, declared);
      const auto there = store_->scopes().create(scope);
      if (!there) return Failure{there.error()};
      if (declared.bits == 0) {
        options.scopes.push_back(scope);
        continue;
      }
      auto declared_short = short_scope_of(config, declared);
      if (!declared_short) return Failure{declared_short.error()};
      options.shorts.push_back(*std::move(declared_short));
    }
    auto ids =
        IdService::make(options, *segments_, sources_.clock, sources_.monotonic, witness_.get());
    if (!ids) return Failure{ids.error()};
    ids_ = *std::move(ids);
    return ids_;
  }

  Result<ShortScope, Error> short_scope_of(const Config& config, const ScopeConfig& declared) {
    const ShortSpace space{.scope = declared.name,
                           .bits = declared.bits,
                           .size = static_cast<std::uint64_t>(declared.max) + 1};
    const auto key = read_short_key(config.short_key_file);
    if (!key) return Failure{key.error()};
    const auto cipher = ShortCipher::make(space, *key);
    if (!cipher) return Failure{cipher.error()};
    if (auto other = bind_key(store_->scopes(), declared.name, *cipher)) {
      return Failure{*std::move(other)};
    }
    return ShortScope{.space = space, .key = *key, .step = config.step_of(declared)};
  }

  // None, if no type has a scope.
  std::optional<Error> make_registry(const Config& config, Parts& parts) {
    if (std::ranges::all_of(config.types, [](const auto& type) { return type.scope.empty(); })) {
      return std::nullopt;
    }
    auto types = registry_types(config);
    if (!types) return types.error();
    parts.types = *std::move(types);
    if (client_ != nullptr) {
      parts.registry = std::make_unique<HttpRegistry>(client_, parts.types, sources_.entropy);
      return std::nullopt;
    }
    const auto tables = init_registry(config.store, parts.types, options_.store);
    if (!tables) return tables.error();
    auto rows = database_->registry(parts.types);
    if (!rows) return rows.error();
    parts.rows = *std::move(rows);
    parts.metered.emplace(*parts.rows, meter_);
    parts.numbers.emplace(*parts.ids);
    auto registry = std::make_unique<Registry>(
        parts.types, *parts.metered, *parts.numbers,
        RegistrySources{sources_.clock, sources_.monotonic, sources_.entropy});
    load_filters(*registry);
    parts.stored = registry.get();
    parts.registry = std::move(registry);
    return std::nullopt;
  }

  std::string filter_file(const RegisteredType& type) const {
    return options_.filters + "/" + type.id.prefix + ".filter";
  }

  // Before the first sync: it then reads what is new, or everything, if the file is of no use.
  void load_filters(Registry& registry) {
    if (options_.filters.empty()) return;
    std::int64_t loaded = 0;
    for (const auto& type : registry.types().all()) {
      loaded += registry.filter(*type)->load(filter_file(*type)) ? 1 : 0;
    }
    log_.write(Log::Level::info, "filters_loaded", {{"count", loaded}});
  }

  void save_filters() {
    if (options_.filters.empty() || parts_ == nullptr || parts_->stored == nullptr) return;
    std::int64_t saved = 0;
    for (const auto& type : parts_->types.all()) {
      saved += parts_->stored->filter(*type)->save(filter_file(*type)) ? 1 : 0;
    }
    if (saved > 0) log_.write(Log::Level::info, "filters_saved", {{"count", saved}});
  }

  void look_after() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, kLookAfter, [this] { return ending_; })) {
      const std::shared_ptr<Parts> parts = parts_;
      lock.unlock();
      if (parts->stored != nullptr) look_after(*parts->stored);
      lock.lock();
    }
  }

  void look_after(Registry& registry) {
    auto error = registry.sync_filters();
    for (int i = 0; i < kSweepsMax && !error; ++i) {
      const auto swept = registry.sweep();
      if (swept && swept->damaged > 0) {
        log_.write(Log::Level::warning, "registry_rows_damaged",
                   {{"count", static_cast<std::int64_t>(swept->damaged)}});
      }
      if (!swept) {
        error = swept.error();
      } else if (!swept->more) {
        break;
      }
    }
    // Once for each time that it begins to fail.
    if (error && !failing_) {
      log_.write(Log::Level::warning, "registry_not_looked_after",
                 {{"code", name_of(error->code)}, {"error", error->message}});
    }
    failing_ = error.has_value();
  }

  Config config_;
  const InstallationOptions options_;
  Log& log_;
  Sources sources_;
  std::unique_ptr<FileWitness> witness_;
  // One of the two is what store_ is.
  std::shared_ptr<Store> database_;
  std::shared_ptr<HttpClient> client_;
  std::shared_ptr<SegmentPorts> store_;
  service::StoreMeter meter_{sources_.monotonic};
  std::unique_ptr<service::MeteredSegments> segments_;
  std::unique_ptr<HttpLeaseStore> remote_leases_;
  std::unique_ptr<service::MeteredLeases> leases_;
  std::unique_ptr<service::Snowflakes> snowflakes_;  // gone first: it releases what it holds
  std::shared_ptr<IdService> ids_;
  Stamp tokens_stamp_{};

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool ending_ = false;
  bool failing_ = false;
  std::shared_ptr<const Installation> now_;
  std::shared_ptr<Parts> parts_;  // of now_
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<Installed>, Error> Installed::open(const Config& config,
                                                          const InstallationOptions& options,
                                                          Log& log) {
  auto opened = std::make_unique<Opened>(config, options, log);
  if (auto error = opened->begin()) return Failure{*std::move(error)};
  return std::unique_ptr<Installed>(std::move(opened));
}

}  // namespace tessera::cli
