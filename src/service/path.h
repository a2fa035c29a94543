#pragma once

// Paths and queries, decoded strictly and once.
//
//    /v1/ids/user%5F01h4…        three parts: v1, ids, user_01h4…
//    page_size=10&page_token=x   two pairs
//
// After decoding there may be no % / \ ; nor anything that is not printable ASCII, no part of dots,
// and no empty part but behind the last slash: what one reader splits and another does not is
// refused. In a query + is itself, as in an ID of base64.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "service/problem.h"

namespace tessera::service {

class Path {
 public:
  static constexpr std::size_t kPartsMax = 24;

  // False: the path is malformed. Views are into `text`, or into this object.
  bool parse(std::string_view text);

  std::span<const std::string_view> parts() const noexcept { return {parts_.data(), count_}; }
  std::string_view operator[](std::size_t index) const noexcept { return parts_[index]; }
  bool ends_with_slash() const noexcept { return ends_with_slash_; }

 private:
  std::array<std::string_view, kPartsMax> parts_;
  std::size_t count_ = 0;
  bool ends_with_slash_ = false;
  std::string decoded_;
};

// The query of a request, whose names are known beforehand.
//
//   Query query(request.query, kNames);
//   query.text("kind");
//   if (query.has_fault()) return query.refuse(answer);
class Query {
 public:
  static constexpr std::size_t kPairsMax = 16;

  Query(std::string_view text, std::span<const std::string_view> names);
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // Nothing if it is not there.
  std::optional<std::string_view> text(std::string_view name) const noexcept;
  std::optional<std::uint64_t> number(std::string_view name, std::uint64_t min, std::uint64_t max);
  void require(std::string_view name);
  void refuse(Fault fault, std::string_view name, std::string detail, std::string hint = {});

  bool has_fault() const noexcept { return fault_.has_value(); }
  void set_problem(Answer& answer) const;

 private:
  struct Pair {
    std::string_view name, value;
  };
  struct Wrong {
    Fault fault;
    std::string name, detail, hint;
  };

  std::array<Pair, kPairsMax> pairs_{};
  std::size_t count_ = 0;
  std::string decoded_;
  std::optional<Wrong> fault_;
};

// A whole number without sign or leading zeros; nothing if it is none, or has more than 64 bits.
std::optional<std::uint64_t> parse_whole(std::string_view text) noexcept;

}  // namespace tessera::service
