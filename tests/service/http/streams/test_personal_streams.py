"""Players get the news of their own tables once each, and can resume after any of them."""

import asyncio
import json
import threading

import pytest

from hoodwink.domain.due_times import NOTHING_DUE
from hoodwink.domain.kernel import without_name
from hoodwink.domain.tables.events import SeatOffered, SeatTaken, TableOpened, TableStarted
from hoodwink.domain.tournaments.life.events import EntriesOffered, PlaceOffered
from hoodwink.service.adapters.store.people.presence import STAYS_MS
from hoodwink.service.application.ports import FeedEntry, StoreUnavailable, StreamId
from hoodwink.service.application.reading.my_tables import MAX_TABLES, SETTLED_MS
from hoodwink.service.http.framework.operations import Call
from hoodwink.service.http.framework.streaming import TableSubscription
from hoodwink.service.http.messages.requests import Request
from hoodwink.service.http.resources.players.me import MeResource
from hoodwink.service.http.serving.streams import hub as hub_module
from hoodwink.service.http.serving.streams import personal_streams as personal_module
from tests.service.application.world import StandingClock, lose_archived, put_back
from tests.service.http.api import catch_up, first_legal, new_api, problem
from tests.service.http.cup import Cup
from tests.service.http.players.test_bots import bot_of, challenge
from tests.service.http.room import Room
from tests.service.http.streams.test_hub import Feed, RecordedStream, hub_over, until


class PersonalRecord(RecordedStream):
    """A personal stream that records its frames."""

    @property
    def frames(self):
        """The type, id and data of each frame."""
        found = []
        for block in b"".join(self.chunks).decode().split("\n\n"):
            fields = dict(line.partition(":")[::2] for line in block.splitlines())
            if fields:
                found.append(
                    (fields["event"].strip(), fields.get("id", "").strip(), json.loads(fields["data"]))
                )
        return found

    @property
    def news(self):
        """The type and table of each piece of news."""
        return [(kind, data["table"]["id"]) for kind, _, data in self.frames if "table" in data]

    @property
    def kinds(self):
        return [kind for kind, _, _ in self.frames]

    @property
    def last_id(self):
        return self.frames[-1][1]


class Scene:
    """A hub and people of a service."""

    def __init__(self, api, people):
        self.api, self.people = api, people
        self.feed = Feed()
        self.hub = hub_over(api, self.feed)
        self.clock = api.service.clock

    def subscription(self, person, last_id=None):
        headers = {} if last_id is None else {"last-event-id": last_id}
        call = Call(Request(method="GET", path="/v1/me/events", headers=headers, streams=Room()), {})
        call.player = self.api.service.players.authenticate(person.token)
        return MeResource(self.api.service).follow_my_tables(call).subscription

    async def join(self, person, last_id=None):
        record = PersonalRecord()
        leave = await self.hub.join(record, self.subscription(person, last_id))
        return record, leave

    async def seen(self, person, last_id=None):
        """Returns the record of a stream that ended right after its start."""
        record, leave = await self.join(person, last_id)
        leave()
        return record

    def open(self, *people):
        """Returns the path of an open table in the lobby."""
        return self._listed(self.api.table(*people))

    def playing(self, *people, **form):
        """Returns the path of a table in play in the lobby."""
        return self._listed(self.api.playing(*people, **form))

    def _listed(self, path):
        catch_up(self.api)
        return path

    def later(self, ms=1_000):
        self.clock.now += ms

    def point(self, path, *types):
        """Adds a feed entry for a table, as after a commit with events of these types."""
        stream = StreamId("table", path.rpartition("/")[2])
        wires = tuple(kind.wire for kind in types)
        self.feed.entries.put_nowait(FeedEntry(0, "1-1", stream, 1, 1, wires, NOTHING_DUE))

    def point_last(self, tournament, kind):
        """Adds a feed entry for the last event of a tournament."""
        version = self.api.service.tournaments.load(tournament).state.version
        entry = FeedEntry(
            0, "1-1", StreamId("tournament", tournament), version, version, (kind.wire,), NOTHING_DUE
        )
        self.feed.entries.put_nowait(entry)

    def move(self, path):
        """Lets the first person with a legal action act."""
        person, action = next((who, action) for who in self.people for action in first_legal(who, path))
        assert person.post(f"{path}/actions", action).status_code == 200
        self.point(path)


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(hub_module, "MAX_REST_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_BLOCK_MS", 20)
    monkeypatch.setattr(personal_module, "INTERVAL_SECONDS", 0.001)
    monkeypatch.setattr(personal_module, "_PAUSE_SECONDS", 0.001)


