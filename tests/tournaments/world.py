"""A tournament in memory, with a service that does the due work, and tables reported without play."""

from random import Random
from typing import Any

from msgspec.structs import replace

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.entries import (
    Entry,
    Recorded,
    decoded,
)
from hoodwink.domain.tables.proving.log import apply, head_of
from hoodwink.domain.tournaments.life import (
    OPEN_TO_ALL,
    TOURNAMENT,
    UNOPENED,
    Admission,
    Advance,
    ConfirmGivenUp,
    ConfirmTables,
    Enter,
    OpenRegistration,
    OpenTournament,
    Phase,
    ReportTable,
    SealTable,
    Setup,
    Sitting,
    StartTournament,
    TableOrder,
    TournamentCommand,
    allowed_actors,
    decide,
    decode_event,
    next_step,
    seats_to_resign,
    tables_to_close,
    tables_to_open,
    tables_to_release,
)
from hoodwink.domain.tournaments.life.editions import LATEST_EDITION
from hoodwink.domain.tournaments.life.setup import ArenaTimes, SeriesPlace, TeamTerms
from hoodwink.domain.tournaments.terms import Compare, Format

SEED = "5eed" * 16


def setup(**changes: object) -> Setup:
    """Returns settings for a Swiss tournament of three rounds at tables of four, with changes."""
    given: dict[str, object] = {
        "name": "Spring cup",
        "format": Format.SWISS,
        "game": "blindside",
        "seats": 4,
        "sittings": (Sitting(rounds=3),),
        "advance": Advance.AUTOMATIC,
    }
    return Setup(**(given | changes))  # type: ignore[arg-type]


