"""Watchers of a tournament get its events, and its standings after each change."""

import asyncio

import pytest

from hoodwink.domain.tables.actor import ADMIN
from hoodwink.domain.tournaments.life import ReverseSubstitution
from hoodwink.service.application.ports import StoreUnavailable, StreamId
from hoodwink.service.application.streams.history import BEGINNING
from hoodwink.service.http.framework.streaming import (
    StandingsSubscription,
    TableSubscription,
    TournamentSubscription,
    Visitor,
)
from hoodwink.service.http.messages.answers import encode
from hoodwink.service.http.messages.standings_answers import standings_answer
from hoodwink.service.http.resources.access import names_in
from hoodwink.service.http.serving.streams import hub as hub_module
from tests.service.application.world import add_malformed_entry, lose_archived, put_back
from tests.service.databases import unreachable
from tests.service.http.api import CONFIRMED, problem
from tests.service.http.cup import Cup, standing_api
from tests.service.http.streams.test_hub import Feed, RecordedStream, hub_over, until

SPECTATOR = Visitor(None)


class TournamentScene:
    """A hub and one tournament of a service, just started with Ada, Bob and Cy."""

    def __init__(self, **form):
        api = standing_api()
        self.cup = Cup(api, api.person("Olga"), **form)
        self.cup.start(*map(api.person, ("Ada", "Bob", "Cy")))
        self.service = api.service
        self.feed = Feed()
        self.hub = hub_over(api, self.feed)

    @property
    def loaded(self):
        return self.service.tournaments.load(self.cup.id)

    @property
    def names(self):
        return names_in(self.service, self.loaded.state)

    @property
    def version(self):
        return self.loaded.state.version

    async def follow(self, **given):
        recorded_stream = RecordedStream()
        return recorded_stream, await self.hub.join(
            recorded_stream,
            TournamentSubscription(loaded=self.loaded, names=self.names, **{"visitor": SPECTATOR} | given),
        )

    def watch(self, visitor=SPECTATOR):
        return StandingsSubscription(
            self.loaded,
            visitor,
            encode(standings_answer(self.loaded.state, None, self.names)),
        )

    async def see(self, watch=None):
        """Watches the standings."""
        recorded_stream = RecordedStream()
        return recorded_stream, await self.hub.join(recorded_stream, watch or self.watch())

    def notify(self):
        self.feed.point(self.cup.id, "tournament")


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(hub_module, "MAX_REST_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_BLOCK_MS", 20)


def live(scenario, **form):
    def test(monkeypatch):
        async def run():
            scene = TournamentScene(**form)
            try:
                await scenario(scene)
            finally:
                await scene.hub.close()

        asyncio.run(run())

    return test


def kinds(recorded_stream):
    return [kind for kind, _, _ in recorded_stream.events]


@live
async def test_a_watcher_gets_the_tournament_and_then_its_events(scene):
    recorded_stream, _ = await scene.follow()
    before = scene.version
    scene.cup.pair()
    scene.notify()
    await until(lambda: recorded_stream.ids[-1] == scene.version)

    assert kinds(recorded_stream) == ["snapshot", "message"]
    assert recorded_stream.ids == [before, before + 1]
    assert recorded_stream.events[0][2]["tournament"]["id"] == scene.cup.id
    assert recorded_stream.events[1][2] == scene.cup.events()[-1]


async def an_arbiter_leaves(scene):
    arbiter = scene.cup.api.person("Abby").id
    scene.cup.command("/arbiters", {"player": arbiter})
    streams = [
        (await scene.follow(visitor=Visitor(player)), await scene.see(scene.watch(Visitor(player))))
        for player in (arbiter, scene.cup.organiser.id)
    ]
    scene.cup.command("/arbiters/removal", {"player": arbiter})
    scene.notify()
    (ended, _), (going_on, _) = [[recorded for recorded, _ in pair] for pair in streams]
    await until(lambda: ended.has_ended and streams[0][1][0].has_ended)

    assert not going_on.has_ended
    assert not streams[1][1][0].has_ended
    assert "arbiter_removed" not in str(ended.events)


test_t_24_who_may_no_longer_see_a_private_tournament_follows_it_no_longer = live(
    an_arbiter_leaves, visibility="private"
)


