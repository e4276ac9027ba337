"""Plays whole tables in one process and without a store, with the same table, commands and bots as the service."""

from collections.abc import Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Any, Final

from hoodwink.domain.bots import Choose, Level, level_of
from hoodwink.domain.kernel import Action, Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import HOST, WORKER, Actor, by_bot, by_player
from hoodwink.domain.tables.entries import Entry, Recorded
from hoodwink.domain.tables.knowing import Followed, Known, follow
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
from hoodwink.service.simulation.outside.mistakes import Mistake
from hoodwink.service.simulation.outside.outsider import Outsider

_OF_OUTSIDERS: Final = "simulated"
"""The id of a table with bots from outside."""

_NOBODY: Final[Mapping[int, Outsider]] = MappingProxyType({})

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
        self._events: list[Recorded] = []
        self._followed: dict[int, tuple[int, Followed]] = {}
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
        # Interrupts first, because a move would end the chance. In the service, bots wait before they move.
        seat, action = self._interrupt(turn.may) or self._move(turn.owes)
        self._do(commands.Act(seat, action), by=self._mover(seat))

    def _interrupt(self, may: tuple[int, ...]) -> tuple[int, Action] | None:
        """Returns an action out of turn by a random seat among those that want one, or `None`."""
        if not may or not self.table.rulebook.interrupts:
            return None
        # Most seats have no such action, and asking this is much faster than asking a policy.
        able = [seat for seat in may if plays_of(self.table, seat, self._now)]
        chosen = [(seat, self._chosen(seat, self._level_at(seat).interrupt)) for seat in able]
        acting = [(seat, action) for seat, action in chosen if action is not None]
        return self._chance.choice(acting) if acting else None

    def _move(self, owes: tuple[int, ...]) -> tuple[int, Action]:
        # At random, because seats that owe an action at the same time have no order among them.
        seat = self._chance.choice(owes)
        level = self._level_at(seat)
        known = self._known(seat) if level.thinks else None
        while (action := self._chosen(seat, level.play, known)) is None:
            self._now += _PATIENCE_MS
        return seat, action

    def _chosen(self, seat: int, choose: Choose, known: Known | None = None) -> Action | None:
        return bot_action(self.table, seat, choose, now=self._now, chance=self._chance, known=known)

    def _known(self, seat: int) -> Known | None:
        """Returns what the seat knows, from the events that it has not followed yet."""
        count, followed = self._followed.get(seat, (0, Followed()))
        # From the seat's events alone, as in the service: the state has all cards.
        followed = follow(followed, self._events[count:], seat)
        self._followed[seat] = len(self._events), followed
        return followed.known

    def _mover(self, seat: int) -> Actor:
        return by_bot(seat) if is_played_by_bot(self.table, seat) else by_player(seat)

    def _level_at(self, seat: int) -> Level:
        return level_of(policy_of(self.table, seat), self.table.rulebook)

    def _do(self, command: commands.TableCommand, *, by: Actor) -> None:
        self._now += 1  # the wall clock would make every log of the same seed different
        head, now = head_of(self.entries), self._now
        self.table, events = apply(TABLE, self.table, command, head=head, at=now, by=by, cmd=f"{now:x}")
        self._events += events
        self.entries += [recorded.entry for recorded in events]


class BotTable(Simulation):
    """One table played by bots from a seed. The same seed plays the same table.

    Bots from outside sit there like people, because the service has no policies of their names.
    """

    def __init__(  # noqa: PLR0913 - everything that determines a table
        self,
        *,
        game: str,
        seats: int,
        options: Mapping[str, Any],
        policies: Sequence[str],
        seed: str,
        start_ms: int = 0,
        deck_seed: str | None = None,
        outsiders: Mapping[int, Outsider] = _NOBODY,
    ) -> None:
        """Opens the table, seats one bot per policy and starts.

        Args:
            game, seats, options: those of the table.
            policies: of the seats in order; that of an outsider is only a name.
            seed: determines the cards and the choices.
            start_ms: the time at which the table opens.
            deck_seed: determines the cards instead of `seed`.
            outsiders: the bots from outside by seat.

        Raises:
            InvalidOptions: such a table cannot be opened.
        """
        chance = Random(seed)  # noqa: S311 - a simulation must be repeatable, not secret
        decks = chance if deck_seed is None else Random(deck_seed)  # noqa: S311 - as above
        server_seed = f"{decks.getrandbits(256):064x}"
        super().__init__(chance=chance, start_ms=start_ms)
        self._outsiders = outsiders
        self._do(
            commands.OpenTable(
                # A bot from outside must not see the seed, which determines the cards.
                table=_OF_OUTSIDERS if outsiders else seed,
                game=game,
                seats=seats,
                options=dict(options),
                host="simulation",
                # Nobody waits for a simulated clock, delay or pause.
                turn_seconds=0,
                bot_delay=0,
                round_pause=0,
                server_seed=server_seed,
            ),
            by=HOST,
        )
        for seat, policy in enumerate(policies):
            self._take_seat(seat, policy)
        self._do(commands.StartTable(), by=HOST)

    @property
    def mistakes(self) -> list[Mistake]:
        """The mistakes of the bots from outside so far."""
        return [mistake for outsider in self._outsiders.values() for mistake in outsider.mistakes]

    def _take_seat(self, seat: int, policy: str) -> None:
        if seat in self._outsiders:
            # From the generator of all other choices, so that a repetition gives the bot the same numbers.
            self._outsiders[seat].sit_down(f"{self._chance.getrandbits(64):x}")
            self._do(commands.TakeSeat(player=f"outside:{seat}", seat=seat), by=by_player(seat))
        else:
            self._do(commands.TakeSeat(player=f"bot:{policy}", policy=policy), by=HOST)

    def _chosen(self, seat: int, choose: Choose, known: Known | None = None) -> Action | None:
        stand_in = partial(super()._chosen, seat, choose, known)
        outsider = self._outsiders.get(seat)
        if outsider is None:
            return stand_in()
        return outsider.choose(self.table, self.entries, seat, self._now, stand_in)
