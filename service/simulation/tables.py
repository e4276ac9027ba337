"""Plays whole tables in one process and without a store, with the same table, commands and bots as the service."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from hoodwink.domain.bots import Choose, out_of_turn, policy_for
from hoodwink.domain.kernel import Action, Policy, Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import HOST, WORKER, Actor, by_bot, by_player
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.pace import pause_until
from hoodwink.domain.tables.proving.log import (
    apply,
    export_log,
    head_of,
)
from hoodwink.domain.tables.proving.verify import TABLE
from hoodwink.domain.tables.state import (
    UNOPENED,
    Phase,
    Table,
    is_played_by_bot,
    policy_of,
    stage_of,
    turn_of,
)
from hoodwink.domain.tables.view import plays_of
from hoodwink.service.application.work.bot_actions import bot_action

_PATIENCE_MS = 1_000
"""The step by which the clock advances while a rule makes the seat wait (CO-37)."""


class Simulation:
    """A table played in memory, with a policy for each seat.

    Attributes:
        table: the current state of the table.
        entries: its log so far.
    """

    def __init__(self, *, chance: Random, start_ms: int = 0) -> None:
        """Takes the generator of all random choices. The table must be opened next."""
        self.table: Table = UNOPENED
        self.entries: list[Entry] = []
        self._chance = chance
        self._now = start_ms

    def play(self) -> None:
        while self.table.phase is Phase.PLAYING:
            self.step()

    def step(self) -> None:
        """Does the next step: a deal, a score or one action."""
        match stage_of(self.table):
            case Stage.TO_DEAL:
                # A deal before the end of the pause would be refused, and nobody has to wait for a simulated clock.
                self._now = max(self._now, pause_until(self.table) or 0)
                self._do(commands.DealRound(), by=WORKER)
            case Stage.TO_SCORE:
                self._do(commands.ScoreRound(), by=WORKER)
            # Bots may play a round that never ends, which the service voids, too.
            case _ if self.table.rulebook.is_endless(self.table.state):
                self._do(commands.VoidRound(), by=WORKER)
            case _:
                self._act()

    def log(self) -> bytes:
        return export_log(self.table.id, self.entries)

    def _act(self) -> None:
        turn = turn_of(self.table)
        seat, action = self._interrupt(turn.may) or self._move(turn.owes)
        self._do(commands.Act(seat, action), by=self._mover(seat))

    def _interrupt(self, may: tuple[int, ...]) -> tuple[int, Action] | None:
        """Returns an action out of turn by a random seat among those that want one, or `None`."""
        if not may or not self.table.rulebook.interrupts:
            return None
        # Most seats have no such action, and asking this is much faster than asking a policy.
        able = [seat for seat in may if plays_of(self.table, seat, self._now)]
        chosen = [(seat, self._chosen(seat, out_of_turn(self._policy_at(seat)))) for seat in able]
        acting = [(seat, action) for seat, action in chosen if action is not None]
        return self._chance.choice(acting) if acting else None

    def _move(self, owes: tuple[int, ...]) -> tuple[int, Action]:
        seat = self._chance.choice(owes)
        while (action := self._chosen(seat, self._policy_at(seat))) is None:
            self._now += _PATIENCE_MS
        return seat, action

    def _chosen(self, seat: int, choose: Choose) -> Action | None:
        return bot_action(self.table, seat, choose, now=self._now, chance=self._chance)

    def _mover(self, seat: int) -> Actor:
        return by_bot(seat) if is_played_by_bot(self.table, seat) else by_player(seat)

    def _policy_at(self, seat: int) -> Policy:
        return policy_for(policy_of(self.table, seat), self.table.rulebook)

    def _do(self, command: commands.TableCommand, *, by: Actor) -> None:
        self._now += 1  # the wall clock would make every log of the same seed different
        head, now = head_of(self.entries), self._now
        self.table, events = apply(TABLE, self.table, command, head=head, at=now, by=by, cmd=f"{now:x}")
        self.entries += [recorded.entry for recorded in events]


class BotTable(Simulation):
    """One table played by bots from a seed. The same seed plays the same table."""

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
        """Opens the table, seats one bot per policy and starts.

        Raises:
            InvalidOptions: such a table cannot be opened.
        """
        chance = Random(seed)  # noqa: S311 - a simulation must be repeatable, not secret
        server_seed = f"{chance.getrandbits(256):064x}"
        super().__init__(chance=chance, start_ms=start_ms)
        self._do(
            commands.OpenTable(
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
            self._do(commands.TakeSeat(player=f"bot:{policy}", policy=policy), by=HOST)
        self._do(commands.StartTable(), by=HOST)
