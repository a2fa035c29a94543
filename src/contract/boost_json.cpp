// Boost.JSON itself, so that nothing has to be linked for it. The room `service` has the same: a
// program that links both takes one of them.

#include <boost/json/src.hpp>
