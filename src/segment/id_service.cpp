// The service: declarations checked, names looked up, errors put into words.

#include "tessera/segment/id_service.h"

#include <utility>

#include "tessera/parse_error.h"

namespace tessera {
namespace {

Error not_declared(const char* what, std::string_view name) {
  return Error{Error::Code::not_found, std::string("there is no ") + what + " " + quoted(name),
               std::string("Declare it; the name of a ") + what + " is compared letter by letter."};
}

Error bad_type(const ResourceType& type, TypeError error) {
  return Error{Error::Code::invalid_request,
               "type " + quoted(type.name) + " with prefix " + quoted(type.prefix) + ": " +
                   std::string(describe(error)),
               ""};
}

}  // namespace

IdService::IdService(Clock& clock, MonotonicClock& monotonic, std::size_t draws_max, bool enabled)
    : clock_(clock), enabled_(enabled), refiller_(monotonic, draws_max) {}

IdService::~IdService() { close(); }

void IdService::close() {
  for (const auto& allocator : allocators_) allocator->close();
}

Result<std::unique_ptr<IdService>, Error> IdService::make(const IdServiceOptions& options,
                                                          SegmentStore& store, Clock& clock,
                                                          MonotonicClock& monotonic,
                                                          Witness* witness) {
  std::unique_ptr<IdService> service(
      new IdService(clock, monotonic, options.draws_max, options.enabled));
  for (const ResourceType& type : options.types) {
    if (const auto added = service->types_.add(type); !added) {
      return Failure{bad_type(type, added.error())};
    }
  }
  service->names_.reserve(options.scopes.size() + options.shorts.size());  // views into it stay
  for (const Scope& scope : options.scopes) {
    if (auto error = fault_of(scope)) return Failure{*std::move(error)};
    const auto added = service->add_scope(scope, options.allocator, store, monotonic, witness);
    if (!added) return Failure{added.error()};
  }
  for (const ShortScope& declared : options.shorts) {
    const auto cipher = ShortCipher::make(declared.space, declared.key);
    if (!cipher) return Failure{cipher.error()};
    const Scope scope = ShortIds::scope_of(declared.space, declared.step);
    if (auto error = fault_of(scope)) return Failure{*std::move(error)};
    const auto added = service->add_scope(scope, options.allocator, store, monotonic, witness);
    if (!added) return Failure{added.error()};
    service->shorts_.emplace(service->names_.back(), ShortIds(*cipher, **added));
  }
  return service;
}

Result<SegmentAllocator*, Error> IdService::add_scope(const Scope& scope,
                                                      const AllocatorOptions& options,
                                                      SegmentStore& store,
                                                      MonotonicClock& monotonic, Witness* witness) {
  const std::string& name = names_.emplace_back(scope.name);
  AllocatorOptions own = options;
  own.jitter_seed += names_.size();  // scopes that fail together come back apart
  allocators_.push_back(std::make_unique<SegmentAllocator>(scope, store, refiller_, monotonic,
                                                           witness, std::move(own)));
  SegmentAllocator& allocator = *allocators_.back();
  const IdScope handle(name, allocator);
  if (!by_name_.emplace(name, handle).second) {
    return Failure{
        Error{Error::Code::already_exists, "scope " + quoted(name) + " is declared twice", ""}};
  }
  scopes_.push_back(handle);
  return &allocator;
}

Error IdService::not_made(MintError error) {
  // What store_unavailable says of a store.
  const auto code =
      error == MintError::too_far_ahead ? Error::Code::overloaded : Error::Code::store_unavailable;
  return Error{code, "could not make an ID: " + std::string(describe(error)), ""};
}

Error IdService::switched_off() {
  return Error{Error::Code::closed, "this service is switched off", "Set enabled to true."};
}

Result<IdScope, Error> IdService::scope(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return Failure{not_declared("scope", name)};
  return found->second;
}

Result<const ResourceType*, Error> IdService::type(std::string_view name) const {
  const ResourceType* found = types_.find_by_name(name);
  if (found == nullptr) return Failure{not_declared("type", name)};
  return found;
}

SegmentAllocator* IdService::allocator(std::string_view scope) const noexcept {
  const auto found = by_name_.find(scope);
  return found == by_name_.end() ? nullptr : found->second.allocator_;
}

Result<std::int64_t, Error> IdService::next_long(std::string_view scope,
                                                 std::chrono::milliseconds wait) {
  const auto found = this->scope(scope);
  if (!found) return Failure{found.error()};
  return next_long(*found, wait);
}

Result<std::vector<Segment>, Error> IdService::next_longs(const IdScope& scope, std::uint64_t count,
                                                          std::chrono::milliseconds wait) {
  if (!enabled_) return Failure{switched_off()};
  return scope.allocator_->next_range(count, wait);
}

Result<std::vector<Segment>, Error> IdService::next_longs(std::string_view scope,
                                                          std::uint64_t count,
                                                          std::chrono::milliseconds wait) {
  const auto found = this->scope(scope);
  if (!found) return Failure{found.error()};
  return next_longs(*found, count, wait);
}

Result<Segment, Error> IdService::next_longs_in_a_row(const IdScope& scope, std::uint64_t count,
                                                      std::chrono::milliseconds wait) {
  if (!enabled_) return Failure{switched_off()};
  return scope.allocator_->next_contiguous(count, wait);
}

Result<Segment, Error> IdService::next_longs_in_a_row(std::string_view scope, std::uint64_t count,
                                                      std::chrono::milliseconds wait) {
  const auto found = this->scope(scope);
  if (!found) return Failure{found.error()};
  return next_longs_in_a_row(*found, count, wait);
}

Result<Draw, Error> IdService::next_longs_once(std::string_view scope, std::uint64_t count,
                                               std::string_view key,
                                               std::chrono::milliseconds wait) {
  const auto found = this->scope(scope);
  if (!found) return Failure{found.error()};
  if (!enabled_) return Failure{switched_off()};
  return found->allocator_->next_keyed(count, key, wait);
}

Result<ShortId, Error> IdService::next_short(std::string_view scope,
                                             std::chrono::milliseconds wait) {
  const auto found = shorts_.find(scope);
  if (found == shorts_.end()) return Failure{not_declared("scope of short IDs", scope)};
  if (!enabled_) return Failure{switched_off()};
  return found->second.next(wait);
}

Result<std::vector<ShortId>, Error> IdService::next_shorts(std::string_view scope,
                                                           std::uint64_t count,
                                                           std::chrono::milliseconds wait) {
  const auto found = shorts_.find(scope);
  if (found == shorts_.end()) return Failure{not_declared("scope of short IDs", scope)};
  if (!enabled_) return Failure{switched_off()};
  return found->second.next(count, wait);
}

Result<ShortId, Error> IdService::short_of(std::string_view scope, std::int64_t number) const {
  const auto found = shorts_.find(scope);
  if (found == shorts_.end()) return Failure{not_declared("scope of short IDs", scope)};
  return found->second.id_of(static_cast<std::uint64_t>(number));
}

Result<ShortId, Error> IdService::check_short(std::string_view scope, std::string_view text) const {
  const auto found = shorts_.find(scope);
  if (found == shorts_.end()) return Failure{not_declared("scope of short IDs", scope)};
  const ShortCipher& cipher = found->second.cipher();
  const auto id = ShortId::parse(text, cipher.bits());
  const auto number = id ? cipher.decrypt(*id) : Failure{id.error()};
  if (!number) {
    return Failure{
        Error{Error::Code::invalid_request,
              "not a short ID of scope " + quoted(scope) + ": " + describe(number.error(), text),
              std::string(error_text(number.error().code).hint)}};
  }
  return *id;
}

Result<Ulid, Error> IdService::next_ulid() {
  if (!enabled_) return Failure{switched_off()};
  const auto id = Ulid::generate();
  if (!id) return Failure{not_made(id.error())};
  return *id;
}

Result<TypedId, Error> IdService::next_public_id(const ResourceType& type) {
  if (!enabled_) return Failure{switched_off()};
  const auto id = TypeTable::generate(type);
  if (!id) return Failure{not_made(id.error())};
  return *id;
}

Result<TypedId, Error> IdService::next_public_id(std::string_view type) {
  const auto found = this->type(type);
  if (!found) return Failure{found.error()};
  return next_public_id(**found);
}

Result<TypedId, Error> IdService::check(std::string_view type, std::string_view text) const {
  const auto found = this->type(type);
  if (!found) return Failure{found.error()};
  const auto id = TypeTable::check(**found, text, clock_.now_ms());
  if (!id) {
    return Failure{Error{Error::Code::invalid_request,
                         "not an ID of type " + quoted(type) + ": " + describe(id.error(), text),
                         std::string(error_text(id.error().code).hint)}};
  }
  return *id;
}

}  // namespace tessera
