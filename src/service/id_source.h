#pragma once

// IdSource: IDs of one kind, written one after the other as an answer has them.
//
//    application/json            {"ids":["01M0…","01M0…"]}
//    text/plain                  one a line
//    application/octet-stream    the bytes, without anything between them
//
// IdStream makes a long answer of a source while it is sent, so that a million IDs need no more
// memory than a thousand.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/message.h"
#include "tessera/error.h"
#include "tessera/kind.h"
#include "tessera/random_id.h"
#include "tessera/segment/store.h"
#include "tessera/service/snowflakes.h"
#include "tessera/short_id.h"
#include "tessera/snowflake.h"
#include "tessera/type_table.h"

namespace tessera::service {

class IdSource {
 public:
  explicit IdSource(Media media) noexcept : media_(media) {}
  virtual ~IdSource() = default;

  // Appends `count` more. On an error what was appended may not be used.
  virtual std::optional<MintError> append(std::string& out, std::size_t count) = 0;

  // Around them all; end() right behind the last, in the same text.
  void begin(std::string& out) const;
  void end(std::string& out) const;

 protected:
  void add(std::string& out, std::string_view text, std::span<const std::uint8_t> bytes);

  const Media media_;
};

// What is to be made. Views and pointers outlive the making of the source, not the source.
struct WantedIds {
  Kind kind = Kind::ulid;
  std::uint64_t count = 1;
  ResourceType type{};  // of public ones
  unsigned bits = 120;  // of random ones
  CheckCount check = CheckCount::one;
  Snowflakes::Series* series = nullptr;  // of snowflakes
};

// Null if the kind has no bytes, and bytes are asked for; or if it is none that is made so.
std::unique_ptr<IdSource> make_source(const WantedIds& wanted, Media media);
// Of numbers that are drawn already. Not as bytes.
std::unique_ptr<IdSource> make_source(std::vector<Segment> numbers, Media media);
std::unique_ptr<IdSource> make_source(std::vector<ShortId> ids, Media media);
std::unique_ptr<IdSource> make_source(std::vector<Snowflake> ids, Media media);

class IdStream final : public BodySource {
 public:
  IdStream(std::unique_ptr<IdSource> source, std::uint64_t count)
      : source_(std::move(source)), left_(count) {}

  bool fill(std::string& buffer, std::size_t size) override;
  bool failed() const noexcept override { return failed_; }

 private:
  std::unique_ptr<IdSource> source_;
  std::uint64_t left_;
  bool begun_ = false;
  bool failed_ = false;
};

}  // namespace tessera::service
