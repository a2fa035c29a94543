"""What a report tells: the claims with their targets, and the pictures of each area.

A claim is a row of ours beside a named peer. `target` is how many times as fast we must be at least: 0.85 is at least 85 %
of the peer's rate, 5 is a fifth of its time; without one it is only told who is ahead. `scale` and `plus` turn the peer's
figure into the limit that was set: a floor is one of 16 bytes, or one compare-and-exchange and 5 ns.
"""
import dataclasses

import compare
from compare import Ratio, quantity, times_as_fast, verdict


@dataclasses.dataclass
class Claim:
    area: str
    text: str
    suite: str
    case: str
    ours: str
    peer: str            # who, in the rows; empty: the limit is `plus`, in the unit of the row
    named: str           # as people know it; {postgres} is a version
    target: float = None
    peer_case: str = ""  # if it is not the same
    at: int = 0          # on the axis; -1: the last there is
    scale: float = 1
    plus: float = 0
    shown: bool = False  # among the figures at the top
    size: int = 0        # the target is for tables as large; a smaller one is told without it
    optional: bool = False     # the peer is one that few have: no word of it where it was not measured
    stands_in_for: str = ""    # that row of the suite; left out where it was measured


@dataclasses.dataclass
class Result:
    area: str
    text: str
    peer: str
    target: float
    shown: bool
    ours_text: str = ""
    peer_text: str = ""
    ratio: Ratio = None
    verdict: str = "not measured"

    @property
    def is_unsure(self):
        """Whether some round says otherwise."""
        return self.ratio is not None and self.verdict != "beside a floor" and self.ratio.low < (self.target or 1) <= self.ratio.high


MAKING, READING, NUMBERS, REGISTRY, SERVICE = "Making IDs", "Text", "Numbers", "Registry", "Service"
POSTGRES, MARIADB, SQLITE, MIGRATE, PROGRAM, NODE = "PostgreSQL", "MariaDB", "SQLite", "Migration", "Command line", "JavaScript"

# Debian has no Boost with vectors for UUID text. That one (9c5f195, 119 commits after 1.90) was measured beside libuuid 2.38.1 in a run
# of its own, both compiled for every x86-64: 2.85 and 18.4 ns to text, 6.49 and 263 ns from text. Of this run's libuuid the same share
# is taken, unless it takes part itself (bench/README.md says how): shares differ by processor; on a newer one they are nearer to a
# quarter and to a fortieth. For one kind of processor alone (-march=native) it was 1.54 of 19.0 and 3.21 of 267.
BOOST_OF_LIBUUID = {"format": 2.85 / 18.4, "parse": 6.49 / 263}

