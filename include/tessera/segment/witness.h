#pragma once

// Witness: a second memory of how far a scope has come, outside the store.
//
// A store that was restored from an old backup, or that lost its last commits, looks healthy and
// gives ranges away a second time. Whoever remembers the highest number it was ever given can
// tell. The allocator remembers while it lives; a witness makes it remember across restarts.
//
// The mark is written before the first number up to it is handed out.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/error.h"
#include "tessera/result.h"

namespace tessera {

// What a store has told us at most.
struct WitnessMark {
  std::int64_t epoch = 0;
  std::int64_t high_water = 0;

  friend bool operator==(const WitnessMark&, const WitnessMark&) = default;
};

// Thread-safe.
class Witness {
 public:
  virtual ~Witness() = default;

  virtual Result<std::optional<WitnessMark>, Error> load(std::string_view scope) = 0;

  // Durable before it returns. Nothing, or what went wrong; then the mark may or may not be there.
  virtual std::optional<Error> store(std::string_view scope, const WitnessMark& mark) = 0;
};

// A small text file of one process, with a line for each scope:
//
//    tessera witness 1
//    ORDER 1 20000
//
// Every write makes a new file, syncs it, and renames it over the old one, so that a crash leaves
// the old one or the new one. Beside it stands a lock file: a second process is refused.
class FileWitness final : public Witness {
 public:
  // A file that is not there is made at the first write. One that cannot be read in full is an
  // error: to go on without it would be to forget.
  static Result<std::unique_ptr<FileWitness>, Error> open(std::string path);
  ~FileWitness() override;
  FileWitness(const FileWitness&) = delete;
  FileWitness& operator=(const FileWitness&) = delete;

  Result<std::optional<WitnessMark>, Error> load(std::string_view scope) override;
  std::optional<Error> store(std::string_view scope, const WitnessMark& mark) override;

 private:
  FileWitness(std::string path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::optional<Error> write();

  std::string path_;
  int lock_;
  std::mutex mutex_;
  std::map<std::string, WitnessMark, std::less<>> marks_;
};

}  // namespace tessera
