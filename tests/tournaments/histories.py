"""Random histories of tournaments: no sequence of events leaves a tournament stuck (T-15).

    python -m tests.tournaments.histories --histories 10000

Each history opens a tournament with random settings and lets entrants, the organiser, an administrator, the service and
tables act at random, in all formats and with two to ten seats. After every change it asserts the invariants, and at the
end that the tournament can be finished, automatically or by its organiser.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from msgspec.structs import replace

from hoodwink.domain.cards import commitment
from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.proving.proof import replayed
from hoodwink.domain.tournaments.life import (
    AcceptEntry,
    AddRounds,
    Admission,
    Advance,
    Announce,
    AssignBye,
    Cancel,
    ChangePairing,
    ChangeTiebreaks,
    CheckIn,
    ChooseTeam,
    DeclineEntry,
    DeclineOffer,
    DeclinePlace,
    Describe,
    Enter,
    Expel,
    Finish,
    MarkAbsent,
    MissSeeds,
    NameArbiter,
    NameCoOrganiser,
    OfferEntries,
    OfferPlace,
    OpenCheckIn,
    OpenRegistration,
    OpenRound,
    OrderEntrants,
    Pause,
    Phase,
    RankBy,
    RemoveArbiter,
    RemoveCoOrganiser,
    ReplaceTeamCode,
    RequestBye,
    Reschedule,
    Resume,
    RevealEntrantSeed,
    ReverseAbsence,
    ReverseAddedRounds,
    ReverseRuling,
    ReverseSubstitution,
    ReverseWithdrawal,
    RuleResult,
    SayAbsent,
    ScoreVoid,
    Setup,
    Sitting,
    StartRound,
    StartTournament,
    StopTable,
    TakePlace,
    TournamentCommand,
    VoidTable,
    Withdraw,
    WithdrawEntrant,
    WithdrawOffers,
    allowed_actors,
    crosstable,
    next_step,
)
from hoodwink.domain.tournaments.life.events import TableReported
from hoodwink.domain.tournaments.life.facts import (
    current_sitting,
    holders_of,
    next_round,
    open_deals,
    paired,
    setup_of,
)
from hoodwink.domain.tournaments.life.proving.verify import TOURNAMENT
from hoodwink.domain.tournaments.life.setup import HALVES, ArenaTimes, TeamTerms
from hoodwink.domain.tournaments.scoring import scores_after
from hoodwink.domain.tournaments.terms import Compare, Format, ScoreBy, Tiebreak
from tests.tournaments.schedules import hasty_schedules, hasty_seats
from tests.tournaments.world import World, report, setup

STEPS = 250
LIVE = {Phase.RUNNING, Phase.PAUSED}


class History:
    """A tournament in which each step is chosen at random."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = Random(seed)
        settings = random_setup(self.chance)
        teams = TeamTerms(3, 2) if seed % 5 < 2 and settings.format is not Format.KNOCKOUT else None
        if settings.format is Format.ARENA:
            times = ArenaTimes(self.chance.choice([1, 20, 180]), self.chance.randrange(5))
            self.world = World(arena_setup(settings), arena=times, teams=teams)
        elif seed % 4 == 0 and settings.format is not Format.KNOCKOUT:
            compare, deals = list(Compare)[seed // 4 % 3], seed // 12 % 3 + 1
            plan = duplicate_setup(settings, deals)
            self.world = World(plan, compare=compare, deals_per_pairing=deals, teams=teams)
        else:
            self.world = World(settings, admission=Admission(approval=seed % 4 == 1), teams=teams)
        self.secrets: dict[str, str] = {}
        self.reported: dict[str, TableReported] = {}
        self.refused: Counter[str] = Counter()
        self.arrivals = 0

    def attempt(self, command: TournamentCommand) -> bool:
        """Executes a command, as anybody who may; returns false if the rules refuse it, without changes."""
        try:
            self.world.do(command, by=self.chance.choice(allowed_actors(self.world.tournament, command)))
        except RuleViolation as violation:
            self.refused[violation.code] += 1
            return False
        return True

    def run(self) -> None:
        """Plays the tournament from its draft to its end."""
        self.attempt(OpenRegistration())
        for _ in range(self.chance.randrange(2, 24)):
            self.enter()
        for _ in range(STEPS):
            before = self.world.tournament
            self.step()
            if self.world.tournament is not before:
                self.check()
        self.bring_to_an_end()
        self.check()
        self.check_log()

    # ------------------------------------------------------------------ random steps

    def step(self) -> None:
        """Takes one random step, usually of the service or a table."""
        phase = self.world.tournament.phase
        if phase in {Phase.DRAFT, Phase.REGISTRATION}:
            usual = [self.enter, self.start, self.start]
        else:
            usual = [self.serve, self.serve, self.end_table, self.wait, self.reveal]
        seldom = [self.organise, self.organise, self.take_part, self.take_part, self.void, self.score_void]
        seldom += [self.stop, self.rule, self.rule, self.reverse_ruling, self.substitute, self.reverse]
        self.chance.choice([*usual, *usual, *seldom, self.end])()

    def enter(self) -> None:
        self.arrivals += 1
        name = (
            self.chance.choice(["olga", "ann"]) if self.chance.random() < 0.08 else f"player{self.arrivals}"
        )
        if self.chance.random() < 0.3:
            self.attempt(Enter(player="", policy="steady"))
            return
        if self.chance.random() < 0.2:
            self.offer(name)
        self.attempt(Enter(player=name, seed_commitment=self.new_commitment(name)))
        for asking in self.world.tournament.applicants:
            decision = self.chance.choice(
                [AcceptEntry, AcceptEntry, AcceptEntry, DeclineEntry, Withdraw, None]
            )
            if decision is not None:
                self.attempt(decision(asking.id))
        self.choose_team()

    def choose_team(self) -> None:
        """Attempts to put a random entrant into a random or a new team, or into none."""
        if self.world.tournament.team_terms is not None:
            last = len(self.world.tournament.teams)
            team = self.chance.choice([None, last + 1, *range(1, last + 1)])
            self.attempt(ChooseTeam(self.someone(), team, "a name" if team == last + 1 else ""))
            if last and self.chance.random() < 0.2:
                self.attempt(ReplaceTeamCode(self.chance.randint(1, last)))

    def offer(self, player: str) -> None:
        """Attempts to offer an entry, and sometimes to decline it or to take it back."""
        self.attempt(OfferEntries((player, f"{player}x")))
        answer = self.chance.choice([None, None, DeclineOffer(player), WithdrawOffers((player,))])
        if answer is not None:
            self.attempt(answer)

    def new_commitment(self, entrant: str) -> str:
        """Returns a commitment to a new seed of the entrant, or an empty string."""
        if self.chance.random() < 0.5:
            return ""
        self.secrets[entrant] = f"{self.chance.getrandbits(128):032x}"
        return commitment(self.secrets[entrant])

    def start(self) -> None:
        entrants = [entrant.id for entrant in self.world.tournament.entrants]
        cap = setup_of(self.world.tournament).cap
        rated = [entrant for entrant in entrants[:cap] if self.chance.random() < 0.7]
        self.attempt(StartTournament({entrant: self.chance.randrange(-9, 40) for entrant in rated}))

    def serve(self) -> None:
        self.world.serve()

    def wait(self) -> None:
        """Lets a random time pass, or the time until the next due work."""
        step = next_step(self.world.tournament)
        if step is not None and self.chance.random() < 0.7:
            self.world.now = max(self.world.now, step.at)
        else:
            self.world.now += self.chance.choice([1, 1000, 20_000, 1_000_000])

    def end_table(self) -> None:
        """Ends an open table, usually with a result, and with random no-shows."""
        if not self.world.open:
            return
        table = self.chance.choice(sorted(self.world.open))
        seats = len(self.world.open[table].seats)
        order = self.world.open[table]
        people = [seat for seat, who in enumerate(order.seats) if who.policy is None]
        no_shows = tuple(seat for seat in people if self.chance.random() < 0.1)
        left: dict[str, Any] = {
            "no_shows": no_shows,
            "resigned": tuple(seat for seat in people if self.chance.random() < 0.1),
            "by_bot": tuple(seat for seat in people if self.chance.random() < 0.1),
        }
        if len(no_shows) == seats or self.chance.random() < 0.1:
            self.world.end(table, outcome=self.chance.choice(["no_result", "abandoned"]), **left)
        else:
            points = tuple(self.chance.choices(range(-3, 4), k=seats))
            self.world.end(table, points=points, **left)
        if order.shared is not None:
            return  # it is reported when the deal is released (D-7)
        self.reported[table] = next(
            recorded.event
            for recorded in reversed(self.world.log)
            if isinstance(recorded.event, TableReported)
        )
        again = report(order, outcome="no_result")
        assert self.world.refusal(again) == "table_reported", "a table is reported once"

    def reveal(self) -> None:
        call = self.world.tournament.call
        if call is not None and call.awaited:
            entrant = self.chance.choice(call.awaited)
            self.attempt(RevealEntrantSeed(entrant, self.secrets.get(entrant, "0" * 32)))

    def someone(self) -> str:
        entrants = self.world.tournament.entrants
        return self.chance.choice(entrants).id if entrants else "nobody"

    def take_part(self) -> None:
        """Attempts a random command of an entrant."""
        entrant, soon = self.someone(), next_round(self.world.tournament)
        before = self.secrets.get(entrant, "")
        choices: list[Callable[[], TournamentCommand]] = [
            lambda: CheckIn(entrant, self.new_commitment(entrant)),
            lambda: CheckIn(entrant, self.new_commitment(entrant)),
            lambda: CheckIn(entrant),
            lambda: SayAbsent(entrant),
            lambda: RequestBye(entrant, soon + self.chance.randrange(-1, 3)),
            lambda: Withdraw(entrant),
        ]
        if not self.attempt(self.chance.choices(choices, (3, 2, 3, 3, 3, 1))[0]()):
            self.secrets[entrant] = before
        if self.chance.random() < 0.2:
            self.enter()

    def organise(self) -> None:
        """Attempts a random command of the organiser."""
        chance, tournament = self.chance, self.world.tournament
        entrant, soon = self.someone(), next_round(tournament)
        everybody = [entered.id for entered in tournament.entrants]
        choices: list[Callable[[], TournamentCommand]] = [
            OpenRegistration,
            lambda: Expel(entrant, "rude"),
            lambda: NameArbiter(chance.choice(["ann", "al", entrant])),
            lambda: RemoveArbiter(chance.choice(["ann", "al"])),
            lambda: NameCoOrganiser(chance.choice(["cy", "ann", entrant])),
            lambda: RemoveCoOrganiser(chance.choice(["cy", "ann", entrant])),
            lambda: AddRounds(chance.choice([1, 1, 2, 500]), self.official(), "time is left"),
            lambda: Describe("olga", chance.choice(["", "a text"])),
            lambda: Announce(self.official(), "a text"),
            lambda: MarkAbsent(entrant, self.official(), "no answer"),
            lambda: WithdrawEntrant(entrant, self.official(), "ill"),
            lambda: OrderEntrants(tuple(chance.sample(everybody, len(everybody)))),
            lambda: OpenCheckIn(chance.randrange(1, 4)),
            lambda: AssignBye(entrant, soon + chance.randrange(3), chance.choice(HALVES), "ill"),
            lambda: OpenRound(soon),
            lambda: OpenRound(soon, early=True, reason="the hall closes"),
            lambda: StartRound(soon),
            self.changed_pairing,
            lambda: ChangeTiebreaks((chance.choice(list(Tiebreak)),)),
            lambda: Reschedule(chance.randrange(1, 4), chance.choice([None, self.world.now + 5000])),
            Pause,
            Resume,
            MissSeeds,
        ]
        weights = (1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 3, 3, 4, 2, 3, 6, 1, 1, 2, 6, 1)
        self.attempt(chance.choices(choices, weights)[0]())

    def changed_pairing(self) -> TournamentCommand:
        """Returns a command that swaps two entrants of the pairing, or an impossible one if no round is paired."""
        round_ = paired(self.world.tournament)
        if round_ is None:
            return StartRound(1)
        byes: list[int | None] = list(round_.proposed_byes)
        tables = [list(seats) for seats in round_.proposed_tables]
        places = [(group, seat) for group in (*tables, byes) for seat in range(len(group))]
        if len(places) > 1:
            (group, here), (other, there) = self.chance.sample(places, 2)
            group[here], other[there] = other[there], group[here]
        whole = tuple(tuple(seats) for seats in tables)
        return ChangePairing(
            round_.number, whole, tuple(n for n in byes if n is not None), "they are siblings"
        )

    def void(self) -> None:
        rounds = self.world.tournament.rounds
        if rounds and self.chance.random() < 0.5:
            round_ = self.chance.randrange(1, len(rounds) + 1)
            self.attempt(
                VoidTable(round_, self.chance.randrange(1, 5), self.chance.randrange(1, 3), "a leak")
            )

    def score_void(self) -> None:
        rounds = self.world.tournament.rounds
        for round_ in rounds:
            for match in round_.matches:
                if match.deals[0].is_void:
                    score = self.chance.choice(HALVES)
                    self.attempt(ScoreVoid(round_.number, match.number, score, "agreed"))
                    return

    def board(self) -> tuple[int, Any] | None:
        """Returns a random board of a random round, with the number of the round."""
        rounds = [round_ for round_ in self.world.tournament.rounds if round_.matches]
        if not rounds:
            return None
        round_ = self.chance.choice(rounds)
        return round_.number, self.chance.choice(round_.matches)

    def official(self) -> str:
        tournament = self.world.tournament
        if self.chance.random() < 0.1:
            return self.someone()
        officials: tuple[str, ...] = (tournament.organiser, *tournament.co_organisers, *tournament.arbiters)
        return self.chance.choice(officials)

    def stop(self) -> None:
        if (chosen := self.board()) is not None and self.chance.random() < 0.3:
            round_, match = chosen
            self.attempt(StopTable(round_, match.number, len(match.deals), self.official(), "stuck"))

    def rule(self) -> None:
        """Attempts a ruling, usually one that fits the table."""
        if (chosen := self.board()) is None:
            return
        chance, (round_, match) = self.chance, chosen
        seats = match.deals[0].seats
        ruling: dict[str, Any] = {"score": chance.choice([None, *HALVES])}
        if chance.random() < 0.7:
            points = chance.sample(range(-9, 10), len(seats))
            if chance.random() < 0.2:
                points[-1] = points[0]
            away = [number is not None and chance.random() < 0.2 for number in seats]
            there = [point for point, is_away in zip(points, away, strict=True) if not is_away]
            ruling = {
                "places": tuple(
                    None if is_away else 1 + sum(other > point for other in there)
                    for point, is_away in zip(points, away, strict=True)
                )
            }
            tournament = self.world.tournament
            if tournament.compare is not None or setup_of(tournament).score_by is ScoreBy.POINTS:
                ruling["points"] = tuple(points)
        self.attempt(
            RuleResult(
                round=round_, board=match.number, official=self.official(), reason="a mistake", **ruling
            )
        )

    def reverse_ruling(self) -> None:
        if (chosen := self.board()) is not None:
            self.attempt(ReverseRuling(chosen[0], chosen[1].number, "a mistake"))

    def substitute(self) -> None:
        """Offers a place, takes one or declines it."""
        chance, tournament = self.chance, self.world.tournament
        offered = [entrant.offered_to for entrant in tournament.entrants if entrant.offered_to]
        if offered and chance.random() < 0.7:
            player = chance.choice(offered)
            self.attempt(TakePlace(player, self.new_commitment(player)))
            return
        if offered and chance.random() < 0.3:
            self.attempt(DeclinePlace(chance.choice(offered)))
            return
        former = [before.player for each in tournament.entrants for before in each.predecessors]
        self.arrivals += 1
        player = chance.choice([f"player{self.arrivals}", f"player{self.arrivals}", *former])
        self.attempt(OfferPlace(self.someone(), player, self.official(), "ill"))

    def reverse(self) -> None:
        """Attempts to reverse a decision of an official, usually one that there is."""
        entrants = self.world.tournament.entrants
        decided = [
            (command, entrant.id)
            for entrant in entrants
            for command, is_made in (
                (ReverseAbsence, entrant.is_marked),
                (ReverseWithdrawal, entrant.is_withdrawn),
                (ReverseSubstitution, bool(entrant.predecessors)),
            )
            if is_made
        ]
        if decided and self.chance.random() < 0.5:
            command, entrant = self.chance.choice(decided)
            self.attempt(command(entrant, "a mistake"))
        else:
            self.attempt(ReverseAddedRounds("too long"))

    def end(self) -> None:
        if self.chance.random() < 0.03:
            self.attempt(Finish("night falls") if self.chance.random() < 0.5 else Cancel("no hall"))

    # ------------------------------------------------------------------ invariants

    def check(self) -> None:
        """Asserts the invariants that hold after every change."""
        world, tournament = self.world, self.world.tournament
        has_ended = tournament.phase in {Phase.FINISHED, Phase.CANCELLED}
        assert bool(world.refusal(Cancel("no hall"))) == has_ended, "until the end an organiser can cancel"
        assert bool(world.refusal(Finish("at once"))) == (tournament.phase not in LIVE), "and finish"
        assert not tournament.is_seed_revealed or has_ended
        places = [set(holders_of([entrant])) for entrant in tournament.entrants]
        assert len(set().union(*places)) == sum(map(len, places)), "nobody plays for two entrants"
        if tournament.terms is not None:
            self.check_rounds()

    def check_rounds(self) -> None:
        """Asserts that every entrant appears exactly once in each round, and that no result is lost."""
        table = crosstable(self.world.tournament)
        for round_ in table.rounds:
            seated = [seat.entrant for board in round_.boards for seat in board.seats if seat.entrant]
            everybody = sorted([*seated, *(unplayed.entrant for unplayed in round_.unplayed)])
            is_arena = table.terms.format is Format.ARENA
            whole = sorted(set(everybody)) if is_arena else list(table.numbers())
            assert everybody == whole, f"every entrant is exactly once in round {round_.number}"
        if table.terms.format is Format.ARENA:
            playing = [
                number
                for _, _, deal in open_deals(self.world.tournament)
                for number in deal.seats
                if number is not None
            ]
            assert len(playing) == len(set(playing)), "nobody is at two tables at once"
        scores_after(table, len(table.rounds))
        reports = {
            deal.table: deal.report
            for round_ in self.world.tournament.rounds
            for match in round_.matches
            for deal in match.deals
            if deal.report is not None
        }
        for id_, reported in self.reported.items():
            assert reports[id_].places == reported.places, "no result is lost"

    def check_log(self) -> None:
        """Asserts that every command is decided the same again, like a verifier.

        Searching the schedule of larger tables again takes a second, so only one in ten of them is checked.
        """
        is_searched = self.world.tournament.schedule and setup_of(self.world.tournament).seats > 2
        if is_searched and self.seed % 10:
            return
        assert replayed(TOURNAMENT, self.world.log) == self.world.tournament

    def bring_to_an_end(self) -> None:
        """Plays to the end with the service and the tables only; an automatic tournament must then finish."""
        for _ in range(5000):
            if self.world.serve():
                continue
            if self.world.tournament.phase not in {Phase.FINISHED, Phase.CANCELLED} or self.world.open:
                self.go_on()
                continue
            assert self.world.tournament.is_seed_revealed
            return
        raise AssertionError("the tournament never ends")

    def go_on(self) -> None:
        """Ends a table or lets time pass; if only the organiser can continue, takes the organiser's step."""
        world = self.world
        if world.tournament.phase in {Phase.DRAFT, Phase.REGISTRATION}:
            world.do(Cancel("nobody came"))
        elif world.tournament.phase is Phase.PAUSED:
            world.do(Resume())
        elif world.open:
            self.end_table()
        elif next_step(world.tournament) is not None:
            world.wait()
        else:
            is_manual = setup_of(world.tournament).advance is Advance.MANUAL
            assert is_manual, "when every table has ended, only a manual tournament waits for its organiser"
            self.advance()

    def advance(self) -> None:
        """Takes the organiser's next step in a manual tournament."""
        tournament = self.world.tournament
        round_ = paired(tournament)
        if round_ is not None:
            self.world.do(StartRound(round_.number))
        elif not (
            self.attempt(OpenRound(next_round(tournament))) or self.attempt(OpenCheckIn(self.sitting()))
        ):
            if self.world.refusal(OpenRound(next_round(tournament))) == "check_in_running":
                self.world.now += 3_600_000
            else:
                self.world.do(Finish())

    def sitting(self) -> int:
        return current_sitting(self.world.tournament)


def random_setup(chance: Random) -> Setup:
    """Returns valid settings drawn at random."""
    format_ = chance.choice(list(Format))
    game = chance.choice(sorted(GAMES))
    seats = chance.randint(*GAMES[game].seats)
    is_free = format_ in {Format.SWISS, Format.LEAGUE}
    fills = seats > 2 and chance.random() < 0.3
    score_by = ScoreBy.PLACE
    if chance.random() < 0.3:
        is_even = fills or seats == 2
        may_count = (
            is_even and format_ is not Format.KNOCKOUT and not (format_ is Format.SWISS and seats == 2)
        )
        score_by = ScoreBy.POINTS if may_count else ScoreBy.WIN
    sittings = _sittings(
        chance,
        follows=format_ in {Format.KNOCKOUT, Format.ARENA} or (format_ is Format.ROUND_ROBIN and seats == 2),
    )
    rounds = sum(sitting.rounds or 0 for sitting in sittings)
    return setup(
        format=format_,
        game=game,
        seats=seats,
        sittings=sittings,
        score_by=score_by,
        bye_score=chance.choice(HALVES),
        late_until=chance.randrange(rounds + 1) if is_free else 0,
        late_score=chance.choice(HALVES),
        requested_byes=chance.randrange(3),
        best_of=chance.randrange(1, len(sittings) + 1) if format_ is Format.LEAGUE else None,
        float_window=chance.choice([0, 2, "all"]),
        forbidden=(("player1", "player2"), ("player2", "player3"))
        if is_free and chance.random() < 0.3
        else (),
        strict_places=chance.random() < 0.5,
        advance=chance.choice(
            [Advance.AUTOMATIC, Advance.AUTOMATIC, Advance.MANUAL]
            + [Advance.SCHEDULE] * all(sitting.starts_at for sitting in sittings)
        ),
        check_in=chance.choice([0, 0, 60, 600]),
        fill_with_bots=fills,
        rank_by=chance.choice(list(RankBy)),
        cap=chance.choice([None, None, 5, 12]),
        advancing=chance.randrange(1, seats)
        if format_ is Format.KNOCKOUT and seats > 2 and chance.random() < 0.5
        else None,
        third_place=format_ is Format.KNOCKOUT and seats == 2 and chance.random() < 0.5,
    )


def duplicate_setup(settings: Setup, deals: int) -> Setup:
    """Returns the settings with changes that let all tables of a round play the same deal (D-1)."""
    return replace(
        settings,
        turn_seconds=60,
        score_by=ScoreBy.PLACE,
        sittings=tuple(
            [replace(each, rounds=each.rounds and each.rounds * deals) for each in settings.sittings]
        ),
        bye_score=min(settings.bye_score, HALVES[1]),
        late_score=min(settings.late_score, HALVES[1]),
    )


def arena_setup(settings: Setup) -> Setup:
    """Returns the settings with changes that an arena needs (T-40)."""
    return replace(
        settings,
        sittings=(Sitting(starts_at=settings.sittings[0].starts_at),),
        turn_seconds=60,
        score_by=ScoreBy.PLACE,
        late_score=HALVES[0],
        advance=Advance.AUTOMATIC,
        check_in=0,
    )


def _sittings(chance: Random, *, follows: bool) -> tuple[Sitting, ...]:
    count, is_timed = chance.randrange(1, 4), chance.random() < 0.4
    sittings = []
    for number in range(1, count + 1):
        rounds = None if follows and number == count else chance.randrange(1, 4)
        sittings.append(Sitting(rounds=rounds, starts_at=number * 2_000_000 if is_timed else None))
    return tuple(sittings)


def main() -> None:
    """Runs many histories and prints how the tournaments ended."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--histories", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1, help="of the first history; the others follow")
    asked = parser.parse_args()
    ends: Counter[str] = Counter()
    for seed in range(asked.seed, asked.seed + asked.histories):
        history = History(seed)
        try:
            with hasty_schedules(), hasty_seats():
                history.run()
        except BaseException:
            print(f"history {seed} fails: --histories 1 --seed {seed}", file=sys.stderr)
            raise
        tournament = history.world.tournament
        ends[f"{setup_of(tournament).format}, {tournament.phase}"] += 1
        if ends.total() % 1000 == 0:
            print(f"{ends.total()} histories", file=sys.stderr)
    for end, count in sorted(ends.items()):
        print(f"{count:6} {end}")


if __name__ == "__main__":
    main()
