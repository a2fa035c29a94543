#pragma once

// Client libraries of servers, loaded when they are first needed.
//
// Linked, libpq and libmariadb would cost every start of the program some nine milliseconds, since
// they bring twenty libraries with them; most commands need neither.

#include <string>

namespace tessera::db {

class Library {
 public:
  explicit Library(const char* name) noexcept;

  bool loaded() const noexcept { return handle_ != nullptr && missing_.empty(); }
  // "could not load libpq.so.5: ..."
  const std::string& fault() const noexcept { return missing_; }

  template <class Function>
  void find(Function& function, const char* name) noexcept {
    function = reinterpret_cast<Function>(symbol(name));
  }

 private:
  void* symbol(const char* name) noexcept;

  void* handle_;  // never closed: the libraries have threads and handlers of their own
  std::string missing_;
};

}  // namespace tessera::db