@pytest.fixture
def api():
    return new_api(clock=StandingClock())


def live(scenario):
    """Runs an asynchronous test with a service and people."""

    def test(api, ada, bob, cy):
        async def run():
            scene = Scene(api, (ada, bob, cy))
            try:
                await scenario(scene, ada, bob, cy)
            finally:
                await scene.hub.close()

        asyncio.run(run())

    return test


def id_of(path):
    return path.rpartition("/")[2]


@live
async def test_a_stream_starts_with_the_listed_tables(scene, ada, bob, cy):
    scene.api.playing(ada, bob)
    catch_up(scene.api)
    record, _ = await scene.join(ada)

    ((kind, _, data),) = record.frames
    assert kind == "snapshot"
    assert data == ada.get("/v1/me/tables").json
    assert data["now"] == scene.clock.now_ms()


@live
async def test_a_started_table_and_each_turn_are_reported_live(scene, ada, bob, cy):
    path = scene.open(ada, bob)
    record, _ = await scene.join(bob)
    scene.later()
    ada.post(f"{path}/start")
    scene.point(path, TableStarted)
    await until(lambda: record.news == [("table_started", id_of(path))])
    scene.later()
    scene.api.run_due(path)
    scene.point(path)
    await until(lambda: record.news[1:] == [("your_turn", id_of(path))])

    data = record.frames[-1][2]
    assert data["table"] == bob.get("/v1/me/tables").json["tables"][0]
    assert data["table"]["waits_since"] == data["now"] == scene.clock.now_ms()


@live
async def test_the_end_is_reported_and_other_players_turns_are_not(scene, ada, bob, cy):
    path = scene.playing(ada, bob, game="blind_don")
    mover, other = (ada, bob) if list(first_legal(ada, path)) else (bob, ada)
    streams = {person: (await scene.join(person))[0] for person in (ada, bob)}
    scene.later()
    scene.move(path)
    await until(lambda: streams[other].news == [("your_turn", id_of(path))])
    assert streams[mover].news == []

    scene.later()
    assert mover.resign(path).status_code == 200
    scene.point(path)
    await until(lambda: all(record.kinds[-1] == "table_ended" for record in streams.values()))


@live
async def test_a_table_joined_during_the_stream_appears(scene, ada, bob, cy):
    record, _ = await scene.join(bob)
    path = scene.api.table(ada, bob)
    scene.point(path, TableOpened, SeatTaken)
    scene.later()
    ada.post(f"{path}/start")
    scene.point(path, TableStarted)
    await until(lambda: record.news == [("table_started", id_of(path))])


@live
async def test_a_table_missed_by_the_feed_is_found_by_a_check(scene, ada, bob, cy):
    record, _ = await scene.join(bob)
    path = scene.playing(ada, bob)
    await scene.hub._personal.check()
    await scene.hub._personal.check()

    assert record.news == [("your_turn", id_of(path))]


@live
async def test_nobody_gets_news_of_other_peoples_tables(scene, ada, bob, cy):
    record, _ = await scene.join(cy)
    path = scene.api.playing(ada, bob)
    scene.point(path, TableOpened, SeatTaken, TableStarted)
    scene.later()
    scene.move(path)
    own = scene.api.playing(cy, ada)
    scene.point(own, TableOpened, SeatTaken, TableStarted)
    await until(lambda: record.news)

    assert {table for _, table in record.news} == {id_of(own)}


@live
async def test_a_player_who_left_gets_no_more_news(scene, ada, bob, cy):
    path = scene.open(ada, bob)
    record, _ = await scene.join(bob)
    watcher, _ = await scene.join(cy)
    assert bob.delete(f"{path}/seats/1").status_code == 200
    scene.point(path)
    await until(lambda: not scene.hub._personal._followers)
    cy.post(f"{path}/seats")
    ada.post(f"{path}/start")
    scene.point(path, SeatTaken, TableStarted)
    await until(lambda: watcher.news == [("table_started", id_of(path))])
    scene.later()
    scene.api.run_due(path)
    scene.point(path)
    await until(lambda: watcher.news[1:] == [("your_turn", id_of(path))])

    assert record.news == []


