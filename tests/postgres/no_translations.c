/* Preloaded together with AddressSanitizer, under which glibc's own functions of these names wait
 * for a lock for ever when a program of PostgreSQL starts. Messages then are in English. */

char* bindtextdomain(const char* domain, const char* folder);
char* textdomain(const char* domain);

char* bindtextdomain(const char* domain, const char* folder) {
  (void)domain;
  return (char*)folder;
}

char* textdomain(const char* domain) { return (char*)domain; }
