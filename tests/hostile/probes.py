"""Effects of an attack on people: the time of `/readyz`, of the lobby, and of a player's action."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Final, Self

import msgspec

from bench.connection import Connection, head, without_body
from bench.driver import SEATS, Tally, open_table, play, register
from bench.figures import quantile
from hoodwink.service.settings import Settings
from tests.hostile.requests import Client

PROBES: Final = 2
"""The number of clients per path, and of tables in play."""

PAUSE_SECONDS: Final = 0.05
MAX_WAIT_SECONDS: Final = 60.0
_ROUNDS: Final = 20


class Times(msgspec.Struct, frozen=True):
    """The durations of requests of one kind, in ms."""

    taken: tuple[float, ...]

    def quantile(self, share: float) -> float:
        """Returns a quantile; infinity if nothing was answered."""
        return quantile(self.taken, share) if self.taken else float("inf")

    @property
    def longest(self) -> float:
        """The longest time."""
        return self.quantile(1.0)


class Noticed(msgspec.Struct, frozen=True, kw_only=True):
    """The measurements of the probes.

    Attributes:
        readyz, lobby, action: the times of answers.
        unanswered: the number of requests without a successful answer.
    """

    readyz: Times
    lobby: Times
    action: Times
    unanswered: int


class Probes:
    """Clients that behave like people. Use it as a context; `measured` returns the measurements since the last call."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._taken: dict[str, list[float]] = {"/readyz": [], "/v1/tables?phase=open": []}
        self._tally = Tally()
        self._failures = list[str]()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        works: list[Callable[[], Awaitable[None]]] = []
        for number in range(PROBES):
            works += [lambda path=path: self._look(path) for path in self._taken]  # type: ignore[misc]
            works.append(lambda number=number: self._play(number))  # type: ignore[misc]
        self._tasks = [asyncio.ensure_future(self._go_on(work)) for work in works]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def measured(self, during: Awaitable[object]) -> Noticed:
        """Returns the measurements until the condition holds, with at least one answer of each kind."""
        self._forget()
        await during
        await self._wait_for_answers()
        readyz, lobby = (_times(taken) for taken in self._taken.values())
        action = _times([took for _, took in self._tally.actions])
        return Noticed(readyz=readyz, lobby=lobby, action=action, unanswered=len(self._failures))

    @property
    def failures(self) -> Sequence[str]:
        """Requests answered with an error or not at all."""
        return self._failures

    async def _wait_for_answers(self) -> None:
        """Waits until each kind of request was answered, or for `MAX_WAIT_SECONDS`: a busy machine takes longer."""
        ends_at = time.monotonic() + MAX_WAIT_SECONDS
        while (  # noqa: ASYNC110 - the benchmark's tally gives no notice
            not all((*self._taken.values(), self._tally.actions)) and time.monotonic() < ends_at
        ):
            await asyncio.sleep(PAUSE_SECONDS)

    def _forget(self) -> None:
        for taken in self._taken.values():
            taken.clear()
        self._tally.actions.clear()
        self._failures.clear()

    async def _go_on(self, work: Callable[[], Awaitable[None]]) -> None:
        """Repeats some work; a failure is recorded, and the work starts again."""
        while True:
            try:
                await work()
            except Exception as failed:  # noqa: BLE001 - each is a request without a successful answer
                self._failures.append(str(failed))
                await asyncio.sleep(PAUSE_SECONDS)

    async def _look(self, path: str) -> None:
        client, request = Client(self._settings.host, self._settings.port), without_body(head("GET", path))
        try:
            while True:
                await asyncio.sleep(PAUSE_SECONDS)
                began = time.perf_counter()
                answer = await client.ask(request)
                self._taken[path].append(time.perf_counter() - began)
                if answer is None or answer.status != 200:
                    raise RuntimeError(f"{path} was answered {answer}")
        finally:
            client.close()

    async def _play(self, number: int) -> None:
        connection = await Connection.connect(self._settings.host, self._settings.port)
        try:
            seats = [await register(connection) for _ in range(SEATS)]
            while True:
                await open_table(seats, _ROUNDS)
                chance = Random(number)
                await play(seats, self._tally, chance, before_each=lambda: asyncio.sleep(PAUSE_SECONDS))
        finally:
            connection.close()


def _times(seconds: Sequence[float]) -> Times:
    return Times(tuple([1000 * each for each in seconds]))
