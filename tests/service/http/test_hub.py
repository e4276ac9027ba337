"""Watchers get a snapshot, then everything that happens, once and in order, as they may know it."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest

from domain.tables import NOTHING_DUE, seal
from domain.tables.asker import HOST
from domain.tables.events import SeatLeft, SeatTaken
from service.application.history import Position
from service.application.ports import FeedEntry, StoreUnavailable, StreamId
from service.http.framework.streaming import TableSubscription
from service.http.serving import hub as hub_module
from service.http.serving.hub import LONGEST_REPLAY, Hub
from service.http.serving.watched_table import TableWatcher
from tests.service.application.world import put_back
from tests.service.http.house import first_legal


class Paper:
    """A stream that keeps what was written."""

    def __init__(self):
        self.chunks = []
        self.has_ended = False

    def write(self, chunk):
        assert not self.has_ended
        self.chunks.append(chunk)

    def end(self):
        self.has_ended = True

    @property
    def events(self):
        """Kind, id and data of each event."""
        found = []
        for block in b"".join(self.chunks).decode().split("\n\n"):
            fields = dict(line.partition(":")[::2] for line in block.splitlines())
            if fields:
                number = int(fields["id"].partition("-")[0] or 0)
                kind = fields.get("event", "message").strip()
                found.append((kind, number, json.loads(fields["data"])))
        return found

    @property
    def ids(self):
        return [number for _, number, _ in self.events]


class Feed:
    """A feed that the test feeds."""

    def __init__(self):
        self.entries: asyncio.Queue[FeedEntry | Exception] = asyncio.Queue()
        self.opened = 0
        self.fails = 0

    @asynccontextmanager
    async def open(self):
        self.opened += 1
        if self.fails:
            self.fails -= 1
            raise StoreUnavailable("gone")
        yield self

    async def start(self):
        pass

    async def read(self, *, block_ms):
        try:
            first = await asyncio.wait_for(self.entries.get(), block_ms / 1000)
        except TimeoutError:
            return []
        if isinstance(first, Exception):
            raise first
        return [first, *(self.entries.get_nowait() for _ in range(self.entries.qsize()))]

    def point(self, id_, category="table"):
        self.entries.put_nowait(FeedEntry(0, "1-1", StreamId(category, id_), 1, 1, (), NOTHING_DUE))


def hub_over(house, feed):
    """Returns a hub over what is stored in a house."""
    return Hub(
        reader=lambda: house.service.store,
        tail=feed.open,
        tables=lambda: house.service.tables,
        tournaments=lambda: house.service.tournaments,
    )


class Desk:
    """A hub over a house, and one table there."""

    def __init__(self, house, *people, **form):
        self.house, self.people = house, people
        self.path = house.playing(*people, **form)
        self.table = self.path.rpartition("/")[2]
        self.feed = Feed()
        self.hub = hub_over(house, self.feed)

    def watch(self, viewer="spectator", *, player=None, after=None, words=False):
        place = Position(after, "") if isinstance(after, int) else after
        loaded = self.house.service.tables.load(self.table)
        return TableSubscription(loaded=loaded, viewer=viewer, player=player, after=place, words=words)

    async def join(self, viewer="spectator", **given):
        paper = Paper()
        leave = await self.hub.join(paper, self.watch(viewer, **given))
        return paper, leave

    def act(self, count=1):
        """Lets people act, without telling anybody."""
        for _ in range(count):
            person, action = next(
                (who, action) for who in self.people for action in first_legal(who, self.path)
            )
            assert person.post(f"{self.path}/actions", action).status_code == 200

    async def act_and_tell(self, count=1):
        self.act(count)
        self.feed.point(self.table)

    @property
    def version(self):
        return self.house.service.tables.load(self.table).state.version


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    monkeypatch.setattr(hub_module, "INTERVAL_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_BLOCK_MS", 20)


def live_at(**form):
    """Runs an asynchronous test at a table of that form."""

    def decorate(scenario):
        def test(house, ada, bob):
            async def run():
                desk = Desk(house, ada, bob, **form)
                try:
                    await scenario(desk)
                finally:
                    await desk.hub.close()

            asyncio.run(run())

        return test

    return decorate


live = live_at()


async def until(condition):
    """Returns once the condition holds."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.002)


