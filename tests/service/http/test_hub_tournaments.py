"""Whoever watches a tournament gets what happens there, and its standings whenever they change."""

import asyncio

import pytest

from service.application.history import BEGINNING
from service.application.ports import StoreUnavailable
from service.http.framework.streaming import StandingsSubscription, TableSubscription, TournamentSubscription
from service.http.messages.tournament_answers import standings_answer
from service.http.serving import hub as hub_module
from tests.service.application.world import put_back
from tests.service.http.cup import Cup, standing_house
from tests.service.http.house import CONFIRMED
from tests.service.http.test_hub import Feed, Paper, hub_over, until


class Stand:
    """A hub over a house, and one tournament there, just started by Ada, Bob and Cy."""

    def __init__(self, **form):
        house = standing_house()
        self.cup = Cup(house, house.person("Olga"), **form)
        self.cup.started(*map(house.person, ("Ada", "Bob", "Cy")))
        self.service = house.service
        self.feed = Feed()
        self.hub = hub_over(house, self.feed)

    @property
    def loaded(self):
        return self.service.tournaments.load(self.cup.id)

    @property
    def version(self):
        return self.loaded.state.version

    async def follow(self, **given):
        paper = Paper()
        return paper, await self.hub.join(paper, TournamentSubscription(loaded=self.loaded, **given))

    def watch(self):
        return StandingsSubscription(self.loaded, standings_answer(self.loaded.state, None))

    async def see(self, watch=None):
        """Watches the standings."""
        paper = Paper()
        return paper, await self.hub.join(paper, watch or self.watch())

    def tell(self):
        self.feed.point(self.cup.id, "tournament")


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    monkeypatch.setattr(hub_module, "INTERVAL_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_BLOCK_MS", 20)


def live(scenario):
    def test(monkeypatch):
        async def run():
            stand = Stand()
            try:
                await scenario(stand)
            finally:
                await stand.hub.close()

        asyncio.run(run())

    return test


def kinds(paper):
    return [kind for kind, _, _ in paper.events]


@live
async def test_a_watcher_gets_the_tournament_and_then_its_events(stand):
    paper, _ = await stand.follow()
    before = stand.version
    stand.cup.pair()
    stand.tell()
    await until(lambda: paper.ids[-1] == stand.version)

    assert kinds(paper) == ["snapshot", "message"]
    assert paper.ids == [before, before + 1]
    assert paper.events[0][2]["tournament"]["id"] == stand.cup.id
    assert paper.events[1][2] == stand.cup.events()[-1]


@live
async def test_a_watcher_resumes_after_its_last_event_with_words_on_request(stand):
    (plain, _), (spoken, _) = [
        await stand.follow(after=stand.loaded.position, words=one) for one in (False, True)
    ]
    stand.cup.pair()
    stand.tell()
    await until(lambda: plain.ids and spoken.ids)
    late, _ = await stand.follow(
        after=stand.service.tournaments.load_at(stand.cup.id, 1).position, words=True
    )

    assert [event for _, _, event in late.events] == stand.cup.events("?limit=1000&include=words")[1:]
    assert "words" not in plain.events[0][2]
    assert spoken.events == late.events[-1:]


@live
async def test_t_14_the_server_seed_is_in_no_stream_before_it_is_revealed(stand):
    papers = [
        (await stand.follow())[0],
        (await stand.follow(after=BEGINNING))[0],
        (await stand.see())[0],
    ]
    stand.cup.play_round()
    stand.tell()
    await until(lambda: papers[0].ids[-1] == stand.version)
    seed = stand.loaded.state.server_seed
    assert all(seed.encode() not in b"".join(paper.chunks) for paper in papers)

    stand.cup.cancel()
    stand.tell()
    await until(lambda: all(paper.has_ended for paper in papers))

    assert kinds(papers[0])[-2:] == ["message", "end"]
    assert papers[0].events[-2][2]["data"]["server_seed"] == seed
    again, _ = await stand.follow(after=BEGINNING)
    assert again.events[0][2]["data"]["server_seed"] == seed
    assert again.has_ended


