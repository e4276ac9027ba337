"""Real processes are killed during play: every table continues, and nothing is lost or doubled."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count, pairwise
from random import Random
from typing import Any, get_args

import pytest

from hoodwink.domain.cards import commitment
from hoodwink.domain.projections import PROJECTIONS
from hoodwink.domain.tables.actor import HOST
from hoodwink.domain.tables.commands import (
    OpenTable,
    StartTable,
    TakeSeat,
)
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tables.proving.log import export_log
from hoodwink.domain.tables.proving.proof import check_entries
from hoodwink.domain.tables.proving.verify import (
    TABLE,
    Verdict,
    verify_log,
)
from hoodwink.domain.tables.state import Phase
from hoodwink.service.adapters.process.request_ids import serving
from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.audit.difference import PATIENCE_SECONDS
from hoodwink.service.application.ports import IdempotencyKey, StreamId
from hoodwink.service.application.work.due import DueKind
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.pace import AT_ONCE
from tests.service.application.audits import differences as audited
from tests.service.direct import service_on
from tests.service.plain_client import ServiceClient, ServiceError
from tests.service.processes import SERVER, service_settings
from tests.workers.parts import EVERY_PART, await_stable, kill, until

pytestmark = pytest.mark.processes

NUMBERS = count(1)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A whole service in other processes."""
    folder = str(tmp_path_factory.mktemp("service"))
    with isolated_service(service_settings(folder, job_slots=0)) as running:
        yield running


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    with service_on(settings) as service:
        yield service


# --------------------------------------------------------------------------------------- tables


def open_tables(service: Service, count: int, **options: Any) -> list[str]:
    """Opens and starts bot tables; returns their ids."""
    tables = [f"table{next(NUMBERS)}" for _ in range(count)]
    for table in tables:
        opening = OpenTable(
            table=table,
            game="blindside",
            seats=3,
            options=options,
            host="nobody",
            turn_seconds=0,
            bot_delay=0,
            round_pause=0,
            server_seed=service.entropy.server_seed(),
        )
        service.tables.open(table, opening, by=HOST, key=IdempotencyKey(table, ""))
        for seat in range(3):
            bot = TakeSeat(player="bot:random", policy="random", seat=seat)
            service.tables.execute(table, lambda _, bot=bot: (bot, HOST))  # type: ignore[misc]
        service.tables.execute(table, lambda _: (StartTable(), HOST))
    return tables


def versions(service: Service, tables: Sequence[str]) -> int:
    return sum(service.tables.load(table).state.version for table in tables)


def have_ended(service: Service, tables: Sequence[str]) -> bool:
    return all(service.tables.load(table).state.phase is Phase.ENDED for table in tables)


def assert_sound(service: Service, tables: Sequence[str]) -> None:
    """Asserts that every log is valid, the projections agree with the logs, and nothing is due at these tables."""
    for table in tables:
        verdict = verify_log(export_log(table, service.tables.entries(table)))
        assert verdict.valid, verdict
    for projection in PROJECTIONS:
        assert audited(service, projection.name, patience_seconds=PATIENCE_SECONDS) == []
    until(lambda: not due(service) & set(tables))


def answers(service: Service) -> bool:
    service.check_store()
    return True


def due(service: Service) -> set[str]:
    """Returns the tables with a due time of any kind."""
    end_of_time = 1 << 50
    kinds: tuple[DueKind, ...] = get_args(DueKind)
    return {table for kind in kinds for table in service.due_times.due_by(kind, end_of_time, count=1_000)}


def open_in_play(service: Service, count: int, events: int, **options: Any) -> list[str]:
    """Opens bot tables and returns them after this many events; on a busy machine, all may end before it looks again."""
    tables = list[str]()
    while have_ended(service, tables):
        tables += open_tables(service, count, **options)
        before = versions(service, tables)
        until(lambda: versions(service, tables) > before + events)  # noqa: B023 - called before `before` changes
    return tables


# ----------------------------------------------------------------------------------------- kills


@pytest.mark.parametrize(
    "words",
    [EVERY_PART, *(pytest.param((word,), marks=pytest.mark.campaign) for word in EVERY_PART[:3])],
    ids="+".join,
)
def test_parts_killed_during_play_only_delay_the_tables(settings, service, words):
    chance, tables = Random("+".join(words)), list[str]()
    for _ in range(2):
        await_stable(settings, words)
        until(lambda: answers(service))
        tables += open_in_play(service, 3, chance.randint(1, 60), rounds=8)
        kill(settings, words)
    until(lambda: have_ended(service, tables))
    assert_sound(service, tables)


