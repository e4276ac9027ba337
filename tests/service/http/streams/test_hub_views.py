"""A watcher with views gets each commit's events with the view after it and the viewer's legal actions."""

import pytest

from hoodwink.service.http.serving.streams import hub as hub_module
from tests.service.application.world import StandingClock, put_back
from tests.service.http.api import first_legal, new_api
from tests.service.http.streams.test_hub import live, until

WAIT_MS = 40
"""The time left until the end of the wait, in ms."""

LONG_WAIT_MS = 60_000
"""A wait that does not end during a test."""


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(hub_module, "MAX_REST_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_BLOCK_MS", 20)
    monkeypatch.setattr(hub_module, "STAY_SECONDS", 0.05)


@pytest.fixture
def api():
    return new_api(clock=StandingClock())


def now_of(scene, person):
    """Returns the view and legal actions that a single request shows to a person."""
    return person.get(f"{scene.path}?include=legal_actions").json


@live
async def test_a_stream_with_views_equals_single_requests(scene):
    streams = {}
    for seat, person in enumerate(scene.people):
        streams[seat], _ = await scene.join(seat, with_view=True)
        (first,) = streams[seat].events
        assert first == ("snapshot", 5, now_of(scene, person))

    for version in (6, 7, 8):
        await scene.act_and_notify()
        for seat, person in enumerate(scene.people):
            stream = streams[seat]
            await until(lambda stream=stream, version=version: version in stream.ids)
            kind, number, shown = stream.events[-1]
            events = shown.pop("events")
            assert (kind, number, shown) == ("view", version, now_of(scene, person))
            assert events == person.get(f"{scene.path}/events").json["events"][version - 1 :]


@live
async def test_each_of_several_commits_comes_with_a_view(scene):
    with_view, _ = await scene.join(with_view=True, words=True)
    plain, _ = await scene.join()
    await scene.act_and_notify(4)
    await until(lambda: 9 in with_view.ids and 9 in plain.ids)

    views = [shown for kind, _, shown in with_view.events if kind == "view"]
    assert [shown["version"] for shown in views] == [6, 7, 8, 9]
    for shown in views:
        past = scene.api.spectator.get(f"{scene.path}?version={shown['version']}").json
        assert (shown["view"], shown["head"]) == (past["view"], past["head"])
        assert shown["legal_actions"] is None
        (event,) = shown["events"]
        assert event["words"].endswith(".")
    assert [kind for kind, _, _ in plain.events] == ["snapshot", *["message"] * 4]


@live
async def test_several_events_of_one_commit_come_with_one_view(scene):
    stream, _ = await scene.join(0, with_view=True)
    assert scene.people[1].resign(scene.path).status_code == 200
    scene.feed.point(scene.table)
    await until(lambda: stream.has_ended)

    (_, shown), (end, _) = [(kind, shown) for kind, _, shown in stream.events[1:]]
    assert end == "end"
    assert [event["type"] for event in shown["events"]] == [
        "table.seat_resigned",
        "table.ended",
        "table.seed_revealed",
    ]
    assert (shown["view"]["phase"], shown["legal_actions"]["actions"]) == ("ended", [])


@live
async def test_a_resumed_stream_gets_missed_events_with_one_view(scene):
    scene.act(3)
    stream, _ = await scene.join(0, after=5, with_view=True)

    ((kind, number, shown),) = stream.events
    assert (kind, number, [event["version"] for event in shown.pop("events")]) == ("view", 8, [6, 7, 8])
    assert shown == now_of(scene, scene.people[0])

    current, _ = await scene.join(0, after=8, with_view=True)
    assert current.events == []


@live
async def test_a_stream_that_missed_more_than_a_page_begins_with_a_snapshot(scene):
    scene.act(3)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(hub_module, "PAGE", 2)
        stream, _ = await scene.join(0, after=5, with_view=True)
        plain, _ = await scene.join(0, after=5)

    assert [kind for kind, _, _ in stream.events] == ["snapshot"]
    assert [kind for kind, _, _ in plain.events] == ["message"] * 3


@live
async def test_a_stream_with_views_continues_after_a_rollback(scene):
    stream, _ = await scene.join(0, player=scene.people[0].id, with_view=True)
    put_back(scene.api.service, scene.table, 4)
    scene.api.service.clock.now += 1  # or the same event would follow, in the same history
    scene.api.service.table_worker.run_due(scene.table)
    scene.feed.point(scene.table)
    await until(lambda: "reset" in [kind for kind, _, _ in stream.events])

    assert stream.events[-1][2] == now_of(scene, scene.people[0])
    await scene.act_and_notify()
    await until(lambda: stream.events[-1][0] == "view")
    assert stream.events[-1][2]["legal_actions"]["seat"] == 0


def run_at(api, path, *people, scenario):
    """Runs a test at this table instead of the scene's own."""

    @live
    async def test(scene):
        scene.path, scene.table, scene.people = path, path.rpartition("/")[2], people
        await scenario(scene)

    test(api, *people[:2])


