"""What an act of an administrator must say: who decided it, and why."""

import re
from typing import Final

from domain.kernel import RuleViolation

ADMIN_PATTERN: Final = "^[a-z0-9][a-z0-9._-]{0,31}$"
"""The names of administrators."""

REASON_PATTERN: Final = r"^[^\x00-\x1f\x7f]{1,500}$"
"""A reason is one line of text."""

_ADMIN: Final = re.compile(ADMIN_PATTERN)
_REASON: Final = re.compile(REASON_PATTERN)


def check_admin(name: str) -> None:
    """Raises `RuleViolation` unless the text can be an administrator's name."""
    if not _ADMIN.fullmatch(name):
        raise RuleViolation(
            "invalid_admin",
            "An administrator's name has 1 to 32 lower-case letters, digits, dots, hyphens or underscores, "
            "and begins with a letter or a digit.",
        )


def check_reason(reason: str) -> None:
    """Raises `RuleViolation` unless the text says something, on one line."""
    if not (_REASON.fullmatch(reason) and reason.strip()):
        raise RuleViolation(
            "invalid_reason", "A reason has 1 to 500 characters on one line, and not only blanks."
        )
