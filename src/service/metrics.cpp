// The registry of series, and how Prometheus wants to read it.

#include "service/metrics.h"

#include <cstdio>

namespace tessera::service {
namespace {

// Prometheus reads these classes only; four to a doubling are for quantiles of our own.
constexpr std::size_t kExposedStep = Histogram::kPerDoubling;

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '\\') {
      out += "\\\\";
    } else if (c == '"') {
      out += "\\\"";
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
}

std::string labels_text(const Metrics::Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    if (!text.empty()) text += ',';
    text += name;
    text += "=\"";
    append_escaped(text, value);
    text += '"';
  }
  return text;
}

std::string number_text(double number) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.10g", number);
  return text.data();
}

double seconds(std::chrono::nanoseconds time) { return static_cast<double>(time.count()) / 1e9; }

void append_line(std::string& out, std::string_view name, std::string_view suffix,
                 std::string_view labels, std::string_view more, const std::string& value) {
  out.append(name).append(suffix);
  if (!labels.empty() || !more.empty()) {
    out.append("{").append(labels);
    if (!labels.empty() && !more.empty()) out += ',';
    out.append(more).append("}");
  }
  out.append(" ").append(value).append("\n");
}

void append_histogram(std::string& out, const std::string& name, const std::string& labels,
                      const Histogram& histogram) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < Histogram::kClassCount; ++i) {
    sum += histogram.count_in(i);
    if (i % kExposedStep != 0) continue;
    const std::string bound = "le=\"" + number_text(seconds(Histogram::end_of(i))) + "\"";
    append_line(out, name, "_bucket", labels, bound, std::to_string(sum));
  }
  sum += histogram.count_in(Histogram::kClassCount - 1);
  append_line(out, name, "_bucket", labels, "le=\"+Inf\"", std::to_string(sum));
  append_line(out, name, "_sum", labels, "", number_text(seconds(histogram.sum())));
  append_line(out, name, "_count", labels, "", std::to_string(sum));
}

}  // namespace

std::uint64_t Histogram::count() const noexcept {
  std::uint64_t sum = 0;
  for (const auto& one : classes_) sum += one.load(std::memory_order_relaxed);
  return sum;
}

std::chrono::nanoseconds Histogram::quantile(double share) const noexcept {
  const std::uint64_t all = count();
  if (all == 0) return std::chrono::nanoseconds(0);
  const double wanted = share * static_cast<double>(all);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < kClassCount; ++i) {
    sum += count_in(i);
    if (static_cast<double>(sum) >= wanted && sum > 0) return end_of(i);
  }
  return end_of(kClassCount - 2);
}

Metrics::Family& Metrics::family(std::string_view name, std::string_view help,
                                 std::string_view type) {
  auto found = families_.find(name);
  if (found == families_.end()) {
    found = families_.emplace(std::string(name), Family{}).first;
    found->second.help = help;
    found->second.type = type;
  }
  return found->second;
}

Counter& Metrics::counter(std::string_view name, std::string_view help, const Labels& labels) {
  const std::scoped_lock guard(mutex_);
  auto& series = family(name, help, "counter").counters[labels_text(labels)];
  if (!series) series = std::make_unique<Counter>();
  return *series;
}

Histogram& Metrics::histogram(std::string_view name, std::string_view help, const Labels& labels) {
  const std::scoped_lock guard(mutex_);
  auto& series = family(name, help, "histogram").histograms[labels_text(labels)];
  if (!series) series = std::make_unique<Histogram>();
  return *series;
}

void Metrics::gauge(std::string_view name, std::string_view help, const Labels& labels,
                    std::function<double()> value) {
  const std::scoped_lock guard(mutex_);
  family(name, help, "gauge").gauges[labels_text(labels)] = std::move(value);
}

std::string Metrics::text() const {
  const std::scoped_lock guard(mutex_);
  std::string out;
  for (const auto& [name, family] : families_) {
    out.append("# HELP ").append(name).append(" ").append(family.help).append("\n");
    out.append("# TYPE ").append(name).append(" ").append(family.type).append("\n");
    for (const auto& [labels, counter] : family.counters) {
      append_line(out, name, "", labels, "", std::to_string(counter->count()));
    }
    for (const auto& [labels, value] : family.gauges) {
      append_line(out, name, "", labels, "", number_text(value()));
    }
    for (const auto& [labels, histogram] : family.histograms) {
      append_histogram(out, name, labels, *histogram);
    }
  }
  return out;
}

}  // namespace tessera::service