CLAIMS = [
    Claim(MAKING, "UUIDv4, one call", "core", "uuidv4/generate", "tessera", "boost_random_generator_mt19937",
          "Boost {boost} mt19937 (no secrecy)", 1),
    Claim(MAKING, "UUIDv4, one call", "core", "uuidv4/generate", "tessera", "libuuid_generate_random", "libuuid {libuuid}", shown=True),
    Claim(MAKING, "UUIDv4, one call", "core", "uuidv4/generate", "tessera", "tessera", "16 of our own random bytes, in bulk",
          1 / 3, "entropy/4096_bytes", scale=1 / 256),
    Claim(MAKING, "UUIDv4, 1,024 at a time", "core", "uuidv4/generate", "tessera_batch", "tessera", "16 of our own random bytes, in bulk",
          1 / 1.5, "entropy/4096_bytes", scale=1 / 256),
    Claim(MAKING, "UUIDv7, one call, in order", "core", "uuidv7/generate", "tessera", "rdtsc", "a bare rdtsc", 1 / 1.35, "floor/clock"),
    Claim(MAKING, "UUIDv7, one call, in order", "core", "uuidv7/generate", "tessera", "openssl_by_hand", "OpenSSL {openssl} by hand (no order)"),
    Claim(MAKING, "ULID, one call, in order", "core", "ulid/generate", "tessera", "rdtsc", "a bare rdtsc", 1 / 1.35, "floor/clock"),
    Claim(MAKING, "ULID, 1,024 at a time", "core", "ulid/generate", "tessera_batch", "memcpy", "copying 16 bytes", 1, "floor/copy_16_bytes"),
    Claim(MAKING, "UUIDv7, 1,024 at a time", "core", "uuidv7/generate", "tessera_batch", "memcpy", "copying 16 bytes", 1 / 3, "floor/copy_16_bytes"),
    Claim(MAKING, "ULID, two threads, one order", "core", "ulid/generate", "tessera", "compare_exchange", "a contended compare-exchange + 5 ns",
          1, "floor/shared_counter", at=2, plus=5),
    Claim(MAKING, "Snowflake, one call", "core", "snowflake/generate", "tessera", "rdtsc", "a bare rdtsc", 1 / 1.35, "floor/clock"),
    Claim(MAKING, "ObjectId, one call", "core", "objectid/generate", "tessera", "rdtsc", "a bare rdtsc", 1 / 1.35, "floor/clock"),
    Claim(MAKING, "ObjectId, one call", "core", "objectid/generate", "tessera", "libbson_default", "libbson {libbson}", 1),
    Claim(READING, "UUID to text", "core", "uuid/format", "tessera", "boost_to_chars", "Boost {boost} to_chars", 1 / 0.8, shown=True),
    Claim(READING, "UUID to text", "core", "uuid/format", "tessera", "libuuid_unparse_lower", "Boost 1.90 to_chars, as a share of libuuid {libuuid}",
          1 / 0.8, scale=BOOST_OF_LIBUUID["format"], stands_in_for="boost_from_chars"),
    Claim(READING, "UUID from text, every character checked", "core", "uuid/parse", "tessera", "libuuid_parse", "libuuid {libuuid}", 1 / 0.7),
    Claim(READING, "UUID from text, every character checked", "core", "uuid/parse", "tessera", "boost_string_generator",
          "Boost {boost} string_generator", 1 / 0.7),
    Claim(READING, "UUID from text, every character checked", "core", "uuid/parse", "tessera", "libuuid_parse",
          "Boost 1.90 from_chars, as a share of libuuid {libuuid}", 1 / 0.7, scale=BOOST_OF_LIBUUID["parse"],
          stands_in_for="boost_from_chars"),
    Claim(READING, "UUID from text, every character checked", "core", "uuid/parse", "tessera", "boost_from_chars",
          "Boost {boost} from_chars", 1 / 0.7, optional=True),
    Claim(READING, "base36 to text", "core", "base36/format", "tessera", "", "a limit of 10 ns", 1, plus=10),
    Claim(READING, "base62 to text", "core", "base62/format", "tessera", "", "a limit of 10 ns", 1, plus=10),
    Claim(READING, "base36 from text", "core", "base36/parse", "tessera", "", "a limit of 10 ns", 1, plus=10),
    Claim(READING, "base62 from text", "core", "base62/parse", "tessera", "", "a limit of 10 ns", 1, plus=10),
    Claim(READING, "check symbol of 128 bits", "core", "check/one_of_128_bits", "tessera", "", "a limit of 10 ns", 1, plus=10),
    Claim(NUMBERS, "number from memory, one thread", "segments", "long/generate", "tessera", "fetch_add", "one fetch_add", 1 / 1.5),
    Claim(NUMBERS, "number from memory, two threads", "segments", "long/generate", "tessera", "fetch_add", "one fetch_add", 1 / 1.5, at=2),
    Claim(NUMBERS, "number of a slice, one thread", "segments", "long/generate", "tessera_slice", "", "a limit of 1 ns", 1, plus=1),
    Claim(NUMBERS, "number of a slice, two threads", "segments", "long/generate", "tessera_slice", "", "a limit of 1 ns", 1, at=2, plus=1),
    Claim(NUMBERS, "durable numbers, drawn ahead, PostgreSQL", "numbers", "long/issue", "tessera_postgres", "postgres_cache_1000",
          "PostgreSQL {postgres} sequence, CACHE 1000", shown=True),
    Claim(NUMBERS, "durable numbers, drawn ahead, MariaDB", "numbers", "long/issue", "tessera_mariadb", "mariadb_cache_1000",
          "MariaDB {mariadb} sequence, CACHE 1000"),
    Claim(NUMBERS, "durable numbers, drawn ahead, SQLite", "numbers", "long/issue", "tessera_sqlite", "redis_incr_everysec",
          "Redis {redis} INCR (may lose a second)"),
    Claim(NUMBERS, "a segment drawn from etcd", "numbers", "etcd/draw", "tessera", "put", "one put, etcd {etcd}"),
    Claim(REGISTRY, "create, SQLite", "registry", "sqlite/registry_create", "tessera", "by_hand", "the INSERT by hand", 0.7),
    Claim(REGISTRY, "create, PostgreSQL", "registry", "postgres/registry_create", "tessera", "by_hand", "the INSERT by hand", 0.7),
    Claim(REGISTRY, "create, MariaDB", "registry", "mariadb/registry_create", "tessera", "by_hand", "the INSERT by hand", 0.7),
    Claim(REGISTRY, "create 100, SQLite", "registry", "sqlite/registry_create_100", "tessera", "by_hand", "the INSERT by hand", 0.7),
    Claim(REGISTRY, "create 100, PostgreSQL", "registry", "postgres/registry_create_100", "tessera", "by_hand", "the INSERT by hand", 0.7),
    Claim(REGISTRY, "create 100, MariaDB", "registry", "mariadb/registry_create_100", "tessera", "by_hand", "the INSERT by hand", 0.7),
    Claim(REGISTRY, "look up, SQLite", "registry", "sqlite/registry_look_up", "tessera", "by_hand", "the SELECT by key", 0.8),
    Claim(REGISTRY, "look up, PostgreSQL", "registry", "postgres/registry_look_up", "tessera", "by_hand", "the SELECT by key", 0.8),
    Claim(REGISTRY, "look up, MariaDB", "registry", "mariadb/registry_look_up", "tessera", "by_hand", "the SELECT by key", 0.8),
    Claim(REGISTRY, "“never issued”, PostgreSQL", "registry", "postgres/registry_never_issued", "tessera", "by_hand", "without the filter", 50),
    Claim(REGISTRY, "“never issued”, SQLite", "registry", "sqlite/registry_never_issued", "tessera", "by_hand", "without the filter", 50),
    Claim(SERVICE, "HTTP, keep-alive, one new ULID", "service", "keep-alive", "tessera", "nginx", "nginx {nginx} return 200", 0.85, shown=True),
    Claim(SERVICE, "HTTP, 16 requests at a time", "service", "pipelined", "tessera", "nginx", "nginx {nginx} return 200", 5),
    Claim(SERVICE, "INCR, durable against repeats", "service", "incr", "tessera", "redis", "Redis {redis}, everysec", 0.9, shown=True),
    Claim(SERVICE, "INCR, 16 at a time", "service", "incr -P 16", "tessera", "redis", "Redis {redis}, everysec", 1),
    Claim(SERVICE, "a million ULIDs in one answer", "service", "stream", "tessera", "nginx_file", "nginx {nginx}, a file", 0.5),
    Claim(POSTGRES, "tessera_ulid()", "postgres", "generate", "tessera_ulid()", "gen_random_uuid()", "gen_random_uuid(), {postgres}", 5, shown=True),
    Claim(POSTGRES, "tessera_ulid()", "postgres", "generate", "tessera_ulid()", "probe_uuid()", "a C function that does nothing", 0.8),
    Claim(POSTGRES, "tessera_ulid(), for the article's SQL", "postgres", "generate", "tessera_ulid()", "generate_ulid() of the article",
          "generate_ulid() of the article"),
    Claim(POSTGRES, "one order for all: …_ordered()", "postgres", "generate", "tessera_ulid_ordered()", "gen_random_uuid()",
          "gen_random_uuid(), {postgres}", 1 / 0.22),
    Claim(POSTGRES, "one order, 8 connections", "postgres", "connections", "tessera_ulid_ordered()", "gen_random_uuid()",
          "gen_random_uuid(), {postgres}", 5, at=8),
    Claim(POSTGRES, "rows inserted", "postgres", "insert", "tessera_ulid()", "gen_random_uuid()", "gen_random_uuid(), {postgres}", 2.5, at=-1, size=1_000_000),
    Claim(POSTGRES, "size of the index", "postgres", "insert_index", "tessera_ulid()", "gen_random_uuid()", "gen_random_uuid(), {postgres}", 1.25, at=-1, size=1_000_000),
    Claim(POSTGRES, "size of the index, full pages", "postgres", "insert_index", "tessera_ulid(), fillfactor 100", "gen_random_uuid()",
          "gen_random_uuid(), {postgres}", 1.25, at=-1, size=1_000_000),
    Claim(POSTGRES, "plain SQL, UUIDv7", "plain_sql", "call", "tessera_uuid7()", "gen_random_uuid()", "gen_random_uuid(), {postgres}", 1 / 1.7),
    Claim(MARIADB, "tessera_ulid_bytes()", "mariadb", "call", "tessera_ulid_bytes()", "UUID()", "UUID(), {mariadb}", 1 / 0.92),
    Claim(MARIADB, "tessera_ulid(), as text", "mariadb", "call", "tessera_ulid()", "UUID()", "UUID(), {mariadb}", 1 / 0.92),
    Claim(MARIADB, "rows inserted", "mariadb", "insert", "tessera_ulid_bytes()", "UUID() as uuid", "UUID() as uuid, {mariadb}", 1 / 1.1, at=-1, size=1_000_000),
    Claim(SQLITE, "tessera_ulid_bytes()", "sqlite", "call", "tessera_ulid_bytes()", "randomblob(16)", "randomblob(16), {sqlite}", 1 / 0.45),
    Claim(SQLITE, "tessera_ulid(), as text", "sqlite", "call", "tessera_ulid()", "randomblob(16)", "randomblob(16), {sqlite}", 1 / 0.74),
    Claim(SQLITE, "rows inserted", "sqlite", "insert", "tessera_ulid_bytes()", "randomblob(16)", "randomblob(16), {sqlite}", 1 / 0.11, at=-1, size=1_000_000, shown=True),
    Claim(MIGRATE, "backfill with --fast, PostgreSQL", "migrate", "PostgreSQL/backfill", "tessera_fast", "plain_update", "UPDATE in batches of 10,000 rows", 1, at=-1, shown=True),
    Claim(MIGRATE, "backfill with --fast, MariaDB", "migrate", "MariaDB/backfill", "tessera_fast", "plain_update", "UPDATE in batches of 10,000 rows", 1, at=-1),
    Claim(MIGRATE, "backfill by default, PostgreSQL", "migrate", "PostgreSQL/backfill", "tessera", "plain_update_small", "UPDATE in batches as small", 1, at=-1,
          size=100_000),
    Claim(MIGRATE, "backfill by default, PostgreSQL", "migrate", "PostgreSQL/backfill", "tessera", "plain_update", "UPDATE in batches of 10,000 rows", at=-1),
    Claim(MIGRATE, "backfill by default, MariaDB", "migrate", "MariaDB/backfill", "tessera", "plain_update_small", "UPDATE in batches as small", 1, at=-1,
          size=100_000),
    Claim(MIGRATE, "backfill by default, MariaDB", "migrate", "MariaDB/backfill", "tessera", "plain_update", "UPDATE in batches of 10,000 rows", at=-1),
    Claim(MIGRATE, "clients' p99 meanwhile, by default, PostgreSQL", "migrate", "PostgreSQL/p99", "tessera", "idle", "idle p99", 0.5, at=-1),
    Claim(MIGRATE, "clients' p99 meanwhile, by default, MariaDB", "migrate", "MariaDB/p99", "tessera", "idle", "idle p99", 0.5, at=-1),
    Claim(MIGRATE, "growth, 16 bytes, by default, PostgreSQL", "migrate", "PostgreSQL/growth_bytes", "tessera", "", "a limit of 20 %", 1, at=-1, plus=20,
          size=100_000),
    Claim(MIGRATE, "growth, 16 bytes, by default, MariaDB", "migrate", "MariaDB/growth_bytes", "tessera", "", "a limit of 20 %", 1, at=-1, plus=20,
          size=100_000),
    Claim(MIGRATE, "growth, text, by default, PostgreSQL", "migrate", "PostgreSQL/growth", "tessera", "plain_update", "UPDATE in batches", 4, at=-1,
          size=100_000),
    Claim(PROGRAM, "new ulid, into a pipe", "cli", "stream/ulid", "tessera", "yes", "yes, lines as long", 0.5),
    Claim(PROGRAM, "from start to end", "cli", "start", "tessera", "uuidgen", "uuidgen {uuidgen}", 1 / 1.3, shown=True),
    Claim(NODE, "ULIDs, 10,000 by the wasm module", "node", "ulid", "tessera_wasm", "npm_ulid_monotonic", "npm ulid {npm ulid}, monotonic", shown=True),
    Claim(NODE, "one ULID by a fresh instance of the console’s module", "node", "ulid", "tessera_wasm_one", "npm_ulid_monotonic", "npm ulid {npm ulid}, monotonic"),
    Claim(NODE, "UUIDv7s, 10,000 by the wasm module", "node", "uuidv7", "tessera_wasm", "npm_uuid_v7", "npm uuid {npm uuid} v7()"),
    Claim(NODE, "UUIDv4s, 10,000 by the wasm module", "node", "uuidv4", "tessera_wasm", "node_randomUUID", "node {node} randomUUID()"),
    Claim(NODE, "random IDs, 10,000 by the wasm module", "node", "random", "tessera_wasm", "npm_nanoid", "npm nanoid {npm nanoid}"),
    Claim(NODE, "TypeIDs, 10,000 by the wasm module", "node", "typeid", "tessera_wasm", "npm_typeid-js", "npm typeid-js {npm typeid-js}"),
]


