// The table of commands and flags. Whatever lists them is made from it.

#include "commands.h"

#include <algorithm>
#include <array>

#include "command.h"

namespace tessera::cli {
namespace {

constexpr std::string_view kKinds =
    "ulid uuid uuidv1 uuidv3 uuidv4 uuidv5 uuidv6 uuidv7 uuidv8 snowflake objectid ksuid random "
    "short public typeid long";
constexpr std::string_view kCheckKinds =
    "ulid uuid uuidv1 uuidv2 uuidv3 uuidv4 uuidv5 uuidv6 uuidv7 uuidv8 snowflake objectid ksuid "
    "random short public typeid long name";
constexpr std::string_view kOtherSpellings =
    "uuid1 uuid2 uuid3 uuid4 uuid5 uuid6 uuid7 uuid8 "
    "uuid-v1 uuid-v2 uuid-v3 uuid-v4 uuid-v5 uuid-v6 uuid-v7 uuid-v8";
constexpr std::string_view kForms =
    "ulid uuid hex base32 base36 base62 base58 base64url int bytes crockford typeid";
constexpr std::string_view kFromForms =
    "ulid uuid hex base32 base36 base62 base58 base64url int bytes crockford typeid public "
    "objectid ksuid snowflake";
constexpr std::string_view kStyles = "ulid typeid base36 checked";
constexpr std::string_view kLayouts = "twitter discord instagram sony mastodon linkedin js53";

constexpr std::string_view kCommandNames =
    "new inspect convert check range odds name segment lease store registry migrate contract serve "
    "token doctor config tour completions manual help";
constexpr std::string_view kTopics =
    "kinds new inspect convert check range odds name segment lease store registry migrate contract "
    "serve token "
    "doctor config tour completions manual help ulid "
    "uuidv1 uuidv3 uuidv4 uuidv5 uuidv6 uuidv7 uuidv8 snowflake objectid ksuid random short public";

constexpr Flag kJson{"json", '\0', "", "one JSON object a line (NDJSON)", "", ""};
constexpr Flag kNull{"null", '0', "", "NUL instead of line ends, in and out", "", ""};
constexpr Flag kNullIn{"null", '0', "", "the input has NUL instead of line ends", "", ""};
constexpr Flag kFile{"file", 'f', "FILE", "read IDs from FILE, one a line; - is standard input",
                     "",     ""};
constexpr Flag kColumn{
    "column", '\0',
    "N|NAME", "the ID is in this column of CSV or TSV; a NAME stands in the first line",
    "",       ""};
constexpr Flag kConfig{
    "config", '\0', "FILE", "declared types; else $TESSERA_CONFIG, else tessera.yaml", "", ""};
constexpr Flag kNow{"now", '\0', "TIME", "take this for the present time", "", ""};
constexpr Flag kStyle{"style", '\0', "STYLE", "how a public ID is written (default ulid)",
                      kStyles, ""};
constexpr Flag kPrefix{"prefix", '\0', "P", "the prefix of a public ID", "", ""};
constexpr Flag kType{"type", '\0', "T", "a declared type, by name or prefix", "", ""};
constexpr Flag kLayout{
    "layout",
    '\0',
    "NAME",
    "the layout of a snowflake (default twitter), or one in full: EPOCH_MS/UNIT_MS/tT.mM.sS",
    kLayouts,
    "*"};

constexpr Flag kStore{
    "store",
    '\0',
    "URL",
    "sqlite:FILE, or postgres:// mariadb:// etcd:// http:// and a host; else $TESSERA_STORE, else "
    "tessera.yaml",
    "",
    ""};
constexpr Flag kTable{"table", '\0', "NAME", "the table of scopes (default bc_id_segment)", "", ""};
constexpr Flag kRisk{"accept-duplicate-risk",
                     '\0',
                     "",
                     "go on with settings of the store that may lose what it confirmed",
                     "",
                     ""};

constexpr std::array kNewFlags = {
    Flag{"count", 'n', "N", "how many (default 1)", "", ""},
    Flag{"at", '\0', "TIME", "mint for this time instead of now", "", ""},
    Flag{"form", '\0', "FORM", "write the bits in this form", kForms, ""},
    kPrefix,
    kType,
    kStyle,
    Flag{"bits", '\0', "B",
         "the size of a random ID, 1 to 512 (default 120), or of a short one, 16 to 63", "", ""},
    Flag{"check", '\0', "K", "check symbols of a random ID (default 1); auto goes by its size",
         "1 2 3 auto", ""},
    Flag{"group", '\0', "N",
         "a hyphen behind every N characters of a random or short ID, for reading aloud", "", ""},
    Flag{"plain", '\0', "", "draw a random ID again until its check symbol is a letter or digit",
         "", ""},
    Flag{"machine", '\0', "N", "the number of this machine, for a snowflake", "", ""},
    kLayout,
    Flag{"namespace", '\0', "NS", "dns, url, oid, x500 or a UUID, for uuidv3 and uuidv5", "", ""},
    Flag{"name", '\0', "NAME", "the name, for uuidv3 and uuidv5", "", ""},
    Flag{"data", '\0', "HEX", "the bits of a uuidv8, 32 hex digits", "", ""},
    Flag{"scope", '\0', "SCOPE",
         "where the numbers of a long or a short ID, or the machine number of a snowflake, come "
         "from",
         "", ""},
    Flag{"key-file", '\0', "FILE",
         "the key of short IDs, in hex; else $TESSERA_SHORT_KEY_FILE, else tessera.yaml", "", ""},
    kStore,
    Flag{"raw", '\0', "", "the bytes themselves, without line ends", "", ""},
    kJson,
    Flag{"null", '0', "", "NUL behind each ID instead of a line end", "", ""},
    kNow,
    kConfig,
};
constexpr std::array kNewExamples = {
    Example{"tessera new ulid", "one ULID"},
    Example{"tessera new uuidv7 -n 3", "three UUIDs of version 7, in order"},
    Example{"tessera new ulid --at 2026-01-31", "a ULID of that day"},
    Example{"tessera new public --prefix ord", "a public ID"},
    Example{"tessera new random --bits 60 --group 4",
            "twelve characters and a check symbol, to be read aloud"},
    Example{"tessera new short --scope VOUCHER --bits 40 --key-file voucher.key",
            "a short ID that nobody else will get"},
    Example{"tessera new snowflake --store sqlite:tessera.db",
            "a snowflake, with a machine number that the store has leased"},
    Example{"tessera new uuidv5 --namespace dns --name www.example.com", "the UUID of a name"},
};

constexpr std::array kInspectFlags = {
    Flag{"as", '\0', "KIND", "consider only this kind or family: ulid, uuid, snowflake-discord ...",
         "", ""},
    Flag{"output", 'o', "LOOK", "card (default on a terminal) or lines (default elsewhere)",
         "card lines", ""},
    kJson,
    kFile,
    kColumn,
    kNullIn,
    kNow,
    kConfig,
};
constexpr std::array kInspectExamples = {
    Example{"tessera inspect 01ARZ3NDEKTSV4RRFFQ69G5FAV", "what is this?"},
    Example{"tessera inspect --json 175928847299117063", "every reading, for a program"},
    Example{"tessera inspect - < ids.txt", "one ID a line"},
};

constexpr std::array kConvertFlags = {
    Flag{"to", 't', "FORM", "the form to write", kForms, ""},
    Flag{"from", '\0', "FORM", "the form to read; else it is detected", kFromForms, ""},
    Flag{"prefix", '\0', "P", "the prefix of a typeid to write", "", ""},
    Flag{"bits", '\0', "B", "the value has B bits: of a random ID, or of an int up to 64", "", ""},
    Flag{"size", '\0', "N", "with --from bytes: a value is N bytes of the input (default 16)", "",
         ""},
    kJson,
    kFile,
    kColumn,
    kNull,
    kNow,
    kConfig,
};
constexpr std::array kConvertExamples = {
    Example{"tessera convert --to uuid 01ARZ3NDEKTSV4RRFFQ69G5FAV", "a ULID for a uuid column"},
    Example{"tessera convert --to base62 --from uuid < uuids.txt", "many, in a pipe"},
    Example{"tessera convert --to crockford --from int --bits 60 380138905423795862",
            "an ID that is kept as a number"},
};

constexpr std::array kCheckFlags = {
    Flag{"as", '\0', "KIND", "what it should be; else anything that is known", kCheckKinds,
         kOtherSpellings},
    kType,
    kPrefix,
    Flag{"style", '\0', "STYLE", "how a public ID is written; else by its length", kStyles, ""},
    Flag{"strict", '\0', "", "no variation but letter case: no hyphens, no I L O for 1 1 0", "",
         ""},
    Flag{"bits", '\0', "B", "the size of a random or short ID; else whole bytes", "", ""},
    Flag{"check", '\0', "K", "check symbols of a random ID (default 1)", "1 2 3", ""},
    Flag{"summary", 's', "", "only counts for each error, and where the first ones are", "", ""},
    Flag{"quiet", 'q', "", "no output, only the exit code", "", ""},
    kJson,
    kFile,
    kColumn,
    kNullIn,
    kNow,
    kConfig,
};
constexpr std::array kCheckExamples = {
    Example{"tessera check 01ARZ3NDEKTSV4RRFFQ69G5FAV", "is it an ID?"},
    Example{"tessera check --as random KVF1B65P8Q3CMC", "mistyped? what may have been meant"},
    Example{"tessera check --as uuidv7 --summary -f ids.txt", "a file of a million"},
    Example{"tessera check --as public --prefix ord --column order_id -f orders.csv",
            "a column of a table"},
};

constexpr std::array kRangeFlags = {
    Flag{"sql", '\0', "COLUMN", "a WHERE clause for this column", "", ""},
    Flag{"form", '\0', "FORM", "write the bounds in this form", kForms, ""},
    kLayout,
    kPrefix,
    kType,
    kStyle,
    kJson,
    kNow,
    kConfig,
};
constexpr std::array kRangeExamples = {
    Example{"tessera range ulid 2026-01-01 2026-02-01", "the bounds of January"},
    Example{"tessera range uuidv7 -7d now --sql id", "the last week, for a query"},
};

constexpr std::array kOddsFlags = {
    Flag{"bits", 'b', "B", "random bits in an ID", "", ""},
    Flag{"count", 'n', "N", "how many IDs: 1000, 1e9, 2^40", "", ""},
    Flag{"probability", 'p', "P", "of a collision: 0.001, 1e-9, 1%", "", ""},
    kJson,
};
constexpr std::array kOddsExamples = {
    Example{"tessera odds --bits 122 --count 1e9", "how likely is a collision?"},
    Example{"tessera odds --bits 64 --probability 1e-6", "how many IDs can there be?"},
    Example{"tessera odds --count 1e12 --probability 1e-9", "how many bits are needed?"},
};

constexpr std::array kNameFlags = {kJson, kFile, kColumn, kNullIn, kConfig};
constexpr std::array kNameExamples = {
    Example{"tessera name new books", "a new book"},
    Example{"tessera name new pages books/1", "a new page of it"},
    Example{"tessera name parse books/1/pages/2", "its parts"},
    Example{"tessera name check books/../users/1", "is it one?"},
};

constexpr std::array kSegmentFlags = {
    Flag{"count", 'n', "N", "how many numbers (default 1)", "", ""},
    Flag{"key", '\0', "KEY", "draw once: the same key gets the same numbers again", "", ""},
    Flag{"min", '\0', "N", "the first number of a new scope (default 1)", "", ""},
    Flag{"max", '\0', "N", "the last number of a new scope (default 2^63 - 1)", "", ""},
    Flag{"step", '\0', "N", "the least that is drawn at once (default 1000)", "", ""},
    Flag{"order", '\0', "ORDER", "increasing in each process (default), or strictly for all",
         "process strict", ""},
    Flag{"js-safe", '\0', "", "no number above 2^53 - 1, which JavaScript cannot hold", "", ""},
    Flag{"id-column", '\0', "NAME", "where the table has its numbers (default id)", "", ""},
    Flag{"margin", '\0', "N", "how far above them to go on (default 10000)", "", ""},
    Flag{"into", '\0', "URL", "the store of the new scope (default: the same)", "", ""},
    kJson,
    Flag{"null", '0', "", "NUL behind each number instead of a line end", "", ""},
    kStore,
    kTable,
    kRisk,
    kNow,
    kConfig,
};
constexpr std::array kSegmentExamples = {
    Example{"tessera segment create ORDER --js-safe", "a new scope"},
    Example{"tessera segment next ORDER -n 3", "three numbers that nobody else will get"},
    Example{"tessera segment reserve ORDER -n 100000 --key load-17",
            "a range for a bulk load, once"},
    Example{"tessera segment list", "all scopes: how far, how fast, and until when"},
    Example{"tessera segment adopt ORDER orders", "go on above the numbers that a table has"},
    Example{"tessera segment delegate ORDER ORDER-EU -n 1000000000 --into etcd://eu:2379",
            "a billion numbers for a region"},
    Example{"tessera segment explain 4711", "which draw was it, when, and whose"},
};

constexpr std::array kStoreFlags = {kStore, kTable, kRisk, kJson, kConfig};
constexpr std::array kStoreExamples = {
    Example{"tessera store init --store sqlite:tessera.db", "make the tables"},
    Example{"tessera store status --store postgres://localhost/shop", "is it safe to use?"},
};

constexpr std::array kLeaseFlags = {
    kLayout,
    Flag{"machine", '\0', "N", "claim this number and no other", "", ""},
    Flag{"ttl", '\0', "SECONDS", "how long it lives, if it is not renewed (default 15)", "", ""},
    Flag{"reserve", '\0', "SECONDS", "how far ID time may run ahead of the clock (default 15)", "",
         ""},
    Flag{"quarantine", '\0', "SECONDS", "how long the number rests afterwards (default 5)", "", ""},
    Flag{"holder", '\0', "TEXT", "who has it, for people (default host/pid/cli)", "", ""},
    kJson,
    kStore,
    kTable,
    kRisk,
    kConfig,
};
constexpr std::array kLeaseExamples = {
    Example{"tessera lease list", "who has which number, and until when"},
    Example{"tessera lease claim ORDER --ttl 60", "a number for a minute"},
    Example{"tessera lease release ORDER 7 3", "the end of one whose holder is gone"},
};

constexpr std::array kRegistryFlags = {
    Flag{"tenant", '\0', "T", "whose: letters, digits, - _ . and ~", "", ""},
    Flag{"parent", '\0', "NAME", "what it belongs to: a resource name or an ID", "", ""},
    Flag{"count", 'n', "N", "how many to create (default 1)", "", ""},
    Flag{"key", '\0', "KEY", "create once: the same key gets the same answer again", "", ""},
    Flag{"internal", '\0', "", "show 64-bit keys, which are not for the public", "", ""},
    Flag{"page-size", '\0', "N", "list one page of so many, 1 to 1000, not all", "", ""},
    Flag{"page-token", '\0', "TOKEN", "list the page behind the one that ended with it", "", ""},
    Flag{"key-file", '\0', "FILE",
         "the key of short IDs, in hex; else $TESSERA_SHORT_KEY_FILE, else tessera.yaml", "", ""},
    kJson,
    kFile,
    kColumn,
    kNullIn,
    kStore,
    kTable,
    kRisk,
    kConfig,
};
constexpr std::array kMigrateFlags = {
    Flag{"table", '\0', "NAME", "the table; in PostgreSQL also SCHEMA.NAME", "", ""},
    Flag{"column", '\0', "NAME", "the column of the IDs (default public_id)", "", ""},
    Flag{"key", '\0', "NAME", "a unique column, by which rows are gone through (default id)", "",
         ""},
    Flag{"tenant-column", '\0', "NAME", "second in the unique index", "", ""},
    Flag{"created-at", '\0', "NAME", "the time of an ID is that of this column", "", ""},
    Flag{"from", '\0', "NAME", "a column that has the IDs as text, for --form bytes", "", ""},
    kType,
    kPrefix,
    kStyle,
    Flag{"form", '\0', "FORM", "how IDs are kept: with prefix, or 16 bytes (default text)",
         "text bytes", ""},
    Flag{"batch", '\0', "N", "rows of the first batch (default 2000); then it is measured", "", ""},
    Flag{"target", '\0', "MS", "what a batch should take (default 200)", "", ""},
    Flag{"max-lag", '\0', "MS", "rest while a replica is further behind (default 1500)", "", ""},
    Flag{"max-load", '\0', "N", "rest while more statements run", "", ""},
    Flag{"rate", '\0', "N", "at most N rows a second", "", ""},
    Flag{"fast", '\0', "", "do not make way for clients", "", ""},
    Flag{"patience", '\0', "S", "how long to try for a lock (default 60)", "", ""},
    Flag{"sample", '\0', "N", "rows that verify reads by itself (default 20000)", "", ""},
    Flag{"force", '\0', "", "abort a migration that is done", "", ""},
    kJson,
    kStore,
    kConfig,
};
constexpr std::array kMigrateExamples = {
    Example{"tessera migrate plan --table store --type sto --tenant-column tenant_id",
            "every statement, and the locks it takes"},
    Example{"tessera migrate run --table store --type sto --tenant-column tenant_id",
            "do it, or go on where it was"},
    Example{"tessera migrate run --table store --type sto --from code --form bytes",
            "the IDs that are in code as text, as 16 bytes"},
    Example{"tessera migrate status", "how far all migrations are"},
};

constexpr std::array kServeFlags = {
    Flag{"init", '\0', "", "make tessera.yaml first, if there is none", "", ""},
    Flag{"threads", '\0', "N", "serve connections on N threads (default: one for each core)", "",
         ""},
    Flag{"rate", '\0', "N", "requests a second for each token that has no rate of its own", "", ""},
    Flag{"grace", '\0', "SECONDS", "for requests to end when the service does (default 30)", "",
         ""},
    Flag{"tls-certificate", '\0', "FILE", "serve TLS with this certificate and its chain, in PEM",
         "", ""},
    Flag{"tls-key", '\0', "FILE", "the private key of the certificate, in PEM", "", ""},
    Flag{"tls-client-ca", '\0', "FILE", "ask callers for a certificate that this authority signed",
         "", ""},
    Flag{"host", '\0', "NAME", "without tokens: a name of this machine, besides localhost", "", ""},
    Flag{"origin", '\0', "URL", "let web pages of this origin ask (CORS)", "", ""},
    Flag{"witness", '\0', "FILE", "remember how far scopes have come, to tell a rewound store", "",
         ""},
    Flag{"filters", '\0', "FOLDER", "keep the filters of the registry there from run to run", "",
         ""},
    Flag{"lease-ttl", '\0', "SECONDS",
         "how long the machine number of snowflakes lives without being renewed (default 15)", "",
         ""},
    Flag{"log-level", '\0', "LEVEL", "what to log on standard error (default info)",
         "debug info warning error", ""},
    kStore,
    kTable,
    kRisk,
    kConfig,
};
constexpr std::array kServeExamples = {
    Example{"tessera serve --init", "on a fresh machine"},
    Example{"tessera serve --store postgres://tessera@db.internal/ids",
            "with more than one machine"},
};

constexpr Flag kTokens{"tokens", '\0', "FILE", "the file of tokens; else tessera.yaml says",
                       "",       ""};
constexpr std::array kTokenFlags = {
    Flag{"tenant", '\0', "T", "a tenant that it may ask for, or * for all; may be given again", "",
         ""},
    Flag{"ability", '\0', "A", "what it may do; may be given again",
         "mint look-up create retire segments leases resolve admin all", ""},
    Flag{"expires", '\0', "TIME", "when it ends, as in +90d (default never)", "", ""},
    Flag{"rate", '\0', "N", "requests a second", "", ""},
    Flag{"note", '\0', "TEXT", "what it is for", "", ""},
    kTokens,
    kJson,
    kConfig,
};
constexpr std::array kTokenExamples = {
    Example{"tessera token create --tenant acme --ability create --expires +90d",
            "a token; it is shown once"},
    Example{"tessera token list", "who may do what"},
    Example{"tessera token revoke ID", "no longer: a running service knows within a second"},
};

constexpr std::array kDoctorFlags = {kJson, kStore, kTable, kConfig};
constexpr std::array kDoctorExamples = {
    Example{"tessera doctor", "is this machine fit, and is the store?"},
};

constexpr std::array kRegistryExamples = {
    Example{"tessera registry init", "make the tables of all types that have a scope"},
    Example{"tessera registry create store --tenant acme", "a new ID, for ever"},
    Example{"tessera registry create product --tenant acme --parent ID --key request-17",
            "once, however often it is asked for"},
    Example{"tessera registry get --tenant acme ID", "live, deleted, never issued, or mistyped?"},
    Example{"tessera registry verify", "prove that no ID was issued twice"},
};

constexpr std::array kContractFlags = {
    kStore,
    Flag{"openapi", '\0', "FILE", "an OpenAPI document, JSON or YAML; may be given again", "", ""},
    Flag{"responses", '\0', "FILE",
         "answers of an API: JSON, NDJSON or HAR; - is standard input; may be given again", "", ""},
    Flag{"sql", '\0', "FILE", "queries, looked at by a heuristic; may be given again", "", ""},
    Flag{"waivers", '\0', "FILE", "what was accepted, with reasons", "", ""},
    Flag{"only", '\0', "GLOB", "only these tables; may be given again", "", ""},
    Flag{"skip", '\0', "GLOB", "not these tables; may be given again", "", ""},
    Flag{"scope", '\0', "TABLE=SCOPE", "where the keys of a table come from; may be given again",
         "", ""},
    Flag{"tenant-column", '\0', "NAME", "the column of the tenant (default tenant_id)", "", ""},
    kTable,
    kJson,
    Flag{"sarif", '\0', "", "one SARIF 2.1.0 log, as code hosts read it", "", ""},
    kNow,
    kConfig,
};
constexpr std::array kContractExamples = {
    Example{"tessera contract check --store postgres://shop@db/shop", "the tables of a database"},
    Example{"tessera contract check --openapi api.yaml --waivers contract.yaml",
            "an API document, but for what was accepted"},
    Example{"tessera contract check --responses - < answers.ndjson", "what the API really answers"},
    Example{"tessera contract rules TC108", "what a rule is for"},
};

constexpr std::array kConfigFlags = {kJson, kConfig};
constexpr std::array kConfigExamples = {
    Example{"tessera config check tessera.yaml", "every mistake, with line and column"},
    Example{"tessera config example > tessera.yaml", "a file to begin with"},
};

constexpr std::array kCompletionsExamples = {
    Example{"tessera completions bash > /etc/bash_completion.d/tessera", "for every user"},
    Example{"tessera completions fish > ~/.config/fish/completions/tessera.fish", "for yourself"},
};
constexpr std::array kManualFlags = {
    Flag{"format", '\0', "FORMAT", "man (default) or markdown", "man markdown", ""},
};
constexpr std::array kManualExamples = {
    Example{"tessera manual new | man -l -", "the manual page of a command"},
};
constexpr std::array kHelpFlags = {kJson};
constexpr std::array kHelpExamples = {
    Example{"tessera help kinds", "all kinds, side by side"},
    Example{"tessera help ulid", "what a ULID is made of, and what it gives away"},
};
constexpr std::array kTourExamples = {Example{"tessera tour", "look around"}};

constexpr std::array kCommon = {
    Flag{"color", '\0', "WHEN", "colours; auto heeds NO_COLOR", "auto always never", ""},
    Flag{"help", 'h', "", "show how the command is used", "", ""},
};

constexpr std::array kCommands = {
    Command{"new", "KIND", 1, kKinds, "make IDs",
            "Makes IDs, one a line. IDs that sort by time come in order, strictly. Kinds: ulid, "
            "uuid (version 4), uuidv1 to uuidv8, snowflake, objectid, ksuid, random, public, "
            "short, which is a number of a scope, enciphered, "
            "typeid, which is public --style typeid, and long, a number of a scope. 'tessera help "
            "KIND' says what each is made of.\n\n"
            "A snowflake needs a machine number that no other process uses at the time: one that "
            "you see to yourself, with --machine, or one that a store leases, with --store or "
            "--scope. See 'tessera help lease'.",
            kNewFlags, kNewExamples, run_new},
    Command{"inspect", "[ID...]", kAnyNumber, "", "say what an ID is",
            "Says what a text is: ranked guesses with their probability, the time in it, its "
            "fields and bits, and the same value in other forms. When several kinds fit it says "
            "so, and when none fits it says what is nearly right.\n\n"
            "Without arguments IDs are read from standard input, one a line. An argument that "
            "names a file, with a dot or a slash in its name, is read likewise. Exit 1 if "
            "something is unknown.",
            kInspectFlags, kInspectExamples, run_inspect},
    Command{"convert", "[ID...] --to FORM", kAnyNumber, "", "write an ID in another form",
            "Writes the same bits in another form, one line for each input line, in order. What "
            "would lose or add bits is refused, with an empty line in its place and exit 1; so is "
            "a text that can be read in several ways, unless --from says which is meant.\n\n"
            "base32 is padded on the left, as in a ULID; crockford is padded on the right and ends "
            "with a check symbol. They differ, and neither is taken for the other. bytes are "
            "neither written nor read with line ends.",
            kConvertFlags, kConvertExamples, run_convert},
    Command{"check", "[ID...]", kAnyNumber, "", "tell good IDs from bad ones",
            "Prints for each ID 'valid' or what is wrong with it: the code, the place, and where "
            "a check symbol allows it, what may have been meant. Exit 0 only if all are valid; an "
            "empty line is not.\n\n"
            "Without --strict an ID is read as people type it: in any case, with hyphens, I and L "
            "for 1, O for 0, and a UUID in any of its usual spellings.",
            kCheckFlags, kCheckExamples, run_check},
    Command{"range", "KIND FROM TO", 3, "ulid uuidv6 uuidv7 snowflake objectid ksuid public typeid",
            "the smallest and largest ID of a span of time",
            "Prints the smallest and the largest ID of the span, or a WHERE clause. FROM is part "
            "of the span, TO is not. With --form bytes the clause has x'...' literals.\n\n"
            "Times: 2026-01-31, 2026-01-31T09:00:00.250+02:00, unix seconds or milliseconds, now, "
            "today, yesterday, tomorrow, or from now: -7d, +2h, -90m, -30s, -2w. Without a zone a "
            "time is UTC.",
            kRangeFlags, kRangeExamples, run_range},
    Command{"odds", "", 0, "", "the odds of a collision",
            "Takes two of --bits, --count and --probability and answers with the third. Small "
            "spaces are computed exactly, huge ones without losing digits.",
            kOddsFlags, kOddsExamples, run_odds},
    Command{"name", "new|parse|check ...", kAnyNumber, "new parse check", "resource names",
            "A resource name is collection/id, up to eight times: books/1/pages/2 is a page of a "
            "book. 'new COLLECTION [PARENT]' makes one with a new ID; 'parse' prints its parts; "
            "'check' says what is wrong.",
            kNameFlags, kNameExamples, run_name},
    Command{
        "segment", "ACTION [SCOPE] [N]", 3,
        "next reserve list create set-step advance adopt delegate return explain",
        "numbers from scopes",
        "A scope is a series of 64-bit numbers in a store; each is given out once, for ever. "
        "ACTION is next, reserve, list, create, set-step, advance, adopt, delegate, return or "
        "explain.\n\n"
        "'next SCOPE' prints numbers, one a line; 'reserve SCOPE' prints the first and the "
        "last of a range. 'list' shows how far each scope is, how fast it is drawn from, and "
        "when it will end if that goes on.\n\n"
        "'create SCOPE' makes a scope, and without a name all that tessera.yaml declares. "
        "'set-step SCOPE STEP' holds from the next draw on. 'advance SCOPE MARK' skips "
        "numbers, as after the restore of an old backup. 'adopt SCOPE TABLE' skips those that a "
        "table of the same database has, and a margin. 'explain [SCOPE] NUMBER' tells which "
        "draw a number came from.\n\n"
        "'delegate SCOPE NEW-SCOPE -n N' makes a scope of the next N numbers, for a region or a "
        "shard that goes on without the others; 'return SCOPE NEW-SCOPE' makes one of all that is "
        "left, and SCOPE is used up for ever. With --into the new scope is in another store. Asked "
        "for twice, each happens once.",
        kSegmentFlags, kSegmentExamples, run_segment},
    Command{
        "lease", "ACTION [SCOPE] [MACHINE TOKEN]", 4, "list claim renew release",
        "machine numbers, held for a time",
        "A snowflake has a machine number in it that no two may use at once. A store leases "
        "numbers: for a time, with a token that ends with the next claim, and with a stretch of "
        "ID time that no other holder will ever have. 'tessera new snowflake --store URL' and "
        "the service do all of this by themselves; these are for the operator, and for programs "
        "that make their own snowflakes.\n\n"
        "'list [SCOPE]' shows every number that was ever claimed. 'claim [SCOPE]' takes the "
        "lowest that is free, or the one that --machine names; a scope is named after its "
        "layout if nothing else is said. 'renew SCOPE MACHINE TOKEN' lets it live for another "
        "--ttl and lifts its limit. 'release SCOPE MACHINE TOKEN' ends it: its holder must have "
        "stopped, and the limit stays. Exit 1 if the lease is somebody else's by now.",
        kLeaseFlags, kLeaseExamples, run_lease},
    Command{"store", "init|upgrade|status", 1, "init upgrade status", "the tables of a store",
            "'init' makes the tables that are missing and adopts a table bc_id_segment that is "
            "there; 'upgrade' brings older ones up to date; both do nothing if there is nothing "
            "to do. 'status' prints version, schema and every setting that matters, and exits 1 "
            "if one is unsafe.",
            kStoreFlags, kStoreExamples, run_store},
    Command{"registry", "ACTION [TYPE|ID...]", kAnyNumber,
            "create get resolve retire undelete list stats verify init sweep",
            "what was issued, to whom, and that it never comes back",
            "Keeps the IDs of all types of tessera.yaml that have a scope. ACTION is create, get, "
            "resolve, retire, undelete, list, stats, verify, init or sweep.\n\n"
            "'create TYPE' makes IDs and prints them with their resource names. 'get ID...' "
            "answers live, deleted, never_issued or invalid, and exits 0 only if all are live; "
            "another tenant's ID was never issued. 'resolve ID...' prints the 64-bit keys. "
            "'retire ID...' ends it and all below it, for ever; 'undelete ID...' brings it back "
            "while its type allows it. 'list TYPE' prints what is live, by ID. IDs may be resource "
            "names, and may come from a file or standard input.\n\n"
            "'init' makes the tables. 'sweep' does what retirements have left to do. 'stats "
            "[TYPE]' counts. 'verify' proves from the range log and the rows that no ID was "
            "issued twice and that every row can be read, and exits 1 with the first rows that "
            "are wrong.",
            kRegistryFlags, kRegistryExamples, run_registry},
    Command{
        "migrate", "ACTION", 1, "plan run status verify pause resume abort",
        "public IDs for a table that is in use",
        "Gives every row of a table an ID while others work with it. ACTION is plan, run, status, "
        "verify, pause, resume or abort.\n\n"
        "'plan' prints every statement, the locks it takes and an estimate, and changes nothing. "
        "'run' does it: column, trigger for new rows, batches in short transactions, unique index, "
        "NOT NULL, verify. It may be killed at any point; the next run goes on. 'pause' and "
        "'resume' are for a run that is under way. 'verify' exits 1 if something is wrong. 'abort' "
        "puts the table back.\n\n"
        "PostgreSQL, MariaDB and SQLite.",
        kMigrateFlags, kMigrateExamples, run_migrate},
    Command{"contract", "check|rules [RULE]", 2, "check rules", "whether the ID contract is kept",
            "'check' looks at the tables of a store, at OpenAPI documents, at recorded answers and "
            "at queries for what the contract forbids: keys that are shown or made by the "
            "database, ULIDs without prefix, public IDs as primary keys, look-ups without the "
            "tenant, IDs that a client chooses. Without --openapi, --responses and --sql it looks "
            "at the store, where it only reads. Exits 1 if it finds more than notes that no waiver "
            "covers.\n\n"
            "'rules' lists the rules, or says all about one.",
            kContractFlags, kContractExamples, run_contract},
    Command{"serve", "", 0, "", "serve IDs over HTTP and the Redis protocol",
            "Answers until SIGTERM or SIGINT; requests that were begun are answered first. SIGHUP "
            "reads types, scopes, tokens and certificates again. Without tokens it serves this "
            "machine only. Sockets named public, internal and redis are taken from systemd.",
            kServeFlags, kServeExamples, run_serve},
    Command{"token", "create|list|revoke [ID]", 2, "create list revoke", "who may use the service",
            "A token is shown once, when it is made; only its digest is kept. It has tenants, "
            "abilities, and may have an end and a rate.",
            kTokenFlags, kTokenExamples, run_token},
    Command{"doctor", "", 0, "", "what to mend on this machine and in the store",
            "Checks the configuration, the settings of the store, its clock, the entropy and the "
            "limits of this machine. Exits with 1 if something should be mended.",
            kDoctorFlags, kDoctorExamples, run_doctor},
    Command{"config", "check|example [FILE]", 2, "check example", "check the configuration",
            "'check' explains every mistake in tessera.yaml with line and column, or prints what "
            "it declares. 'example' prints a configuration to begin with.",
            kConfigFlags, kConfigExamples, run_config},
    Command{"tour",
            "",
            0,
            "",
            "look around",
            "Makes one ID of each kind and shows what can be done with them.",
            {},
            kTourExamples,
            run_tour},
    Command{"completions",
            "bash|zsh|fish",
            1,
            "bash zsh fish",
            "completions for your shell",
            "Prints a script that lets your shell complete commands, flags and their values.",
            {},
            kCompletionsExamples,
            run_completions},
    Command{"manual", "[COMMAND]", 1, kCommandNames, "manual pages",
            "Prints the manual page of a command, or of tessera itself, or the whole reference as "
            "Markdown.",
            kManualFlags, kManualExamples, run_manual},
    Command{
        "help", "[COMMAND|KIND|kinds]", 1, kTopics, "help on commands and kinds",
        "Help on a command, or what there is to know about a kind of ID. With --json kinds only.",
        kHelpFlags, kHelpExamples, run_help},
};

}  // namespace

std::span<const Command> commands() noexcept { return kCommands; }

std::span<const Flag> common_flags() noexcept { return kCommon; }

const Command* find_command(std::string_view name) noexcept {
  const auto found = std::ranges::find(kCommands, name, &Command::name);
  return found == kCommands.end() ? nullptr : &*found;
}

}  // namespace tessera::cli
