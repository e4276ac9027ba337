"""The lists of series, and the trophies of seasons."""

import msgspec
from msgspec.structs import replace

from hoodwink.domain.projections.effects import Effect, Projection, Put, Remove
from hoodwink.domain.projections.tournaments import organised_index, trophies_index
from hoodwink.domain.series import SERIES_EVENTS, SeasonPhase, Series, is_listed, season_table
from hoodwink.domain.series.events import SeasonEnded, TournamentCounted
from hoodwink.domain.series.state import DateStatus, next_date, plan_of
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tournaments.life import trophies_of
from hoodwink.domain.tournaments.terms import Format


class SeriesRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One series.

    Attributes:
        dates: the number of tournaments, including those that were left out or missed.
        over: the number of tournaments that are over.
        next_at: the start of the next tournament that is still to be opened, in ms since the epoch, or `None`.
        changed_at: in ms since the epoch.
    """

    id: str
    name: str
    format: Format
    game: str
    phase: SeasonPhase
    organiser: str
    dates: int
    over: int
    next_at: int | None
    changed_at: int


class SeasonTrophyRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A player's trophy of a season (S-11).

    Attributes:
        trophy: 1, 2 or 3.
        changed_at: when the season ended or was last corrected, in ms since the epoch.
    """

    player: str
    series: str
    name: str
    game: str
    trophy: int
    changed_at: int


def series_index(phase: SeasonPhase) -> str:
    """Returns the list of all listed series in a phase."""
    return f"phase:{phase}"


def _project(series: Series, recorded: Recorded) -> tuple[Effect, ...]:
    listed = _listed(series, recorded.entry.at)
    is_final = series.phase is SeasonPhase.ENDED and isinstance(
        recorded.event, SeasonEnded | TournamentCounted
    )
    return (listed, *_trophies(series, recorded.entry.at)) if is_final else (listed,)


def _listed(series: Series, at: int) -> Put:
    setup, next_, is_over = plan_of(series).setup, next_date(series), series.phase is SeasonPhase.ENDED
    row = SeriesRow(
        id=series.id,
        name=setup.name,
        format=setup.format,
        game=setup.game,
        phase=series.phase,
        organiser=series.organiser,
        dates=len(series.dates),
        over=sum(date.status is DateStatus.OVER for date in series.dates),
        next_at=None if next_ is None else next_.starts_at,
        changed_at=at,
    )
    organised = organised_index(series.organiser)
    return Put(
        key=series.id,
        row=row,
        order=at,
        indexes=(
            *((series_index(series.phase),) if is_listed(series) else ()),
            *(() if is_over else (organised,)),
        ),
        leaves=(series_index(SeasonPhase.RUNNING), organised) if is_over else (),
    )


def _trophies(series: Series, at: int) -> tuple[Effect, ...]:
    setup, unlisted, trophies = plan_of(series).setup, not is_listed(series), _trophies_in(series)
    rows = [
        Put(
            key=_key(player, series),
            row=SeasonTrophyRow(
                player=player,
                series=series.id,
                name=setup.name,
                game=setup.game,
                trophy=trophy,
                changed_at=at,
            ),
            order=at,
            indexes=(trophies_index(player, unlisted=unlisted),),
        )
        for player, trophy in trophies.items()
    ]
    lost = [player for player in _trophies_before(series) if player not in trophies]
    removed = [Remove(_key(player, series), (trophies_index(player, unlisted=unlisted),)) for player in lost]
    return *rows, *removed


def _trophies_in(series: Series) -> dict[str, int]:
    return trophies_of(tuple([(row.player, row.place) for row in season_table(series)]))


def _trophies_before(series: Series) -> dict[str, int]:
    """Returns the trophies before the last event, if that event corrected a result."""
    corrected = series.corrected
    if corrected is None:
        return {}
    dates = [corrected if date.number == corrected.number else date for date in series.dates]
    return _trophies_in(replace(series, dates=tuple(dates)))


def _key(player: str, series: Series) -> str:
    return f"{player}:{series.id}"


SERIES = Projection(
    name="seasons",  # not like its streams, whose keys would collide with its own
    category="series",
    event_types=frozenset(kind.wire for kind in SERIES_EVENTS),
    project=_project,
)
