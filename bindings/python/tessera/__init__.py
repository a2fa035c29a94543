"""Identifiers made, checked, read and converted: ULID, UUID, Snowflake, KSUID, ObjectId, TypeID, public IDs.

    import tessera

    id = tessera.ulid()
    id.time, id.bytes, id.uuid, str(id)
    order = tessera.PublicId("ord").new()
    tessera.check(order, "ord")

The same bits and the same answers as the program `tessera`. Every function may be called from any thread,
and after a fork.
"""
from ._by_name import (Odds, check, check_symbols, convert, id_range, inspect, inspect_json, is_valid, new, new_many, odds,
                       random_id, time_ms_of, time_of, ulid, uuid4, uuid7, uuid_from_name, version)
from ._errors import MintError, ParseError, TesseraError, UsageError
from ._public_id import PublicId
from ._snowflakes import Snowflakes
from ._ulid import Ulid

__version__ = version()
__all__ = [
    "MintError", "Odds", "ParseError", "PublicId", "Snowflakes", "TesseraError", "Ulid", "UsageError", "check",
    "check_symbols", "convert", "id_range", "inspect", "inspect_json", "is_valid", "new", "new_many", "odds",
    "random_id", "time_ms_of", "time_of", "ulid", "uuid4", "uuid7", "uuid_from_name", "version",
]
