"""Forging a log with its seed known: change an event, and hash everything after it again."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import (
    GENESIS,
    chain_hash,
    chain_key,
    parse_log,
)

Fields = dict[str, Any]


def entries_of(log: bytes) -> list[Entry]:
    return list(parse_log(log)[1])


def fields_of(entry: Entry) -> Fields:
    fields: Fields = msgspec.json.decode(bytes(entry.data))
    return fields


def rechained(entries: Sequence[Entry], *, left_out: int = 0) -> bytes:
    """Returns a log of the entries whose versions and hashes are in order.

    Args:
        left_out: a version that no entry gets, so that later ones have the next.
    """
    opening = fields_of(next(entry for entry in entries if entry.type.startswith("table.opened")))
    key, head, sealed = chain_key(str(opening["server_seed"])), GENESIS, []
    for number, entry in enumerate(entries, start=1):
        version = number + (0 < left_out <= number)
        head = chain_hash(key, head, version, entry.type, entry.at, entry.by, entry.cmd, bytes(entry.data))
        sealed.append(replace(entry, version=version, hash=head))
    return _exported(opening, sealed)


def _exported(opening: Fields, entries: Sequence[Entry]) -> bytes:
    """Returns a log with a header that fits these entries, without checking them."""
    number = opening["edition"]
    header = {
        "format": f"hoodwink-log/{number}",
        "table": str(opening["table"]),
        "version": len(entries),
        "head": entries[-1].hash,
    }
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (header, *entries))


def with_data(entry: Entry, fields: Any) -> Entry:
    return replace(entry, data=msgspec.Raw(msgspec.json.encode(fields)))


def changed(log: bytes, version: int, change: Callable[[Fields], Any]) -> bytes:
    """Returns the log with the fields of one event changed in place, and all hashes in order."""
    entries = entries_of(log)
    fields = fields_of(entries[version - 1])
    change(fields)
    entries[version - 1] = with_data(entries[version - 1], fields)
    return rechained(entries)


def version_of(log: bytes, type_: str, number: int = 1) -> int:
    """Returns the version of the n-th event of that type."""
    versions = [entry.version for entry in entries_of(log) if entry.type == type_]
    return versions[number - 1]
