#pragma once

// TESSERA_NEAR: of a thread_local, that it lies where the thread begins, at a place that is known
// when the library is loaded.
//
// A shared library must else ask for the place with every access, by a call; and the first one of a
// thread allocates, which a handler of a signal must not. It costs room that glibc keeps for
// libraries that are loaded later, about 1.6 kB for all of them: so for a few words only. Other C
// libraries keep none, and would not load us.

#include <cstddef>  // says which C library it is

#if defined(__GLIBC__)
#define TESSERA_NEAR [[gnu::tls_model("initial-exec")]]
#else
#define TESSERA_NEAR
#endif
