"""The JSON file of a tournament, `hoodwink-tournament-1`, described in docs/TOURNAMENTS.md, *Files*.

The file contains the cross-table, which determines scores and standings, and the standings after each round. It contains
neither the bracket nor the further deals of a knockout, so the standings of a knockout are always read from the file.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final

import msgspec

from hoodwink.domain.tournaments.chance import Draw
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
from hoodwink.domain.tournaments.scoring import HALF
from hoodwink.domain.tournaments.standings import Row, TeamRow, standings, team_rows
from hoodwink.domain.tournaments.terms import (
    Compare,
    FloatWindow,
    Format,
    ScoreBy,
    TeamCounting,
    Terms,
    Tiebreak,
)

FORMAT: Final = "hoodwink-tournament-1"
"""The name of the format in the file."""

_FRACTION: Final = re.compile(r"-?\d+(/[1-9]\d*)?", re.ASCII)


class TournamentFile(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a tournament file.

    Attributes:
        standings: the rows after each round, in order.
    """

    game: str
    crosstable: Crosstable
    standings: tuple[tuple[Row, ...], ...]


class _Entrant(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    name: str
    from_round: int
    left_after: int | None
    organiser: bool = False
    team: int | msgspec.UnsetType = msgspec.UNSET


class _Seat(msgspec.Struct, frozen=True, kw_only=True):
    entrant: int | None
    place: int | None
    points: Fraction | None
    state: SeatState


class _Table(msgspec.Struct, frozen=True, kw_only=True):
    board: int
    ended: Outcome
    void_score: Fraction | None
    ruled: bool | msgspec.UnsetType = msgspec.UNSET
    cut_short: bool | msgspec.UnsetType = msgspec.UNSET
    seats: tuple[_Seat, ...]


class _Unplayed(msgspec.Struct, frozen=True, kw_only=True):
    entrant: int
    why: Why
    score: Fraction


class _Round(msgspec.Struct, frozen=True, kw_only=True):
    round: int
    sitting: int
    changed: bool
    objective: tuple[Fraction, ...]
    tables: tuple[_Table, ...]
    unplayed: tuple[_Unplayed, ...]


class _Row(msgspec.Struct, frozen=True, kw_only=True):
    entrant: int
    rank: int | None
    score: Fraction
    tiebreaks: dict[Tiebreak, Fraction | None]


class _Standings(msgspec.Struct, frozen=True, kw_only=True):
    round: int
    rows: tuple[_Row, ...]
    teams: tuple[TeamRow, ...] | msgspec.UnsetType = msgspec.UNSET


class _File(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    kind: Format
    game: str
    seats: int
    table_min: int
    table_max: int
    rounds: int
    score_by: ScoreBy
    compare: Compare | msgspec.UnsetType = msgspec.UNSET
    bye_score: Fraction
    late_score: Fraction
    best_of: int | None
    float_window: FloatWindow
    forbidden: tuple[tuple[int, int], ...]
    tiebreaks: tuple[Tiebreak, ...]
    strict_places: bool
    team_counting: TeamCounting | msgspec.UnsetType = msgspec.UNSET
    teams: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    entrants: tuple[_Entrant, ...]
    rounds_played: tuple[_Round, ...]
    standings: tuple[_Standings, ...]


_SAME_TERMS: Final = set(_File.__struct_fields__) & set(Terms.__struct_fields__) - {
    "format",
    "compare",
    "team_counting",
}


def write_tournament(
    crosstable: Crosstable, *, game: str, draw: Callable[[int], Draw] | None = None
) -> bytes:
    """Returns the file of a tournament, in UTF-8.

    Args:
        draw: returns the lots of a round. The standings after round r use those of round r + 1 (see `standings`).
    """
    terms = crosstable.terms
    written = _File(
        format=FORMAT,
        kind=terms.format,
        game=game,
        entrants=tuple(
            _Entrant(
                id=entrant.number,
                name=entrant.name,
                from_round=entrant.from_round,
                left_after=entrant.left_after,
                organiser=entrant.is_organiser,
                team=msgspec.UNSET if entrant.team is None else entrant.team,
            )
            for entrant in crosstable.entrants
        ),
        rounds_played=tuple(_round_to(round_, terms) for round_ in crosstable.rounds),
        standings=tuple(_standings_to(crosstable, draw)),
        compare=terms.compare or msgspec.UNSET,
        team_counting=terms.team_counting or msgspec.UNSET,
        teams=crosstable.teams or msgspec.UNSET,
        **{name: getattr(terms, name) for name in _SAME_TERMS},
    )
    return msgspec.json.format(msgspec.json.encode(written, enc_hook=str), indent=1) + b"\n"


def _round_to(round_: Round, terms: Terms) -> _Round:
    return _Round(
        round=round_.number,
        sitting=round_.sitting,
        changed=round_.is_changed,
        objective=round_.objective,
        tables=tuple(_table_to(board, terms) for board in round_.boards),
        unplayed=tuple(
            _Unplayed(entrant=unplayed.entrant, why=unplayed.why, score=unplayed.score)
            for unplayed in round_.unplayed
        ),
    )


def _table_to(board: Board, terms: Terms) -> _Table:
    return _Table(
        board=board.number,
        ended=board.outcome,
        void_score=_void_score(board, terms),
        ruled=board.is_ruled or msgspec.UNSET,
        seats=tuple(
            _Seat(
                entrant=seat.entrant,
                place=seat.place,
                points=None if seat.points is None else Fraction(seat.points),
                state=seat.state,
            )
            for seat in board.seats
        ),
        # It changes scores only where seats are compared (D-6).
        cut_short=(board.is_cut_short and terms.compare is not None) or msgspec.UNSET,
    )


def _void_score(board: Board, terms: Terms) -> Fraction | None:
    """Returns the score of a voided table; `None` if it is the mean points of its round, or 0 in an arena."""
    has_half = terms.score_by is not ScoreBy.POINTS and terms.format is not Format.ARENA
    is_half = board.outcome is Outcome.VOID and has_half
    return HALF if is_half and board.void_score is None else board.void_score


def _standings_to(crosstable: Crosstable, draw: Callable[[int], Draw] | None) -> Iterator[_Standings]:
    rounds = len(crosstable.rounds)
    # An arena has hundreds of short rounds, and only its last standings matter.
    first = rounds if crosstable.terms.format is Format.ARENA else 1
    for after in range(max(first, 1), rounds + 1):
        rows = standings(crosstable, after=after, draw=draw and draw(after + 1)).rows
        yield _Standings(
            round=after,
            rows=tuple(
                _Row(entrant=row.entrant, rank=row.rank, score=row.score, tiebreaks=row.tiebreaks)
                for row in rows
            ),
            teams=team_rows(crosstable, rows) or msgspec.UNSET,
        )


def read_tournament(data: bytes) -> TournamentFile:
    """Returns the contents of a tournament file.

    Raises:
        ValueError: the data is not such a file, the entrants or rounds are not numbered from 1, or standings do not list
            every entrant once.
    """
    try:
        _check_format(data)
        read = msgspec.json.decode(data, type=_File, dec_hook=_fraction)
    except msgspec.ValidationError as error:
        raise ValueError(f"{error}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise ValueError("It is not JSON.") from None
    _check(read)
    unranked = {row.entrant for last in read.standings[-1:] for row in last.rows if row.rank is None}
    crosstable = Crosstable(
        terms=Terms(
            format=read.kind,
            compare=None if read.compare is msgspec.UNSET else read.compare,
            team_counting=None if read.team_counting is msgspec.UNSET else read.team_counting,
            **{name: getattr(read, name) for name in _SAME_TERMS},
        ),
        entrants=tuple(
            Entrant(
                number=entrant.id,
                name=entrant.name,
                from_round=entrant.from_round,
                left_after=entrant.left_after,
                is_expelled=entrant.id in unranked,
                is_organiser=entrant.organiser,
                team=None if entrant.team is msgspec.UNSET else entrant.team,
            )
            for entrant in read.entrants
        ),
        rounds=tuple(map(_round_from, read.rounds_played)),
        teams=() if read.teams is msgspec.UNSET else read.teams,
    )
    return TournamentFile(
        game=read.game,
        crosstable=crosstable,
        standings=tuple(tuple(map(_row_from, after.rows)) for after in read.standings),
    )


def _check_format(data: bytes) -> None:
    """Raises `ValueError` for a file of another format, so that this fault is reported before all others."""
    held = msgspec.json.decode(data)
    if not isinstance(held, dict) or held.get("format") != FORMAT:
        raise ValueError(f'It must have "format": "{FORMAT}".')


def _fraction(_kind: type, value: Any) -> Fraction:
    """Decodes an exact number; msgspec adds the name of the field to the error."""
    if type(value) is int or (isinstance(value, str) and _FRACTION.fullmatch(value)):
        return Fraction(value)
    raise ValueError('Expected an integer, or a fraction in a string such as "5/2"')


def _check(read: _File) -> None:
    entrants = [entrant.id for entrant in read.entrants]
    if entrants != list(range(1, len(entrants) + 1)):
        raise ValueError("Entrants must be numbered from 1, in order.")
    rounds = [round_.round for round_ in read.rounds_played]
    if rounds != list(range(1, len(rounds) + 1)):
        raise ValueError("Rounds must be numbered from 1, in order.")
    for round_ in read.rounds_played:
        if sorted(_entrants_of(round_)) != sorted(set(_entrants_of(round_)) & set(entrants)):
            raise ValueError(
                f"Round {round_.round} names an entrant twice, or one that the file does not list."
            )
    teams = 0 if read.teams is msgspec.UNSET else len(read.teams)
    if any(entrant.team is not msgspec.UNSET and not 1 <= entrant.team <= teams for entrant in read.entrants):
        raise ValueError("An entrant has a team that the file does not list.")
    for after in read.standings:
        if sorted(row.entrant for row in after.rows) != entrants:
            raise ValueError(f"The standings after round {after.round} must list every entrant once.")


def _entrants_of(round_: _Round) -> Iterator[int]:
    yield from (unplayed.entrant for unplayed in round_.unplayed)
    for table in round_.tables:
        yield from (seat.entrant for seat in table.seats if seat.entrant is not None)


def _round_from(read: _Round) -> Round:
    return Round(
        number=read.round,
        sitting=read.sitting,
        is_changed=read.changed,
        objective=read.objective,
        boards=tuple(map(_board_from, read.tables)),
        unplayed=tuple(
            Unplayed(entrant=unplayed.entrant, why=unplayed.why, score=unplayed.score)
            for unplayed in read.unplayed
        ),
    )


def _board_from(read: _Table) -> Board:
    return Board(
        number=read.board,
        outcome=read.ended,
        void_score=read.void_score,
        is_cut_short=read.cut_short is True,
        is_ruled=read.ruled is True,
        seats=tuple(
            Seat(entrant=seat.entrant, place=seat.place, points=_whole(seat.points), state=seat.state)
            for seat in read.seats
        ),
    )


def _whole(points: Fraction | None) -> int | None:
    if points is None:
        return None
    if points.denominator != 1:
        raise ValueError(f"Points must be whole, and {points} are not.")
    return points.numerator


def _row_from(read: _Row) -> Row:
    return Row(entrant=read.entrant, rank=read.rank, score=read.score, tiebreaks=read.tiebreaks)
