// Another file of the same program: it includes the header too, and implements nothing.

#include "tessera.hpp"

tessera::Ulid other_ulid() { return tessera::Ulid{}; }
