// A public ID in the source must have a prefix: it is what names the type.
// EXPECT: prefix must match

#include "tessera/public_id.h"

using namespace tessera::literals;

constexpr auto kGood = "user_01h455vb4pex5vsknk084sn02q"_id;

#ifdef SHOULD_FAIL
constexpr auto kBare = "01h455vb4pex5vsknk084sn02q"_id;
#endif
