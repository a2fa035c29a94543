/* Somebody else's program, in C, with the shared library. */

#include <stdio.h>
#include <tessera/c.h>

int main(void) {
  char text[TESSERA_TEXT_SIZE_MAX];
  size_t size = 0;
  if (tessera_c_version() != TESSERA_C_VERSION) return 1;
  if (tessera_new("ulid", 4, text, sizeof text, &size) != TESSERA_OK) return 1;
  printf("%.*s by libtessera %s\n", (int)size, text, tessera_version());
  return 0;
}
