"""Organisers' commands that may take long: a request executes them if they are quick, otherwise a job does."""

from collections.abc import Callable
from typing import TypeAlias, assert_never

import msgspec

from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tournaments.life import ChangePairing, StartTournament, Tournament, TournamentCommand
from hoodwink.service.application.commands import tournament_intents as intents
from hoodwink.service.application.errors import Laborious
from hoodwink.service.application.jobs.arrangements import Arrangements
from hoodwink.service.application.jobs.effort import is_laborious
from hoodwink.service.application.ports import IdempotencyKey
from hoodwink.service.application.streams.history import Position
from hoodwink.service.application.streams.tournaments import Accepted, Intent, Tournaments


class StartNow(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Start the tournament."""


class PairNext(msgspec.Struct, frozen=True, gc=False, tag=True, kw_only=True):
    """Pair the next round."""

    early: bool
    reason: str


Order: TypeAlias = StartNow | PairNext | ChangePairing


class OrganiserOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An organiser's command, with everything that a job needs to execute it later.

    Attributes:
        player: the id of the player who asks.
        key: the request's, or a new one, so that a job that runs twice acts once.
        expected: the required position of the tournament, or `None`.
        is_matched: whether the request required it by `If-Match`.
        words: whether the answer includes the events in words.
    """

    tournament: str
    player: str
    order: Order
    key: IdempotencyKey
    expected: Position | None
    is_matched: bool
    words: bool


def check_effort(tournament: Tournament, command: TournamentCommand) -> None:
    """Raises `Laborious` for a command that a process that serves people must leave to a job."""
    if is_laborious(tournament, command):
        raise Laborious


class TournamentOrders:
    def __init__(
        self,
        *,
        tournaments: Tournaments,
        arrangements: Arrangements,
        ratings: Callable[[Tournament], dict[str, int]],
    ) -> None:
        """`ratings` returns the ratings from which starting ranks may be derived."""
        self._tournaments = tournaments
        self._arrangements = arrangements
        self._ratings = ratings

    def carry_out_if_quick(self, order: OrganiserOrder) -> Accepted:
        """Executes an order; raises `Laborious` if it takes long, and the errors of `Repository.execute`."""
        intent = self._with_arrangement(order, self._arrangements.recall)

        def quick(tournament: Tournament) -> tuple[TournamentCommand, Actor]:
            command, actor = intent(tournament)
            # Inside the intent, because the effort depends on the state, which may change between attempts.
            check_effort(tournament, command)
            return command, actor

        return self._execute(order, quick)

    def carry_out(self, order: OrganiserOrder) -> Accepted:
        """Executes an order, even if it takes long; raises the errors of `Repository.execute`."""
        return self._execute(order, self._with_arrangement(order, self._arrangements.find))

    def _with_arrangement(self, order: OrganiserOrder, get: Callable[[Tournament], object]) -> Intent:
        intent = self._intent(order)

        def arranged(tournament: Tournament) -> tuple[TournamentCommand, Actor]:
            command, actor = intent(tournament)
            # Deciding does no I/O and finds only arrangements in memory, so a stored one is loaded first.
            if isinstance(command, StartTournament):
                get(tournament)
            return command, actor

        return arranged

    def _execute(self, order: OrganiserOrder, intent: Intent) -> Accepted:
        return self._tournaments.execute(order.tournament, intent, key=order.key, expected=order.expected)

    def _intent(self, order: OrganiserOrder) -> Intent:
        player, ordered = order.player, order.order
        match ordered:
            case StartNow():
                return intents.start(player, self._ratings)
            case PairNext():
                return intents.open_round(player, early=ordered.early, reason=ordered.reason)
            case ChangePairing():
                return intents.organise(player, ordered)
            case _:
                assert_never(ordered)
