"""Limits per address, player and host: their names, their bounds, and the port that counts."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Protocol, Self, TypeAlias

import msgspec

from hoodwink.domain.kernel import Code

OFF: Final = "off"
"""The value of a setting that turns its limit off."""

RATE_PATTERN: Final = r"^(off|[1-9][0-9]{0,5}/(second|minute|hour))$"
LEVEL_PATTERN: Final = r"^(off|[1-9][0-9]{0,5})$"

_SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600}


class LimitCode(Code):
    """The limits that a request can reach. It had no effect and may be sent again later with the same key."""

    TOO_MANY_REGISTRATIONS = ("too_many_registrations", "Too many players were registered from your address.")
    TOO_MANY_SIGN_INS = ("too_many_sign_ins", "Too many attempts to sign in came from your address.")
    TOO_MANY_TABLES = ("too_many_tables", "Too many tables were opened.")
    TOO_MANY_COMMANDS = ("too_many_commands", "Too many requests were sent.")
    TOO_MANY_READS = (
        "too_many_reads",
        "You have read too much that is costly to compute, such as long pages, logs and earlier versions.",
    )
    TOO_MANY_OPEN_TABLES = (
        "too_many_open_tables",
        "You host too many tables that have not ended; end or close one of them first.",
    )
    TOO_MANY_TOURNAMENTS = (
        "too_many_tournaments",
        "You organise too many tournaments that are not over; finish or cancel one of them first.",
    )
    TOO_MANY_SERIES = (
        "too_many_series",
        "You organise too many series that are not over; end one of them first.",
    )
    TOO_MANY_BOTS = (
        "too_many_bots",
        "The tournament already has as many bots as one host may enter. Until it starts, you can withdraw one.",
    )
    TOO_MANY_BOT_TABLES = (
        "too_many_bot_tables",
        "You host too many tables at which only bots still play; end one of them first, or wait until one has ended.",
    )
    TOO_MANY_OFFERS = (
        "too_many_offers",
        "You have offered too many seats that nobody has taken; withdraw one of these offers first, or wait for an answer.",
    )
    TOO_MANY_STREAMS = ("too_many_streams", "Too many live pages are open. Close one and try again.")
    TOO_MANY_IMPORTS = (
        "too_many_imports",
        "Too many imported logs are kept; delete one of yours first, or wait until one has expired.",
    )
    TOO_MANY_BODIES = (
        "too_many_bodies",
        "Too many large files are being uploaded. Try again in a moment.",
    )
    TOO_MANY_HINTS = ("too_many_hints", "You have asked for many hints. Think for yourself for a moment.")
    TOO_MANY_SAYINGS = ("too_many_sayings", "You have said a lot. Let the others have a word.")
    TOO_MANY_WEBHOOK_CHANGES = (
        "too_many_webhook_changes",
        "You have added, tested and renewed many webhooks. Wait a moment.",
    )
    TOO_MANY_TEXTS = (
        "too_many_texts",
        "You have written many descriptions or team names. Wait a moment.",
    )
    TOO_MANY_JOBS = ("too_many_jobs", "Too many of your jobs are still running. Wait until one has finished.")


class Limit(StrEnum):
    """Each limit, named like its setting.

    Attributes:
        code: of the refusal.
    """

    code: LimitCode

    # The value is the name alone, which Redis keys and metrics contain.
    def __new__(cls, name: str, code: LimitCode) -> Self:
        made = str.__new__(cls, name)
        made._value_, made.code = name, code
        return made

    @property
    def is_per_address(self) -> bool:
        """Whether it limits an address; the others limit one player."""
        return self.endswith("_per_address")

    @property
    def is_per_host(self) -> bool:
        """Whether it limits the tables and offers of a host, or the tournaments and series of an organiser."""
        return self.endswith("_per_host")

    @property
    def is_per_tournament(self) -> bool:
        """Whether it limits a number that the tournament's state already has, so that nobody has to count."""
        return self.endswith("_per_tournament")

    @property
    def is_lasting(self) -> bool:
        """Whether waiting does not help: requests are refused until somebody ends or withdraws something."""
        return self.is_per_host or self.is_per_tournament or self.is_of_imports

    @property
    def is_of_imports(self) -> bool:
        """Whether it limits the imports that a player or an address keeps, which the store counts."""
        return self.startswith("import")

    REGISTRATIONS_PER_ADDRESS = ("registrations_per_address", LimitCode.TOO_MANY_REGISTRATIONS)
    SIGN_INS_PER_ADDRESS = ("sign_ins_per_address", LimitCode.TOO_MANY_SIGN_INS)
    TABLES_PER_PLAYER = ("tables_per_player", LimitCode.TOO_MANY_TABLES)
    TABLES_PER_ADDRESS = ("tables_per_address", LimitCode.TOO_MANY_TABLES)
    COMMANDS_PER_PLAYER = ("commands_per_player", LimitCode.TOO_MANY_COMMANDS)
    COMMANDS_PER_ADDRESS = ("commands_per_address", LimitCode.TOO_MANY_COMMANDS)
    ANONYMOUS_COMMANDS_PER_ADDRESS = ("anonymous_commands_per_address", LimitCode.TOO_MANY_COMMANDS)
    READS_PER_PLAYER = ("reads_per_player", LimitCode.TOO_MANY_READS)
    READS_PER_ADDRESS = ("reads_per_address", LimitCode.TOO_MANY_READS)
    OPEN_TABLES_PER_HOST = ("open_tables_per_host", LimitCode.TOO_MANY_OPEN_TABLES)
    BOT_TABLES_PER_HOST = ("bot_tables_per_host", LimitCode.TOO_MANY_BOT_TABLES)
    TOURNAMENTS_PER_HOST = ("tournaments_per_host", LimitCode.TOO_MANY_TOURNAMENTS)
    SERIES_PER_HOST = ("series_per_host", LimitCode.TOO_MANY_SERIES)
    OFFERS_PER_HOST = ("offers_per_host", LimitCode.TOO_MANY_OFFERS)
    BOTS_PER_TOURNAMENT = ("bots_per_tournament", LimitCode.TOO_MANY_BOTS)
    STREAMS_PER_PLAYER = ("streams_per_player", LimitCode.TOO_MANY_STREAMS)
    STREAMS_PER_ADDRESS = ("streams_per_address", LimitCode.TOO_MANY_STREAMS)
    IMPORTS_PER_PLAYER = ("imports_per_player", LimitCode.TOO_MANY_IMPORTS)
    IMPORTS_PER_ADDRESS = ("imports_per_address", LimitCode.TOO_MANY_IMPORTS)
    IMPORT_MEGABYTES_PER_PLAYER = ("import_megabytes_per_player", LimitCode.TOO_MANY_IMPORTS)
    IMPORT_MEGABYTES_PER_ADDRESS = ("import_megabytes_per_address", LimitCode.TOO_MANY_IMPORTS)
    BODIES_PER_ADDRESS = ("bodies_per_address", LimitCode.TOO_MANY_BODIES)
    JOBS_PER_PLAYER = ("jobs_per_player", LimitCode.TOO_MANY_JOBS)
    REVIEWS_PER_PLAYER = ("reviews_per_player", LimitCode.TOO_MANY_JOBS)
    HINTS_PER_PLAYER = ("hints_per_player", LimitCode.TOO_MANY_HINTS)
    SAYINGS_PER_PLAYER = ("sayings_per_player", LimitCode.TOO_MANY_SAYINGS)
    DESCRIPTIONS_PER_PLAYER = ("descriptions_per_player", LimitCode.TOO_MANY_TEXTS)
    WEBHOOK_CHANGES_PER_PLAYER = ("webhook_changes_per_player", LimitCode.TOO_MANY_WEBHOOK_CHANGES)
    JOBS_PER_ADDRESS = ("jobs_per_address", LimitCode.TOO_MANY_JOBS)


