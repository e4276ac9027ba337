"""Builds the cross-table of a tournament from its state."""

from collections.abc import Mapping
from typing import Final

from hoodwink.domain.kernel import Names, without_name
from hoodwink.domain.tables.events import Outcome as TableOutcome
from hoodwink.domain.tournaments.crosstable import (
    Board,
    Crosstable,
    Entrant,
    Outcome,
    Round,
    Seat,
    SeatState,
    Unplayed,
    Why,
)
from hoodwink.domain.tournaments.life.facts import (
    NO_TEXTS,
    has_organised,
    started_rounds,
    team_names,
    terms_of,
)
from hoodwink.domain.tournaments.life.state import (
    Deal,
    Match,
    PairedRound,
    Report,
    Ruling,
    Tournament,
    name_of,
)

WITH_RESULT: Final[frozenset[TableOutcome]] = frozenset({"played_out", "last_seat"})
"""The outcomes of a table that have places."""


def crosstable(
    tournament: Tournament, names: Names = without_name, texts: Mapping[str, str] = NO_TEXTS
) -> Crosstable:
    """Returns the cross-table of a tournament that has started, with every round that has started.

    For `texts`, see `team_names`.
    """
    return Crosstable(
        terms=terms_of(tournament),
        teams=team_names(tournament, texts),
        entrants=tuple(
            [
                Entrant(
                    number=entrant.number,
                    name=name_of(entrant, names),
                    from_round=entrant.from_round,
                    left_after=entrant.left_after,
                    is_expelled=entrant.is_expelled,
                    is_organiser=has_organised(tournament, entrant.id),
                    team=entrant.team,
                )
                for entrant in tournament.entrants
            ]
        ),
        rounds=tuple([crosstable_round(tournament, round_) for round_ in started_rounds(tournament)]),
    )


def crosstable_round(tournament: Tournament, round_: PairedRound) -> Round:
    """Returns a round that has started as it stands in the cross-table."""
    late = [
        Unplayed(entrant=entrant.number, why=Why.LATE, score=terms_of(tournament).late_score)
        for entrant in tournament.entrants
        if entrant.from_round > round_.number and tournament.arena is None
    ]
    return Round(
        number=round_.number,
        sitting=round_.sitting,
        boards=tuple([board_of(match) for match in round_.matches]),
        unplayed=(*round_.unplayed, *late),
        is_changed=bool(round_.changed_at),
        proposed=round_.proposed_tables if round_.changed_at else (),
        objective=round_.objective,
        bracket=round_.bracket,
    )


def board_of(match: Match) -> Board:
    first, *replays = match.deals
    if (ruling := match.effective_ruling) is not None:
        return _ruled(match, ruling)
    return Board(
        number=match.number,
        outcome=Outcome.VOID if first.is_void else _outcome(first),
        seats=seats_of(first),
        is_cut_short=first.report is not None and first.report.outcome == "last_seat",
        void_score=match.void_score,
        replays=tuple([seats_of(deal) for deal in replays]),
        void_replays=tuple([index for index, deal in enumerate(replays) if deal.is_void]),
    )


def _ruled(match: Match, ruling: Ruling) -> Board:
    """Returns a board as an official ruled on it, in place of all its deals (V-5)."""
    deal = match.deals[0]
    if ruling.places is None:
        seats = seats_of(deal)
        score = ruling.score
        return Board(number=match.number, outcome=Outcome.VOID, seats=seats, void_score=score, is_ruled=True)
    reported = None if deal.report is None else deal.report.points
    points = ruling.points or reported or (None,) * len(deal.seats)
    seats = tuple(
        [
            Seat(entrant=number, place=place, points=won, state=_ruled_state(number, place))
            for number, place, won in zip(deal.seats, ruling.places, points, strict=True)
        ]
    )
    return Board(number=match.number, outcome=Outcome.RESULT, seats=seats, is_ruled=True)


def _ruled_state(number: int | None, place: int | None) -> SeatState:
    if number is None:
        return SeatState.BOT
    return SeatState.NO_SHOW if place is None else SeatState.PLAYED


def _outcome(deal: Deal) -> Outcome:
    if deal.report is not None:
        return Outcome.RESULT if deal.report.outcome in WITH_RESULT else Outcome.NO_RESULT
    if deal.table:
        return Outcome.UNFINISHED
    return Outcome.RESULT if deal.present else Outcome.NO_RESULT


def seats_of(deal: Deal) -> tuple[Seat, ...]:
    """Returns the seats of a deal in the cross-table.

    A table that was never opened counts as finished: the only entrant present came first, all others last.
    """
    return tuple([_seat(deal, seat, number) for seat, number in enumerate(deal.seats)])


def _seat(deal: Deal, seat: int, number: int | None) -> Seat:
    report = deal.report
    if report is not None:
        is_away = seat in report.no_shows
        place = report.places[seat] if report.places is not None else None
        points = report.points[seat] if report.points is not None else None
    else:
        is_away, points = number in deal.absent, None
        is_settled = not deal.table and bool(deal.present)
        place = (1 if number in deal.present else len(deal.seats)) if is_settled else None
    state = SeatState.NO_SHOW if is_away else _played(report, seat)
    return Seat(entrant=number, place=place, points=points, state=SeatState.BOT if number is None else state)


def _played(report: Report | None, seat: int) -> SeatState:
    """Returns the state of a seat whose entrant appeared, or may still appear."""
    if report is None:
        return SeatState.PLAYED
    if seat in report.by_bot:
        return SeatState.STAND_IN
    return SeatState.RESIGNED if seat in report.resigned else SeatState.PLAYED
