"""The season table: the points of all tournaments of a series (S-8, S-9)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf

import msgspec
from msgspec.structs import replace

from hoodwink.domain.series.plan import Points, PointsBy
from hoodwink.domain.series.state import SeasonDate, Series, plan_of
from hoodwink.domain.tournaments.life import Placing


class SeasonResult(msgspec.Struct, frozen=True, kw_only=True):
    """A player's result in one tournament.

    Attributes:
        number: of the date.
        points: exact.
        counts: whether it is one of the best tournaments that count.
    """

    number: int
    place: int
    points: Fraction
    counts: bool


class SeasonRow(msgspec.Struct, frozen=True, kw_only=True):
    """A player's row in the season table.

    Attributes:
        place: shared by players who are equal in everything.
        points: the sum of the results that count, exact.
        results: the tournaments in which the player played, in order.
    """

    place: int
    player: str
    points: Fraction
    results: tuple[SeasonResult, ...]


def season_table(series: Series) -> tuple[SeasonRow, ...]:
    """Returns the rows in order; equal players by their ids."""
    points = plan_of(series).points
    results = defaultdict[str, list[SeasonResult]](list)
    for date in series.dates:
        for player, result in _results_of(date, points):
            results[player].append(result)
    counted = {player: _counted(own, points.best_of) for player, own in results.items()}
    totals = {player: _total(own) for player, own in counted.items()}
    keys = {player: (-totals[player], _countback(own)) for player, own in counted.items()}
    players = sorted(keys, key=lambda player: (keys[player], player))
    first = dict[tuple[Fraction, tuple[float, ...]], int]()  # the place of the first player with each key
    return tuple(
        SeasonRow(
            place=first.setdefault(keys[player], place),
            player=player,
            points=totals[player],
            results=counted[player],
        )
        for place, player in enumerate(players, start=1)
    )


def _results_of(date: SeasonDate, points: Points) -> Iterable[tuple[str, SeasonResult]]:
    sharing = Counter(placing.place for placing in date.placings)
    for placing in date.placings:
        earned = _points_for(placing, sharing[placing.place], points)
        yield (
            placing.player,
            SeasonResult(number=date.number, place=placing.place, points=earned, counts=True),
        )


def _points_for(placing: Placing, sharing: int, points: Points) -> Fraction:
    if points.by is PointsBy.SCORE:
        return placing.score + points.participation
    # Players who are tied share the points of the places that they occupy together (S-8).
    first = placing.place - 1
    return Fraction(sum(points.places[first : first + sharing]), sharing) + points.participation


def _counted(results: Sequence[SeasonResult], best_of: int | None) -> tuple[SeasonResult, ...]:
    best = sorted(results, key=lambda result: (-result.points, result.number))[:best_of]
    numbers = {result.number for result in best}
    return tuple(replace(result, counts=result.number in numbers) for result in results)


def _total(results: Iterable[SeasonResult]) -> Fraction:
    return sum((result.points for result in results if result.counts), Fraction(0))


def _countback(results: Iterable[SeasonResult]) -> tuple[float, ...]:
    """Returns a key by which more first places come first, then more second places, and so on (S-9)."""
    # Without the last number, a player without a further place would come before one with a bad place.
    return (*sorted(result.place for result in results), inf)
