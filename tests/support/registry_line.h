#pragma once

// The line from a process to the registry's store, in a simulated world: requests are refused,
// lost, late, doubled or slow, answers are lost, and others do their work meanwhile. registry_sim.h
// is that world.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/dice.h"
#include "support/forwarding_registry.h"
#include "tessera/registry/registry.h"

namespace tessera::registry_sim {

// Faults in the simulated parts that the oracle must find.
enum class Bug : std::uint8_t {
  none,
  forget_key,       // the key is kept by another commit than the creation, and sometimes is not
  confirm_early,    // a creation is confirmed before it is done, and then it is lost
  lose_retirement,  // the same of a retirement
  stale_read,       // questions are answered by what was so a while ago
  barrier_ahead,    // a barrier does not wait for creations that are under way
  ignore_window,    // the time in an ID is not compared with the clock of the store
  leak_tenant,      // a question finds what another tenant has
  give_key_again,   // a number that has a row already is taken for a new one
  refuse_slowly,    // what takes too long is said to be refused, and is done
};

inline Error error_of(Error::Code code) { return Error{code, "simulated", ""}; }

enum class Fault : std::uint8_t { none, refused, lost, late, twice, answer_lost };

constexpr std::int64_t kWindowMs = 10'000;
constexpr std::array<const char*, 2> kTenants = {"acme", "zeta"};

// What a line knows of the world around it.
class Surroundings {
 public:
  Surroundings(std::uint64_t seed, Bug seeded) : dice(seed), bug(seeded) {}
  virtual ~Surroundings() = default;

  virtual Fault pass(std::size_t process) = 0;  // before a question arrives
  virtual void meanwhile() = 0;
  // Before a change is on disk. True: it takes longer than anybody waits.
  virtual bool write_slowly() = 0;

  Dice dice;
  const Bug bug;
  std::deque<std::function<void()>> late;  // requests that are still on their way
};

// A creation that is on its way: all that its request points to.
struct Copy {
  const RegisteredType* type;
  std::string tenant;
  std::vector<IdBody> ancestors;
  std::vector<NewEntry> entries;
  std::string key;
  IdBody digest;
  std::int64_t store_ms_min, store_ms_max;

  explicit Copy(const CreateRequest& request)
      : type(&request.type),
        tenant(request.tenant),
        ancestors(request.ancestors.begin(), request.ancestors.end()),
        entries(request.entries.begin(), request.entries.end()),
        key(request.idempotency_key),
        digest(request.digest),
        store_ms_min(request.store_ms_min),
        store_ms_max(request.store_ms_max) {}
  CreateRequest request() const {
    return {.type = *type,
            .tenant = tenant,
            .ancestors = ancestors,
            .entries = entries,
            .idempotency_key = key,
            .digest = digest,
            .store_ms_min = store_ms_min,
            .store_ms_max = store_ms_max};
  }
};

// From one process to the store.
class Line final : public ForwardingRegistry {
 public:
  Line(Surroundings& world, RegistryStore& store, std::size_t process)
      : ForwardingRegistry(store), world_(world), process_(process) {}

  Result<CreateAnswer, Error> create(const CreateRequest& request) override {
    Copy copy(request);
    const Bug bug = world_.bug;
    if (bug == Bug::forget_key && world_.dice.chance(20)) copy.key.clear();
    if (bug == Bug::ignore_window) {
      copy.store_ms_min = INT64_MIN;
      copy.store_ms_max = INT64_MAX;
    }
    Fault fault = world_.pass(process_);
    if (fault == Fault::lost && bug == Bug::confirm_early) {
      return CreateAnswer{copy.entries, false};
    }
    if (fault == Fault::late) {
      world_.late.push_back([this, copy] { static_cast<void>(store_.create(copy.request())); });
      fault = Fault::lost;
    }
    auto answer = change<CreateAnswer>(fault, [&] { return store_.create(copy.request()); });
    if (bug == Bug::give_key_again && !answer &&
        answer.error().code == Error::Code::store_rewound) {
      return CreateAnswer{copy.entries, false};
    }
    return answer;
  }

