"""Presence at a tournament's table: everybody is seated at the start, and entrants who do not appear lose the seat (T-6)."""

from collections.abc import Iterable

from msgspec.structs import replace

from hoodwink.domain.kernel import Event, RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.commands import OpenTournamentTable
from hoodwink.domain.tables.deciding.checks import check_phase, check_seat
from hoodwink.domain.tables.deciding.endings import ended, is_last_seat_left, last_seat_left
from hoodwink.domain.tables.deciding.seating import open_table, start_table, take_seat
from hoodwink.domain.tables.events import DealShared, NoShow, PlayerReady, SeedRevealed
from hoodwink.domain.tables.evolve import opened_with
from hoodwink.domain.tables.pace import pause_until, plays
from hoodwink.domain.tables.state import Phase, Table, grace_until

Events = tuple[Event, ...]

_FIRST_DEALER = 0  # T-14


def open_for_tournament(table: Table, command: OpenTournamentTable, now: int) -> Events:
    # All in one commit: between two commits, somebody could take or leave a seat, or the service could be killed.
    (opened,) = open_table(table, command.opening)
    events: Events = (replace(opened, first_dealer=_FIRST_DEALER, tournament=command.tournament),)
    if command.shared is not None:
        events += (DealShared(command.shared.number, command.shared.key),)
    for occupant in command.occupants:
        events += take_seat(opened_with(table, events, now), occupant)
    events += start_table(opened_with(table, events, now))
    if command.absent:
        events += _no_shows(opened_with(table, events, now), command.absent)
    return events


def say_ready(table: Table, seat: int) -> Events:
    """Returns the event of an entrant who appears, or of a player who is ready for the next round."""
    check_phase(table, Phase.PLAYING)
    check_seat(table, seat)
    if seat in table.ready:
        raise RuleViolation(TableCode.ALREADY_READY)
    is_paused = pause_until(table) is not None and plays(table, seat)
    if seat not in table.awaited and not is_paused:
        raise RuleViolation(TableCode.NOT_AWAITED)
    return (PlayerReady(seat),)


def miss_start(table: Table, seats: tuple[int, ...], now: int) -> Events:
    """Returns the no-shows of entrants who did not appear in time, and their consequences."""
    # An entrant may appear just before the worker's command. The command is then rejected, and the worker tries again.
    _check_awaited(table, seats)
    until = grace_until(table)
    if until is None or now < until:
        raise RuleViolation(TableCode.GRACE_RUNNING)
    return _no_shows(table, seats)


def cancel(table: Table) -> Events:
    """Returns the events that end a table because its tournament is over."""
    if table.tournament is None:
        raise RuleViolation(TableCode.NO_TOURNAMENT, "The table belongs to no tournament.")
    check_phase(table, Phase.PLAYING)
    return ended(table, "cancelled")


def release(table: Table) -> Events:
    """Returns the event that opens a table whose deal other tables played, too (D-7)."""
    if table.phase is not Phase.ENDED:
        raise RuleViolation(
            TableCode.TABLE_NOT_OVER, "Only the deal of a table that is over can be released."
        )
    if not table.is_embargoed:
        raise RuleViolation(
            TableCode.NO_TOURNAMENT, "The table shares no deal with others, or it is released."
        )
    return (SeedRevealed(table.server_seed),)


def _check_awaited(table: Table, seats: Iterable[int]) -> None:
    check_phase(table, Phase.PLAYING)
    for seat in seats:
        check_seat(table, seat)
        if seat not in table.awaited:
            raise RuleViolation(TableCode.NOT_AWAITED)


def _no_shows(table: Table, absent: tuple[int, ...]) -> Events:
    """Returns the no-shows and their consequences: the table ends if at most one entrant has appeared (T-6)."""
    assert table.tournament is not None, "only a tournament waits for entrants"
    events = tuple(NoShow(seat) for seat in absent)
    no_shows, resigned = (*table.no_shows, *absent), (*table.resigned, *absent)
    fillers = table.tournament.fillers
    appeared = [seat for seat in range(len(table.seats)) if seat not in (*no_shows, *fillers)]
    if not appeared:
        return *events, *ended(table, "no_result")
    if len(appeared) == 1 and appeared[0] not in resigned:
        return *events, *last_seat_left(table, (*resigned, *fillers))
    if is_last_seat_left(table, resigned):
        return *events, *last_seat_left(table, resigned)
    return events
