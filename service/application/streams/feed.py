"""Filters the entries of the feed for its readers."""

from collections.abc import Callable, Iterable
from typing import Final

from msgspec.structs import replace

from hoodwink.service.application.ports import FeedEntry
from hoodwink.service.application.streams.aggregates import AGGREGATES

REACTIONS: Final = "reactions"
"""The group of the feed whose reader sends tasks to the workers."""


def entries_of(category: str, entries: Iterable[FeedEntry]) -> list[FeedEntry]:
    """Returns the entries of a category, with the current names of renamed event types."""
    current_wire = AGGREGATES[category].current_wire
    return [
        _with_current_types(entry, current_wire) for entry in entries if entry.stream.category == category
    ]


def _with_current_types(entry: FeedEntry, current_wire: Callable[[str], str]) -> FeedEntry:
    # Entries that an earlier release wrote may still wait in the feed.
    types = tuple([current_wire(wire) for wire in entry.types])
    return entry if types == entry.types else replace(entry, types=types)


def latest_entries(entries: Iterable[FeedEntry]) -> dict[str, FeedEntry]:
    """Returns the latest entry of each stream, by id; all entries must be of one category."""
    latest: dict[str, FeedEntry] = {}
    for entry in entries:
        known = latest.get(entry.stream.id)
        if known is None or known.version < entry.version:
            latest[entry.stream.id] = entry
    return latest
