"""Checks shared by many commands."""

from hoodwink.domain.kernel import RuleViolation, SharedCode
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.state import Phase, Table, is_person


def check_phase(table: Table, phase: Phase) -> None:
    """Raises `RuleViolation` unless the table is in the phase."""
    if table.phase is phase:
        return
    if table.phase is Phase.ENDED:
        raise RuleViolation(TableCode.TABLE_OVER)
    if phase is Phase.OPEN:
        raise RuleViolation(TableCode.TABLE_STARTED)
    raise RuleViolation(TableCode.TABLE_NOT_STARTED)


def check_seat(table: Table, seat: int) -> None:
    """Raises `RuleViolation` unless the table has the seat."""
    if not 0 <= seat < len(table.seats):
        raise RuleViolation(SharedCode.NO_SUCH_SEAT)


def check_person(table: Table, seat: int) -> None:
    """Raises `RuleViolation` unless a person holds the seat."""
    check_seat(table, seat)
    if not is_person(table, seat):
        raise RuleViolation(TableCode.NOT_A_PERSON)
