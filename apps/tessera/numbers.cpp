// Draws numbers and prints them.

#include "numbers.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "output.h"
#include "progress.h"
#include "settings.h"
#include "tessera/json.h"
#include "tessera/parse_error.h"

namespace tessera::cli {
namespace {

constexpr std::uint64_t kCountMax = std::uint64_t{1} << 40;

void print_each(Output& out, const Segment& segment, char separator) {
  for (std::uint64_t number = segment.first; number != segment.end; ++number) {
    std::array<char, 24> text{};
    char* end = std::to_chars(text.data(), text.data() + text.size() - 1, number).ptr;
    *end++ = separator;
    out.write({text.data(), static_cast<std::size_t>(end - text.data())});
  }
}

void print_range(Output& out, const Args& args, std::string_view scope, const Draw& draw) {
  if (args.has("json")) {
    JsonWriter json;
    json.begin_object().key("scope").value(scope).key("first").value(draw.segment.first);
    json.key("last").value(draw.segment.end - 1).key("count").value(draw.segment.size());
    out.line(json.key("repeated").value(draw.repeated).end_object().text());
    return;
  }
  out.line(std::to_string(draw.segment.first) + "\t" + std::to_string(draw.segment.end - 1));
}

}  // namespace

std::string holder_name(std::string_view role) {
  std::array<char, 65> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  std::string name = printable(host.data(), 64);
  return name + "/" + std::to_string(::getpid()) + "/" + std::string(role);
}

Result<Draw, Error> draw(SegmentPorts& store, const Config& config, const DrawRequest& request) {
  auto drawn = store.segments().draw(request);
  if (drawn || drawn.error().code != Error::Code::not_found) return drawn;
  const ScopeConfig* declared = config.find_scope(request.scope);
  if (declared == nullptr) {
    return Failure{Error{Error::Code::not_found,
                         "there is no scope '" + printable(request.scope) + "'",
                         "To make it: tessera segment create " + printable(request.scope)}};
  }
  if (const auto made = store.scopes().create(scope_of(config, *declared)); !made) {
    return Failure{made.error()};
  }
  return store.segments().draw(request);
}

Exit draw_numbers(const Args& args, SegmentPorts& store, const Config& config,
                  std::string_view scope, const std::function<void(const Draw&)>& use) {
  const auto count = args.number("count", 1, kCountMax);
  if (!count) return usage_error(count.error().message, count.error().hint);
  const std::uint64_t wanted = count->value_or(1);
  const std::string_view key = args.value_or("key", "");
  if (!key.empty() && wanted > static_cast<std::uint64_t>(Scope::kDrawMax)) {
    return usage_error("--key: one draw has at most " + std::to_string(Scope::kDrawMax) +
                       " numbers");
  }
  Output& out = Output::standard();
  const std::string holder = holder_name();
  Progress progress("drawing", wanted, Progress::Answers::are_streamed);
  for (std::uint64_t done = 0; done < wanted;) {
    const DrawRequest request{.scope = scope,
                              .count = std::min<std::uint64_t>(wanted - done, Scope::kDrawMax),
                              .holder = holder,
                              .key = key};
    const auto drawn = draw(store, config, request);
    if (!drawn) {
      out.flush();
      return complain_of(drawn.error());
    }
    use(*drawn);
    done += drawn->segment.size();
    progress.update(done);
  }
  return Exit::good;
}

Exit print_numbers(const Args& args, SegmentPorts& store, const Config& config,
                   std::string_view scope, Numbers how) {
  Output& out = Output::standard();
  return draw_numbers(args, store, config, scope, [&](const Draw& draw) {
    if (how == Numbers::as_range || args.has("json")) {
      print_range(out, args, scope, draw);
    } else {
      print_each(out, draw.segment, args.has("null") ? '\0' : '\n');
    }
  });
}

}  // namespace tessera::cli
