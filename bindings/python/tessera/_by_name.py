"""What goes by the name of a kind, or by the prefix of public IDs: "ulid", "uuidv7", "ord", "ord:checked"."""
from __future__ import annotations

import ctypes
import datetime
import json
import uuid as _uuid
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from ._errors import ParseError
from ._library import INSPECT_SIZE_MAX, OK, TEXT_SIZE_MAX, Offset, Text, lib, refuse, sized, written
from ._ulid import Moment, Ulid, ms_of, time_of_ms

INVALID_LENGTH = 1
STRICT = 1


def version() -> str:
    """Of the library."""
    return str(lib.tessera_version(), "ascii")


def ulid() -> Ulid:
    """Sorts behind all that this thread has made before."""
    return Ulid.new()


def uuid4() -> _uuid.UUID:
    return _new_uuid(4)


def uuid7() -> _uuid.UUID:
    """Sorts behind all that this thread has made before."""
    return _new_uuid(7)


def _new_uuid(number: int) -> _uuid.UUID:
    out = ctypes.create_string_buffer(16)
    status = lib.tessera_uuid_new(number, out)
    if status != OK:
        refuse(status)
    return _uuid.UUID(bytes=out.raw)


def uuid_from_name(number: int, namespace: _uuid.UUID, name: Text) -> _uuid.UUID:
    """Version 3 or 5: the same name gives the same UUID."""
    out = ctypes.create_string_buffer(16)
    status = lib.tessera_uuid_from_name(number, namespace.bytes, *sized(name), out)
    if status != OK:
        refuse(status)
    return _uuid.UUID(bytes=out.raw)


def new(what: str) -> str:
    """A new ID of a kind, or of a prefix."""
    status, text = written(lambda out, capacity, size: lib.tessera_new(*sized(what), out, capacity, size))
    if status != OK:
        refuse(status, what)
    return text


def new_many(what: str, count: int) -> List[str]:
    if count < 0:
        raise ValueError("count is negative")
    if what == "ulid":
        return [str(one) for one in Ulid.many(count)]
    return [new(what) for _ in range(count)]


def random_id(bits: int = 120, check: int = 1) -> str:
    """1 to 512 random bits in base32, with 1 to 3 check symbols."""
    if bits < 0 or check < 0:
        raise ValueError("bits and check are not negative")
    status, text = written(lambda out, capacity, size: lib.tessera_random_new(bits, check, out, capacity, size))
    if status != OK:
        refuse(status)
    return text


def check(text: Text, what: str = "", *, strict: bool = False, now: Optional[Moment] = None) -> None:
    """ParseError if `text` is not what it should be; without a name, if it is nothing known. strict: as a
    machine writes it, with no variation but letter case."""
    offset = Offset()
    if what:
        status = lib.tessera_check(*sized(what), STRICT if strict else 0, *sized(text), offset.pointer)
    else:
        status = lib.tessera_check_any(*sized(text), _now(now))
    if status != OK:
        refuse(status, text, offset.value)


def is_valid(text: Text, what: str = "", *, strict: bool = False, now: Optional[Moment] = None) -> bool:
    try:
        check(text, what, strict=strict, now=now)
    except ParseError:
        return False
    return True


def inspect_json(text: Text, kind: str = "", *, now: Optional[Moment] = None) -> str:
    """Everything that can be said of a text: the very JSON of `tessera inspect --json`."""
    moment = _now(now)
    status, out = written(lambda out, capacity, size: lib.tessera_inspect(
        *sized(kind), *sized(text), moment, out, capacity, size))
    if status != OK:
        refuse(status, text, INSPECT_SIZE_MAX if status == INVALID_LENGTH else None)
    return out


def inspect(text: Text, kind: str = "", *, now: Optional[Moment] = None) -> Dict[str, Any]:
    answer: Dict[str, Any] = json.loads(inspect_json(text, kind, now=now))
    return answer


def convert(text: Text, to: str, *, source: str = "", now: Optional[Moment] = None) -> str:
    """The same bits in another form: ulid uuid hex base32 base36 base62 base58 base64url int bytes crockford
    typeid. `source` says what the text is; without it, it is taken for what it looks like."""
    offset, moment = Offset(), _now(now)
    status, out = written(lambda out, capacity, size: lib.tessera_convert(
        *sized(source), *sized(to), *sized(text), moment, out, capacity, size, offset.pointer))
    if status != OK:
        refuse(status, text, offset.value)
    return out


def time_ms_of(text: Text, what: str = "") -> int:
    """When it was made, in ms since 1970. Without a name the form of the text decides."""
    time, offset = ctypes.c_int64(), Offset()
    status = lib.tessera_time_ms(*sized(what), *sized(text), ctypes.byref(time), offset.pointer)
    if status != OK:
        refuse(status, text, offset.value)
    return time.value


def time_of(text: Text, what: str = "") -> datetime.datetime:
    """When it was made, in UTC."""
    return time_of_ms(time_ms_of(text, what))


def id_range(what: str, start: Moment, end: Moment) -> Tuple[str, str]:
    """The smallest and the largest ID from `start` to before `end`."""
    smallest, largest = ctypes.create_string_buffer(TEXT_SIZE_MAX), ctypes.create_string_buffer(TEXT_SIZE_MAX)
    size = ctypes.c_size_t()
    status = lib.tessera_range(*sized(what), ms_of(start), ms_of(end), smallest, largest, ctypes.byref(size))
    if status != OK:
        refuse(status, what)
    return smallest.raw[:size.value].decode(), largest.raw[:size.value].decode()


def check_symbols(text: Text, *, bits: int = 0, count: Optional[int] = None) -> str:
    """The symbols that belong behind digits without any: one, or as many as `count`; two behind a public ID."""
    data, size = sized(text)
    wanted = count if count is not None else 2 if b"_" in data else 1
    if bits < 0 or wanted < 0:
        raise ValueError("bits and count are not negative")
    out, offset = ctypes.create_string_buffer(3), Offset()
    status = lib.tessera_checksum(data, size, bits, wanted, out, offset.pointer)
    if status != OK:
        refuse(status, text, offset.value)
    return out.raw[:wanted].decode()


@dataclass(frozen=True)
class Odds:
    """How likely it is that two of `count` IDs of `bits` random bits are equal."""
    bits: float
    count: float
    probability: float
    words: str


def odds(*, bits: Optional[float] = None, count: Optional[float] = None,
         probability: Optional[float] = None) -> Odds:
    """Two are given, the third is the answer."""
    numbers = [ctypes.c_double(-1 if number is None else number) for number in (bits, count, probability)]
    pointers = [ctypes.byref(number) for number in numbers]
    status, words = written(lambda out, capacity, size: lib.tessera_odds(*pointers, out, capacity, size))
    if status != OK:
        refuse(status)
    return Odds(numbers[0].value, numbers[1].value, numbers[2].value, words)


def _now(moment: Optional[Moment]) -> int:
    return int(lib.tessera_now_ms()) if moment is None else ms_of(moment)
