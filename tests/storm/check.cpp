#include "check.h"

#include <unordered_map>

#include "log_reader.h"
#include "repeats.h"

namespace storm {
namespace {

constexpr std::size_t kFindingsMax = 5;

struct StreamState {
  std::uint32_t block_count = 0;
  bool has_last = false;
  IdBytes last{};
};

// One pass over the log in its own order, with the newest ID of each stream at hand.
class OrderCheck {
 public:
  OrderCheck(std::size_t id_size, bool ordered, Verdict& verdict)
      : id_size_(id_size), ordered_(ordered), verdict_(verdict) {}

  void visit(const Block& block, std::uint64_t number) {
    StreamState& stream = streams_[block.head.stream];
    if (block.head.sequence != stream.block_count++) {
      verdict_.unusable = "block " + std::to_string(number) + " is not the next of its stream";
    }
    verdict_.id_count += block.head.count;
    if (block.head.count == 0 || !ordered_) return;

    const std::uint8_t* id = block.ids.data();
    if (block.head.sequence == 0 && block.head.has_floor != 0 &&
        !above(id, block.head.floor.data())) {
      ++verdict_.below_parent;
      report("not above its parent: ", block.head, id);
    }
    if (stream.has_last && !above(id, stream.last.data())) disordered(block.head, id);
    for (std::uint32_t i = 1; i < block.head.count; ++i, id += id_size_) {
      if (!above(id + id_size_, id)) disordered(block.head, id + id_size_);
    }
    std::memcpy(stream.last.data(), id, id_size_);
    stream.has_last = true;
  }

  std::size_t stream_count() const { return streams_.size(); }

 private:
  bool above(const std::uint8_t* id, const std::uint8_t* other) const {
    return std::memcmp(id, other, id_size_) > 0;
  }
  void disordered(const BlockHead& head, const std::uint8_t* id) {
    ++verdict_.disordered;
    report("not above the one before: ", head, id);
  }
  void report(const char* what, const BlockHead& head, const std::uint8_t* id) {
    if (verdict_.findings.size() < kFindingsMax) {
      verdict_.findings.push_back(what + describe_id(head, id, id_size_));
    }
  }

  std::size_t id_size_;
  bool ordered_;
  Verdict& verdict_;
  std::unordered_map<std::uint64_t, StreamState> streams_;
};

}  // namespace

Verdict check(const std::string& path, const CheckOptions& options) {
  Verdict verdict;
  LogReader reader(path);
  if (!reader.good()) {
    verdict.unusable = "not the log of a storm";
    return verdict;
  }
  const Header& header = reader.header();
  verdict.kind = std::string(header.kind.data(), strnlen(header.kind.data(), header.kind.size()));
  options.progress("checking the order");
  OrderCheck order(header.id_size, header.ordered != 0, verdict);
  reader.read(0, header.blocks_used,
              [&](const Block& block, std::uint64_t number) { order.visit(block, number); });
  verdict.stream_count = order.stream_count();
  if (!reader.good()) {
    verdict.unusable = "the log ends too early, or has a damaged block";
  } else if (header.failed != 0) {
    verdict.unusable = "the storm failed: " + std::string(header.failure.data());
  } else if (verdict.id_count < options.ids_min) {
    verdict.unusable = std::to_string(verdict.id_count) + " IDs, and at least " +
                       std::to_string(options.ids_min) + " are wanted";
  }
  if (verdict.unusable.empty()) find_repeats(path, options, verdict);
  return verdict;
}

}  // namespace storm