  Result<Issued, Error> retire(const IssuedId& id) override {
    Fault fault = world_.pass(process_);
    if (fault == Fault::lost && world_.bug == Bug::lose_retirement) {
      return Issued{.state = Issued::State::deleted, .body = id.body, .deleted_ms = 1};
    }
    if (fault == Fault::late) {
      world_.late.push_back(
          [this, &type = id.type, tenant = std::string(id.tenant), body = id.body] {
            static_cast<void>(store_.retire({type, tenant, body}));
          });
      fault = Fault::lost;
    }
    return change<Issued>(fault, [&] { return store_.retire(id); });
  }

  Result<Issued, Error> find(const IssuedId& id) override {
    ++finds;
    const Fault fault = world_.pass(process_);
    if (fault != Fault::none && fault != Fault::twice) {
      return Failure{error_of(Error::Code::store_unavailable)};
    }
    auto found = store_.find(id);
    if (world_.bug == Bug::leak_tenant && found && found->state == Issued::State::never) {
      for (const char* tenant : kTenants) {
        auto other = store_.find({id.type, tenant, id.body});
        if (other && other->state != Issued::State::never) found = other;
      }
    }
    if (world_.bug == Bug::stale_read && found) {
      const auto [old, is_new] = seen_.try_emplace(id.body, *found);
      if (!is_new && world_.dice.chance(50)) {
        found = old->second;
      } else {
        old->second = *found;
      }
    }
    world_.meanwhile();
    return found;
  }

  Result<Barrier, Error> barrier(const RegisteredType& type) override {
    return read<Barrier>([&]() -> Result<Barrier, Error> {
      auto barrier = store_.barrier(type);
      if (world_.bug == Bug::barrier_ahead && barrier) barrier->now_ms += 2 * kWindowMs;
      return barrier;
    });
  }
  Result<IssuedPage, Error> issued(const RegisteredType& type, std::int64_t created_ms,
                                   std::int64_t key, std::size_t count_max) override {
    return read<IssuedPage>([&] { return store_.issued(type, created_ms, key, count_max); });
  }
  Result<std::vector<IdBody>, Error> erased(const RegisteredType& type, const IdBody& after,
                                            std::size_t count_max) override {
    return read<std::vector<IdBody>>([&] { return store_.erased(type, after, count_max); });
  }
  Result<Sweep, Error> sweep(std::size_t count_max) override {
    const Fault fault = world_.pass(process_);
    return change<Sweep>(fault == Fault::late ? Fault::lost : fault,
                         [&] { return store_.sweep(count_max); });
  }

  std::uint64_t finds = 0;

 private:
  template <class Answer, class Do>
  Result<Answer, Error> change(Fault fault, Do&& act) {
    if (fault == Fault::refused) return Failure{error_of(Error::Code::store_unavailable)};
    if (fault == Fault::lost) return Failure{error_of(Error::Code::outcome_unknown)};
    const bool too_slow = world_.write_slowly();
    Result<Answer, Error> answer = act();
    world_.meanwhile();  // the effect is seen before the answer
    // Of what was refused there is no second copy: the line is one connection.
    if (fault == Fault::twice && answer) static_cast<void>(act());
    if (too_slow && world_.bug == Bug::refuse_slowly) {
      return Failure{error_of(Error::Code::store_unavailable)};
    }
    if (fault == Fault::answer_lost || too_slow) {
      return Failure{error_of(Error::Code::outcome_unknown)};
    }
    return answer;
  }

  template <class Answer, class Do>
  Result<Answer, Error> read(Do&& act) {
    const Fault fault = world_.pass(process_);
    if (fault != Fault::none && fault != Fault::twice) {
      return Failure{error_of(Error::Code::store_unavailable)};
    }
    return act();
  }

  Surroundings& world_;
  const std::size_t process_;
  std::map<IdBody, Issued> seen_;
};

}  // namespace tessera::registry_sim
