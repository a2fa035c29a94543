// The file to begin with. A test parses it, and finds every key of the table in it.

#include "tessera/config/config.h"

namespace tessera {

std::string_view default_config_yaml() noexcept {
  return R"yaml(# tessera.yaml: what this installation of tessera knows and where it keeps it.
# Every key may be left out; what is shown here is what then holds.

# Hand out new IDs. If false, tessera only reads, checks and converts them.
enabled: true

# How many keys a scope draws from the store at once. What a crashed process had not yet handed
# out is a gap, never a repeat.
segment:
  step: 1000

# What stands between the prefix and the body of a public ID.
public-id:
  separator: "_"

# Where segments, leases and the registry are kept: sqlite:FILE, postgresql://..., mariadb://...,
# etcd://..., http://... (another tessera) or memory: (for tests: it forgets).
store: sqlite:tessera.db

# Who may ask. Without tokens every listener must be on this machine. A listener can be off.
listen:
  public: 127.0.0.1:8420
  internal: 127.0.0.1:8421
  redis: 127.0.0.1:8422
# tokens: tokens.yaml

# The key of short IDs: 64 hex digits in a file that only tessera can read. It is for ever: under
# another key the same IDs would come again.
# short:
#   key-file: short.key

# The resource types: what each public ID stands for. Only the prefix is required.
#
#   order:
#     prefix: ord          what its public IDs begin with: ord_01J9ZQ4V7M8N2P5R6S7T8V9W0X
#     style: ulid          or typeid, base36, checked
#     separator: "_"       or - . : ~
#     scope: ORDER         where its 64-bit keys come from
#     parent: store        it belongs to a store, and ends with it
#     storage: text        or bytes, integer
#     tombstone: soft      or exact: only that the ID was used
#     alias: false         whether an alias may stand where its ID could
#     undelete-days: 0     for how long a deleted one can be brought back
#     collection: orders   its part of resource names; without it, its name and an s
#     key-days: 1          for how long an idempotency key holds
#     capacity: 1000000    of the filter that says "never issued" from memory
#     false-positives: 0.01
types:
  tenant: {prefix: tnt, scope: TENANT, collection: accounts}
  store: {prefix: sto, scope: STORE}
  order: {prefix: ord, scope: ORDER}
  product: {prefix: prd, scope: PRODUCT, parent: store}
  sku: {prefix: sku, scope: SKU, parent: product}
  user: {prefix: usr, scope: USER}
  payment: {prefix: pay, scope: PAYMENT}

# The scopes: series of 64-bit keys, which never leave through the public listener.
#
#   ORDER:
#     min: 1                      shards and regions get ranges that do not overlap
#     max: 9223372036854775807
#     step: 1000
#     order: process              or strict: increasing across all processes
#     js-safe: false              if true, keys stay below 2^53
#
#   VOUCHER:
#     bits: 40                    a scope of short IDs: 8 characters and a check symbol
scopes:
  TENANT: {}
  STORE: {}
  ORDER: {}
  PRODUCT: {}
  SKU: {}
  USER: {}
  PAYMENT: {}
  INVENTORY_RECORD: {}

# Snowflakes that the service makes beside those of the layouts that everybody knows (twitter,
# discord, js53 and so on, which need no line here): a name, and where time, machine and sequence
# stand. Only what stands here is made.
#
#   TICKET:
#     layout: 1700000000000/10/t40.s8.m8    from 2023-11-14, in steps of 10 ms
snowflakes: {}
)yaml";
}

}  // namespace tessera
