"""Plays whole tournaments in one process and without a store, with the same rules, pairings and bots as the service."""

import heapq
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

import msgspec

from hoodwink.domain.bots import Level, level_of
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.actor import ORGANISER, WORKER, Actor, by_entrant, by_player
from hoodwink.domain.tables.commands import MissStart, ReleaseDeal, SayReady
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import apply, head_of
from hoodwink.domain.tables.state import Phase, grace_until
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.crosstable import Crosstable
from hoodwink.domain.tournaments.life import Setup, TableOrder, Tournament, TournamentCommand
from hoodwink.domain.tournaments.life.facts import next_round, rosters_of
from hoodwink.domain.tournaments.life.proving.log import export_log as export_tournament_log
from hoodwink.domain.tournaments.life.setup import ArenaTimes, TeamTerms
from hoodwink.domain.tournaments.terms import Compare
from hoodwink.service.simulation.tables import Simulation

_LATE: Final = 0.1
_ABSENT: Final = 0.06
_WITHDRAWN: Final = 0.02
_BYE: Final = 0.04
_NO_SHOW: Final = 0.03
"""The shares of entrants who enter late, miss a sitting, withdraw, request a bye or do not appear."""


class EntrantPlan(msgspec.Struct, frozen=True, gc=False):
    """An entrant with the policy that plays for them, and the round before which they enter."""

    id: str
    name: str
    policy: str
    round: int = 1


def plan_entrants(
    policies: Sequence[str], entrants: int, *, latest: int, chance: Random
) -> tuple[EntrantPlan, ...]:
    """Returns entrants with the policies in turn. With `latest` above 1, some enter later, up to that round."""
    plans = []
    for number in range(entrants):
        policy = policies[number % len(policies)]
        # The first two are always on time, or the tournament could not start.
        is_late = latest > 1 and number >= 2 and chance.random() < _LATE
        round_ = chance.randint(2, latest) if is_late else 1
        plans.append(EntrantPlan(f"p{number + 1:04}", f"{policy.capitalize()} {number + 1}", policy, round_))
    return tuple(plans)