def test_views_follow_the_watcher_taking_and_leaving_a_seat(api, ada, bob):
    path = api.table(ada, bob)
    bob.delete(f"{path}/seats/1")

    async def scenario(scene):
        stream, _ = await scene.join(player=bob.id, with_view=True)
        assert stream.events[0][2]["legal_actions"] is None
        for number, act in enumerate((bob.post, lambda seats: bob.delete(f"{seats}/1")), start=2):
            act(f"{path}/seats")
            scene.feed.point(scene.table)
            await until(lambda number=number: len(stream.events) == number)
            kind, _, shown = stream.events[-1]
            events = shown.pop("events")
            assert (kind, len(events), shown) == ("view", 1, now_of(scene, bob))
        assert [shown["view"]["viewer"] for _, _, shown in stream.events] == ["spectator", 1, "spectator"]

    run_at(api, path, ada, bob, scenario=scenario)


@pytest.fixture
def waiting(api, ada, bob, cy):
    """A table of Coconut that waits for a possible sneak, and the seat to move."""
    people = (ada, bob, cy)
    path = api.playing(*people, game="coconut", options={"sneak_grace_ms": 60_000})
    while (view := ada.get(path).json["view"])["waiting"]["for"] != "interrupts":
        mover, action = next((who, action) for who in people for action in first_legal(who, path))
        mover.post(f"{path}/actions", action)
    return path, view["view"]["to_move"], view["waiting"]["until"]


def test_co_37_a_view_without_events_marks_the_end_of_the_wait(api, ada, bob, cy, waiting):
    path, seat, ends_at = waiting
    clock = api.service.clock
    clock.now = ends_at - WAIT_MS

    async def scenario(scene):
        stream, _ = await scene.join(seat, with_view=True)
        spectator, _ = await scene.join(with_view=True, words=True)
        plain, _ = await scene.join(seat)
        before = stream.events[0][2]
        assert before["legal_actions"]["actions"] + before["legal_actions"]["choices"] == []
        # The timer fires before the service's clock reaches the end: nothing is sent, and the timer is set again.
        (wait,) = scene.hub._waits.values()
        await until(lambda: wait not in scene.hub._waits.values())
        assert len(stream.events) == 1
        clock.now = ends_at
        await until(lambda: len(stream.events) == 2)

        kind, number, shown = stream.events[1]
        assert (kind, number, shown.pop("events")) == ("view", before["version"], [])
        assert shown == now_of(scene, scene.people[seat])
        assert before["view"]["waiting"]["for"] == "interrupts"
        assert shown["view"]["waiting"] == {"for": "players", "until": None, "seats": [seat]}
        assert shown["legal_actions"]["actions"] + shown["legal_actions"]["choices"]
        assert (len(spectator.events), len(plain.events)) == (2, 1)
        assert scene.hub._waits == {}

    run_at(api, path, ada, bob, cy, scenario=scenario)


def test_no_timer_runs_without_views_or_watchers(api, ada, bob, cy, waiting):
    path, seat, ends_at = waiting
    api.service.clock.now = ends_at - LONG_WAIT_MS

    async def scenario(scene):
        await scene.join(seat)
        assert scene.hub._waits == {}
        _, leave = await scene.join(seat, with_view=True)
        (wait,) = scene.hub._waits.values()
        await scene.join(with_view=True)
        assert list(scene.hub._waits.values()) == [wait]
        await scene.hub.close()
        assert wait.timer.cancelled()
        assert scene.hub._waits == {}
        leave()

    run_at(api, path, ada, bob, cy, scenario=scenario)


def test_an_event_during_the_wait_does_not_replace_the_view_at_its_end(api, ada, bob, cy, waiting):
    path, _, ends_at = waiting
    api.service.clock.now = ends_at - WAIT_MS

    async def scenario(scene):
        stream, _ = await scene.join(with_view=True)
        assert ada.resign(path).status_code == 200
        scene.feed.point(scene.table)
        await until(lambda: len(stream.events) == 2)
        api.service.clock.now = ends_at
        scene.feed.point(scene.table)  # causes another read, before or after the timer fires
        await until(lambda: len(stream.events) == 3)
        assert [len(shown.get("events", ())) for _, _, shown in stream.events] == [0, 1, 0]

    run_at(api, path, ada, bob, cy, scenario=scenario)


def test_a_wait_cut_short_by_an_action_sends_no_view(api, ada, bob, cy, waiting):
    path, _, ends_at = waiting
    api.service.clock.now = ends_at - LONG_WAIT_MS

    async def scenario(scene):
        stream, _ = await scene.join(with_view=True)
        (wait,) = scene.hub._waits.values()
        for person in (ada, bob):
            person.resign(path)
        scene.feed.point(scene.table)
        # The hub drops the table when its last stream leaves, a moment after that stream has ended.
        await until(lambda: stream.has_ended and not scene.hub._waits)
        assert wait.timer.cancelled()

    run_at(api, path, ada, bob, cy, scenario=scenario)
