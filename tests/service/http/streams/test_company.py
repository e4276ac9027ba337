"""Streams with company say who is connected, and what players say."""

import json

import pytest

from hoodwink.domain.tables.deciding.talking import NUDGE, NUDGE_AFTER_MS
from hoodwink.service.adapters.store.feeds.feed_entries import feed_entry
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.adapters.store.people.presence import LEAVES_MS
from hoodwink.service.application.ports import StreamId
from hoodwink.service.http.serving.streams import hub as hub_module
from tests.service.application.world import StandingClock
from tests.service.http.api import new_api, problem
from tests.service.http.streams.test_hub import live, live_at, until


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(hub_module, "CHECK_SECONDS", 0.01)
    monkeypatch.setattr(hub_module, "_BLOCK_MS", 5)


@pytest.fixture
def api():
    return new_api(clock=StandingClock())


def messages(stream):
    """The type and data of each message."""
    blocks = [block.splitlines() for block in b"".join(stream.chunks).decode().split("\n\n") if block]
    found = [dict(line.split(": ", 1) for line in block) for block in blocks]
    return [(fields["event"], json.loads(fields["data"])) for fields in found]


def connected(stream):
    return [data["seats"] for kind, data in messages(stream) if kind == "presence"]


@live
async def test_watchers_hear_who_comes_and_who_leaves(scene):
    ada, bob = scene.people
    spectator, _ = await scene.join(with_company=True)
    plain, _ = await scene.join()
    _, leave = await scene.join(0, player=ada.id)
    other, _ = await scene.join(1, player=bob.id, with_company=True)
    assert connected(spectator) == [[], [0], [0, 1]]
    # A check that began before it came may tell it the list from before.
    assert connected(other) in ([[0, 1]], [[0], [0, 1]])

    leave()
    await scene.hub._in_thread(str, "")  # the departure is noted in the same thread
    scene.api.service.clock.now += LEAVES_MS
    await until(lambda: connected(spectator)[-1] == connected(other)[-1] == [1])
    assert [kind for kind, _ in messages(plain)] == ["snapshot"]


@live
async def test_a_player_who_comes_back_or_has_another_stream_never_left(scene):
    ada, bob = scene.people
    spectator, _ = await scene.join(with_company=True)
    _, leave_one = await scene.join(0, player=ada.id)
    _, leave_other = await scene.join(0, player=ada.id)
    leave_one()
    leave_other()
    await scene.join(0, player=ada.id)
    scene.api.service.clock.now += LEAVES_MS
    await scene.join(1, player=bob.id)
    assert connected(spectator) == [[], [0], [0, 1]]


def said(stream):
    return [data for kind, data in messages(stream) if kind == "said"]


def tell_hub(scene):
    """Passes the newest entry of the table's quiet feed to the hub."""
    keys, client = Keys(scene.api.service.settings.partitions), scene.api.service.client
    partition = keys.partition(StreamId("table", scene.table))
    ((entry_id, fields),) = client.xrevrange(keys.quiet[partition], count=1)
    scene.feed.entries.put_nowait(
        feed_entry(partition, entry_id, [part for pair in fields.items() for part in pair])
    )


@live_at(rated=False)
async def test_a_saying_reaches_those_who_asked_for_company_and_no_log(scene):
    ada, _ = scene.people
    before = scene.version
    spectator, _ = await scene.join(with_company=True)
    plain, _ = await scene.join(with_view=True)

    answer = ada.post(f"{scene.path}/sayings", {"saying": "blindsided"}).json
    tell_hub(scene)
    await until(lambda: said(spectator))

    assert said(spectator) == [answer]
    assert answer == {"seat": 0, "saying": "blindsided", "to": None, "at": scene.api.service.clock.now}
    assert (said(plain), scene.version) == ([], before)


def test_nobody_says_anything_during_a_round_if_results_count(api, ada, bob):
    path = api.playing(ada, bob)
    hello = {"saying": "hello"}
    problem(ada.post(f"{path}/sayings", hello), 422, "quiet_table")
    problem(api.person("Cy").post(f"{path}/sayings", hello), 403, "not_seated")
    bob.resign(path)
    assert ada.post(f"{path}/sayings", hello).status_code == 200


def test_a_player_is_nudged_once_in_each_turn_that_lasts(api, ada, bob):
    path = api.playing(ada, bob, rated=False)
    nudge = {"saying": NUDGE, "to": 1}  # in the first step of a round, everybody acts
    problem(ada.post(f"{path}/sayings", nudge), 422, "not_to_nudge")
    api.service.clock.now += NUDGE_AFTER_MS
    problem(bob.post(f"{path}/sayings", nudge), 422, "not_to_nudge")
    assert ada.post(f"{path}/sayings", nudge).json["to"] == 1
    problem(ada.post(f"{path}/sayings", nudge), 422, "not_to_nudge")
