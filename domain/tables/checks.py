"""What many commands require of a table."""

from domain.kernel import RuleViolation
from domain.tables.state import Phase, Table, is_person


def check_phase(table: Table, phase: Phase) -> None:
    """Raises `RuleViolation` unless the table is in the phase."""
    if table.phase is phase:
        return
    if table.phase is Phase.ENDED:
        raise RuleViolation("table_over", "The table is over.")
    if phase is Phase.OPEN:
        raise RuleViolation("table_started", "The table has started.")
    raise RuleViolation("table_not_started", "The table has not started.")


def check_seat(table: Table, seat: int) -> None:
    """Raises `RuleViolation` unless the table has the seat."""
    if not 0 <= seat < len(table.seats):
        raise RuleViolation("no_such_seat", "The table has no such seat.")


def check_person(table: Table, seat: int) -> None:
    """Raises `RuleViolation` unless a person holds the seat."""
    check_seat(table, seat)
    if not is_person(table, seat):
        raise RuleViolation("not_a_person", "No player holds that seat.")
