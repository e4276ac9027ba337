"""A table for tests: it applies commands and keeps the log."""

from random import Random
from typing import Any

import pytest

from hoodwink.domain.bots import play_random
from hoodwink.domain.cards import commitment
from hoodwink.domain.kernel import Action, Event, Observation, RuleViolation, Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.deciding.decide import decide
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.events import Watch
from hoodwink.domain.tables.fairness import LATEST_EDITION
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
    stage_of,
    turn_of,
)
from hoodwink.domain.tables.view import legal_actions_of, plays_of

SEED = "5eed" * 16
START = 1_750_000_000_000


class Sitting:
    """A table in the making; its clock stands still unless a command says `after_ms`.

    Attributes:
        table: as it is now.
        entries: its log so far.
        now: the clock, in ms.
    """

    def __init__(
        self,
        opened_by: commands.OpenTournamentTable | commands.ForkTable | commands.OpenRematch | None = None,
        **opening: Any,
    ) -> None:
        """Opens a table of its own, a tournament's, a fork or a rematch; `opening_of` lists what can be given."""
        self.table: Table = UNOPENED
        self.entries: list[Entry] = []
        self.now = START
        self._chance = Random(1)
        if isinstance(opened_by, commands.ForkTable | commands.OpenRematch):
            self.do(opened_by, by="host")
        elif opened_by is not None:
            self.do(opened_by, by="worker")
        else:
            self.do(opening_of(**opening), by="host")

    def do(
        self, command: commands.TableCommand, *, by: str = "worker", after_ms: int = 0
    ) -> tuple[Event, ...]:
        """Applies a command and returns its events."""
        self.now += after_ms
        head, cmd = head_of(self.entries), f"c{self.table.version}"
        self.table, events = apply(TABLE, self.table, command, head=head, at=self.now, by=Actor(by), cmd=cmd)
        self.entries += [recorded.entry for recorded in events]
        return tuple([recorded.event for recorded in events])

    def sit(self, *players: str) -> "Sitting":
        """Seats a bot for each `bot`, and a player of that name for anything else."""
        for player in players:
            seat = next(seat for seat, who in enumerate(self.table.seats) if who is None)
            if player == "bot":
                self.do(commands.TakeSeat(player="bot:random", policy="random", seat=seat), by="host")
            else:
                self.do(commands.TakeSeat(player=player, seat=seat), by=f"player:{seat}")
        return self

    def sit_committed(self, player: str, seed: str) -> "Sitting":
        """Seats a player who commits to a seed."""
        seat = self.table.seats.index(None)
        committed = commands.TakeSeat(player=player, seat=seat, seed_commitment=commitment(seed))
        self.do(committed, by=f"player:{seat}")
        return self

    def start(self) -> "Sitting":
        self.do(commands.StartTable(), by="host")
        return self

    def deal(self) -> "Sitting":
        self.do(commands.DealRound())
        return self

    def act(
        self, seat: int, action: Action | None = None, *, by: str | None = None, after_ms: int = 0
    ) -> Any:
        """Lets a seat take an action, a random one by default; returns the events."""
        self.now += after_ms
        return self.do(commands.Act(seat, action or self.choice(seat)), by=by or self.mover(seat))

    def mover(self, seat: int) -> str:
        """Returns the actor that moves for the seat: its player or the bot."""
        return f"bot:{seat}" if is_played_by_bot(self.table, seat) else f"player:{seat}"

    def choice(self, seat: int) -> Action:
        """Returns a legal action of the seat, no offence for a bot; moves the clock forward if the seat has to wait."""
        table = self.table
        listed = plays_of if is_played_by_bot(table, seat) else legal_actions_of
        while not (legal := listed(table, seat, self.now)):
            self.now += 1_000
        assert table.options is not None
        observation = Observation(seat, table.options, table.rulebook.view(table.state, seat), legal)
        return play_random(table.rulebook, observation, self._chance)

    def owing(self) -> int:
        """Returns the first seat that owes an action."""
        return turn_of(self.table).owes[0]

    def play_to(self, stage: Stage) -> "Sitting":
        """Plays at random until the game waits for that."""
        while stage_of(self.table) is not stage:
            self.step()
        return self

    def play_to_turn_of(self, seat: int) -> "Sitting":
        """Plays at random until the seat owes an action."""
        while seat not in turn_of(self.table).owes:
            self.step()
        return self

    def play_out(self) -> "Sitting":
        while self.table.phase is Phase.PLAYING:
            self.step()
        return self

    def step(self) -> None:
        """Deals, scores or lets the first seat that owes act."""
        match stage_of(self.table):
            case Stage.TO_DEAL:
                self.do(commands.DealRound(), after_ms=1)
            case Stage.TO_SCORE:
                self.do(commands.ScoreRound(), after_ms=1)
            case _:
                self.act(self.owing(), after_ms=1)

    def resign(self, seat: int) -> tuple[Event, ...]:
        return self.do(commands.Resign(seat), by=f"player:{seat}")

    def refusal(self, command: commands.TableCommand) -> str:
        """Returns the code with which the table refuses a command."""
        with pytest.raises(RuleViolation) as refused:
            decide(self.table, command, self.now)
        assert refused.value.detail.endswith(".")
        return refused.value.code

    def legal(self, seat: int) -> tuple[Any, ...]:
        return legal_actions_of(self.table, seat, self.now)

    def log(self) -> bytes:
        return export_log(self.table.id, self.entries)


def opening_of(
    game: str = "blindside",
    seats: int = 3,
    *,
    turn_seconds: int | None = 0,
    bot_delay: int | None = 0,
    round_pause: int | None = 0,
    table: str = "t1",
    edition: int = LATEST_EDITION,
    seed_commitment: str = "",
    rated: bool = True,
    private: bool = False,
    watch: Watch = "everyone",
    take_backs: bool | None = None,
    **options: Any,
) -> commands.OpenTable:
    return commands.OpenTable(
        table=table,
        game=game,
        seats=seats,
        options=options,
        host="holly",
        turn_seconds=turn_seconds,
        bot_delay=bot_delay,
        round_pause=round_pause,
        server_seed=SEED,
        edition=edition,
        seed_commitment=seed_commitment,
        rated=rated,
        private=private,
        watch=watch,
        take_backs=take_backs,
    )


def playing(*players: str, **opening: Any) -> Sitting:
    """Returns a table that has started, with a round dealt."""
    return Sitting(seats=len(players), **opening).sit(*players).start().deal()
