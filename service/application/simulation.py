"""Plays whole tables in one process, without a store: the same table, commands and bots as the service."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from domain.bots import policy_for
from domain.kernel import Observation, Policy, Stage
from domain.tables import (
    GENESIS,
    UNOPENED,
    Act,
    DealRound,
    Entry,
    OpenTable,
    Phase,
    Recorded,
    ScoreRound,
    StartTable,
    Table,
    TableCommand,
    TakeSeat,
    decide,
    evolve,
    export_log,
    is_bot_kept,
    plays_of,
    policy_of,
    seal,
    stage_of,
    turn_of,
)

_PATIENCE_MS = 1_000
"""What the clock leaps while a rule makes the seat that owes an action wait (CO-37)."""


class Simulation:
    """A table played in memory, each seat by a policy.

    Attributes:
        table: the table as it is now.
        entries: its log so far.
    """

    def __init__(self, *, server_seed: str, chance: Random, start_ms: int = 0) -> None:
        """Takes the secret of a table that is still to be opened, and what decides where a policy does not care."""
        self.table: Table = UNOPENED
        self.entries: list[Entry] = []
        self._chance = chance
        self._server_seed = server_seed
        self._now = start_ms

    def play(self) -> None:
        """Plays the table to its end."""
        while self.table.phase is Phase.PLAYING:
            self.step()

    def step(self) -> None:
        """Carries out what is due next: a deal, a score or one action."""
        match stage_of(self.table):
            case Stage.TO_DEAL:
                self._do(DealRound(), by="worker")
            case Stage.TO_SCORE:
                self._do(ScoreRound(), by="worker")
            case _:
                seat = self._chance.choice(turn_of(self.table).owes)
                self._do(self._chosen(seat), by=self._mover(seat))

    def log(self) -> bytes:
        """Returns the log in the export format."""
        return export_log(self.table.id, self.entries)

    def _chosen(self, seat: int) -> Act:
        table = self.table
        assert table.options is not None
        while not (plays := plays_of(table, seat, self._now)):
            self._now += _PATIENCE_MS
        observation = Observation(seat, table.options, table.rulebook.view(table.state, seat), plays)
        return Act(seat, self._policy_at(seat)(table.rulebook, observation, self._chance))

    def _mover(self, seat: int) -> str:
        return f"bot:{seat}" if is_bot_kept(self.table, seat) else f"player:{seat}"

    def _policy_at(self, seat: int) -> Policy:
        return policy_for(policy_of(self.table, seat), self.table.rulebook)

    def _do(self, command: TableCommand, *, by: str) -> None:
        self._now += 1
        events = decide(self.table, command, self._now)
        sealed = seal(
            events=events,
            server_seed=self._server_seed,
            head=self.entries[-1].hash if self.entries else GENESIS,
            version=self.table.version,
            at=self._now,
            by=by,
            cmd=f"{self._now:x}",
        )
        for entry, event in zip(sealed, events, strict=True):
            self.table = evolve(
                self.table, Recorded(entry.version, event, entry.at, entry.by, entry.cmd, entry.hash)
            )
        self.entries.extend(sealed)


class BotTable(Simulation):
    """One table played by bots from a seed; the same seed plays the same table."""

    def __init__(
        self,
        *,
        game: str,
        seats: int,
        options: Mapping[str, Any],
        policies: Sequence[str],
        seed: str,
        start_ms: int = 0,
    ) -> None:
        """Opens the table, seats one bot for each of `policies` and starts.

        Raises:
            InvalidOptions: the table cannot be opened that way.
        """
        chance = Random(seed)  # noqa: S311 - a simulation is to be repeatable, not secret
        super().__init__(server_seed=f"{chance.getrandbits(256):064x}", chance=chance, start_ms=start_ms)
        self._do(
            OpenTable(
                table=seed,
                game=game,
                seats=seats,
                options=dict(options),
                host="simulation",
                turn_seconds=0,
                server_seed=self._server_seed,
            ),
            by="host",
        )
        for policy in policies:
            self._do(TakeSeat(player=f"bot:{policy}", name=policy, policy=policy), by="host")
        self._do(StartTable(), by="host")
