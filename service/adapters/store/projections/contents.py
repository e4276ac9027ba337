"""Reads the contents of a projection in one partition, page by page."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from hoodwink.service.adapters.redis.transport import Transport
from hoodwink.service.adapters.store.keys import stream_named
from hoodwink.service.adapters.store.packing import unpacked
from hoodwink.service.application.ports import StreamId
from hoodwink.service.application.projecting.projections import ProjectionSnapshot
from hoodwink.service.application.streams.history import Position

_PAGE: Final = 500
_KEYS_PER_ROUND_TRIP: Final = 50
"""Most indexes are small, so the time would mostly be spent on one round trip for each."""


def read_snapshot(
    transport: Transport, key: Callable[[str], str], after_each_page: Callable[[], None]
) -> ProjectionSnapshot:
    """Returns a partition's contents. The caller must hold the partition, so that nothing changes them meanwhile.

    Args:
        transport: the connection to read from.
        key: returns the key of one part, such as `rows`.
        after_each_page: called after every round trip.
    """

    def scanned(command: str, parts: Sequence[str]) -> dict[str, list[bytes]]:
        found: dict[str, list[bytes]] = {part: [] for part in parts}
        for part, page in _pages(transport, command, {key(part): part for part in parts}, after_each_page):
            found[part] += page
        return found

    hashes = scanned("HSCAN", ("applied", "heads", "rows", "counters"))
    # From the set of names, because a scan for keys would go through the whole server.
    names = sorted(name.decode() for name in set(scanned("SSCAN", ("indexes",))["indexes"]))
    indexes = scanned("ZSCAN", [f"index:{name}" for name in names])
    return ProjectionSnapshot(
        applied=dict(_positions(_pairs(hashes["applied"], bytes), _pairs(hashes["heads"], bytes))),
        rows=_pairs(hashes["rows"], bytes),
        counters=_pairs(hashes["counters"], int),
        indexes={name: _pairs(members, _order) for name in names if (members := indexes[f"index:{name}"])},
    )


def _pages(
    transport: Transport, command: str, parts: dict[str, str], after_each_page: Callable[[], None]
) -> Iterator[tuple[str, list[bytes]]]:
    """Yields pages of the values of several keys. Redis may return a value twice."""
    waiting = [(key, b"0") for key in parts]
    while waiting:
        together, waiting = waiting[:_KEYS_PER_ROUND_TRIP], waiting[_KEYS_PER_ROUND_TRIP:]
        replies: list[Any] = transport.call_each(
            [(key, (command, key, cursor, "COUNT", _PAGE)) for key, cursor in together]
        )
        after_each_page()
        for (key, _), (cursor, page) in zip(together, replies, strict=True):
            yield parts[key], page
            if cursor != b"0":
                waiting.append((key, cursor))


def _positions(
    applied: Mapping[str, bytes], heads: Mapping[str, bytes]
) -> Iterator[tuple[StreamId, Position]]:
    """Yields each stream with the position of the last applied event."""
    for name, stored in applied.items():
        version, _, head = stored.partition(b" ")
        noted, _, noted_head = heads.get(name, b"").partition(b" ")
        # Earlier releases noted the hash elsewhere, and may have left one of an older version there.
        known = head or (noted_head if noted == version else b"")
        yield stream_named(name), Position(int(version), unpacked(known))


def _pairs(flat: list[bytes], kind: Callable[[bytes], Any]) -> dict[str, Any]:
    """Returns Redis's flat list of names and values as a dictionary. Values that a scan returned twice are merged."""
    return {name.decode(): kind(value) for name, value in zip(flat[::2], flat[1::2], strict=True)}


def _order(score: bytes) -> int:
    return int(float(score))
