"""The benchmarks of engine, environments, replay and ratings, with as little work as possible."""

from random import Random

import pytest

from bench import engine, environments, ratings, replay
from bench.figures import Effort
from hoodwink.domain.games import GAMES

TINY = Effort(repeats=2, seconds=0.0001, events=60, actions=4)


def test_every_game_is_played_and_has_a_bar():
    figures = list(engine.measure(TINY))

    assert {figure.name.partition(",")[0] for figure in figures} == set(GAMES)
    assert all(len(figure.samples) == 2 and min(figure.samples) > 0 for figure in figures)
    assert all(figure.bar for figure in figures if "hands" not in figure.name)


@pytest.mark.parametrize("setting", [setting for setting in engine.SETTINGS if not setting.has_full_hands])
def test_a_playout_counts_every_move(setting):
    moves = engine.Player(setting, Random(1)).play()

    assert moves > 30
    assert setting.game != "blindside" or moves == 4 * (4 + 4 * 3 * 3)


@pytest.mark.parametrize("setting", [setting for setting in engine.SETTINGS if setting.has_full_hands])
def test_full_hands_contain_the_whole_stock(setting):
    player = engine.Player(setting, Random(1))

    assert "hands of" in player.remark
    assert player.play() == 40


def test_every_game_is_compared_with_leduc_holdem():
    leduc, *figures = environments.measure(TINY)

    assert leduc.name == "leduc_holdem"
    assert {figure.name.partition(",")[0] for figure in figures} == set(GAMES)
    assert all(len(figure.samples) == 2 and min(figure.samples) > 0 for figure in figures)
    assert len([figure for figure in figures if figure.bar]) == len(GAMES)


def test_every_game_is_replayed_and_verified():
    names = [figure.name for figure in replay.measure(TINY)]

    assert names[:-1] == [f"{game}, {what}" for game in GAMES for what in ("replay", "verify")]
    assert names[-1] == "shithead, one table of 60 events"


def test_a_replay_ends_at_the_last_event():
    ((_, entries), *_) = replay.play_tables("blindside", events=1)

    assert replay.replay(entries) == len(entries)


def test_tables_are_played_until_there_are_enough_events():
    first, many = (replay.play_tables("blindside", events=count) for count in (1, 400))

    assert len(first) == 1
    assert sum(len(entries) for _, entries in many[:-1]) < 400 <= sum(len(entries) for _, entries in many)


def test_ratings_are_folded_and_a_void_is_projected():
    figures = list(ratings.measure(TINY))

    assert [figure.unit for figure in figures] == ["tables/s"] * 3 + ["ms"] * 2
    assert all(figure.bar and min(figure.samples) > 0 for figure in figures)
