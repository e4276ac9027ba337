"""The lists of series, and the trophies of tournaments and seasons (S-11)."""

from hoodwink.domain.projections import SERIES, SeasonTrophyRow, SeriesRow, organised_index, series_index
from hoodwink.domain.series import (
    UNOPENED,
    ConfirmTournament,
    SeasonPhase,
    SkipDate,
    decode_series_event,
    evolve,
)
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tournaments.life import Admission, Visibility
from hoodwink.domain.tournaments.terms import Format
from tests.domain.projections.contents import Contents
from tests.domain.series.seasons import DAY_MS, START, Season


def contents_of(season):
    series, contents = UNOPENED, Contents()
    for recorded in decoded(season.entries, decode_series_event):
        series = evolve(series, recorded)
        for effect in SERIES.project(series, recorded):
            contents.apply(effect)
    return contents


def trophies_in(contents, *, listed=True):
    prefix = "trophies:" if listed else "unlisted trophies:"
    keys = {index.removeprefix(prefix): list(keys) for index, keys in contents.indexes.items()}
    return {
        player: contents.rows[f"{player}:club"].trophy for player in ("ada", "bob", "cy") if keys.get(player)
    }


def test_a_series_is_listed_by_its_phase_and_its_organiser():
    season = Season(dates=2)
    season.do(ConfirmTournament(1))
    contents = contents_of(season)

    assert contents.rows["club"] == SeriesRow(
        id="club",
        name="Club night",
        format=Format.SWISS,
        game="blindside",
        phase=SeasonPhase.RUNNING,
        organiser="olga",
        dates=2,
        over=0,
        next_at=START + DAY_MS,
        changed_at=season.now,
    )
    assert contents.listed(series_index(SeasonPhase.RUNNING)) == contents.listed(organised_index("olga"))

    season.do(SkipDate(2))
    season.count(1, ("ada", 1, 3), ("bob", 2, 1))
    contents = contents_of(season)
    assert contents.listed(series_index(SeasonPhase.ENDED)) == ["club"]
    assert not contents.listed(series_index(SeasonPhase.RUNNING))
    assert not contents.listed(organised_index("olga"))


def test_s_11_trophies_of_a_season_follow_corrections():
    season = Season(dates=2)
    season.count(1, ("ada", 1, 3), ("bob", 2, 1))
    assert trophies_in(contents_of(season)) == {}

    season.count(2, ("ada", 1, 3), ("bob", 2, 1), ("cy", 3, 0))
    contents = contents_of(season)
    assert trophies_in(contents) == {"ada": 1, "bob": 2}
    assert contents.rows["ada:club"] == SeasonTrophyRow(
        player="ada", series="club", name="Club night", game="blindside", trophy=1, changed_at=season.now
    )

    season.count(2, ("cy", 1, 3), ("ada", 2, 1), version=10)
    assert trophies_in(contents_of(season)) == {"ada": 1, "cy": 2}


def test_s_11_trophies_of_an_unlisted_series_are_in_a_list_of_their_own():
    unlisted = Admission(visibility=Visibility.UNLISTED)
    season = Season(dates=1, admission=unlisted, rated=False)
    season.count(1, ("ada", 1, 3), ("bob", 2, 1))
    contents = contents_of(season)

    assert (trophies_in(contents), trophies_in(contents, listed=False)) == ({}, {"ada": 1})
    assert not contents.listed(series_index(SeasonPhase.ENDED))