@live
async def test_a_watcher_gets_a_snapshot_and_then_events(desk):
    paper, _ = await desk.join()
    await desk.act_and_tell()
    await until(lambda: len(paper.events) == 2)

    (kind, number, now), (then, following, event) = paper.events
    assert (kind, number, then, following) == ("snapshot", 5, "message", 6)
    assert now["view"] == desk.house.spectator.get(f"{desk.path}?version=5").json["view"]
    assert event == desk.house.spectator.get(f"{desk.path}/events").json["events"][-1]


@live
async def test_each_viewer_gets_events_as_that_viewer_may_know_them(desk):
    papers = {viewer: (await desk.join(viewer))[0] for viewer in (0, 1, "spectator")}
    await desk.act_and_tell()
    await until(lambda: all(len(paper.events) == 2 for paper in papers.values()))

    cards = {viewer: paper.events[1][2]["data"]["card"] for viewer, paper in papers.items()}
    assert (cards[1], cards["spectator"]) == ("??", "??")
    assert cards[0] != "??"


@live_at(game="shithead", options={"hidden_swap": True})
async def test_sh_50_an_event_for_one_seat_is_sent_to_no_other_watcher(desk):
    papers = {viewer: (await desk.join(viewer))[0] for viewer in (0, 1, "spectator")}
    ada, bob = desk.people
    began = desk.version
    swap = next(action for action in first_legal(ada, desk.path) if action["type"] == "swap")
    for person, action in ((ada, swap), (bob, {"type": "ready"})):
        assert person.post(f"{desk.path}/actions", action).status_code == 200
    desk.feed.point(desk.table)
    await until(lambda: all(began + 2 in paper.ids for paper in papers.values()))

    assert papers[0].ids == [began, began + 1, began + 2]
    assert papers[1].ids == papers["spectator"].ids == [began, began + 2]


@live
async def test_a_watcher_resumes_after_its_last_event(desk):
    desk.act(2)
    paper, _ = await desk.join(after=3)
    await desk.act_and_tell()
    await until(lambda: 8 in paper.ids)

    assert paper.ids == [4, 5, 6, 7, 8]
    assert {kind for kind, _, _ in paper.events} == {"message"}


@live
async def test_a_resumed_stream_has_events_as_its_viewer_may_know_them(desk):
    desk.act(2)
    askers = dict(zip((0, 1, "spectator"), (*desk.people, desk.house.spectator), strict=True))
    for viewer, asker in askers.items():
        paper, _ = await desk.join(viewer, after=3)
        await until(lambda paper=paper: 7 in paper.ids)

        shown = asker.get(f"{desk.path}/events").json["events"]
        assert [event for _, _, event in paper.events] == shown[3:]


@live
async def test_a_watcher_that_has_everything_gets_nothing_at_first(desk):
    paper, _ = await desk.join(after=5)

    assert paper.chunks == []


@pytest.mark.parametrize("after", [6, 10**14])
def test_a_version_that_never_was_is_answered_with_the_present(house, ada, bob, after):
    @live
    async def scenario(desk):
        paper, _ = await desk.join(after=after)
        assert [kind for kind, _, _ in paper.events] == ["reset", "snapshot"]

    scenario(house, ada, bob)


def test_a_watcher_who_has_missed_too_much_gets_a_snapshot(house, ada, bob, monkeypatch):
    monkeypatch.setattr(hub_module, "LONGEST_REPLAY", 2)

    @live
    async def scenario(desk):
        paper, _ = await desk.join(after=1)
        assert paper.ids == [5]
        paper, _ = await desk.join(after=3)
        assert paper.ids == [4, 5]

    scenario(house, ada, bob)
    assert LONGEST_REPLAY > 2


@live
async def test_events_between_loading_and_joining_are_not_lost(desk):
    early = desk.watch()
    desk.act(2)
    paper = Paper()

    await desk.hub.join(paper, early)

    assert paper.ids == [5, 6, 7]


@live
async def test_a_watcher_ahead_of_the_others_joins_without_a_gap_or_a_repeat(desk):
    first, _ = await desk.join()
    desk.act(2)
    late, _ = await desk.join()
    desk.feed.point(desk.table)
    await desk.act_and_tell()
    await until(lambda: 8 in first.ids and 8 in late.ids)

    assert first.ids == [5, 6, 7, 8]
    assert late.ids == [7, 8]


@live
async def test_a_repeated_feed_entry_is_delivered_once(desk):
    paper, _ = await desk.join()
    for _ in range(3):
        desk.feed.point(desk.table)
    await desk.act_and_tell()
    desk.feed.point(desk.table)
    await until(lambda: 6 in paper.ids)
    await until(desk.feed.entries.empty)

    assert paper.ids == [5, 6]


