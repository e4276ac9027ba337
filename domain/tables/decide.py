"""What a table accepts, and the events that follow. Each command's consequences come with it."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, assert_never

import msgspec

from domain.cards import SeededDraws, commitment
from domain.games import GAMES
from domain.kernel import Event, InvalidOptions, RuleViolation, Stage, places
from domain.tables.commands import (
    AbandonTable,
    Act,
    CloseTable,
    DealRound,
    LeaveSeat,
    MissSeed,
    OpenTable,
    Resign,
    Return,
    RevealSeed,
    RunOutClock,
    ScoreRound,
    StartTable,
    TableCommand,
    TakeSeat,
    VoidTable,
)
from domain.tables.corrections import check_admin, check_reason
from domain.tables.events import (
    ClockRanOut,
    Outcome,
    PlayerReturned,
    PlayerSeedMissed,
    PlayerSeedRevealed,
    RoundScored,
    RoundVoided,
    SeatLeft,
    SeatResigned,
    SeatTaken,
    SeedRevealed,
    TableEnded,
    TableOpened,
    TableStarted,
    TableVoided,
)
from domain.tables.fairness import LOG_FORMATS, SeedStatus, is_commitment, is_committable, is_revealed_by
from domain.tables.state import (
    ACTIONS_PER_ROUND,
    LAPSES_BEFORE_BOT,
    Phase,
    Table,
    deadline_of,
    is_person,
    is_voidable,
    reveals_until,
    seed_holders,
    seed_of,
    stage_of,
    unrevealed,
)

Events = tuple[Event, ...]


def decide(table: Table, command: TableCommand, now: int) -> Events:
    """Returns the events the command leads to at time `now` (ms); raises `RuleViolation`."""
    match command:
        case Act():
            return _act(table, command.seat, command, now)
        case DealRound():
            return _deal(table)
        case ScoreRound():
            return _score(table)
        case RunOutClock():
            return _run_out_clock(table, command, now)
        case OpenTable():
            return _open(table, command)
        case TakeSeat():
            return _take_seat(table, command)
        case LeaveSeat():
            return _leave_seat(table, command)
        case StartTable():
            return _start(table)
        case RevealSeed():
            return _reveal(table, command, now)
        case MissSeed():
            return _miss(table, command, now)
        case CloseTable():
            _check_phase(table, Phase.OPEN)
            return _ended(table, "closed")
        case AbandonTable():
            _check_phase(table, Phase.PLAYING)
            return _ended(table, "abandoned")
        case Resign():
            return _resign(table, command.seat)
        case Return():
            return _return(table, command.seat)
        case VoidTable():
            return _void(table, command)
        case _:
            assert_never(command)


def _check_phase(table: Table, phase: Phase) -> None:
    if table.phase is phase:
        return
    if table.phase is Phase.ENDED:
        raise RuleViolation("table_over", "The table is over.")
    if phase is Phase.OPEN:
        raise RuleViolation("table_started", "The table has started.")
    raise RuleViolation("table_not_started", "The table has not started.")


def _check_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.seats):
        raise RuleViolation("no_such_seat", "The table has no such seat.")


def _check_person(table: Table, seat: int) -> None:
    _check_seat(table, seat)
    if not is_person(table, seat):
        raise RuleViolation("not_a_person", "No player holds that seat.")


def _open(table: Table, command: OpenTable) -> Events:
    if table.version:
        raise RuleViolation("table_exists", "The table is open already.")
    rulebook = GAMES.get(command.game)
    if rulebook is None:
        raise RuleViolation("unknown_game", "There is no such game.")
    fewest, most = rulebook.seats
    if not fewest <= command.seats <= most:
        raise InvalidOptions(f"{rulebook.title} takes {fewest} to {most} seats.")
    try:
        options = msgspec.convert(command.options, rulebook.options)
    except msgspec.ValidationError as error:
        raise InvalidOptions(str(error)) from None
    rulebook.check_options(options, command.seats)
    if command.edition not in LOG_FORMATS:
        raise RuleViolation("unknown_edition", "There is no such edition of the fairness protocol.")
    _check_commitment(command.edition, command.seed_commitment)
    if command.turn_seconds < 0:
        raise InvalidOptions("A turn cannot last less than no time.")
    return (
        TableOpened(
            table=command.table,
            game=command.game,
            seats=command.seats,
            options=msgspec.to_builtins(options),
            host=command.host,
            turn_seconds=command.turn_seconds,
            commitment=commitment(command.server_seed),
            server_seed=command.server_seed,
            edition=command.edition,
            seed_commitment=command.seed_commitment,
        ),
    )


def _take_seat(table: Table, command: TakeSeat) -> Events:
    _check_phase(table, Phase.OPEN)
    if command.policy is None and any(
        who is not None and who.player == command.player for who in table.seats
    ):
        raise RuleViolation("already_seated", "You have a seat at this table already.")
    free = [seat for seat, who in enumerate(table.seats) if who is None]
    seat = command.seat if command.seat is not None else next(iter(free), None)
    if seat is None:
        raise RuleViolation("table_full", "Every seat is taken.")
    _check_seat(table, seat)
    if seat not in free:
        raise RuleViolation("seat_taken", "Somebody sits there already.")
    _check_seed(table, command)
    return (
        SeatTaken(seat, command.player, command.name, command.policy, command.seed, command.seed_commitment),
    )


def _check_seed(table: Table, command: TakeSeat) -> None:
    """Refuses what fixes nothing: two seeds for one seat, and seeds that the host gives the bots."""
    _check_commitment(table.edition, command.seed_commitment)
    if command.seed and command.seed_commitment:
        raise RuleViolation("two_seeds", "Send either `seed_commitment` or `seed`, not both.")
    if table.edition > 1 and command.policy is not None and (command.seed or command.seed_commitment):
        raise RuleViolation("bot_seed", "A bot has no seed; leave out `seed` and `seed_commitment`.")


def _check_commitment(edition: int, committed: str) -> None:
    if not committed:
        return
    if edition == 1:
        raise RuleViolation(
            "no_commitments",
            "This table was opened before seeds could be committed to; send a `seed` or none.",
        )
    if not is_commitment(committed):
        raise RuleViolation(
            "invalid_commitment", "A commitment is the SHA-256 of the seed as 64 lower-case hex digits."
        )


def _leave_seat(table: Table, command: LeaveSeat) -> Events:
    _check_phase(table, Phase.OPEN)
    _check_seat(table, command.seat)
    if table.seats[command.seat] is None:
        raise RuleViolation("seat_empty", "Nobody sits there.")
    return (SeatLeft(command.seat),)


def _start(table: Table) -> Events:
    _check_phase(table, Phase.OPEN)
    if None in table.seats:
        raise RuleViolation("seats_empty", "Every seat must be taken before the table starts.")
    return (TableStarted(),)


def _reveal(table: Table, command: RevealSeed, now: int) -> Events:
    until = _check_unrevealed(table, command.seat)
    if now >= until:
        raise RuleViolation(*_REVEAL_OVER)
    if not is_committable(command.seed):
        raise RuleViolation("invalid_seed", "A committed seed has 32 to 64 lower-case hex digits.")
    if not is_revealed_by(seed_of(table, command.seat), command.seed):
        raise RuleViolation("wrong_seed", "This is not the seed that was committed to.")
    return (PlayerSeedRevealed(command.seat, command.seed),)


def _miss(table: Table, command: MissSeed, now: int) -> Events:
    if now < _check_unrevealed(table, command.seat):
        raise RuleViolation("reveal_running", "The seed may still be revealed.")
    return (PlayerSeedMissed(command.seat),)


def _check_unrevealed(table: Table, seat: int | None) -> int:
    """Returns until when the seed may be revealed; raises `RuleViolation` unless it is awaited."""
    _check_phase(table, Phase.PLAYING)
    if seat is not None:
        _check_seat(table, seat)
    until = reveals_until(table)
    if until is None or seat not in unrevealed(table):
        raise RuleViolation(*_REVEALED_OR_MISSED.get(seed_of(table, seat).status, _NO_SEED_AWAITED))
    return until


_REVEAL_OVER: Final = ("reveal_over", "The ten seconds to reveal the seed are over; it counts as empty.")
_NO_SEED_AWAITED: Final = ("no_seed_awaited", "No seed was committed to here, so there is none to reveal.")
_REVEALED_OR_MISSED: Final[Mapping[SeedStatus, tuple[str, str]]] = MappingProxyType(
    {
        SeedStatus.REVEALED: ("already_revealed", "This seed has been revealed already."),
        SeedStatus.MISSED: _REVEAL_OVER,
    }
)


def _act(table: Table, seat: int, command: Act | RunOutClock, now: int) -> Events:
    _check_phase(table, Phase.PLAYING)
    _check_seat(table, seat)
    if not table.round and unrevealed(table):
        raise RuleViolation("seeds_awaited", "The first deal waits for seeds to be revealed.")
    events = table.rulebook.decide(table.state, seat, command.action, now)
    if table.round_actions + 1 < ACTIONS_PER_ROUND:
        return events
    return events + _guarded(table, events)


def _guarded(table: Table, events: Events) -> Events:
    """Returns the void round, unless the last action allowed ends the round in the normal way (G-15)."""
    rulebook = table.rulebook
    state = _folded(table, events)
    if rulebook.stage(state) is not Stage.IN_PLAY:
        return ()
    voided = rulebook.void_round(state)
    if rulebook.stage(voided) is not Stage.OVER:
        return (RoundVoided(table.round),)
    if not table.rounds_scored:
        return RoundVoided(table.round), *_ended(table, "no_result")
    return RoundVoided(table.round), *_ended(table, "played_out", rulebook.scores(voided))


def _run_out_clock(table: Table, command: RunOutClock, now: int) -> Events:
    _check_phase(table, Phase.PLAYING)
    _check_seat(table, command.seat)
    deadline = deadline_of(table, command.seat)
    if deadline is None or now < deadline:
        raise RuleViolation("clock_running", "The seat's clock has not run out.")
    if table.rulebook.overdue(table.state, command.seat) not in (None, command.action):
        raise RuleViolation("wrong_phase", "A clock that runs out now makes another move.")
    if table.edition > 1 and isinstance(command.action, table.rulebook.offences):
        raise RuleViolation("no_forced_offence", "A clock that runs out commits no offence.")
    return (ClockRanOut(command.seat), *_act(table, command.seat, command, now))


def _resign(table: Table, seat: int) -> Events:
    _check_phase(table, Phase.PLAYING)
    _check_person(table, seat)
    if seat in table.resigned:
        raise RuleViolation("already_resigned", "You have resigned already.")
    resigned = (*table.resigned, seat)
    if len(resigned) < len(table.seats) - 1:
        return (SeatResigned(seat),)
    if stage_of(table) is not Stage.TO_SCORE:
        return SeatResigned(seat), *_ended(table, "last_seat", table.round_scores, resigned)
    # The round was over before the player gave up; only an unfinished one goes without a score (G-13).
    scoring, scored = _scoring(table)
    return SeatResigned(seat), *scoring, scored, *_ended(table, "last_seat", scored.totals, resigned)


def _return(table: Table, seat: int) -> Events:
    _check_phase(table, Phase.PLAYING)
    _check_person(table, seat)
    if seat in table.resigned or table.lapses[seat] < LAPSES_BEFORE_BOT:
        raise RuleViolation("not_away", "No bot keeps your seat for you.")
    return (PlayerReturned(seat),)


def _void(table: Table, command: VoidTable) -> Events:  # V-1
    if table.phase is not Phase.ENDED:
        raise RuleViolation("table_not_over", "Only a table that is over can be voided.")
    if table.voided is not None:
        raise RuleViolation("already_voided", "The table is void already.")
    if not is_voidable(table):
        raise RuleViolation("nothing_to_void", "The table has neither a result nor a scored round.")
    check_admin(command.admin)
    check_reason(command.reason)
    return (TableVoided(command.admin, command.reason),)


def _deal(table: Table) -> Events:
    if stage_of(table) is not Stage.TO_DEAL:
        raise RuleViolation("no_deal_due", "No deal is due.")
    if unrevealed(table):
        raise RuleViolation(
            "seeds_awaited", "The deal waits until every committed seed is revealed or missed."
        )
    seeds = [seed_of(table, holder).text for holder in seed_holders(table)]
    return table.rulebook.deal(table.state, SeededDraws(table.server_seed, seeds, edition=table.edition))


def _score(table: Table) -> Events:
    if stage_of(table) is not Stage.TO_SCORE:
        raise RuleViolation("no_score_due", "No score is due.")
    scoring, scored = _scoring(table)
    if table.rulebook.stage(_folded(table, scoring)) is Stage.OVER:
        return *scoring, scored, *_ended(table, "played_out", scored.totals)
    return *scoring, scored


def _scoring(table: Table) -> tuple[Events, RoundScored]:
    """Returns the reveal of the round just played, and what it brought to each seat."""
    rulebook = table.rulebook
    events = rulebook.score_round(table.state)
    totals = rulebook.scores(_folded(table, events))
    deltas = tuple(after - before for after, before in zip(totals, table.round_scores, strict=True))
    return events, RoundScored(table.round, rulebook.unit, deltas, totals)


def _folded(table: Table, events: Iterable[Event]) -> object:
    state = table.state
    for event in events:
        state = table.rulebook.evolve(state, event)
    return state


def _ended(
    table: Table,
    outcome: Outcome,
    scores: tuple[int, ...] | None = None,
    resigned: tuple[int, ...] | None = None,
) -> Events:
    given_up = table.resigned if resigned is None else resigned
    ranking = None if scores is None else final_places(scores, given_up)
    return TableEnded(outcome, ranking, scores), SeedRevealed(table.server_seed)


def final_places(scores: tuple[int, ...], resigned: tuple[int, ...]) -> tuple[int, ...]:
    """Returns each seat's place: by score, resigned seats below all others, the earlier the lower (G-13).

    >>> final_places((5, 9, 5, 7), (1, 3))
    (1, 4, 1, 3)
    """
    staying = [seat for seat in range(len(scores)) if seat not in resigned]
    ranks = dict(zip(staying, places(tuple(scores[seat] for seat in staying)), strict=True))
    last = len(scores)
    return tuple(ranks[seat] if seat in ranks else last - resigned.index(seat) for seat in range(last))
