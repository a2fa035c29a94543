// Makes IDs in batches, and writes them.

#include "service/id_source.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "tessera/ksuid.h"
#include "tessera/objectid.h"
#include "tessera/public_id.h"
#include "tessera/snowflake.h"
#include "tessera/ulid.h"
#include "tessera/uuid.h"

namespace tessera::service {
namespace {

constexpr std::size_t kBatch = 256;  // with their text they stay in the fastest cache

using Made = Result<std::size_t, MintError>;

// Kinds that make batches, and whose texts are all of one size.
template <class Id>
class BatchSource final : public IdSource {
 public:
  using Generate = Made (*)(std::span<Id>) noexcept;
  BatchSource(Media media, Generate generate) noexcept : IdSource(media), generate_(generate) {}

  std::optional<MintError> append(std::string& out, std::size_t count) override {
    if (count == 1) return append<1>(out, count);  // a whole batch would be zeroed first
    return append<kBatch>(out, count);
  }

 private:
  template <std::size_t Size>
  std::optional<MintError> append(std::string& out, std::size_t count) {
    std::array<Id, Size> ids;
    while (count > 0) {
      const auto batch = std::span(ids).first(std::min(count, Size));
      if (const Made made = generate_(batch); !made) return made.error();
      write(out, batch);
      count -= batch.size();
    }
    return std::nullopt;
  }

  void write(std::string& out, std::span<const Id> ids) {
    if (media_ == Media::bytes) {
      for (const Id& id : ids) {
        out.append(reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size());
      }
      return;
    }
    const bool json = media_ == Media::json;
    const std::size_t line = Id::kTextSize + (json ? 3 : 1);
    const std::size_t start = out.size();
    out.resize(start + ids.size() * line);
    char* at = out.data() + start;
    if (!json) {
      if constexpr (std::is_same_v<Id, Ulid>) {
        write_texts(ids, '\n', {at, ids.size() * line});
        return;
      }
    }
    for (const Id& id : ids) {
      if (json) *at++ = '"';
      id.write_text(std::span<char, Id::kTextSize>(at, Id::kTextSize));
      at += Id::kTextSize;
      if (json) *at++ = '"';
      *at++ = json ? ',' : '\n';
    }
  }

  Generate generate_;
};

class ObjectIdSource final : public IdSource {
 public:
  using IdSource::IdSource;
  std::optional<MintError> append(std::string& out, std::size_t count) override {
    for (; count > 0; --count) {
      const auto id = ObjectId::generate();
      if (!id) return id.error();
      add(out, id->text().view(), id->bytes);
    }
    return std::nullopt;
  }
};

class RandomSource final : public IdSource {
 public:
  RandomSource(Media media, unsigned bits, CheckCount check) noexcept
      : IdSource(media), bits_(bits), check_(check) {}
  std::optional<MintError> append(std::string& out, std::size_t count) override {
    for (; count > 0; --count) {
      const auto id = RandomId::generate(bits_, RandomId::Symbols::plain);
      if (!id) return id.error();
      add(out, id->text(check_).view(), id->bytes());
    }
    return std::nullopt;
  }

 private:
  unsigned bits_;
  CheckCount check_;
};

class PublicSource final : public IdSource {
 public:
  PublicSource(Media media, ResourceType type) : IdSource(media), type_(std::move(type)) {}
  std::optional<MintError> append(std::string& out, std::size_t count) override {
    const bool is_ulid = type_.style == PublicStyle::ulid || type_.style == PublicStyle::checked;
    return is_ulid ? append_bodies<Ulid>(out, count, Ulid::generate)
                   : append_bodies<Uuid>(out, count, Uuid::generate_v7);
  }

 private:
  template <class Body>
  std::optional<MintError> append_bodies(std::string& out, std::size_t count,
                                         Made (*generate)(std::span<Body>) noexcept) {
    std::array<Body, kBatch> bodies;
    while (count > 0) {
      const auto batch = std::span(bodies).first(std::min(count, kBatch));
      if (const Made made = generate(batch); !made) return made.error();
      for (const Body& body : batch) {
        const auto text = public_id::write(type_.prefix, body.bytes, type_.style, type_.separator);
        add(out, text.view(), body.bytes);
      }
      count -= batch.size();
    }
    return std::nullopt;
  }

