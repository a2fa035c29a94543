// What metrics promise: nothing is counted twice or lost, classes follow each other without a gap,
// and the text is one that Prometheus reads.

#include "service/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

namespace tessera::service {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(Histogram, ClassesFollowEachOtherWithoutAGap) {
  for (std::size_t i = 0; i + 1 < Histogram::kClassCount; ++i) {
    const nanoseconds end = Histogram::end_of(i);
    EXPECT_EQ(Histogram::class_of(end - nanoseconds(1)), i) << i;
    EXPECT_EQ(Histogram::class_of(end), i + 1) << i;
  }
  EXPECT_EQ(Histogram::class_of(nanoseconds(-1)), 0u);
  EXPECT_EQ(Histogram::class_of(nanoseconds::max()), Histogram::kClassCount - 1);
  EXPECT_GT(Histogram::end_of(Histogram::kClassCount - 2), std::chrono::seconds(50));
}

TEST(Histogram, QuantilesAreOffByAFifthAtMost) {
  Histogram histogram;
  std::mt19937_64 random(7);
  std::vector<nanoseconds> times;
  for (int i = 0; i < 10'000; ++i) {
    times.emplace_back(static_cast<std::int64_t>(2'000 + random() % 50'000'000));
    histogram.add(times.back());
  }
  std::ranges::sort(times);
  for (const double share : {0.01, 0.5, 0.9, 0.99, 0.999}) {
    const auto exact = times[static_cast<std::size_t>(share * 9'999)];
    const auto told = histogram.quantile(share);
    EXPECT_GE(told * 101 / 100, exact) << share;
    EXPECT_LE(told, exact * 126 / 100) << share;
  }
  EXPECT_EQ(histogram.count(), 10'000u);
  EXPECT_EQ(Histogram().quantile(0.5), nanoseconds(0));
}

TEST(Metrics, TextIsWhatPrometheusReads) {
  Metrics metrics;
  metrics.counter("b_total", "Of b.", {{"route", "/v1/ids"}, {"code", "200"}}).add(3);
  metrics.counter("b_total", "Of b.", {{"route", "a\"b\\c\nd"}}).add();
  metrics.gauge("a_seconds", "How long.", {}, [] { return 1.5; });
  Histogram& times = metrics.histogram("c_seconds", "Times.", {{"route", "x"}});
  times.add(microseconds(1));
  times.add(milliseconds(3));
  const std::string text = metrics.text();
  EXPECT_EQ(text.substr(0, text.find("# HELP c_seconds")),
            "# HELP a_seconds How long.\n"
            "# TYPE a_seconds gauge\n"
            "a_seconds 1.5\n"
            "# HELP b_total Of b.\n"
            "# TYPE b_total counter\n"
            "b_total{route=\"/v1/ids\",code=\"200\"} 3\n"
            "b_total{route=\"a\\\"b\\\\c\\nd\"} 1\n");
  for (const char* line :
       {"# TYPE c_seconds histogram\n", "c_seconds_bucket{route=\"x\",le=\"1e-06\"} 0\n",
        "c_seconds_bucket{route=\"x\",le=\"2e-06\"} 1\n",
        "c_seconds_bucket{route=\"x\",le=\"+Inf\"} 2\n", "c_seconds_sum{route=\"x\"} 0.003001\n",
        "c_seconds_count{route=\"x\"} 2\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(Metrics, TheSameLabelsAreTheSameSeries) {
  Metrics metrics;
  Counter& a = metrics.counter("n", "N.", {{"k", "1"}});
  EXPECT_EQ(&metrics.counter("n", "N.", {{"k", "1"}}), &a);
  EXPECT_NE(&metrics.counter("n", "N.", {{"k", "2"}}), &a);
}

TEST(Metrics, ThreadsLoseNothing) {
  Metrics metrics;
  Counter& counter = metrics.counter("n", "N.");
  Histogram& histogram = metrics.histogram("h", "H.");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10'000; ++i) {
        counter.add();
        histogram.add(microseconds(i));
        if (i % 1000 == 0) {
          EXPECT_FALSE(metrics.text().empty());
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(counter.count(), 40'000u);
  EXPECT_EQ(histogram.count(), 40'000u);
}

}  // namespace
}  // namespace tessera::service
