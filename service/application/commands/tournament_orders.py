"""The commands of organisers that may take long: a request carries them out if they are quick, and otherwise a job does."""

from collections.abc import Callable
from typing import TypeAlias, assert_never

import msgspec

from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tournaments.life import ChangePairing, StartTournament, Tournament, TournamentCommand
from hoodwink.domain.tournaments.life.effort import is_laborious
from hoodwink.service.application.commands import tournament_intents as intents
from hoodwink.service.application.errors import Laborious
from hoodwink.service.application.jobs.arrangements import Arrangements
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
    """A command of an organiser, with all that is needed to carry it out later.

    Attributes:
        player: the id of the player who asks.
        key: that of the request, or one of its own, so that a job that is run twice acts once.
        expected: the position at which the tournament has to be, or `None`.
        is_matched: whether that was asked by `If-Match`.
        words: whether the answer has its events in words.
    """

    tournament: str
    player: str
    order: Order
    key: IdempotencyKey
    expected: Position | None
    is_matched: bool
    words: bool


def check_effort(tournament: Tournament, command: TournamentCommand) -> None:
    """Raises `Laborious` for what a process that serves people must leave to a job."""
    if is_laborious(tournament, command):
        raise Laborious


class TournamentOrders:
    """Carries out what organisers order."""

    def __init__(
        self,
        *,
        tournaments: Tournaments,
        arrangements: Arrangements,
        ratings: Callable[[Tournament], dict[str, int]],
    ) -> None:
        """Takes the ratings from which starting ranks may follow."""
        self._tournaments = tournaments
        self._arrangements = arrangements
        self._ratings = ratings

    def carry_out_if_quick(self, order: OrganiserOrder) -> Accepted:
        """Carries out an order; raises `Laborious` if that takes long, and what `Repository.execute` raises."""
        intent = self._with_arrangement(order, self._arrangements.recall)

        def quick(tournament: Tournament) -> tuple[TournamentCommand, Actor]:
            command, actor = intent(tournament)
            check_effort(tournament, command)
            return command, actor

        return self._execute(order, quick)

    def carry_out(self, order: OrganiserOrder) -> Accepted:
        """Carries out an order, however long it takes; raises what `Repository.execute` raises."""
        return self._execute(order, self._with_arrangement(order, self._arrangements.find))

    def _with_arrangement(self, order: OrganiserOrder, get: Callable[[Tournament], object]) -> Intent:
        intent = self._intent(order)

        def arranged(tournament: Tournament) -> tuple[TournamentCommand, Actor]:
            command, actor = intent(tournament)
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
