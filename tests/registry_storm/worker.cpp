// Works, and writes down what it was told.

#include "worker.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "event.h"
#include "storm/dice.h"
#include "support/forwarding_registry.h"
#include "tessera/registry/registry.h"
#include "tessera/segment/store.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace registry_storm {
namespace {

using namespace std::chrono_literals;
using namespace tessera;

constexpr const char* kTenants[] = {"acme", "zeta"};
constexpr const char* kTypes[] = {"store", "product", "person"};

// Keys from ranges, as an allocator would draw them.
class Numbers final : public NumberSource {
 public:
  explicit Numbers(SegmentStore& store) : store_(store) {}

  Result<std::vector<std::int64_t>, Error> keys(std::string_view scope,
                                                std::size_t count) override {
    std::vector<std::int64_t> keys;
    while (keys.size() < count) {
      if (next_ == end_) {
        const auto drawn = store_.draw({.scope = scope, .count = 200, .timeout = 2s});
        if (!drawn) return Failure{drawn.error()};
        next_ = drawn->segment.first;
        end_ = drawn->segment.end;
      }
      keys.push_back(static_cast<std::int64_t>(next_++));
    }
    return keys;
  }
  Result<std::uint64_t, Error> short_number(const RegisteredType&, std::int64_t) override {
    return 0U;
  }

 private:
  SegmentStore& store_;
  std::uint64_t next_ = 0;
  std::uint64_t end_ = 0;
};

// A store with one of the bugs.
class BuggyStore final : public ForwardingRegistry {
 public:
  BuggyStore(RegistryStore& store, Bug bug) : ForwardingRegistry(store), bug_(bug) {}

  Result<CreateAnswer, Error> create(const CreateRequest& request) override {
    if (bug_ == Bug::no_key && !request.idempotency_key.empty()) {
      CreateRequest plain = request;
      plain.idempotency_key = {};
      return store_.create(plain);
    }
    if (bug_ == Bug::early_answer && request.idempotency_key.empty()) {
      later_.push_back({&request.type,
                        std::string(request.tenant),
                        {request.ancestors.begin(), request.ancestors.end()},
                        {request.entries.begin(), request.entries.end()}});
      if (later_.size() >= 4) do_later();
      return CreateAnswer{{request.entries.begin(), request.entries.end()}, false};
    }
    return store_.create(request);
  }
  Result<Barrier, Error> barrier(const RegisteredType& type) override {
    auto barrier = store_.barrier(type);
    if (barrier && bug_ == Bug::filter_ahead) barrier->now_ms += 60'000;
    return barrier;
  }

 private:
  struct Later {
    const RegisteredType* type;
    std::string tenant;
    std::vector<IdBody> ancestors;
    std::vector<NewEntry> entries;
  };
  void do_later() {
    for (const auto& one : later_) {
      static_cast<void>(store_.create({.type = *one.type,
                                       .tenant = one.tenant,
                                       .ancestors = one.ancestors,
                                       .entries = one.entries}));
    }
    later_.clear();
  }

  const Bug bug_;
  std::vector<Later> later_;
};

struct Thing {
  std::string tenant, type, id;
};

class Worker {
 public:
  Worker(Registry& registry, int log, std::uint64_t seed)
      : registry_(registry), log_(log), dice_(seed) {}

  void step() {
    const std::uint64_t what = dice_.below(16);
    if (what < 4) {
      create_keyed();
    } else if (what < 7) {
      create();
    } else if (what < 9) {
      retire();
    } else if (what < 14) {
      look();
    } else if (what < 15) {
      static_cast<void>(registry_.sweep());
    } else if (now_ns() > synced_ns_ + 100'000'000) {
      static_cast<void>(registry_.sync_filters());
      synced_ns_ = now_ns();
    }
  }

