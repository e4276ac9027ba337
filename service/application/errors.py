"""The errors of use cases, apart from rule violations.

ApplicationError
  NotFound           there is no such table or player
  Forbidden          the asker may not do that
  VersionConflict    the version that the asker expects is not the current one
  HistoryChanged     the asker remembers events that the store no longer holds
  SignedOut          the token with which the asker came has ended meanwhile
  KeyReused          the idempotency key belongs to another request
  TokenSuperseded    the idempotency key led to a token that has ended since
  LimitReached       the request is beyond what an address, player or host may do; try again
  Busy               other processes were faster at every attempt, or the books are behind; try again
"""

from typing import Any

from domain.kernel import Code, SharedCode
from domain.tables.codes import TableCode
from service.application.limits import Bound, Limit


class NotFoundCode(Code):
    """What a request names that does not exist."""

    PLAYER_NOT_FOUND = ("player_not_found", "There is no such player.")
    GAME_NOT_FOUND = ("game_not_found", "There is no such game.")
    TABLE_NOT_FOUND = ("table_not_found", "There is no such table.")
    VERSION_NOT_FOUND = ("version_not_found", "The table has no such version.")
    IMPORT_NOT_FOUND = ("import_not_found", "There is no such import.")
    EVENT_NOT_FOUND = ("event_not_found", "There is no such event.")
    TOURNAMENT_NOT_FOUND = ("tournament_not_found", "There is no such tournament.")
    ENTRANT_NOT_FOUND = ("entrant_not_found", "The tournament has no such entrant.")
    SITTING_NOT_FOUND = ("sitting_not_found", "The tournament has no such sitting.")
    ROUND_NOT_FOUND = ("round_not_found", "The tournament has no such round, or has not come to it yet.")
    BOARD_NOT_FOUND = ("board_not_found", "The round has no such board.")
    NO_STANDINGS = ("no_standings", "The tournament has not started, so there are no standings.")
    NO_RESULTS = ("no_results", "The tournament has not started, so it has no results.")


class ForbiddenCode(Code):
    """What only another may do."""

    NOT_SEATED = ("not_seated", "You have no seat at this table.")
    RESIGNED = ("resigned", "You have resigned; a bot plays your seat.")
    NOT_INVITED = (
        "not_invited",
        (
            "This table is not open to everyone; ask its host for the invitation code, and send it as "
            "`Hoodwink-Invitation`. Where `watch` is `nobody`, the code lets you sit down, but not look on."
        ),
    )
    NOT_HOST = ("not_host", "Only the host of the table may do that.")
    HOST_IS_SEATED = (
        "host_is_seated",
        "You hold a seat or held one; only a host who never sat at the table may enter an offence.",
    )
    NOT_FOR_HOST = (
        "not_for_host",
        "The host may enter only an offence that this table lets a host enter, for a seat that a player holds.",
    )
    NOT_ENTERED = ("not_entered", "You have not entered this tournament.")
    NOT_YOU = ("not_you", "You may withdraw only yourself; an organiser may expel others.")
    NOT_ORGANISER = ("not_organiser", "Only the organiser of the tournament may do that.")


class ConflictCode(Code):
    """What the present state of things does not agree with."""

    VERSION_CONFLICT = (
        "version_conflict",
        "The table or tournament has changed since the version that you expect.",
    )
    HISTORY_CHANGED = (
        "history_changed",
        "The event that you go on from is gone, because an older copy of the store was restored. Read from the beginning.",
    )
    STILL_ORGANISING = (
        "still_organising",
        "You organise a tournament that is not over; finish or cancel it first.",
    )
    IDEMPOTENCY_KEY_REUSED = (
        "idempotency_key_reused",
        "This Idempotency-Key came with another request before; send a new one.",
    )
    TOKEN_SUPERSEDED = (
        "token_superseded",
        "The token that this Idempotency-Key led to has ended since; send a new key to get another token.",
    )


class BusyCode(Code):
    """What passes by itself."""

    TABLE_BUSY = ("table_busy", "The table changes too fast at the moment; try again.")
    TOURNAMENT_BUSY = ("tournament_busy", "The tournament changes too fast at the moment; try again.")
    PLAYER_BUSY = ("player_busy", "The player changes too fast at the moment; try again.")
    PROJECTION_BEHIND = (
        "projection_behind",
        "The ledger does not have the latest rounds yet; try again in a moment.",
    )


class InternalCode(Code):
    """What only workers and the operator meet; the API answers none of it."""

    NOTHING_DUE = ("nothing_due", "Nothing is due.")
    SIGNED_OUT = ("signed_out", "The token with which you came has ended.")
    PARTITION_HELD = (
        "partition_held",
        "The partition is being audited or rebuilt by another; try again later.",
    )


class ApplicationError(Exception):
    """Base of the errors; `code` is stable, `detail` is a sentence for people."""

    code: Code
    detail: str

    def __init__(self, code: Code, detail: str = "") -> None:
        super().__init__(f"{code}: {detail or code.meaning}")
        self.code = code
        self.detail = detail or code.meaning


class NotFound(ApplicationError):
    """Raised when the request names something that does not exist."""

    def __init__(self, code: NotFoundCode | SharedCode, detail: str = "") -> None:
        super().__init__(code, detail)


class Forbidden(ApplicationError):
    """Raised when the asker may not do that."""

    def __init__(self, code: ForbiddenCode | TableCode, detail: str = "") -> None:
        super().__init__(code, detail)


class VersionConflict(ApplicationError):
    """Raised when the expected version is not the current one; `current` is the state of the aggregate."""

    def __init__(self, category: str, current: Any) -> None:
        super().__init__(ConflictCode.VERSION_CONFLICT, f"The {category} is at version {current.version}.")
        self.current = current


class HistoryChanged(ApplicationError):
    """Raised when the asker continues from an event that is not stored, because the store came back older."""

    def __init__(self) -> None:
        super().__init__(ConflictCode.HISTORY_CHANGED)


class KeyReused(ApplicationError):
    """Raised when a key is used again for another request."""

    def __init__(self) -> None:
        super().__init__(ConflictCode.IDEMPOTENCY_KEY_REUSED)


class SignedOut(ApplicationError):
    """Raised when the token with which the asker came has ended since it was looked up."""

    def __init__(self) -> None:
        super().__init__(InternalCode.SIGNED_OUT)


class TokenSuperseded(ApplicationError):
    """Raised when a key led to a token that has ended since."""

    def __init__(self) -> None:
        super().__init__(ConflictCode.TOKEN_SUPERSEDED)


class LimitReached(ApplicationError):
    """Raised when a request is beyond a limit. Nothing has changed.

    Attributes:
        retry_after: whole seconds after which the request may be sent again.
    """

    def __init__(self, limit: Limit, bound: Bound, retry_after: int) -> None:
        seconds = "1 second" if retry_after == 1 else f"{retry_after} seconds"
        advice = "" if limit.is_lasting else f"; try again in {seconds}"
        detail = f"{limit.code.meaning} The limit of {limit.replace('_', ' ')} is {bound}. Nothing has changed{advice}."
        super().__init__(limit.code, detail)
        self.limit = limit
        self.bound = bound
        self.retry_after = retry_after


class Busy(ApplicationError):
    """Raised for a condition that passes by itself."""

    def __init__(self, code: BusyCode) -> None:
        super().__init__(code)
