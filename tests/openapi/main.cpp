// Prints what GET /openapi.json answers.

#include <cstdio>

#include "service/api.h"

int main() {
  const std::string text = tessera::service::openapi_text();
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}
