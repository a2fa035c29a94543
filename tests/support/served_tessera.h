#pragma once

// A service in this process, on a port of this machine: scopes of a store, and the registry of a
// shop in memory.
//
//   ServedTessera served(memory_store());
//   HttpClient::open(served.url());
//
// Everything is on the internal listener. Its clocks are those of the shop.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/registry_fixture.h"
#include "tessera/segment/id_service.h"
#include "tessera/service/service.h"
#include "tessera/store/store.h"
#include "tessera/system.h"

namespace tessera {

inline std::shared_ptr<SegmentPorts> memory_store() { return std::move(*open_store("memory:")); }

class ServedTessera {
 public:
  // Of a whole store the machine numbers, too.
  explicit ServedTessera(const std::shared_ptr<Store>& store)
      : ServedTessera(store, {}, {store, &store->leases()}) {}
  explicit ServedTessera(std::shared_ptr<SegmentPorts> store, service::TlsFiles tls = {},
                         std::shared_ptr<LeaseStore> leases = {})
      : store_(std::move(store)),
        leases_(std::move(leases)),
        log_file_(std::tmpfile()),
        log_(::fileno(log_file_), service::Log::Level::debug, clock_) {
    ids_ = std::move(*IdService::make({}, store_->segments(), clock_, monotonic_));
    on_.ids = ids_.get();
    on_.registry = &shop.registry;
    on_.segments = &store_->segments();
    on_.scopes = &store_->scopes();
    on_.leases = leases_.get();
    on_.clock = &clock_;
    on_.monotonic = &monotonic_;
    service::ServiceOptions options;
    options.listens.push_back({.host = "127.0.0.1", .internal = true});
    options.tls = std::move(tls);
    options.threads = 1;
    auto service =
        service::Service::start(options, std::make_shared<service::Installation>(on_), log_);
    EXPECT_TRUE(service) << service.error().message;
    service_ = *std::move(service);
    tls_ = !options.tls.certificate.empty();
  }
  ~ServedTessera() {
    service_->stop(std::chrono::seconds(5));
    service_.reset();
    std::fclose(log_file_);
  }
  ServedTessera(const ServedTessera&) = delete;
  ServedTessera& operator=(const ServedTessera&) = delete;

  std::uint16_t port() const { return service_->addresses()[0].port; }
  std::string url() const {
    return (tls_ ? "https://localhost:" : "http://127.0.0.1:") + std::to_string(port()) + "/";
  }
  SegmentPorts& store() { return *store_; }

  // From now on only with this one; its text is the answer.
  std::string ask_for_token(service::Token wanted) {
    auto made = service::make_token(std::move(wanted), clock_, entropy_);
    EXPECT_TRUE(made) << made.error().message;
    auto table = service::TokenTable::make({made->token});
    EXPECT_TRUE(table) << table.error().message;
    on_.tokens = std::make_shared<const service::TokenTable>(*std::move(table));
    EXPECT_FALSE(service_->reload(std::make_shared<service::Installation>(on_)));
    return made->text;
  }

  Shop shop;

 private:
  SystemClock clock_;
  SystemMonotonicClock monotonic_;
  SystemEntropy entropy_;
  std::shared_ptr<SegmentPorts> store_;
  std::shared_ptr<LeaseStore> leases_;
  std::FILE* log_file_;
  service::Log log_;
  std::unique_ptr<IdService> ids_;
  service::Installation on_;
  std::unique_ptr<service::Service> service_;
  bool tls_ = false;
};

}  // namespace tessera
