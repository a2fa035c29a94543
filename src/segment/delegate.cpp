// A range of a scope becomes a scope: draw first, then make.

#include "tessera/segment/delegate.h"

#include <string>
#include <utility>

#include "tessera/parse_error.h"

namespace tessera {
namespace {

using Code = Error::Code;

constexpr std::string_view kSome = "delegate/";
constexpr std::string_view kRest = "return/";

std::string range_text(const Segment& segment) {
  return std::to_string(segment.first) + ".." + std::to_string(segment.end - 1);
}

Error differs(const DelegateRequest& request, const Segment& there) {
  return {Code::key_reused,
          quoted(request.to) + " has " + std::to_string(there.size()) + " numbers of " +
              quoted(request.from) + ", " + range_text(there),
          "Ask for as many, or for a scope of another name."};
}

// The numbers that `to` has of `from`; nothing, if it is not there. already_exists, if it has
// others.
Result<std::optional<Delegation>, Error> find_done(SegmentPorts& source, SegmentPorts& target,
                                                   const DelegateRequest& request,
                                                   std::string_view key) {
  const auto there = target.segments().find(request.to);
  if (!there && there.error().code != Code::not_found) return Failure{there.error()};
  if (!there) return std::optional<Delegation>();
  const auto line = source.scopes().range_of(request.from, there->scope.min);
  if (!line) return Failure{line.error()};
  const Segment numbers{static_cast<std::uint64_t>(there->scope.min),
                        static_cast<std::uint64_t>(there->scope.max) + 1};
  if (!*line || (*line)->key != key || (*line)->segment != numbers) {
    return Failure{Error{Code::already_exists,
                         "there is a scope " + quoted(request.to) + ", and its numbers are not " +
                             "of " + quoted(request.from),
                         "Take another name."}};
  }
  if (request.count && *request.count != numbers.size()) return Failure{differs(request, numbers)};
  return std::optional(Delegation{numbers, *there, true});
}

// All that is left, to the last number.
Result<Segment, Error> draw_rest(SegmentPorts& source, const DelegateRequest& request,
                                 std::string_view key) {
  constexpr int kAttempts = 32;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto newest = source.scopes().ranges(request.from, 1);
    if (!newest) return Failure{newest.error()};
    // Behind it there is nothing: an earlier call got as far as this.
    if (!newest->empty() && newest->front().key == key) return newest->front().segment;
    const auto state = source.segments().find(request.from);
    if (!state) return Failure{state.error()};
    const std::uint64_t count = state->remaining();
    if (count == 0) {
      return Failure{Error{Code::exhausted, "nothing is left of " + quoted(request.from), ""}};
    }
    if (count > static_cast<std::uint64_t>(kDelegateMax)) {
      return Failure{Error{Code::invalid_request,
                           std::to_string(count) + " numbers are left of " + quoted(request.from),
                           "Say how many; at most " + std::to_string(kDelegateMax) + "."}};
    }
    const auto drawn = source.segments().draw(
        {.scope = request.from, .count = count, .holder = request.holder, .key = key});
    if (drawn) return drawn->segment;
    if (drawn.error().code != Code::exhausted) return Failure{drawn.error()};
    // Somebody has drawn meanwhile: then there is less.
  }
  return Failure{Error{Code::timed_out, "others draw from " + quoted(request.from),
                       "Stop them, and ask again."}};
}

Result<Segment, Error> draw_some(SegmentPorts& source, const DelegateRequest& request,
                                 std::string_view key) {
  const auto drawn = source.segments().draw(
      {.scope = request.from, .count = *request.count, .holder = request.holder, .key = key});
  if (!drawn) return Failure{drawn.error()};
  return drawn->segment;
}

}  // namespace

bool is_delegation_key(std::string_view key) noexcept {
  return key.starts_with(kSome) || key.starts_with(kRest);
}

Result<Delegation, Error> delegate(SegmentPorts& source, SegmentPorts& target,
                                   const DelegateRequest& request) {
  if (auto fault = fault_of(Scope{.name = std::string(request.to)})) {
    return Failure{*std::move(fault)};
  }
  const auto from = source.segments().find(request.from);
  if (!from) return Failure{from.error()};
  const std::string key = std::string(request.count ? kSome : kRest) + std::string(request.to);
  auto done = find_done(source, target, request, key);
  if (!done) return Failure{done.error()};
  if (*done) return **std::move(done);

  const auto segment =
      request.count ? draw_some(source, request, key) : draw_rest(source, request, key);
  if (!segment) return Failure{segment.error()};
  const Scope scope{.name = std::string(request.to),
                    .min = static_cast<std::int64_t>(segment->first),
                    .max = static_cast<std::int64_t>(segment->end - 1),
                    .step = request.step.value_or(from->scope.step),
                    .order = from->scope.order,
                    .js_safe = from->scope.js_safe};
  const auto made = target.scopes().create(scope);
  if (!made) {
    Error error = made.error();
    error.message += "; " + range_text(*segment) + " of " + quoted(request.from) + " are reserved";
    return Failure{std::move(error)};
  }
  return Delegation{*segment, *made, false};
}

}  // namespace tessera
