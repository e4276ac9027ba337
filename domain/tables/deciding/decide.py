"""Decides the commands of a table: the events of a command and all its consequences in the same commit."""

from typing import Any, assert_never

from hoodwink.domain.cards import Draws, KeyedDraws, SeededDraws
from hoodwink.domain.kernel import Event, RuleViolation, SharedCode, Stage
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.checks import check_person, check_phase, check_seat
from hoodwink.domain.tables.deciding.corrections import take_back, void
from hoodwink.domain.tables.deciding.endings import (
    ended,
    folded,
    is_last_seat_left,
    last_seat_left,
    scoring_of,
)
from hoodwink.domain.tables.deciding.forks import fork_table
from hoodwink.domain.tables.deciding.presence import (
    cancel,
    miss_start,
    open_for_tournament,
    release,
    say_ready,
)
from hoodwink.domain.tables.deciding.rematches import announce_rematch, open_rematch
from hoodwink.domain.tables.deciding.rooms import change_host, offer_seat, withdraw_offer
from hoodwink.domain.tables.deciding.seating import (
    leave_seat,
    miss_seed,
    open_table,
    reveal_seed,
    start_table,
    take_seat,
)
from hoodwink.domain.tables.events import (
    ClockRanOut,
    Outcome,
    PlayerReturned,
    RoundVoided,
    SeatClaimed,
    SeatResigned,
)
from hoodwink.domain.tables.outages import move_clocks
from hoodwink.domain.tables.pace import pause_until
from hoodwink.domain.tables.state import (
    MAX_ACTIONS_PER_ROUND,
    MISSED_TURNS_BEFORE_BOT,
    Phase,
    Table,
    deadline_of,
    has_drawn,
    is_left_to_bots,
    is_played_by_bot,
    seed_holders,
    seed_of,
    stage_of,
    unrevealed,
)

Events = tuple[Event, ...]


def decide(table: Table, command: commands.TableCommand, now: int) -> Events:
    """Returns the events that the command leads to at time `now` (ms); raises `RuleViolation`."""
    # Almost all commands are actions, and comparing with all other classes takes time.
    if isinstance(command, commands.Act):
        return _act(table, command.seat, command, now)
    if isinstance(command, commands.Opening):
        return _open(table, command, now)
    if isinstance(command, commands.RoomCommand):
        return _room(table, command, now)
    match command:
        case commands.TakeBack():
            return take_back(table, command.seat, now)
        case commands.MoveClocks():
            return move_clocks(table, command, now)
        case commands.ExpireClock():
            return _expire_clock(table, command, now)
        case commands.AnnounceRematch():
            return announce_rematch(table, command.table)
        case commands.StartTable() | commands.SayReady() | commands.MissStart():
            return _start(table, command, now)
        case commands.DealRound() | commands.ScoreRound() | commands.VoidRound():
            return _change_round(table, command, now)
        case commands.RevealSeed() | commands.MissSeed():
            return _settle_seed(table, command, now)
        case (
            commands.CancelTable() | commands.CloseTable() | commands.ExpireTable() | commands.AbandonTable()
        ):
            return _without_result(table, command)
        case commands.Resign() | commands.Return() | commands.ClaimSeat():
            return _change_player(table, command)
        case commands.ReleaseDeal():
            return release(table)
        case commands.VoidTable():
            return void(table, command)
        case _:
            assert_never(command)


def _open(table: Table, command: commands.Opening, now: int) -> Events:
    match command:
        case commands.OpenTable():
            return open_table(table, command)
        case commands.OpenTournamentTable():
            return open_for_tournament(table, command, now)
        case commands.ForkTable():
            return fork_table(table, command, now)
        case commands.OpenRematch():
            return open_rematch(table, command, now)
        case _:
            assert_never(command)


