// Any key and any value that somebody has written where machine numbers are, and any answer about a
// lease: nothing, or something that makes sense.

#include "store/etcd_lease_records.h"
#include "support/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  using fuzz::require;
  const auto text = fuzz::as_text(data, size);

  if (const auto name = etcd::LeaseName::parse(text)) {
    require(name->text() == text);
    const auto all = etcd::LeaseNames::of(name->scope);
    require(all.first < text && text < all.end);
    const auto one = etcd::LeaseNames::of(name->scope, name->machine, name->machine);
    require(one.first == text && text < one.end);
  }
  if (const auto kept = etcd::read_lease(7, text)) {
    require(kept->row.machine == 7 && kept->row.token > 0 && kept->row.holder.size() <= 128);
    require(free_from_ms(kept->row) >= kept->row.ts_limit_ms);
    require(etcd::read_lease(7, etcd::written(*kept)) == kept);
  }
  if (const auto json = Json::parse(text)) {
    for (const auto& grant : {etcd::read_grant(*json), etcd::read_keepalive(*json)}) {
      require(!grant || (grant->id > 0 && grant->ttl_s >= 0));
    }
  }
  return 0;
}
