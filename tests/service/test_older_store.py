"""An external Redis is rolled back to a state older than the caches of API processes, worker and projector."""

import os
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import pytest
from redis import Redis

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from tests.service.adapters.servers import Node, append_only_file, server
from tests.service.api_processes import ApiProcess, Frames, api_processes, frame_id
from tests.service.older_store import (
    Party,
    Vanished,
    answers_of,
    assert_sound,
    expected_answers,
    valid_log,
    vanished,
    without_now,
)
from tests.service.people import open_bot_table
from tests.service.processes import await_true, service_settings
from tests.service.scraping import ask, free_port, summed
from tests.service.test_operation import await_end

pytestmark = pytest.mark.processes

PAIRS = ("look", "play", "even", "fork", "keys", "watch", "resume")
KNOWN_TO_ONE = {"even", "fork", "bot", "score"}
"""Tables whose vanishing events the first API process never saw."""

MAX_ACTIONS_PER_ROUND = 20
"""Two people pass a card each, then draw, keep and discard three times."""

BOT_TURN = 3
"""Events of a turn; a bot takes all of them without a pause."""


def cut_file(node: Node) -> Callable[[], None]:
    """Returns a function that truncates the append-only file to its current size."""
    file = append_only_file(node.folder)
    size = file.stat().st_size
    return lambda: os.truncate(file, size)


def save_snapshot(node: Node) -> Callable[[], None]:
    """Saves the snapshot that a server without append-only file loads on a restart."""
    with Redis(port=node.port) as client:
        client.save()
    return lambda: None


class Scene:
    """A service with two API processes, and tables that are rolled back together.

    Attributes:
        gone: the number of vanished events of each table; slightly more if workers added some.
        before: the answer about each table at the version it is rolled back to.
        after: the last answer about each table before its events vanished.
    """

    def __init__(self, settings: Settings, gone: int) -> None:
        self.settings = settings
        self.gone = gone
        self.processes = self.first, self.second = api_processes(settings)
        self.frames = list[Frames]()
        self.bots, self.opening_key = "", uuid4().hex
        self.tables = {name: Party(self.first) for name in (*PAIRS, "score", "notice", "audit")}
        self.tables |= {"bot": Party(self.first, people=1), "last": Party(self.first, rounds=1)}
        self._prepare()
        self.kept = self.tables["keys"].act(self.first)
        self.before = self._answers()
        watched, (token, _) = self.tables["watch"].path, self.tables["watch"].tokens
        self.own_before = without_now(self.second.get(watched, token))

    def _prepare(self) -> None:
        for name, party in self.tables.items():
            dealt = party.act_until_step(self.first, "pass_blindside")
            if name in {"score", "notice", "audit", "last"}:
                party.act_until(self.first, dealt + MAX_ACTIONS_PER_ROUND - 1)
            else:
                is_late = name == "even" or (name == "bot" and self.gone == 1 + BOT_TURN)
                party.act_until_step(self.first, "discard" if is_late else "draw")

    def go_on(self) -> None:
        """Plays the events that will vanish, and lets every process cache them, the first one with exceptions."""
        self.lost = self.tables["keys"].act(self.second)
        for name, party in self.tables.items():
            party.act_until(self.second, self.before[name]["version"] + self.gone)
        self.after = self._answers()
        for name in self.tables.keys() - KNOWN_TO_ONE:
            assert self.tables[name].view(self.first) == self.after[name]
        for name in ("score", "notice", "last"):  # the projector has reached that version
            self.second.get(f"{self.tables[name].path}/ledger?wait_for={self.after[name]['version']}")
        self.lost_key = uuid4().hex
        self.newcomer = self.second.post("/v1/players", key=self.lost_key)
        self.lost_table = self.open(self.second)
        for process in self.processes:
            process.get(f"/v1/tables/{self.lost_table['view']['id']}", self.newcomer["token"])

    def open(self, process: ApiProcess) -> Any:
        """Opens a table, always with the same key; returns the answer."""
        host, form = self.tables["look"].tokens[0], {"game": "blindside", "seats": 2}
        return process.post("/v1/tables", host, form, key=self.opening_key)

    def _answers(self) -> dict[str, Any]:
        return {name: party.view(self.second) for name, party in self.tables.items()}


