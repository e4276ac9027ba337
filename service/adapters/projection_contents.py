"""Reads what a projection keeps in one partition, a page at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from service.adapters.keys import stream_named
from service.adapters.transport import Transport
from service.application.history import Place
from service.application.ports import StreamId
from service.application.projections import Shelf

_PAGE: Final = 500
_TOGETHER: Final = 50
"""So many keys are read in one round trip; most indexes are small."""


def read_shelf(transport: Transport, key: Callable[[str], str], between_pages: Callable[[], None]) -> Shelf:
    """Returns a partition's contents; it is of one moment only if nothing changes meanwhile.

    Args:
        transport: where to read.
        key: the key of one part of it, such as `rows`.
        between_pages: called behind every round trip.
    """

    def scanned(command: str, parts: Sequence[str]) -> dict[str, list[bytes]]:
        found: dict[str, list[bytes]] = {part: [] for part in parts}
        for part, page in _pages(transport, command, {key(part): part for part in parts}, between_pages):
            found[part] += page
        return found

    hashes = scanned("HSCAN", ("applied", "heads", "rows", "counters"))
    names = sorted(name.decode() for name in set(scanned("SSCAN", ("indexes",))["indexes"]))
    indexes = scanned("ZSCAN", [f"index:{name}" for name in names])
    return Shelf(
        applied=dict(_places(_pairs(hashes["applied"], int), _pairs(hashes["heads"], bytes.decode))),
        rows=_pairs(hashes["rows"], bytes),
        counters=_pairs(hashes["counters"], int),
        indexes={name: _pairs(members, _order) for name in names if (members := indexes[f"index:{name}"])},
    )


def _pages(
    transport: Transport, command: str, parts: dict[str, str], between_pages: Callable[[], None]
) -> Iterator[tuple[str, list[bytes]]]:
    """Yields pages of what stands under several keys; one may come twice in part."""
    waiting = [(key, b"0") for key in parts]
    while waiting:
        together, waiting = waiting[:_TOGETHER], waiting[_TOGETHER:]
        replies: list[Any] = transport.call_each(
            [(key, (command, key, cursor, "COUNT", _PAGE)) for key, cursor in together]
        )
        between_pages()
        for (key, _), (cursor, page) in zip(together, replies, strict=True):
            yield parts[key], page
            if cursor != b"0":
                waiting.append((key, cursor))


def _places(versions: Mapping[str, int], heads: Mapping[str, str]) -> Iterator[tuple[StreamId, Place]]:
    """Yields each stream with the place up to which its events are applied."""
    for name, version in versions.items():
        noted, _, head = heads.get(name, "").partition(" ")
        yield stream_named(name), Place(version, head if noted == str(version) else "")


def _pairs(flat: list[bytes], kind: Callable[[bytes], Any]) -> dict[str, Any]:
    """Returns names and values that stand in a row as a dictionary."""
    return {name.decode(): kind(value) for name, value in zip(flat[::2], flat[1::2], strict=True)}


def _order(score: bytes) -> int:
    return int(float(score))
