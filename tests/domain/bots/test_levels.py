"""The levels of bots: how they differ, and that none of them peeks (G-19)."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from hoodwink.domain.bots import LEVELS, POLICIES, VERSIONS, level_of, levels_of, play_random, play_steady
from hoodwink.domain.bots.levels import play_novice
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Action, Observation, Stage, plays_among
from tests.domain.bots.positions import test_coconut, test_shithead
from tests.domain.bots.positions.imagined import known_at
from tests.domain.laws.imagining import knowledge_of
from tests.domain.laws.playout import play

_FOREVER = 1 << 62
_DECISIONS = (1, pytest.param(4, marks=pytest.mark.campaign))


class Pass(Action, frozen=True, tag="pass"):
    pass


def observed(game: Any, state: Any, seat: int, known: Any) -> Observation:
    legal = plays_among(game, game.legal_actions(state, seat, _FOREVER))
    return Observation(seat, state.options, game.view(state, seat), legal, known)


def test_the_levels_are_listed_from_the_weakest_to_the_strongest():
    assert POLICIES == ("novice", "steady", "sharp", "expert", "random")
    assert set(VERSIONS) == set(POLICIES)
    assert all(level.meaning.endswith(".") for level in LEVELS.values())
    assert [name for name, level in LEVELS.items() if level.thinks] == ["sharp", "expert"]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_game_lists_the_levels_that_differ(game):
    levels = levels_of(game)
    thinks = game.name != "blindside"
    assert tuple(levels) == (POLICIES if thinks else ("novice", "steady", "random"))
    assert level_of("expert", game) is (LEVELS["expert"] if thinks else LEVELS["steady"])
    assert level_of("random", game).play is play_random
    with pytest.raises(KeyError):
        level_of("cheating", game)


def test_g_9_only_novices_and_random_bots_miss_chances_out_of_turn():
    game, seen = GAMES["coconut"], Observation(0, GAMES["coconut"].options(), None, (Pass(),))
    assert {name for name, level in LEVELS.items() if level.interrupt is play_steady} == {
        "steady",
        "sharp",
        "expert",
    }
    assert LEVELS["novice"].interrupt(game, seen, Random(0)) is None
    taken = [LEVELS["random"].interrupt(game, seen, Random(seed)) for seed in range(400)]
    assert 150 < taken.count(Pass()) < 250
    assert 150 < taken.count(None) < 250


def test_a_novice_takes_one_of_the_best_two_actions():
    game: Any = SimpleNamespace(rank=lambda *_: ("best", "second", "third"))
    seen = Observation(0, GAMES["coconut"].options(), None, ())
    chosen: set[Any] = {play_novice(game, seen, Random(seed)) for seed in range(20)}
    assert chosen == {"best", "second"}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_best_actions_are_legal_and_more_than_one_may_be_sensible(game):
    lengths = set()
    for entry in play(game, 3, max_rounds=1, max_entries=60).entries:
        for seat in game.turn(entry.state).owes:
            seen = observed(game, entry.state, seat, None)
            best = game.rank(game, seen, Random(1))
            assert all(game.decide(entry.state, seat, action, _FOREVER) for action in best)
            lengths.add(len(best))
    assert max(lengths) > 1


OUT = [
    (game, reason, positions[reason][0])
    for game, positions in (("coconut", test_coconut.POSITIONS), ("shithead", test_shithead.POSITIONS))
    for reason in positions
    if "go out together" in reason or "going out" in reason
]


@pytest.mark.parametrize("level", ["novice", "steady", "sharp", "expert"])
@pytest.mark.parametrize(
    ("game_name", "state"), [(game, state) for game, _, state in OUT], ids=[out[1] for out in OUT]
)
def test_every_level_goes_out_when_it_can(game_name, state, level):
    game = GAMES[game_name]
    seen = observed(game, state, 0, known_at(game, state, 0))
    action: Any = level_of(level, game).play(game, seen, Random(1))
    assert len(action.cards) == len(state.hands[0])


@pytest.mark.parametrize("max_decisions", _DECISIONS)
@pytest.mark.parametrize("level", ["novice", "steady", "sharp", "expert"])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_g_19_no_level_peeks(game, level, max_decisions):
    """Two deals that a seat cannot tell apart lead to the same decision."""
    playing = play(game, 5, max_rounds=1, max_entries=120 if max_decisions > 1 else 60)
    viewer, decided = 1, 0
    for index, known in enumerate(knowledge_of(playing, viewer)):
        state = playing.entries[index].state
        if decided == max_decisions:
            break
        if index % 9 or game.stage(state) is not Stage.IN_PLAY or viewer not in game.turn(state).owes:
            continue
        deals = (state, game.imagine(known, Random(1)), game.imagine(known, Random(2)))
        decisions = [
            level_of(level, game).play(game, observed(game, deal, viewer, known), Random(index))
            for deal in deals
        ]
        assert decisions == [decisions[0]] * 3
        decided += len(set(map(repr, deals))) > 1
    assert decided
