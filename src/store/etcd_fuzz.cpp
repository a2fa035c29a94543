// Any answer of a server that is no etcd, and any value that somebody has written into the store:
// an error or something that makes sense, and nothing else.

#include "store/etcd_records.h"
#include "store/etcd_wire.h"
#include "support/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  using fuzz::require;
  const auto text = fuzz::as_text(data, size);

  require(etcd::from_base64(etcd::base64(text)) == std::string(text));
  if (const auto bytes = etcd::from_base64(text)) require(etcd::base64(*bytes) == text);

  if (const auto json = Json::parse(text)) {
    etcd::Txn txn;
    txn.if_absent({"a"}).put("a", "b").otherwise_get({"a"}).otherwise_get({"b"});
    if (const auto answer = etcd::read_answer(*json, txn)) {
      require(answer->found.size() == txn.steps(answer->succeeded) && answer->revision > 0);
      for (const auto& found : answer->found) {
        for (const auto& entry : found) require(entry.mod_revision >= entry.create_revision);
      }
    }
  }
  if (const auto kept = etcd::read_scope("ORDER", text)) {
    require(!fault_of(kept->state.scope));
    require(kept->state.high_water >= kept->state.scope.min - 1);
    require(kept->state.high_water <= kept->state.scope.max);
    const auto again = etcd::read_scope("ORDER", etcd::written(*kept));
    require(again && again->state == kept->state);
  }
  if (const auto kept = etcd::read_range("ORDER", text)) {
    require(kept->record.segment.first < kept->record.segment.end);
    const auto again = etcd::read_range("ORDER", etcd::written(*kept));
    require(again && again->record.segment == kept->record.segment);
  }
  return 0;
}
