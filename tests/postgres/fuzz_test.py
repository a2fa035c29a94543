#!/usr/bin/env python3
"""Nonsense never harms the server: mutated texts, binary copies and arguments are refused, with a code of the user's fault.

    fuzz_test.py BUILD [--seconds S] [--sanitizer LIBRARY]

The seed is printed, and may be given as TESSERA_SEED. With --sanitizer the server runs under AddressSanitizer, for
an extension that was built with it.
"""
import argparse
import os
import random
import struct
import sys
import time

import world

SEEDS = ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV", "ord_01ARZ3NDEKTSV4RRFFQ69G5FAV0X", "ord_01arz3ndektsv4rrffq69g5fav",
         "ord_02ukohbn3kw46609nd56rlkd7", "01563e3a-b5d3-d676-4c61-efb99302bd5b", "507f1f77bcf86cd799439011", "0ujtsYcgvSTl8PAuAdqWYSMnLOv",
         "175928847299117063", "AHM6A83HENMPS", "books/01ARZ3NDEKTSV4RRFFQ69G5FAV", "ulid", "uuidv7", "checked", "a_b_c", "", "-1", "ORDER"]
PIECES = ["_", "-", "ä", "\U0001F600", "'", "\"", "\\", "%s", "\x01", " ", "O", "I", "U", "~", "$", "=", "*", "\u202e", "0" * 40, "z" * 200]
EXPRESSIONS = ["$1::ulid", "$1::public_id", "$1::public_id('ord', 'checked')", "tessera_check($1)", "tessera_check($1, $2)", "tessera_valid($1, $2, true)",
               "tessera_inspect($1)", "tessera_inspect($1, $2)", "tessera_time($1)", "tessera_time($1, $2)", "tessera_checksum($1)",
               "tessera_checksum($1, length($2), length($1) % 5)", "tessera_convert($1, $2)", "tessera_convert($1, 'uuid', $2)", "tessera_new($2)",
               "tessera_ulid_friendly($1)", "tessera_public_id($1, $2)", "tessera_to_public_id($1, '01ARZ3NDEKTSV4RRFFQ69G5FAV', $2)",
               "tessera_next_long($1)", "tessera_random(length($1))", "tessera_range($2, 'epoch', now() + length($1) * interval '1000 years')",
               "format_type('public_id'::regtype, hashtext($1))", "convert_to($1, 'UTF8')::ulid", "tessera_snowflake(hashtext($1))",
               "(SELECT min(x) = max(x) OR tessera_ulids(length($1)) IS NULL FROM unnest(ARRAY[$1, $2]) AS x)"]
# Classes: data exceptions, no such function or object, privileges, limits, not in the right state.
ALLOWED = ("22", "42", "54", "2200H", "55000", "0A000")


def mutated(dice):
    text = dice.choice(SEEDS)
    for _ in range(dice.randrange(4)):
        place = dice.randrange(len(text) + 1)
        what = dice.randrange(5)
        if what == 0:
            text = text[:place] + dice.choice(PIECES) + text[place:]
        elif what == 1:
            text = text[:place] + text[place + dice.randrange(4):]
        elif what == 2:
            text = text[:place] + chr(dice.randrange(1, 0x3000)) + text[place + 1:]
        elif what == 3:
            text = text.swapcase()
        else:
            text = text[:place] + dice.choice(SEEDS) + text[place:]
    return "".join(c for c in text if not 0xD800 <= ord(c) < 0xE000)


def literal(text):
    return "E'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def texts(c, dice, statistics):
    """A thousand questions in one statement; each is answered or refused, and says so."""
    rows = ", ".join(f"({literal(dice.choice(EXPRESSIONS))}, {literal(mutated(dice))}, {literal(mutated(dice))})" for _ in range(1000))
    for state, count in c.rows(f"SELECT attempt(e, a, b), count(*) FROM (VALUES {rows}) AS t (e, a, b) GROUP BY 1"):
        statistics[state] = statistics.get(state, 0) + int(count)
        assert state == "answered" or state.startswith(ALLOWED), f"{state}: not the user's fault"


def copies(c, dice, statistics, good):
    """A binary copy with a few bytes changed."""
    data = bytearray(good)
    for _ in range(dice.randrange(1, 5)):
        what, place = dice.randrange(3), dice.randrange(11, len(data))
        if what == 0:
            data[place] = dice.randrange(256)
        elif what == 1:
            del data[place:place + dice.randrange(1, 20)]
        else:
            data[place:place] = struct.pack("!i", dice.choice([0, 1, 15, 16, 17, 26, 31, 92, 200, -1, -2, 2**31 - 1]))
    try:
        c.copy_in("COPY copied FROM STDIN (FORMAT binary)", bytes(data))
        statistics["copied"] = statistics.get("copied", 0) + 1
    except world.wire.Error as refused:
        statistics[refused.sqlstate] = statistics.get(refused.sqlstate, 0) + 1
        assert refused.sqlstate.startswith(ALLOWED + ("08P01", "23")), refused


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build")
    arguments.add_argument("--seconds", type=float, default=5)
    arguments.add_argument("--sanitizer")
    arguments = arguments.parse_args()
    seed = int(os.environ.get("TESSERA_SEED", random.SystemRandom().randrange(1 << 32)))
    print("seed", seed)
    dice, statistics = random.Random(seed), {}
    with world.World(arguments.build, preload=[arguments.sanitizer] if arguments.sanitizer else []) as w:
        server = w.server("fuzzed", {"log_min_messages": "panic"})
        c = server.connect()
        pid = c.one("SELECT pg_backend_pid()")
        c.rows("""CREATE EXTENSION tessera;
            SELECT tessera_create_scope('ORDER');
            CREATE FUNCTION attempt(expression text, a text, b text) RETURNS text LANGUAGE plpgsql AS $$
            DECLARE answer text;
            BEGIN
              EXECUTE 'SELECT (' || expression || ')::text' INTO answer USING a, b;
              RETURN 'answered';
            EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE;
            END $$;
            CREATE TABLE copied (id ulid, public public_id('ord'), other public_id, many ulid[]);
            INSERT INTO copied SELECT tessera_ulid(), tessera_public_id('ord'), tessera_public_id('cus', 'checked'), tessera_ulids(3)
              FROM generate_series(1, 3)""")
        good = c.copy_out("COPY copied TO STDOUT (FORMAT binary)")
        end = time.monotonic() + arguments.seconds
        try:
            while time.monotonic() < end:
                texts(c, dice, statistics)
                for _ in range(50):
                    copies(c, dice, statistics, good)
        except world.wire.Gone:
            raise AssertionError(server.log()[-3000:] + "".join(path.read_text() for path in w.folder.glob("asan*"))) from None
        # What got in can be read, compared, sorted, and is one value with its text.
        assert c.one("SELECT count(*) FROM (SELECT id::text::ulid = id AND public::text::public_id = public AND other::text::public_id = other AS same "
                     "FROM copied ORDER BY other, public, id) AS s WHERE NOT same") == "0"
        assert c.one("SELECT pg_backend_pid()") == pid, "the backend is another one"
        c.close()
        log = server.log()
        findings = [path.read_text(errors="replace") for path in w.folder.glob("asan*")]
        assert not findings and "terminated by signal" not in log and "Sanitizer" not in log, log[-3000:] + "".join(findings)[:5000]
    total = sum(statistics.values())
    print(total, "tried:", statistics)
    assert total > 500 and statistics.get("22P02", 0) > 50 and statistics.get("answered", 0) > 50, statistics


if __name__ == "__main__":
    sys.exit(main())