async def an_offer_lapses(scene):
    cup, why = scene.cup, {"reason": "Ada is ill."}
    ada, eve, fay = cup.people[0], cup.api.person("Eve"), cup.api.person("Fay")
    cup.command(f"/entrants/{ada.id}/substitute", {"player": eve.id} | why)
    cup.command("/place", by=eve)
    cup.command(f"/entrants/{eve.id}/substitute", {"player": fay.id} | why)
    (ended, _), (going_on, _) = [await scene.follow(visitor=Visitor(player)) for player in (fay.id, ada.id)]
    reversal = ReverseSubstitution(eve.id, "a mix-up")
    scene.service.tournaments.execute(cup.id, lambda _: (reversal, ADMIN))
    scene.notify()
    await until(lambda: ended.has_ended)

    assert not going_on.has_ended
    problem(fay.get(cup.path), 404, "tournament_not_found")


test_t_24_v_7_who_is_offered_a_place_follows_no_more_when_the_offer_lapses = live(
    an_offer_lapses, visibility="private"
)


async def the_code_is_replaced(scene):
    guest = Visitor(None, 0)
    (followed, _), (seen, _) = await scene.follow(visitor=guest), await scene.see(scene.watch(guest))
    going_on, _ = await scene.follow(visitor=Visitor(scene.cup.organiser.id))
    scene.cup.command("/invitation")
    scene.notify()
    await until(lambda: followed.has_ended and seen.has_ended)

    assert not going_on.has_ended


test_t_25_live_streams_end_when_their_code_is_replaced = live(the_code_is_replaced, visibility="private")


@live
async def test_a_watcher_resumes_after_its_last_event_with_words_on_request(scene):
    (plain, _), (spoken, _) = [
        await scene.follow(after=scene.loaded.position, words=words) for words in (False, True)
    ]
    scene.cup.pair()
    scene.notify()
    await until(lambda: plain.ids and spoken.ids)
    late, _ = await scene.follow(
        after=scene.service.tournaments.load_at(scene.cup.id, 1).position, words=True
    )

    assert [event for _, _, event in late.events] == scene.cup.events("?limit=1000&include=words")[1:]
    assert "words" not in plain.events[0][2]
    assert spoken.events == late.events[-1:]


@live
async def test_t_14_streams_hide_the_server_seed_until_it_is_revealed(scene):
    papers = [
        (await scene.follow())[0],
        (await scene.follow(after=BEGINNING))[0],
        (await scene.see())[0],
    ]
    scene.cup.play_round()
    scene.notify()
    await until(lambda: papers[0].ids[-1] == scene.version)
    seed = scene.loaded.state.server_seed
    assert all(seed.encode() not in b"".join(recorded_stream.chunks) for recorded_stream in papers)

    scene.cup.cancel()
    scene.notify()
    await until(lambda: all(recorded_stream.has_ended for recorded_stream in papers))

    assert kinds(papers[0])[-2:] == ["message", "end"]
    assert papers[0].events[-2][2]["data"]["server_seed"] == seed
    again, _ = await scene.follow(after=BEGINNING)
    assert again.events[0][2]["data"]["server_seed"] == seed
    assert again.has_ended


@live
async def test_a_store_rollback_resets_followers(scene):
    recorded_stream, _ = await scene.follow()
    length = scene.version
    scene.cup.pair()
    scene.notify()
    await until(lambda: recorded_stream.ids[-1] == length + 1)
    put_back(scene.service, scene.cup.id, length, category="tournament")
    scene.notify()
    await until(lambda: "reset" in kinds(recorded_stream))
    assert kinds(recorded_stream) == ["snapshot", "message", "reset", "snapshot"]

    put_back(scene.service, scene.cup.id, 0, category="tournament")
    scene.notify()
    await until(lambda: recorded_stream.has_ended)

    assert recorded_stream.events[-1] == ("reset", 0, {"version": 0})


