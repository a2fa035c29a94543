// Any answer of a server that is none of ours: an error or a value, and nothing else.

#include "client/answer.h"
#include "support/fakes.h"
#include "support/fuzz.h"
#include "tessera/client/http_lease_store.h"
#include "tessera/client/http_registry.h"
#include "tessera/client/http_segment_store.h"

namespace tessera {
namespace {

// Gives the same answer to every call.
class Parrot final : public HttpClient {
 public:
  explicit Parrot(HttpAnswer answer) : answer_(std::move(answer)) {}
  Result<HttpAnswer, Error> ask(const HttpCall&) override { return answer_; }
  const std::string& url() const noexcept override { return url_; }

 private:
  HttpAnswer answer_;
  std::string url_ = "http://parrot";
};

const RegistryTypes& types() {
  static const RegistryTypes made = [] {
    TypeTable table;
    fuzz::require(static_cast<bool>(table.add({"store", "st"})));
    return std::move(
        *RegistryTypes::make(table, {{.name = "store", .collection = "stores", .scope = "STORE"}}));
  }();
  return made;
}

bool is_printable(const std::string& text) {
  for (const char c : text) {
    if (c >= 0 && c < 0x20) return false;
  }
  return true;
}

template <class Value>
void look_at(const Result<Value, Error>& result) {
  if (result) return;
  fuzz::require(is_printable(result.error().message) && is_printable(result.error().hint));
}

}  // namespace
}  // namespace tessera

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  if (size < 2) return 0;
  const HttpAnswer answer{.status = 100 + (data[0] << 1 | (data[1] & 1)) % 500,
                          .body = std::string(fuzz::as_text(data + 2, size - 2))};
  (void)advice_of(answer);
  const auto client = std::make_shared<Parrot>(answer);
  SeededEntropy entropy(1);
  HttpSegmentStore store(client, entropy);
  HttpRegistry registry(client, types(), entropy);
  const auto drawn = store.draw({.scope = "ORDER", .count = 10});
  fuzz::require(!drawn || drawn->segment.size() == 10);
  look_at(drawn);
  const auto state = store.find("ORDER");
  fuzz::require(!state || !fault_of(state->scope));
  look_at(state);
  look_at(store.list());
  look_at(store.ranges("ORDER", 10));
  look_at(store.keep_fingerprint("ORDER", "a"));
  HttpLeaseStore leases(client);
  const auto lease = leases.claim({.scope = "ORDER", .layout = "x", .machine_max = 9});
  fuzz::require(!lease || (lease->machine <= 9 && lease->token > 0));
  look_at(lease);
  const auto raised = leases.raise({.scope = "ORDER", .machine = 1, .token = 1});
  fuzz::require(!raised || raised->ttl == LeaseTerms{}.ttl);
  look_at(raised);
  look_at(leases.release({.scope = "ORDER", .machine = 1, .token = 1}));
  look_at(leases.list_all(""));
  look_at(registry.look_up("acme", "st_01M0MBZ8ZEKMQP3G3V2KM579HW"));
  look_at(registry.resolve("acme", "st_01M0MBZ8ZEKMQP3G3V2KM579HW"));
  look_at(registry.create_many("acme", "store", 2));
  look_at(registry.list("acme", "store"));
  return 0;
}
