// A server finds a function by its SQL name, and some of these are the names of functions of
// tessera/c.h, too. Between this header and names_end.h the latter have another: tesserac_check.
// (No guard: a file may need it twice.)
#define tessera_ulid_text tesserac_ulid_text
#define tessera_uuid_text tesserac_uuid_text
#define tessera_objectid_text tesserac_objectid_text
#define tessera_ksuid_text tesserac_ksuid_text
#define tessera_check tesserac_check
#define tessera_inspect tesserac_inspect
#define tessera_convert tesserac_convert
#define tessera_checksum tesserac_checksum
#define tessera_range tesserac_range
#define tessera_version tesserac_version
#define tessera_snowflake tesserac_snowflake
