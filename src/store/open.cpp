// Chooses the store of a URL.

#include "store/etcd_store.h"
#include "store/memory.h"
#include "store/registry_schema.h"
#include "store/schema.h"
#include "store/sql_store.h"
#include "tessera/db/url.h"
#include "tessera/store/store.h"

namespace tessera {

Result<std::unique_ptr<Store>, Error> open_store(std::string_view text,
                                                 const OpenOptions& options) {
  const auto url = db::parse_url(text);
  if (!url) return Failure{url.error()};
  if (auto fault = fault_of_table(options.table)) return Failure{*fault};
  if (url->scheme == db::Url::Scheme::memory) return make_memory_store();
  if (is_etcd(*url)) return open_etcd_store(*url, options);
  return open_sql_store(*url, options);
}

Result<SchemaStatus, Error> init_store(std::string_view text, const OpenOptions& options) {
  const auto url = db::parse_url(text);
  if (!url) return Failure{url.error()};
  if (auto fault = fault_of_table(options.table)) return Failure{*fault};
  if (url->scheme == db::Url::Scheme::memory) return SchemaStatus{kSchemaNewest, kSchemaNewest};
  if (is_etcd(*url)) return init_etcd_store(*url, options);
  auto connection = open_checked(*url, options, options.connect_timeout, true);
  if (!connection) return Failure{connection.error()};
  return bring_up_to_date(**connection, make_dialect((*connection)->engine(), options.table));
}

Result<SchemaStatus, Error> init_registry(std::string_view text, const RegistryTypes& types,
                                          const OpenOptions& options) {
  const auto url = db::parse_url(text);
  if (!url) return Failure{url.error()};
  if (auto fault = fault_of_registry_table(options.registry_table)) return Failure{*fault};
  if (url->scheme == db::Url::Scheme::memory) {
    return SchemaStatus{kRegistryNewest, kRegistryNewest};
  }
  if (is_etcd(*url)) return Failure{no_registry_on_etcd()};
  auto connection = open_checked(*url, options, options.connect_timeout, true);
  if (!connection) return Failure{connection.error()};
  return make_registry(**connection, {(*connection)->engine(), options.registry_table}, types);
}

}  // namespace tessera
