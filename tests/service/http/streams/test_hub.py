"""Watchers get a snapshot, then each event once and in order, redacted for them."""

import asyncio
import json
from contextlib import asynccontextmanager, contextmanager

import pytest
from msgspec.structs import replace

from hoodwink.domain.due_times import NOTHING_DUE
from hoodwink.domain.tables.actor import HOST
from hoodwink.domain.tables.events import SeatLeft, SeatTaken
from hoodwink.domain.tables.proving.log import seal
from hoodwink.service.adapters.store.people.presence import STAYS_MS
from hoodwink.service.application.ports import FeedEntry, StoreUnavailable, StreamId
from hoodwink.service.application.streams.history import Position
from hoodwink.service.http.framework.streaming import TableSubscription
from hoodwink.service.http.resources.access import names_at
from hoodwink.service.http.serving.streams import hub as hub_module
from hoodwink.service.http.serving.streams.hub import MAX_REPLAY, Hub
from hoodwink.service.http.serving.streams.job_watch import JobWatch
from hoodwink.service.http.serving.streams.watched_table import Kind, TableWatcher
from tests.service.application.world import add_malformed_entry, lose_archived, put_back
from tests.service.databases import unreachable
from tests.service.http.api import first_legal


class RecordedStream:
    """A stream that records the bytes written to it."""

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
        """The type, id and data of each event."""
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
    """A feed with entries added by the test."""

    def __init__(self):
        self.entries: asyncio.Queue[FeedEntry | Exception] = asyncio.Queue()
        self.opened = 0
        self.fails = 0
        self.is_awaited = False

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
        self.is_awaited = self.entries.empty()
        try:
            first = await asyncio.wait_for(self.entries.get(), block_ms / 1000)
        except TimeoutError:
            return []
        finally:
            self.is_awaited = False
        if isinstance(first, Exception):
            raise first
        return [first, *(self.entries.get_nowait() for _ in range(self.entries.qsize()))]

    def point(self, id_, category="table"):
        self.entries.put_nowait(FeedEntry(0, "1-1", StreamId(category, id_), 1, 1, (), NOTHING_DUE))


def without_time(event):
    """Returns a live event without its sending time, as in a page of events."""
    assert event["now"] >= event["at"]
    return {name: value for name, value in event.items() if name != "now"}


def hub_over(api, feed):
    """Returns a hub on a service's store."""
    return Hub(
        reader=lambda: api.service.store,
        tail=feed.open,
        tables=lambda: api.service.tables,
        tournaments=lambda: api.service.tournaments,
        players=lambda: api.service.players,
        my_tables=lambda: api.service.my_tables,
        clock=lambda: api.service.clock,
        presence=lambda: api.service.presence,
        jobs=JobWatch(lambda: api.service.jobs),
    )


class TableScene:
    """A hub and one table of a service."""

    def __init__(self, api, *people, **form):
        self.api, self.people = api, people
        self.path = api.playing(*people, **form)
        self.table = self.path.rpartition("/")[2]
        self.feed = Feed()
        self.hub = hub_over(api, self.feed)

    def watch(self, viewer="spectator", *, player=None, after=None, **wanted):
        position = Position(after, "") if isinstance(after, int) else after
        loaded = self.api.service.tables.load(self.table)
        return TableSubscription(
            loaded=loaded,
            names=names_at(self.api.service, loaded.state),
            viewer=viewer,
            player=player,
            after=position,
            **wanted,
        )

    async def join(self, viewer="spectator", **given):
        recorded_stream = RecordedStream()
        leave = await self.hub.join(recorded_stream, self.watch(viewer, **given))
        return recorded_stream, leave

    def act(self, count=1):
        """Lets people act without adding feed entries."""
        for _ in range(count):
            person, action = next(
                (who, action) for who in self.people for action in first_legal(who, self.path)
            )
            assert person.post(f"{self.path}/actions", action).status_code == 200

    async def act_and_notify(self, count=1):
        self.act(count)
        self.feed.point(self.table)

    @property
    def version(self):
        return self.api.service.tables.load(self.table).state.version


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(hub_module, "MAX_REST_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_BLOCK_MS", 20)
    monkeypatch.setattr(hub_module, "STAY_SECONDS", 0.05)