def _room(table: Table, command: commands.RoomCommand, now: int) -> Events:
    match command:
        case commands.TakeSeat():
            return take_seat(table, command)
        case commands.LeaveSeat():
            return leave_seat(table, command)
        case commands.OfferSeat():
            return offer_seat(table, command)
        case commands.WithdrawOffer():
            return withdraw_offer(table, command.seat)
        case commands.ChangeHost():
            return change_host(table, command.player, now)
        case _:
            assert_never(command)


def _start(
    table: Table, command: commands.StartTable | commands.SayReady | commands.MissStart, now: int
) -> Events:
    match command:
        case commands.StartTable():
            return start_table(table)
        case commands.SayReady():
            return say_ready(table, command.seat)
        case commands.MissStart():
            return miss_start(table, command.seats, now)
        case _:
            assert_never(command)


def _change_round(
    table: Table, command: commands.DealRound | commands.ScoreRound | commands.VoidRound, now: int
) -> Events:
    match command:
        case commands.DealRound():
            return _deal(table, now)
        case commands.ScoreRound():
            return _score(table)
        case commands.VoidRound():
            return _void_round(table)
        case _:
            assert_never(command)


def _settle_seed(table: Table, command: commands.RevealSeed | commands.MissSeed, now: int) -> Events:
    if isinstance(command, commands.RevealSeed):
        return reveal_seed(table, command, now)
    return miss_seed(table, command, now)


def _without_result(
    table: Table,
    command: commands.CancelTable | commands.CloseTable | commands.ExpireTable | commands.AbandonTable,
) -> Events:
    match command:
        case commands.CancelTable():
            return cancel(table)
        case commands.CloseTable():
            return _close(table)
        case commands.ExpireTable():
            return _ended_early(table, Phase.OPEN, "expired")
        case commands.AbandonTable():
            return _ended_early(table, Phase.PLAYING, "abandoned")
        case _:
            assert_never(command)


def _close(table: Table) -> Events:
    if is_left_to_bots(table):  # G-17
        return ended(table, "stopped")
    if table.phase is Phase.PLAYING:
        raise RuleViolation(
            TableCode.TABLE_STARTED,
            "The table has started, and people still play there.",
        )
    return _ended_early(table, Phase.OPEN, "closed")


def _ended_early(table: Table, phase: Phase, outcome: Outcome) -> Events:
    check_phase(table, phase)
    return ended(table, outcome)


def _act(table: Table, seat: int, command: commands.Act | commands.ExpireClock, now: int) -> Events:
    check_phase(table, Phase.PLAYING)
    check_seat(table, seat)
    # A fork may begin with a round in play; nobody may act in it before the seeds of the fork are known.
    if not has_drawn(table) and unrevealed(table):
        raise RuleViolation(TableCode.SEEDS_AWAITED)
    events = table.rulebook.decide(table.state, seat, command.action, now)
    if table.round_actions + 1 < MAX_ACTIONS_PER_ROUND:
        return events
    return events + _guarded(table, events)


def _guarded(table: Table, events: Events) -> Events:
    """Returns the events that void a round that ran out of actions; none if its last action ends it (G-15)."""
    state = folded(table, events)
    return _voided(table, state) if table.rulebook.stage(state) is Stage.IN_PLAY else ()


def _voided(table: Table, state: Any) -> Events:
    """Returns the events that void the round in play and, if it is the last one, end the table."""
    rulebook = table.rulebook
    voided = rulebook.void_round(state)
    if rulebook.stage(voided) is not Stage.OVER:
        return (RoundVoided(table.round),)
    if not table.rounds_scored and not table.parent_scores:
        return RoundVoided(table.round), *ended(table, "no_result")
    return RoundVoided(table.round), *ended(table, "played_out", rulebook.scores(voided))


def _void_round(table: Table) -> Events:
    # The worker may come late: seats may act until it has voided the round.
    if stage_of(table) is not Stage.IN_PLAY or not table.rulebook.is_endless(table.state):
        raise RuleViolation(TableCode.ROUND_CAN_END)
    if not has_drawn(table) and unrevealed(table):
        raise RuleViolation(TableCode.SEEDS_AWAITED)
    return _voided(table, table.state)


