#pragma once

// The parts of a storm. Each is run in a process of its own that has minted nothing before.

#include "process.h"

namespace storm {

inline constexpr unsigned kProcesses = 8;  // of the fork storm
inline constexpr unsigned kThreads = 4;    // of each of them
inline constexpr std::uint64_t kChildIdsMax = 1024;
inline constexpr unsigned kTurns = kSanitized ? 5'000 : 50'000;  // of each of two threads
inline constexpr unsigned kFirstUses = kSanitized ? 50 : 200;

// Threads mint and fork at random moments; children mint, and fork again, to depth 3.
void fork_storm(Storm& storm, unsigned process);

// The last moment at which a copied generator could still agree with its twin: forks inside a
// millisecond that has just begun, and both sides mint at once.
void fork_in_fresh_ms(Storm& storm);
void clone_in_fresh_ms(Storm& storm);

// Children that are all process 1, in namespaces within namespaces.
void nest_pid_namespaces(Storm& storm);

// Two threads hand a turn to each other. Their IDs are one stream: what is made later, by
// whichever thread, is larger.
void take_turns(Storm& storm);

// A process forks while its threads mint for the very first time. The child must neither
// repeat them nor hang in what they had begun to set up.
void fork_at_first_use(Storm& storm, std::uint64_t delay);

}  // namespace storm
