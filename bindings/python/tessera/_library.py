"""The C library, loaded, with the types of its functions; and its answers as values or exceptions.

What is called is libtessera.so.0 beside this file, or the one that TESSERA_LIBRARY names.
"""
from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, NoReturn, Optional, Tuple, Union

from ._errors import MintError, ParseError, UsageError

C_VERSION = 1
OK = 0
TEXT_SIZE_MAX = 160
INSPECT_SIZE_MAX = 65536
BUFFER_TOO_SMALL = 128
NO_OFFSET = 0xFFFFFFFF
MINT_FIRST, MINT_LAST = 65, 96
USAGE_FIRST = 128

Text = Union[str, bytes]

_text = [c_char_p, c_size_t]
_out = [c_void_p, c_size_t, POINTER(c_size_t)]
_offset = POINTER(c_uint32)

_SIGNATURES = {
    "tessera_version": (c_char_p, []),
    "tessera_c_version": (c_int, []),
    "tessera_error_name": (c_char_p, [c_int]),
    "tessera_error_phrase": (c_char_p, [c_int]),
    "tessera_error_hint": (c_char_p, [c_int]),
    "tessera_ulid_new": (c_int, [c_char_p]),
    "tessera_ulid_new_many": (c_int, [c_char_p, c_size_t]),
    "tessera_ulid_parse": (c_int, [*_text, c_char_p, _offset]),
    "tessera_ulid_parse_friendly": (c_int, [*_text, c_char_p, _offset]),
    "tessera_ulid_text": (None, [c_char_p, c_char_p]),
    "tessera_ulid_range": (c_int, [c_uint64, c_uint64, c_char_p, c_char_p]),
    "tessera_uuid_new": (c_int, [c_int, c_char_p]),
    "tessera_uuid_new_many": (c_int, [c_int, c_char_p, c_size_t]),
    "tessera_uuid_from_name": (c_int, [c_int, c_char_p, *_text, c_char_p]),
    "tessera_snowflake_create": (c_int, [c_char_p, c_uint64, POINTER(c_void_p)]),
    "tessera_snowflake_next": (c_int, [c_void_p, POINTER(c_uint64)]),
    "tessera_snowflake_free": (None, [c_void_p]),
    "tessera_random_new": (c_int, [c_uint, c_uint, *_out]),
    "tessera_public_id_new": (c_int, [*_text, c_int, *_out]),
    "tessera_public_id_text": (c_int, [*_text, c_int, c_char_p, *_out]),
    "tessera_public_id_parse": (c_int, [*_text, c_int, c_char_p, POINTER(c_size_t), _offset]),
    "tessera_new": (c_int, [*_text, *_out]),
    "tessera_check": (c_int, [*_text, c_int, *_text, _offset]),
    "tessera_check_any": (c_int, [*_text, c_uint64]),
    "tessera_time_ms": (c_int, [*_text, *_text, POINTER(c_int64), _offset]),
    "tessera_range": (c_int, [*_text, c_uint64, c_uint64, c_char_p, c_char_p, POINTER(c_size_t)]),
    "tessera_convert": (c_int, [*_text, *_text, *_text, c_uint64, *_out, _offset]),
    "tessera_checksum": (c_int, [*_text, c_uint, c_uint, c_char_p, _offset]),
    "tessera_inspect": (c_int, [*_text, *_text, c_uint64, *_out]),
    "tessera_odds": (c_int, [POINTER(c_double), POINTER(c_double), POINTER(c_double), *_out]),
    "tessera_now_ms": (c_uint64, []),
}


def _load() -> ctypes.CDLL:
    path = os.environ.get("TESSERA_LIBRARY") or str(pathlib.Path(__file__).with_name("libtessera.so.0"))
    library = ctypes.CDLL(path)
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    if library.tessera_c_version() != C_VERSION:
        raise ImportError(f"{path} has version {library.tessera_c_version()} of the C interface, not {C_VERSION}")
    return library


lib = _load()


def encoded(text: Text) -> bytes:
    """As the library takes it. What no UTF-8 can hold becomes a byte that no ID has."""
    return text if isinstance(text, bytes) else text.encode("utf-8", "replace")


def sized(text: Text) -> Tuple[bytes, int]:
    data = encoded(text)
    return data, len(data)


def refuse(status: int, text: Text = "", offset: Optional[int] = None) -> NoReturn:
    """Raises what the status means."""
    code = lib.tessera_error_name(status).decode()
    phrase = lib.tessera_error_phrase(status).decode()
    hint = lib.tessera_error_hint(status).decode()
    if status >= USAGE_FIRST:
        raise UsageError(code, phrase, hint)
    if MINT_FIRST <= status <= MINT_LAST:
        raise MintError(code, phrase, hint)
    shown = text if isinstance(text, str) else text.decode("utf-8", "backslashreplace")
    raise ParseError(code, phrase, hint, shown, offset)


class Offset:
    """Where in a text it went wrong, if the function says so."""

    def __init__(self) -> None:
        self._at = c_uint32(NO_OFFSET)
        self.pointer = byref(self._at)

    @property
    def value(self) -> Optional[int]:
        return None if self._at.value == NO_OFFSET else self._at.value


def written(call: Callable[[Any, int, Any], Any]) -> Tuple[int, str]:
    """Status and text of a function that writes into a buffer; asked again if that was too small."""
    capacity = TEXT_SIZE_MAX
    while True:
        out, size = ctypes.create_string_buffer(capacity), c_size_t()
        status: int = call(out, capacity, byref(size))
        if status != BUFFER_TOO_SMALL or size.value <= capacity:
            return status, ctypes.string_at(out, size.value).decode() if status == OK else ""
        capacity = size.value