def _expire_clock(table: Table, command: commands.ExpireClock, now: int) -> Events:
    check_phase(table, Phase.PLAYING)
    check_seat(table, command.seat)
    # The worker may come late or twice. If the player moved first, the seat has a new deadline or none.
    deadline = deadline_of(table, command.seat)
    if deadline is None or now < deadline:
        raise RuleViolation(TableCode.CLOCK_RUNNING)
    if table.rulebook.overdue(table.state, command.seat) not in (None, command.action):
        raise RuleViolation(SharedCode.WRONG_PHASE, "A clock that runs out now forces another move.")
    if isinstance(command.action, table.rulebook.offences):
        raise RuleViolation(TableCode.NO_FORCED_OFFENCE)
    return (ClockRanOut(command.seat), *_act(table, command.seat, command, now))


def _change_player(table: Table, command: commands.Resign | commands.Return | commands.ClaimSeat) -> Events:
    """Decides the commands that change whether a bot moves for a seat."""
    match command:
        case commands.Resign():
            return _resign(table, command.seat)
        case commands.Return():
            return _return(table, command.seat)
        case commands.ClaimSeat():
            return _claim(table, command.seat)
        case _:
            assert_never(command)


def _resign(table: Table, seat: int) -> Events:
    check_phase(table, Phase.PLAYING)
    check_person(table, seat)
    if seat in table.resigned:
        raise RuleViolation(TableCode.ALREADY_RESIGNED)
    if is_last_seat_left(table, table.resigned):
        raise RuleViolation(
            TableCode.TABLE_OVER, "Only your seat is left: the last round is about to be scored."
        )
    resigned = (*table.resigned, seat)
    waits_for_score = stage_of(table) is Stage.TO_SCORE  # G-2
    if waits_for_score or not is_last_seat_left(table, resigned):
        return (SeatResigned(seat),)
    return SeatResigned(seat), *last_seat_left(table, resigned)


def _return(table: Table, seat: int) -> Events:
    check_phase(table, Phase.PLAYING)
    check_person(table, seat)
    if seat in table.resigned or table.missed_turns[seat] < MISSED_TURNS_BEFORE_BOT:
        raise RuleViolation(TableCode.NOT_AWAY)
    return (PlayerReturned(seat),)


def _claim(table: Table, seat: int) -> Events:
    check_phase(table, Phase.PLAYING)
    check_person(table, seat)
    if is_played_by_bot(table, seat):
        raise RuleViolation(TableCode.ALREADY_KEPT)
    if table.away_since[seat] is None:  # G-14
        raise RuleViolation(TableCode.NOT_CLAIMABLE)
    return (SeatClaimed(seat),)


def _deal(table: Table, now: int) -> Events:
    if stage_of(table) is not Stage.TO_DEAL:
        raise RuleViolation(TableCode.NO_DEAL_DUE)
    until = pause_until(table)
    if until is not None and now < until:
        raise RuleViolation(TableCode.PAUSE_RUNNING)
    if unrevealed(table):
        raise RuleViolation(TableCode.SEEDS_AWAITED)
    return table.rulebook.deal(table.state, _draws(table))


def _draws(table: Table) -> Draws:
    if table.shared is not None:
        return KeyedDraws(bytes.fromhex(table.shared.key), first_dealer=table.first_dealer)
    seeds = [seed_of(table, holder).text for holder in seed_holders(table)]
    return SeededDraws(table.server_seed, seeds, first_dealer=table.first_dealer)


def _score(table: Table) -> Events:
    if stage_of(table) is not Stage.TO_SCORE:
        raise RuleViolation(TableCode.NO_SCORE_DUE)
    scoring, scored = scoring_of(table)
    if is_last_seat_left(table, table.resigned):
        return *scoring, scored, *ended(table, "last_seat", scored.totals)
    if table.rulebook.stage(folded(table, scoring)) is Stage.OVER:
        return *scoring, scored, *ended(table, "played_out", scored.totals)
    return *scoring, scored
