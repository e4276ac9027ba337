"""An immutable map in parts. A changed copy shares every part without a changed key."""

from collections.abc import Iterable
from typing import Final, TypeAlias, TypeVar

K = TypeVar("K")
V = TypeVar("V")

Parts: TypeAlias = tuple[dict[K, V], ...]
"""The items, distributed by the hash of the key; see `part_of`."""

NUMBER_OF_PARTS: Final = 256


def part_of(key: object) -> int:
    return hash(key) % NUMBER_OF_PARTS


def replaced(parts: Parts[K, V], items: Iterable[tuple[K, V]]) -> Parts[K, V]:
    """Returns the map with new values for some keys."""
    changed = list(parts)
    for key, value in items:
        number = part_of(key)
        changed[number] = {**changed[number], key: value}
    return tuple(changed)