class TournamentSimulation:
    """A tournament played from a seed. The same seed plays the same tournament.

    Attributes:
        tournament: the current state of the tournament.
        entries: its log so far.
        logs: the exported log of each played table, by id.
    """

    def __init__(  # noqa: PLR0913 - each part of the opening
        self,
        *,
        setup: Setup,
        entrants: Sequence[EntrantPlan],
        seed: str,
        has_absences: bool = False,
        compare: Compare | None = None,
        deals_per_pairing: int = 1,
        arena: ArenaTimes | None = None,
        teams: TeamTerms | None = None,
    ) -> None:
        """Opens and starts the tournament with all entrants who are not late.

        With `compare`, all tables of a round play the same deal. The tables of an arena last a second for each event. Entrants
        fill one team after the other.

        Raises:
            RuleViolation, InvalidOptions: such a tournament cannot be opened or started.
        """
        self.tournament: Tournament = life.UNOPENED
        self.entries: list[Entry] = []
        self.logs: dict[str, bytes] = {}
        self._now = 0
        # One generator for everything, so the order of its calls is part of what the seed determines.
        self._chance = Random(f"tournament:{seed}")  # noqa: S311 - a simulation must be repeatable, not secret
        server_seed = f"{self._chance.getrandbits(256):064x}"
        self._plans = {plan.id: plan for plan in entrants}
        self._has_absences = has_absences
        opening = life.OpenTournament(
            tournament="simulated",
            organiser="simulation",
            setup=setup,
            server_seed=server_seed,
            compare=compare,
            deals_per_pairing=deals_per_pairing,
            arena=arena,
            teams=teams,
        )
        self._do(opening, by=ORGANISER)
        self._do(life.OpenRegistration(), by=ORGANISER)
        self._enter(1)
        self._do(life.StartTournament({}), by=ORGANISER)

    def policy_of(self, number: int) -> str:
        """Returns the policy that plays for the entrant with a starting rank."""
        entrant = self.tournament.entrants[number - 1]
        return entrant.policy or self._plans[entrant.id].policy

    def play(self, on_round: Callable[[int], None] = lambda _: None) -> None:
        """Plays the tournament to its end, and calls `on_round` with the number of each completed round."""
        if self.tournament.arena is not None:
            self._play_arena(on_round)
            return
        while self.tournament.phase is life.Phase.RUNNING:
            if life.is_played_out(self.tournament):
                self._do(life.Finish(), by=ORGANISER)
                return
            number = next_round(self.tournament)
            if number > 1:
                self._enter(number)
            if self._has_absences:
                self._come_and_go(number)
            self._do(life.OpenRound(number), by=ORGANISER)
            self._do(life.StartRound(number), by=ORGANISER)
            while orders := life.tables_to_open(self.tournament):
                self._do(life.ConfirmTables(tuple(order.table for order in orders)), by=WORKER)
                self._play_tables(orders)
            on_round(number)

    def _play_arena(self, on_wave: Callable[[int], None]) -> None:
        """Plays an arena to its end, in the order in which its waves are due and its tables end."""
        ends: list[tuple[int, str, TournamentTable]] = []
        while self.tournament.phase is life.Phase.RUNNING:
            if orders := life.tables_to_open(self.tournament):
                self._do(life.ConfirmTables(tuple(order.table for order in orders)), by=WORKER)
                for order in orders:
                    table = self._played(order)
                    # The id decides between equal ends, because tables cannot be compared.
                    heapq.heappush(ends, (self._now + 1_000 * len(table.entries), order.table, table))
                on_wave(orders[0].round)
                continue
            step = life.next_step(self.tournament)
            if ends and (step is None or ends[0][0] < step.at):
                at, _, table = heapq.heappop(ends)
                self._now = max(self._now, at)
                self._report(table)
            else:
                assert step is not None, "an arena waits for its tables or its bell"
                self._now = max(self._now, step.at)
                self._do(step.command, by=WORKER)

    @property
    def crosstable(self) -> Crosstable:
        return life.crosstable(self.tournament, self.names)

    def names(self, player: str) -> str:
        return self._plans[player].name

    def log(self) -> bytes:
        """Returns the tournament's log in the export format."""
        return export_tournament_log(self.tournament.id, self.entries, self.names)

    def _enter(self, round_: int) -> None:
        for plan in self._plans.values():
            if plan.round != round_:
                continue
            # Only a person can be absent, so with absences the entrants are people whose moves a policy makes.
            if self._has_absences:
                self._try(life.Enter(player=plan.id), by=by_entrant(plan.id))
            else:
                self._do(life.Enter(player="", policy=plan.policy), by=ORGANISER)
            if self.tournament.team_terms is not None:
                self._join_team(self.tournament.team_terms.team_size)

    def _join_team(self, size: int) -> None:
        """Puts the latest entrant into the last team, or into a new one if that is full."""
        entrants, teams = self.tournament.entrants, len(self.tournament.teams)
        is_new = len(rosters_of(self.tournament).get(teams, ())) == (size if teams else 0)
        team = teams + is_new
        self._try(life.ChooseTeam(entrants[-1].id, team, f"Team {team}" * is_new), by=ORGANISER)

    def _come_and_go(self, round_: int) -> None:
        """Makes entrants miss the sitting, leave, or request byes at random."""
        for entrant in self.tournament.entrants:
            # Those who have left, too: the rules decide who may still act, not the simulation.
            by, luck = by_entrant(entrant.id), self._chance.random()
            if luck < _WITHDRAWN:
                self._try(life.Withdraw(entrant.id), by=by)
            elif luck < _WITHDRAWN + _ABSENT:
                self._try(life.SayAbsent(entrant.id), by=by)
            elif luck < _WITHDRAWN + _ABSENT + _BYE:
                self._try(life.RequestBye(entrant.id, round_), by=by)

    def _play_tables(self, orders: Sequence[TableOrder]) -> None:
        waiting = []
        for order in orders:
            table = self._played(order)
            if order.shared is None:
                self._report(table)
                continue
            # Nothing is reported before the last table of the deal has ended (D-7).
            sealed = life.SealTable(order.round, order.board, order.table, head_of(table.entries))
            self._do(sealed, by=WORKER)
            waiting.append(table)
        for table in waiting:
            table.release()
            self._report(table)

    def _played(self, order: TableOrder) -> "TournamentTable":
        plans = self._plans
        table = TournamentTable(order, chance=self._chance, plans=plans, has_absences=self._has_absences)
        table.play()
        return table

    def _report(self, table: "TournamentTable") -> None:
        self.logs[table.table.id] = table.log()
        # With the table's hash, so that the tournament's log proves which log it took the result from.
        self._do(life.report_of(table.table, head_of(table.entries), table.entries), by=WORKER)

    def _try(self, command: TournamentCommand, *, by: Actor) -> None:
        try:
            self._do(command, by=by)
        except RuleViolation:  # as real entrants do, they also try what is not allowed
            return

    def _do(self, command: TournamentCommand, *, by: Actor) -> None:
        self._now += 1
        head, now = head_of(self.entries), self._now
        self.tournament, events = apply(
            life.TOURNAMENT, self.tournament, command, head=head, at=now, by=by, cmd=f"{now:x}"
        )
        self.entries += [recorded.entry for recorded in events]


class TournamentTable(Simulation):
    """A table of a simulated tournament."""

    def __init__(
        self, order: TableOrder, *, chance: Random, plans: dict[str, EntrantPlan], has_absences: bool
    ) -> None:
        super().__init__(chance=chance)
        self._plans = plans
        self._do(life.opening_of(order), by=WORKER)
        if has_absences:
            self._await_entrants()

    def release(self) -> None:
        """Reveals the seed of the ended table, because its deal was released."""
        self._do(ReleaseDeal(), by=WORKER)

    def _await_entrants(self) -> None:
        for seat in self.table.awaited:
            if self._chance.random() >= _NO_SHOW:
                self._do(SayReady(seat), by=by_player(seat))
        until = grace_until(self.table)
        if until is not None and self.table.phase is Phase.PLAYING:
            # Until then, the rules count nobody as a no-show.
            self._now = until
            self._do(MissStart(self.table.awaited), by=WORKER)

    def _level_at(self, seat: int) -> Level:
        occupant = self.table.seats[seat]
        plan = self._plans.get(occupant.player) if occupant else None
        # A policy of the plan plays for each person. A bot that takes a seat over plays as at any table.
        if plan is None or seat in self.table.resigned:
            return super()._level_at(seat)
        return level_of(plan.policy, self.table.rulebook)
