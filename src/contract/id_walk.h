#pragma once

// Walks through JSON and judges what looks like an ID.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/id_value.h"
#include "contract/json_reader.h"
#include "tessera/contract/declared.h"
#include "tessera/contract/finding.h"

namespace tessera::contract {

// Findings, one for each rule and path.
class Tally {
 public:
  explicit Tally(std::size_t count_max) : count_max_(count_max) {}

  void add(Finding finding);
  // All of `other`, which is empty then.
  void take(Tally& other);
  void clear();

  const Findings& findings() const noexcept { return findings_; }
  std::uint64_t left_off() const noexcept { return left_off_; }

 private:
  std::size_t count_max_;
  Findings findings_;
  std::map<std::pair<RuleId, std::string>, std::size_t> places_;
  std::uint64_t left_off_ = 0;
};

class IdWalk final : public JsonListener {
 public:
  enum class Side : std::uint8_t { response, request };

  IdWalk(std::string file, const Declared& declared, Tally& tally)
      : file_(std::move(file)), declared_(declared), tally_(tally) {}

  // A new document; `above` stands in front of its paths.
  void start(Side side, std::string above);
  void set_line(std::uint64_t line) noexcept { line_ = line; }

  void begin_object() override { push(false); }
  void end_object() override { pop(); }
  void begin_array() override { push(true); }
  void end_array() override { pop(); }
  void key(std::string_view name) override;
  void text(std::string_view piece, bool last) override;
  void number(bool whole) override;
  void literal(std::string_view) override {}
  void end_value() override { frames_.clear(); }

  // "/data/*/store_id"
  std::string path() const;

 private:
  struct Frame {
    bool array = false;
    std::string name;  // the key under which it stands, also through arrays
    std::string key;   // the one read last
  };

  void push(bool array);
  void pop() {
    if (!frames_.empty()) frames_.pop_back();
  }
  IdField field() const;
  void check_choice(const IdField& field);
  void report(const IdFault& fault);

  std::string file_;
  const Declared& declared_;
  Tally& tally_;
  Side side_ = Side::response;
  std::string above_;
  std::uint64_t line_ = 1;
  std::vector<Frame> frames_;
  std::string text_;
  bool too_long_ = false;
};

}  // namespace tessera::contract
