"""The store loses acknowledged writes: a Redis is killed, or a replica takes over.

The Redis with `everysec` is killed during a slow sync; the replica has not received the last writes.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis.cluster import RedisCluster

from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import StreamId
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.redis_binary import NoRedisBinary, find_redis
from tests.service.adapters.servers import Node, cut_off, replicated_cluster, server, take_over
from tests.service.api_processes import ApiProcess, Frames, api_processes, frame_id
from tests.service.older_store import (
    Party,
    answers_of,
    assert_sound,
    expected_answers,
    stored_version,
    vanished,
)
from tests.service.processes import SERVER, await_true, service_settings
from tests.service.scraping import free_port
from tests.service.slow_sync import SlowSync
from tests.service.test_operation import member

pytestmark = pytest.mark.processes

GONE = 4
"""The number of events played, slightly more at tables with bots; some or all of them vanish."""

ATTEMPTS = 5
"""Redis delays a write by at most two seconds, so a busy machine may need several attempts."""

MAX_ATTEMPTS = 60
"""Enough tables or players that some are on each of three nodes."""


class Scene:
    """A service with two API processes and four tables; both processes see the first two until their end.

    Attributes:
        parties: in the order `pair`, `watch`, `fork`, `bot`.
        has_lasting_worker: the worker was not restarted, so its cache still holds the lost events.
    """

    def __init__(self, settings: Settings, stack: ExitStack, *, has_lasting_worker: bool) -> None:
        self.settings = settings
        self.has_lasting_worker = has_lasting_worker
        self.processes: Sequence[ApiProcess] = api_processes(settings)
        self.frames: Sequence[Frames] = ()
        self._stack = stack
        for process in self.processes:
            stack.callback(process.close)

    def open(self, *, suits: Callable[[StreamId], bool] = lambda _: True) -> None:
        """Opens tables with suitable streams, and lets both API processes watch one of them."""
        first, self._suits = self.processes[0], suits
        pair, watch, fork = (self._opened(2, rounds=1) for _ in range(3))
        # On a busy machine the bot may play a round to its end before the loss, and the rating would outlive it.
        self.parties = self.pair, self.watch, self.fork, self.bot = (
            pair,
            watch,
            fork,
            self._opened(1, rounds=2),
        )
        for party in self.parties:
            party.act_until_step(first, "draw")
        watching = [process.watching(self.watch.path) for process in self.processes]
        self.frames = [self._stack.enter_context(frames) for frames in watching]

    def _opened(self, people: int, *, rounds: int) -> Party:
        parties = (Party(self.processes[0], people=people, rounds=rounds) for _ in range(MAX_ATTEMPTS))
        return next(party for party in parties if self._suits(StreamId("table", party.id)))

    def _registered(self) -> Any:
        players = (self.processes[1].post("/v1/players") for _ in range(MAX_ATTEMPTS))
        return next(player for player in players if self._suits(StreamId("player", player["id"])))

    def go_on(self) -> None:
        """Plays the events that will vanish."""
        first, second = self.processes
        self.remembered = [party.act_on(second, GONE) for party in self.parties]
        for party in (self.pair, self.watch):
            party.view(first)
        self.newcomer = self._registered()
        for process in self.processes:
            process.get(self.pair.path, self.newcomer["token"])

    def has_lost(self) -> bool:
        """Waits for the store; returns whether events of each table vanished."""
        for process in self.processes:
            process.get("/readyz")
        stored = [stored_version(self.settings, party) for party in self.parties]
        return all(now < before for now, before in zip(stored, self.remembered, strict=True))


@contextmanager
def slow_sync(folder: Path) -> Iterator[Scene]:
    """Kills the embedded Redis before it has written everything it acknowledged."""
    disk = SlowSync(folder)
    data, port = str(folder / "data"), free_port()
    given = service_settings(data, job_slots=0, fsync="everysec", api_workers=2, metrics_port=port)
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        stack.callback(disk.end)
        for name, value in disk.environment.items():
            patch.setenv(name, value)
        scene = Scene(stack.enter_context(isolated_service(given)), stack, has_lasting_worker=False)
        assert any(loses_in_a_slow_sync(scene, disk) for _ in range(ATTEMPTS)), "nothing vanished"
        yield scene


def loses_in_a_slow_sync(scene: Scene, disk: SlowSync) -> bool:
    scene.open()
    disk.begin()
    scene.pair.act(scene.processes[1])  # this write causes a sync
    disk.await_sync()
    scene.go_on()
    killed = member(scene.settings, SERVER)
    killed.kill()
    disk.end()
    await_true(lambda: member(scene.settings, SERVER).pid != killed.pid)
    return scene.has_lost()


@contextmanager
def failover(folder: Path, *, is_killed: bool) -> Iterator[Scene]:
    """Lets a disconnected replica take over from its master, which is killed or becomes its replica."""
    with ExitStack() as stack:
        nodes = stack.enter_context(replicated_cluster(folder / "cluster"))
        broker = stack.enter_context(server(folder / "broker"))
        url = "redis+cluster://" + ",".join(f"127.0.0.1:{master.port}" for master, _ in nodes)
        given = service_settings(
            folder / "data",
            job_slots=0,
            redis_url=url,
            broker_url=f"redis://127.0.0.1:{broker.port}",
            api_workers=2,
            metrics_port=free_port(),
        )
        scene = Scene(stack.enter_context(isolated_service(given)), stack, has_lasting_worker=True)
        (master, replica), *others = nodes
        scene.open(suits=lies_on(url, master))
        cut_off(replica)
        scene.go_on()
        if is_killed:
            master.kill()
        heirs = [node for pair in others for node in pair]
        take_over(replica, heirs if is_killed else [master, *heirs])
        assert scene.has_lost()
        yield scene


def lies_on(url: str, master: Node) -> Callable[[StreamId], bool]:
    """Returns a predicate for the streams on a node."""
    with connect(url) as client:
        assert isinstance(client, RedisCluster)
    keys = Keys(Settings().partitions)

    def suits(stream: StreamId) -> bool:
        return bool(client.get_node_from_key(keys.stream(stream)).port == master.port)

    return suits


@contextmanager
def killed_master(folder: Path) -> Iterator[Scene]:
    with failover(folder, is_killed=True) as scene:
        yield scene


@contextmanager
def demoted_master(folder: Path) -> Iterator[Scene]:
    with failover(folder, is_killed=False) as scene:
        yield scene


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(slow_sync, marks=pytest.mark.campaign),
        pytest.param(killed_master, marks=[pytest.mark.cluster, pytest.mark.campaign]),
        pytest.param(demoted_master, marks=pytest.mark.cluster),
    ],
    ids=lambda failure: failure.__name__,
)
def scene(request, tmp_path_factory):
    try:
        find_redis()
    except NoRedisBinary as reason:
        pytest.skip(f"LOST WRITES NOT TESTED: {reason}")
    with request.param(tmp_path_factory.mktemp("lost")) as scene:
        yield scene


def test_every_api_process_continues_from_the_content_of_the_store(scene):
    expected = expected_answers(scene.settings, scene.pair)

    assert [answers_of(process, scene.pair) for process in scene.processes] == [expected, expected]
    scene.pair.play_out(*scene.processes)


def test_new_actions_at_one_process_are_seen_by_the_other(scene):
    first, second = scene.processes
    for _ in range(GONE + 2):
        scene.fork.act(first, choice=-1)

    assert answers_of(second, scene.fork) == expected_answers(scene.settings, scene.fork)
    scene.fork.play_out(second, first)


def test_a_bot_moves_again_even_if_its_worker_cached_the_move(scene):
    scene.bot.play_out(scene.processes[0])

    assert scene.has_lasting_worker == bool(vanished(scene.settings, "worker", scene.bot.id))


def test_a_vanished_player_is_unknown_everywhere(scene):
    token = scene.newcomer["token"]
    for process in scene.processes:
        scene.pair.view(process)  # it is then connected to the current master

    assert [process.ask("GET", scene.pair.path, token).status for process in scene.processes] == [401, 401]


def test_watchers_get_a_reset_and_a_new_snapshot(scene):
    acted = scene.watch.act(scene.processes[0]).answer

    for frames in scene.frames:
        reset = frames.await_frame(lambda frame: frame.event == "reset")
        frames.await_frame(lambda frame: frame.id == frame_id(acted), after=reset)
        assert frames.seen[reset].id == ""
        assert frames.seen[reset + 1].event == "snapshot"


def test_no_answer_was_a_500_and_the_audit_finds_no_differences(scene):
    for process in scene.processes:
        for party in scene.parties:
            party.view(process)

    assert_sound(scene.settings)