@live
async def test_followers_begin_anew_when_the_store_has_gone_back(stand):
    paper, _ = await stand.follow()
    length = stand.version
    stand.cup.pair()
    stand.tell()
    await until(lambda: paper.ids[-1] == length + 1)
    put_back(stand.service, stand.cup.id, length, category="tournament")
    stand.tell()
    await until(lambda: "reset" in kinds(paper))
    assert kinds(paper) == ["snapshot", "message", "reset", "snapshot"]

    put_back(stand.service, stand.cup.id, 0, category="tournament")
    stand.tell()
    await until(lambda: paper.has_ended)

    assert paper.events[-1] == ("reset", 0, {"version": 0})


@live
async def test_k_5_the_standings_are_sent_immediately_and_again_after_each_table(stand):
    paper, _ = await stand.see()
    assert kinds(paper) == ["standings"]
    assert paper.events[0][2] == stand.cup.get("/standings").json

    for number in (1, 2):
        stand.cup.play_round()
        stand.tell()
        await until(lambda number=number: paper.events[-1][2]["rows"][0]["score"] == str(number))

    assert paper.events[-1][2] == stand.cup.get("/standings").json
    assert paper.ids[-1] == stand.version


@live
async def test_events_that_change_no_standing_send_nothing(stand):
    paper, _ = await stand.see()
    stand.cup.done("/pause")
    stand.tell()
    follower, _ = await stand.follow()
    stand.cup.done("/resume")
    stand.tell()
    await until(lambda: stand.version in follower.ids)

    assert kinds(paper) == ["standings"]


@live
async def test_standings_that_changed_before_the_watcher_joined_are_sent(stand):
    early = stand.watch()
    stand.cup.play_round()

    paper, _ = await stand.see(early)

    assert [event["rows"][0]["score"] for _, _, event in paper.events] == ["1"]


@live
async def test_all_watchers_of_the_standings_get_the_same_changes(stand):
    first, _ = await stand.see()
    stand.cup.play_round()
    second, leave = await stand.see()
    await until(lambda: len(first.events) == 2)
    assert second.events[-1] == first.events[-1]
    leave()
    stand.cup.play_round()
    stand.tell()
    # There may be more: on a busy machine the hub looks by itself while the round is played.
    await until(lambda: len(first.events) >= 3)

    assert len(second.events) == 1
    assert stand.hub._interval() > hub_module.INTERVAL_SECONDS


@live
async def test_t_12_the_stream_of_the_standings_ends_with_the_last_table(stand):
    paper, _ = await stand.see()
    stand.cup.play_round()
    stand.cup.done("/finish", CONFIRMED | {"reason": "It is late."})
    stand.tell()
    await until(lambda: paper.has_ended)
    assert kinds(paper)[-2:] == ["standings", "end"]

    late, leave = await stand.see()

    leave()
    assert kinds(late) == ["standings", "end"]
    assert late.has_ended


@live
async def test_standings_end_where_the_store_went_back_to_before_the_start(stand):
    (begun, _), (gone, _) = await stand.see(), await stand.see()
    put_back(stand.service, stand.cup.id, 2, category="tournament")
    stand.tell()
    await until(lambda: begun.has_ended and gone.has_ended)
    assert kinds(begun) == ["standings", "reset"]


@live
async def test_standings_of_a_tournament_that_vanished_end(stand):
    paper, _ = await stand.see()
    put_back(stand.service, stand.cup.id, 0, category="tournament")
    stand.tell()
    await until(lambda: paper.has_ended)

    assert kinds(paper) == ["standings", "reset"]


@live
async def test_a_store_that_does_not_answer_leaves_no_channel(stand):
    watch = stand.watch()
    stand.service.client.connection_pool.connection_kwargs["server"].connected = False

    with pytest.raises(StoreUnavailable):
        await stand.hub.join(Paper(), watch)

    assert not stand.hub._standings


@live
async def test_a_table_and_its_tournament_are_watched_by_one_hub(stand):
    stand.cup.pair()
    stand.cup.start_round()
    (table,) = stand.cup.tables()
    at_table = Paper()
    loaded = stand.service.tables.load(table.rpartition("/")[2])
    await stand.hub.join(at_table, TableSubscription(loaded=loaded))
    followed, _ = await stand.follow()
    shown, _ = await stand.see()
    stand.cup.end_tables()
    stand.feed.point(loaded.state.id)
    stand.tell()
    await until(lambda: at_table.has_ended and len(shown.events) == 2 and len(followed.events) > 2)

    assert kinds(at_table)[-1] == "end"
    assert stand.feed.opened == 1
