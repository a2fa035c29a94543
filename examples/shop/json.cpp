// Boost.JSON itself, so that nothing has to be linked for it.

#include <boost/json/src.hpp>
