"""Snowflakes: numbers of 63 bits from many machines."""
from __future__ import annotations

import ctypes
from typing import Iterator

from ._library import OK, lib, refuse


class Snowflakes:
    """An endless iterator of numbers. No other process may have the same machine number; a forked child
    must make a generator of its own, with a number of its own: this one raises MintError there.
    Threads may share it."""

    def __init__(self, layout: str, machine: int) -> None:
        self._generator = ctypes.c_void_p()
        if not 0 <= machine < 1 << 64:
            raise ValueError("machine is out of range")
        if "\0" in layout:
            raise ValueError("layout has a NUL in it")
        status = lib.tessera_snowflake_create(layout.encode(), machine, ctypes.byref(self._generator))
        if status != OK:
            refuse(status)

    def next(self) -> int:
        number = ctypes.c_uint64()
        status = lib.tessera_snowflake_next(self._generator, ctypes.byref(number))
        if status != OK:
            refuse(status)
        return number.value

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        return self.next()

    def __del__(self) -> None:
        if lib is not None and getattr(self, "_generator", None):
            lib.tessera_snowflake_free(self._generator)
