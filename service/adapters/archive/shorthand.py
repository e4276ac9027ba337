"""Shorthand for the commits of play in archived logs: an action, a deal or a score, from which the rules decide all events again."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import RuleViolation, Stage
from hoodwink.domain.tables.actor import Actor, seat_of
from hoodwink.domain.tables.commands import Act, DealRound, ScoreRound
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.events import RoundScored, is_of_table
from hoodwink.domain.tables.proving.log import apply
from hoodwink.domain.tables.proving.verify import TABLE, rebuilt_command
from hoodwink.domain.tables.state import Table, stage_of

EVENTS_REVISION: Final = 1
"""Raise it when the same shorthand leads to other bytes (CONTRIBUTING.md, "Change an event")."""

_Play: TypeAlias = Act | DealRound | ScoreRound

_ACTIONS: Final[Mapping[str, "msgspec.json.Decoder[Any]"]] = MappingProxyType(
    {name: msgspec.json.Decoder(reduce(or_, game.actions)) for name, game in GAMES.items()}
)


def shortened(table: Table, commit: Sequence[Recorded], head: str) -> tuple[str, Table] | None:
    """Returns the shorthand of a commit that follows the hash `head`, and the table after it.

    It is the action as JSON, or empty for a deal or a score. `None` if the commit is not play, or if the rules lead to
    entries that differ in a single byte.
    """
    first = commit[0].entry
    try:
        play = _recorded_play(table, commit)
        if play is None:
            return None
        after, recorded = apply(TABLE, table, play, head=head, at=first.at, by=first.by, cmd=first.cmd)
    except RuleViolation:
        return None
    if [one.entry for one in recorded] != [one.entry for one in commit]:
        return None
    return (msgspec.json.encode(play.action).decode() if isinstance(play, Act) else ""), after


def expanded(
    table: Table, shorthand: str, *, head: str, at: int, by: Actor, cmd: str
) -> tuple[Table, tuple[Recorded, ...]]:
    """Returns the table after a shortened commit, and its events.

    Raises:
        RuleViolation, msgspec.MsgspecError: the shorthand is that of another table.
    """
    return apply(TABLE, table, _play(table, shorthand, by), head=head, at=at, by=by, cmd=cmd)


def _recorded_play(table: Table, commit: Sequence[Recorded]) -> _Play | None:
    first = commit[0]
    if is_of_table(first.event) and not isinstance(first.event, RoundScored):
        return None
    command = rebuilt_command(table, commit)
    if isinstance(command, Act) and command.seat != seat_of(first.entry.by):
        return None  # the host entered it
    assert isinstance(command, _Play), "no other command begins like this"
    return command


def _play(table: Table, shorthand: str, by: Actor) -> _Play:
    if not shorthand:
        return DealRound() if stage_of(table) is Stage.TO_DEAL else ScoreRound()
    seat = seat_of(by)
    assert seat is not None, "others' actions are not shortened"
    return Act(seat, _ACTIONS[table.game].decode(shorthand))
