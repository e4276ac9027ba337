"""Every game is played to its end on the page: with a mouse, with the keyboard, and with a screen reader.

`test_table.py` and `test_sixth_game.py` play to the end with the mouse, and `test_shifts.py` clicks through every game.
"""

from random import Random

import pytest
from playwright.sync_api import expect

from hoodwink.domain.games import GAMES
from tests.service.web.guests import SHORT
from tests.service.web.hands import by_ear, play_to_the_end, with_the_keyboard, with_the_mouse
from tests.service.web.life import Moment, reached

# The number of turns is random, and each takes a few dozen keys.
pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.timeout(900)]


BOTS = {"coconut": 3, "shithead": 4}
"""More bots than the minimum for games that would take too long: the more seats, the fewer turns of the only person."""

SHORTEST = {with_the_mouse: None, with_the_keyboard: "double_blind", by_ear: "coconut"}
"""The games that `make test` plays in each way. The others belong to the campaign."""


BEGUN = {
    "blind_don": lambda view: view["round"] == 2,
    "coconut": lambda view: view["stock_count"] == 0,
    "double_blind": lambda view: view["stock_count"] == 0,
    "shithead": lambda view: view["stock_count"] == 0,
}
"""Until when a table is played over the API, because its beginning would only repeat the same steps on the page."""


def ways_to_play():
    for game in SHORT:
        for play, shortest in SHORTEST.items():
            marks = [] if game == shortest else [pytest.mark.campaign]
            yield pytest.param(game, play, id=f"{game}-{play.__name__}", marks=marks)


@pytest.mark.parametrize(("game", "play"), [*ways_to_play()])
def test_a_played_table_shows_the_scores_of_the_api(visit, ada, game, play):
    bots = BOTS.get(game, GAMES[game].seats[0] - 1)
    if game in BEGUN:
        begun = Moment(game, lambda seen: BEGUN[game](seen["view"]["view"]), people=1, bots=bots)
        path = reached(begun, [ada], Random(game))
    else:
        path = ada.table(game, bots=bots)
    motion = "no-preference" if play is with_the_mouse else "reduce"
    page, complaints = visit(path.removeprefix("/v1"), sign_in=ada, reduced_motion=motion)

    play_to_the_end(page, play)

    expect(page.locator(".outcome")).to_be_in_viewport(ratio=1)
    view = ada.get(path)["view"]
    shown = page.locator("hw-outcome .places li").all_inner_texts()
    for seat, score in zip(view["seats"], view["result"]["scores"], strict=True):
        (line,) = [line for line in shown if called(seat, view["seats"]) in line]
        assert f"{score} {GAMES[game].unit}" in line.replace("\N{MINUS SIGN}", "-")
    assert not complaints


def called(seat, seats):
    """Returns how the page names a seat: those with the same name have their numbers, too."""
    is_alone = [other["name"] for other in seats].count(seat["name"]) == 1
    return seat["name"] if is_alone else f"{seat['name']} (seat {seat['seat']})"
