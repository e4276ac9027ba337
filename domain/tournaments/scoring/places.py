"""Places at a table, and their scores as a share of a first place (T-20)."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final

from hoodwink.domain.tournaments.crosstable import Seat, SeatState
from hoodwink.domain.tournaments.terms import ScoreBy

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)


_AWAY: Final = frozenset({SeatState.NO_SHOW, SeatState.BOT})
_OWN: Final = frozenset({SeatState.PLAYED, SeatState.BOT})


def has_appeared(seat: Seat) -> bool:
    """Returns whether the seat belongs to an entrant who appeared at the table in time."""
    return seat.state not in _AWAY


def has_own_points(seat: Seat) -> bool:
    """Returns whether the holder of a seat, rather than a stand-in, won its points (T-20)."""
    return seat.state in _OWN


def effective_places(seats: Sequence[Seat]) -> tuple[int | None, ...]:
    """Returns each seat's place among the seats that appeared, and `None` for no-shows.

    If the bot that played for an absent entrant came first, places 2, 3, 4 become 1, 2, 3 (T-6).
    """
    places = sorted(seat.place or 0 for seat in seats if seat.state is not SeatState.NO_SHOW)
    return tuple(
        None if seat.state is SeatState.NO_SHOW else places.index(seat.place or 0) + 1 for seat in seats
    )


@lru_cache(maxsize=4096)
def shares(places: tuple[int | None, ...], score_by: ScoreBy) -> tuple[Fraction, ...]:
    """Returns each seat's score by place or by win, from 0 for a last place to 1 for a first; no-shows have 0."""
    sharing = Counter(places)
    seats = len(places)
    score = _by_win if score_by is ScoreBy.WIN else _by_place
    return tuple(ZERO if place is None else score(place, sharing[place], seats) for place in places)


@cache
def _by_place(place: int, sharing: int, seats: int) -> Fraction:
    """Returns the mean of (k - p)/(k - 1) over the places that tied seats share, from `place` on."""
    return Fraction(2 * (seats - place) - (sharing - 1), 2 * (seats - 1))


@cache
def _by_win(place: int, sharing: int, _seats: int) -> Fraction:
    return Fraction(1, sharing) if place == 1 else ZERO
