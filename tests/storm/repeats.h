#pragma once

// The search for IDs that occur twice, in bounded memory and without a file of its own.
//
//    log -> fingerprints of 64 bits, one share of them in each pass -> sort -> equal ones
//    log -> the IDs that have those fingerprints -> compare in full
//
// A share is a range of fingerprints and fits in the given memory: a billion IDs at 512 MiB
// are read seventeen times. Two fingerprints are equal by chance once in 37 billions of
// billions, so the last step has little to do; it makes the answer exact.

#include <string>

#include "check.h"

namespace storm {

// Sets `repeated` and adds findings. `id_count` is known.
void find_repeats(const std::string& path, const CheckOptions& options, Verdict& verdict);

// Depends on all `size` bytes of an ID, 8 to 20.
std::uint64_t fingerprint(const std::uint8_t* id, std::size_t size) noexcept;

// "0190b5a1... of stream 17 (fork storm, depth 2)"
std::string describe_id(const BlockHead& head, const std::uint8_t* id, std::size_t size);

}  // namespace storm