class Versions(dict):
    def __missing__(self, name):
        return "(version unknown)"


def find(series, suite, case, who, at):
    """The series at that place; with -1, at the last."""
    found = [one for one in series if (one.suite, one.case, one.who) == (suite, case, who)]
    if at == -1:
        return max(found, key=lambda one: one.at, default=None)
    return next((one for one in found if one.place[3] == at), None)


def result_of(claim, series, versions):
    result = Result(claim.area, claim.text, claim.named.format_map(Versions(versions)), claim.target, claim.shown)
    ours = find(series, claim.suite, claim.case, claim.ours, claim.at)
    if ours is None:
        return result
    if claim.at == -1:
        result.text += f", {ours.at:,} {ours.axis}"
    if ours.at < claim.size:
        result.target = None
    if claim.peer:
        peer = find(series, claim.suite, claim.peer_case or claim.case, claim.peer, claim.at)
        if peer is None or peer.unit != ours.unit:
            return result
        limit = peer.median * claim.scale + claim.plus
    else:
        peer = dataclasses.replace(ours, values=[claim.plus] * len(ours.values))
        limit = claim.plus
    result.ratio = times_as_fast(ours, peer, claim.scale, claim.plus) if claim.peer else times_as_fast(ours, peer)
    if result.ratio is None:
        return result
    result.ours_text, result.peer_text = quantity(ours.median, ours.unit), quantity(limit, ours.unit)
    # Nobody can be below a floor: without a target it is told how far above we are, and that is no loss.
    is_floor = peer.role == "floor" and result.target is None
    result.verdict = "beside a floor" if is_floor else verdict(result.ratio, result.target)
    return result


def results(series, versions):
    """Of all claims of the suites that ran. What such a suite did not measure stays in, without a figure."""
    ran = {one.suite for one in series}
    measured = {(one.suite, one.who) for one in series}
    return [result_of(claim, series, versions) for claim in CLAIMS
            if claim.suite in ran
            and not (claim.optional and (claim.suite, claim.peer) not in measured)
            and (claim.suite, claim.stands_in_for) not in measured]


def about_load(machine):
    """Whether the figures are those of a quiet machine."""
    busy, failed = machine["busy_before"], [name for name, suite in machine["suites"].items() if suite["failed"]]
    words = (f"Other work ran at the same time: {busy:.0%} of the processors were busy before the run began." if busy > 0.1 else
             f"The machine was quiet before the run began: {busy:.0%} busy.")
    if machine["mode"] == "smoke":
        words = "A smoke run: its figures mean nothing. " + words
    if machine["left_out"]:
        words += f" Too busy for a figure, and left out: {', '.join(machine['left_out'])}."
    return words + (f" Suites that failed, and are not in it: {', '.join(failed)}." if failed else "")