@live
async def test_k_5_standings_are_sent_on_joining_and_after_each_table(scene):
    recorded_stream, _ = await scene.see()
    assert kinds(recorded_stream) == ["standings"]
    assert recorded_stream.events[0][2] == scene.cup.get("/standings").json

    for number in (1, 2):
        scene.cup.play_round()
        scene.notify()
        await until(lambda number=number: recorded_stream.events[-1][2]["rows"][0]["score"] == str(number))

    assert recorded_stream.events[-1][2] == scene.cup.get("/standings").json
    assert recorded_stream.ids[-1] == scene.version


@live
async def test_events_that_change_no_standing_send_nothing(scene):
    recorded_stream, _ = await scene.see()
    scene.cup.command("/pause")
    scene.notify()
    follower, _ = await scene.follow()
    scene.cup.command("/resume")
    scene.notify()
    await until(lambda: scene.version in follower.ids)

    assert kinds(recorded_stream) == ["standings"]


@live
async def test_standings_changed_before_joining_are_sent(scene):
    early = scene.watch()
    scene.cup.play_round()

    recorded_stream, _ = await scene.see(early)

    assert [event["rows"][0]["score"] for _, _, event in recorded_stream.events] == ["1"]


@live
async def test_all_watchers_of_the_standings_get_the_same_changes(scene):
    first, _ = await scene.see()
    scene.cup.play_round()
    second, leave = await scene.see()
    await until(lambda: len(first.events) == 2)
    assert second.events[-1] == first.events[-1]
    leave()
    scene.cup.play_round()
    scene.notify()
    # There may be more: on a busy machine the hub checks by itself during the round.
    await until(lambda: len(first.events) >= 3)

    assert len(second.events) == 1


@live
async def test_t_12_the_stream_of_the_standings_ends_with_the_last_table(scene):
    recorded_stream, _ = await scene.see()
    scene.cup.play_round()
    scene.cup.command("/finish", CONFIRMED | {"reason": "It is late."})
    scene.notify()
    await until(lambda: recorded_stream.has_ended)
    assert kinds(recorded_stream)[-2:] == ["standings", "end"]

    late, leave = await scene.see()

    leave()
    assert kinds(late) == ["standings", "end"]
    assert late.has_ended


@live
async def test_standings_end_after_a_rollback_to_before_the_start(scene):
    (begun, _), (gone, _) = await scene.see(), await scene.see()
    put_back(scene.service, scene.cup.id, 2, category="tournament")
    scene.notify()
    await until(lambda: begun.has_ended and gone.has_ended)
    assert kinds(begun) == ["standings", "reset"]


@live
async def test_standings_of_a_tournament_that_vanished_end(scene):
    recorded_stream, _ = await scene.see()
    put_back(scene.service, scene.cup.id, 0, category="tournament")
    scene.notify()
    await until(lambda: recorded_stream.has_ended)

    assert kinds(recorded_stream) == ["standings", "reset"]


@pytest.mark.parametrize("damage", [add_malformed_entry, lose_archived])
def test_standings_of_a_tournament_with_a_damaged_log_end(monkeypatch, damage):
    @live
    async def scenario(scene):
        recorded_stream, _ = await scene.see()
        damage(scene.service, StreamId("tournament", scene.cup.id))
        scene.notify()
        await until(lambda: recorded_stream.has_ended)

        assert kinds(recorded_stream) == ["standings", "reset"]

    scenario(monkeypatch)


@live
async def test_an_unavailable_store_leaves_no_channel(scene):
    watch = scene.watch()

    with unreachable(scene.service.client), pytest.raises(StoreUnavailable):
        await scene.hub.join(RecordedStream(), watch)

    assert not scene.hub._standings


@live
async def test_a_table_and_its_tournament_share_one_feed(scene):
    scene.cup.pair()
    scene.cup.start_round()
    (table,) = scene.cup.tables()
    at_table = RecordedStream()
    loaded = scene.service.tables.load(table.rpartition("/")[2])
    await scene.hub.join(at_table, TableSubscription(loaded=loaded, names=scene.names))
    followed, _ = await scene.follow()
    shown, _ = await scene.see()
    scene.cup.end_tables()
    scene.feed.point(loaded.state.id)
    scene.notify()
    await until(lambda: at_table.has_ended and len(shown.events) == 2 and len(followed.events) > 2)

    assert kinds(at_table)[-1] == "end"
    assert scene.feed.opened == 1
