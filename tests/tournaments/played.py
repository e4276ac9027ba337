"""A tournament whose tables are played by bots, with the same logs as the service would write."""

from random import Random

from domain.bots import Sight, policy_for
from domain.kernel import Stage
from domain.tables import (
    GENESIS,
    UNOPENED,
    Act,
    CancelTable,
    DealRound,
    Entry,
    MissStart,
    Phase,
    Recorded,
    Resign,
    SayReady,
    ScoreRound,
    Table,
    TableCommand,
    decide,
    evolve,
    export_log,
    plays_of,
    policy_of,
    seal,
    stage_of,
    turn_of,
)
from domain.tournaments import life
from domain.tournaments.life import Setup, TableOrder, opening_of, report_of
from tests.tournaments.world import World


class PlayedTable:
    """A table of a tournament, and its log."""

    def __init__(self, order: TableOrder, now: int) -> None:
        self.now = now
        self.chance = Random(order.table)
        self.server_seed = order.server_seed
        self.table: Table = UNOPENED
        self.entries: list[Entry] = []
        self.do(opening_of(order), by="worker")

    def do(self, command: TableCommand, *, by: str) -> None:
        events = decide(self.table, command, self.now)
        sealed = seal(
            events=events,
            server_seed=self.server_seed,
            head=self.entries[-1].hash if self.entries else GENESIS,
            version=self.table.version,
            at=self.now,
            by=by,
            cmd=f"{len(self.entries):x}",
        )
        for entry, event in zip(sealed, events, strict=True):
            recorded = Recorded(entry.version, event, entry.at, entry.by, entry.cmd, entry.hash)
            self.table = evolve(self.table, recorded)
        self.entries += sealed

    def play(self, *, no_shows: tuple[int, ...] = ()) -> None:
        """Plays the table to its end; all players but the no-shows say that they are ready."""
        for seat in self.table.awaited:
            if seat not in no_shows:
                self.do(SayReady(seat), by=f"player:{seat}")
        if self.table.awaited:
            self.now += 300_000
            self.do(MissStart(self.table.awaited), by="worker")
        while self.table.phase is Phase.PLAYING:
            self.step()

    def step(self) -> None:
        match stage_of(self.table):
            case Stage.TO_DEAL:
                self.do(DealRound(), by="worker")
            case Stage.TO_SCORE:
                self.do(ScoreRound(), by="worker")
            case _:
                self.act(self.chance.choice(turn_of(self.table).owes))

    def act(self, seat: int) -> None:
        table = self.table
        occupant, options = table.seats[seat], table.options
        assert occupant is not None
        assert options is not None
        while not (plays := plays_of(table, seat, self.now)):
            self.now += 1000
        sight = Sight(seat, options, table.rulebook.view(table.state, seat), plays)
        action = policy_for(policy_of(table, seat), table.game)(table.rulebook, sight, self.chance)
        is_own = occupant.policy is None and seat not in table.resigned
        self.do(Act(seat, action), by=f"player:{seat}" if is_own else f"bot:{seat}")

    @property
    def head(self) -> str:
        return self.entries[-1].hash

    def log(self) -> bytes:
        return export_log(self.table.id, self.entries)


class Played(World):
    """A tournament whose tables are played, not only reported."""

    def __init__(self, setup_: Setup, *, tournament: str = "spring") -> None:
        super().__init__(setup_, tournament=tournament)
        self.tables: dict[str, PlayedTable] = {}

    def play_all(self, *, no_shows: tuple[str, ...] = ()) -> None:
        """Plays every open table to its end and reports it; the named entrants do not appear."""
        for order in list(self.open.values()):
            table = self.opened(order)
            absent = tuple(seat for seat, who in enumerate(order.seats) if who.player in no_shows)
            table.play(no_shows=absent)
            self.report(order)

    def opened(self, order: TableOrder) -> PlayedTable:
        """Returns the table of an order; opens it first if necessary."""
        return self.tables.setdefault(order.table, PlayedTable(order, self.now))

    def report(self, order: TableOrder) -> None:
        del self.open[order.table]
        table = self.tables[order.table]
        self.now = max(self.now, table.now)
        self.do(report_of(table.table, table.head), by="worker")

    def expel_at_table(self, entrant: str) -> None:
        """Resigns the seats of an expelled entrant, as the service does."""
        for seat in life.seats_to_resign(self.tournament):
            assert seat.entrant == entrant
            table = self.opened(self.open[seat.table])
            table.do(Resign(seat.seat), by="worker")
            self.do(life.ConfirmGivenUp(entrant, seat.table), by="worker")

    def cancel_tables(self) -> None:
        """Ends the open tables of a cancelled tournament, as the service does."""
        for order in list(self.open.values()):
            self.opened(order).do(CancelTable(), by="worker")
            self.report(order)

    def log_of(self) -> bytes:
        return life.export_log(self.tournament.id, self.entries)

    def logs(self) -> list[bytes]:
        return [table.log() for table in self.tables.values()]

    def run(self, *, no_shows: tuple[str, ...] = ()) -> None:
        """Plays an automatic tournament to its end."""
        while self.tournament.phase is life.Phase.RUNNING:
            self.settle()
            if self.open:
                self.play_all(no_shows=no_shows)
