"""Bots that players own: their registration and description, the ones that are online, and the tables that they accept."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.domain.players import Player
from hoodwink.domain.tables.pace import TURN_SECONDS
from hoodwink.service.application.errors import (
    ApplicationError,
    ConflictCode,
    Forbidden,
    ForbiddenCode,
    NotFound,
    NotFoundCode,
)
from hoodwink.service.application.players.players import Players, Registration
from hoodwink.service.application.ports import Clock, OnlineBots, PlayerRecords

MAX_OWN_BOTS: Final = 5
MAX_TABLES: Final = 50
"""The maximum number of tables at which a bot plays at once."""

SIZES: Final = tuple(
    range(min(game.seats[0] for game in GAMES.values()), max(game.seats[1] for game in GAMES.values()) + 1)
)
"""The numbers of seats of all games."""


class AcceptedTables(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The tables at which a bot accepts a seat.

    Attributes:
        games: the names of games.
        seats: the numbers of seats.
        tables: how many tables it plays at once, including those where it is offered a seat.
        turn_seconds: the shortest turn clock that is enough for it.
    """

    games: tuple[str, ...] = tuple(GAMES)
    seats: tuple[int, ...] = SIZES
    tables: int = 4
    turn_seconds: int = 5


class Description(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The description of a bot by its author.

    Attributes:
        version: of the program.
        home_page: an https URL, or empty.
    """

    version: str = ""
    home_page: str = ""
    accepts: AcceptedTables = AcceptedTables()


class Bot(NamedTuple):
    player: Player
    description: Description


class Bots:
    """Registers and finds bots. Every call may raise `StoreUnavailable`."""

    def __init__(  # noqa: PLR0913 - everything that concerns a bot
        self,
        *,
        players: Players,
        descriptions: PlayerRecords[str],
        online: OnlineBots,
        is_busy: Callable[[str, int], bool],
        keep: Callable[[str], None],
        confirm: Callable[[str], None],
        clock: Clock,
    ) -> None:
        """Takes the parts that it depends on.

        Args:
            players: registers and finds the accounts.
            descriptions: stores the descriptions.
            online: knows which bots are online.
            is_busy: returns whether a player has at least a number of live tables.
            keep: called with an owner, who then is never deleted as a player who has not played.
            confirm: returns once enough replicas have what is stored next to a player.
            clock: the clock of the service.
        """
        self._players = players
        self._descriptions = descriptions
        self._online = online
        self._is_busy = is_busy
        self._keep = keep
        self._confirm = confirm
        self._clock = clock

    def register(
        self,
        owner: Player,
        name: str,
        description: Description,
        *,
        key: str | None,
        fingerprint: str,
        count: Callable[[], None],
    ) -> Registration:
        """Registers a bot of a player; see `Players.register`.

        Raises:
            Forbidden: the owner is a bot.
            ApplicationError: the owner has too many bots.
        """
        if owner.owner is not None:
            raise Forbidden(ForbiddenCode.NOT_FOR_BOTS)
        made = self._players.register(
            name=name, owner=owner.id, key=key, fingerprint=fingerprint, count=count
        )
        self._keep(owner.id)
        bot = made.player.id
        # Only the store can count requests of the same moment. So a refused account exists for a moment.
        if not self._put(owner.id, bot, description):
            self._players.erase_other(bot)
            raise ApplicationError(ConflictCode.TOO_MANY_OWN_BOTS)
        return made

    def describe(self, bot: Player, description: Description) -> None:
        """Replaces the description of a bot; raises `Forbidden` for a person."""
        if bot.owner is None:
            raise Forbidden(ForbiddenCode.ONLY_FOR_BOTS)
        self._put(bot.owner, bot.id, description)

    def _put(self, owner: str, bot: str, description: Description) -> bool:
        text = msgspec.json.encode(description).decode()
        has_room = self._descriptions.put(owner, bot, text, most=MAX_OWN_BOTS)
        self._confirm(owner)
        return has_room

    def of(self, owner: str) -> tuple[Bot, ...]:
        """Returns the bots of a player, ordered by id."""
        # A bot that was just erased has its description until the second pass of the erasure.
        found = sorted(self._descriptions.of(owner).items())
        return tuple(
            [Bot(self._players.get(id_), _read(text)) for id_, text in found if self._players.exists(id_)]
        )

    def own(self, owner: str, bot: str) -> Player:
        """Returns a bot of a player, which may be erased already; raises `NotFound`."""
        player = self._players.get(bot)
        if player.owner != owner:
            raise NotFound(NotFoundCode.PLAYER_NOT_FOUND)
        return player

    def described(self, players: Sequence[Player]) -> tuple[Bot, ...]:
        """Returns those of the players who are bots."""
        owned = [(player.owner, player) for player in players if player.owner is not None]
        texts = self._descriptions.find_each([(owner, player.id) for owner, player in owned])
        return tuple([Bot(player, _read(text)) for (_, player), text in zip(owned, texts, strict=True)])

    def ids_of(self, owner: str) -> tuple[str, ...]:
        """Returns the ids of a player's bots, including those that were just erased."""
        return tuple(self._descriptions.of(owner))

    def erase_descriptions(self, player: Player) -> None:
        """Erases the description of a bot, or those of all bots of a person."""
        owner, bots = (
            (player.id, self.ids_of(player.id)) if player.owner is None else (player.owner, (player.id,))
        )
        if bots:
            self._descriptions.remove(owner, *bots)

    def online(self) -> tuple[Bot, ...]:
        """Returns the bots that are online, up to a limit, in no particular order."""
        found = self._players.find_each(self._online.online_bots(now=self._clock.now_ms()))
        return self.described([player for player in found.values() if not player.is_erased])

    def is_online(self, bot: str) -> bool:
        return self._online.is_online(bot, now=self._clock.now_ms())

    def check(self, to: str, game: str, seats: int, turn_seconds: int | None) -> None:
        """Raises an error if a player is a bot that does not accept such a table now.

        Raises:
            Forbidden: it never accepts such a table.
            ApplicationError: it is not online, or at too many tables.
        """
        for bot, description in self.described([self._players.get(to)]):
            # First, because trying again later helps only against the refusals below.
            if fault := _fault(description.accepts, game, seats, turn_seconds):
                raise Forbidden(ForbiddenCode.BOT_DECLINES, fault)
            if not self.is_online(bot.id):
                raise ApplicationError(ConflictCode.BOT_OFFLINE)
            if self._is_busy(bot.id, description.accepts.tables):
                raise ApplicationError(ConflictCode.BOT_BUSY)


def _fault(accepts: AcceptedTables, game: str, seats: int, turn_seconds: int | None) -> str | None:
    """Returns a sentence that says why a bot does not play at a table, or `None` if it does."""
    # Without a setting, the table gets a clock at the start if two accounts play.
    clock = TURN_SECONDS if turn_seconds is None else turn_seconds
    if game not in accepts.games:
        return f"This bot plays only: {', '.join(accepts.games)}."
    if seats not in accepts.seats:
        return f"This bot plays only at tables with {', '.join(map(str, accepts.seats))} seats."
    if clock < accepts.turn_seconds:
        return f"This bot needs a turn clock of at least {accepts.turn_seconds} seconds."
    return None


def _read(text: str | None) -> Description:
    return Description() if text is None else msgspec.json.decode(text, type=Description)