def live_at(**form):
    """Runs an asynchronous test at a table with this form."""

    def decorate(scenario):
        def test(api, ada, bob):
            async def run():
                scene = TableScene(api, ada, bob, **form)
                try:
                    await scenario(scene)
                finally:
                    await scene.hub.close()

            asyncio.run(run())

        return test

    return decorate


live = live_at()


async def until(condition):
    """Returns once the condition holds."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.002)


@live
async def test_a_watcher_gets_a_snapshot_and_then_events(scene):
    recorded_stream, _ = await scene.join()
    await scene.act_and_notify()
    await until(lambda: len(recorded_stream.events) == 2)

    (kind, number, now), (then, following, event) = recorded_stream.events
    assert (kind, number, then, following) == ("snapshot", 5, "message", 6)
    assert now["view"] == scene.api.spectator.get(f"{scene.path}?version=5").json["view"]
    assert without_time(event) == scene.api.spectator.get(f"{scene.path}/events").json["events"][-1]


@live
async def test_a_watcher_with_views_gets_one_for_each_commit(scene):
    recorded_stream, _ = await scene.join(0, with_view=True)
    await scene.act_and_notify(2)
    await until(lambda: scene.version in recorded_stream.ids)

    _, *views = recorded_stream.events
    assert [(kind, number, len(data["events"])) for kind, number, data in views] == [
        ("view", 6, 1),
        ("view", 7, 1),
    ]


@live
async def test_each_viewer_gets_events_redacted_for_them(scene):
    papers = {viewer: (await scene.join(viewer))[0] for viewer in (0, 1, "spectator")}
    await scene.act_and_notify()
    await until(lambda: all(len(recorded_stream.events) == 2 for recorded_stream in papers.values()))

    cards = {
        viewer: recorded_stream.events[1][2]["data"]["card"] for viewer, recorded_stream in papers.items()
    }
    assert (cards[1], cards["spectator"]) == ("??", "??")
    assert cards[0] != "??"


@live_at(game="shithead", options={"hidden_swap": True})
async def test_sh_50_an_event_for_one_seat_is_sent_to_no_other_watcher(scene):
    papers = {viewer: (await scene.join(viewer))[0] for viewer in (0, 1, "spectator")}
    ada, bob = scene.people
    began = scene.version
    swap = next(action for action in first_legal(ada, scene.path) if action["type"] == "swap")
    for person, action in ((ada, swap), (bob, {"type": "ready"})):
        assert person.post(f"{scene.path}/actions", action).status_code == 200
    scene.feed.point(scene.table)
    await until(lambda: all(began + 2 in recorded_stream.ids for recorded_stream in papers.values()))

    assert papers[0].ids == [began, began + 1, began + 2]
    assert papers[1].ids == papers["spectator"].ids == [began, began + 2]


@live
async def test_a_watcher_resumes_after_its_last_event(scene):
    scene.act(2)
    recorded_stream, _ = await scene.join(after=3)
    await scene.act_and_notify()
    await until(lambda: 8 in recorded_stream.ids)

    assert recorded_stream.ids == [4, 5, 6, 7, 8]
    assert {kind for kind, _, _ in recorded_stream.events} == {"message"}


@live
async def test_a_resumed_stream_has_events_redacted_for_its_viewer(scene):
    scene.act(2)
    allowed_actors = dict(zip((0, 1, "spectator"), (*scene.people, scene.api.spectator), strict=True))
    for viewer, actor in allowed_actors.items():
        recorded_stream, _ = await scene.join(viewer, after=3)
        await until(lambda recorded_stream=recorded_stream: 7 in recorded_stream.ids)

        shown = actor.get(f"{scene.path}/events").json["events"]
        assert [without_time(event) for _, _, event in recorded_stream.events] == shown[3:]


@live
async def test_an_up_to_date_watcher_gets_nothing_at_first(scene):
    recorded_stream, _ = await scene.join(after=5)

    assert recorded_stream.chunks == []


@pytest.mark.parametrize("after", [6, 10**14])
def test_an_impossible_version_is_answered_with_a_reset(api, ada, bob, after):
    @live
    async def scenario(scene):
        recorded_stream, _ = await scene.join(after=after)
        assert [kind for kind, _, _ in recorded_stream.events] == ["reset", "snapshot"]

    scenario(api, ada, bob)


def test_a_watcher_that_missed_too_much_gets_a_snapshot(api, ada, bob, monkeypatch):
    monkeypatch.setattr(hub_module, "MAX_REPLAY", 2)

    @live
    async def scenario(scene):
        recorded_stream, _ = await scene.join(after=1)
        assert recorded_stream.ids == [5]
        recorded_stream, _ = await scene.join(after=3)
        assert recorded_stream.ids == [4, 5]

    scenario(api, ada, bob)
    assert MAX_REPLAY > 2


@live
async def test_events_between_loading_and_joining_are_not_lost(scene):
    early = scene.watch()
    scene.act(2)
    recorded_stream = RecordedStream()

    await scene.hub.join(recorded_stream, early)

    assert recorded_stream.ids == [5, 6, 7]


@live
async def test_a_watcher_ahead_of_the_others_joins_without_gap_or_repeat(scene):
    first, _ = await scene.join()
    scene.act(2)
    late, _ = await scene.join()
    scene.feed.point(scene.table)
    await scene.act_and_notify()
    await until(lambda: 8 in first.ids and 8 in late.ids)

    assert first.ids == [5, 6, 7, 8]
    assert late.ids == [7, 8]


@live
async def test_a_repeated_feed_entry_is_delivered_once(scene):
    recorded_stream, _ = await scene.join()
    for _ in range(3):
        scene.feed.point(scene.table)
    await scene.act_and_notify()
    scene.feed.point(scene.table)
    await until(lambda: 6 in recorded_stream.ids)
    await until(scene.feed.entries.empty)

    assert recorded_stream.ids == [5, 6]


@live
async def test_several_events_are_sent_in_one_write(scene):
    recorded_stream, _ = await scene.join()
    await scene.act_and_notify()
    # Wait until the hub is idle: a hub in mid-read would send a part of the following events early.
    await until(lambda: 6 in recorded_stream.ids and scene.feed.is_awaited)
    written = len(recorded_stream.chunks)
    await scene.act_and_notify(12)
    await until(lambda: recorded_stream.ids[-1] == scene.version)

    assert recorded_stream.ids == [*range(5, 19)]
    assert len(recorded_stream.chunks) == written + 1


@live
async def test_a_stream_ends_with_the_table(scene):
    recorded_stream, _ = await scene.join()
    scene.people[0].resign(scene.path)
    scene.feed.point(scene.table)
    await until(lambda: recorded_stream.has_ended)

    assert [kind for kind, _, _ in recorded_stream.events][-2:] == ["message", "end"]
    assert recorded_stream.events[-1][2] == {"version": scene.version}


def test_streams_stay_open_to_announce_the_rematch(api, ada, bob, monkeypatch):
    monkeypatch.setattr(hub_module, "STAY_SECONDS", 60)

    @live
    async def scenario(scene):
        recorded_stream, joining = RecordedStream(), scene.watch()
        first, _ = await scene.join()
        scene.people[0].resign(scene.path)
        await scene.hub.join(recorded_stream, joining)
        assert [stream.events[-1][0] for stream in (first, recorded_stream)] == ["end", "end"]
        assert [first.has_ended, recorded_stream.has_ended] == [False, False]
        late, _ = await scene.join()
        assert late.has_ended

        rematch = scene.people[1].post(f"{scene.path}/rematch").headers["Location"].rpartition("/")[2]
        scene.feed.point(scene.table)
        await until(lambda: first.has_ended and recorded_stream.has_ended)

        assert first.events[-1] == recorded_stream.events[-1]
        kind, number, event = recorded_stream.events[-1]
        assert (kind, number, event["type"]) == ("message", scene.version, "table.rematch_opened")
        assert event["data"]["table"] == rematch

    scenario(api, ada, bob)


@live
async def test_seated_followers_count_as_connected_and_spectators_do_not(scene):
    ada, bob = scene.people

    def connected():
        return scene.api.spectator.get(f"{scene.path}/presence").json["seats"]

    assert connected() == []
    await scene.join()
    await scene.join("spectator", player=bob.id)
    await scene.join(0, player=ada.id)
    assert connected() == [0, 1]
    later = scene.api.service.clock.now_ms() + STAYS_MS
    assert scene.api.service.presence.connected(scene.table, now=later) == frozenset()


def test_presence_is_renewed_for_connected_players(api, ada, bob, monkeypatch):
    monkeypatch.setattr(hub_module, "CHECK_SECONDS", 0.05)

    @live
    async def scenario(scene):
        await scene.join(0, player=ada.id)
        client = scene.api.service.client
        (noted,) = client.keys("*presence*")
        client.delete(noted)
        await until(lambda: client.exists(noted))

    scenario(api, ada, bob)


@live
async def test_a_read_only_store_does_not_stop_a_seated_player_from_following(scene):
    with refusing_presence(scene, StoreUnavailable("no writes")):
        recorded_stream, _ = await scene.join(0, player=scene.people[0].id)
        await scene.act_and_notify()
        await until(lambda: 6 in recorded_stream.ids)


def test_a_read_only_store_does_not_interrupt_the_feed(api, ada, bob, monkeypatch):
    monkeypatch.setattr(hub_module, "CHECK_SECONDS", 0.001)

    @live
    async def scenario(scene):
        recorded_stream, _ = await scene.join(0, player=ada.id)
        with refusing_presence(scene, StoreUnavailable("no writes")) as refused:
            await until(lambda: len(refused) > 1)
            await scene.act_and_notify()
            await until(lambda: 6 in recorded_stream.ids)
        assert scene.feed.opened == 1

    scenario(api, ada, bob)


@live
async def test_a_stream_that_fails_to_start_leaves_no_watcher(scene):
    spectator, _ = await scene.join()
    with refusing_presence(scene, ZeroDivisionError()), pytest.raises(ZeroDivisionError):
        await scene.join(0, player=scene.people[0].id)
    (channel,) = scene.hub._channels.values()
    assert [watcher.stream for watcher in channel.everybody()] == [spectator]


@live
async def test_a_stream_starts_while_all_other_watchers_leave(scene):
    _, leave = await scene.join()
    in_thread, leaving = scene.hub._in_thread, [leave]

    async def meanwhile(function, argument):
        result = await in_thread(function, argument)
        if leaving:
            leaving.pop()()
        return result

    scene.hub._in_thread = meanwhile
    recorded_stream, leave = await scene.join()
    await scene.act_and_notify()
    await until(lambda: 6 in recorded_stream.ids)
    leave()
    assert not scene.hub._channels


@contextmanager
def refusing_presence(scene, error):
    """Makes every presence write fail; yields the failed ones."""
    refused = []

    def note(players, *, now):
        refused.append(players)
        raise error

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scene.api.service.presence, "note", note)
        yield refused


class RoomScene:
    """A hub and an open table that strangers may not watch, hosted by Ada, with a seat for Bob."""

    def __init__(self, api, ada, bob):
        self.api, self.ada = api, ada
        self.path = ada.post("/v1/tables", {"game": "blindside", "seats": 3, "watch": "invited"}).headers[
            "Location"
        ]
        bob.post(f"{self.path}/seats")
        self.table = self.path.rpartition("/")[2]
        self.feed = Feed()
        self.hub = hub_over(api, self.feed)

    def watch(self, viewer, player, *, is_invited=False):
        loaded = self.api.service.tables.load(self.table)
        names = names_at(self.api.service, loaded.state)
        return TableSubscription(
            loaded=loaded, names=names, viewer=viewer, player=player, is_invited=is_invited
        )

    async def join(self, subscription):
        recorded_stream = RecordedStream()
        await self.hub.join(recorded_stream, subscription)
        return recorded_stream


def test_g_3_a_player_whose_seat_is_freed_stops_watching(api, ada, bob, cy):
    async def run():
        scene = RoomScene(api, ada, bob)
        seated = await scene.join(scene.watch(0, bob.id))
        by_code = await scene.join(scene.watch(0, bob.id, is_invited=True))
        assert ada.post(f"{scene.path}/offers", {"player": cy.id, "seat": 1}).status_code == 201
        offered = await scene.join(scene.watch("spectator", cy.id))
        late = scene.watch(0, bob.id)
        for seat in (0, 1):
            assert ada.delete(f"{scene.path}/seats/{seat}").status_code == 200
        scene.feed.point(scene.table)
        await until(lambda: seated.has_ended and offered.has_ended)

        last = api.service.tables.load(scene.table).state.version
        await until(lambda: by_code.ids[-1] == last)
        assert not by_code.has_ended
        turned_away = await scene.join(late)
        assert turned_away.has_ended
        assert turned_away.ids == [late.loaded.state.version], "the snapshot, and nothing of what followed"
        await scene.hub.close()

    asyncio.run(run())


def test_a_view_includes_events_and_names_from_during_its_start(api, ada, bob, cy):
    async def run():
        scene = RoomScene(api, ada, bob)
        first = await scene.join(scene.watch("spectator", ada.id))
        late = replace(scene.watch("spectator", ada.id), after=Position(1), with_view=True)
        in_thread, newcomers = scene.hub._in_thread, [cy]

        async def meanwhile(function, argument):
            result = await in_thread(function, argument)
            if (
                newcomers
                and function == scene.hub._pages.in_memory
                and late.after in next(iter(argument.values()))
            ):
                newcomers.pop().post(f"{scene.path}/seats")
                await scene.hub._advance(scene.hub._channels)
            return result

        scene.hub._in_thread = meanwhile
        joined = await scene.join(late)
        ((kind, version, shown),) = joined.events
        assert (kind, version, shown["version"]) == ("view", first.ids[-1], first.ids[-1])
        assert [seat["name"] for seat in shown["view"]["seats"]] == ["Bob", "Cy", None]
        assert [event["version"] for event in shown["events"]] == [2, 3]
        await scene.hub.close()

    asyncio.run(run())


def test_g_3_a_watcher_whose_seat_vanished_stops_watching(api, ada, bob):
    async def run():
        scene = RoomScene(api, ada, bob)
        seated = await scene.join(scene.watch(0, bob.id))
        put_back(api.service, scene.table, 1)
        scene.feed.point(scene.table)
        await until(lambda: seated.has_ended)
        assert [kind for kind, _, _ in seated.events] == ["snapshot"]
        await scene.hub.close()

    asyncio.run(run())


@live
async def test_the_stream_of_a_finished_table_shows_it_and_ends(scene):
    scene.people[0].resign(scene.path)
    recorded_stream, _ = await scene.join()
    again, _ = await scene.join(after=scene.version)

    assert [kind for kind, _, _ in recorded_stream.events] == ["snapshot", "end"]
    assert [kind for kind, _, _ in again.events] == ["end"]
    assert recorded_stream.has_ended
    assert again.has_ended
    assert scene.feed.opened == 0


@live
async def test_leaving_stops_the_stream_and_removes_the_channel(scene):
    recorded_stream, leave = await scene.join()
    stays, _ = await scene.join()
    leave()
    await scene.act_and_notify()
    await until(lambda: 6 in stays.ids)

    assert recorded_stream.ids == [5]


@live
async def test_the_feed_is_closed_when_nobody_watches(scene):
    _, leave = await scene.join()
    await until(lambda: scene.feed.opened == 1)
    leave()
    await until(scene.hub._follower.done)
    recorded_stream, _ = await scene.join()
    await scene.act_and_notify()
    await until(lambda: 6 in recorded_stream.ids)

    assert scene.feed.opened == 2


@live
async def test_a_lost_feed_is_reopened_without_missing_events(scene):
    recorded_stream, _ = await scene.join()
    await scene.act_and_notify()
    # A feed just opened may deliver event 6 before its entry is read; that entry would then deliver event 7, too.
    await until(lambda: 6 in recorded_stream.ids and scene.feed.is_awaited)
    scene.feed.fails = 2
    scene.feed.entries.put_nowait(StoreUnavailable("gone"))
    scene.act()  # no feed entry points to it
    await until(lambda: 7 in recorded_stream.ids)

    assert scene.feed.opened == 4


@live
async def test_words_are_sent_only_on_request_after_any_resumption(scene):
    (plain, _), (late, _), (spoken, _) = [
        await scene.join(words=words, after=after)
        for words, after in ((False, None), (True, 2), (True, None))
    ]
    await scene.act_and_notify()
    await until(lambda: all(recorded_stream.ids[-1] == 6 for recorded_stream in (plain, late, spoken)))

    assert "words" not in plain.events[-1][2]
    assert [event["words"] for _, _, event in late.events] == [
        "Bob sat down at seat 1.",
        "Play began; seats and seeds are fixed from here on.",
        late.events[2][2]["words"],
        "Ada passed a card face down to Bob.",
    ]
    assert spoken.events[-1] == late.events[-1]


def test_words_name_players_who_sat_down_later(api, ada, bob):
    @live
    async def scenario(scene):
        scene.path = api.table(ada, bob)
        scene.table = scene.path.rpartition("/")[2]
        bob.delete(f"{scene.path}/seats/1")
        recorded_stream, _ = await scene.join(words=True)
        api.person("Eve").post(f"{scene.path}/seats")
        ada.post(f"{scene.path}/start")
        api.run_due(scene.path)
        scene.act()
        scene.feed.point(scene.table)
        await until(lambda: 8 in recorded_stream.ids)

        assert [event["words"] for _, _, event in recorded_stream.events[1:]][
            -1
        ] == "Ada passed a card face down to Eve."

    scenario(api, ada, bob)


@live
async def test_an_unavailable_store_leaves_no_watcher(scene):
    watch = scene.watch()

    with unreachable(scene.api.service.client), pytest.raises(StoreUnavailable):
        await scene.hub.join(RecordedStream(), watch)

    assert scene.hub._channels == {}


def test_a_watcher_gets_the_view_of_a_seat_while_the_player_has_it(api, ada, bob):
    watcher = TableWatcher(RecordedStream(), Kind("spectator", words=False, with_view=False), "ada", 3, int)

    assert not watcher.adjust(recorded(3, SeatTaken(1, "ada", None, "", "")))  # already known
    assert not watcher.adjust(recorded(4, SeatTaken(0, "bob", None, "", "")))
    assert watcher.adjust(recorded(5, SeatTaken(1, "ada", None, "", "")))
    assert seen_by(watcher) == 1
    assert not watcher.adjust(recorded(6, SeatLeft(0)))
    assert watcher.adjust(recorded(7, SeatLeft(1)))
    assert seen_by(watcher) == "spectator"


def recorded(version, event):
    (sealed,) = seal(events=[event], server_seed="", head="", version=version - 1, at=0, by=HOST, cmd="")
    return sealed


def seen_by(watcher):
    return watcher.kind.viewer


def test_a_player_who_left_a_seat_does_not_see_its_new_owners_cards(api, ada, bob):
    @live
    async def scenario(scene):
        path = api.table(ada, bob)
        scene.path, scene.table = path, path.rpartition("/")[2]
        recorded_stream, _ = await scene.join(1, player=bob.id)
        eve = api.person("Eve")
        bob.delete(f"{path}/seats/1")
        eve.post(f"{path}/seats")
        ada.post(f"{path}/start")
        api.run_due(path)
        scene.feed.point(scene.table)
        await until(lambda: 7 in recorded_stream.ids)

        hands = recorded_stream.events[-1][2]["data"]["hands"]
        assert hands == [["??"] * 4] * 2

    scenario(api, ada, bob)


# ------------------------------------------------------------------------ a store rollback


@live
async def test_a_store_rollback_resets_the_stream(scene):
    seated, _ = await scene.join(1, player=scene.people[1].id)
    scene.act(2)
    spectator, _ = await scene.join()
    put_back(scene.api.service, scene.table, 6)
    scene.feed.point(scene.table)
    await until(lambda: spectator.ids[-1] == seated.ids[-1] == 6)
    await scene.act_and_notify()
    await until(lambda: spectator.ids[-1] == seated.ids[-1] == 7)

    assert [kind for kind, _, _ in spectator.events] == ["snapshot", "reset", "snapshot", "message"]
    assert spectator.ids == [7, 0, 6, 7]
    assert seated.events[-2][2]["view"]["viewer"] == 1
    assert spectator.events[-2][2]["view"]["viewer"] == "spectator"


@live
async def test_a_rolled_back_history_of_equal_length_is_detected(scene):
    scene.act(2)
    recorded_stream, _ = await scene.join()
    put_back(scene.api.service, scene.table, 5)
    scene.act(2)
    scene.feed.point(scene.table)
    await until(lambda: "reset" in [kind for kind, _, _ in recorded_stream.events])

    assert [kind for kind, _, _ in recorded_stream.events] == ["snapshot", "reset", "snapshot"]
    assert recorded_stream.ids[-1] == 7


@live
async def test_a_watcher_who_resumes_after_a_vanished_event_gets_a_snapshot(scene):
    scene.act(2)
    position = scene.api.service.tables.load(scene.table).position
    put_back(scene.api.service, scene.table, 5)
    scene.act(3)
    recorded_stream, _ = await scene.join(after=position)
    again, _ = await scene.join(after=scene.api.service.tables.load(scene.table).position)

    assert [kind for kind, _, _ in recorded_stream.events] == ["reset", "snapshot"]
    assert again.events == []


@live
async def test_a_vanished_seat_no_longer_shows_its_cards(scene):
    recorded_stream, _ = await scene.join(1, player=scene.people[1].id)
    put_back(scene.api.service, scene.table, 2)
    scene.feed.point(scene.table)
    await until(lambda: "reset" in [kind for kind, _, _ in recorded_stream.events])

    assert recorded_stream.events[-1][2]["view"]["viewer"] == "spectator"
    assert recorded_stream.events[-1][2]["version"] == 2


@live
async def test_the_stream_of_a_table_that_vanished_ends(scene):
    recorded_stream, _ = await scene.join()
    put_back(scene.api.service, scene.table, 0)
    scene.feed.point(scene.table)
    await until(lambda: recorded_stream.has_ended)

    assert recorded_stream.events[-1] == ("reset", 0, {"version": 0})


@pytest.mark.parametrize("damage", [add_malformed_entry, lose_archived])
def test_a_damaged_log_ends_only_its_own_streams(api, ada, bob, damage):
    @live
    async def scenario(scene):
        other = TableScene(scene.api, *scene.people)
        other.hub = scene.hub
        broken, _ = await scene.join()
        followed, _ = await other.join()
        damage(scene.api.service, StreamId("table", scene.table))
        other.act()
        for table in (scene.table, other.table):
            scene.feed.point(table)
        await until(lambda: broken.has_ended and len(followed.events) > 1)

        assert not followed.has_ended

    scenario(api, ada, bob)


def test_a_stream_whose_end_vanished_stays_until_the_next_end(api, ada, bob, monkeypatch):
    monkeypatch.setattr(hub_module, "STAY_SECONDS", 60)

    @live
    async def scenario(scene):
        recorded_stream, _ = await scene.join()
        (channel,) = scene.hub._channels.values()
        before = scene.watch()
        ada.resign(scene.path)
        scene.feed.point(scene.table)
        await until(lambda: channel.closing is not None)

        first = channel.closing
        channel.restart(before.loaded, before.names)
        assert (first.cancelled(), channel.closing) == (True, None)
        scene.feed.point(scene.table)
        await until(lambda: channel.closing is not None)
        assert [kind for kind, _, _ in recorded_stream.events].count("end") == 2

    scenario(api, ada, bob)


def test_a_store_rollback_without_feed_entry_resets_the_stream(api, ada, bob, monkeypatch):
    monkeypatch.setattr(hub_module, "CHECK_SECONDS", 0.05)

    @live
    async def scenario(scene):
        scene.act(2)
        recorded_stream, _ = await scene.join()
        put_back(scene.api.service, scene.table, 6)
        await until(lambda: "reset" in [kind for kind, _, _ in recorded_stream.events])
        assert recorded_stream.ids == [7, 0, 6]

    scenario(api, ada, bob)
