"""The proof in the browser states what it cannot check, and no log crashes it."""

import pytest

from tests.service.web.modules import Tab, served
from tests.service.web.proof.proofs import GOLDEN, forged, golden, lines_of, report_on

pytestmark = pytest.mark.browser

LOG = golden("blindside-117")


@pytest.fixture(scope="module")
def tab(chromium):
    with served() as port, chromium.new_context() as context:
        opened = Tab(context, port)
        yield opened
        assert opened.errors == []


def test_the_cards_of_an_unknown_game_cannot_be_compared(tab):
    log, _ = forged("blindside-4001", "table.opened@4", lambda fields: fields.update(game="lantern"))
    found = report_on(tab, log)

    assert found["passed"]
    outcomes = {check["id"]: check["passed"] for check in found["checks"]}
    assert (outcomes["chain"], outcomes["dealers"], outcomes["cards"]) == (True, None, None)


def test_a_report_states_unchecked_parts_and_voids(tab):
    found = report_on(tab, golden("blindside-6001"))

    assert found["passed"]
    assert "each action was legal" in found["notChecked"]
    assert "administrator voided" in str(found["checks"])


def opened_with(**fields):
    log, _ = forged("shithead-639", "table.opened@5", lambda opened: opened.update(fields))
    return log.decode()


def event_with(kind, **fields):
    log, _ = forged("shithead-639", kind, lambda event: event.update(fields))
    return log.decode()


MALFORMED = {
    "nothing": "",
    "a line": "\n",
    "no JSON": "x\n",
    "null": "null\n",
    "a list": "[]\n[]\n",
    "deep": "[" * 100_000 + "\n",
    "the first line": lines_of(LOG)[0],
    "no first line": "".join(lines_of(LOG)[1:]),
    "an event without fields": "".join(lines_of(LOG)[:2]) + "{}\n",
    "half a line": LOG.decode()[:5_000],
    "a tournament": (GOLDEN / "tournament-9.ndjson").read_text("utf-8"),
    "many seats": opened_with(seats=1_000_000_000),
    "half a seat": opened_with(seats=2.5),
    "no seats": opened_with(seats=None),
    "many packs": opened_with(options={"decks": 1_000_000_000}),
    "many jokers": opened_with(options={"jokers": 1_000_000_000}),
    "no options": opened_with(options=None),
    "another constructor": opened_with(game="constructor"),
    "another edition": opened_with(edition="x"),
    "no seed": opened_with(server_seed=None),
    "a seat that is none": event_with("table.seat_taken@3", seat=1_000_000_000),
    "a prototype": event_with("table.seat_taken@3", seat="__proto__"),
    "a dealer that is none": event_with("shithead.round_dealt", dealer="x"),
    "no hands": event_with("shithead.round_dealt", hands=None),
    "no points": event_with("table.round_scored", deltas=None),
    "no places": event_with("table.ended", places=None),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_a_text_that_is_not_a_log_fails_the_check(tab, what):
    found = report_on(tab, MALFORMED[what])

    assert not found["passed"] or what == "another constructor"
    assert found["checks"][0]["id"] == "order"
    assert (
        tab.page.evaluate("Object.keys(Array.prototype).length + Object.keys(Object.prototype).length") == 0
    )