@pytest.fixture(
    scope="module",
    params=[pytest.param((4, cut_file), marks=pytest.mark.campaign), (7, save_snapshot)],
    ids=["4", "7"],
)
def scene(request, tmp_path_factory):
    gone, keep = request.param
    with ExitStack() as stack:
        folder = tmp_path_factory.mktemp("older")
        node = stack.enter_context(server(folder / "redis", durable=keep is cut_file))
        broker = stack.enter_context(server(folder / "broker"))  # it keeps running, like the worker
        given = service_settings(
            folder / "data",
            job_slots=0,
            redis_url=f"redis://127.0.0.1:{node.port}",
            broker_url=f"redis://127.0.0.1:{broker.port}",
            api_workers=2,
            metrics_port=free_port(),
        )
        scene = Scene(stack.enter_context(isolated_service(given)), gone)
        watched, (token, _) = scene.tables["watch"].path, scene.tables["watch"].tokens
        for process in scene.processes:
            stack.callback(process.close)
            scene.frames.append(stack.enter_context(process.watching(watched, token)))
        scene.bots = open_bot_table(scene.settings, "blindside", 4, options={"rounds": 20})
        put_back = keep(node)
        scene.go_on()
        node.kill()
        put_back()
        node.start()
        for process in scene.processes:
            process.get("/readyz")
        yield scene


def test_every_api_process_answers_with_the_content_of_the_store(scene):
    party = scene.tables["look"]

    answers = [answers_of(process, party) for process in scene.processes]

    assert answers == [expected_answers(scene.settings, party)] * 2
    assert answers[0][0][0] == scene.before["look"]


def test_people_continue_at_every_api_process(scene):
    scene.tables["play"].play_out(*scene.processes)


def test_a_process_with_replaced_actions_cached_decides_again(scene):
    party = scene.tables["even"]
    for _ in range(scene.gone):
        party.act(scene.first, choice=-1)
    assert party.view(scene.first)["version"] == scene.after["even"]["version"]
    token, (action, *_) = party.moves(scene.first)

    party.send(scene.second, token, action, uuid4().hex)  # drawing is legal after both

    expected = expected_answers(scene.settings, party)
    assert [answers_of(process, party) for process in scene.processes] == [expected, expected]
    party.play_out(scene.second, scene.first)


def test_new_actions_are_seen_even_if_the_table_grew_longer(scene):
    party = scene.tables["fork"]
    for _ in range(scene.gone + 2):
        party.act(scene.first, choice=-1)

    assert answers_of(scene.second, party) == expected_answers(scene.settings, party)
    party.play_out(scene.second, scene.first)


def test_a_bot_moves_again_despite_its_workers_cached_move(scene):
    scene.tables["bot"].play_out(scene.first)


def test_a_bot_table_in_play_continues_to_its_end(scene):
    await_end(scene.settings, scene.bots)

    valid_log(scene.bots, scene.processes)


def test_a_round_is_scored_again_despite_its_workers_cached_score(scene):
    party = scene.tables["score"]

    party.play_out(scene.second)

    version = party.view(scene.first)["version"]
    ledger = [process.get(f"{party.path}/ledger?wait_for={version}") for process in scene.processes]
    assert ledger[0] == ledger[1]
    assert len(ledger[0]["entries"]) == 2  # one per round


def test_a_table_with_a_public_seed_is_ended_again(scene):
    party = scene.tables["last"]
    lost = scene.after["last"]
    views = [party.view(process) for process in scene.processes]

    assert lost["view"]["phase"] == "ended"
    assert views[0] == views[1]
    assert views[0]["view"]["result"] == {"outcome": "abandoned", "places": None, "scores": None}
    assert views[0]["head"] != lost["head"]
    party.play_out(*scene.processes)


def test_a_vanished_key_counts_as_new_and_a_kept_one_repeats(scene):
    party, kept, lost = scene.tables["keys"], scene.kept, scene.lost
    version = scene.before["keys"]["version"]

    for process in scene.processes:
        assert party.send(process, kept.token, kept.action, kept.key) == kept.answer
    again = party.send(scene.second, lost.token, lost.action, lost.key)

    assert again["version"] == version + 1
    assert again["head"] != lost.answer["head"]
    assert party.send(scene.first, lost.token, lost.action, lost.key) == again
    assert party.view(scene.first)["version"] == version + 1


