"""The errors of use cases, apart from rule violations.

ApplicationError
  NotFound           there is no such table or player
  Forbidden          the actor may not do that
  VersionConflict    the expected version is not the current one
  HistoryChanged     the actor remembers events that the store no longer holds
  SignedOut          the actor's token has ended meanwhile
  KeyReused          the idempotency key belongs to another request
  TokenSuperseded    the idempotency key returned a token that has ended since
  LimitReached       the address, player or host has reached a limit; try again
  Laborious          the command takes too long for a request; a job has to do it
  Busy               other processes were faster at every attempt, or the ledger lags; try again
"""

from typing import Any

from hoodwink.domain.kernel import Code, SharedCode
from hoodwink.domain.tables.codes import TableCode
from hoodwink.service.application.limits import Bound, Limit


class NotFoundCode(Code):
    """A request names something that does not exist."""

    PUSH_NOT_FOUND = ("push_not_found", "This browser is not set up to call you.")
    PLAYER_NOT_FOUND = ("player_not_found", "There is no such player.")
    GAME_NOT_FOUND = ("game_not_found", "There is no such game.")
    TABLE_NOT_FOUND = ("table_not_found", "There is no such table.")
    VERSION_NOT_FOUND = ("version_not_found", "The table has no such version.")
    IMPORT_NOT_FOUND = ("import_not_found", "There is no such import.")
    JOB_NOT_FOUND = ("job_not_found", "There is no such job, or its outcome was deleted.")
    SESSION_NOT_FOUND = ("session_not_found", "You have no such session, or it has ended.")
    PASSKEY_NOT_FOUND = ("passkey_not_found", "You have no such passkey.")
    REASON_NOT_FOUND = ("reason_not_found", "There is no such reason, or it was erased.")
    EVENT_NOT_FOUND = ("event_not_found", "There is no such event.")
    TOURNAMENT_NOT_FOUND = ("tournament_not_found", "There is no such tournament.")
    DATE_NOT_FOUND = ("date_not_found", "The series has no such date.")
    SERIES_NOT_FOUND = ("series_not_found", "There is no such series.")
    ENTRANT_NOT_FOUND = ("entrant_not_found", "The tournament has no such entrant.")
    SITTING_NOT_FOUND = ("sitting_not_found", "The tournament has no such sitting.")
    ROUND_NOT_FOUND = ("round_not_found", "The tournament has no such round, or has not reached it yet.")
    BOARD_NOT_FOUND = ("board_not_found", "The round has no such board.")
    DEAL_NOT_FOUND = (
        "deal_not_found",
        "The tournament has no such deal that all tables of a round play, or has not reached it yet.",
    )
    WEBHOOK_NOT_FOUND = ("webhook_not_found", "The tournament has no such webhook.")
    NO_STANDINGS = ("no_standings", "The tournament has not started, so there are no standings.")
    NO_RESULTS = ("no_results", "The tournament has not started, so it has no results.")


class ForbiddenCode(Code):
    """The actor may not do that."""

    NOT_SEATED = ("not_seated", "You have no seat at this table.")
    RESIGNED = ("resigned", "You have resigned; a bot plays your seat.")
    NOT_INVITED = (
        "not_invited",
        (
            "This table is not open to everyone; ask its host for an invitation, then open its link or enter its code. "
            "If nobody may watch the table, the invitation lets you sit down, but not watch."
        ),
    )
    NOT_HOST = ("not_host", "Only the host of the table may do that.")
    HOST_IS_SEATED = (
        "host_is_seated",
        "You have or had a seat here; only a host who never sat at the table may record an offence.",
    )
    NOT_FOR_HOST = (
        "not_for_host",
        "The host may record only offences that this table leaves to the host, and only for a seated player.",
    )
    OFFER_REFUSED = ("offer_refused", "You cannot offer this player a seat; offer it to somebody else.")
    SIGN_IN_REFUSED = (
        "sign_in_refused",
        "This does not sign you in: it may be mistyped, used already, replaced or out of date.",
    )
    PASSKEY_REFUSED = (
        "passkey_refused",
        "The passkey could not be checked: it may have been removed, or the attempt took too long. Try again.",
    )
    NOT_FOR_BOTS = ("not_for_bots", "A bot may not do that; its owner may.")
    ONLY_FOR_BOTS = ("only_for_bots", "Only a bot may do that, with its own token.")
    ONLY_BOTS = ("only_bots", "Only bots can be challenged; offer other players a seat at a table.")
    BOT_DECLINES = ("bot_declines", "The bot does not play at such a table.")
    BOTS_NEED_AN_OFFER = (
        "bots_need_an_offer",
        "A bot takes a seat only at a table that it hosts, or where the host has offered it one.",
    )
    BOTS_NOT_ALLOWED = (
        "bots_not_allowed",
        "The organiser has not opened this tournament to bots of players.",
    )
    RATING_OUT_OF_BOUNDS = (
        "rating_out_of_bounds",
        "Your rating in this game is not within the bounds of this tournament.",
    )
    TOO_FEW_RATED_TABLES = (
        "too_few_rated_tables",
        "You have played too few rated tables of this game to enter this tournament.",
    )
    OWN_BOT_PLAYS = (
        "own_bot_plays",
        "Where all tables play the same deal, only one of a player and their bots may take part.",
    )
    NOT_ENTERED = ("not_entered", "You have not entered this tournament.")
    NOT_YOU = (
        "not_you",
        "You may withdraw only yourself; an organiser or arbiter may withdraw others, with a reason.",
    )
    NOT_YOUR_IMPORT = (
        "not_your_import",
        "Only a player who imported this log may delete it; it is deleted automatically when it expires.",
    )
    NOT_OFFICIAL = (
        "not_official",
        "Only the organiser, the co-organisers and the arbiters of the tournament may do that.",
    )
    NOT_ORGANISER = (
        "not_organiser",
        "Only the organiser of the tournament and, for most decisions, the co-organisers may do that.",
    )


