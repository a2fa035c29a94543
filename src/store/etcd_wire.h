#pragma once

// Transactions of etcd, as its JSON gateway takes and answers them.
//
// All that we ask of etcd is a transaction: if these comparisons hold, do these steps, otherwise
// read those keys. A question is one without comparisons. Answers are linearizable, and that is not
// a choice: the word "serializable" does not occur here, since a member that is cut off would
// answer such a question from the past.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/json.h"

namespace tessera::etcd {

std::string base64(std::string_view bytes);
// Nothing, if it is none: with blanks in it, without its padding, or with bits that mean nothing.
std::optional<std::string> from_base64(std::string_view text);

// A key and its value, as they are in the store.
struct Entry {
  std::string key;
  std::string value;
  std::int64_t create_revision = 0;
  std::int64_t mod_revision = 0;

  friend bool operator==(const Entry&, const Entry&) = default;
};

// The keys from `first` up to, and not including, `end`; the one key, if that is empty.
struct Span {
  std::string first;
  std::string end{};
};
// All that begin with `prefix`, which must not be empty.
Span prefixed(std::string prefix);

class Txn {
 public:
  Txn& if_absent(const Span& keys);      // none of them is there
  Txn& if_present(const Span& key);      // it is there
  Txn& if_unchanged(const Entry& seen);  // neither written since, nor replaced
  // With a lease of etcd the key goes when that ends; 0 is none, and takes an old one away.
  Txn& put(std::string_view key, std::string_view value, std::int64_t lease = 0);
  Txn& remove(std::string_view key);
  Txn& get(const Span& keys, std::int64_t count_max = 0);            // 0: all
  Txn& otherwise_get(const Span& keys, std::int64_t count_max = 0);  // if a comparison fails

  // Whether it may change something.
  bool changes() const noexcept { return changes_; }
  // How many steps an answer has.
  std::size_t steps(bool succeeded) const noexcept { return succeeded ? then_count_ : else_count_; }
  std::string body() const;

 private:
  std::string compares_;  // objects, with commas between
  std::string then_;
  std::string else_;
  std::size_t then_count_ = 0;
  std::size_t else_count_ = 0;
  bool changes_ = false;
};

struct TxnAnswer {
  bool succeeded = false;
  std::int64_t revision = 0;  // of the whole store, after it
  bool after_doubt = false;   // it came twice at least, and the first may have been done
  // What each step has found, in their order; nothing for those that are no get.
  std::vector<std::vector<Entry>> found;

  // The first entry that step has found; null, if none.
  const Entry* one(std::size_t step) const noexcept {
    return found[step].empty() ? nullptr : &found[step].front();
  }
};

// Nothing, if it is not the answer to `asked`.
std::optional<TxnAnswer> read_answer(const Json& answer, const Txn& asked);

// A lease of etcd: keys that hang on it go when it ends, and etcd alone says when that is.
struct Grant {
  std::int64_t id = 0;     // 0: none
  std::int64_t ttl_s = 0;  // may be more than was asked for; 0: it has ended

  friend bool operator==(const Grant&, const Grant&) = default;
};
// Of /v3/lease/grant and /v3/lease/keepalive. Nothing, if it is no such answer.
std::optional<Grant> read_grant(const Json& answer);
std::optional<Grant> read_keepalive(const Json& answer);

}  // namespace tessera::etcd