@live
async def test_opened_tournament_rounds_are_reported(scene, ada, bob, cy):
    cup = Cup(scene.api, scene.api.person("Olga"))
    cup.start(ada, bob, cy)
    record, _ = await scene.join(ada)
    cup.pair()
    cup.start_round()
    for table in cup.tables():
        scene.point(table, TableOpened, SeatTaken, TableStarted)
    await until(lambda: record.kinds[:2] == ["snapshot", "round_opened"])
    assert record.frames[1][2]["table"]["tournament"]["tournament"] == cup.id


@live
async def test_t_19_t_28_an_offer_of_a_tournament_is_news_for_its_player_alone(scene, ada, bob, cy):
    cup = Cup(scene.api, scene.api.person("Olga"))
    entered, called = (await scene.join(cy))[0], (await scene.join(ada))[0]
    cup.command("/registration")
    cup.command("/offers", {"players": [ada.id, bob.id]})
    scene.point_last(cup.id, EntriesOffered)
    await until(lambda: len(called.frames) == 2)
    cup.enter(bob, cy)
    cup.command("/start")
    cup.command(f"/entrants/{cy.id}/substitute", {"player": ada.id, "reason": "Ill."})
    scene.point_last(cup.id, PlaceOffered)
    await until(lambda: len(called.frames) == 3)

    offer = {"now": scene.clock.now_ms(), "tournament": {"id": cup.id, "name": "The Cup"}}
    assert called.frames[1:] == [("tournament_offer", "", offer)] * 2
    assert entered.kinds == ["snapshot"]


@live
async def test_watchers_of_tables_do_not_wait_for_personal_streams(scene, ada, bob, cy):
    path = scene.api.playing(ada, bob)
    await scene.join(cy)
    loaded = scene.api.service.tables.load(id_of(path))
    watcher = RecordedStream()
    await scene.hub.join(watcher, TableSubscription(loaded=loaded, names=without_name))
    is_held, goes_on = threading.Event(), threading.Event()

    def owners(tables):
        is_held.set()
        assert goes_on.wait(60)
        return {}

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scene.api.service.my_tables, "owners", owners)
        scene.point(scene.api.table(ada, bob), TableOpened, SeatTaken)
        await until(is_held.is_set)
        scene.move(path)
        await until(lambda: loaded.state.version + 1 in watcher.ids)
        goes_on.set()


def add_unknown_event(service, stream):
    key = service.store._keys.stream(stream)
    (_, fields), *_ = service.client.xrevrange(key, count=1)
    service.client.xadd(key, fields | {b"type": b"table.unheard_of"})


@pytest.mark.parametrize("damage", [add_unknown_event, lose_archived])
def test_an_unreadable_log_ends_only_its_players_streams(api, ada, bob, cy, damage):
    @live
    async def scenario(scene, ada, bob, cy):
        broken, path = scene.playing(ada, bob), scene.playing(cy, bots=1)
        streams = [(await scene.join(person))[0] for person in (ada, bob, cy)]
        damage(scene.api.service, StreamId("table", id_of(broken)))
        scene.point(broken)
        await until(lambda: [record.has_ended for record in streams] == [True, True, False])
        scene.later()
        assert cy.resign(path).status_code == 200
        scene.point(path)
        await until(lambda: streams[2].kinds[-1] == "table_ended")

    scenario(api, ada, bob, cy)


def test_reading_many_players_tables_takes_no_more_round_trips(api, ada, bob, cy):
    tables = [id_of(api.playing(*pair)) for pair in ((ada, bob), (bob, cy), (cy, ada))]
    catch_up(api)
    mine, people = api.service.my_tables, [(person.id, ()) for person in (ada, bob, cy)]

    found, trips = round_trips(api, lambda: mine.unknown_each(people))
    assert [set(ids) for ids in found] == [set(tables[::2]), set(tables[:2]), set(tables[1:])]
    assert trips == round_trips(api, lambda: mine.unknown_each(people[:1]))[1]
    owners, trips = round_trips(api, lambda: mine.owners(tables))
    assert {player: set(ids) for player, ids in owners.items()} == {
        player: set(ids) for (player, _), ids in zip(people, found, strict=True)
    }
    assert trips == round_trips(api, lambda: mine.owners(tables[:1]))[1]


def round_trips(api, function):
    """Returns a function's result and its number of round trips to Redis."""
    pool, asked = api.service.client.connection_pool, []
    original = pool.get_connection

    def get_connection(*args, **options):
        asked.append(1)
        return original(*args, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pool, "get_connection", get_connection)
        return function(), len(asked)


