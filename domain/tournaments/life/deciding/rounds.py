"""Rounds: calling for seeds, pairing, changes to a pairing, starting (T-5, T-11, T-13, T-14)."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.corrections import check_reason
from hoodwink.domain.tournaments.crosstable import Why
from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.domain.tournaments.life.commands import ChangePairing, OpenRound, StartRound
from hoodwink.domain.tournaments.life.deciding.arena import check_wave
from hoodwink.domain.tournaments.life.deciding.checks import Events, check_remark, check_running
from hoodwink.domain.tournaments.life.deciding.consequences import with_consequences
from hoodwink.domain.tournaments.life.events import (
    PairingChanged,
    RoundOpened,
    RoundStarted,
    Seats,
    SeedsCalled,
)
from hoodwink.domain.tournaments.life.facts import (
    byes_of,
    current_sitting,
    is_present,
    next_round,
    numbers_at,
    organises,
    paired,
    remaining,
    setup_of,
    sitting_of,
    started_rounds,
    terms_of,
)
from hoodwink.domain.tournaments.life.presence import absent_among, unplayed
from hoodwink.domain.tournaments.life.scoring.crosstables import crosstable
from hoodwink.domain.tournaments.life.scoring.engine import pair, playable
from hoodwink.domain.tournaments.life.scoring.progress import is_complete, is_round_planned
from hoodwink.domain.tournaments.life.setup_checks import check_size
from hoodwink.domain.tournaments.life.state import PairedRound, Tournament
from hoodwink.domain.tournaments.pairing.division import seats_at
from hoodwink.domain.tournaments.scoring import round_scores
from hoodwink.domain.tournaments.terms import Format, ScoreBy


def open_round(tournament: Tournament, command: OpenRound, now: int) -> Events:
    check_running(tournament)
    _check_due(tournament, command, now)
    call = tournament.call
    if call is not None:
        if call.awaited:
            raise RuleViolation(TableCode.SEEDS_AWAITED, "The round waits for seeds to be revealed.")
        return _opened(tournament, command, now)
    _check_check_in(tournament, now)
    committed = [entrant.id for entrant in remaining(tournament) if entrant.commitment]
    if committed:
        return (SeedsCalled(command.round, tuple(committed), command.early, command.reason),)
    return _opened(tournament, command, now)


def _check_due(tournament: Tournament, command: OpenRound, now: int) -> None:
    """Raises `RuleViolation` unless the round is the next one to be paired."""
    due = next_round(tournament)
    if command.round < due or (command.round == due and paired(tournament) is not None):
        raise RuleViolation(
            TournamentCode.ROUND_OPEN,
            f"Round {command.round} has already been paired. Start it, and pair the next round once its tables have ended.",
        )
    if not is_round_planned(tournament, command.round):
        raise RuleViolation(TournamentCode.NO_SUCH_ROUND)
    if command.round > due:
        raise RuleViolation(TournamentCode.WRONG_ROUND, f"The next round is round {due}.")
    _check_early(tournament, command)
    if len(playable(tournament)) < 2:
        raise RuleViolation(TournamentCode.TOO_FEW_ENTRANTS, "A round needs two entrants who have not left.")
    if tournament.arena is not None:
        check_wave(tournament, now)


def _check_early(tournament: Tournament, command: OpenRound) -> None:
    is_arena = tournament.arena is not None
    if not is_arena and not is_complete(tournament) and not command.early:
        raise RuleViolation(TournamentCode.ROUND_UNFINISHED)
    if is_arena and command.early:
        raise RuleViolation(TournamentCode.NEVER_EARLY, "An arena never waits for tables in play.")
    if command.early and setup_of(tournament).format is Format.KNOCKOUT:
        raise RuleViolation(TournamentCode.NEVER_EARLY)
    if command.early:
        check_reason(command.reason, of="A round that is opened early")
    check_remark(command.reason)


def _check_check_in(tournament: Tournament, now: int) -> None:
    if not setup_of(tournament).check_in:
        return
    sitting = current_sitting(tournament)
    if tournament.check_in != sitting:
        raise RuleViolation(TournamentCode.CHECK_IN_DUE)
    if now < tournament.check_in_until and not are_all_present(tournament, sitting):
        raise RuleViolation(TournamentCode.CHECK_IN_RUNNING)


def are_all_present(tournament: Tournament, sitting: int) -> bool:
    """Returns whether every entrant has checked in or announced an absence, so that check-in may end."""
    return all(
        is_present(tournament, entrant, sitting) or entrant.absent_in == sitting
        for entrant in remaining(tournament)
    )


def _opened(tournament: Tournament, command: OpenRound, now: int) -> Events:
    """Returns the pairing of a round; a wave of an arena starts with it (T-41)."""
    number, is_arena = command.round, tournament.arena is not None
    pairing = pair(tournament, number, now)
    at_tables = numbers_at(pairing.tables)
    byes = pairing.byes
    opened = RoundOpened(
        round=number,
        sitting=sitting_of(tournament, number),
        early=command.early,
        reason=command.reason,
        tables=pairing.tables,
        absent=absent_among(tournament, at_tables, number),
        unplayed=() if is_arena else unplayed(tournament, number, at_tables=at_tables, byes=byes),
        objective=pairing.objective,
        relaxed=pairing.relaxed,
        explanations=pairing.explanations,
        bracket=pairing.bracket,
    )
    return (opened, RoundStarted(number)) if is_arena else (opened,)


def change_pairing(tournament: Tournament, command: ChangePairing) -> Events:
    round_ = _unstarted(tournament, command.round)
    check_reason(command.reason, of="A changed pairing")
    if (command.tables, sorted(command.byes)) == (_tables(round_), sorted(byes_of(round_))):
        raise RuleViolation(TournamentCode.PAIRING_UNCHANGED)
    _check_everybody(round_, command)
    sizes = [len(numbers_at([seats])) for seats in command.tables]
    for seats in command.tables:
        _check_table(tournament, seats, sizes)
    _check_sizes(tournament, round_, command.tables)
    _check_byes(tournament, round_, command.byes)
    _check_bracket(round_, command.tables)
    allowed = _forbidden_count(tournament, round_.proposed_tables)
    if _forbidden_count(tournament, command.tables) > allowed:
        raise RuleViolation(TournamentCode.FORBIDDEN_PAIR)
    return (
        PairingChanged(
            round=command.round,
            tables=command.tables,
            byes=command.byes,
            reason=command.reason,
            proposed_tables=round_.proposed_tables,
            proposed_byes=round_.proposed_byes,
        ),
    )


def _unstarted(tournament: Tournament, number: int) -> PairedRound:
    """Returns the paired round with that number; raises `RuleViolation` unless it exists and has not started."""
    check_running(tournament)
    round_ = paired(tournament)
    if round_ is not None and round_.number == number:
        return round_
    if 1 <= number <= len(started_rounds(tournament)):
        raise RuleViolation(TournamentCode.ROUND_STARTED)
    raise RuleViolation(TournamentCode.ROUND_NOT_OPEN)


def _tables(round_: PairedRound) -> tuple[Seats, ...]:
    return tuple([match.deals[0].seats for match in round_.matches])


def _check_everybody(round_: PairedRound, command: ChangePairing) -> None:
    due = Counter((*numbers_at(round_.proposed_tables), *round_.proposed_byes))
    named = Counter((*numbers_at(command.tables), *command.byes))
    if named == due:
        return
    wrong = (
        *(f"{number} is missing" for number in sorted(due - named)),
        *(f"{number} is named {named[number]} times" for number in sorted(due & (named - due))),
        *(f"{number} is not in that pairing" for number in sorted(named - due) if number not in due),
    )
    raise RuleViolation(
        TournamentCode.NOT_EVERYBODY_ONCE,
        f"Every entrant in the engine's pairing must have one seat or a bye, and nobody else may: {', '.join(wrong)}.",
    )


def _check_table(tournament: Tournament, seats: Seats, sizes: list[int]) -> None:
    terms = terms_of(tournament)
    entrants = len(numbers_at([seats]))
    bots = len(seats) - entrants
    fewest, most = (2, 2) if terms.seats == 2 else (terms.table_min, min(10, terms.table_max))
    if entrants < 2 or not fewest <= len(seats) <= most:
        size = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise RuleViolation(
            TournamentCode.INVALID_TABLE_SIZE,
            f"Each table must have {size} seats, and at least two entrants.",
        )
    is_misplaced = terms.compare is not None and None in seats[:entrants]  # D-6
    if bots != seats_at(entrants, terms, sizes) - entrants or is_misplaced:
        raise RuleViolation(TournamentCode.INVALID_BOTS)
    check_size(setup_of(tournament), len(seats))


def _check_sizes(tournament: Tournament, round_: PairedRound, tables: Iterable[Seats]) -> None:
    """Raises `RuleViolation` if points are compared and a table has a size that the engine's pairing lacks (T-20)."""
    before = {len(seats) for seats in round_.proposed_tables}
    if terms_of(tournament).score_by is ScoreBy.POINTS and not {len(seats) for seats in tables} <= before:
        raise RuleViolation(
            TournamentCode.UNEVEN_TABLES,
            "Points can be compared only between tables of the same size; keep the size of the engine's tables.",
        )