def test_a_vanished_player_is_unknown_until_registered_again(scene):
    path, token = f"/v1/players/{scene.newcomer['id']}", scene.newcomer["token"]
    party = scene.tables["look"].path

    assert [process.ask("GET", path).status for process in scene.processes] == [404, 404]
    assert [process.ask("GET", party, token).status for process in scene.processes] == [401, 401]
    assert scene.second.post("/v1/players", key=scene.lost_key) == scene.newcomer
    assert [process.ask("GET", party, token).status for process in scene.processes] == [200, 200]


def test_a_vanished_table_is_unknown_until_opened_again(scene):
    table = scene.lost_table["view"]["id"]
    path = f"/v1/tables/{table}"

    assert [process.ask("GET", path).status for process in scene.processes] == [404, 404]
    assert table not in {listed["id"] for listed in scene.first.get("/v1/tables?limit=100")["tables"]}
    opened = scene.open(scene.first)
    assert opened["view"]["id"] == table
    assert opened["head"] != scene.lost_table["head"]
    assert [process.get(path)["head"] for process in scene.processes] == [opened["head"]] * 2


def test_watchers_get_a_reset_and_a_new_snapshot(scene):
    party, before = scene.tables["watch"], scene.before["watch"]
    resets = [frames.await_frame(lambda frame: frame.event == "reset") for frames in scene.frames]

    acted = party.act(scene.first).answer

    for reset, frames in zip(resets, scene.frames, strict=True):
        frames.await_frame(lambda frame: frame.data["version"] == acted["version"], after=reset)
        assert frames.seen[reset] == ("", "reset", {"version": before["version"]})
        assert timeless(frames.seen[reset + 1]) == (frame_id(before), "snapshot", scene.own_before)
        assert frames.seen[reset + 2].id == frame_id(acted)
        assert [frame.event for frame in frames.seen].count("reset") == 1


def test_resuming_after_a_vanished_event_starts_with_a_reset(scene):
    party, before, after = scene.tables["resume"], scene.before["resume"], scene.after["resume"]

    for process in scene.processes:
        assert resumed(process, party, frame_id(after))[0] == ("", "reset", {"version": before["version"]})
    for _ in range(scene.gone + 1):
        acted = party.act(scene.second, choice=-1).answer
    for process in scene.processes:
        assert resumed(process, party, frame_id(after)) == [
            ("", "reset", {"version": acted["version"]}),
            (frame_id(acted), "snapshot", party.view(process)),
        ]
        for last_id in (frame_id(before), str(before["version"])):
            assert resumed(process, party, last_id)[0].data["version"] == before["version"] + 1


def resumed(process, party, last_id):
    """Returns the first two server-sent events of a resumed stream, without their sending times."""
    with process.watching(party.path, last_id=last_id) as frames:
        assert frames.status == 200
        frames.await_frame(lambda _: len(frames.seen) > 1)
        return [timeless(frame) for frame in frames.seen[:2]]


def timeless(frame):
    return frame._replace(data=without_now(frame.data))


def test_every_process_logs_and_counts_events_vanished_from_its_cache(scene):
    party = scene.tables["notice"]
    first, last = (answers["notice"]["version"] for answers in (scene.before, scene.after))

    party.play_out(scene.first, scene.second)
    scene.first.get(f"{party.path}/ledger?wait_for={party.view(scene.first)['version']}")

    noticed = {part: vanished(scene.settings, part, party.id) for part in ("api", "worker", "projector")}
    assert noticed["api"] == [Vanished(first + 1, last)] * 2
    for part in ("worker", "projector"):
        assert noticed[part], f"the {part} noticed nothing"
        assert all(range_.first == first + 1 and first < range_.last <= last for range_ in noticed[part])

    def are_counted():
        metrics = ask(scene.settings, "/metrics")[1]  # which may be two seconds old
        return all(
            summed(metrics, "hoodwink_vanished_events_total", {"process": part})
            >= sum(range_.last - range_.first + 1 for range_ in ranges)
            for part, ranges in noticed.items()
        )

    await_true(are_counted)


def test_no_answer_was_a_500_and_the_audit_finds_no_differences(scene):
    scene.tables["audit"].play_out(*scene.processes)

    assert_sound(scene.settings)