 private:
  void say(Event event, std::uint64_t invoked_ns) {
    event.invoked_ns = invoked_ns;
    event.returned_ns = now_ns();
    const std::string line = event.line();
    if (write(log_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::exit(4);
  }
  void note(const std::string& tenant, const std::string& type, const NewResource& made,
            const std::string& key, const std::string& parent, std::uint64_t invoked_ns) {
    Event event;
    event.what = "create";
    event.tenant = tenant;
    event.type = type;
    event.id = made.id;
    event.pk = std::to_string(made.key);
    event.key = key;
    event.parent = parent;
    say(event, invoked_ns);
    if (things_.size() < 2000) things_.push_back({tenant, type, made.id});
  }

  // All workers use the same keys at the same time, and now and then one of a while ago.
  void create_keyed() {
    std::uint64_t number = now_ns() / 30'000'000;
    if (dice_.one_in(3)) number -= dice_.below(100);
    const std::string tenant = kTenants[number % 2];
    const std::string type = number % 3 == 0 ? "person" : "store";
    const std::string key = "k-" + std::to_string(number);
    const std::uint64_t invoked_ns = now_ns();
    const auto made = registry_.create(tenant, type, {.idempotency_key = key, .timeout = 2s});
    if (made) note(tenant, type, *made, key, "-", invoked_ns);
  }
  void create() {
    std::string tenant = kTenants[dice_.below(2)];
    std::string type = kTypes[dice_.below(3)];
    std::string parent;
    if (type == "product") {
      if (things_.empty()) return;
      const Thing& thing = things_[dice_.below(things_.size())];
      if (thing.type != "store") return;
      tenant = thing.tenant;
      parent = thing.id;
    }
    const std::uint64_t invoked_ns = now_ns();
    const std::size_t count = dice_.one_in(4) ? 1 + dice_.below(20) : 1;
    const auto made = registry_.create_many(tenant, type, count, {.parent = parent, .timeout = 2s});
    if (!made) return;
    for (const auto& one : *made) {
      note(tenant, type, one, "-", parent.empty() ? "-" : parent, invoked_ns);
    }
  }
  void retire() {
    if (things_.empty()) return;
    const Thing thing = things_[dice_.below(things_.size())];
    if (thing.type == "store" && dice_.below(3) > 0) return;
    const std::uint64_t invoked_ns = now_ns();
    const auto ended = registry_.retire(thing.tenant, thing.id);
    if (!ended || ended->state != LookUp::State::deleted) return;
    Event event;
    event.what = "retire";
    event.tenant = thing.tenant;
    event.type = thing.type;
    event.id = thing.id;
    say(event, invoked_ns);
  }
  void look() {
    if (things_.empty()) return;
    const Thing& thing = things_[dice_.below(things_.size())];
    Event event;
    event.what = "look";
    event.tenant = kTenants[dice_.below(2)];
    event.type = thing.type;
    event.id = thing.id;
    const std::uint64_t invoked_ns = now_ns();
    const auto found = registry_.look_up(event.tenant, thing.id);
    if (!found) return;
    event.state = name_of(found->state);
    say(event, invoked_ns);
  }

  Registry& registry_;
  const int log_;
  storm::Dice dice_;
  std::vector<Thing> things_;
  std::uint64_t synced_ns_ = 0;
};

}  // namespace

std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

Bug bug_of(std::string_view name) {
  if (name == "none") return Bug::none;
  if (name == "early-answer") return Bug::early_answer;
  if (name == "no-key") return Bug::no_key;
  if (name == "filter-ahead") return Bug::filter_ahead;
  std::fprintf(stderr, "no such bug; there are early-answer, no-key and filter-ahead\n");
  std::exit(2);
}

RegistryTypes storm_types() {
  TypeTable table;
  for (const auto& [name, prefix] :
       {std::pair{"store", "st"}, {"product", "prd"}, {"person", "per"}}) {
    if (!table.add({name, prefix})) std::exit(2);
  }
  auto types = RegistryTypes::make(
      table, {{.name = "store", .collection = "stores", .scope = "S", .capacity = 100'000},
              {.name = "product",
               .collection = "products",
               .scope = "S",
               .parent = "store",
               .storage = RegistryType::Storage::bytes,
               .capacity = 100'000},
              {.name = "person",
               .collection = "people",
               .scope = "S",
               .tombstone = RegistryType::Tombstone::exact,
               .erase_after = 1500ms,
               .capacity = 100'000}});
  if (!types) std::exit(2);
  return std::move(*types);
}

int work(const WorkerOptions& options) {
  const std::string path = options.folder + "/" + options.name + ".log";
  const int log = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (log < 0) return 4;
  const RegistryTypes types = storm_types();
  SystemClock clock;
  SystemMonotonicClock monotonic;
  SystemEntropy entropy;
  while (true) {  // until the server is there
    OpenOptions open_options;
    open_options.connect_timeout = 3s;
    auto store = open_store(options.url, open_options);
    if (!store) {
      std::this_thread::sleep_for(50ms);
      continue;
    }
    auto opened = (*store)->registry(types);
    if (!opened) {
      std::this_thread::sleep_for(50ms);
      continue;
    }
    Numbers numbers((*store)->segments());
    BuggyStore buggy(**opened, options.bug);
    // A short window, so that the filter answers within the storm.
    RegistryOptions registry_options;
    registry_options.window = 1000ms;
    registry_options.filter_lease = 1000ms;
    Registry registry(types, buggy, numbers, {clock, monotonic, entropy}, registry_options);
    Worker worker(registry, log, options.seed);
    while (true) worker.step();
  }
}

}  // namespace registry_storm
