"""What can go wrong. The codes, phrases and hints are those of all of Tessera."""
from __future__ import annotations

from typing import Optional, Tuple


class TesseraError(Exception):
    """code: for programs, "invalid_character". phrase: for people. hint: what to do; may be empty."""

    def __init__(self, code: str, phrase: str, hint: str, message: str = "") -> None:
        super().__init__(message or phrase)
        self.code = code
        self.phrase = phrase
        self.hint = hint

    def __reduce__(self) -> Tuple[object, ...]:
        return type(self), (self.code, self.phrase, self.hint)


class ParseError(TesseraError, ValueError):
    """A text is not the ID that it should be. offset: the byte where it goes wrong, if there is one."""

    def __init__(self, code: str, phrase: str, hint: str, text: str, offset: Optional[int] = None) -> None:
        shown = text if len(text) <= 100 else text[:100] + "…"
        place = "" if offset is None else f" at offset {offset}"
        super().__init__(code, phrase, hint, f"{phrase}{place}: {shown!r}")
        self.text = text
        self.offset = offset

    def __reduce__(self) -> Tuple[object, ...]:
        return type(self), (self.code, self.phrase, self.hint, self.text, self.offset)


class MintError(TesseraError, RuntimeError):
    """No ID could be made."""


class UsageError(TesseraError, ValueError):
    """The call itself is wrong: a kind that is not known, a number out of range."""