def test_tasks_lost_by_the_broker_are_sent_again(settings, service):
    tables = list[str]()
    while have_ended(service, tables):
        # On a busy machine, the successor may take the tasks before they are deleted.
        await_stable(settings, ["celery"])
        kill(settings, ["celery"])  # tasks wait for its successor
        tables += open_tables(service, 2, rounds=4)
        until(lambda: lose_tasks(service) or have_ended(service, tables))  # noqa: B023 - called before `tables` changes

    until(lambda: have_ended(service, tables))
    assert_sound(service, tables)


def lose_tasks(service: Service) -> int:
    """Deletes the queues of waiting tasks; returns their number."""
    return sum(int(service.client.delete(key)) for key in service.client.scan_iter(match="hw:celery:celery*"))


# ---------------------------------------------------------------------------------------- people


class Player:
    """A person who acts over HTTP whenever it is their turn."""

    def __init__(self, base: str, name: str) -> None:
        registered = ServiceClient(base).post("/v1/players", {"name": name})
        self.client = ServiceClient(base, token=registered["token"])
        self.acted = 0

    def act(self, table: str) -> None:
        """Takes a legal action if there is one; does nothing while the service is unavailable."""
        with suppress(ServiceError):
            legal = self.client.get(f"{table}/legal-actions")["actions"]
            if legal:
                self.client.post(f"{table}/actions", legal[0])
                self.acted += 1

    def play(self, table: str) -> None:
        """Plays randomly in any game, even out of turn; does nothing while the service is unavailable."""
        with suppress(ServiceError):
            legal = self.client.get(f"{table}/legal-actions")
            choices = [
                {"type": choice["type"], "cards": choice["cards"][: choice["at_least"]]}
                for choice in legal["choices"]
            ]
            if found := [*legal["actions"], *choices]:
                self.client.post(f"{table}/actions", found[0])


def open_with_player(settings: Settings, **form: Any) -> tuple[Player, str]:
    """Returns a player and the path of their table with two bots, started."""
    player = Player(address(settings), "Ada")
    form = {"game": "blindside", "seats": 3, **AT_ONCE} | form
    table = f"/v1/tables/{player.client.post('/v1/tables', form)['view']['id']}"
    player.client.post(f"{table}/seats", {})
    for _ in range(2):
        player.client.post(f"{table}/seats", {"policy": "random"})
    player.client.post(f"{table}/start", {})
    return player, table


def view(player: Player, table: str) -> Any:
    return player.client.get(table)["view"]


def test_feed_entries_of_workers_carry_the_id_of_the_request(settings, service):
    with serving("asked-1"):
        (table,) = open_tables(service, 1, rounds=1)
    until(lambda: service.tables.load(table).state.phase is Phase.ENDED)

    pointers: Any = service.client.xrange(service_feed(service, table))
    of_table = [fields for _, fields in pointers if fields[b"stream"] == f"table:{table}".encode()]
    requests = [fields[b"request"] for fields in of_table]
    assert requests.count(b"asked-1") > 5  # commits with our request id
    assert set(requests) <= {b"asked-1", b""}  # a late task is sent again without a request
    assert "asked-1" not in str(service.tables.entries(table))


def service_feed(service: Service, table: str) -> str:
    keys = Keys(service.settings.partitions)
    return keys.feeds[keys.partition(StreamId("table", table))]


def test_a_person_plays_on_through_every_kill(settings, service):
    player, table = open_with_player(settings, options={"rounds": 3})
    for word in ("celery", SERVER, "hoodwink.workers.projector"):
        acted = player.acted
        until(lambda: player.acted > acted + 2, doing=lambda: player.act(table))  # noqa: B023 - called before `acted` changes
        await_stable(settings, [word])
        kill(settings, [word])
    until(lambda: view(player, table)["phase"] == "ended", doing=lambda: player.act(table))
    assert view(player, table)["result"]["outcome"] == "played_out"
    assert_sound(service, [table.rpartition("/")[2]])


