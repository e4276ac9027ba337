"""Corrections by administrators: voiding a table, with a name and a reason (V-1)."""

import re
from typing import Final

from hoodwink.domain.kernel import Event, RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.commands import VoidTable
from hoodwink.domain.tables.events import TableVoided
from hoodwink.domain.tables.state import Phase, Table, is_voidable

ADMIN_PATTERN: Final = "^[a-z0-9][a-z0-9._-]{0,31}$"
REASON_PATTERN: Final = r"^[^\x00-\x1f\x7f]{1,500}$"
"""A reason is one line of text."""

_ADMIN: Final = re.compile(ADMIN_PATTERN)
_REASON: Final = re.compile(REASON_PATTERN)


def void(table: Table, command: VoidTable) -> tuple[Event, ...]:
    """Returns the event that takes back the table's result; raises `RuleViolation`."""
    if table.phase is not Phase.ENDED:
        raise RuleViolation(TableCode.TABLE_NOT_OVER, "Only a table that is over can be voided.")
    if table.voided is not None:
        raise RuleViolation(TableCode.ALREADY_VOIDED)
    if not is_voidable(table):
        raise RuleViolation(TableCode.NOTHING_TO_VOID)
    check_admin(command.admin)
    check_reason(command.reason)
    return (TableVoided(command.admin, command.reason),)


def check_admin(name: str) -> None:
    """Raises `RuleViolation` unless the text can be an administrator's name."""
    if not _ADMIN.fullmatch(name):
        raise RuleViolation(TableCode.INVALID_ADMIN)


def check_reason(reason: str, *, of: str = "This") -> None:
    """Raises `RuleViolation` unless the reason is one line that is not blank; `of` names the action in the error text."""
    if not (_REASON.fullmatch(reason) and reason.strip()):
        raise RuleViolation(
            TableCode.INVALID_REASON,
            f"{of} needs a reason: 1 to 500 characters on one line, and not only blanks.",
        )
