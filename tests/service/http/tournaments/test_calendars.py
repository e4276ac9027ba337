"""Calendars of sittings, read by a parser of its own that is as strict as RFC 5545."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from tests.service.http.api import CONFIRMED, catch_up, problem
from tests.service.http.cup import Cup, standing_api

NAME = "Fête des cartes; à table, on bluffe: la Coupe du Château \\ 2026 encore"
DAY = 86_400_000


@pytest.fixture
def api():
    return standing_api()


def parsed(answer):
    """Returns the properties of the calendar and of each of its events."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    raw = answer.data
    assert raw.endswith(b"\r\n")
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)", raw)
    open_: list[str] = []
    calendar: dict[str, str] = {}
    events: list[dict[str, str]] = []
    for line in raw.decode().replace("\r\n ", "").split("\r\n")[:-1]:
        ((name, value),) = re.findall(r"^([A-Z-]+)(?:;[A-Z]+=[A-Z]+)?:(.*)$", line)
        if name == "BEGIN":
            open_.append(value)
            events += [{}] if value == "VEVENT" else []
        elif name == "END":
            assert open_.pop() == value
        elif open_ == ["VCALENDAR"]:
            calendar[name] = value
        elif open_[-1] == "VEVENT":
            assert name not in events[-1]
            events[-1][name] = value
    assert not open_
    assert (calendar["VERSION"], bool(calendar["PRODID"])) == ("2.0", True)
    for event in events:
        assert {"UID", "DTSTAMP", "DTSTART", "SUMMARY", "SEQUENCE"} <= event.keys()
    return calendar, events


def plain(text):
    """Returns a text without escapes; fails if a character that needs one has none."""
    assert not re.search(r"(?<!\\)(?:\\\\)*[;,]", text)
    return re.sub(r"\\([\\;,])", r"\1", text)


def at(ms):
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)).strftime("%Y%m%dT%H%M%SZ")


def test_a_calendar_has_the_timed_sittings_under_lasting_uids(api, olga):
    now = api.service.clock.now_ms()
    cup = Cup(
        api,
        olga,
        name=NAME,
        sittings=[
            {"rounds": 1, "starts_at": now + DAY},
            {"rounds": 1},
            {"rounds": 1, "starts_at": now + 3 * DAY},
        ],
    )

    calendar, events = parsed(cup.get("/calendar"))

    assert plain(calendar["NAME"]) == NAME
    assert [plain(event["SUMMARY"]) for event in events] == [f"{NAME}: sitting {n}" for n in (1, 3)]
    assert [event["DTSTART"] for event in events] == [at(now + DAY), at(now + 3 * DAY)]
    assert {event["STATUS"] for event in events} == {"CONFIRMED"}
    assert events[0]["URL"].endswith(f"/tournaments/{cup.id}")

    cup.command("/sittings/3/schedule", {"starts_at": now + 4 * DAY})
    moved = parsed(cup.get("/calendar"))[1]
    assert [event["UID"] for event in moved] == [event["UID"] for event in events]
    assert moved[1]["DTSTART"] == at(now + 4 * DAY)
    assert int(moved[1]["SEQUENCE"]) > int(events[1]["SEQUENCE"])

    cup.cancel()
    assert {event["STATUS"] for event in parsed(cup.get("/calendar"))[1]} == {"CANCELLED"}


def test_sittings_after_an_early_end_are_cancelled(api, olga):
    now = api.service.clock.now_ms()
    sittings = [{"rounds": 1, "starts_at": now + DAY}, {"rounds": 1, "starts_at": now + 2 * DAY}]
    cup = Cup(api, olga, sittings=sittings).start(bots=6)
    cup.play_round()
    cup.command("/finish", CONFIRMED | {"reason": "It rains."})

    _, events = parsed(cup.get("/calendar"))

    assert [event["STATUS"] for event in events] == ["CONFIRMED", "CANCELLED"]


def test_a_calendar_without_times_or_with_absurd_ones_is_empty(api, olga):
    assert parsed(Cup(api, olga).get("/calendar"))[1] == []
    far = Cup(api, olga, sittings=[{"rounds": 1, "starts_at": 10**15 - 1}])

    assert parsed(far.get("/calendar"))[1] == []


def test_a_players_calendar_has_the_sittings_that_they_will_play(api, olga, ada):
    now = api.service.clock.now_ms()

    def held(name):
        sittings = [{"rounds": 1, "starts_at": now + day * DAY} for day in (1, 2)]
        cup = Cup(api, olga, name=name, sittings=sittings)
        cup.enter(ada, bots=5)
        return cup

    kept, left, missed, over = (held(name) for name in ("Kept", "Left", "Missed", "Over"))
    left.command(f"/entrants/{ada.id}/withdrawal", CONFIRMED, by=ada)
    missed.command("/start")
    missed.command("/absence", by=ada)
    over.cancel()
    catch_up(api)

    calendar, events = parsed(api.spectator.get(f"/v1/players/{ada.id}/calendar"))

    assert calendar["NAME"] == "Tournaments of Ada"
    assert sorted(event["SUMMARY"] for event in events) == [
        "Kept: sitting 1",
        "Kept: sitting 2",
        "Missed: sitting 2",
    ]
    assert {event["UID"] for event in events} > {event["UID"] for event in parsed(kept.get("/calendar"))[1]}
    assert parsed(api.spectator.get(f"/v1/players/{olga.id}/calendar"))[1] == []
    problem(api.spectator.get("/v1/players/nobody/calendar"), 404, "player_not_found")