OPENING_TABLE: Final = (Limit.OPEN_TABLES_PER_HOST, Limit.TABLES_PER_PLAYER, Limit.TABLES_PER_ADDRESS)
"""The limits against which the opening of a table counts, the host's first."""

OPENING_TOURNAMENT: Final = (Limit.TOURNAMENTS_PER_HOST, Limit.TABLES_PER_PLAYER, Limit.TABLES_PER_ADDRESS)
"""The limits against which the opening of a tournament counts, the organiser's first."""

OPENING_SERIES: Final = (Limit.SERIES_PER_HOST, Limit.TABLES_PER_PLAYER, Limit.TABLES_PER_ADDRESS)
"""The limits against which the opening of a series counts, the organiser's first."""

LASTING_RETRY_SECONDS: Final = 60
"""The `Retry-After` of a lasting limit. Waiting alone does not help, but somebody may have ended something by then."""


class Rate(msgspec.Struct, frozen=True, gc=False):
    """A rate limit: up to `count` requests at once, refilled evenly over the period."""

    count: int
    seconds: int

    def __str__(self) -> str:
        unit = next(name for name, seconds in _SECONDS.items() if seconds == self.seconds)
        return f"{self.count}/{unit}"


Bound: TypeAlias = Rate | int
"""A rate, or for a level the number that may exist at the same time."""


def bound_of(text: str) -> Bound | None:
    """Returns the bound that a setting specifies, or `None` if the limit is off.

    >>> bound_of("20/second"), bound_of("3"), bound_of("off")
    (Rate(count=20, seconds=1), 3, None)
    """
    if text == OFF:
        return None
    count, _, unit = text.partition("/")
    return Rate(int(count), _SECONDS[unit]) if unit else int(count)


class Hold(Protocol):
    """One unit of a level, such as an open stream."""

    def release(self) -> None:
        """Ends it. A second call does nothing."""
        ...


class Limits(Protocol):
    """Counts against limits over all processes, without a round trip to the store while a request waits.

    `who` is the id of a player, or an address as `service/http/framework/client_address.py` groups addresses.
    """

    def admit(self, limit: Limit, who: str) -> None:
        """Counts one more against a rate, or raises `errors.LimitReached` and counts nothing."""
        ...

    def admit_all(self, counted: Sequence[tuple[Limit, str]]) -> None:
        """Counts one more against each of several limits, or raises `errors.LimitReached` and counts nothing."""
        ...

    def check_budget(self, limit: Limit, who: str) -> None:
        """Raises `errors.LimitReached` if the budget of a rate is spent."""
        ...

    def draw(self, limit: Limit, who: str, amount: float) -> None:
        """Draws on the budget of a rate, which may be overdrawn."""
        ...

    def check(self, limit: Limit, count: int) -> None:
        """Raises `errors.LimitReached` if the caller's `count` has reached the limit."""
        ...

    def hold(self, limit: Limit, who: str) -> Hold:
        """Counts one more against a level until it is released, or raises `errors.LimitReached` and counts nothing."""
        ...