@live
async def test_many_events_come_in_few_writes(desk):
    paper, _ = await desk.join()
    await desk.act_and_tell()
    await until(lambda: 6 in paper.ids)
    written = len(paper.chunks)
    await desk.act_and_tell(12)
    await until(lambda: paper.ids[-1] == desk.version)

    assert paper.ids == [*range(5, 19)]
    assert len(paper.chunks) == written + 1


@live
async def test_a_stream_ends_with_the_table(desk):
    paper, _ = await desk.join()
    desk.people[0].resign(desk.path)
    desk.feed.point(desk.table)
    await until(lambda: paper.has_ended)

    assert [kind for kind, _, _ in paper.events][-2:] == ["message", "end"]
    assert paper.events[-1][2] == {"version": desk.version}


@live
async def test_a_table_that_is_over_is_shown_and_ended(desk):
    desk.people[0].resign(desk.path)
    paper, _ = await desk.join()
    again, _ = await desk.join(after=desk.version)

    assert [kind for kind, _, _ in paper.events] == ["snapshot", "end"]
    assert [kind for kind, _, _ in again.events] == ["end"]
    assert paper.has_ended
    assert again.has_ended
    assert desk.feed.opened == 0


@live
async def test_a_watcher_who_has_left_gets_nothing_more_and_the_channel_is_removed(desk):
    paper, leave = await desk.join()
    stays, _ = await desk.join()
    leave()
    await desk.act_and_tell()
    await until(lambda: 6 in stays.ids)

    assert paper.ids == [5]


@live
async def test_nobody_follows_when_nobody_watches(desk):
    _, leave = await desk.join()
    await until(lambda: desk.feed.opened == 1)
    leave()
    await until(desk.hub._follower.done)
    paper, _ = await desk.join()
    await desk.act_and_tell()
    await until(lambda: 6 in paper.ids)

    assert desk.feed.opened == 2


@live
async def test_a_lost_feed_is_taken_up_again_and_nothing_is_missed(desk):
    paper, _ = await desk.join()
    await desk.act_and_tell()
    await until(lambda: 6 in paper.ids)
    desk.feed.fails = 2
    desk.feed.entries.put_nowait(StoreUnavailable("gone"))
    desk.act()  # nobody points at this
    await until(lambda: 7 in paper.ids)

    assert desk.feed.opened == 4


@live
async def test_words_are_sent_to_watchers_who_asked_for_them_wherever_they_resume(desk):
    (plain, _), (late, _), (spoken, _) = [
        await desk.join(words=words, after=after) for words, after in ((False, None), (True, 2), (True, None))
    ]
    await desk.act_and_tell()
    await until(lambda: all(paper.ids[-1] == 6 for paper in (plain, late, spoken)))

    assert "words" not in plain.events[-1][2]
    assert [event["words"] for _, _, event in late.events] == [
        "Bob sat down at seat 1.",
        "Play began; seats and seeds are fixed from here on.",
        late.events[2][2]["words"],
        "Ada passed a card face down to Bob.",
    ]
    assert spoken.events[-1] == late.events[-1]


def test_words_name_players_who_sat_down_meanwhile(house, ada, bob):
    @live
    async def scenario(desk):
        desk.path = house.table(ada, bob)
        desk.table = desk.path.rpartition("/")[2]
        bob.delete(f"{desk.path}/seats/1")
        paper, _ = await desk.join(words=True)
        house.person("Eve").post(f"{desk.path}/seats")
        ada.post(f"{desk.path}/start")
        house.run_due(desk.path)
        desk.act()
        desk.feed.point(desk.table)
        await until(lambda: 8 in paper.ids)

        assert [event["words"] for _, _, event in paper.events[1:]][
            -1
        ] == "Ada passed a card face down to Eve."

    scenario(house, ada, bob)


@live
async def test_a_store_that_does_not_answer_leaves_no_watcher(desk):
    watch = desk.watch()
    desk.house.service.client.connection_pool.connection_kwargs["server"].connected = False

    with pytest.raises(StoreUnavailable):
        await desk.hub.join(Paper(), watch)

    assert desk.hub._channels == {}


