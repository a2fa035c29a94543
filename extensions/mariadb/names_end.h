// The end of what names_begin.h began.
#undef tessera_ulid_text
#undef tessera_uuid_text
#undef tessera_objectid_text
#undef tessera_ksuid_text
#undef tessera_check
#undef tessera_inspect
#undef tessera_convert
#undef tessera_checksum
#undef tessera_range
#undef tessera_version
#undef tessera_snowflake
