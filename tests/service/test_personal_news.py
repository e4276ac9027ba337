"""Players follow their own tables across API processes, lost connections and outages of Redis."""

import pytest

from hoodwink.service.supervisor import isolated_service
from tests.pace import AT_ONCE
from tests.service.api_processes import api_processes
from tests.service.application.world import put_back
from tests.service.direct import service_on
from tests.service.older_store import Party
from tests.service.processes import SERVER, await_true, service_settings
from tests.service.test_operation import member

pytestmark = pytest.mark.processes

ME = "/v1/me"


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A service with two API processes."""
    folder = str(tmp_path_factory.mktemp("personal"))
    with isolated_service(service_settings(folder, job_slots=0, api_workers=2)) as settings:
        yield settings


@pytest.fixture
def processes(running):
    found = api_processes(running)
    yield found
    for process in found:
        process.close()


def news(frames, table):
    """Returns the types of a table's news in order of arrival."""
    return [frame.event for frame in frames.seen if any_of(table)(frame)]


def any_of(table):
    return lambda frame: frame.data.get("table", {}).get("id") == table


def of(kind, table):
    return lambda frame: frame.event == kind and any_of(table)(frame)


def is_snapshot_with(table):
    return lambda frame: frame.event == "snapshot" and table in [row["id"] for row in frame.data["tables"]]


def registered(process):
    return process.post("/v1/players")["token"]


def listed(process, token, phase="live"):
    return [row["id"] for row in process.get(f"{ME}/tables?phase={phase}", token)["tables"]]


def started(process, host, guest):
    """Returns the id of a started table of the two."""
    table = process.post("/v1/tables", host, {"game": "blindside", "seats": 2, **AT_ONCE})["view"]["id"]
    for token in (host, guest):
        process.post(f"/v1/tables/{table}/seats", token)
    process.post(f"/v1/tables/{table}/start", host)
    return table


def test_only_the_player_gets_news_of_a_table_until_its_end(processes):
    first, second = processes
    host, guest, stranger = (registered(first) for _ in range(3))
    with first.watching(ME, guest) as frames, second.watching(ME, stranger) as others:
        frames.await_frame(lambda frame: frame.event == "snapshot")
        others.await_frame(lambda frame: frame.event == "snapshot")
        table = started(second, host, guest)
        began = frames.await_frame(of("your_turn", table))
        await_true(lambda: listed(second, guest) == [table])
        second.post(f"/v1/tables/{table}/resign", host, {"confirm": True})
        frames.await_frame(of("table_ended", table))

    # Of a table found by the regular check before the feed names it, only the latest news is sent.
    assert news(frames, table) in (
        ["your_turn", "table_ended"],
        ["table_started", "your_turn", "table_ended"],
    )
    assert frames.seen[began].data["now"] >= frames.seen[began].data["table"]["waits_since"]
    assert [frame.event for frame in others.seen] == ["snapshot"]
    await_true(lambda: listed(first, guest, "ended") == [table])


def test_a_stream_resumed_at_another_process_has_each_table_once(processes):
    first, second = processes
    party = Party(first)
    guest = party.tokens[1]
    await_true(lambda: listed(first, guest) == [party.id])
    party.act_until_step(first, "draw")
    with first.watching(ME, guest) as frames:
        frames.await_frame(is_snapshot_with(party.id))
    last_id = frames.seen[-1].id
    party.act_on(second, 12)
    with second.watching(ME, guest, last_id=last_id) as frames:
        frames.await_frame(of("your_turn", party.id))
    middle_id = frames.seen[-1].id
    assert news(frames, party.id) == ["your_turn"]
    assert frames.seen[0].data["table"]["version"] == party.view(first)["version"]

    first.post(f"{party.path}/resign", party.tokens[0], {"confirm": True})
    with first.watching(ME, guest, last_id=middle_id) as frames:
        frames.await_frame(of("table_ended", party.id))
    assert [frame.event for frame in frames.seen] == ["table_ended"]

    with second.watching(ME, guest, last_id=frames.seen[-1].id) as frames:
        later = Party(second)  # other people's table, to have other events
        later.act_on(first, 6)
    assert frames.seen == []


def test_streams_end_soon_after_their_token_was_replaced_elsewhere(processes):
    first, second = processes
    player, other = (registered(first) for _ in range(2))
    table = started(second, player, other)
    with (
        first.watching(ME, player) as news_of_player,
        first.watching(f"/v1/tables/{table}", player) as moves,
        first.watching(f"/v1/tables/{table}", other) as moves_of_other,
    ):
        for frames in (news_of_player, moves, moves_of_other):
            frames.await_frame(lambda frame: frame.event == "snapshot")
        second.post("/v1/players/me/token", player)
        await_true(lambda: news_of_player.have_ended and moves.have_ended)
        assert not moves_of_other.have_ended


def test_news_continue_after_redis_was_killed(running, processes):
    first, second = processes
    host, guest = (registered(first) for _ in range(2))
    with first.watching(ME, guest) as frames:
        frames.await_frame(lambda frame: frame.event == "snapshot")
        table = started(second, host, guest)
        # A stream interrupted during its start ends. News of a new table shows that it has started.
        frames.await_frame(any_of(table))
        killed = member(running, SERVER)
        killed.kill()
        await_true(lambda: member(running, SERVER).pid != killed.pid)
        second.post(f"/v1/tables/{table}/resign", host, {"confirm": True})
        frames.await_frame(of("table_ended", table))

    assert news(frames, table).count("table_ended") == 1
    assert "reset" not in [frame.event for frame in frames.seen]


def test_a_store_that_lost_events_resets_the_stream(running, processes):
    first, _ = processes
    party = Party(first)
    guest = party.tokens[1]
    await_true(lambda: listed(first, guest) == [party.id])
    party.act_until_step(first, "draw")
    with first.watching(ME, guest) as frames:
        frames.await_frame(is_snapshot_with(party.id))
        with service_on(running) as service:
            put_back(service, party.id, 5)
        reset = frames.await_frame(lambda frame: frame.event == "reset")
        again = frames.await_frame(is_snapshot_with(party.id), after=reset)

    (row,) = frames.seen[again].data["tables"]
    assert (frames.seen[reset].id, row["version"]) == ("", 5)
