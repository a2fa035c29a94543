// Reads the logs twice over: number by number for repeats, moment by moment for order.

#include "check.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "record.h"

namespace segment_storm {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFindingsMax = 5;

// A bit for each number, in pages that are made when they are needed: what was drawn and not
// handed out costs nothing.
class Seen {
 public:
  // How many of the range were there already; `which` is the first of them.
  std::uint64_t add(std::uint64_t first, std::uint64_t end, std::uint64_t& which) {
    std::uint64_t again = 0;
    while (first < end) {
      Page& page = at(first / kPageBits);
      const std::uint64_t page_end = (first / kPageBits + 1) * kPageBits;
      for (; first < end && first < page_end; ++first) {
        std::uint64_t& word = page[first % kPageBits / 64];
        const std::uint64_t bit = std::uint64_t{1} << first % 64;
        if ((word & bit) != 0 && again++ == 0) which = first;
        word |= bit;
      }
    }
    return again;
  }

 private:
  // Small enough for Snowflakes, which lie apart.
  static constexpr std::uint64_t kPageBits = std::uint64_t{1} << 12;
  using Page = std::array<std::uint64_t, kPageBits / 64>;

  Page& at(std::uint64_t index) {
    auto& page = pages_[index];
    if (!page) page = std::make_unique<Page>();
    return *page;
  }

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

std::string name_of(const Record& record) {
  return "worker " + std::to_string(record.slot) + "." + std::to_string(record.incarnation) +
         " thread " + std::to_string(record.thread) + " record " + std::to_string(record.number) +
         " [" + std::to_string(record.first) + ", " + std::to_string(record.end) + ")";
}

class Checker {
 public:
  explicit Checker(Verdict& verdict) : verdict_(verdict) {}

  // False if the log proves nothing.
  bool read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::map<std::uint8_t, std::uint32_t> numbers;  // the next one of each thread
    std::map<std::pair<std::uint8_t, Order>, Record> last;
    Record record;
    while (in.read(reinterpret_cast<char*>(&record), sizeof record)) {
      if (record.magic != Record::kMagic || record.sum != sum_of(record) ||
          static_cast<std::uint8_t>(record.order) >= kOrderCount || record.first >= record.end ||
          record.returned_ns < record.invoked_ns) {
        return unusable(path, "a record that is none");
      }
      if (record.number != numbers[record.thread]++) return unusable(path, "records are missing");
      ++verdict_.record_count;
      add(record);
      if (record.order == Order::keyed) continue;
      const auto [before, is_first] = last.try_emplace({record.thread, record.order}, record);
      if (!is_first) {
        if (record.first < before->second.end) disordered(before->second, record, "in its thread");
        before->second = record;
      }
      records_[domain_of(record)].push_back(record);
    }
    if (!in.eof() || in.gcount() != 0) return unusable(path, "it is cut short");
    ++verdict_.log_count;
    return true;
  }

  void judge_order() {
    for (const auto& [domain, records] : records_) {
      judge_order(records, domain.order == Order::strict   ? "among all"
                           : domain.order == Order::leased ? "in its worker"
                                                           : "in its slot");
    }
  }

 private:
  // Where what came first is smaller.
  struct Domain {
    Order order;
    std::uint16_t slot = 0;
    std::uint32_t incarnation = 0;

    friend auto operator<=>(const Domain&, const Domain&) = default;
  };
  static Domain domain_of(const Record& record) {
    switch (record.order) {
      case Order::process: return {record.order, record.slot};
      case Order::leased: return {record.order, record.slot, record.incarnation};
      case Order::strict:
      case Order::keyed: break;
    }
    return {record.order};
  }

  bool unusable(const fs::path& path, const char* why) {
    verdict_.unusable = path.filename().string() + ": " + why;
    return false;
  }

  void find(const std::string& what) {
    if (verdict_.findings.size() < kFindingsMax) verdict_.findings.push_back(what);
  }

  void add(const Record& record) {
    if (record.order == Order::keyed) {
      const auto [known, is_new] = keys_.try_emplace(record.key, record, false);
      auto& [answer, shared] = known->second;
      if (!is_new) {
        if (!std::exchange(shared, true)) ++verdict_.shared_keys;
        if (answer.first == record.first && answer.end == record.end) return;
        ++verdict_.keys_broken;
        find("key " + std::to_string(record.key) + " has two ranges: " + name_of(answer) + ", " +
             name_of(record));
      }
    }
    std::uint64_t which = 0;
    Seen& seen = seen_[static_cast<std::size_t>(record.order)];
    const std::uint64_t again = seen.add(record.first, record.end, which);
    verdict_.id_count += record.end - record.first - again;
    verdict_.repeated += again;
    if (again > 0) {
      find("repeated: " + std::to_string(which) + ", and " + std::to_string(again - 1) +
           " more in " + name_of(record));
    }
  }

  void disordered(const Record& before, const Record& record, const char* where) {
    ++verdict_.disordered;
    find(std::string("out of order ") + where + ": " + name_of(record) + " after " +
         name_of(before));
  }

  // Goes through the calls as they began, and keeps the highest number of those that had ended.
  void judge_order(const std::vector<Record>& records, const char* where) {
    std::vector<std::size_t> begun(records.size());
    std::iota(begun.begin(), begun.end(), std::size_t{0});
    std::vector<std::size_t> ended = begun;
    std::ranges::sort(begun, {}, [&](std::size_t i) { return records[i].invoked_ns; });
    std::ranges::sort(ended, {}, [&](std::size_t i) { return records[i].returned_ns; });
    const Record* highest = nullptr;
    auto next = ended.begin();
    for (const std::size_t i : begun) {
      const Record& record = records[i];
      for (; next != ended.end() && records[*next].returned_ns < record.invoked_ns; ++next) {
        if (highest == nullptr || records[*next].end > highest->end) highest = &records[*next];
      }
      if (highest != nullptr && record.first < highest->end) disordered(*highest, record, where);
    }
  }

  Verdict& verdict_;
  std::array<Seen, kOrderCount> seen_;
  std::unordered_map<std::uint64_t, std::pair<Record, bool>> keys_;
  std::map<Domain, std::vector<Record>> records_;
};

}  // namespace

Verdict check(const std::string& folder, std::uint64_t ids_min) {
  Verdict verdict;
  std::error_code error;
  std::vector<fs::path> logs;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".log") logs.push_back(entry.path());
  }
  if (error) {
    verdict.unusable = "no such folder";
    return verdict;
  }
  std::ranges::sort(logs);
  Checker checker(verdict);
  for (const auto& log : logs) {
    if (!checker.read(log)) return verdict;
  }
  checker.judge_order();
  if (verdict.good() && verdict.id_count < std::max<std::uint64_t>(ids_min, 1)) {
    verdict.unusable = std::to_string(verdict.id_count) +
                       " IDs are too few: " + std::to_string(std::max<std::uint64_t>(ids_min, 1)) +
                       " were asked for";
  }
  return verdict;
}

}  // namespace segment_storm
