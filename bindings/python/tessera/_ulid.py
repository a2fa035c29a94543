"""Ulid: a value of 128 bits that sorts by the moment it was made."""
from __future__ import annotations

import ctypes
import datetime
import functools
import uuid as _uuid
from typing import Any, List, Tuple, Union

from ._library import OK, Offset, Text, lib, refuse, sized

SIZE = 16
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
Moment = Union[datetime.datetime, int]
Bytes = bytes  # which in the class is the name of a property


def ms_of(moment: Moment) -> int:
    """A time that is aware of its zone, or ms since 1970; not before."""
    if isinstance(moment, datetime.datetime):
        if moment.tzinfo is None:
            raise ValueError("a time needs its zone, as in datetime.now(timezone.utc)")
        moment = (moment - EPOCH) // datetime.timedelta(milliseconds=1)
    if not 0 <= moment < 1 << 63:
        raise ValueError("a time is in ms since 1970, and not before")
    return moment


def time_of_ms(ms: int) -> datetime.datetime:
    return EPOCH + datetime.timedelta(milliseconds=ms)


@functools.total_ordering
class Ulid:
    """Made by ulid(); read by Ulid(text), which takes any letter case and nothing else, or by
    Ulid.parse_friendly(text), which takes what people type. Equal, hashed and ordered by its bytes,
    which is the order of its text."""

    __slots__ = ("_bytes",)
    _bytes: Bytes

    def __init__(self, text: Text) -> None:
        self._bytes = _parsed(lib.tessera_ulid_parse, text)

    @classmethod
    def new(cls) -> Ulid:
        out = ctypes.create_string_buffer(SIZE)
        status = lib.tessera_ulid_new(out)
        if status != OK:
            refuse(status)
        return cls.from_bytes(out.raw)

    @classmethod
    def many(cls, count: int) -> List[Ulid]:
        """Increasing, as if made one by one."""
        if count < 0:
            raise ValueError("count is negative")
        out = ctypes.create_string_buffer(SIZE * count)
        status = lib.tessera_ulid_new_many(out, count)
        if status != OK:
            refuse(status)
        raw = out.raw
        return [cls.from_bytes(raw[at:at + SIZE]) for at in range(0, SIZE * count, SIZE)]

    @classmethod
    def parse_friendly(cls, text: Text) -> Ulid:
        return cls.from_bytes(_parsed(lib.tessera_ulid_parse_friendly, text))

    @classmethod
    def from_bytes(cls, data: Bytes) -> Ulid:
        if len(data) != SIZE:
            raise ValueError(f"a ULID has {SIZE} bytes, not {len(data)}")
        self = cls.__new__(cls)
        object.__setattr__(self, "_bytes", bytes(data))
        return self

    @classmethod
    def from_uuid(cls, value: _uuid.UUID) -> Ulid:
        """The same bits."""
        return cls.from_bytes(value.bytes)

    @classmethod
    def range(cls, start: Moment, end: Moment) -> Tuple[Ulid, Ulid]:
        """The smallest and the largest of those made from `start` to before `end`."""
        smallest, largest = ctypes.create_string_buffer(SIZE), ctypes.create_string_buffer(SIZE)
        status = lib.tessera_ulid_range(ms_of(start), ms_of(end), smallest, largest)
        if status != OK:
            refuse(status)
        return cls.from_bytes(smallest.raw), cls.from_bytes(largest.raw)

    @property
    def bytes(self) -> Bytes:
        return self._bytes

    @property
    def uuid(self) -> _uuid.UUID:
        """The same bits, for a column of that type."""
        return _uuid.UUID(bytes=self._bytes)

    @property
    def time_ms(self) -> int:
        return int.from_bytes(self._bytes[:6], "big")

    @property
    def time(self) -> datetime.datetime:
        """In UTC. OverflowError past the year 9999, which a ULID can be and a datetime cannot."""
        return time_of_ms(self.time_ms)

    def __str__(self) -> str:
        out = ctypes.create_string_buffer(26)
        lib.tessera_ulid_text(self._bytes, out)
        return out.raw.decode()

    def __repr__(self) -> str:
        return f"Ulid('{self}')"

    def __bytes__(self) -> Bytes:
        return self._bytes

    def __int__(self) -> int:
        return int.from_bytes(self._bytes, "big")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ulid):
            return NotImplemented
        return self._bytes == other._bytes

    def __lt__(self, other: Ulid) -> bool:
        if not isinstance(other, Ulid):
            return NotImplemented
        return self._bytes < other._bytes

    def __hash__(self) -> int:
        return hash((Ulid, self._bytes))

    def __reduce__(self) -> Tuple[object, Tuple[Bytes]]:
        return Ulid.from_bytes, (self._bytes,)

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, "_bytes"):
            raise AttributeError("a Ulid does not change")
        object.__setattr__(self, name, value)


def _parsed(parse: Any, text: Text) -> bytes:
    out, offset = ctypes.create_string_buffer(SIZE), Offset()
    status = parse(*sized(text), out, offset.pointer)
    if status != OK:
        refuse(status, text, offset.value)
    return out.raw
