-- Fixed answers of the SQLite extension, one of each function. See golden.py.
SELECT length(tessera_ulid()), length(tessera_ulid_bytes()), length(tessera_uuid7()), length(tessera_ksuid());
--> 26|16|36|27
SELECT tessera_ulid_bytes('01ARYZ6S41TSV4RRFFQ69G5FAV'), tessera_ulid_bytes('o1aryz-6s41tsv4rrffq69g5fav');
--> x'01563DF36481D6764C61EFB99302BD5B'|x'01563DF36481D6764C61EFB99302BD5B'
SELECT tessera_ulid_text(x'01563DF36481D6764C61EFB99302BD5B'), tessera_uuid_text(x'01563DF36481D6764C61EFB99302BD5B');
--> 01ARYZ6S41TSV4RRFFQ69G5FAV|01563df3-6481-d676-4c61-efb99302bd5b
SELECT tessera_check('01ARYZ6S41TSV4RRFFQ69G5FAV', 'ulid'), tessera_check('01ARYZ6S41TSV4RRFFQ69G5FA', 'ulid'),
       tessera_check('81ARYZ6S41TSV4RRFFQ69G5FAV', 'ulid'), tessera_check('U1ARYZ6S41TSV4RRFFQ69G5FAV', 'ulid');
--> valid|invalid_length|overflow|invalid_character
SELECT tessera_valid('ord_01ARYZ6S41TSV4RRFFQ69G5FAV', 'ord'), tessera_valid('usr_01ARYZ6S41TSV4RRFFQ69G5FAV', 'ord'),
       tessera_check('usr_01ARYZ6S41TSV4RRFFQ69G5FAV', 'ord'), tessera_check('ord_01ARYZ6S41TSV4RRFFQ69G5FAV', 'ord:checked');
--> 1|0|prefix_mismatch|invalid_length
SELECT tessera_valid('01ARYZ6S41-TSV4RRFFQ69G5FAV', 'ulid'), tessera_valid('01ARYZ6S41-TSV4RRFFQ69G5FAV', 'ulid', 'strict');
--> 1|0
SELECT tessera_valid(x'01563DF36481D6764C61EFB99302BD5B', 'ulid'), tessera_valid(x'01563DF36481D676', 'ulid'),
       tessera_valid(x'01563DF36481D6764C61EFB99302BD5B', 'uuidv7');
--> 1|0|0
SELECT tessera_time('01ARYZ6S41TSV4RRFFQ69G5FAV'), tessera_time(x'01563DF36481D6764C61EFB99302BD5B'),
       tessera_time('ord_01ARYZ6S41TSV4RRFFQ69G5FAV'), tessera_time('507f1f77bcf86cd799439011'),
       tessera_time('175928847299117063', 'snowflake-discord'), tessera_time('919108f7-52d1-4320-9bac-f847db4148a8');
--> 1469918176385|1469918176385|1469918176385|1350508407000|1462015105796|NULL
SELECT smallest, largest FROM tessera_range('ulid', 1469918176385, 1469918176386);
--> 01ARYZ6S410000000000000000|01ARYZ6S41ZZZZZZZZZZZZZZZZ
SELECT tessera_range_min('ord', 1469918176385, 1469918176386), tessera_range_max('uuidv7', 1469918176385, 1469918176386);
--> ord_01ARYZ6S410000000000000000|01563df3-6481-7fff-bfff-ffffffffffff
SELECT tessera_checksum('AHM6A83HENMP'), tessera_checksum('AHM6A83HENMP', 60, 3), tessera_checksum('ord_01ARYZ6S41TSV4RRFFQ69G5FAV');
--> S|...|...
SELECT tessera_convert('01ARYZ6S41TSV4RRFFQ69G5FAV', 'uuid'), tessera_convert('01ARYZ6S41TSV4RRFFQ69G5FAV', 'bytes', 'ulid'),
       tessera_convert(x'01563DF36481D6764C61EFB99302BD5B', 'base62');
--> 01563df3-6481-d676-4c61-efb99302bd5b|x'01563DF36481D6764C61EFB99302BD5B'|02WP6vjLWOGVBKPCF9fAgV
SELECT json_extract(tessera_inspect('01ARYZ6S41TSV4RRFFQ69G5FAV'), '$.kind', '$.unix_ms');
--> ["ulid",1469918176385]
SELECT count(*), count(DISTINCT id), min(length(id)), min(length(bytes)) FROM tessera_new('ulid', 1000);
--> 1000|1000|26|16
SELECT tessera_next_long('a'), tessera_next_long('a'), tessera_next_long('b');
--> 1|2|1
SELECT tessera_random(0);
--! tessera_random: bits are 1 to 512
SELECT tessera_ulid_bytes('01M0MBZ8ZEKMQP3U3V2KM579HW');
--! tessera_ulid_bytes: bad character at offset 15
SELECT tessera_valid('x', 'Ord');
--! tessera_valid: no such kind or prefix