@live
async def test_streams_are_checked_in_turn(scene, ada, bob, cy):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(personal_module, "CHECK_SECONDS", 0.02)
        records = {person: (await scene.join(person))[0] for person in (ada, bob)}
        assert len({person.part for person in scene.hub._personal.people}) == 2
        path = scene.api.playing(ada, bob)
        catch_up(scene.api)
        await until(lambda: all(record.news for record in records.values()))
    assert {news for record in records.values() for news in record.news} == {("your_turn", id_of(path))}


@live
async def test_a_failed_check_is_repeated(scene, ada, bob, cy):
    record, _ = await scene.join(bob)
    path = scene.playing(ada, bob)
    failures = iter([StoreUnavailable("gone"), ZeroDivisionError()])
    unknown_each = scene.api.service.my_tables.unknown_each

    def unknown_or_failure(asked):
        if failure := next(failures, None):
            raise failure
        return unknown_each(asked)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scene.api.service.my_tables, "unknown_each", unknown_or_failure)
        scene.hub._personal.miss()
        await until(lambda: record.news == [("your_turn", id_of(path))])


# ------------------------------------------------------------------------------------- resumption


@live
async def test_a_resumed_stream_reports_each_table_with_news_once(scene, ada, bob, cy):
    quiet, ending = (scene.api.playing(ada, bob) for _ in range(2))
    busy = scene.playing(ada, bob, game="blind_don")
    record = await scene.seen(bob)
    scene.later()
    for _ in range(4):
        scene.later(10)
        scene.move(busy)
        scene.api.run_due(busy)
    scene.later()
    assert ada.resign(ending).status_code == 200
    new = scene.playing(cy, bob)
    resumed = await scene.seen(bob, record.last_id)

    assert sorted(resumed.news) == sorted(
        [("your_turn", id_of(busy)), ("table_ended", id_of(ending)), ("your_turn", id_of(new))]
    )
    rows = {row["id"]: row for row in bob.get("/v1/me/tables").json["tables"]}
    assert [data["table"] for _, _, data in resumed.frames if data["table"]["phase"] == "playing"] == [
        rows[table] for kind, table in resumed.news if kind == "your_turn"
    ]
    again, _ = await scene.join(bob, resumed.last_id)
    assert again.frames == []
    assert id_of(quiet) not in str(resumed.frames)


@live
async def test_a_stream_can_resume_from_every_frame_of_a_resumption(scene, ada, bob, cy):
    paths = [scene.api.table(ada, bob) for _ in range(3)] + [scene.api.table(cy, bob)]
    catch_up(scene.api)
    record = await scene.seen(bob)
    for path in paths:
        scene.later(SETTLED_MS)  # even if one is too old to be in the ids of later frames
        ada.post(f"{path}/start") if path is not paths[-1] else cy.post(f"{path}/start")
    scene.later()
    scene.api.run_due(paths[0])  # the first started table has the latest news
    scene.later(3 * SETTLED_MS)
    resumed = await scene.seen(bob, record.last_id)

    assert resumed.kinds == ["table_started"] * 3 + ["your_turn"]
    for number in range(4):
        rest = await scene.seen(bob, resumed.frames[number][1])
        assert rest.news == resumed.news[number + 1 :]


@live
async def test_a_late_stored_event_is_reported_despite_its_earlier_time(scene, ada, bob, cy):
    slow, quick = scene.api.table(ada, bob), scene.api.table(ada, bob)
    catch_up(scene.api)
    record, leave = await scene.join(bob)
    scene.later(500)
    ada.post(f"{quick}/start")
    scene.point(quick, TableStarted)
    await until(lambda: record.news == [("table_started", id_of(quick))])
    leave()
    scene.later(-100)
    ada.post(f"{slow}/start")
    resumed, _ = await scene.join(bob, record.last_id)

    assert resumed.news == [("table_started", id_of(slow))]


@live
async def test_a_past_turn_is_reported_with_the_current_table(scene, ada, bob, cy):
    path = scene.open(ada, bob)
    record = await scene.seen(bob)
    ada.post(f"{path}/start")
    scene.api.run_due(path)
    scene.later()
    assert bob.post(f"{path}/actions", next(first_legal(bob, path))).status_code == 200
    resumed, _ = await scene.join(bob, record.last_id)

    assert resumed.news == [("your_turn", id_of(path))]
    assert resumed.frames[0][2]["table"]["waits_since"] is None


