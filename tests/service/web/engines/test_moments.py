"""In Firefox and WebKit, cards move, moments are shown and heard, and counts go step by step; everything is still on request."""

import pytest

from tests.service.web.engines.conftest import ENGINES
from tests.service.web.engines.fed import FedRemote
from tests.service.web.engines.parts import await_count, complaints, count
from tests.service.web.fed_tables import fed_messages, in_bursts
from tests.service.web.guests import SHORT
from tests.service.web.table.test_shifts import MAX_SPREAD_PX, NOTE_PLACES, SEATS, spread

pytestmark = [pytest.mark.browser, pytest.mark.processes, pytest.mark.campaign, pytest.mark.timeout(900)]

PHONE, DESK = (360, 640), (1280, 800)
SIZES = {"blindside": PHONE, "coconut": DESK, "blind_don": PHONE, "double_blind": DESK, "shithead": PHONE}
TURN_MS, SLIDE_MS = 600, 540
MOVES = {"shithead": TURN_MS, "blind_don": SLIDE_MS}
SINGLE = {"shithead": 60, "blind_don": 20}
"""The number of messages that are sent one by one, before bursts."""
BURST = 8
PLAYED = 70
"""The number of messages before the end; the earlier ones would only repeat the same steps."""

NOTE_MOVES = """() => {
    window.moves = new Set();
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, options) {
        moves.add(options.duration);
        return animate.call(this, frames, options);
    };
}"""
# Each tone has a gain of its own.
NOTE_TONES = """() => {
    window.tones = [];
    const { createGain } = BaseAudioContext.prototype;
    BaseAudioContext.prototype.createGain = function () {
        tones.push(this.sampleRate);
        return createGain.call(this);
    };
}"""
# Otherwise the count would go on by itself, and a busy machine might look at it too late.
STOP_TIMERS = """() => {
    window.timers = [];
    window.setInterval = (call, ms) => timers.push([call, ms]);
}"""
STEP = "() => timers.filter(([, ms]) => ms === 2200).forEach(([call]) => call())"
SHOWN = """() => ({
    scores: [...document.querySelectorAll('.felt .who .score')].map(({ textContent }) => parseInt(textContent.replace('\\u2212', '-'))),
    steps: document.querySelectorAll('.count .steps > div').length,
    places: document.querySelectorAll('.count .nth').length,
})"""


@pytest.mark.parametrize("game", list(SHORT))
def test_cards_move_and_nothing_else(fed, game):
    told = fed_messages(game, seats=SEATS.get(game, 4), seed="red")[-PLAYED:]
    fed.remote.resize(*SIZES[game])
    fed.begin(told[0])
    fed.remote.run(NOTE_MOVES)
    fed.remote.run(NOTE_PLACES)

    at = SINGLE.get(game, 1)
    fed.play([*told[:at], *in_bursts(told[at:], BURST)])

    places = fed.remote.run("() => places")
    assert {what: found for what, found in places.items() if spread(found) > MAX_SPREAD_PX} == {}
    assert MOVES.get(game, 0) in [0, *fed.remote.run("() => [...moves]")]
    assert complaints(fed.remote) == []


def burned():
    """Returns the messages before and with a burned pile."""
    told = fed_messages("shithead", seats=4, seed="red")
    at = next(
        at
        for at, message in enumerate(told)
        if [event["type"] for event in message["events"]] == ["shithead.cards_played"]
        and not message["view"]["view"]["pile"]
    )
    return told[at - 1 : at + 1]


def test_a_moment_has_a_picture_a_line_and_a_sound_unless_it_is_switched_off(fed):
    before, now = burned()
    remote = fed.remote
    remote.resize(*DESK)
    remote.run(NOTE_TONES)
    tones = []
    for sound in ("", "off"):
        remote.run(
            "(sound) => localStorage.setItem('hoodwink.preferences', JSON.stringify({ sound }))", sound
        )
        fed.begin(before)
        remote.click(3, 400)  # browsers are silent before the first click
        fed.push(now)
        remote.wait("() => document.querySelector('.moment svg')?.checkVisibility()")
        assert "pile" in remote.run("() => document.querySelector('.moment').innerText")
        tones.append(remote.run("() => tones.splice(0).length"))

    assert (tones[0] > 0, tones[1]) == (True, 0)
    assert complaints(remote) == []


@pytest.mark.parametrize("game", list(SHORT))
def test_a_count_starts_from_the_state_before_it(fed, game):
    told = fed_messages(game, seats=SEATS.get(game, 4), seed="red")
    scored = next(
        at for at, each in enumerate(told) if any(e["type"] == "table.round_scored" for e in each["events"])
    )
    before, now = told[scored - 1 : scored + 1]
    remote = fed.remote
    remote.resize(*DESK)
    fed.begin(before)
    remote.run(STOP_TIMERS)
    fed.push(now)
    remote.wait("() => document.querySelector('.count h2')?.checkVisibility()")
    shown = [remote.run(SHOWN)]
    while not shown[-1]["places"]:
        remote.run(STEP)
        shown.append(remote.run(SHOWN))

    *first, last = shown
    assert first
    for number, each in enumerate(first, start=1):
        assert (sorted(each["scores"]), each["steps"]) == (sorted(before["view"]["view"]["scores"]), number)
    assert sorted(last["scores"]) == sorted(now["view"]["view"]["scores"])
    assert last["places"] == len(now["view"]["seats"])
    assert complaints(remote) == []


@pytest.mark.parametrize("engine", list(ENGINES))
def test_nothing_moves_for_those_who_asked_their_system_for_that(ada, tmp_path, engine):
    told = fed_messages("blindside", seats=4, seed="red")
    scored = next(
        at for at, each in enumerate(told) if any(e["type"] == "table.round_scored" for e in each["events"])
    )
    with ENGINES[engine](tmp_path, is_still=True) as remote:
        fed = FedRemote(remote, ada)
        fed.begin(told[0])
        remote.run(NOTE_MOVES)
        fed.play(told[: scored + 1])

        await_count(remote, ".count .nth", 4)
        assert remote.run("() => [...moves]") == []
        assert count(remote, ".card-holder") > 0
        assert remote.run("() => document.getAnimations().length") == 0
