#pragma once

// Routes: every path of the service as a row of a table. Matching, rights, limits, the OpenAPI
// document and the tests are all made of it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/message.h"
#include "service/path.h"
#include "tessera/service/tokens.h"

namespace tessera::service {

struct Call;
using Handler = Outcome (*)(Call&);

enum class Listener : std::uint8_t { both, internal };

// Where a route names the tenant that it is about.
enum class TenantIn : std::uint8_t { nowhere, path, query };

// What is described of a parameter. Those of the path are found in the pattern.
struct Parameter {
  enum class In : std::uint8_t { path, query, header };

  In in = In::query;
  std::string_view name;
  std::string_view about;
  std::string_view example = {};  // empty: left out in the example of the route
  bool number = false;
  bool required = false;
};

struct Route {
  Method method = Method::get;
  std::string_view pattern;  // "{id}" stands for one part
  Handler handler = nullptr;
  Listener listener = Listener::both;
  bool open = false;                 // no token is asked for
  std::optional<Ability> ability{};  // without it any token will do
  TenantIn tenant = TenantIn::nowhere;
  bool waits = false;    // always asks a store
  bool nested = false;   // behind {tenant}, pairs of collection and ID may stand before the rest
  bool is_page = false;  // of the console: for browsers, and not in the OpenAPI document
  std::size_t body_size_max = 0;
  std::span<const Media> offers{};  // the first is the usual one

  // For the OpenAPI document, where every example is true.
  std::string_view operation;
  std::string_view summary;
  std::span<const Parameter> parameters{};
  std::string_view request = {};  // JSON; empty: no body
  int status = 200;
  std::string_view answer = {};  // JSON; empty: not JSON, or nothing
};

std::span<const Route> routes() noexcept;

// Finds the route of a request. A value that does not change.
class RouteTable {
 public:
  explicit RouteTable(std::span<const Route> routes);

  struct Match {
    const Route* route = nullptr;  // null: there is none, or none with this method
    std::size_t number = 0;        // of the route
    std::string_view allow{};      // if the path is known: its methods; lives with the table
    bool malformed = false;        // the path is none
  };
  // HEAD finds the route of GET. `path` gets the parts, unless the path has no parameter.
  Match find(Method method, std::string_view text, bool internal, Path& path) const;

 private:
  struct Row {
    std::vector<std::string_view> parts;  // of the pattern; empty if it has no parameter
    std::string allow[2];                 // on a public listener, on an internal one
  };
  bool matches(const Row& row, const Route& route, const Path& path) const noexcept;

  std::span<const Route> routes_;
  std::vector<Row> rows_;
};

std::string_view name_of(Method method) noexcept;  // "DELETE"

}  // namespace tessera::service
