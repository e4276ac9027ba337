"""Calls players by pushes: to their tables for a turn, a nudge, an offered seat and a round that starts, and to their
tournament for an announcement (T-61), an offered entry (T-28) or an offered place (T-19).

The projector watches the tables of players with subscriptions, and sends those where something happened to the push
worker, which looks at the table as it is then. A lost task costs a push, and nothing waits for one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol, TypeAlias

import msgspec

from hoodwink.domain.tables.attention import people_of, waits_since
from hoodwink.domain.tables.events import SeatOffered, SeatTaken, TableEnded, TableOpened, TableStarted
from hoodwink.domain.tables.state import Phase, Table, people_at, seat_of
from hoodwink.domain.tournaments.life import Tournament
from hoodwink.domain.tournaments.life.events import Announced, EntriesOffered, PlaceOffered
from hoodwink.domain.tournaments.life.facts import is_over, remaining
from hoodwink.domain.tournaments.life.state import OfferStatus
from hoodwink.service.application.errors import NotFound
from hoodwink.service.application.players.pushes import (
    PushAddress,
    PushOutcome,
    PushResult,
    PushSubscriptions,
    Subscriptions,
)
from hoodwink.service.application.ports import Clock, FeedEntry
from hoodwink.service.application.streams.aggregates import TABLE, TOURNAMENT
from hoodwink.service.application.streams.feed import entries_of
from hoodwink.service.application.streams.tables import Tables
from hoodwink.service.application.streams.tournaments import Tournaments
from hoodwink.service.application.work.recalls import Recall, Recalls
from hoodwink.service.application.work.tasks import Task, TaskQueue

PATIENCE_MS: Final = 5_000
"""Players who act within this time need no push."""

REFRESH_MS: Final = 5_000
"""How often the list of players with subscriptions is read."""

MAX_PER_HOUR: Final = 60
"""Maximum number of pushes per player and hour. Those of tournaments do not count, so that they never cost a turn."""

MAX_ANNOUNCED_PER_HOUR: Final = 20
"""Maximum number of pushes for announcements and for offers of tournaments per player and hour."""

_ANNOUNCEMENT: Final = "announcement:"
_NUDGE: Final = "nudge:"
_ENTRY: Final = "entry:"
_PLACE: Final = "place:"
_TABLES_PER_TASK: Final = 20
OFFERS: Final = frozenset({EntriesOffered.wire, PlaceOffered.wire})
"""The events by which a tournament offers something to players."""

_ARRIVALS: Final = frozenset({kind.wire for kind in (TableOpened, SeatTaken, SeatOffered, TableStarted)})


class PlayersTables(Protocol):
    """Finds the players of tables, and the tables of players. Every call may raise `StoreUnavailable`."""

    def owners(self, tables: list[str]) -> Mapping[str, list[str]]:
        """Returns the existing ones of these tables by player."""
        ...

    def unknown_each(self, asked: Iterable[tuple[str, Collection[str]]]) -> list[tuple[str, ...]]:
        """Returns, for each pair of player and known tables, the ids of that player's other live tables."""
        ...


