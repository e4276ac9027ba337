"""`hoodwink arena --peek`: how much bots that think lack because they do not see all cards."""

from typing import Any

import pytest
from click.testing import CliRunner

from hoodwink.domain.bots import play_steady
from hoodwink.domain.bots.levels import Level
from hoodwink.service.cli import hoodwink
from hoodwink.service.simulation.arena.results import Estimate, Result, peeked
from hoodwink.service.simulation.arena.tasks import Pairing, Task, Terms, play
from hoodwink.service.simulation.outside.process import Limits

PAIRING = Pairing("expert", "steady")


@pytest.mark.parametrize("peeks", [False, True])
def test_only_a_bot_that_peeks_knows_all_cards(monkeypatch, peeks):
    unknown: list[int] = []

    def spy(game: Any, observation: Any, chance: Any) -> Any:
        unknown.append(len(observation.known.marks))
        return play_steady(game, observation, chance)

    level = Level(meaning="", version=1, play=spy, interrupt=play_steady, thinks=True)
    monkeypatch.setattr("hoodwink.service.simulation.tables.level_of", lambda *_: level)
    play(Task(Terms("blind_don", 2, {}, 1, "seed", Limits(2, 2_048), peeks), PAIRING, 0, 0, 1))
    assert unknown == [0] * len(unknown) if peeks else min(unknown) > 0


@pytest.mark.parametrize(("peeking", "share"), [(0.7, 0.5), (0.5, None)])
def test_the_share_compares_gains_over_half(peeking, share):
    def result(mean: float) -> Result:
        return Result(PAIRING, *[Estimate(mean, mean - 0.1, mean + 0.1)] * 3)

    (found,) = peeked([result(0.6)], [result(peeking)])
    assert (found.score.mean, found.share) == (peeking, share and pytest.approx(share))


def test_arena_prints_the_share():
    done = CliRunner().invoke(hoodwink, ["arena", "blind_don", "--deals", "2", "--processes", "1", "--peek"])
    assert done.exit_code == 0, done.output
    assert "steady against random, seeing all cards: " in done.stdout
    assert done.stdout.rstrip().endswith("--peek")
