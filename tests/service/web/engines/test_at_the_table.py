"""In Firefox and WebKit, players at a table are safe from misclicks, can read about the game, and meet each other."""

import json
from contextlib import contextmanager
from urllib.request import Request, urlopen

import pytest

from tests.service.processes import await_true
from tests.service.web.engines.parts import await_count, await_text, complaints, count, press, spot
from tests.service.web.engines.player import enter
from tests.service.web.fed_tables import fed_messages
from tests.service.web.table.test_misclicks import FIVE_CARD, REPEATED_MS, TAKE_BACK, at_turn
from tests.service.web.table.test_table import room

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.campaign, pytest.mark.timeout(900)]

STOCK = "[data-zone='stock'] .playable"
CONFIRM = ".prompt .buttons button.main"
STEP = "(name) => document.querySelector('hw-table')?.message?.view.view.step === name"
# However slow the machine is, no time passes until the test says so.
STOP_CLOCK = """() => {
    window.late = 0;
    const now = performance.now();
    performance.now = () => now + window.late;
}"""
HISTORY = """() => {
    const lines = [...document.querySelector('.sidebar .history')?.querySelectorAll('li') ?? []];
    const dealt = lines.find(({ innerText }) => innerText.includes('dealt round 1'));
    return { numbers: lines.map(({ value }) => value), dealt: dealt?.innerText ?? '', suits: dealt?.querySelectorAll('.suit').length };
}"""
SPOKEN = "() => document.querySelector('[data-spoken]').textContent"


@pytest.fixture
def turn(remote, ada, bob):
    """The table's path, the player to act, whose page is open, and the other one."""
    path = ada.table("blindside", bob, **FIVE_CARD)
    mover, other = at_turn(path, ada, bob)
    remote.resize(1280, 900)
    enter(remote, mover, room(path))
    return path, mover, other


@contextmanager
def followed(path, who):
    """Follows a table like the page of a player."""
    headers = {"Authorization": f"Bearer {who.token}", "Accept": "text/event-stream"}
    with urlopen(Request(f"{who.served}{path}/events", headers=headers), timeout=60) as stream:
        stream.readline()
        yield


def test_a_slow_double_click_moves_once(remote, turn):
    remote.run(STOP_CLOCK)
    remote.click(*spot(remote, STOCK))
    remote.wait(STEP, "keep")
    x, y = spot(remote, ".near .playable")
    remote.run("(ms) => { window.late += ms; }", REPEATED_MS)

    remote.click(x, y)
    remote.wait(STEP, "discard")
    remote.wait("() => !document.querySelector('hw-table').sending")
    remote.click(x, y)
    assert not remote.run("() => document.querySelector('hw-table').sending")
    assert remote.run(STEP, "discard")

    remote.run("(ms) => { window.late += ms; }", REPEATED_MS)
    remote.click(*spot(remote, ".near .playable"))
    remote.wait(STEP, "draw")
    assert complaints(remote) == []


def test_g_20_a_discard_can_be_taken_back(remote, turn):
    path, mover, _ = turn
    remote.click(*spot(remote, STOCK))
    remote.wait(STEP, "keep")
    assert count(remote, ".take-back") == 0
    mover.post(f"{path}/actions", mover.get(f"{path}/legal-actions")["actions"][0])
    remote.wait(STEP, "discard")

    remote.run(TAKE_BACK)
    mover.post(f"{path}/actions", mover.get(f"{path}/legal-actions")["actions"][0])
    remote.wait("() => window.pressed")

    remote.wait(STEP, "discard")
    await_text(remote, f"{mover.name} took back their last action.", inside=".sidebar .history")
    assert complaints(remote) == []


def test_moves_are_confirmed_on_request(remote, turn):
    path, _, _ = turn
    remote.go(turn[1].served + "/me")
    press_label(remote, "Confirm moves")
    remote.go(turn[1].served + room(path))
    await_text(remote, "At this table: Five card: yes", inside=".sidebar .crib")

    remote.click(*spot(remote, STOCK))
    assert count(remote, ".selected") == 1
    assert remote.run(STEP, "draw")
    remote.click(*spot(remote, CONFIRM))
    remote.wait(STEP, "keep")


def press_label(remote, name):
    remote.click(*spot(remote, "label", name))


def test_the_game_is_explained_in_short_and_by_its_terms(remote, ada):
    described = ada.get("/v1/games/coconut")
    (pile,) = [each["meaning"] for each in described["terms"] if each["term"] == "Pile"]
    remote.resize(360, 640)
    enter(remote, ada, room(ada.table("coconut", bots=1)))

    press(remote, "In short")
    await_count(remote, "dialog .crib li", len(described["crib"]) + 1)  # and the options
    assert remote.run("() => document.querySelector('dialog .term').title")
    press(remote, "pile")
    await_text(remote, pile[1:].replace("**", ""), inside="dialog:last-of-type")
    for number in (1, 0):
        press(remote, "Close")
        await_count(remote, "dialog", number)
    remote.resize(1280, 900)
    assert remote.run("() => document.querySelector('.sidebar .crib').checkVisibility()")
    assert complaints(remote) == []


def test_the_history_shows_symbols_and_the_newest_first(remote, ada):
    remote.resize(1280, 900)
    enter(remote, ada, room(ada.table("shithead", bots=1)))

    history = await_true(lambda: (found := remote.run(HISTORY))["dealt"] and found)

    assert history["numbers"] == sorted(history["numbers"], reverse=True)
    assert history["suits"]
    assert not remote.run(
        "() => /\\b[2-9TJQKA][CDHS]\\b/.test(document.querySelector('.sidebar .history').innerText)"
    )
    assert "sat down" not in remote.run("() => document.querySelector('.sidebar .history').innerText")


def test_a_nudge_is_seen_at_the_seat_and_in_the_title(remote, fed):
    remote.resize(1280, 900)
    fed.begin(fed_messages("blindside", seats=4, seed="red")[0])

    fed.push({"seat": 1, "saying": "nudge", "to": 0}, "said")

    await_text(remote, "it is your turn! ⏰", inside=".others .bubble")
    assert remote.run("() => document.title.startsWith('⏰ ') && document.title.endsWith('nudges you')")
    assert complaints(remote) == []


def test_players_see_who_is_there_and_hear_what_they_say(remote, ada, bob):
    path = ada.table("blindside", bob, rated=False)
    phrase, *_ = ada.get("/v1/games/blindside")["sayings"]
    remote.resize(1280, 900)
    enter(remote, ada, room(path))
    with followed(path, bob):
        await_count(remote, ".others .dot.here", 1)
    remote.run("() => { window.setTimeout = () => 0; }")  # bubbles stay

    bob.post(f"{path}/sayings", {"saying": phrase["id"]})
    await_text(remote, phrase["text"], inside=".others .bubble")
    assert remote.run(SPOKEN) == f"Bob says: {phrase['text']}"

    press(remote, "Say …")
    press(remote, phrase["text"])
    await_text(remote, phrase["text"], inside=".near .bubble")
    press(remote, "Say …")
    press_label(remote, "Bob")
    press(remote, "Close")
    assert json.loads(remote.run("() => localStorage['hoodwink.preferences']"))["muted"] == [bob.id]
    assert complaints(remote) == []
