"""In Firefox and WebKit, nothing covers what people came to see, and no note stays for ever."""

import pytest

from tests.service.processes import await_true
from tests.service.web.engines.parts import await_count, await_text, complaints, count, press, spot
from tests.service.web.engines.player import enter
from tests.service.web.shell.test_small_screens import COVERED, OVERLAP, PHONES
from tests.service.web.tournaments.cups import Held

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.campaign, pytest.mark.timeout(900)]

DRAWN = ".board[data-version='20'][aria-busy=false]"
LABELS = "() => [...document.querySelectorAll('.prompt .buttons button')].map(({ ariaLabel }) => ariaLabel)"
# Rooms are wider than the screen only where they scroll by themselves.
TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
# How far two tables reach below the upper edge of the controls.
UNDER_CONTROLS = """() => document.querySelector('.comparison .side').getBoundingClientRect().bottom
    - document.querySelector('.comparison .controls').getBoundingClientRect().top"""
ROOMS = (
    "/",
    "/games/shithead",
    "/tables",
    "/me",
    "/leaderboards",
    "/tournaments",
    "/rules/blindside",
    "/docs",
)


@pytest.mark.parametrize("game", ["coconut", "double_blind"])
def test_the_replays_controls_cover_no_card_on_a_phone_and_no_caption(remote, served, ended, game):
    remote.go(f"{served}{ended(game).removeprefix('/v1')}/replay?viewer=0&version=20")
    for size in PHONES:
        remote.resize(*size)
        await_count(remote, DRAWN, 1)
        assert remote.run(COVERED) == 0, size
    remote.resize(1280, 800)
    assert remote.run(OVERLAP) <= 1


def test_the_note_of_a_turn_is_dismissed(remote, ada):
    ada.table("blind_don", bots=1)
    await_true(lambda: [each for each in ada.get("/v1/me/tables")["tables"] if each["waits_since"]])
    remote.resize(1280, 800)
    enter(remote, ada, "/rules")

    await_text(remote, "Your turn at", inside="hw-header")
    press(remote, "Dismiss")

    await_count(remote, ".turns", 0)
    assert complaints(remote) == []


def test_a_joker_can_be_sent_to_any_of_nine_players_on_a_phone(remote, fed, tables):
    remote.resize(360, 640)
    fed.begin(tables["shithead10long"] | {"events": []})

    remote.click(*spot(remote, ".near [data-face=JK].playable"))
    await_count(remote, ".prompt .buttons button", 10)

    assert "Send the pile to Ben" in remote.run(LABELS)
    assert count(remote, ".near [aria-pressed=true][data-face=JK]") == 1


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)], ids=str)
def test_no_room_is_wider_than_the_screen(remote, ada, size):
    remote.resize(*size)
    wide = {}
    for path in ROOMS:
        enter(remote, ada, path)
        await_count(remote, "main h1", 1)
        if (found := remote.run(TOO_WIDE)) > 0:
            wide[path] = found

    assert wide == {}
    assert complaints(remote) == []


def test_d_7_the_controls_cover_no_card_of_two_tables_side_by_side(remote, served, ada):
    held = Held(
        served, bots=6, deal="same", turn_seconds=60, tiebreaks=["wins"], sittings=[{"rounds": 1}]
    ).played()
    remote.resize(1280, 800)
    enter(remote, ada, f"/tournaments/{held.id}?tab=deals&deal=1")
    press(remote, "Compare")
    await_count(remote, ".comparison .board .near [data-face]", 8)

    # The tables take their final size once their cards are laid out.
    await_true(lambda: remote.run(UNDER_CONTROLS) <= 0)
    assert complaints(remote) == []
