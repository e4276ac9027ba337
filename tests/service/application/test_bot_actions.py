"""What a worker shows to a bot."""

from random import Random

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.service.application.work.bot_actions import bot_action
from tests.service.application.world import World


@pytest.mark.parametrize("game", GAMES)
def test_g_1_a_bot_chooses_from_the_view_of_its_seat(game):
    world, shown = World(), []
    people = tuple(f"player{number}" for number in range(max(2, GAMES[game].seats[0])))
    world.table(*people, game=game)
    world.settle()
    table = world.now_at("t1")

    def choose(rulebook, observation, chance):
        shown.append((observation.seat, observation.view))

    for seat in range(len(people)):
        bot_action(table, seat, choose, now=world.clock.now, chance=Random(1))
    assert shown
    assert all(view == table.rulebook.view(table.state, seat) for seat, view in shown)
