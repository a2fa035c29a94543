// Answers of an API. A HAR file is known by how it begins: {"log": {"version": ...
//
//    bytes -> JsonReader -> Har -+-> IdWalk                        (not a HAR)
//                                +-> JsonReader -> IdWalk          (the text of a body)

#include "tessera/contract/responses.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "contract/id_walk.h"
#include "contract/json_reader.h"
#include "tessera/parse_error.h"

namespace tessera::contract {
namespace {

// "GET /orders/*", and what is wrong on the way.
std::string_view path_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme != url.npos) {
    const std::size_t slash = url.find('/', scheme + 3);
    url = slash == url.npos ? std::string_view() : url.substr(slash);
  }
  return url.substr(0, url.find_first_of("?#"));
}

// Text in base64, as it comes in. What is no digit is passed over; it is judged by what it yields.
class Base64 {
 public:
  std::string take(std::string_view piece) {
    std::string bytes;
    for (const char c : piece) {
      const std::size_t digit = kDigits.find(c);
      if (digit == kDigits.npos) continue;
      bits_ = (bits_ << 6 | static_cast<std::uint32_t>(digit)) & 0xFFFFFF;
      count_ += 6;
      if (count_ < 8) continue;
      count_ -= 8;
      bytes += static_cast<char>(bits_ >> count_ & 0xFF);
    }
    return bytes;
  }

  // JSON cannot begin like this, and { and [ in base64 always do.
  static bool may_begin_with(char c) noexcept { return c == 'e' || c == 'W'; }

 private:
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::uint32_t bits_ = 0;
  std::uint32_t count_ = 0;
};

class Har final : public JsonListener {
 public:
  Har(const std::string& file, const Declared& declared, Tally& tally)
      : file_(file),
        declared_(declared),
        tally_(tally),
        plain_(file, declared, tally),
        body_walk_(file, declared, body_tally_) {
    plain_.start(IdWalk::Side::response, {});
  }

  void set_line(std::uint64_t line) noexcept {
    line_ = line;
    plain_.set_line(line);
    body_walk_.set_line(line);
  }
  std::uint64_t bodies() const noexcept { return bodies_; }
  // The rest of a broken document is gone.
  void forget() {
    keys_.clear();
    end_body();
    gathered_.clear();
    is_har_ = false;
    plain_.start(IdWalk::Side::response, {});
  }

  void begin_object() override { begin(&JsonListener::begin_object); }
  void end_object() override { finish(&JsonListener::end_object); }
  void begin_array() override { begin(&JsonListener::begin_array); }
  void end_array() override { finish(&JsonListener::end_array); }
  void key(std::string_view name) override {
    // By the first names of the first two levels.
    if (keys_.size() == 2 && keys_[0] == "log" && keys_[1].empty() && first_) {
      constexpr std::array<std::string_view, 5> kBegins = {"version", "creator", "browser", "pages",
                                                           "entries"};
      is_har_ = std::ranges::find(kBegins, name) != kBegins.end();
    }
    if (keys_.size() == 1) first_ = keys_[0].empty();
    keys_.back() = name;
    if (!is_har_) plain_.key(name);
  }
  void text(std::string_view piece, bool last) override {
    if (is_har_) {
      take_text(piece, last);
    } else {
      plain_.text(piece, last);
    }
  }
  void number(bool whole) override {
    if (!is_har_) plain_.number(whole);
  }
  void literal(std::string_view word) override {
    if (!is_har_) plain_.literal(word);
  }
  void end_value() override { forget(); }

 private:
  void begin(void (JsonListener::*step)()) {
    keys_.emplace_back();
    if (!is_har_) (plain_.*step)();
  }
  void finish(void (JsonListener::*step)()) {
    if (!keys_.empty()) keys_.pop_back();
    if (!is_har_) (plain_.*step)();
  }

  // Lists have an empty key: {"log": {"entries": [{"request": {"url": ...
  bool at(std::initializer_list<std::string_view> way) const {
    return std::ranges::equal(keys_, way,
                              [](const std::string& a, std::string_view b) { return a == b; });
  }

  void take_text(std::string_view piece, bool last) {
    if (at({"log", "entries", "", "response", "content", "text"})) {
      take_body(IdWalk::Side::response, piece, last);
    } else if (at({"log", "entries", "", "request", "postData", "text"})) {
      // Only a creation chooses an ID.
      take_body(method_ == "POST" ? IdWalk::Side::request : IdWalk::Side::response, piece, last);
    } else if (at({"log", "entries", "", "request", "method"})) {
      if (gather(piece, last)) method_ = std::exchange(gathered_, {});
    } else if (at({"log", "entries", "", "request", "url"})) {
      if (gather(piece, last)) take_url(std::exchange(gathered_, {}));
    }
  }

  bool gather(std::string_view piece, bool last) {
    gathered_.append(piece.substr(0, kUrlSizeMax - gathered_.size()));
    return last;
  }