def test_a_bot_plays_for_an_absent_person_until_they_return(settings, service):
    # The delay gives the person time to return before the end.
    player, table = open_with_player(settings, turn_seconds=1, bot_delay=100, options={"rounds": 3})

    def seat() -> Any:
        return view(player, table)["seats"][0]

    until(lambda: seat()["bot_kept"])
    history = service.tables.history(table.rpartition("/")[2])
    late = [recorded for recorded in history if recorded.event.wire == "table.clock_ran_out"]
    assert {recorded.entry.by for recorded in late} == {"bot:0"}
    assert len(late) == 3
    version = view(player, table)["version"]
    until(lambda: view(player, table)["version"] > version)
    until(lambda: has_returned(player, table))
    assert not seat()["bot_kept"]
    until(lambda: view(player, table)["phase"] == "ended")
    assert_sound(service, [table.rpartition("/")[2]])


def has_returned(player: Player, table: str) -> bool:
    player.client.post(f"{table}/return", {})
    return True


# ------------------------------------------------------------------------------------------ pace

DELAY_MS = 200


def test_g_9_bots_wait_for_their_moments_through_every_kill(settings, service):
    player, table = open_with_player(
        settings, game="coconut", bot_delay=DELAY_MS, options={"rounds": 10, "voluntary_pickup": True}
    )
    id_ = table.rpartition("/")[2]

    def played() -> list[Any]:
        return [recorded for recorded in service.tables.history(id_) if recorded.event.cause()]

    for words in (("celery",), ("hoodwink.workers.projector",)):
        reached = len(played())
        until(lambda: len(played()) > reached + 8, doing=lambda: player.play(table))  # noqa: B023 - called before `reached` changes
        await_stable(settings, words)
        kill(settings, words)
    reached = len(played())
    until(lambda: len(played()) > reached + 8, doing=lambda: player.play(table))
    moves = played()
    turns = [(before, move) for before, move in pairwise(moves) if move.event.wire == "coconut.cards_played"]
    waits = [move.entry.at - before.entry.at for before, move in turns if move.entry.by.startswith("bot:")]
    assert waits
    assert min(waits) >= DELAY_MS * 6 // 10
    assert check_entries(TABLE, id_, service.tables.entries(id_)) is None


# ----------------------------------------------------------------------------------------- seeds


def open_committed(settings: Settings, seed: str) -> tuple[Player, str]:
    """Returns a player who committed to a seed, and the path of their table with two bots, started."""
    player = Player(address(settings), "Ada")
    form = {"game": "blindside", "seats": 3, "options": {"rounds": 1}, **AT_ONCE}
    table = f"/v1/tables/{player.client.post('/v1/tables', form)['view']['id']}"
    player.client.post(f"{table}/seats", {"seed_commitment": commitment(seed)})
    for _ in range(2):
        player.client.post(f"{table}/seats", {"policy": "random"})
    player.client.post(f"{table}/start", {})
    return player, table


def finish(service: Service, player: Player, table: str) -> Verdict:
    """Plays the table to its end and returns the verdict on its log."""
    until(lambda: view(player, table)["phase"] == "ended", doing=lambda: player.act(table))
    table_id = table.rpartition("/")[2]
    assert_sound(service, [table_id])
    return verify_log(export_log(table_id, service.tables.entries(table_id)))


def test_a_table_is_dealt_after_the_reveal(settings, service):
    player, table = open_committed(settings, "5eed" * 8)
    assert view(player, table)["stage"] == "to_deal"
    player.client.post(f"{table}/seed", {"seed": "5eed" * 8})
    until(lambda: view(player, table)["stage"] == "in_play")
    assert finish(service, player, table).player_seeds == ("revealed", "none", "none")


def test_an_unrevealed_seed_is_missed_despite_killed_parts(settings, service):
    words = ("celery", "hoodwink.workers.projector", SERVER)
    await_stable(settings, words)
    until(lambda: answers(service))
    player, table = open_committed(settings, "5eed" * 8)
    kill(settings, words)
    until(lambda: view(player, table)["stage"] == "in_play")
    history = service.tables.history(table.rpartition("/")[2])
    started, missed, dealt = [
        next(recorded for recorded in history if recorded.event.wire == wire)
        for wire in ("table.started@2", "table.player_seed_missed", "blindside.round_dealt")
    ]
    assert started.entry.at + REVEAL_MS <= missed.entry.at <= dealt.entry.at
    assert finish(service, player, table).player_seeds == ("missed", "none", "none")
