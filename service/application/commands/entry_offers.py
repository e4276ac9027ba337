"""Offers of an entry to players: who may get one, and the players of a list (T-28, T-29)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final, Protocol, TypeAlias

import msgspec

from hoodwink.domain.kernel import Code, RuleViolation
from hoodwink.domain.players import Player
from hoodwink.domain.projections import PlayerTournamentRow
from hoodwink.domain.tables.actor import by_entrant
from hoodwink.domain.tournaments.files.trf.sheet import NAME_LENGTH
from hoodwink.domain.tournaments.life import DeclineOffer, DeclinePlace, OfferEntries, Tournament
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.deciding.offers import OBSTACLES, obstacles_to
from hoodwink.domain.tournaments.life.facts import organisers_of, organises, setup_of
from hoodwink.service.application.commands.player_lists import ListedPlayer
from hoodwink.service.application.commands.tournament_intents import Asked, as_official
from hoodwink.service.application.errors import Forbidden, ForbiddenCode, NotFound, NotFoundCode
from hoodwink.service.application.players.legibility import normal_form
from hoodwink.service.application.players.player_lookup import PlayerLookup, is_id
from hoodwink.service.application.reading.leaderboards import Leaderboards
from hoodwink.service.application.reading.queries import Queries
from hoodwink.service.application.streams.tournaments import Intent, Tournaments

MAX_NAMED: Final = 1000
"""The number of people on a game's leaderboard among whom names are looked up, the best first."""

_MAX_DECLINED: Final = 200
"""The number of tournaments of a player, those that changed last, that are looked through after a block."""

Obstacle: TypeAlias = tuple[Code, str]
"""Why a player gets no offer: a code, and a sentence for those who organise."""

_UNKNOWN_NAME: Final = (
    NotFoundCode.PLAYER_NOT_FOUND,
    f"Nobody of this name is among the first {MAX_NAMED} players on the game's leaderboard; give the player's id.",
)
_TWICE: Final = TournamentCode.INVALID_OFFER, "The player is in the list already."


class FoundPlayer(msgspec.Struct, frozen=True, gc=False):
    """A player of a list to whom you can offer an entry, with the number of the line and the current name."""

    line: int
    player: str
    name: str


class ListProblem(msgspec.Struct, frozen=True, gc=False):
    """A line of a list without such a player.

    Attributes:
        line: its number, from 1.
        given: the id or name in it.
        code: a stable code of the reason.
        detail: the reason as a sentence.
    """

    line: int
    given: str
    code: str
    detail: str


class EntrantListAnswer(msgspec.Struct, frozen=True, gc=False):
    """The players of a list.

    Attributes:
        players: in the starting order of the list, those without a place in it last.
        problems: the other lines, in the order of the list.
    """

    players: tuple[FoundPlayer, ...]
    problems: tuple[ListProblem, ...]


class BlockLists(Protocol):
    """Whom players have blocked."""

    def blocking(self, players: Sequence[str], blocked: Iterable[str]) -> Collection[str]:
        """Returns those of the players who have blocked at least one of the others."""
        ...