class CallWatch:
    """Finds the tables that may call somebody. Used by one thread of the projector."""

    def __init__(
        self, *, subscriptions: Subscriptions, my_tables: PlayersTables, tasks: TaskQueue, clock: Clock
    ) -> None:
        self._subscriptions = subscriptions
        self._my_tables = my_tables
        self._tasks = tasks
        self._clock = clock
        self._players: frozenset[str] = frozenset()
        self._watched: set[str] = set()
        self._named: dict[str, int] = {}
        self._refresh_at = 0

    def watch(self, entries: Sequence[FeedEntry]) -> None:
        """Notes what happened at watched tables, and sends those where it happened a while ago."""
        now = self._clock.elapsed_ms()
        if now >= self._refresh_at:
            self._refresh_at = now + REFRESH_MS
            self._refresh()
        if not self._players:
            return
        for entry in entries_of(TOURNAMENT.category, entries):
            if Announced.wire in entry.types:
                self._tasks.send(Task.ANNOUNCE, entry.stream.id)
            if not OFFERS.isdisjoint(entry.types):
                self._tasks.send(Task.OFFER_ENTRIES, entry.stream.id)
        tables = list(entries_of(TABLE.category, entries))
        arrived = [entry.stream.id for entry in tables if not _ARRIVALS.isdisjoint(entry.types)]
        if arrived:
            owners = self._my_tables.owners(arrived)
            self._watched.update(*[ids for player, ids in owners.items() if player in self._players])
        for entry in tables:
            if TableEnded.wire in entry.types:  # it calls nobody any more
                self._watched.discard(entry.stream.id)
                self._named.pop(entry.stream.id, None)
            elif entry.stream.id in self._watched:
                # The first event counts: at a busy table, later ones would put the task off again and again.
                self._named.setdefault(entry.stream.id, now)
        self._send([table for table, at in self._named.items() if now - at >= PATIENCE_MS])

    def _refresh(self) -> None:
        """Watches the tables of players with new subscriptions."""
        players = self._subscriptions.players()
        new = sorted(players - self._players)
        for ids in self._my_tables.unknown_each([(player, ()) for player in new]):
            self._watched.update(ids)
            # Something may have happened there shortly before the subscription was noticed.
            self._named |= dict.fromkeys(ids, self._clock.elapsed_ms())
        # Last: if the store fails above, these players are still new at the next call.
        self._players = players

    def _send(self, tables: list[str]) -> None:
        for first in range(0, len(tables), _TABLES_PER_TASK):
            together = tables[first : first + _TABLES_PER_TASK]
            self._tasks.send(Task.CALL, *together)
            # Only now, when the task is in the queue: if that fails, the next call sends these tables again.
            for table in together:
                del self._named[table]


class Caller:
    """Sends pushes to the players whom a table or a tournament calls."""

    def __init__(  # noqa: PLR0913 - what it reads, and what it sends with
        self,
        *,
        tables: Tables,
        tournaments: Tournaments,
        subscriptions: Subscriptions,
        push_subscriptions: PushSubscriptions,
        push: Callable[..., PushResult],
        recalls: Recalls,
        last_nudge: Callable[[str, int], int | None],
        count: Callable[[PushOutcome], None] = lambda _: None,
    ) -> None:
        """Takes the parts that it depends on.

        Args:
            tables, tournaments, subscriptions, push_subscriptions: of the service.
            push: sends a link to an address.
            recalls: keeps the pushes that are sent again later.
            last_nudge: returns when the turn began in which a seat was last nudged.
            count: counts the outcomes.
        """
        self._recalls = recalls
        self._tables = tables
        self._tournaments = tournaments
        self._subscriptions = subscriptions
        self._push_subscriptions = push_subscriptions
        self._push = push
        self._last_nudge = last_nudge
        self._count = count

    def call(self, table_id: str) -> None:
        """Sends pushes for a table as it is now, once for each reason; raises `StoreUnavailable`."""
        self._call_new(table_id, self._calls_at(table_id))

    def nudge(self, table_id: str) -> None:
        """Sends pushes to the players who were nudged in their present turn; raises `StoreUnavailable`."""
        # A seat is nudged once in each turn. A note would replace that of the turn, which would call again.
        self._call_each(table_id, self._nudges_at(table_id), is_new=lambda _player, _reason: True)

    def announce(self, tournament_id: str) -> None:
        """Sends pushes for the last announcement of a tournament, once for each; raises `StoreUnavailable`."""
        self._call_new(tournament_id, self._of_tournament(tournament_id, addressed_by))

    def offer_entries(self, tournament_id: str) -> None:
        """Sends pushes to the players with an open offer of an entry or place, once for each; raises `StoreUnavailable`."""
        self._call_new(tournament_id, self._of_tournament(tournament_id, offers_in))

    def call_again(self, recall: Recall) -> None:
        """Sends a push again if the player is still called for the same reason; raises `StoreUnavailable`."""
        if self._calls_for(recall).get(recall.player) != recall.reason:
            return
        for each in self._push_subscriptions.valid(recall.player):
            if each.id == recall.subscription:
                self._send(recall, each.address)

    def _calls_for(self, recall: Recall) -> Mapping[str, str]:
        """Returns the present calls of the kind of an earlier one."""
        for beginning, find in _OF_TOURNAMENTS.items():
            if recall.reason.startswith(beginning):
                return self._of_tournament(recall.table, find, [recall.player])
        if recall.reason.startswith(_NUDGE):
            return self._nudges_at(recall.table)
        return self._calls_at(recall.table)

    def _calls_at(self, table_id: str) -> Mapping[str, str]:
        try:
            return calls_of(self._tables.load(table_id).state)
        except NotFound:
            return {}

    def _nudges_at(self, table_id: str) -> Mapping[str, str]:
        try:
            table = self._tables.load(table_id).state
        except NotFound:
            return {}
        reasons = {}
        for player in people_at(table):
            seat, since = seat_of(table, player), waits_since(table, player)
            if seat is not None and since is not None and self._last_nudge(table_id, seat) == since:
                reasons[player] = f"{_NUDGE}{since}"
        return reasons

    def _of_tournament(
        self, tournament_id: str, find: "_FindCalls", players: Collection[str] | None = None
    ) -> Mapping[str, str]:
        players = self._subscriptions.players() if players is None else players
        try:
            return find(self._tournaments.load(tournament_id).state, players)
        except NotFound:
            return {}

    def _call_new(self, id_: str, calls: Mapping[str, str]) -> None:
        self._call_each(
            id_, calls, is_new=lambda player, reason: self._subscriptions.note_call(player, id_, reason)
        )

    def _call_each(self, id_: str, calls: Mapping[str, str], *, is_new: Callable[[str, str], bool]) -> None:
        for player, reason in calls.items():
            subscribed = self._push_subscriptions.valid(player)
            if subscribed and is_new(player, reason):
                for each in subscribed:
                    first = Recall(player=player, subscription=each.id, table=id_, reason=reason)
                    self._send(first, each.address)

    def _send(self, recall: Recall, address: PushAddress) -> None:
        player, table, subscription = recall.player, recall.table, recall.subscription
        is_announced = recall.reason.startswith(tuple(_OF_TOURNAMENTS))
        folder, most = ("tournaments", MAX_ANNOUNCED_PER_HOUR) if is_announced else ("tables", MAX_PER_HOUR)
        if not self._subscriptions.count(player, folder, per_hour=most):
            self._count(PushOutcome.LIMITED)
            return
        outcome, wait_ms = self._push(address, f"/{folder}/{table}", topic=f"{subscription}:{table}")
        if outcome is PushOutcome.DELAYED:
            tried = msgspec.structs.replace(recall, attempts=recall.attempts + 1)
            outcome = outcome if self._recalls.add(tried, wait_ms=wait_ms) else PushOutcome.FAILED
        self._count(outcome)
        if outcome in {PushOutcome.ENDED, PushOutcome.REFUSED}:
            self._subscriptions.remove(player, [subscription])


