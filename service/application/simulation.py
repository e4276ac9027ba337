"""Plays whole tables in one process, without a store: the same table, commands and bots as the service."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from domain.bots import policy_for
from domain.kernel import Action, Policy, Stage
from domain.tables import (
    TABLE,
    UNOPENED,
    Act,
    DealRound,
    Entry,
    OpenTable,
    Phase,
    ScoreRound,
    StartTable,
    Table,
    TableCommand,
    TakeSeat,
    apply,
    export_log,
    head_of,
    is_bot_kept,
    pause_until,
    policy_of,
    stage_of,
    turn_of,
)
from domain.tables.asker import HOST, WORKER, Asker, by_bot, by_player
from service.application.bot_actions import bot_action

_PATIENCE_MS = 1_000
"""How far the clock is put forward while a rule makes the seat wait before it may act (CO-37)."""


class Simulation:
    """A table played in memory, with a policy for each seat.

    Attributes:
        table: the present state of the table.
        entries: its log so far.
    """

    def __init__(self, *, chance: Random, start_ms: int = 0) -> None:
        """Takes the generator for all random choices; the table has to be opened next."""
        self.table: Table = UNOPENED
        self.entries: list[Entry] = []
        self._chance = chance
        self._now = start_ms

    def play(self) -> None:
        """Plays the table to its end."""
        while self.table.phase is Phase.PLAYING:
            self.step()

    def step(self) -> None:
        """Does the next step: a deal, a score or one action."""
        match stage_of(self.table):
            case Stage.TO_DEAL:
                self._now = max(self._now, pause_until(self.table) or 0)
                self._do(DealRound(), by=WORKER)
            case Stage.TO_SCORE:
                self._do(ScoreRound(), by=WORKER)
            case _:
                act = self._interrupt() or self._move()
                self._do(act, by=self._mover(act.seat))

    def log(self) -> bytes:
        """Returns the log in the export format."""
        return export_log(self.table.id, self.entries)

    def _interrupt(self) -> Act | None:
        """Returns the first action out of turn that a seat takes, asked in an order drawn by chance."""
        if not self.table.rulebook.interrupts:
            return None
        may = turn_of(self.table).may
        for seat in self._chance.sample(may, len(may)):
            if (action := self._chosen(seat)) is not None:
                return Act(seat, action)
        return None

    def _move(self) -> Act:
        seat = self._chance.choice(turn_of(self.table).owes)
        while (action := self._chosen(seat)) is None:
            self._now += _PATIENCE_MS
        return Act(seat, action)

    def _chosen(self, seat: int) -> Action | None:
        return bot_action(self.table, seat, self._policy_at(seat), now=self._now, chance=self._chance)

    def _mover(self, seat: int) -> Asker:
        return by_bot(seat) if is_bot_kept(self.table, seat) else by_player(seat)

    def _policy_at(self, seat: int) -> Policy:
        return policy_for(policy_of(self.table, seat), self.table.rulebook)

    def _do(self, command: TableCommand, *, by: Asker) -> None:
        self._now += 1
        head, now = head_of(self.entries), self._now
        self.table, events = apply(TABLE, self.table, command, head=head, at=now, by=by, cmd=f"{now:x}")
        self.entries += [recorded.entry for recorded in events]


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
        server_seed = f"{chance.getrandbits(256):064x}"
        super().__init__(chance=chance, start_ms=start_ms)
        self._do(
            OpenTable(
                table=seed,
                game=game,
                seats=seats,
                options=dict(options),
                host="simulation",
                turn_seconds=0,
                bot_delay=0,
                round_pause=0,
                server_seed=server_seed,
            ),
            by=HOST,
        )
        for policy in policies:
            self._do(TakeSeat(player=f"bot:{policy}", policy=policy), by=HOST)
        self._do(StartTable(), by=HOST)
