"""A tournament whose tables are played by bots, with the same logs as from the service."""

from random import Random

from hoodwink.domain.tables import commands
from hoodwink.domain.tables.actor import WORKER, Actor
from hoodwink.domain.tables.proving.log import head_of
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import Setup, TableOrder, opening_of, report_of
from hoodwink.service.simulation.tables import Simulation
from tests.tournaments.world import World


class PlayedTable(Simulation):
    """A table of a tournament, and its log."""

    def __init__(self, order: TableOrder, now: int) -> None:
        super().__init__(chance=Random(order.table), start_ms=now)
        self.do(opening_of(order), by=WORKER)

    def do(self, command: commands.TableCommand, *, by: str) -> None:
        self._do(command, by=Actor(by))

    def play(self, *, no_shows: tuple[int, ...] = ()) -> None:
        """Plays the table to its end; all players but the no-shows say that they are ready."""
        for seat in self.table.awaited:
            if seat not in no_shows:
                self.do(commands.SayReady(seat), by=f"player:{seat}")
        if self.table.awaited:
            self._now += 300_000
            self.do(commands.MissStart(self.table.awaited), by=WORKER)
        super().play()

    @property
    def now(self) -> int:
        return self._now

    @property
    def head(self) -> str:
        return head_of(self.entries)


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
        self.do(report_of(table.table, table.head, table.entries), by="worker")

    def expel_at_table(self, entrant: str) -> None:
        """Resigns the seats of an expelled entrant like the service."""
        for seat in life.seats_to_resign(self.tournament):
            assert seat.entrant == entrant
            table = self.opened(self.open[seat.table])
            table.do(commands.Resign(seat.seat), by="worker")
            self.do(life.ConfirmGivenUp(entrant, seat.table), by="worker")

    def cancel_tables(self) -> None:
        """Ends the open tables of a cancelled tournament like the service."""
        for order in list(self.open.values()):
            self.opened(order).do(commands.CancelTable(), by="worker")
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
