// Keeps the way from the root, and judges each value by the name nearest to it.

#include "contract/id_walk.h"

#include "tessera/parse_error.h"

namespace tessera::contract {

void Tally::add(Finding finding) {
  auto place = std::pair(finding.rule, finding.place.path);
  const auto found = places_.find(place);
  if (found != places_.end()) {
    findings_[found->second].count += finding.count;
  } else if (findings_.size() >= count_max_) {
    left_off_ += finding.count;
  } else {
    places_.emplace(std::move(place), findings_.size());
    findings_.push_back(std::move(finding));
  }
}

void Tally::take(Tally& other) {
  for (Finding& finding : other.findings_) add(std::move(finding));
  left_off_ += other.left_off_;
  other.clear();
}

void Tally::clear() {
  findings_.clear();
  places_.clear();
  left_off_ = 0;
}

void IdWalk::start(Side side, std::string above) {
  side_ = side;
  above_ = std::move(above);
  frames_.clear();
  text_.clear();
  too_long_ = false;
}

void IdWalk::push(bool array) {
  Frame frame;
  frame.array = array;
  if (!frames_.empty())
    frame.name = frames_.back().array ? frames_.back().name : frames_.back().key;
  frames_.push_back(std::move(frame));
}

void IdWalk::key(std::string_view name) {
  frames_.back().key = name;
  // An object by IDs: {"01J...": {...}}.
  if (is_bare_ulid(name)) {
    report({RuleId::bare_ulid, quoted(name) + " is a ULID, as the name of a field"});
  }
}

IdField IdWalk::field() const {
  IdField field;
  if (frames_.empty()) return field;
  const Frame& frame = frames_.back();
  field.shown = frame.array ? frame.name : frame.key;
  field.name = id_name(field.shown);
  // In {"stores": [{"id": 1}]} the object stands in the list of that name.
  if (!frame.array) field.encloser = frame.name;
  return field;
}

// At the top of a request, or of each in a list of things to make.
void IdWalk::check_choice(const IdField& field) {
  if (side_ != Side::request || !field.name.is_own) return;
  const bool top = frames_.size() == 1 || (frames_.size() == 2 && frames_[0].array);
  if (!top || frames_.back().array) return;
  report({RuleId::client_chosen_id, "the request has a field " + quoted(field.shown)});
}

void IdWalk::text(std::string_view piece, bool last) {
  const std::size_t room = kIdTextSizeMax - text_.size();
  too_long_ = too_long_ || piece.size() > room;
  text_.append(piece.substr(0, room));
  if (!last) return;
  const IdField field = this->field();
  // Text that long is prose; only a field that should hold an ID is judged by it.
  if (!too_long_ || field.name.is_id) {
    if (const auto fault = judge_text(field, text_, declared_)) report(*fault);
  }
  check_choice(field);
  text_.clear();
  too_long_ = false;
}

void IdWalk::number(bool) {
  const IdField field = this->field();
  if (const auto fault = judge_number(field)) report(*fault);
  check_choice(field);
}

std::string IdWalk::path() const {
  std::string path = above_;
  for (const Frame& frame : frames_) {
    path += '/';
    if (frame.array || is_some_id(frame.key)) {
      path += '*';
    } else {
      path += printable(frame.key);
    }
  }
  return path.empty() ? "/" : path;
}

void IdWalk::report(const IdFault& fault) {
  Place place;
  place.file = file_;
  place.line = line_;
  place.path = path();
  tally_.add(finding_of(fault.rule, std::move(place), fault.what));
}

}  // namespace tessera::contract
