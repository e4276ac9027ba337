"""The comparison of rating models, and the calibration of the model in use."""

import sys

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.ratings import MILLION
from hoodwink.domain.ratings.model import BETA, TAU
from tests.seasons import __main__ as comparison
from tests.seasons import drifting
from tests.seasons.models import MODELS, SIGMA, Parameters, hindsight, predicted
from tests.seasons.play import Result, Season, played
from tests.seasons.raters import Earlier, Shipped


@pytest.mark.parametrize("game", GAMES)
def test_a_season_is_the_same_for_the_same_seed(game):
    season = played(game, players=5, tables=3, seed=1)
    assert season == played(game, players=5, tables=3, seed=1)
    assert len(season.results) == 3
    assert [begin for begin, _ in season.strengths] == [0, 25, 50, 75, 100]


@pytest.mark.parametrize("game", GAMES)
def test_strong_players_of_a_season_win(game):
    season = played(game, players=2, tables=12, seed=1)
    assert season.strengths == ((0, 0), (100, 100))
    winners = [players[places.index(1)] for players, places in season.results]
    assert winners.count(1) >= 11


def test_every_model_learns_strengths_and_beats_chance():
    same_results = Season("coconut", ((0, 0), (50, 50), (100, 100)), (Result((2, 1, 0), (1, 2, 2)),) * 40)
    for model in MODELS:
        prediction = predicted(same_results, Parameters(model))
        assert prediction.loss < 0.69
        assert prediction.order >= 2 / 3, "the best player is rated above the two others"
    assert hindsight(same_results) < 0.5


def test_the_comparison_is_printed_as_markdown(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(comparison, "BETAS", (0.5,))
    monkeypatch.setattr(comparison, "TAUS", (0.02,))
    file = tmp_path / "seasons.json"
    for _ in range(2):  # the second run reads the seasons from the file
        monkeypatch.setattr(
            sys, "argv", ["seasons", "--players", "4", "--tables", "4", "--seeds", "2", "--keep", str(file)]
        )
        comparison.main()
    assert capsys.readouterr().out.count("| hindsight |") == 8


@pytest.mark.parametrize(
    "seats",
    [
        pytest.param(seats, marks=[] if seats in {2, 3, 10} else [pytest.mark.campaign])
        for seats in drifting.SIZES
    ],
)
def test_sigma_matches_the_error_for_drifting_skills_at_every_size(seats):
    coverage = drifting.pooled_coverage(
        Shipped, seats, players=40, tables_each=100, seeds=3, drift=drifting.Drift()
    )
    assert 0.85 <= coverage.z <= 1.15


def test_weighting_tables_by_seats_improves_predictions():
    before, now = [
        drifting.pooled_coverage(rater, 6, players=40, tables_each=60, seeds=2, drift=drifting.Drift())
        for rater in (Earlier, Shipped)
    ]
    assert now.loss < before.loss
    assert before.z < 0.85 < now.z


def test_the_coverage_is_printed_as_markdown(monkeypatch, capsys):
    monkeypatch.setattr(drifting, "SIZES", (2, 3))
    monkeypatch.setattr(drifting, "DRIFTS", (1.0,))
    monkeypatch.setattr(sys, "argv", ["drifting", "--players", "4", "--tables", "24", "--seeds", "1"])
    drifting.main()
    assert capsys.readouterr().out.count("\n| ") == 4


def test_the_ratings_use_the_chosen_parameters():
    assert pytest.approx(0.5 * SIGMA, abs=1e-6) == BETA / MILLION
    assert pytest.approx(0.02 * SIGMA, abs=1e-6) == TAU / MILLION
