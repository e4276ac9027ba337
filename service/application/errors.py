"""The errors of use cases, apart from rule violations.

ApplicationError
  NotFound           there is no such table or player
  Forbidden          the asker may not do that
  VersionConflict    the version that the asker expects is not the current one
  HistoryChanged     the asker remembers events that the store no longer holds
  KeyReused          the idempotency key belongs to another request
  Busy               too many others were faster
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
    """Raised when the request names something that does not exist."""


class Forbidden(ApplicationError):
    """Raised when the asker may not do that."""


class VersionConflict(ApplicationError):
    """Raised when the expected version is not the current one; `current` is the state of the aggregate."""

    def __init__(self, category: str, current: Any) -> None:
        super().__init__("version_conflict", f"The {category} is at version {current.version}.")
        self.current = current


class HistoryChanged(ApplicationError):
    """Raised when the asker continues from an event that is not stored, because the store came back older."""

    def __init__(self) -> None:
        super().__init__(
            "history_changed",
            "The events up to this cursor are not those of the table, which was put back to an earlier moment; "
            "read its events again from the beginning.",
        )


class KeyReused(ApplicationError):
    """Raised when a key is used again for another request."""

    def __init__(self) -> None:
        super().__init__("idempotency_key_reused", "This Idempotency-Key came with another request before.")


class Busy(ApplicationError):
    """Raised when another process was faster at every attempt."""

    def __init__(self, category: str = "table") -> None:
        super().__init__(f"{category}_busy", f"The {category} changes too fast at the moment; try again.")
