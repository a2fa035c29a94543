#pragma once

// LogReader: the blocks of a log, one after the other, through a buffer of a megabyte. (A
// mapping would do, but count as memory of ours.)

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "log_format.h"

namespace storm {

class LogReader {
 public:
  explicit LogReader(const std::string& path) : file_(path, std::ios::binary) {
    file_.read(reinterpret_cast<char*>(&header_), sizeof(header_));
    good_ = file_.good() && header_.magic == kMagic && header_.id_size >= 8 &&
            header_.id_size <= kIdSizeMax && header_.blocks_used <= header_.block_count;
  }

  bool good() const noexcept { return good_; }  // false: no log, or it ends too early
  const Header& header() const noexcept { return header_; }

  // Calls `visit(block, number)` for the blocks from `begin` to `end`.
  template <class Visit>
  void read(std::uint64_t begin, std::uint64_t end, Visit&& visit) {
    file_.seekg(static_cast<std::streamoff>((begin + 1) * kBlockSize));
    while (begin < end && good_) {
      const std::uint64_t count = std::min<std::uint64_t>(buffer_.size(), end - begin);
      file_.read(reinterpret_cast<char*>(buffer_.data()),
                 static_cast<std::streamsize>(count * kBlockSize));
      good_ = file_.good();
      for (std::uint64_t i = 0; i < count && good_; ++i, ++begin) {
        good_ = buffer_[i].head.count <= ids_per_block(header_.id_size);
        if (good_) visit(buffer_[i], begin);
      }
    }
  }

 private:
  std::ifstream file_;
  Header header_{};
  bool good_ = false;
  std::vector<Block> buffer_ = std::vector<Block>(256);
};

}  // namespace storm
