#pragma once

// A store on etcd: segments, and leases of machine numbers, across a cluster.
//
//    etcd://HOST:2379,HOST:2379,HOST:2379/PREFIX      etcds:// with TLS
//
// A draw is one transaction:
//
//    if   the scope is what we last saw        its revision, and its value
//         no line of the log begins there      or the scope was set back
//         the request key is unknown
//    then write the scope with its mark lifted, the line of the log, the request key
//    else read all three
//
// etcd cannot add, so whoever finds the scope changed reads on and tries again, with what the
// refusal has told. In one process those who want the same scope wait for each other, and have
// seen it last when nobody else draws: then a draw is one round trip.
//
// There is a way without repeats: to take the version of the key, which every write lifts by one,
// as the counter. It gives equal blocks only. Here `count` is the caller's, ranges follow each
// other without a hole, the last numbers of a scope can be had to the last one, and the line of the
// log says which range it is about; with the version as the counter a range is known when it is
// committed, and the line and the request key would have to be looked up in the history of the
// store, which is compacted away. Draws are few: servers draw for a minute ahead.
//
// A transaction that came to etcd twice is done once, since the first changes what the second
// compares; and the line of the log says whose it is. So an answer that was lost is asked for again
// at the next member, and only when none answers before the deadline is the outcome unknown.

#include <memory>

#include "tessera/db/url.h"
#include "tessera/store/store.h"

namespace tessera {

bool is_etcd(const db::Url& url) noexcept;

// Asks once, and fails if that does not go well.
Result<std::unique_ptr<Store>, Error> open_etcd_store(const db::Url& url,
                                                      const OpenOptions& options);
Result<SchemaStatus, Error> init_etcd_store(const db::Url& url, const OpenOptions& options);

// Why there is no registry.
Error no_registry_on_etcd();

}  // namespace tessera
