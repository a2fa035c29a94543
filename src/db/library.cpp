// Loads client libraries.

#include "db/library.h"

#include <dlfcn.h>

namespace tessera::db {

Library::Library(const char* name) noexcept : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) {
    const char* why = dlerror();
    missing_ = std::string("could not load ") + name + ": " + (why != nullptr ? why : "");
  }
}

void* Library::symbol(const char* name) noexcept {
  if (handle_ == nullptr) return nullptr;
  void* found = dlsym(handle_, name);
  if (found == nullptr && missing_.empty()) missing_ = std::string("too old, no ") + name;
  return found;
}

}  // namespace tessera::db