def calls_of(table: Table) -> dict[str, str]:
    """Returns the players whom a table calls now, and for each why: another reason is another call."""
    found: dict[str, str] = {}
    if table.phase is Phase.ENDED:
        return found
    for player in people_of(table):
        since = waits_since(table, player)
        if since is not None:
            found[player] = f"turn:{since}"
        elif player in table.offered:
            found[player] = "offer"
    return found


def addressed_by(tournament: Tournament, players: Collection[str]) -> dict[str, str]:
    """Returns those of the players to whom the last announcement is addressed, with its number as the reason.

    These are the entrants who have not left, without its writer.
    """
    if not tournament.announcements:
        return {}
    writer, reason = tournament.announcements[-1].official, f"{_ANNOUNCEMENT}{len(tournament.announcements)}"
    entered = {entrant.id for entrant in remaining(tournament)} - {writer}
    return dict.fromkeys(sorted(entered.intersection(players)), reason)


def offers_in(tournament: Tournament, players: Collection[str]) -> dict[str, str]:
    """Returns those of the players who have an open offer, with the number of the place (T-19) or of the offer (T-28)."""
    if is_over(tournament):
        return {}
    places = {entrant.offered_to: f"{_PLACE}{entrant.number}" for entrant in tournament.entrants}
    entries = {
        offer.player: f"{_ENTRY}{offer.times}"
        for offer in tournament.offers
        if offer.status is OfferStatus.OPEN
    }
    return {player: reason for player, reason in (entries | places).items() if player in players}


_FindCalls: TypeAlias = Callable[[Tournament, Collection[str]], dict[str, str]]
_OF_TOURNAMENTS: Final[Mapping[str, _FindCalls]] = MappingProxyType(
    {_ANNOUNCEMENT: addressed_by, _ENTRY: offers_in, _PLACE: offers_in}
)
"""How the calls of tournaments are found, by the beginning of their reasons."""
