"""All examples of the API's description, recorded anew."""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from service.http.description.examples import Example
from tests.service.http.examples import operators, players, tables, tournaments
from tests.service.http.examples.recorder import Recorder

SCENES: Final[tuple[Callable[[Recorder], None], ...]] = (
    players.account,
    tables.before_the_start,
    tables.in_play,
    tables.my_tables,
    tables.clocks,
    tables.hosts,
    tables.rooms,
    tables.after_the_end,
    tables.books,
    tournaments.entries,
    tournaments.end,
    tournaments.rounds,
    tournaments.books,
    operators.health,
)
"""Each is played on a service of its own, so that a step added to one of them changes no other."""


def recorded() -> dict[str, list[Example]]:
    """Plays all scenes; returns the examples of each operation."""
    found: dict[str, list[Example]] = {}
    for scene in SCENES:
        recorder = Recorder()
        scene(recorder)
        shown_twice = found.keys() & recorder.examples.keys()
        assert not shown_twice, shown_twice
        found |= recorder.examples
    return found


def as_file(examples: Sequence[Example]) -> str:
    """Returns the text of the file of an operation's examples."""
    return msgspec.json.format(msgspec.json.encode(examples), indent=1).decode() + "\n"