def _check_bracket(round_: PairedRound, tables: Iterable[Seats]) -> None:
    """Raises `RuleViolation` if entrants in a knockout's final and in the match for third place are mixed."""
    bracket = {number for number in round_.bracket if number is not None}
    for seats in tables:
        if bracket and len(bracket.intersection(seats)) not in {0, len(numbers_at([seats]))}:
            raise RuleViolation(TournamentCode.BRACKET_MIXED)


def _check_byes(tournament: Tournament, round_: PairedRound, byes: tuple[int, ...]) -> None:
    if len(byes) != len(round_.proposed_byes):
        raise RuleViolation(TournamentCode.INVALID_BYES)
    for number in byes:
        if number in round_.proposed_byes:
            continue
        if not _may_have_bye(tournament, number):
            raise RuleViolation(TournamentCode.BYE_NOT_DUE)
        if organises(tournament, tournament.entrants[number - 1].id):  # T-9
            raise RuleViolation(
                TournamentCode.OWN_BYE,
                "An entrant who organises the tournament gets the bye of a round only from the engine.",
            )


def _may_have_bye(tournament: Tournament, number: int) -> bool:
    """Returns whether an entrant has had neither a pairing bye nor an unplayed first place (T-9)."""
    return all(
        scores[number].why is not Why.PAIRING_BYE and (scores[number].is_played or scores[number].worth < 1)
        for scores in round_scores(crosstable(tournament))
    )


def _forbidden_count(tournament: Tournament, tables: Iterable[Seats]) -> int:
    forbidden = set(terms_of(tournament).forbidden)
    return sum(pair_ in forbidden for seats in tables for pair_ in combinations(numbers_at([seats]), 2))


def start_round(tournament: Tournament, command: StartRound, now: int) -> Events:
    _unstarted(tournament, command.round)
    return with_consequences(tournament, (RoundStarted(command.round),), now)
