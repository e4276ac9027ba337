"""Every game is played to its end on the page: with a mouse, with the keyboard, and with a screen reader."""

import pytest

from hoodwink.domain.games import GAMES
from tests.service.web.guests import SHORT
from tests.service.web.hands import by_ear, play_to_the_end, with_the_keyboard, with_the_mouse

# The number of turns is random, and each takes a few dozen keys.
pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.timeout(900)]


BOTS = {"coconut": 3}
"""More bots than the minimum for games that would take too long: in Coconut, the first empty hand ends a round."""


SHORTEST = {with_the_keyboard: ("double_blind", "shithead"), by_ear: ("blindside", "coconut")}
"""The games that `make test` plays without a mouse. The other combinations belong to the campaign."""


def ways_to_play():
    for game in SHORT:
        yield pytest.param(game, with_the_mouse, id=f"{game}-mouse")
        for play, games in SHORTEST.items():
            marks = [] if game in games else [pytest.mark.campaign]
            yield pytest.param(game, play, id=f"{game}-{play.__name__}", marks=marks)


@pytest.mark.parametrize(("game", "play"), [*ways_to_play()])
def test_a_played_table_shows_the_scores_of_the_api(visit, ada, game, play):
    path = ada.table(game, bots=BOTS.get(game, GAMES[game].seats[0] - 1))
    motion = "no-preference" if play is with_the_mouse else "reduce"
    page, complaints = visit(path.removeprefix("/v1"), sign_in=ada, reduced_motion=motion)

    play_to_the_end(page, play)

    view = ada.get(path)["view"]
    names = [seat["name"] for seat in view["seats"]]
    shown = page.locator("hw-outcome .places li").all_inner_texts()
    for name, score in zip(names, view["result"]["scores"], strict=True):
        (line,) = [line for line in shown if name in line]
        assert f"{score} {GAMES[game].unit}" in line.replace("\N{MINUS SIGN}", "-")
    assert not complaints