  void take_url(const std::string& url) {
    std::string shown;
    std::vector<IdFault> faults;
    std::string_view before;  // the part in front: "orders"
    std::string_view rest = path_of(url);
    while (!rest.empty()) {
      rest.remove_prefix(1);
      const std::string_view part = rest.substr(0, rest.find('/'));
      rest.remove_prefix(part.size());
      shown += is_some_id(part) ? "/*" : "/" + printable(part);
      if (auto fault = judge_part(part, before)) faults.push_back(*std::move(fault));
      before = part;
    }
    above_ = printable(method_) + " " + shown;
    for (IdFault& fault : faults) {
      Place place;
      place.file = file_;
      place.line = line_;
      place.path = above_;
      tally_.add(finding_of(fault.rule, std::move(place), std::move(fault.what)));
    }
  }

  // In /orders/sto_... the collection says what must follow; "v1" and "me" are no IDs.
  std::optional<IdFault> judge_part(std::string_view part, std::string_view before) const {
    if (is_digits(part)) {
      return IdFault{RuleId::integer_id, quoted(part) + " in the path is a number"};
    }
    if (!is_some_id(part)) return std::nullopt;
    IdField field;
    field.name.is_id = true;
    field.encloser = before;
    auto fault = judge_text(field, part, declared_);
    if (fault) fault->what += ", in the path";
    return fault;
  }

  void take_body(IdWalk::Side side, std::string_view piece, bool last) {
    if (!body_ && !body_skipped_) begin_body(side, piece);
    // What begins like JSON and is not (a style sheet, a template) is let be.
    if (body_ && base64_) {
      body_->feed(base64_->take(piece));
    } else if (body_) {
      body_->feed(piece);
    }
    if (!last) return;
    if (body_ && body_->end() && body_->values() > 0) ++bodies_;
    tally_.take(body_tally_);
    end_body();
  }

  void begin_body(IdWalk::Side side, std::string_view piece) {
    const std::size_t begin = piece.find_first_not_of(" \t\r\n");
    if (begin == piece.npos) return;
    const char first = piece[begin];
    if (Base64::may_begin_with(first)) {
      base64_.emplace();
    } else if (first != '{' && first != '[') {
      body_skipped_ = true;  // a page, a picture
      return;
    }
    body_walk_.start(side, above_);
    body_ = std::make_unique<JsonReader>(body_walk_);
  }

  void end_body() {
    body_.reset();
    base64_.reset();
    body_tally_.clear();
    body_skipped_ = false;
  }

  static constexpr std::size_t kUrlSizeMax = 2048;

  std::string file_;
  const Declared& declared_;
  Tally& tally_;
  IdWalk plain_;
  // Of one body, until it has ended: of a text that breaks off, how much came before depends on the
  // pieces in which it was read.
  Tally body_tally_{ResponsesCheck::kFindingsMax};
  IdWalk body_walk_;
  std::unique_ptr<JsonReader> body_;
  std::optional<Base64> base64_;  // how the body is written, if so
  bool body_skipped_ = false;
  bool is_har_ = false;
  bool first_ = false;             // "log" is the first name of the root
  std::vector<std::string> keys_;  // the way from the root; empty in lists
  std::string method_;
  std::string above_;
  std::string gathered_;
  std::uint64_t line_ = 1;
  std::uint64_t bodies_ = 0;
};

}  // namespace

struct ResponsesCheck::Parts {
  Parts(std::string name, const Declared& declared)
      : file(std::move(name)), tally(kFindingsMax), har(file, declared, tally), reader(har) {}

  void report_error() {
    Place place;
    place.file = file;
    place.line = reader.line();
    tally.add(finding_of(RuleId::unreadable, std::move(place), "not JSON: " + reader.error()));
  }

  std::string file;
  Tally tally;
  Har har;
  JsonReader reader;
  bool stopped = false;
};

ResponsesCheck::ResponsesCheck(std::string file, const Declared& declared)
    : parts_(std::make_unique<Parts>(std::move(file), declared)) {}
ResponsesCheck::~ResponsesCheck() = default;

void ResponsesCheck::feed(std::string_view bytes) {
  while (!bytes.empty() && !parts_->stopped) {
    // By lines, so that each finding knows its own.
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end == bytes.npos ? bytes.size() : end + 1);
    parts_->har.set_line(parts_->reader.line());
    if (!parts_->reader.feed(piece)) {
      parts_->report_error();
      parts_->har.forget();
      // In NDJSON the next line is good again.
      if (!parts_->reader.skip_broken_line()) parts_->stopped = true;
      if (!parts_->stopped && end != bytes.npos) parts_->reader.feed("\n");
    }
    bytes.remove_prefix(piece.size());
  }
}

void ResponsesCheck::end() {
  if (parts_->stopped) return;
  parts_->har.set_line(parts_->reader.line());
  if (!parts_->reader.end()) parts_->report_error();
}

const Findings& ResponsesCheck::findings() const noexcept { return parts_->tally.findings(); }
std::uint64_t ResponsesCheck::left_off() const noexcept { return parts_->tally.left_off(); }
std::uint64_t ResponsesCheck::values() const noexcept { return parts_->reader.values(); }
std::uint64_t ResponsesCheck::bodies() const noexcept { return parts_->har.bodies(); }

}  // namespace tessera::contract
