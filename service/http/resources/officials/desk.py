"""The officials' view of the boards in play."""

from collections.abc import Collection
from typing import Final

import msgspec

from hoodwink.domain.tables.state import (
    Phase,
    Table,
    deadline_of,
    grace_until,
    is_played_by_bot,
    stage_of,
    turn_of,
)
from hoodwink.domain.tables.waiting import Waiting, waiting_of
from hoodwink.domain.tournaments.life import Deal, Match, PairedRound, Tournament
from hoodwink.domain.tournaments.life.facts import is_embargoed, open_deals
from hoodwink.service.application.commands.official_intents import check_official
from hoodwink.service.application.errors import ForbiddenCode, NotFound
from hoodwink.service.application.projecting.projections import Cursor
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Cost, Reply, Tag, operation
from hoodwink.service.http.resources.pages import PageSchema, cursor_text, paging
from hoodwink.service.http.resources.tournaments.commands import load_tournament

MAX_BOARDS: Final = 100
"""Boards per page, because each one needs its table."""


class SeatInPlay(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A seat of a board in play.

    Attributes:
        entrant: the starting rank; `null` for a bot that fills the table.
        connected: whether the player follows the table now, as in `GET /v1/tables/{id}/presence`; `null` for a bot.
    """

    entrant: int | None
    connected: bool | None


class PlayInPlay(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The pace of a table in play, as everybody who watches it can see.

    Attributes:
        waiting: what the table waits for; `null` if it goes on immediately.
        waits_since: since when the slowest seat has owed an action, in ms since the epoch; `null` if none owes one.
        deadline: when the first turn clock runs out, in ms since the epoch; `null` if none runs.
        grace_until: when entrants who have not appeared become no-shows, in ms since the epoch, or `null`.
        awaited: the seats of entrants who have not appeared.
        no_shows: the seats of entrants who did not appear in time.
        resigned: the seats that have resigned.
        bot_kept: the seats for which a bot moves now, its own or in place of a player.
    """

    waiting: Waiting | None
    waits_since: int | None
    deadline: int | None
    grace_until: int | None
    awaited: tuple[int, ...]
    no_shows: tuple[int, ...]
    resigned: tuple[int, ...]
    bot_kept: tuple[int, ...]


class BoardInPlay(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A board whose result is not known yet.

    Attributes:
        table: the id of the table.
        status: `opening` before the service has opened the table, `playing`, or `ended` when its result is about to be
            reported or has to wait for other tables of the same deal.
        seats: in seat order.
        play: `null` unless the table is being played, and while other tables may still play the same deal.
    """

    round: int
    board: int
    deal: int
    table: str
    status: str
    seats: tuple[SeatInPlay, ...]
    play: PlayInPlay | None


class BoardsAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The boards in play, by round and board.

    Attributes:
        now: the time of the service, in ms since the epoch.
        cursor: the cursor of the next page; `null` on the last one.
    """

    now: int
    boards: tuple[BoardInPlay, ...]
    cursor: str | None


class DeskResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/tournaments/{tournament_id}/boards",
        tag=Tag.TOURNAMENTS,
        cost=Cost.MUCH,
        summary="Show the boards in play (officials only)",
        description="Who is connected, what each table waits for and since when. It shows no cards or scores. "
        f"A page has at most {MAX_BOARDS} boards.",
        access=Access.PLAYER,
        query=PageSchema(),
        answer=Answer("A page of boards.", {JSON: BoardsAnswer}),
        refuses=(ForbiddenCode.NOT_OFFICIAL,),
    )
    def get_boards(self, call: Call) -> Reply:
        tournament = load_tournament(self._service, call).state
        check_official(tournament, call.actor.id)
        page = paging(call)
        after, count = page.before or Cursor(0, ""), min(page.count, MAX_BOARDS)
        open_ = [place for place in open_deals(tournament) if _key(place) > (after.order, after.key)]
        shown, now = open_[:count], self._service.clock.now_ms()
        opened = [deal.table for _, _, deal in shown if deal.is_opened]
        tables = {id_: table for id_ in opened if (table := self._table(id_)) is not None}
        connected = self._service.presence.connected_each(opened, now=now)
        boards = [
            _board(tournament, place, tables, connected.get(place[2].table, ()), now) for place in shown
        ]
        more = cursor_text(Cursor(*_key(shown[-1])) if len(open_) > count else None)
        return Reply(BoardsAnswer(now=now, boards=tuple(boards), cursor=more))

    def _table(self, id_: str) -> Table | None:
        try:
            return self._service.tables.load(id_).state
        except NotFound:  # the store came back older than the table
            return None


_Place = tuple[PairedRound, Match, Deal]


def _key(place: _Place) -> tuple[int, str]:
    return place[0].number, f"{place[1].number:04}"  # padded, because the keys of cursors are texts


def _board(
    tournament: Tournament, place: _Place, tables: dict[str, Table], connected: Collection[str], now: int
) -> BoardInPlay:
    round_, match, deal = place
    table = tables.get(deal.table)
    has_ended = bool(deal.seal) or (table is not None and table.phase is Phase.ENDED)
    # Turns and clocks depend on the cards, so they stay hidden as long as somebody may still play the deal (D-7).
    is_shown = table is not None and not has_ended and not is_embargoed(tournament, round_)
    return BoardInPlay(
        round=round_.number,
        board=match.number,
        deal=len(match.deals),
        table=deal.table,
        status="ended" if has_ended else "opening" if table is None else "playing",
        seats=tuple([_seat(tournament, round_, number, connected) for number in deal.seats]),
        play=_play(table, now) if table is not None and is_shown else None,
    )


def _seat(
    tournament: Tournament, round_: PairedRound, number: int | None, connected: Collection[str]
) -> SeatInPlay:
    entrant = None if number is None else tournament.entrants[number - 1]
    is_person = entrant is not None and entrant.policy is None
    return SeatInPlay(
        entrant=number,
        connected=entrant.player_in(round_.number) in connected
        if entrant is not None and is_person
        else None,
    )


def _play(table: Table, now: int) -> PlayInPlay:
    turn = turn_of(table)
    since = [at for seat in turn.owes if (at := table.owing_since[seat]) is not None]
    clocks = [at for seat in turn.owes if (at := deadline_of(table, seat)) is not None]
    return PlayInPlay(
        waiting=waiting_of(table, stage_of(table), turn, now),
        waits_since=min(since, default=None),
        deadline=min(clocks, default=None),
        grace_until=grace_until(table),
        awaited=tuple(sorted(table.awaited)),
        no_shows=tuple(sorted(table.no_shows)),
        resigned=tuple(sorted(table.resigned)),
        bot_kept=tuple([seat for seat in range(len(table.seats)) if is_played_by_bot(table, seat)]),
    )
