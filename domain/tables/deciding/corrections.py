"""Corrections: taking back an action (G-20), and voiding a table, with a name and a reason (V-1)."""

import re
from typing import Final

from hoodwink.domain.kernel import Event, RuleViolation
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.commands import VoidTable
from hoodwink.domain.tables.deciding.checks import check_person, check_phase
from hoodwink.domain.tables.events import ActionTakenBack, TableVoided
from hoodwink.domain.tables.state import Phase, Table, is_voidable

ADMIN_PATTERN: Final = "^[a-z0-9][a-z0-9._-]{0,31}$"
REASON_PATTERN: Final = r"^[^\x00-\x1f\x7f]{1,500}$"
"""A reason is one line of text."""

_ADMIN: Final = re.compile(ADMIN_PATTERN)
_REASON: Final = re.compile(REASON_PATTERN)


def take_back(table: Table, seat: int, now: int) -> tuple[Event, ...]:
    """Returns the event that takes back the last action of the table, if it was this seat's."""
    check_phase(table, Phase.PLAYING)
    check_person(table, seat)
    if not table.take_backs:
        raise RuleViolation(TableCode.TAKE_BACKS_OFF)
    if table.took_back == seat:
        raise RuleViolation(TableCode.ALREADY_TAKEN_BACK)
    undoable = table.undoable
    if undoable is None or undoable.seat != seat:
        raise RuleViolation(TableCode.NOTHING_TO_TAKE_BACK)
    if now >= undoable.until:
        raise RuleViolation(TableCode.TAKE_BACK_OVER)
    return (ActionTakenBack(seat, undoable.before.version),)


def void(table: Table, command: VoidTable) -> tuple[Event, ...]:
    """Returns the event that takes back the table's result; raises `RuleViolation`."""
    if table.phase is not Phase.ENDED or table.is_embargoed:
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
