// The table of routes. The hottest comes first.

#include "service/routes.h"

#include <array>

#include "service/handlers.h"

namespace tessera::service {
namespace {

using In = Parameter::In;

constexpr std::size_t kSmallBody = 64 << 10;
constexpr std::size_t kLargeBody = 1 << 20;

constexpr std::array kJson = {Media::json};
constexpr std::array kIds = {Media::json, Media::text, Media::bytes};
constexpr std::array kMetrics = {Media::metrics};
constexpr std::array kHtml = {Media::html};
constexpr std::array kBytes = {Media::bytes};

constexpr Parameter kTenant{In::path, "tenant", "Whose it is.", "acme"};
constexpr Parameter kCollection{In::path, "collection", "As the type declares it.", "stores"};
constexpr Parameter kId{In::path, "id", "The public ID.", "st_01M0MBZ8ZEKMQP3G3V2KM579HW"};
constexpr Parameter kScope{In::path, "scope", "The name of a scope.", "ORDER"};
constexpr Parameter kKey{In::header, "Idempotency-Key",
                         "With the same key it happens once; later calls get the first answer."};
constexpr Parameter kPageSize{In::query, "page_size", "1 to 1000; else 100.", "2", true};
constexpr Parameter kPageToken{In::query, "page_token", "The next_page_token of the page before."};

constexpr std::array kAssetParameters = {Parameter{In::path, "file", "As the page names it."}};
constexpr std::array kInspectParameters = {
    Parameter{In::path, "id", "Any text.", "01M0MBZ8ZEKMQP3G3V2KM579HW"}};
constexpr std::array kRangeParameters = {
    Parameter{In::query, "kind", "A kind that sorts by time.", "ulid", false, true},
    Parameter{In::query, "from", "ISO 8601, or milliseconds since 1970; part of the span.",
              "2026-01-01", false, true},
    Parameter{In::query, "to", "Likewise; not part of the span.", "2026-02-01", false, true}};
constexpr std::array kOddsParameters = {
    Parameter{In::query, "bits", "Random bits of an ID.", "122", true},
    Parameter{In::query, "count", "How many IDs are made.", "1000000000", true},
    Parameter{In::query, "probability", "Of two alike; two of the three are given.", "", true}};
constexpr std::array kCreateParameters = {kTenant, kCollection, kKey};
constexpr std::array kListParameters = {
    kTenant, kCollection, Parameter{In::query, "state", "live, if nothing is said, or deleted."},
    kPageSize, kPageToken};
constexpr std::array kResourceParameters = {kTenant, kCollection, kId};
constexpr std::array kUndeleteParameters = {
    kTenant, Parameter{In::path, "collection", "As the type declares it.", "notes"},
    Parameter{In::path, "id", "The public ID.", "nt-01M0MBZ8ZEKMQP3G3V2KM579HW"}};
constexpr std::array kResolveParameters = {
    Parameter{In::query, "tenant", "Whose it is.", "acme", false, true},
    Parameter{In::query, "id", "A public ID or a resource name.", "st_01M0MBZ8ZEKMQP3G3V2KM579HW",
              false, true}};
constexpr std::array kScopeParameters = {kScope};
constexpr std::array kRangesParameters = {
    kScope, Parameter{In::query, "count", "How many, the newest first; else 100.", "2", true},
    Parameter{In::query, "number", "Instead: the one that reserved this number."}};

constexpr std::array kLeaseParameters = {
    kScope, Parameter{In::path, "machine", "A machine number of the scope.", "0"}};
constexpr std::array kLeasesParameters = {
    Parameter{In::query, "scope", "Of one scope; else of all.", "ORDER"}, kPageSize, kPageToken};

constexpr std::string_view kScopeStateAnswer =
    R"({"name":"ORDER","min":"1","max":"9223372036854775807","step":1000,"order":"process",)"
    R"("js_safe":false,"high_water":"1000","epoch":"1","draws":"1","updated":null})";

constexpr std::string_view kLeaseRecordAnswer =
    R"({"scope":"ORDER","layout":"1288834974657/1/t41.m10.s12","machine":0,"state":"resting",)"
    R"("token":"1","holder":"shop-1/4711","claimed_ms":1794819600000,"expires_ms":1794819615000,)"
    R"("free_ms":1794819620000,"ts_limit_ms":1794819615000})";
constexpr std::string_view kLeaseListAnswer =
    R"({"leases":[{"scope":"ORDER","layout":"1288834974657/1/t41.m10.s12","machine":0,)"
    R"("state":"held","token":"1","holder":"shop-1/4711","claimed_ms":1794819600000,)"
    R"("expires_ms":1794819615000,"free_ms":1794819620000,"ts_limit_ms":1794819615000}],)"
    R"("next_page_token":""})";

constexpr std::array kRoutes = {
    Route{.method = Method::post,
          .pattern = "/v1/ids",
          .handler = mint_ids,
          .ability = Ability::mint,
          .body_size_max = kSmallBody,
          .offers = kIds,
          .operation = "mintIds",
          .summary = "Makes IDs that nobody keeps; one ULID if nothing is said.",
          .request = R"({"kind":"ulid","count":2})",
          .answer = R"({"ids":["01M0MBZ8ZEKMQP3G3V2KM579HW","01M0MBZ8ZEKMQP3G3V2KM579HX"]})"},
    Route{.method = Method::get,
          .pattern = "/healthz",
          .handler = tell_health,
          .open = true,
          .offers = kJson,
          .operation = "tellHealth",
          .summary = "Whether the process runs; asks nobody.",
          .answer = R"({"status":"ok","version":"0.1.0"})"},
    Route{.method = Method::get,
          .pattern = "/readyz",
          .handler = tell_readiness,
          .open = true,
          .offers = kJson,
          .operation = "tellReadiness",
          .summary = "Whether requests that need the store can be answered.",
          .answer = R"({"status":"ready"})"},
    Route{.method = Method::get,
          .pattern = "/metrics",
          .handler = tell_metrics,
          .ability = Ability::admin,
          .offers = kMetrics,
          .operation = "tellMetrics",
          .summary = "What is counted, as Prometheus reads it."},
    Route{.method = Method::get,
          .pattern = "/openapi.json",
          .handler = tell_openapi,
          .open = true,
          .offers = kJson,
          .operation = "tellOpenapi",
          .summary = "This document."},
    Route{.method = Method::get,
          .pattern = "/",
          .handler = show_page,
          .open = true,
          .is_page = true,
          .offers = kHtml,
          .operation = "showPage",
          .summary = "The web console."},
    Route{.method = Method::get,
          .pattern = "/assets/{file}",
          .handler = show_asset,
          .open = true,
          .is_page = true,
          .offers = kBytes,
          .operation = "showAsset",
          .summary = "A part of the console.",
          .parameters = kAssetParameters},
    Route{.method = Method::post,
          .pattern = "/v1/ids:check",
          .handler = check_ids,
          .body_size_max = kLargeBody,
          .offers = kJson,
          .operation = "checkIds",
          .summary = "Says of each text whether it is an ID, and if not, what is wrong with it.",
          .request = R"({"ids":["01M0MBZ8ZEKMQP3G3V2KM579HW"],"as":"ulid"})",
          .answer = R"({"results":[{"input":"01M0MBZ8ZEKMQP3G3V2KM579HW","valid":true,)"
                    R"("kind":"ulid","canonical":"01M0MBZ8ZEKMQP3G3V2KM579HW"}],)"
                    R"("valid":1,"invalid":0})"},
    Route{.method = Method::get,
          .pattern = "/v1/ids/{id}",
          .handler = inspect_id,
          .offers = kJson,
          .operation = "inspectId",
          .summary = "Everything that can be said of a text.",
          .parameters = kInspectParameters},
    Route{.method = Method::get,
          .pattern = "/v1/range",
          .handler = range_of_ids,
          .offers = kJson,
          .operation = "rangeOfIds",
          .summary = "The smallest and the largest ID of a span of time.",
          .parameters = kRangeParameters,
          .answer = R"({"kind":"ulid","from":"2026-01-01T00:00:00.000Z",)"
                    R"("to":"2026-02-01T00:00:00.000Z","smallest":"01KDVDNA000000000000000000",)"
                    R"("largest":"01KGB7ZJZZZZZZZZZZZZZZZZZZ"})"},
    Route{
        .method = Method::get,
        .pattern = "/v1/odds",
        .handler = odds_of_ids,
        .offers = kJson,
        .operation = "oddsOfIds",
        .summary = "How likely it is that two of many random IDs are alike.",
        .parameters = kOddsParameters,
        .answer = R"({"bits":122,"count":1e9,"probability":9.4e-20,"words":"practically never"})"},
    Route{.method = Method::get,
          .pattern = "/v1/types",
          .handler = list_types,
          .offers = kJson,
          .operation = "listTypes",
          .summary = "The declared types of public IDs.",
          .answer = R"({"types":[{"name":"store","prefix":"st","style":"ulid","separator":"_",)"
                    R"("collection":"stores","parent":null}]})"},
    Route{.method = Method::get,
          .pattern = "/v1/scopes",
          .handler = list_scopes,
          .waits = true,
          .offers = kJson,
          .operation = "listScopes",
          .summary = "The declared scopes; inside, and to an admin, with how each is doing.",
          .answer = R"({"scopes":[{"name":"ORDER","min":"1","max":"9223372036854775807",)"
                    R"("step":1000,"order":"process","js_safe":false}]})"},
    Route{.method = Method::post,
          .pattern = "/v1/tenants/{tenant}/{collection}",
          .handler = create_resource,
          .ability = Ability::create,
          .tenant = TenantIn::path,
          .waits = true,
          .nested = true,
          .body_size_max = kSmallBody,
          .offers = kJson,
          .operation = "createResource",
          .summary = "Creates one, or with a count as many.",
          .parameters = kCreateParameters,
          .request = "{}",
          .status = 201,
          .answer = R"({"id":"st_01M0MBZ8ZEKMQP3G3V2KM579HW",)"
                    R"("name":"tenants/acme/stores/st_01M0MBZ8ZEKMQP3G3V2KM579HW"})"},
    Route{.method = Method::get,
          .pattern = "/v1/tenants/{tenant}/{collection}",
          .handler = list_resources,
          .ability = Ability::look_up,
          .tenant = TenantIn::path,
          .waits = true,
          .nested = true,
          .offers = kJson,
          .operation = "listResources",
          .summary = "What is live, or what is deleted, by ID.",
          .parameters = kListParameters,
          .answer = R"({"items":[{"id":"st_01M0MBZ8ZEKMQP3G3V2KM579HW",)"
                    R"("name":"tenants/acme/stores/st_01M0MBZ8ZEKMQP3G3V2KM579HW",)"
                    R"("created":"2026-11-16T09:00:00.000Z"}],)"
                    R"("next_page_token":""})"},
    Route{.method = Method::get,
          .pattern = "/v1/tenants/{tenant}/{collection}/{id}",
          .handler = get_resource,
          .ability = Ability::look_up,
          .tenant = TenantIn::path,
          .waits = true,
          .nested = true,
          .offers = kJson,
          .operation = "getResource",
          .summary = "200 live, 410 deleted, 404 never issued, 400 mistyped.",
          .parameters = kResourceParameters,
          .answer = R"({"id":"st_01M0MBZ8ZEKMQP3G3V2KM579HW","type":"store","state":"live",)"
                    R"("name":"tenants/acme/stores/st_01M0MBZ8ZEKMQP3G3V2KM579HW",)"
                    R"("created":"2026-11-16T09:00:00.000Z"})"},
    Route{.method = Method::del,
          .pattern = "/v1/tenants/{tenant}/{collection}/{id}",
          .handler = retire_resource,
          .ability = Ability::retire,
          .tenant = TenantIn::path,
          .waits = true,
          .nested = true,
          .offers = kJson,
          .operation = "retireResource",
          .summary = "Ends it, and all below it. The ID never comes back.",
          .parameters = kResourceParameters,
          .answer = R"({"id":"st_01M0MBZ8ZEKMQP3G3V2KM579HW","type":"store","state":"deleted",)"
                    R"("deleted":"2026-11-16T09:00:00.000Z"})"},
    Route{.method = Method::post,
          .pattern = "/v1/tenants/{tenant}/{collection}/{id}:undelete",
          .handler = undelete_resource,
          .ability = Ability::retire,
          .tenant = TenantIn::path,
          .waits = true,
          .nested = true,
          .body_size_max = kSmallBody,
          .offers = kJson,
          .operation = "undeleteResource",
          .summary = "Brings it back, where its type allows that and the time is not over.",
          .parameters = kUndeleteParameters,
          .answer = R"({"id":"nt-01M0MBZ8ZEKMQP3G3V2KM579HW","type":"note","state":"live",)"
                    R"("name":"tenants/acme/notes/nt-01M0MBZ8ZEKMQP3G3V2KM579HW",)"
                    R"("created":"2026-11-16T09:00:00.000Z"})"},
    Route{.method = Method::get,
          .pattern = "/v1/resolve",
          .handler = resolve_resource,
          .listener = Listener::internal,
          .ability = Ability::resolve,
          .tenant = TenantIn::query,
          .waits = true,
          .offers = kJson,
          .operation = "resolveResource",
          .summary = "The 64-bit key of a public ID.",
          .parameters = kResolveParameters,
          .answer = R"({"id":"st_01M0MBZ8ZEKMQP3G3V2KM579HW","type":"store","state":"live",)"
                    R"("name":"tenants/acme/stores/st_01M0MBZ8ZEKMQP3G3V2KM579HW",)"
                    R"("created":"2026-11-16T09:00:00.000Z","key":"42"})"},
    Route{.method = Method::get,
          .pattern = "/v1/segments",
          .handler = list_segments,
          .listener = Listener::internal,
          .ability = Ability::segments,
          .waits = true,
          .offers = kJson,
          .operation = "listSegments",
          .summary = "Every scope, as the store knows it."},
    Route{.method = Method::get,
          .pattern = "/v1/segments/{scope}",
          .handler = get_segment,
          .listener = Listener::internal,
          .ability = Ability::segments,
          .waits = true,
          .offers = kJson,
          .operation = "getSegment",
          .summary = "A scope, as the store knows it.",
          .parameters = kScopeParameters,
          .answer = kScopeStateAnswer},
    Route{.method = Method::post,
          .pattern = "/v1/segments",
          .handler = create_segment,
          .listener = Listener::internal,
          .ability = Ability::admin,
          .waits = true,
          .body_size_max = kSmallBody,
          .offers = kJson,
          .operation = "createSegment",
          .summary = "Makes a scope, or finds it. One that is there and differs is 409.",
          .request = R"({"name":"REFUND","min":"1","max":"9223372036854775807","step":1000,)"
                     R"("order":"process","js_safe":false})",
          .answer = kScopeStateAnswer},
    Route{.method = Method::post,
          .pattern = "/v1/segments/{scope}:set-step",
          .handler = set_segment_step,
          .listener = Listener::internal,
          .ability = Ability::admin,
          .waits = true,
          .body_size_max = kSmallBody,
          .offers = kJson,
          .operation = "setSegmentStep",
          .summary = "How many numbers are drawn at least, from the next draw on.",
          .parameters = kScopeParameters,
          .request = R"({"step":500})",
          .answer = kScopeStateAnswer},
    Route{.method = Method::post,
          .pattern = "/v1/segments/{scope}:advance",
          .handler = advance_segment,
          .listener = Listener::internal,
          .ability = Ability::admin,
          .waits = true,
          .body_size_max = kSmallBody,
          .offers = kJson,
          .operation = "advanceSegment",
          .summary = "Lifts the mark and begins a new epoch: no number up to it is reserved again.",
          .parameters = kScopeParameters,
          .request = R"({"high_water":"5000"})",
          .answer = kScopeStateAnswer},
    Route{.method = Method::post,
          .pattern = "/v1/segments/{scope}:keep-fingerprint",
          .handler = keep_segment_fingerprint,
          .listener = Listener::internal,
          .ability = Ability::segments,
          .waits = true,
          .body_size_max = kSmallBody,
          .offers = kJson,
          .operation = "keepSegmentFingerprint",
          .summary = "Of the key of its short IDs. The first one stays, and is the answer.",
          .parameters = kScopeParameters,
          .request = R"({"fingerprint":"a1b2"})",
          .answer = R"({"fingerprint":"a1b2"})"},
    Route{.method = Method::get,
          .pattern = "/v1/segments/{scope}/ranges",
          .handler = list_ranges,
          .listener = Listener::internal,
          .ability = Ability::segments,
          .waits = true,
          .offers = kJson,
          .operation = "listRanges",
          .summary = "The range log: what was reserved, when, and for whom.",
          .parameters = kRangesParameters,
          .answer = R"({"ranges":[{"scope":"ORDER","first":"1","end":"101","epoch":"1",)"
                    R"("number":"1","holder":"shop-1/4711","key":"",)"
                    R"("drawn":"2026-11-16T09:00:00.000Z"}]})"},
    Route{.method = Method::post,
          .pattern = "/v1/segments/{scope}",
          .handler = draw_segment,
          .listener = Listener::internal,
          .ability = Ability::segments,
          .waits = true,
          .body_size_max = kSmallBody,
          .offers = kJson,
          .operation = "drawSegment",
          .summary = "Reserves the next numbers of a scope for the caller alone.",
          .parameters = kScopeParameters,
          .request = R"({"count":100,"holder":"shop-1/4711"})",
          .answer = R"({"first":"1","end":"101","epoch":"1","number":"1","repeated":false})"},
    Route{.method = Method::post,
          .pattern = "/v1/numbers/{scope}",
          .handler = take_numbers,
          .listener = Listener::internal,
          .ability = Ability::segments,
          .body_size_max = kSmallBody,
          .offers = kJson,
          .operation = "takeNumbers",
          .summary = "The next numbers of a scope, from what this service has drawn.",
          .parameters = kScopeParameters,
          .request = R"({"count":1})",
          .answer = R"({"segments":[{"first":"1","end":"2"}]})"},
    Route{.method = Method::get,
          .pattern = "/v1/leases",
          .handler = list_leases,
          .listener = Listener::internal,
          .ability = Ability::leases,
          .waits = true,
          .offers = kJson,
          .operation = "listLeases",
          .summary = "Every machine number that was ever claimed, and who has it, page by page.",
          .parameters = kLeasesParameters,
          .answer = kLeaseListAnswer},
    Route{.method = Method::post,
          .pattern = "/v1/leases/{scope}",
          .handler = claim_lease,
          .listener = Listener::internal,
          .ability = Ability::leases,
          .waits = true,
          .body_size_max = kSmallBody,
          .offers = kJson,
          .operation = "claimLease",
          .summary = "Leases the lowest machine number that is free. Not one that was asked for "
                     "before: a second call takes another.",
          .parameters = kScopeParameters,
          .request = R"({"layout":"twitter","holder":"shop-1/4711","ttl_ms":15000})",
          .answer = R"({"scope":"ORDER","layout":"1288834974657/1/t41.m10.s12","machine":0,)"
                    R"("token":"1","floor_ms":0,"ts_limit_ms":1794819615000,)"
                    R"("now_ms":1794819600000,"ttl_ms":15000})"},
    Route{.method = Method::post,
          .pattern = "/v1/leases/{scope}/{machine}:renew",
          .handler = renew_lease,
          .listener = Listener::internal,
          .ability = Ability::leases,
          .waits = true,
          .body_size_max = kSmallBody,
          .offers = kJson,
          .operation = "renewLease",
          .summary = "Lets a lease live on, and lifts its limit. 409 lease_lost: stop using it.",
          .parameters = kLeaseParameters,
          .request = R"({"token":"1","ttl_ms":15000})",
          .answer = R"({"ts_limit_ms":1794819615000,"now_ms":1794819600000,"ttl_ms":15000})"},
    Route{.method = Method::post,
          .pattern = "/v1/leases/{scope}/{machine}:release",
          .handler = release_lease,
          .listener = Listener::internal,
          .ability = Ability::leases,
          .waits = true,
          .body_size_max = kSmallBody,
          .offers = kJson,
          .operation = "releaseLease",
          .summary = "Ends a lease whose holder has stopped. Its limit stays.",
          .parameters = kLeaseParameters,
          .request = R"({"token":"1"})",
          .answer = kLeaseRecordAnswer},
};

}  // namespace

std::span<const Route> routes() noexcept { return kRoutes; }

}  // namespace tessera::service
