"""The page in Firefox and WebKit: every game is played to its end, then replayed, verified and saved."""

import json
from random import Random

import pytest

from hoodwink.domain.games import GAMES
from tests.service.processes import await_true
from tests.service.web.engines.parts import await_text, complaints, press, spot
from tests.service.web.engines.player import enter, play
from tests.service.web.engines.remote import SIZE
from tests.service.web.guests import SHORT
from tests.service.web.life import played
from tests.service.web.table.test_playing import BEGUN, BOTS, called
from tests.service.web.tournaments.cups import Held

# `make test-engines` runs them.
pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.campaign, pytest.mark.timeout(900)]

BY_KEYS = {"blindside", "coconut"}
END, BACKSPACE = "\ue010", "\ue003"
SIZES = {"blindside": (640, 900), "shithead": (360, 640)}
STORY = "() => [...document.querySelectorAll('.outcome header p')].map(({ innerText }) => innerText)"


@pytest.mark.parametrize("game", list(SHORT))
def test_a_table_is_played_by_clicking(remote, ada, game):
    path = ada.table(game, bots=BOTS.get(game, GAMES[game].seats[0] - 1))
    if game in BEGUN:
        assert played(path, [ada], Random(game), wanted=lambda seen: BEGUN[game](seen["view"]["view"]))
    remote.resize(*SIZES.get(game, SIZE))
    enter(remote, ada, path.removeprefix("/v1"))

    play(remote)
    press(remote, "Close the count")

    view = ada.get(path)["view"]
    lines = remote.run(
        "() => [...document.querySelectorAll('hw-outcome .places li')].map((line) => line.innerText)"
    )
    for seat, score in zip(view["seats"], view["result"]["scores"], strict=True):
        (line,) = [line for line in lines if called(seat, view["seats"]) in line]
        assert f"{score} {GAMES[game].unit}" in line.replace("\N{MINUS SIGN}", "-")
    assert len(remote.run(STORY)) >= 2
    await_text(remote, "Play again", "Replay and verify", "Another table", inside="hw-outcome")
    assert complaints(remote) == []


@pytest.mark.parametrize("game", sorted(BY_KEYS))
def test_a_table_is_played_with_the_keyboard(remote, ada, game):
    path = ada.table(game, bots=BOTS.get(game, GAMES[game].seats[0] - 1))
    if game in BEGUN:
        assert played(path, [ada], Random(game), wanted=lambda seen: BEGUN[game](seen["view"]["view"]))
    enter(remote, ada, path.removeprefix("/v1"))

    play(remote, with_keys=True)

    assert ada.get(path)["view"]["result"]
    assert complaints(remote) == []


def test_a_table_is_replayed_verified_and_saved(remote, ada):
    path = ada.table("blindside", bots=2)
    assert played(path, [ada], Random(1))
    enter(remote, ada, f"{path.removeprefix('/v1')}/replay")

    press(remote, "Verify")
    remote.wait("() => document.querySelector('.verdict.good')")
    press(remote, "Download log")
    (saved,) = await_true(lambda: [*remote.downloads.glob("*.ndjson")])
    # Firefox shows an empty file first, and replaces it when everything has arrived.
    await_true(lambda: saved.exists() and saved.read_bytes().endswith(b"\n"))
    assert [json.loads(line) for line in saved.read_text().splitlines()]

    assert complaints(remote) == []


def test_a_typed_option_counts(remote, ada):
    enter(remote, ada, "/games/blindside")
    press(remote, "Options of the game")
    remote.click(*spot(remote, "#option-rounds"))
    for key in (END, BACKSPACE, BACKSPACE, "3"):
        remote.press(key)
    press(remote, "Play against bots")

    table = remote.wait("() => document.querySelector('hw-table')?.getAttribute('table')")
    assert ada.get(f"/v1/tables/{table}")["view"]["options"]["rounds"] == 3
    assert complaints(remote) == []


def test_the_organisers_desk_appears(remote, served):
    held = Held(served, bots=4, advance="manual")
    held.order("/start")
    enter(remote, held.organiser, f"/tournaments/{held.id}/desk")

    press(remote, "Pair round 1")
    await_text(remote, "The pairing of round 1")

    assert held.view["rounds"][0]["boards"]
    assert complaints(remote) == []
