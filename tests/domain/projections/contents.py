"""The contents of projections in tests, as plain dictionaries."""

from collections import Counter, defaultdict
from typing import Any

from hoodwink.domain.projections import Add, Effect, Projection, Remove
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tables.evolve import evolve
from hoodwink.domain.tables.state import UNOPENED
from tests.domain.tables.sitting import Sitting


class Contents:
    """The contents of a projection.

    Attributes:
        rows: by key.
        indexes: the keys in each, with their order.
        counters: by name.
    """

    def __init__(self) -> None:
        self.rows: dict[str, Any] = {}
        self.indexes: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self.counters: Counter[str] = Counter()

    def apply(self, effect: Effect) -> None:
        if isinstance(effect, Add):
            self.counters[effect.counter] += effect.amount
            return
        if isinstance(effect, Remove):
            self.rows.pop(effect.key)
            for index in effect.indexes:
                self.indexes[index].pop(effect.key)
            return
        self.rows[effect.key] = effect.row
        for index in effect.indexes:
            self.indexes[index][effect.key] = effect.order
        for index in effect.leaves:
            self.indexes[index].pop(effect.key, None)

    def listed(self, index: str) -> list[str]:
        """Returns the keys of an index, the latest first."""
        return sorted(self.indexes[index], key=lambda key: (self.indexes[index][key], key), reverse=True)


def effects_of(projection: Projection, sitting: Sitting) -> list[tuple[Effect, ...]]:
    """Returns the effects of each event of a table that the projection follows."""
    table, effects = UNOPENED, []
    for recorded in decoded(sitting.entries, decode_event):
        table = evolve(table, recorded)
        if recorded.event.wire in projection.event_types:
            effects.append(projection.project(table, recorded))
    return effects


def projected(projection: Projection, *sittings: Sitting) -> Contents:
    """Returns the contents of the projection after these tables."""
    contents = Contents()
    for sitting in sittings:
        for effects in effects_of(projection, sitting):
            for effect in effects:
                contents.apply(effect)
    return contents
