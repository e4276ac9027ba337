"""The mistakes of bots from outside: all are counted, and some are kept as examples."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from hoodwink.service.simulation.outside.process import Kind

_MAX_EXAMPLES: Final = 3
"""The number of examples of one kind of mistake of a bot."""


class Mistake(msgspec.Struct, frozen=True):
    """A time when a built-in bot moved for a bot from outside.

    Attributes:
        detail: what was wrong, such as a traceback or the reason of a refusal.
        version: the version of the table.
        position: the observation.
    """

    bot: str
    kind: Kind
    detail: str
    version: int
    seat: int
    position: msgspec.Raw


class Example(msgspec.Struct, frozen=True):
    """A mistake with the log of its table.

    Attributes:
        table: says which table it was.
        log: the exported log, from the opening to the end.
    """

    table: str
    mistake: Mistake
    log: str


class Mistakes:
    """Mistakes at many tables.

    Attributes:
        counts: by bot and kind.
        examples: the first ones of each bot and kind.
    """

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, Kind]] = Counter()
        self.examples: list[Example] = []

    def add(self, table: str, mistakes: Iterable[Mistake], log: Callable[[], bytes]) -> None:
        """Counts the mistakes at a table. `log` exports its log, if one of them becomes an example."""
        for mistake in mistakes:
            key = mistake.bot, mistake.kind
            self.counts[key] += 1
            if self.counts[key] <= _MAX_EXAMPLES:
                self.examples.append(Example(table, mistake, log().decode()))

    def merge(self, later: "Mistakes") -> None:
        """Adds the mistakes at later tables."""
        for example in later.examples:
            key = example.mistake.bot, example.mistake.kind
            if self._kept(key) < _MAX_EXAMPLES:
                self.examples.append(example)
        self.counts += later.counts

    def _kept(self, key: tuple[str, Kind]) -> int:
        return sum((example.mistake.bot, example.mistake.kind) == key for example in self.examples)
