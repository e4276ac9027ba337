"""Targets of attacks: players, long tables, logs and tournaments, created in a running service."""

from functools import cache
from itertools import islice
from random import Random
from typing import Any, Final

import msgspec

from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tournaments.life import Advance, RankBy, Setup, Sitting
from hoodwink.domain.tournaments.terms import Format
from hoodwink.service.application.ports import Commit, IdempotencyKey, StreamId
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.service.simulation.tables import BotTable
from hoodwink.service.simulation.tournaments import TournamentSimulation, plan_entrants
from tests.hostile.requests import Client, get, post

NDJSON: Final = "application/x-ndjson"
_LONG: Final = {"decks": 2, "voluntary_pickup": True}
_COMMIT: Final = 500


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """The sizes of the targets.

    Attributes:
        rounds: the rounds of the long table and of each imported log; with 10, the largest has 15,000 events (3.4 MB).
        imports: the number of different logs that are imported.
        cups, entrants: the number of tournaments that are started, and the entrants of each.
        verified: the entrants and rounds of the verified tournament, at tables of ten.
        results: the number of entrants in the round robin whose results are requested.
    """

    rounds: int = 10
    imports: int = 48
    cups: int = 18
    entrants: int = 60
    verified: tuple[int, int] = (100, 9)
    results: int = 66


SHORT: Final = Size(rounds=1, imports=2, cups=2, entrants=8, verified=(10, 1), results=6)


class World:
    """A running service with targets for an attack."""

    def __init__(self, settings: Settings, size: Size, clients: int) -> None:
        self.settings = settings
        self.size = size
        self.clients = clients
        self.http = Client(settings.host, settings.port)
        self._service = Service(settings)

    def close(self) -> None:
        """Closes the connections."""
        self.http.close()
        self._service.client.close()

    async def register(self, client: int) -> tuple[str, str]:
        """Registers a player at a client's address, and returns the id and the token."""
        registered = await self.http.json(post("/v1/players", {}, client=client))
        return registered["id"], registered["token"]

    async def ask(self, path: str, body: Any, token: str, client: int = 0) -> Any:
        """Sends a command, and returns its answer."""
        return await self.http.json(post(path, body, client=client, token=token))

    async def import_log(self, log: bytes) -> str:
        """Imports a log and returns the path of the import."""
        _, token = await self.register(0)
        request = post(
            "/v1/imports", log, client=0, token=token, media_type=NDJSON, headers={"Prefer": "wait=10"}
        )
        answer = await self.http.json(request)
        while "status" in answer and answer["status"] not in {"done", "failed"}:
            answer = await self.http.json(get(f"/v1/jobs/{answer['id']}", client=0))
        return f"/v1/imports/{answer['id']}"

    def store_table(self) -> str:
        """Stores a long finished bot table and returns its path."""
        table = long_table("hostile0", self.size.rounds)
        self._store(StreamId("table", table.table.id), table.entries)
        return f"/v1/tables/{table.table.id}"

    def store_tournament(self) -> str:
        """Stores a tournament where all entrants have met, and returns its path."""
        simulation = round_robin(self.size.results)
        self._store(StreamId("tournament", simulation.tournament.id), simulation.entries)
        return f"/v1/tournaments/{simulation.tournament.id}"

    def _store(self, stream: StreamId, entries: list[Entry]) -> None:
        remaining, version, last = iter(entries), 0, ""
        while portion := tuple(islice(remaining, _COMMIT)):
            key = IdempotencyKey(f"hostile{version}", "")
            self._service.store.append(
                Commit(
                    stream=stream,
                    expected_version=version,
                    expected_head=last,
                    entries=portion,
                    key=key,
                    is_quiet=True,
                )
            )
            version, last = portion[-1].version, portion[-1].hash


@cache
def long_table(name: str, rounds: int) -> BotTable:
    """Returns a table played by four bots."""
    table = BotTable(
        game="shithead",
        seats=4,
        options={**_LONG, "rounds": rounds},
        policies=["random"] * 4,
        seed=name,
        start_ms=1_700_000_000_000,
    )
    table.play()
    return table


@cache
def round_robin(entrants: int) -> TournamentSimulation:
    """Returns a finished round robin at tables of two."""
    return _play(entrants, Format.ROUND_ROBIN, 2, (Sitting(),))


@cache
def tournament_logs(entrants: int, rounds: int) -> bytes:
    """Returns the log of a tournament at tables of ten, and those of its tables."""
    simulation = _play(entrants, Format.SWISS, 10, (Sitting(rounds=1),) * rounds)
    return b"".join([simulation.log(), *simulation.logs.values()])


def _play(entrants: int, format_: Format, seats: int, sittings: tuple[Sitting, ...]) -> TournamentSimulation:
    setup = Setup(
        name="The Cup",
        format=format_,
        game="blindside",
        seats=seats,
        sittings=sittings,
        options={"rounds": 1},
        advance=Advance.MANUAL,
        rank_by=RankBy.ORGANISER,
    )
    plans = plan_entrants(["random"], entrants, latest=1, chance=Random(1))
    simulation = TournamentSimulation(setup=setup, entrants=plans, seed="1")
    simulation.play()
    return simulation