class World:
    """A tournament, its log, the tables that the service opened for it, and reports that wait for a release."""

    def __init__(
        self,
        setup_: Setup,
        *,
        tournament: str = "spring",
        server_seed: str = SEED,
        compare: Compare | None = None,
        deals_per_pairing: int = 1,
        admission: Admission = OPEN_TO_ALL,
        arena: ArenaTimes | None = None,
        teams: TeamTerms | None = None,
        series: SeriesPlace | None = None,
        edition: int = LATEST_EDITION,
    ) -> None:
        self.now = 1_000_000
        self.entries: list[Entry] = []
        self.tournament: Any = UNOPENED
        self.log: list[Recorded] = []
        self.open: dict[str, TableOrder] = {}
        self.sealed: dict[str, ReportTable] = {}
        opened = OpenTournament(
            tournament=tournament,
            organiser="olga",
            setup=setup_,
            server_seed=server_seed,
            compare=compare,
            deals_per_pairing=deals_per_pairing,
            admission=admission,
            arena=arena,
            teams=teams,
            series=series,
            edition=edition,
        )
        self.do(opened, by="organiser")

    def do(self, command: TournamentCommand, *, by: str = "") -> Any:
        """Executes a command as somebody allowed to give it; returns its events after storing and reading them."""
        allowed = allowed_actors(self.tournament, command)
        actor = by or allowed[0]
        assert actor in allowed, f"{actor} may not ask for {command}"
        head, cmd = head_of(self.entries), f"{len(self.entries):x}"
        self.tournament, events = apply(
            TOURNAMENT, self.tournament, command, head=head, at=self.now, by=Actor(actor), cmd=cmd
        )
        assert decoded([recorded.entry for recorded in events], decode_event) == events, (
            "an event is read as it was written"
        )
        self.log += events
        self.entries += [recorded.entry for recorded in events]
        return tuple([recorded.event for recorded in events])

    def refusal(self, command: TournamentCommand) -> str:
        """Returns the code with which a command would be refused, or an empty string; changes nothing."""
        try:
            decide(self.tournament, command, self.now)
        except RuleViolation as violation:
            return violation.code
        return ""

    def register(self, *players: str, bots: int = 0) -> None:
        """Opens registration, and enters players and bots."""
        self.do(OpenRegistration())
        for player in players:
            self.do(Enter(player=player))
        for _ in range(bots):
            self.do(Enter(player="", policy="steady"))

    def begin(self, *players: str, bots: int = 0) -> None:
        """Starts with these entrants, ranked in the given order, players before bots."""
        self.register(*players, bots=bots)
        ids = [entrant.id for entrant in self.tournament.entrants]
        self.do(StartTournament({id_: -rank for rank, id_ in enumerate(ids)}))

    def serve(self) -> bool:
        """Does the service's next due work; returns whether there was any."""
        orders = tables_to_open(self.tournament)
        if orders:
            self.open |= {order.table: order for order in orders}
            self.do(ConfirmTables(tuple(order.table for order in orders)), by="worker")
            return True
        for seat in seats_to_resign(self.tournament):
            self.do(ConfirmGivenUp(seat.entrant, seat.table), by="worker")
            return True
        for table in tables_to_release(self.tournament):
            self.do(self.sealed.pop(table))
            return True
        for table in tables_to_close(self.tournament):
            self.end(table, outcome="abandoned")
            return True
        step = next_step(self.tournament)
        if step is None or step.at > self.now:
            return False
        self.do(step.command, by="worker")
        return True

    def settle(self) -> None:
        """Does all due work of the service, until it waits for tables, people or the clock."""
        for _ in range(10_000):
            if not self.serve():
                return
        raise AssertionError("the service always finds something due")

    def end(
        self,
        table: str,
        *,
        outcome: str = "played_out",
        points: tuple[int, ...] | None = None,
        no_shows: tuple[int, ...] = (),
        resigned: tuple[int, ...] = (),
        by_bot: tuple[int, ...] = (),
    ) -> None:
        """Reports an open table; with points, their order gives the places, and no-shows come last."""
        order = self.open.pop(table)
        absent = {seat for seat, who in enumerate(order.seats) if who.is_absent}
        reported = report(order, outcome=outcome, points=points, no_shows=tuple(sorted(absent | {*no_shows})))
        reported = replace(reported, resigned=resigned, by_bot=by_bot)
        if order.shared is None:
            self.do(reported)
        else:
            self.sealed[table] = reported
            self.do(SealTable(order.round, order.board, table, reported.head))

    def end_all(self, chance: Random | None = None) -> None:
        """Reports every open table, with places in seat order or at random."""
        for table, order in list(self.open.items()):
            points = tuple(-seat for seat in range(len(order.seats)))
            if chance is not None:
                points = tuple(chance.choices(range(-9, 10), k=len(points)))
            self.end(table, points=points)

    def play(self, chance: Random | None = None) -> None:
        """Plays an automatic tournament to its end; all tables of a round end together."""
        for _ in range(10_000):
            self.settle()
            if self.tournament.phase is not Phase.RUNNING:
                return
            if self.open:
                self.end_all(chance)
            else:
                self.wait()
        raise AssertionError("the tournament does not end")

    def wait(self) -> None:
        """Lets time pass until the next due work."""
        step = next_step(self.tournament)
        assert step is not None, "the service has nothing to do ever again"
        self.now = max(self.now, step.at)


def report(
    order: TableOrder,
    *,
    outcome: str = "played_out",
    points: tuple[int, ...] | None = None,
    no_shows: tuple[int, ...] = (),
) -> ReportTable:
    """Returns the report of a table: with points, their order gives the places, and no-shows come last."""
    places = None
    if points is not None:
        staying = [seat for seat in range(len(points)) if seat not in no_shows]
        ahead = {seat: sum(points[other] > points[seat] for other in staying) for seat in staying}
        places = tuple(ahead[seat] + 1 if seat in ahead else len(points) for seat in range(len(points)))
    return ReportTable(
        round=order.round,
        board=order.board,
        deal=order.deal,
        table=order.table,
        version=9,
        head="ab" * 32,
        outcome=outcome,  # type: ignore[arg-type]
        places=places,
        points=points,
        no_shows=no_shows,
    )
