// A function for MariaDB that does nothing: what a call costs at the least.

#include <mysql.h>

extern "C" __attribute__((visibility("default"))) my_bool noop_udf_init(UDF_INIT* init, UDF_ARGS*,
                                                                        char*) {
  init->max_length = 16;
  init->const_item = 0;
  return 0;
}

extern "C" __attribute__((visibility("default"))) char* noop_udf(UDF_INIT*, UDF_ARGS*, char* result,
                                                                 unsigned long* size, char*,
                                                                 char*) {
  *size = 16;
  return result;
}
