"""The secrecy law at tables: deadlines, absences and the work due depend on no hidden card either."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import RuleViolation, Viewer, redact
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.deciding.decide import decide
from hoodwink.domain.tables.deciding.unplayable import unplayable_of
from hoodwink.domain.tables.due import work_due
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.state import Table, deadline_of
from hoodwink.domain.tables.view import (
    legal_actions_of,
    plays_of,
    view_table,
)
from hoodwink.service.simulation.outside.outsider import observation
from tests.domain.laws.leaks import LEAKS, cards_of_zone, hidden_zones
from tests.domain.laws.playout import Entry, Play, play
from tests.domain.laws.secrecy import probes, viewers
from tests.domain.laws.worlds import Change, Commit, Outlook, Redrawn, commits_of
from tests.domain.tables.sitting import Sitting

TABLES = 2
TURN_SECONDS = 20
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def tables(game) -> Iterator[Play]:
    """Yields tables without void rounds, because the guard of tables stops a round later than that of the playouts."""
    for seed in range(2 * TABLES):
        table = play(game, seed, max_rounds=2, max_entries=60)
        if all(entry.event is not None for entry in table.entries):
            yield table


def carried_out(outlook: Outlook, change: Change, commits: Sequence[Commit], viewer: Viewer) -> Iterator[Any]:
    """Yields what the viewer, or a bot from outside in its seat, receives after each command, in the world with that change."""
    table = outlook.play
    options = msgspec.to_builtins(table.options)
    sitting = Sitting(game=table.game.name, seats=table.seats, turn_seconds=TURN_SECONDS, **options)
    sitting.sit(*("bot" if seat % 3 == 2 else f"player {seat}" for seat in range(table.seats))).start()
    for commit in commits:
        first, version = commit[0], sitting.table.version
        sitting.now = first.now
        draws = Redrawn(outlook, first.round, change)
        with patch("hoodwink.domain.tables.deciding.decide.SeededDraws", lambda *_, draws=draws, **__: draws):
            events = sitting.do(command_of(sitting.table, first, change))
        seen = [redact(event, viewer) for event in events]
        entries = [(entry.version, entry.at, entry.by, entry.cmd) for entry in sitting.entries[version:]]
        given = None
        if isinstance(viewer, int):
            unseen = map(Recorded, sitting.entries[version:], events)
            given = observation(sitting.table, unseen, viewer, sitting.now)
        yield seen, entries, received(table, sitting.table, viewer, sitting.now), given


def command_of(table: Table, entry: Entry, change: Change) -> commands.TableCommand:
    """Returns the command of an entry; for a seat whose clock has run out, that of the clock."""
    if entry.seat is None:
        return commands.DealRound() if entry.kind == "deal" else commands.ScoreRound()
    action, deadline = change.action(entry), deadline_of(table, entry.seat)
    is_late = deadline is not None and entry.now >= deadline
    is_open = table.rulebook.overdue(table.state, entry.seat) in {None, action}
    if is_late and is_open and not isinstance(action, table.rulebook.offences):
        return commands.ExpireClock(entry.seat, action)
    return commands.Act(entry.seat, action)


def received(play: Play, table: Table, viewer: Viewer, now: int) -> list[Any]:
    """Returns all that the viewer receives of a table, with the times at which the service acts."""
    shown: list[Any] = [msgspec.json.encode(view_table(table, viewer)), work_due(table)]
    if isinstance(viewer, int):
        legal = legal_actions_of(table, viewer, now)
        shown += [legal, unplayable_of(table, viewer, legal, now), plays_of(table, viewer, now)]
        shown += [
            refusal(table, commands.Act(viewer, action), now) for action in probes(play, table.version, 5)
        ]
    return shown


def refusal(table: Table, command: commands.TableCommand, now: int) -> tuple[str, str] | None:
    try:
        decide(table, command, now)
    except RuleViolation as refused:
        return refused.code, refused.detail
    return None


def is_kept(table: Play, viewer: Viewer) -> bool:
    """Returns whether the viewer receives the same in other worlds, one for each of some versions."""
    commits, chance = commits_of(table), Random(table.seed)
    outlook = Outlook(table, viewer, commits)
    for end in chance.sample(range(2, len(commits) + 1), 3):
        world = next(outlook.worlds(end, chance), None)
        if world is not None:
            reached = world.begin + sum(1 for _ in world)
            mine, others = (
                carried_out(outlook, change, commits[:reached], viewer)
                for change in (Change(round=1), world.change)
            )
            if any(own != other for own, other in zip(mine, others, strict=True)):
                return False
    return True


@every_game
def test_g_1_g_2_g_10_a_table_reveals_nothing_hidden(game):
    for table in tables(game):
        for viewer in Random(table.seed).sample(viewers(table), 2):
            assert is_kept(table, viewer), (table.seed, viewer)


@every_game
@pytest.mark.parametrize("kind", ["a flag", "an option", "whose turn", "the time to wait"])
def test_g_1_a_leak_of_a_table_is_found(game, kind, monkeypatch):
    leaking = LEAKS[kind](game, cards_of_zone(hidden_zones(game)[0]))
    monkeypatch.setattr("hoodwink.domain.tables.state.GAMES", {game.name: leaking})
    assert not all(is_kept(table, viewer) for table in tables(leaking) for viewer in viewers(table)[-2:])
