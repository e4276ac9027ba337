"""Runs attacks one after the other, each on a new service."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from tests import to_environment
from tests.hostile.attackers import Answers, Assault, begin, outcome
from tests.hostile.attacks import ATTACKS
from tests.hostile.probes import Noticed, Probes
from tests.hostile.world import Size, World

MAX_TAIL_MS: Final = 200.0
MAX_MS: Final = 500.0
MAX_LOBBY: Final = 3.0
"""The bars: the largest p99.9 and the longest time of `/readyz` and of an action, and the lobby's p50 compared with quiet."""


class _Limited(Settings, frozen=True):
    """Settings with the default limits, which the package `tests` disables for all others."""

    def to_environment(self) -> dict[str, str]:
        return to_environment(self)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The duration and number of clients of each attack.

    Attributes:
        warm_up_seconds, quiet_seconds: how long people play before the attack, without and with measurement.
    """

    clients: int = 16
    seconds: float = 30.0
    warm_up_seconds: float = 2.0
    quiet_seconds: float = 10.0
    size: Size = Size()


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of an attack.

    Attributes:
        quiet, attacked: the measurements before and during the attack.
        answers: the answers to the hostile clients.
        failures: people's requests without successful answer.
    """

    attack: str
    quiet: Noticed
    attacked: Noticed
    answers: Answers
    failures: tuple[str, ...]

    @property
    def lobby_ratio(self) -> float:
        """The ratio of the lobby's median times during and before the attack."""
        return self.attacked.lobby.quantile(0.5) / self.quiet.lobby.quantile(0.5)

    def misses(self) -> Iterator[str]:
        """Yields each missed bar."""
        for name, times in (("/readyz", self.attacked.readyz), ("an action", self.attacked.action)):
            if times.quantile(0.999) > MAX_TAIL_MS:
                yield f"p99.9 of {name} is {times.quantile(0.999):.0f} ms, above {MAX_TAIL_MS:.0f}"
            if times.longest > MAX_MS:
                yield f"{name} took {times.longest:.0f} ms, above {MAX_MS:.0f}"
        if self.lobby_ratio > MAX_LOBBY:
            yield f"the lobby takes {self.lobby_ratio:.1f} times as long, above {MAX_LOBBY:.0f}"
        if self.answers.unanswered or self.attacked.unanswered:
            hostile, people = self.answers.unanswered, self.attacked.unanswered
            yield f"{hostile} hostile requests and {people} of people have no answer: {self.failures[:3]}"
        if faults := {status for status in self.answers.statuses if status >= 500 and status != 503}:
            yield f"hostile requests were answered {sorted(faults)}"


def run(attack: str, plan: Plan) -> Outcome:
    """Runs one attack on a new service."""
    with limited_service() as settings:
        return asyncio.run(attacked(settings, attack, plan))


@contextmanager
def limited_service() -> Iterator[Settings]:
    """Runs a service with the default limits that trusts this machine as a proxy."""
    with tempfile.TemporaryDirectory(prefix="hoodwink-hostile-") as folder:
        given = _Limited(port=0, data=folder, proxies="127.0.0.1", log_level="error")
        with isolated_service(given) as settings:
            yield settings


async def attacked(settings: Settings, attack: str, plan: Plan) -> Outcome:
    """Runs one attack on a service."""
    world = World(settings, plan.size, plan.clients)
    clients = await ATTACKS[attack](world)
    world.close()
    async with Probes(settings) as probes:
        await asyncio.sleep(plan.warm_up_seconds)
        quiet = await probes.measured(asyncio.sleep(plan.quiet_seconds))
        assault = Assault(
            host=settings.host, port=settings.port, clients=tuple(clients), seconds=plan.seconds
        )
        process = begin(assault)
        answered = asyncio.create_task(asyncio.to_thread(outcome, process))
        noticed = await probes.measured(answered)
        return Outcome(
            attack=attack,
            quiet=quiet,
            attacked=noticed,
            answers=await answered,
            failures=tuple(probes.failures),
        )
