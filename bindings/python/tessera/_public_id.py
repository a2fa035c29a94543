"""PublicId: a type of IDs that customers see, such as ord_01J…"""
from __future__ import annotations

import ctypes
import uuid as _uuid
from typing import Tuple, Union

from ._by_name import check, id_range
from ._errors import ParseError
from ._library import OK, Offset, Text, lib, refuse, sized, written
from ._ulid import Moment, Ulid

STYLES = {"ulid": 0, "typeid": 1, "base36": 2, "checked": 3}
BODY_SIZE = 16


class PublicId:
    """The type, of which the IDs are plain texts:

        order = PublicId("ord")
        text = order.new()         'ord_01J…'
        order.parse(text)          the Ulid in it, or the UUID of styles typeid and base36

    Two types of one prefix and style are equal."""

    __slots__ = ("prefix", "style", "_what")

    def __init__(self, prefix: str, style: str = "ulid") -> None:
        if style not in STYLES:
            raise ValueError(f"style is one of {', '.join(STYLES)}, not {style!r}")
        self.prefix = prefix
        self.style = style
        self._what = f"{prefix}:{style}"
        self._write(bytes(BODY_SIZE))  # a prefix that cannot be is refused here

    def new(self) -> str:
        status, text = written(lambda out, capacity, size: lib.tessera_public_id_new(
            *sized(self.prefix), STYLES[self.style], out, capacity, size))
        if status != OK:
            refuse(status, self.prefix)
        return text

    def text(self, body: Union[Ulid, _uuid.UUID]) -> str:
        """The ID with this body."""
        return self._write(body.bytes)

    def parse(self, text: Text) -> Union[Ulid, _uuid.UUID]:
        """ParseError if it is not one of this type, exactly as it is written."""
        body, prefix_size, offset = ctypes.create_string_buffer(BODY_SIZE), ctypes.c_size_t(), Offset()
        data, size = sized(text)
        status = lib.tessera_public_id_parse(data, size, STYLES[self.style], body, ctypes.byref(prefix_size),
                                             offset.pointer)
        if status != OK:
            refuse(status, text, offset.value)
        if data[:prefix_size.value] != self.prefix.encode():
            check(text, self._what, strict=True)  # says what is wrong
        return Ulid.from_bytes(body.raw) if self.style in ("ulid", "checked") else _uuid.UUID(bytes=body.raw)

    def check(self, text: Text, *, strict: bool = False) -> None:
        """ParseError if it is not one of this type; unless strict, as people write it."""
        check(text, self._what, strict=strict)

    def __contains__(self, text: Text) -> bool:
        try:
            self.parse(text)
        except ParseError:
            return False
        return True

    def range(self, start: Moment, end: Moment) -> Tuple[str, str]:
        """The smallest and the largest ID from `start` to before `end`."""
        return id_range(self._what, start, end)

    def _write(self, body: bytes) -> str:
        status, text = written(lambda out, capacity, size: lib.tessera_public_id_text(
            *sized(self.prefix), STYLES[self.style], body, out, capacity, size))
        if status != OK:
            refuse(status, self.prefix)
        return text

    def __repr__(self) -> str:
        return f"PublicId({self.prefix!r}, {self.style!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PublicId):
            return NotImplemented
        return self._what == other._what

    def __hash__(self) -> int:
        return hash(self._what)