class EntryOffers:
    """Offers entries, and finds the players of lists. Tells no more about players than what everybody can look up."""

    def __init__(
        self,
        *,
        players: PlayerLookup,
        blocks: BlockLists,
        leaderboards: Leaderboards,
        queries: Queries,
        tournaments: Tournaments,
    ) -> None:
        self._queries = queries
        self._tournaments = tournaments
        self._players = players
        self._blocks = blocks
        self._leaderboards = leaderboards

    def offer(self, organiser: str, players: tuple[str, ...]) -> Intent:
        """Offers an entry to players: to all of them, or to nobody."""

        def intent(tournament: Tournament) -> Asked:
            # First, so that strangers do not learn which players exist.
            asked = as_official(tournament, organiser, OfferEntries(players))
            _, obstacles = self._check(tournament, players)
            for player, (code, detail) in obstacles.items():
                # The tournament itself refuses for its own reasons.
                if isinstance(code, NotFoundCode):
                    raise NotFound(code, f"{detail} It is {player}.")
                if isinstance(code, ForbiddenCode):
                    raise Forbidden(code, f"{detail} It is {player}.")
            return asked

        return intent

    def read(self, tournament: Tournament, listed: Sequence[ListedPlayer]) -> EntrantListAnswer:
        """Returns the players of a list to whom those who organise the tournament can offer an entry."""
        matches = self._matches(tournament, listed)
        single = [ids[0] for ids in matches if len(ids) == 1]
        known, obstacles = self._check(tournament, single)
        found, problems, seen = list[tuple[ListedPlayer, FoundPlayer]](), list[ListProblem](), set[str]()
        for line, ids in zip(listed, matches, strict=True):
            obstacle = _obstacle_of(line, ids, obstacles, seen)
            if obstacle is None:
                seen.add(ids[0])
                found.append((line, FoundPlayer(line.line, ids[0], known[ids[0]].name)))
            else:
                code, detail = obstacle
                problems.append(ListProblem(line.line, (line.id or line.name)[:80], code, detail))
        found.sort(key=lambda pair: (pair[0].order is None, pair[0].order or 0))
        return EntrantListAnswer(tuple([player for _, player in found]), tuple(problems))

    def decline_all(self, organiser: str, player: str) -> None:
        """Declines the open offers of a player in tournaments of somebody whom they have blocked, according to the projections."""
        page = self._queries.tournaments_of(player, unlisted=True, before=None, count=_MAX_DECLINED)
        for row in [msgspec.json.decode(encoded, type=PlayerTournamentRow) for encoded in page.rows]:
            if row.offered and organises(self._tournaments.load(row.tournament).state, organiser):
                for declining in declining_all(player):
                    with suppress(RuleViolation):  # there is no such offer, or it was answered a moment ago
                        self._tournaments.execute(row.tournament, declining)

    def _check(
        self, tournament: Tournament, ids: Collection[str]
    ) -> tuple[Mapping[str, Player], Mapping[str, Obstacle]]:
        """Returns the players with these ids, and why some of the ids get no offer."""
        found = self._players.find_each({id_ for id_ in ids if is_id(id_)})
        known = {id_: player for id_, player in found.items() if not player.is_erased}
        blocking = self._blocks.blocking([*known], organisers_of(tournament))
        obstacles = obstacles_to(tournament, known)
        return known, {
            id_: obstacle
            for id_ in ids
            if (
                obstacle := _obstacle_to(
                    tournament, known.get(id_), is_blocking=id_ in blocking, code=obstacles.get(id_)
                )
            )
        }

    def _matches(self, tournament: Tournament, listed: Sequence[ListedPlayer]) -> list[tuple[str, ...]]:
        """Returns the ids that each line can mean."""
        by_name = defaultdict[str, list[str]](list)
        by_cut_name = defaultdict[str, list[str]](list)
        if any(line.name and not line.id for line in listed):
            board = self._leaderboards.board(
                setup_of(tournament).game,
                bots=False,
                provisional=True,
                idle=True,
                after=None,
                count=MAX_NAMED,
            )
            for leader in board.leaders:
                by_name[leader.name].append(leader.player)
                by_cut_name[_cut(leader.name)].append(leader.player)
        return [
            (line.id,)
            if line.id
            else tuple(by_cut_name[_cut(line.name)] if line.is_cut else by_name[normal_form(line.name)])
            for line in listed
        ]


def _cut(name: str) -> str:
    # A report (TRF) has only the first characters of a long name, so only these can be compared.
    return normal_form(name)[:NAME_LENGTH].rstrip()


def _obstacle_to(
    tournament: Tournament, player: Player | None, *, is_blocking: bool, code: TournamentCode | None
) -> Obstacle | None:
    """Returns why a player gets no offer; `code` is the tournament's own reason."""
    if player is None:
        return NotFoundCode.PLAYER_NOT_FOUND, NotFoundCode.PLAYER_NOT_FOUND.meaning
    if is_blocking:
        # It does not say why, because nobody may learn who has blocked them.
        return ForbiddenCode.OFFER_REFUSED, "You cannot offer this player an entry."
    if player.owner is not None and not setup_of(tournament).outside_bots:
        return (
            ForbiddenCode.BOTS_NOT_ALLOWED,
            "This is a bot, and the tournament is not open to bots of players.",
        )
    return None if code is None else (code, OBSTACLES[code])


def _obstacle_of(
    line: ListedPlayer, ids: tuple[str, ...], obstacles: Mapping[str, Obstacle], seen: Collection[str]
) -> Obstacle | None:
    """Returns why a line names nobody who gets an offer."""
    if line.fault:
        return TournamentCode.INVALID_LIST, line.fault
    if not ids:
        return _UNKNOWN_NAME
    if len(ids) > 1:
        return TournamentCode.INVALID_LIST, f"{len(ids)} players have this name; give the player's id."
    return obstacles.get(ids[0]) or (_TWICE if ids[0] in seen else None)


def decline(player: str) -> Intent:
    return lambda _: (DeclineOffer(player), by_entrant(player))


def declining_all(player: str) -> tuple[Intent, Intent]:
    """Returns the intents that decline an offered entry (T-28) and an offered place (T-19); a player may have both."""
    return decline(player), lambda _: (DeclinePlace(player), by_entrant(player))
