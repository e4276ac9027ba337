"""What can go wrong with a use case, beside the rules.

ApplicationError
  NotFound           no such table or player
  Forbidden          the asker may not do that
  VersionConflict    it has moved on since the version the asker named
  HistoryChanged     the asker remembers events that the store no longer holds
  KeyReused          the idempotency key belongs to another request
  Busy               too many others were faster; try again
"""

from typing import Any


class ApplicationError(Exception):
    """Base of the errors; `code` is stable, `detail` is a sentence for people."""

    code: str
    detail: str

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class NotFound(ApplicationError):
    """Raised when what the request names does not exist."""


class Forbidden(ApplicationError):
    """Raised when somebody asks for what only another may do."""


class VersionConflict(ApplicationError):
    """Raised when the expected version is not the current one; carries the aggregate as it is now."""

    def __init__(self, category: str, current: Any) -> None:
        super().__init__("version_conflict", f"The {category} is at version {current.version}.")
        self.current = current


class HistoryChanged(ApplicationError):
    """Raised when somebody goes on from an event that is not stored, since the store came back older."""

    def __init__(self) -> None:
        super().__init__(
            "history_changed",
            "The events up to this cursor are not those of the table, which was put back to an earlier moment; "
            "read its events again from the beginning.",
        )


class KeyReused(ApplicationError):
    """Raised when a key comes with another request than the first time."""

    def __init__(self) -> None:
        super().__init__("idempotency_key_reused", "This Idempotency-Key came with another request before.")


class Busy(ApplicationError):
    """Raised when every attempt met a newer version."""

    def __init__(self, category: str = "table") -> None:
        super().__init__(f"{category}_busy", f"The {category} changes too fast at the moment; try again.")