class ConflictCode(Code):
    """The request conflicts with the current state."""

    VERSION_CONFLICT = (
        "version_conflict",
        "The table or tournament has changed since the version that you expected.",
    )
    HISTORY_CHANGED = (
        "history_changed",
        "The event that you continue from is gone, because an older copy of the data was restored. Read from the beginning.",
    )
    STILL_ORGANISING = (
        "still_organising",
        "You organise a tournament that is not over; finish or cancel it first.",
    )
    BLOCK_LIST_FULL = (
        "block_list_full",
        "You have blocked as many players as you can; unblock one of them first.",
    )
    TOO_MANY_OWN_BOTS = ("too_many_own_bots", "You own as many bots as you can; erase one of them first.")
    TOO_MANY_WEBHOOKS = (
        "too_many_webhooks",
        "The tournament has the maximum number of webhooks; remove one first.",
    )
    NO_WEBHOOKS_HERE = ("no_webhooks_here", "This service sends no messages to webhooks.")
    TOO_MANY_PASSKEYS = (
        "too_many_passkeys",
        "You have as many passkeys as you can; remove one of them first.",
    )
    NO_PASSKEYS_HERE = ("no_passkeys_here", "Passkeys do not work at the address of this service.")
    BOT_OFFLINE = ("bot_offline", "The bot is not online; choose another one, or try again later.")
    BOT_BUSY = ("bot_busy", "The bot is at as many tables as it plays at once; try again later.")
    IDEMPOTENCY_KEY_REUSED = (
        "idempotency_key_reused",
        "This key was already used for a different request; send this one with a new key.",
    )
    TOKEN_SUPERSEDED = (
        "token_superseded",
        "The token that this key returned has ended; request another one with a new key.",
    )


class BusyCode(Code):
    """The condition passes by itself."""

    TABLE_BUSY = ("table_busy", "The table is changing too fast; try again.")
    TOURNAMENT_BUSY = ("tournament_busy", "The tournament is changing too fast; try again.")
    SERIES_BUSY = ("series_busy", "The series is changing too fast; try again.")
    PLAYER_BUSY = ("player_busy", "The player's data is changing too fast; try again.")
    PROJECTION_BEHIND = (
        "projection_behind",
        "The ledger does not have the latest rounds yet; try again in a moment.",
    )
    NO_ROOM_FOR_JOBS = ("no_room_for_jobs", "There is no room for more jobs at the moment; try again later.")
    JOB_INTERRUPTED = (
        "job_interrupted",
        "The work was interrupted at every attempt and was given up; send the request again later.",
    )


class JobCode(Code):
    """Why a job failed."""

    JOB_TOO_EXPENSIVE = (
        "job_too_expensive",
        (
            "This takes more time or memory than the service spends on one request. You can check a log of any size on "
            "your own machine, with the service's own program."
        ),
    )


class InternalCode(Code):
    """Errors inside the service or for its operator; the API returns none of them."""

    SIGNED_OUT = ("signed_out", "Your token has ended.")
    LABORIOUS = ("laborious", "This takes longer than a request may.")
    PARTITION_HELD = (
        "partition_held",
        "Another process is auditing or rebuilding the partition; try again later.",
    )


class ApplicationError(Exception):
    """Base class; `code` is stable, `detail` is a sentence for people."""

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
    def __init__(self, code: ForbiddenCode | TableCode, detail: str = "") -> None:
        super().__init__(code, detail)


class VersionConflict(ApplicationError):
    """Raised when the expected version is not the current one; `current` is the state of the aggregate."""

    def __init__(self, category: str, current: Any) -> None:
        # The state goes with the error, so that the answer shows the same moment as the refusal.
        super().__init__(ConflictCode.VERSION_CONFLICT, f"The {category} is at version {current.version}.")
        self.current = current


class HistoryChanged(ApplicationError):
    """Raised when the actor continues from an event that is not stored, because the store came back older."""

    def __init__(self) -> None:
        super().__init__(ConflictCode.HISTORY_CHANGED)


class KeyReused(ApplicationError):
    """Raised when an idempotency key is used for a second, different request."""

    def __init__(self) -> None:
        super().__init__(ConflictCode.IDEMPOTENCY_KEY_REUSED)


class SignedOut(ApplicationError):
    """Raised when the actor's token has ended since it was looked up."""

    def __init__(self) -> None:
        super().__init__(InternalCode.SIGNED_OUT)


class TokenSuperseded(ApplicationError):
    """Raised when the token that an idempotency key returned has ended since."""

    def __init__(self) -> None:
        super().__init__(ConflictCode.TOKEN_SUPERSEDED)


class LimitReached(ApplicationError):
    """Raised when a request exceeds a limit. Nothing has changed.

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


class Laborious(ApplicationError):
    """Raised when a command takes too long for a request. Nothing has changed."""

    def __init__(self) -> None:
        super().__init__(InternalCode.LABORIOUS)


class Busy(ApplicationError):
    """Raised for a condition that passes by itself."""

    def __init__(self, code: BusyCode) -> None:
        super().__init__(code)
