"""Erases a player who wants to leave: ends the token and the name, gives up the seats, and leaves the tournaments.

The player's tables and tournaments are found in the projections, which lag a little. So the token ends first, and a
second pass, once the projections have caught up, finds those that began shortly before. A process that has not
heard of the erasure may accept commands from the player for up to `KNOWN_MS`, and these stay.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

import msgspec
import structlog

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.players import Player
from hoodwink.domain.projections import PlayerTournamentRow
from hoodwink.domain.projections.lobby import LOBBY
from hoodwink.domain.tournaments import life
from hoodwink.service.application.commands import entry_offers, intents, official_intents, tournament_intents
from hoodwink.service.application.commands.import_retention import ImportRetention
from hoodwink.service.application.errors import ApplicationError, ConflictCode, Forbidden, NotFound
from hoodwink.service.application.players.bots import Bots
from hoodwink.service.application.players.passkeys import Passkey
from hoodwink.service.application.players.players import Players
from hoodwink.service.application.players.pushes import Subscriptions
from hoodwink.service.application.players.sessions import SessionNotes
from hoodwink.service.application.ports import Blocks, Clock, EventStore, Feed, IdempotencyKey, PlayerRecords
from hoodwink.service.application.projecting.projections import Cursor, Page
from hoodwink.service.application.projecting.rating import RATER
from hoodwink.service.application.reading.queries import Queries
from hoodwink.service.application.streams.tables import Tables
from hoodwink.service.application.streams.tournaments import Intent, Tournaments

log = structlog.get_logger(__name__)

PATIENCE_MS: Final = 2_000
"""How long an erasure waits for the projections: before it looks for tournaments, and before its second pass."""

_LOOK_EVERY_SECONDS: Final = 0.1
_GROUPS: Final = (LOBBY.name, RATER)
"""The groups that update the lists of tables and of tournaments."""

_PAGE: Final = 200
_ENDED: Final = frozenset({life.Phase.FINISHED, life.Phase.CANCELLED})


class _Row(msgspec.Struct, frozen=True, gc=False):
    """The field of a row of the lobby or of a list of tournaments that is needed here."""

    id: str


class StillOrganising(ApplicationError):
    """Raised when the player organises a tournament that is not over."""

    def __init__(self) -> None:
        super().__init__(ConflictCode.STILL_ORGANISING)


class AddedWebhooks(Protocol):
    def erase(self, player: str) -> None:
        """Removes the webhooks that a player has added; may raise `StoreUnavailable`."""
        ...


class Erasure:
    def __init__(  # noqa: PLR0913 - everything that a player takes part in
        self,
        *,
        players: Players,
        queries: Queries,
        tables: Tables,
        tournaments: Tournaments,
        imports: ImportRetention,
        feed: Feed,
        store: EventStore,
        blocks: Blocks,
        subscriptions: Subscriptions,
        webhooks: AddedWebhooks,
        bots: Bots,
        sessions: SessionNotes,
        passkeys: PlayerRecords[Passkey],
        clock: Clock,
    ) -> None:
        self._players = players
        self._queries = queries
        self._tables = tables
        self._tournaments = tournaments
        self._imports = imports
        self._feed = feed
        self._store = store
        self._blocks = blocks
        self._subscriptions = subscriptions
        self._webhooks = webhooks
        self._bots = bots
        self._sessions = sessions
        self._passkeys = passkeys
        self._clock = clock

    def erase(self, player: Player, key: IdempotencyKey | None) -> Player:
        """Erases the player, and gives up everything that the player has by ordinary commands.

        If it fails halfway, the erased player may repeat the request, which completes it.

        Raises:
            StillOrganising: a tournament of the player is not over.
            SignedOut: the player's token has ended.
            Busy, StoreUnavailable
        """
        # Checked before the token ends: afterwards the player could no longer finish or cancel the tournament.
        if not player.is_erased:
            self.check_organising(player.id)
        erased = player if player.is_erased else self._players.erase(player, key)
        self._leave_twice(self.leave, erased.id, finish=lambda: self._bots.erase_descriptions(erased))
        return erased

    def erase_other(self, player_id: str) -> Player:
        """Erases a player for an administrator, or a bot for its owner; may be repeated. Raises `NotFound` and the errors of `erase`."""
        self.check_organising(player_id)
        erased = self._players.erase_other(player_id)
        self._leave_twice(self.leave, player_id, finish=lambda: self._bots.erase_descriptions(erased))
        return erased

    def ban(self, player_id: str) -> Player:
        """Bans a player and gives up everything that the player has; may be repeated. Raises `NotFound`.

        Tournaments that the player organises continue. An administrator may end them.
        """
        banned = self._players.ban(player_id)
        # Imports, bots and what is stored next to the player stay, because a ban can be lifted.
        self._leave_twice(self._give_up, player_id)
        return banned

    def _leave_twice(
        self, leave: Callable[[str], None], player_id: str, *, finish: Callable[[], None] = lambda: None
    ) -> None:
        """Calls `leave` for a player who can begin nothing new, before and after the projections have caught up."""
        leave(player_id)
        self._await_projections(player_id)
        leave(player_id)
        # Last, because the second pass finds the player's bots by their descriptions.
        finish()
        # An earlier attempt may have left a table without a confirmation by the replicas. That table is no longer
        # listed, so nobody knows which streams to confirm.
        self._store.confirm_all()

    def check_organising(self, player_id: str) -> None:
        """Raises `StillOrganising` if a tournament of the player is not over."""
        self._await_projections(player_id)
        if self._queries.organised_by(player_id, before=None, count=1).rows:
            raise StillOrganising

    def leave(self, player_id: str) -> None:
        """Gives up the imports, seats, offers and entries of an erased player, and erases their bots and what is stored next to them."""
        self._imports.erase(player_id)
        self._blocks.erase(player_id)
        self._sessions.erase(player_id)
        self._passkeys.erase(player_id)
        self._subscriptions.erase(player_id)
        self._give_up(player_id)
        for bot in self._bots.ids_of(player_id):
            self._players.erase_other(bot)
            self.leave(bot)

    def _give_up(self, player_id: str) -> None:
        self._webhooks.erase(player_id)
        # Each list is read to its end first: departures change the rows, so later pages could skip some.
        for table in list(self._tables_of(player_id)):
            with suppress(RuleViolation, Forbidden, NotFound):  # it has changed since its row was written
                self._tables.execute(table, intents.depart(player_id))
        for tournament, intent in list(self._leaving(player_id)):
            with suppress(RuleViolation, Forbidden, NotFound):
                self._tournaments.execute(tournament, intent)

    def _await_projections(self, player_id: str) -> None:
        """Returns once the lists are complete up to now, or after `PATIENCE_MS`."""
        began = self._clock.elapsed_ms()
        while not all(self._holds(group, until=began) for group in _GROUPS):
            if self._clock.elapsed_ms() - began >= PATIENCE_MS:
                # Goes on all the same: players can leave without a projector. A repetition finds the rest.
                log.warning("projections lag, so an erasure may miss recent tables", player=player_id)
                return
            self._clock.wait(_LOOK_EVERY_SECONDS)

    def _holds(self, group: str, *, until: int) -> bool:
        """Returns whether a group has handled every entry up to a moment."""
        # Ages are compared, because Redis measures times by its own clock.
        waited = self._clock.elapsed_ms() - until
        lag = self._feed.lag(group)
        return lag.entries == 0 or lag.age_ms < waited

    def _tables_of(self, player_id: str) -> Iterator[str]:
        """Yields the live tables that the player hosts, sits at, or is offered a seat at."""
        for row in _rows(partial(self._queries.live_tables_of, player_id)):
            yield msgspec.json.decode(row, type=_Row).id

    def _leaving(self, player_id: str) -> Iterator[tuple[str, Intent]]:
        """Yields the tournaments that the player leaves, where they decline what they are offered, or resign, and how."""
        for encoded in _rows(partial(self._queries.tournaments_of, player_id, unlisted=True)):
            row = msgspec.json.decode(encoded, type=PlayerTournamentRow)
            if row.phase in _ENDED:
                continue
            if row.entered:
                yield row.tournament, tournament_intents.withdraw(player_id, player_id)
            elif row.offered:
                for declining in entry_offers.declining_all(player_id):
                    yield row.tournament, declining
        for encoded in _rows(partial(self._queries.officiated_by, player_id)):
            officiated = msgspec.json.decode(encoded, type=_Row).id
            # The row does not say which of the two the player is. The tournament refuses the other one.
            for resignation in (life.RemoveCoOrganiser(player_id), life.RemoveArbiter(player_id)):
                yield officiated, official_intents.remove_official(player_id, resignation)


def _rows(page_of: Callable[..., Page]) -> Iterator[bytes]:
    before: Cursor | None = None
    while True:
        page = page_of(before=before, count=_PAGE)
        yield from page.rows
        if page.more is None:
            return
        before = page.more
