"""The work of the service at a tournament's tables: opening and closing them, resigning seats, reporting results."""

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from hoodwink.domain.tables.commands import (
    OpenTable,
    OpenTournamentTable,
    TakeSeat,
)
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.events import TournamentPlace
from hoodwink.domain.tables.fairness import SharedDeal
from hoodwink.domain.tables.participation import participation
from hoodwink.domain.tables.state import Table
from hoodwink.domain.tournaments.chance import deal_key, table_seed
from hoodwink.domain.tournaments.life.admission import Visibility
from hoodwink.domain.tournaments.life.commands import ReportTable
from hoodwink.domain.tournaments.life.facts import deal_of, open_deals, setup_of
from hoodwink.domain.tournaments.life.state import Deal, Match, PairedRound, Phase, Tournament

FILLER: Final = "steady"
"""The policy of the bots that fill tables (T-5)."""


class SeatOrder(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The occupant of a seat at a table to be opened.

    Attributes:
        seed: the player's part of every shuffle.
        is_absent: whether the player is a no-show from the start (T-4).
        is_filler: whether it is a bot that is not an entrant (T-5).
    """

    player: str
    policy: str | None
    seed: str = ""
    is_absent: bool = False
    is_filler: bool = False


class TableOrder(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a tournament to be opened. The table's log must begin with exactly these values.

    Attributes:
        table: the id of the table.
        seats: in seat order; seat 0 deals first.
        grace_seconds: the time after which a player who has not appeared is a no-show, not counting pauses.
        shared: the deal of all tables of the round, if they play the same one (D-1).
    """

    tournament: str
    round: int
    board: int
    deal: int
    table: str
    game: str
    options: dict[str, Any]
    seats: tuple[SeatOrder, ...]
    turn_seconds: int
    bot_delay: int | None
    round_pause: int | None
    grace_seconds: int
    server_seed: str
    organiser: str
    rated: bool
    visibility: Visibility = Visibility.PUBLIC
    shared: SharedDeal | None = None


class SeatToResign(msgspec.Struct, frozen=True, gc=False):
    """A seat of an expelled entrant at a table in play (T-7)."""

    table: str
    seat: int
    entrant: str


def tables_to_open(tournament: Tournament) -> tuple[TableOrder, ...]:
    """Returns the tables that the service has not yet confirmed as opened; none during a pause (T-2).

    They include tables of a round that had started when the tournament ended. Even those of a cancelled tournament are
    opened, and then closed: a process may have been killed after opening a table and before confirming it, and otherwise
    that table would stay open forever.
    """
    if tournament.phase is Phase.PAUSED:
        return ()
    return tuple(
        [
            order_of(tournament, round_, match, deal)
            for round_, match, deal in open_deals(tournament)
            if not deal.is_opened
        ]
    )


def tables_awaited(tournament: Tournament) -> tuple[str, ...]:
    """Returns the ids of the tables that have not been reported yet, whether opened or not."""
    return tuple([deal.table for _, _, deal in open_deals(tournament)])


def tables_to_close(tournament: Tournament) -> tuple[str, ...]:
    """Returns the ids of the open tables to be ended without a result: all of a cancelled tournament, or stopped ones."""
    is_cancelled = tournament.phase is Phase.CANCELLED
    return tuple(
        [
            deal.table
            for _, _, deal in open_deals(tournament)
            if deal.is_opened and not deal.seal and (is_cancelled or deal.is_stopped)
        ]
    )


def tables_to_release(tournament: Tournament) -> tuple[str, ...]:
    """Returns the ids of the tables that have not been reported yet, and whose shared deal is released (D-7)."""
    return tuple(
        [deal.table for round_, _, deal in open_deals(tournament) if round_.is_released and deal.seal]
    )


def seats_to_resign(tournament: Tournament) -> tuple[SeatToResign, ...]:
    """Returns the seats of expelled entrants at open tables that have not been resigned yet (T-7)."""
    # Asked after every event, so not for each pair of a table and an entrant.
    expelled = [entrant for entrant in tournament.entrants if entrant.is_expelled]
    return tuple(
        [
            SeatToResign(deal.table, deal.seats.index(entrant.number), entrant.id)
            for round_, _, deal in open_deals(tournament)
            for entrant in expelled
            if deal.is_opened
            and entrant.player_in(round_.number) == entrant.id
            and not deal.seal
            and entrant.number in deal.present
            and (deal.table, entrant.id) not in tournament.given_up
        ]
    )


def order_of(tournament: Tournament, round_: PairedRound, match: Match, deal: Deal) -> TableOrder:
    setup, number = setup_of(tournament), match.deals.index(deal) + 1
    seed = table_seed(tournament.server_seed, round_=round_.number, board=match.number, deal=number)
    return TableOrder(
        tournament=tournament.id,
        round=round_.number,
        board=match.number,
        deal=number,
        table=deal.table,
        game=setup.game,
        options=setup.options,
        seats=tuple([_seat(tournament, round_, deal, entrant) for entrant in deal.seats]),
        turn_seconds=setup.turn_seconds,
        bot_delay=setup.bot_delay,
        round_pause=setup.round_pause,
        grace_seconds=setup.grace_seconds,
        server_seed=seed,
        organiser=tournament.organiser,
        rated=setup.rated,
        visibility=tournament.admission.visibility,
        shared=_shared(tournament, round_),
    )


def _shared(tournament: Tournament, round_: PairedRound) -> SharedDeal | None:
    if tournament.compare is None:
        return None
    deal = deal_of(round_)
    key = deal_key(tournament.server_seed, round_.seeds, round_=round_.number, deal=deal)
    return SharedDeal(deal, key)


def _seat(tournament: Tournament, round_: PairedRound, deal: Deal, number: int | None) -> SeatOrder:
    if number is None:
        return SeatOrder(player=f"bot:{FILLER}", policy=FILLER, is_filler=True)
    entrant, is_absent = tournament.entrants[number - 1], number in deal.absent
    if entrant.policy is not None:
        return SeatOrder(player=f"bot:{entrant.policy}", policy=entrant.policy, is_absent=is_absent)
    player = entrant.player_in(round_.number)
    return SeatOrder(player=player, policy=None, seed=round_.seeds[number - 1], is_absent=is_absent)


def opening_of(order: TableOrder) -> OpenTournamentTable:
    """Returns the command with which the service opens a table, seats everybody and starts it."""
    return OpenTournamentTable(
        opening=OpenTable(
            table=order.table,
            game=order.game,
            seats=len(order.seats),
            options=order.options,
            host=order.organiser,
            turn_seconds=order.turn_seconds,
            bot_delay=order.bot_delay,
            round_pause=order.round_pause,
            server_seed=order.server_seed,
            rated=order.rated,
            take_backs=False,
            private=order.visibility is not Visibility.PUBLIC,  # T-24
            watch="invited" if order.visibility is Visibility.PRIVATE else "everyone",
        ),
        tournament=TournamentPlace(
            tournament=order.tournament,
            round=order.round,
            board=order.board,
            deal=order.deal,
            grace_seconds=order.grace_seconds,
            fillers=tuple([seat for seat, occupant in enumerate(order.seats) if occupant.is_filler]),
        ),
        occupants=tuple(
            [
                TakeSeat(player=who.player, policy=who.policy, seat=seat, seed=who.seed)
                for seat, who in enumerate(order.seats)
            ]
        ),
        absent=tuple([seat for seat, occupant in enumerate(order.seats) if occupant.is_absent]),
        shared=order.shared,
    )


def report_of(table: Table, head: str, entries: Iterable[Entry]) -> ReportTable:
    """Returns the report of an ended table of a tournament.

    Args:
        table: the table at its last version.
        head: the last hash of its log.
        entries: its whole log.
    """
    place, result = table.tournament, table.result
    assert place is not None, "only tables of a tournament are reported"
    assert result is not None, "a table is reported when it has ended"
    return ReportTable(
        round=place.round,
        board=place.board,
        deal=place.deal,
        table=table.id,
        version=table.version,
        head=head,
        outcome=result.outcome,
        places=result.places,
        points=result.scores,
        no_shows=tuple(sorted(table.no_shows)),
        resigned=tuple(sorted(table.resigned)),
        by_bot=_mostly_by_bot(entries),
    )


def _mostly_by_bot(entries: Iterable[Entry]) -> tuple[int, ...]:
    """Returns the seats of people for whom a bot took more than half of the turns (T-20)."""
    return tuple(
        [
            seat
            for seat, part in enumerate(participation(entries))
            if part is not None and part.is_mostly_by_bot
        ]
    )


def grace_ends(tournament: Tournament, opened_at: int, *, put_off_ms: int = 0) -> int | None:
    """Returns when the grace period of a table opened at that time ends, in ms; `None` during a pause.

    Pauses within the grace period extend it by their length (T-2, T-6), and outages by `put_off_ms` (G-18).
    """
    ends = opened_at + put_off_ms + 1000 * setup_of(tournament).grace_seconds
    for pause in tournament.pauses:
        if pause.since >= ends or (pause.until is not None and pause.until <= opened_at):
            continue
        if pause.until is None:
            return None
        ends += pause.until - max(pause.since, opened_at)
    return ends
