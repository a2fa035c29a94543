"""Which pictures a report has: for each area bars, and curves of cost against size.

Only what a run measured is drawn. A curve says what it must cost: what no way of doing it could save.
"""
import dataclasses

from story import MAKING, MARIADB, MIGRATE, NODE, NUMBERS, POSTGRES, PROGRAM, READING, REGISTRY, SERVICE, SQLITE


@dataclasses.dataclass
class Bars:
    area: str
    title: str
    suite: str
    cases: list          # several: each `who` is named with its case
    note: str = ""
    log: bool = False
    only: tuple = ()     # these of `who`, if not all
    at: int = 0          # on the axis; -1: the last there is


@dataclasses.dataclass
class Curves:
    area: str
    title: str
    suite: str
    cases: list
    axis: str
    note: str
    log_x: bool = True
    log_y: bool = False
    only: tuple = ()


PICTURES = [
    Bars(MAKING, "A new UUIDv4", "core", ["uuidv4/generate"], "One thread. Batch: 1,024 at a time, per ID. Boost's mt19937 can be foretold, "
         "and repeats itself in a forked child.", log=True),
    Bars(MAKING, "A new UUIDv7", "core", ["uuidv7/generate"], "Each above the one before, in the whole process; by hand there is no order "
         "within a millisecond.", log=True),
    Bars(MAKING, "A new ULID", "core", ["ulid/generate"], "No package of Debian makes ULIDs for C or C++; by hand is what a careful program does.", log=True),
    Bars(MAKING, "A new ObjectId", "core", ["objectid/generate"], "libbson with its cache of the process number repeats itself in a forked child.", log=True),
    Bars(MAKING, "16 random bytes", "core", ["entropy/16_bytes"], "", log=True),
    Bars(MAKING, "What the machine itself takes", "core", ["floor/clock", "floor/copy_16_bytes", "floor/shared_counter", "floor/system_call"],
         "The parts of an ID: nobody is faster with the same parts.", log=True),
    Curves(MAKING, "Threads: what one of them pays for a UUIDv4", "core", ["uuidv4/generate"], "threads", "Processor time. Must: flat.",
           log_x=False, log_y=True),
    Curves(MAKING, "Threads: what one of them pays for a ULID", "core", ["ulid/generate"], "threads",
           "Processor time. Must: one order for all threads costs a cache line that they share.", log_x=False, log_y=True),
    Bars(READING, "UUID to text", "core", ["uuid/format", "uuid/format_string"]),
    Bars(READING, "UUID from text, every character checked", "core", ["uuid/parse"]),
    Bars(READING, "Other texts written", "core", ["ulid/format", "hex/format", "base36/format", "base58/format", "base62/format", "crockford/format",
                                                 "ksuid/format", "objectid/format", "public_ulid/format", "public_typeid/format"], log=True),
    Bars(READING, "Other texts read", "core", ["ulid/parse", "hex/parse", "base36/parse", "base58/parse", "base62/parse", "crockford/parse",
                                               "ksuid/parse", "objectid/parse", "public_ulid/parse", "public_typeid/parse"], log=True),
    Curves(NUMBERS, "Threads: a number from memory", "segments", ["long/generate"], "threads",
           "Wall time through the numbers of all threads. Must: one fetch_add on a shared line.", log_x=False),
    Bars(NUMBERS, "A durable number", "numbers", ["long/issue"], "What one caller waits for, asking for one at a time. Every commit is "
         "on disk but Redis’ everysec.", log=True),
    Curves(NUMBERS, "Size of a segment", "numbers", ["sqlite/issue_by_step", "postgres/issue_by_step", "mariadb/issue_by_step"], "step",
           "Draws held to one size. Must: one commit through the step, down to the cost of the hand-out.", log_y=True),
    Bars(NUMBERS, "One draw from a store", "numbers", ["sqlite/draw", "postgres/draw", "mariadb/draw", "etcd/draw"],
         "Keyed: with a request key, so that a repeat gets the same range. Floors: SELECT 1; one put of etcd.", log=True),
    Curves(NUMBERS, "Scopes: a number, by the name of its scope", "segments", ["long/of_many_scopes"], "scopes",
           "Must: one look-up of the name and one fetch_add; beyond the processor’s cache, one miss each."),
    Curves(NUMBERS, "Scopes: a draw from a table of them", "numbers", ["sqlite/draw_by_scopes", "postgres/draw_by_scopes", "mariadb/draw_by_scopes"],
           "scopes", "Must: one commit; the index adds next to nothing."),
    Bars(REGISTRY, "SQLite: registered beside by hand", "registry", ["sqlite/registry_create", "sqlite/registry_create_100", "sqlite/registry_look_up"],
         "By hand: the same row, prepared, through the same library, as durable.", log=True),
    Bars(REGISTRY, "PostgreSQL: registered beside by hand", "registry",
         ["postgres/registry_create", "postgres/registry_create_100", "postgres/registry_look_up"], "Likewise.", log=True),
    Bars(REGISTRY, "MariaDB: registered beside by hand", "registry", ["mariadb/registry_create", "mariadb/registry_create_100", "mariadb/registry_look_up"],
         "Likewise.", log=True),
    Bars(REGISTRY, "“Never issued”, by the filter and by the database", "registry",
         ["sqlite/registry_never_issued", "postgres/registry_never_issued", "mariadb/registry_never_issued"], "By hand: the same question without the filter.",
         log=True),
    Curves(REGISTRY, "IDs: look-ups a second", "registry", ["sqlite/registry_growth/look_up", "postgres/registry_growth/look_up"], "ids",
           "Must: one more level of the index for each few hundred times as many."),
    Curves(REGISTRY, "IDs: creations a second, in batches", "registry", ["sqlite/registry_growth/batched", "postgres/registry_growth/batched"], "ids",
           "Must: flat; IDs that increase are put at the end of the index."),
    Curves(REGISTRY, "IDs: bytes on disk for each", "registry", ["sqlite/registry_growth/bytes_each", "postgres/registry_growth/bytes_each"], "ids",
           "Must: flat; the first pages are shared by few."),
    Curves(REGISTRY, "Tenants: a look-up", "registry", ["sqlite/look_up_by_tenants", "postgres/look_up_by_tenants", "mariadb/look_up_by_tenants"], "tenants",
           "As many IDs in all, and as many that are asked for, whatever the number of tenants. Must: flat, the tenant is part of the key."),
    Curves(REGISTRY, "Tenants: a creation", "registry", ["sqlite/create_by_tenants", "postgres/create_by_tenants", "mariadb/create_by_tenants"], "tenants",
           "Must: one commit, and a page of the index at hand for each tenant that creates."),
    Curves(REGISTRY, "IDs in the filter: a question", "registry", ["filter/refuse", "filter/find"], "ids",
           "A hash set is exact and takes some fifty bytes a key where the filter takes two. Must: one miss of the cache, when it is larger."),
    Bars(SERVICE, "HTTP: requests a second on one processor", "service", ["keep-alive", "pipelined"],
         "A new ULID in each answer; nginx says the same again and again. Pipelined: 16 requests at a time."),
    Bars(SERVICE, "Redis protocol: INCR a second", "service", ["incr", "incr -P 16"], "Ours are durable against repeats, Redis’ may be lost for a second."),
    Bars(SERVICE, "A million ULIDs in one answer", "service", ["stream"], "nginx sends a file of that size."),
    Curves(SERVICE, "Connections", "service", ["connections"], "connections", "Must: flat, once the processor is busy."),
    Bars(POSTGRES, "Made by a function", "postgres", ["generate"], "probe_uuid() is a C function that does nothing: the floor.", log=True),
    Curves(POSTGRES, "Connections: made by all together", "postgres", ["connections"], "connections",
           "Wall time through the values of all connections, on two processors. Must: fall until the processors are busy.",
           only=("gen_random_uuid()", "tessera_ulid()", "tessera_ulid_ordered()", "nextval('s')")),
    Curves(POSTGRES, "Rows: inserted with a primary key", "postgres", ["insert"], "rows",
           "Must: flat for IDs that increase; random ones write all over the index.",
           only=("gen_random_uuid()", "tessera_ulid()", "tessera_ulid_ordered()", "nextval('s')", "tessera_public_id('ord')")),
    Bars(POSTGRES, "Size of the index, for each row", "postgres", ["insert_index"], "", at=-1),
    Bars(POSTGRES, "Plain SQL, where no extension is allowed", "plain_sql", ["call"]),
    Bars(MARIADB, "Made by a function", "mariadb", ["call"], "noop_udf() does nothing: the floor."),
    Curves(MARIADB, "Rows: inserted with a primary key", "mariadb", ["insert"], "rows", "Must: flat for IDs that increase."),
    Bars(SQLITE, "Made by a function", "sqlite", ["call"], "The floor counts a column."),
    Curves(SQLITE, "Rows: inserted with a primary key", "sqlite", ["insert"], "rows", "Must: flat for IDs that increase; random ones grow with the index."),
    Curves(MIGRATE, "Rows: given an ID a second, PostgreSQL", "migrate", ["PostgreSQL/backfill"], "rows", "While clients change rows. Must: flat."),
    Curves(MIGRATE, "Rows: given an ID a second, MariaDB", "migrate", ["MariaDB/backfill"], "rows", "While clients change rows. Must: flat."),
    Bars(MIGRATE, "Clients meanwhile: 99th percentile", "migrate", ["PostgreSQL/p99", "MariaDB/p99"], "", at=-1),
    Bars(PROGRAM, "New IDs into a pipe", "cli", ["stream/ulid", "stream/uuidv7", "stream/uuidv4", "stream/ksuid", "stream/objectid"],
         "yes writes one line of the same length again and again."),
    Bars(PROGRAM, "From start to end", "cli", ["start"]),
    Bars(NODE, "A new ULID in node", "node", ["ulid"], "wasm: 10,000 for each call of the console’s module; wasm one: a fresh instance for each "
         "ID; program: started for 100,000. All as JavaScript strings.", log=True),
    Bars(NODE, "A new UUID in node", "node", ["uuidv4", "uuidv7"], "", log=True),
    Bars(NODE, "Random and typed IDs in node", "node", ["random", "typeid"], "", log=True),
]
