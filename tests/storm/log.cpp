#include "log.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace storm {
namespace {

template <class Number>
std::atomic_ref<Number> shared(Number& number) noexcept {
  return std::atomic_ref<Number>(number);
}

[[noreturn]] void give_up(const std::string& path, const char* what) {
  std::fprintf(stderr, "storm: %s: %s: %s\n", path.c_str(), what, std::strerror(errno));
  std::exit(2);
}

template <std::size_t Size>
void copy_text(std::string_view text, std::array<char, Size>& out) noexcept {
  const std::size_t size = std::min(text.size(), Size - 1);
  std::memcpy(out.data(), text.data(), size);
  out[size] = '\0';
}

}  // namespace

void leave(int exit_code) noexcept {
  for (;;) syscall(SYS_exit_group, exit_code);
}

Log::Log(const std::string& path, std::string_view kind, std::size_t id_size, bool ordered,
         std::uint64_t block_count, std::uint64_t seed)
    : size_((block_count + 1) * kBlockSize) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) give_up(path, "could not create");
  struct statvfs room {};
  if (fstatvfs(file, &room) != 0) give_up(path, "could not ask for room");
  if (room.f_bavail * room.f_frsize < size_) {
    errno = ENOSPC;
    give_up(path, ("needs " + std::to_string(size_ >> 20) + " MiB").c_str());
  }
  if (ftruncate(file, static_cast<off_t>(size_)) != 0) give_up(path, "could not make room");
  void* memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) give_up(path, "could not map");
  close(file);

  header_ = static_cast<Header*>(memory);
  blocks_ = reinterpret_cast<Block*>(static_cast<std::byte*>(memory) + kBlockSize);
  header_->magic = kMagic;
  copy_text(kind, header_->kind);
  header_->id_size = static_cast<std::uint32_t>(id_size);
  header_->ordered = ordered ? 1 : 0;
  header_->seed = seed;
  header_->block_count = block_count;
}

Log::~Log() { munmap(header_, size_); }

Block& Log::new_block() noexcept {
  const std::uint64_t block = shared(header_->blocks_used).fetch_add(1);
  if (block >= header_->block_count) fail("the log has too few blocks for this storm");
  return blocks_[block];
}

std::uint64_t Log::new_stream() noexcept { return shared(header_->stream_count).fetch_add(1); }
std::uint64_t Log::new_machine() noexcept { return shared(header_->machine_count).fetch_add(1); }
void Log::count_fork() noexcept { shared(header_->fork_count).fetch_add(1); }

void Log::fail(std::string_view why) noexcept {
  if (shared(header_->failed).exchange(1) == 0) copy_text(why, header_->failure);
  leave(1);
}

std::uint64_t Log::blocks_used() const noexcept { return shared(header_->blocks_used).load(); }
std::uint64_t Log::fork_count() const noexcept { return shared(header_->fork_count).load(); }

std::string Log::failure() const {
  return shared(header_->failed).load() == 0 ? std::string() : std::string(header_->failure.data());
}

std::span<std::uint8_t> Stream::next() noexcept {
  const std::size_t size = log_.id_size();
  if (block_ == nullptr || block_->head.count == ids_per_block(size)) {
    block_ = &log_.new_block();
    block_->head = {.stream = number_,
                    .sequence = block_count_++,
                    .count = 0,
                    .origin = origin_,
                    .depth = static_cast<std::uint8_t>(depth_),
                    .has_floor = static_cast<std::uint8_t>(floor_.some ? 1 : 0),
                    .reserved = 0,
                    .floor = floor_.id};
  }
  return {block_->ids.data() + block_->head.count * size, size};
}

void Stream::append(const std::uint8_t* ids, std::size_t count) noexcept {
  const std::size_t size = log_.id_size();
  for (; count > 0; --count, ids += size) {
    std::memcpy(next().data(), ids, size);
    commit();
  }
}

Floor Stream::last() const noexcept {
  if (block_ == nullptr || block_->head.count == 0) return floor_;
  const std::size_t size = log_.id_size();
  Floor last{.some = true};
  std::memcpy(last.id.data(), block_->ids.data() + (block_->head.count - 1) * size, size);
  return last;
}

}  // namespace storm
