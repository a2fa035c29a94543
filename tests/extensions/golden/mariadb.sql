-- Fixed answers of the functions for MariaDB, one of each. See golden.py.
SELECT length(tessera_ulid()), length(tessera_ulid_bytes()), length(tessera_uuid7()), length(tessera_uuid4_bytes()), length(tessera_ksuid());
--> 26|16|36|16|27
SELECT hex(tessera_ulid_bytes('01ARYZ6S41TSV4RRFFQ69G5FAV')), hex(tessera_ulid_bytes('o1aryz-6s41tsv4rrffq69g5fav'));
--> 01563DF36481D6764C61EFB99302BD5B|01563DF36481D6764C61EFB99302BD5B
SELECT tessera_ulid_text(x'01563DF36481D6764C61EFB99302BD5B'), tessera_uuid_text(x'01563DF36481D6764C61EFB99302BD5B');
--> 01ARYZ6S41TSV4RRFFQ69G5FAV|01563df3-6481-d676-4c61-efb99302bd5b
SELECT tessera_check('01ARYZ6S41TSV4RRFFQ69G5FAV', 'ulid'), tessera_check('01ARYZ6S41TSV4RRFFQ69G5FA', 'ulid'),
       tessera_check('81ARYZ6S41TSV4RRFFQ69G5FAV', 'ulid'), tessera_check('U1ARYZ6S41TSV4RRFFQ69G5FAV', 'ulid');
--> valid|invalid_length|overflow|invalid_character
SELECT tessera_valid('ord_01ARYZ6S41TSV4RRFFQ69G5FAV', 'ord'), tessera_valid('usr_01ARYZ6S41TSV4RRFFQ69G5FAV', 'ord'),
       tessera_check('usr_01ARYZ6S41TSV4RRFFQ69G5FAV', 'ord'), tessera_check('ord_01ARYZ6S41TSV4RRFFQ69G5FAV', 'ord:checked');
--> 1|0|prefix_mismatch|invalid_length
SELECT tessera_time('01ARYZ6S41TSV4RRFFQ69G5FAV'), tessera_time('ord_01ARYZ6S41TSV4RRFFQ69G5FAV'),
       tessera_time('175928847299117063', 'snowflake-discord'), tessera_time('919108f7-52d1-4320-9bac-f847db4148a8');
--> 1469918176385|1469918176385|1462015105796|NULL
SELECT tessera_range('ulid', 1469918176385, 1469918176386);
--> {"smallest":"01ARYZ6S410000000000000000","largest":"01ARYZ6S41ZZZZZZZZZZZZZZZZ"}
SELECT tessera_range_min('ord', 1469918176385, 1469918176386), tessera_range_max('uuidv7', 1469918176385, 1469918176386);
--> ord_01ARYZ6S410000000000000000|01563df3-6481-7fff-bfff-ffffffffffff
SELECT tessera_checksum('AHM6A83HENMP'), length(tessera_checksum('AHM6A83HENMP', 60, 3)), length(tessera_checksum('ord_01ARYZ6S41TSV4RRFFQ69G5FAV'));
--> S|3|2
SELECT tessera_convert('01ARYZ6S41TSV4RRFFQ69G5FAV', 'uuid'), hex(tessera_convert('01ARYZ6S41TSV4RRFFQ69G5FAV', 'bytes', 'ulid'));
--> 01563df3-6481-d676-4c61-efb99302bd5b|01563DF36481D6764C61EFB99302BD5B
SELECT json_value(tessera_inspect('01ARYZ6S41TSV4RRFFQ69G5FAV'), '$.kind');
--> ulid
SELECT tessera_ulid_bytes('nonsense'), tessera_ulid_text('nonsense'), tessera_check(NULL, 'ulid'), tessera_random(0);
--> NULL|NULL|NULL|NULL
SELECT tessera_next_long('golden'), tessera_next_long('golden');
--> 1|2
SELECT tessera_valid('x', 'Ord');
--! no such kind, and no prefix either
SELECT tessera_public_id('ord', 'no');
--! no such style; there are ulid, typeid, base36 and checked
SELECT tessera_snowflake(5000);
--! machines are numbered 0 to 1023