@live
async def test_a_table_ended_just_before_the_snapshot_is_not_reported(scene, ada, bob, cy):
    path = scene.api.playing(ada, bob)
    assert bob.resign(path).status_code == 200
    catch_up(scene.api)
    record = await scene.seen(bob)
    assert record.frames[0][2]["tables"] == []
    resumed, _ = await scene.join(bob, record.last_id)

    assert resumed.frames == []


@live
async def test_ended_tables_are_dropped_once_stream_ids_can_omit_them(scene, ada, bob, cy):
    first, second = scene.api.playing(ada, bob), scene.api.playing(ada, bob)
    catch_up(scene.api)
    record, _ = await scene.join(bob)
    for path in (first, second):
        scene.later(2 * SETTLED_MS)
        assert ada.resign(path).status_code == 200
        scene.point(path)
        await until(lambda path=path: record.news[-1:] == [("table_ended", id_of(path))])

    assert set(scene.hub._personal._followers) == {StreamId("table", id_of(second))}
    assert record.last_id.count(".") == 1


@live
async def test_too_many_ended_tables_are_replaced_by_a_snapshot(scene, ada, bob, cy):
    path = scene.playing(ada, bob)
    record = await scene.seen(bob)
    scene.later()
    assert bob.resign(path).status_code == 200
    catch_up(scene.api)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("hoodwink.service.application.reading.my_tables.MAX_TABLES", 1)
        resumed, _ = await scene.join(bob, record.last_id)

    assert resumed.kinds == ["snapshot"]
    assert MAX_TABLES > 1


# ------------------------------------------------------------------------------- an older store


@live
async def test_a_store_rollback_resets_an_open_stream(scene, ada, bob, cy):
    path = scene.playing(ada, bob)
    record, _ = await scene.join(bob)
    put_back(scene.api.service, id_of(path), 4)
    scene.point(path)
    await until(lambda: record.kinds == ["snapshot", "reset", "snapshot"])

    assert record.frames[1][1:] == ("", {"now": scene.clock.now_ms()})
    assert record.frames[2][2]["tables"][0]["version"] == 4


@live
async def test_a_store_rollback_resets_a_resumed_stream(scene, ada, bob, cy):
    path = scene.playing(ada, bob)
    record = await scene.seen(bob)
    put_back(scene.api.service, id_of(path), 4)
    resumed, _ = await scene.join(bob, record.last_id)

    assert resumed.kinds == ["snapshot"]


@live
async def test_a_vanished_table_is_omitted(scene, ada, bob, cy):
    path = scene.playing(ada, bob)
    record, leave = await scene.join(bob)
    put_back(scene.api.service, id_of(path), 0)
    scene.point(path, TableOpened)
    await until(lambda: record.kinds == ["snapshot", "reset", "snapshot"])
    leave()

    assert record.frames[-1][2]["tables"] == []
    assert bob.get("/v1/me/tables").json["tables"] == []
    assert (await scene.join(bob, "0"))[0].frames == []


@live
async def test_news_during_a_feed_outage_is_reported(scene, ada, bob, cy):
    path = scene.open(ada, bob)
    record, _ = await scene.join(bob)
    scene.feed.fails = 2
    scene.feed.entries.put_nowait(StoreUnavailable("gone"))
    scene.later()
    ada.post(f"{path}/start")
    await until(lambda: record.news == [("table_started", id_of(path))])


@live
async def test_nothing_is_written_to_an_ended_stream(scene, ada, bob, cy):
    path = scene.open(ada, bob)
    record, leave = await scene.join(bob)
    leave()
    leave()
    record.end()
    scene.later()
    ada.post(f"{path}/start")
    other, _ = await scene.join(ada)
    scene.point(path, TableStarted)
    await until(scene.feed.entries.empty)

    assert len(scene.hub._personal.people) == 1
    assert other.kinds == ["snapshot"]


@live
async def test_a_bot_is_online_and_hears_of_challenges_while_it_follows_its_stream(scene, ada, bob, cy):
    bot, other = (bot_of(scene.api, ada, is_online=False) for _ in range(2))
    record, _ = await scene.join(bot)
    await scene.join(ada)
    assert [listed["id"] for listed in ada.get("/v1/bots").json["bots"]] == [bot.id]

    path = challenge(bob, bot).headers["Location"]
    scene.point(path, SeatOffered)
    await until(lambda: ("seat_offered", id_of(path)) in record.news)

    problem(challenge(bob, other), 409, "bot_offline")
    scene.later(STAYS_MS)
    assert ada.get("/v1/bots").json == {"bots": []}
