// Gzip, by zlib.

#include "service/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace tessera::service {
namespace {

constexpr std::size_t kWorthSize = 1024;
constexpr int kGzipWindow = 15 + 16;  // as zlib wants to be told: 32 KiB, with the head of gzip
constexpr int kMemoryLevel = 8;
constexpr int kLevel = 1;  // IDs are mostly random: more work finds no more

class Deflater {
 public:
  Deflater() {
    if (deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
      throw std::bad_alloc();  // the only way in which it fails
    }
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void write(std::string& text, bool last, std::string& out) {
    stream_.next_in = reinterpret_cast<Bytef*>(text.data());
    stream_.avail_in = static_cast<uInt>(text.size());
    int status = Z_OK;
    do {
      const std::size_t begun = out.size();
      const std::size_t room = std::max<std::size_t>(text.size() / 2, 4096);
      out.resize(begun + room);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + begun);
      stream_.avail_out = static_cast<uInt>(room);
      status = deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      out.resize(begun + room - stream_.avail_out);
    } while (last ? status != Z_STREAM_END : stream_.avail_in > 0);
  }

 private:
  z_stream stream_{};
};

class GzipSource final : public BodySource {
 public:
  explicit GzipSource(std::unique_ptr<BodySource> source) : source_(std::move(source)) {}

  bool fill(std::string& buffer, std::size_t size) override {
    const std::size_t begun = buffer.size();
    bool more = true;
    while (more && buffer.size() - begun < size) {
      text_.clear();
      more = source_->fill(text_, size);
      deflater_.write(text_, !more, buffer);
    }
    return more;
  }
  bool failed() const noexcept override { return source_->failed(); }

 private:
  std::unique_ptr<BodySource> source_;
  Deflater deflater_;
  std::string text_;
};

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

bool takes_gzip(std::string_view accept_encoding) noexcept {
  while (!accept_encoding.empty()) {
    const auto comma = accept_encoding.find(',');
    const std::string_view part = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(comma == std::string_view::npos ? accept_encoding.size()
                                                                  : comma + 1);
    const auto semicolon = part.find(';');
    if (trimmed(part.substr(0, semicolon)) != "gzip") continue;
    if (semicolon == std::string_view::npos) return true;
    const std::string_view weight = trimmed(part.substr(semicolon + 1));
    return weight.starts_with("q=") && weight.find_first_of("123456789") != std::string_view::npos;
  }
  return false;
}

bool is_worth_gzip(const Answer& answer) noexcept {
  if (answer.media == Media::bytes || answer.status == 304 || answer.asset != nullptr) return false;
  return answer.stream != nullptr || answer.body.size() >= kWorthSize;
}

void gzip(Answer& answer) {
  if (answer.stream != nullptr) {
    answer.stream = std::make_unique<GzipSource>(std::move(answer.stream));
    return;
  }
  std::string text = std::exchange(answer.body, {});
  Deflater().write(text, true, answer.body);
}

}  // namespace tessera::service