def test_a_watcher_gets_the_view_of_a_seat_while_the_player_has_it(house, ada, bob):
    watcher = TableWatcher(Paper(), "spectator", "ada", 3)

    assert not watcher.adjust(recorded(3, SeatTaken(1, "ada", "Ada", None, "", "")))  # known already
    assert not watcher.adjust(recorded(4, SeatTaken(0, "bob", "Bob", None, "", "")))
    assert watcher.adjust(recorded(5, SeatTaken(1, "ada", "Ada", None, "", "")))
    assert seen_by(watcher) == 1
    assert not watcher.adjust(recorded(6, SeatLeft(0)))
    assert watcher.adjust(recorded(7, SeatLeft(1)))
    assert seen_by(watcher) == "spectator"


def recorded(version, event):
    (sealed,) = seal(events=[event], server_seed="", head="", version=version - 1, at=0, by=HOST, cmd="")
    return sealed


def seen_by(watcher):
    return watcher.viewer


def test_a_player_who_left_a_seat_does_not_see_its_next_player(house, ada, bob):
    @live
    async def scenario(desk):
        path = house.table(ada, bob)
        desk.path, desk.table = path, path.rpartition("/")[2]
        paper, _ = await desk.join(1, player=bob.id)
        eve = house.person("Eve")
        bob.delete(f"{path}/seats/1")
        eve.post(f"{path}/seats")
        ada.post(f"{path}/start")
        house.run_due(path)
        desk.feed.point(desk.table)
        await until(lambda: 7 in paper.ids)

        hands = paper.events[-1][2]["data"]["hands"]
        assert hands == [["??"] * 4] * 2

    scenario(house, ada, bob)


# ------------------------------------------------------------------------ a store that goes back


@live
async def test_watchers_begin_anew_when_the_store_has_gone_back(desk):
    seated, _ = await desk.join(1, player=desk.people[1].id)
    desk.act(2)
    spectator, _ = await desk.join()
    put_back(desk.house.service, desk.table, 6)
    desk.feed.point(desk.table)
    await until(lambda: spectator.ids[-1] == seated.ids[-1] == 6)
    await desk.act_and_tell()
    await until(lambda: spectator.ids[-1] == seated.ids[-1] == 7)

    assert [kind for kind, _, _ in spectator.events] == ["snapshot", "reset", "snapshot", "message"]
    assert spectator.ids == [7, 0, 6, 7]
    assert seated.events[-2][2]["view"]["viewer"] == 1
    assert spectator.events[-2][2]["view"]["viewer"] == "spectator"


@live
async def test_a_history_that_grew_as_long_as_the_one_before_is_noticed(desk):
    desk.act(2)
    paper, _ = await desk.join()
    put_back(desk.house.service, desk.table, 5)
    desk.act(2)
    desk.feed.point(desk.table)
    await until(lambda: "reset" in [kind for kind, _, _ in paper.events])

    assert [kind for kind, _, _ in paper.events] == ["snapshot", "reset", "snapshot"]
    assert paper.ids[-1] == 7


@live
async def test_a_watcher_who_resumes_after_a_vanished_event_gets_a_snapshot(desk):
    desk.act(2)
    place = desk.house.service.tables.load(desk.table).position
    put_back(desk.house.service, desk.table, 5)
    desk.act(3)
    paper, _ = await desk.join(after=place)
    again, _ = await desk.join(after=desk.house.service.tables.load(desk.table).position)

    assert [kind for kind, _, _ in paper.events] == ["reset", "snapshot"]
    assert again.events == []


@live
async def test_a_seat_that_vanished_is_no_longer_seen_through(desk):
    paper, _ = await desk.join(1, player=desk.people[1].id)
    put_back(desk.house.service, desk.table, 2)
    desk.feed.point(desk.table)
    await until(lambda: "reset" in [kind for kind, _, _ in paper.events])

    assert paper.events[-1][2]["view"]["viewer"] == "spectator"
    assert paper.events[-1][2]["version"] == 2


@live
async def test_the_stream_of_a_table_that_vanished_ends(desk):
    paper, _ = await desk.join()
    put_back(desk.house.service, desk.table, 0)
    desk.feed.point(desk.table)
    await until(lambda: paper.has_ended)

    assert paper.events[-1] == ("reset", 0, {"version": 0})


def test_watchers_begin_anew_although_the_feed_says_nothing(house, ada, bob, monkeypatch):
    monkeypatch.setattr(hub_module, "CHECK_SECONDS", 0.05)

    @live
    async def scenario(desk):
        desk.act(2)
        paper, _ = await desk.join()
        put_back(desk.house.service, desk.table, 6)
        await until(lambda: "reset" in [kind for kind, _, _ in paper.events])
        assert paper.ids == [7, 0, 6]

    scenario(house, ada, bob)
