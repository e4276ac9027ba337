"""A bot from outside at its seat: it gets observations, and its actions are checked."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, reduce
from operator import or_
from typing import Any, Final, Self

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Action, RuleViolation, without_name
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.commands import Act
from hoodwink.domain.tables.deciding.decide import decide
from hoodwink.domain.tables.entries import Entry, Recorded, decoded
from hoodwink.domain.tables.state import Table, turn_of
from hoodwink.domain.tables.view import TableView, plays_of, view_table
from hoodwink.service.application.reading.seen import (
    EventRecord,
    LegalActions,
    event_records,
    legal_of_viewer,
)
from hoodwink.service.simulation.outside.mistakes import Mistake
from hoodwink.service.simulation.outside.process import BotFailed, Kind, Limits
from hoodwink.service.simulation.outside.seated import Seated

PASSED_IN_TURN: Final = "null passes on an action out of turn, but it is the bot's turn"

StandIn = Callable[[], Action | None]
"""Chooses an action of a built-in bot."""


class SeenTable(msgspec.Struct, frozen=True, gc=False):
    """An observation: the fields of a message of the table's stream over HTTP, without the hash.

    The hash depends on hidden cards. That reveals nothing to people, but two observations that look the same are the same.

    Attributes:
        version: the number of events so far.
        now: the clock, in ms.
        events: the events since the bot's observation before, as the seat may see them.
        view: the table as the seat may see it.
        legal_actions: the actions that the seat may take now.
    """

    version: int
    now: int
    events: tuple[EventRecord, ...]
    view: TableView
    legal_actions: LegalActions | None


def observation(table: Table, unseen: Iterable[Recorded], seat: int, now: int) -> bytes:
    """Returns what a bot in the seat receives, as JSON.

    Args:
        table: at its present version.
        unseen: the events since the observation before.
        seat: the seat of the bot.
        now: the clock, in ms.
    """
    events = event_records(table, unseen, seat, without_name)
    view = view_table(table, seat, now=now)
    return msgspec.json.encode(SeenTable(table.version, now, events, view, legal_of_viewer(table, seat, now)))


class Outsider:
    """A bot from outside that plays one seat of simulated tables.

    Attributes:
        mistakes: those at the present table.
        times_ns: the CPU time of each of its answers at the present table.
    """

    def __init__(self, bot: str, limits: Limits) -> None:
        self._seated = Seated(bot, limits)
        self.close = self._seated.close
        self.sit_down("")

    def sit_down(self, seed: str) -> None:
        """Begins a table. The seed makes the bot's random numbers repeatable."""
        self.mistakes: list[Mistake] = []
        self.times_ns: list[int] = []
        self._seated.sit_down(seed)

    def choose(
        self, table: Table, entries: Sequence[Entry], seat: int, now: int, stand_in: StandIn
    ) -> Action | None:
        """Returns the action that the bot chooses, or the built-in bot if it does not choose a legal one.

        Returns `None` if the seat may not act, or passes on an action out of turn.
        """
        if not plays_of(table, seat, now):
            return None
        position = observation(table, decoded(entries[self._seated.told :], decode_event), seat, now)
        self._seated.told = len(entries)
        try:
            return self._ask(table, position, seat, now)
        except BotFailed as failed:
            raw = msgspec.Raw(position)
            self.mistakes.append(
                Mistake(self._seated.bot, failed.kind, failed.detail, table.version, seat, raw)
            )
            return stand_in()

    def _ask(self, table: Table, position: bytes, seat: int, now: int) -> Action | None:
        reply = self._seated.ask(position)
        self.times_ns.append(reply.cpu_ns)
        try:
            action = _decoder(table.game).decode(reply.action)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise BotFailed(Kind.INVALID, f"{error}, in {reply.action[:200].decode()}") from None
        if action is None:
            if seat in turn_of(table).owes:
                raise BotFailed(Kind.INVALID, PASSED_IN_TURN)
            return None
        try:
            # Only checked: the simulation decides it again, like the action of any other bot.
            decide(table, Act(seat, action), now)
        except RuleViolation as refused:
            raise BotFailed(Kind.ILLEGAL, f"{refused} It chose {reply.action[:200].decode()}") from None
        return action  # type: ignore[no-any-return]


def is_outsider(bot: str) -> bool:
    """Returns whether the name of a bot is that of a function: `module:function`, `file.py` or `file.py:function`."""
    return ":" in bot or bot.endswith(".py")


class Outsiders:
    """The bots from outside at tables that are played one after the other."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._by_seat: dict[tuple[int, str], Outsider] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for outsider in self._by_seat.values():
            outsider.close()

    def among(self, bots: Sequence[str]) -> dict[int, Outsider]:
        """Returns the outsiders among the bots of a table by seat."""
        return {seat: self._at(seat, bot) for seat, bot in enumerate(bots) if is_outsider(bot)}

    def _at(self, seat: int, bot: str) -> Outsider:
        if (seat, bot) not in self._by_seat:
            self._by_seat[seat, bot] = Outsider(bot, self._limits)
        return self._by_seat[seat, bot]


@cache
def _decoder(game: str) -> msgspec.json.Decoder[Any]:
    """Returns the decoder of a game's actions, or `null`."""
    return msgspec.json.Decoder(reduce(or_, GAMES[game].actions, None))
