#pragma once

// The handlers, by subject. Each file of handle_x.cpp has one group.

#include "service/call.h"

namespace tessera::service {

// IDs that nobody keeps.
Outcome mint_ids(Call& call);
Outcome inspect_id(Call& call);
Outcome check_ids(Call& call);
Outcome range_of_ids(Call& call);
Outcome odds_of_ids(Call& call);

// Declarations.
Outcome list_types(Call& call);
Outcome list_scopes(Call& call);

// The registry.
Outcome create_resource(Call& call);
Outcome get_resource(Call& call);
Outcome retire_resource(Call& call);
Outcome undelete_resource(Call& call);
Outcome list_resources(Call& call);
Outcome resolve_resource(Call& call);

// Numbers.
Outcome draw_segment(Call& call);
Outcome take_numbers(Call& call);
Outcome list_segments(Call& call);
Outcome get_segment(Call& call);

// What another Tessera asks, whose store this one is.
Outcome create_segment(Call& call);
Outcome set_segment_step(Call& call);
Outcome advance_segment(Call& call);
Outcome keep_segment_fingerprint(Call& call);
Outcome list_ranges(Call& call);

// Machine numbers.
Outcome claim_lease(Call& call);
Outcome renew_lease(Call& call);
Outcome release_lease(Call& call);
Outcome list_leases(Call& call);

// How the service is.
Outcome tell_health(Call& call);
Outcome tell_readiness(Call& call);
Outcome tell_metrics(Call& call);
Outcome tell_openapi(Call& call);
Outcome show_page(Call& call);
Outcome show_asset(Call& call);

}  // namespace tessera::service
