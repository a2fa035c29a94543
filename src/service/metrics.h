#pragma once

// Metrics: what is counted, as Prometheus reads it.
//
//    Counter& requests = metrics.counter("tessera_requests_total", "Requests answered.",
//                                        {{"route", "/v1/ids"}, {"code", "200"}});
//    requests.add();
//    metrics.text();      # HELP …, # TYPE …, tessera_requests_total{route="/v1/ids",code="200"} 1
//
// Making a series takes a lock and is for the start; counting takes none. Names and labels are
// ours: what a caller sends must never become one, or the table grows with every caller.
//
// Thread-safe. Series live as long as the Metrics.

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::service {

class Counter {
 public:
  void add(std::uint64_t count = 1) noexcept { count_.fetch_add(count, std::memory_order_relaxed); }
  std::uint64_t count() const noexcept { return count_.load(std::memory_order_relaxed); }

 private:
  alignas(64) std::atomic<std::uint64_t> count_{0};
};

// How long things took: four classes to each doubling, from a microsecond to about a minute, so
// that a quantile is off by a fifth at most.
class Histogram {
 public:
  static constexpr std::size_t kPerDoubling = 4;
  static constexpr std::size_t kClassCount = 26 * kPerDoubling + 1;

  void add(std::chrono::nanoseconds time) noexcept {
    classes_[class_of(time)].fetch_add(1, std::memory_order_relaxed);
    sum_ns_.fetch_add(static_cast<std::uint64_t>(time.count() < 0 ? 0 : time.count()),
                      std::memory_order_relaxed);
  }

  // The last class has all that took longer.
  static constexpr std::size_t class_of(std::chrono::nanoseconds time) noexcept {
    const std::int64_t quarter_us = time.count() / 250;
    if (quarter_us < 4) return 0;
    const auto number = static_cast<std::uint64_t>(quarter_us);
    const auto doublings = static_cast<std::size_t>(std::bit_width(number)) - 3;
    const std::size_t place = (number >> doublings) - 4;
    const std::size_t at = doublings * kPerDoubling + place + 1;
    return at < kClassCount ? at : kClassCount - 1;
  }
  // What all in the class are shorter than.
  static constexpr std::chrono::nanoseconds end_of(std::size_t number) noexcept {
    if (number == 0) return std::chrono::nanoseconds(1000);
    const std::size_t doublings = (number - 1) / kPerDoubling;
    const std::size_t place = (number - 1) % kPerDoubling;
    return std::chrono::nanoseconds((static_cast<std::int64_t>(place + 5) << doublings) * 250);
  }

  std::uint64_t count() const noexcept;
  std::uint64_t count_in(std::size_t number) const noexcept {
    return classes_[number].load(std::memory_order_relaxed);
  }
  std::chrono::nanoseconds sum() const noexcept {
    return std::chrono::nanoseconds(
        static_cast<std::int64_t>(sum_ns_.load(std::memory_order_relaxed)));
  }
  // What `share` of all took less than, rounded up to the end of a class; 0 of none.
  std::chrono::nanoseconds quantile(double share) const noexcept;

 private:
  std::array<std::atomic<std::uint64_t>, kClassCount> classes_{};
  std::atomic<std::uint64_t> sum_ns_{0};
};

class Metrics {
 public:
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

  // The same name and labels are the same series.
  Counter& counter(std::string_view name, std::string_view help, const Labels& labels = {});
  Histogram& histogram(std::string_view name, std::string_view help, const Labels& labels = {});
  // Asked when somebody reads; must outlive the Metrics, and take no lock that a caller of text()
  // holds.
  void gauge(std::string_view name, std::string_view help, const Labels& labels,
             std::function<double()> value);

  // The text exposition format, version 0.0.4: families by name, series by labels.
  std::string text() const;

 private:
  struct Family {
    std::string help;
    std::string_view type;
    std::map<std::string, std::unique_ptr<Counter>> counters;
    std::map<std::string, std::unique_ptr<Histogram>> histograms;
    std::map<std::string, std::function<double()>> gauges;
  };
  Family& family(std::string_view name, std::string_view help, std::string_view type);

  mutable std::mutex mutex_;
  std::map<std::string, Family, std::less<>> families_;
};

}  // namespace tessera::service
