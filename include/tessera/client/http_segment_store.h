#pragma once

// HttpSegmentStore: the scopes of another Tessera, by its internal listener.
//
// A draw without a key gets one from us, so that it happens once, however often its answer is lost.
// In the range log of the other side that key is seen; here it is left out.
//
// Thread-safe.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tessera/client/http_client.h"
#include "tessera/segment/store.h"
#include "tessera/source.h"

namespace tessera {

class HttpSegmentStore final : public SegmentPorts, public SegmentStore, public ScopeCatalogue {
 public:
  // One answer of the range log has no more than these; so has ranges().
  static constexpr std::size_t kRangesMax = 10'000;

  // `entropy` must outlive it.
  HttpSegmentStore(std::shared_ptr<HttpClient> client, Entropy& entropy)
      : client_(std::move(client)), entropy_(entropy) {}

  SegmentStore& segments() override { return *this; }
  ScopeCatalogue& scopes() override { return *this; }

  Result<Draw, Error> draw(const DrawRequest& request) override;
  Result<ScopeState, Error> find(std::string_view scope) override;

  Result<std::vector<ScopeState>, Error> list() override;
  Result<ScopeState, Error> create(const Scope& scope) override;
  Result<ScopeState, Error> set_step(std::string_view scope, std::int64_t step) override;
  Result<ScopeState, Error> advance(std::string_view scope, std::int64_t high_water) override;
  Result<std::string, Error> keep_fingerprint(std::string_view scope,
                                              std::string_view fingerprint) override;
  Result<std::optional<RangeRecord>, Error> range_of(std::string_view scope,
                                                     std::int64_t number) override;
  Result<std::vector<RangeRecord>, Error> ranges(std::string_view scope,
                                                 std::size_t count_max) override;

 private:
  Result<ScopeState, Error> ask_for_state(const HttpCall& call);
  Result<std::vector<RangeRecord>, Error> ask_for_ranges(std::string_view scope,
                                                         const std::string& query);

  std::shared_ptr<HttpClient> client_;
  Entropy& entropy_;
};

}  // namespace tessera