  ResourceType type_;
};

class SegmentSource final : public IdSource {
 public:
  SegmentSource(Media media, std::vector<Segment> numbers)
      : IdSource(media), numbers_(std::move(numbers)) {}
  std::optional<MintError> append(std::string& out, std::size_t count) override {
    for (; count > 0; --count) {
      while (at_ < numbers_.size() && numbers_[at_].size() == 0) ++at_;
      if (at_ == numbers_.size()) return MintError::exhausted;  // not if as many were drawn
      add(out, Snowflake{numbers_[at_].first++}.text().view(), {});
    }
    return std::nullopt;
  }

 private:
  std::vector<Segment> numbers_;
  std::size_t at_ = 0;
};

// IDs that are made already.
template <class Id>
class HeldSource final : public IdSource {
 public:
  HeldSource(Media media, std::vector<Id> ids) : IdSource(media), ids_(std::move(ids)) {}
  std::optional<MintError> append(std::string& out, std::size_t count) override {
    for (; count > 0; --count) {
      if (at_ == ids_.size()) return MintError::exhausted;  // not if as many were made
      add(out, ids_[at_++].text().view(), {});
    }
    return std::nullopt;
  }

 private:
  std::vector<Id> ids_;
  std::size_t at_ = 0;
};

template <class Id>
std::unique_ptr<IdSource> make_batches(Media media, Made (*generate)(std::span<Id>) noexcept) {
  return std::make_unique<BatchSource<Id>>(media, generate);
}

}  // namespace

void IdSource::begin(std::string& out) const {
  if (media_ == Media::json) out += "{\"ids\":[";
}

void IdSource::end(std::string& out) const {
  if (media_ != Media::json) return;
  if (out.ends_with(',')) out.pop_back();
  out += "]}";
}

void IdSource::add(std::string& out, std::string_view text, std::span<const std::uint8_t> bytes) {
  if (media_ == Media::bytes) {
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return;
  }
  if (media_ != Media::json) {
    out.append(text) += '\n';
    return;
  }
  ((out += '"').append(text)) += "\",";  // no text of ours has a character that JSON escapes
}

std::unique_ptr<IdSource> make_source(const WantedIds& wanted, Media media) {
  switch (wanted.kind) {
    case Kind::ulid: return make_batches<Ulid>(media, Ulid::generate);
    case Kind::uuidv1: return make_batches<Uuid>(media, Uuid::generate_v1);
    case Kind::uuidv4: return make_batches<Uuid>(media, Uuid::generate_v4);
    case Kind::uuidv6: return make_batches<Uuid>(media, Uuid::generate_v6);
    case Kind::uuidv7: return make_batches<Uuid>(media, Uuid::generate_v7);
    case Kind::ksuid: return make_batches<Ksuid>(media, Ksuid::generate);
    case Kind::objectid: return std::make_unique<ObjectIdSource>(media);
    case Kind::random:
      if (media == Media::bytes && wanted.bits % 8 != 0) return nullptr;
      return std::make_unique<RandomSource>(media, wanted.bits, wanted.check);
    case Kind::public_id: return std::make_unique<PublicSource>(media, wanted.type);
    case Kind::uuidv3:
    case Kind::uuidv5:
    case Kind::uuidv8:
    case Kind::snowflake:
    case Kind::short_id: break;
  }
  return nullptr;
}

std::unique_ptr<IdSource> make_source(std::vector<Segment> numbers, Media media) {
  return std::make_unique<SegmentSource>(media, std::move(numbers));
}

std::unique_ptr<IdSource> make_source(std::vector<ShortId> ids, Media media) {
  return std::make_unique<HeldSource<ShortId>>(media, std::move(ids));
}

std::unique_ptr<IdSource> make_source(std::vector<Snowflake> ids, Media media) {
  return std::make_unique<HeldSource<Snowflake>>(media, std::move(ids));
}

bool IdStream::fill(std::string& buffer, std::size_t size) {
  if (!std::exchange(begun_, true)) source_->begin(buffer);
  const std::size_t end = buffer.size() + size;
  while (left_ > 0 && buffer.size() < end) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, kBatch));
    if (source_->append(buffer, count)) {
      failed_ = true;
      return false;
    }
    left_ -= count;
  }
  if (left_ > 0) return true;
  source_->end(buffer);
  return false;
}

}  // namespace tessera::service
