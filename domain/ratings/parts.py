"""An immutable map in parts. A changed copy shares every part without a changed key."""

from collections.abc import Iterable
from typing import Final, TypeAlias, TypeVar

K = TypeVar("K")
V = TypeVar("V")

Parts: TypeAlias = tuple[dict[K, V], ...]
"""The keys by their hash; each key is in the part that `part_of` names."""

NUMBER_OF_PARTS: Final = 256


def part_of(key: object) -> int:
    """Returns the number of the part that has the key, if any has."""
    return hash(key) % NUMBER_OF_PARTS


def replaced(parts: Parts[K, V], items: Iterable[tuple[K, V]]) -> Parts[K, V]:
    """Returns the map with other values for some keys."""
    changed = list(parts)
    for key, value in items:
        number = part_of(key)
        changed[number] = {**changed[number], key: value}
    return tuple(changed)
