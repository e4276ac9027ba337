"""The limits of what one address, player or host may do: their names, their bounds, and the port that counts."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Protocol, Self, TypeAlias

import msgspec

from hoodwink.domain.kernel import Code

OFF: Final = "off"
"""The value of a setting that lifts its limit."""

RATE_PATTERN: Final = r"^(off|[1-9][0-9]{0,5}/(second|minute|hour))$"
LEVEL_PATTERN: Final = r"^(off|[1-9][0-9]{0,5})$"

_SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600}
_RATE: Final = re.compile(RATE_PATTERN)


class LimitCode(Code):
    """The limits that a request can reach. It had no effect and may be sent again, with the same key, after a while."""

    TOO_MANY_REGISTRATIONS = ("too_many_registrations", "Too many players were registered from your address.")
    TOO_MANY_TABLES = ("too_many_tables", "Too many tables were opened.")
    TOO_MANY_COMMANDS = ("too_many_commands", "Too many requests were sent.")
    TOO_MANY_READS = (
        "too_many_reads",
        "Too much was read that is costly to compute, such as long pages, logs and earlier versions.",
    )
    TOO_MANY_OPEN_TABLES = (
        "too_many_open_tables",
        "You host too many tables that have not ended; end or close one of them first.",
    )
    TOO_MANY_TOURNAMENTS = (
        "too_many_tournaments",
        "You organise too many tournaments that are not over; finish or cancel one of them first.",
    )
    TOO_MANY_BOTS = (
        "too_many_bots",
        "The tournament already has as many bots as one host may enter. Until it starts, you can withdraw one.",
    )
    TOO_MANY_BOT_TABLES = (
        "too_many_bot_tables",
        "You host too many tables at which only bots play or are left; end one of them first, or wait until one has ended.",
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
    TOO_MANY_JOBS = ("too_many_jobs", "Too many of your jobs are still running. Wait until one has finished.")


class Limit(StrEnum):
    """Each limit, named like its setting.

    Attributes:
        code: with which a request beyond the limit is refused.
    """

    code: LimitCode

    def __new__(cls, name: str, code: LimitCode) -> Self:
        made = str.__new__(cls, name)
        made._value_, made.code = name, code
        return made

    @property
    def is_per_address(self) -> bool:
        """Whether it bounds an address; the others bound one player."""
        return self.endswith("_per_address")

    @property
    def is_per_host(self) -> bool:
        """Whether it bounds the tables and offers of a host, or the tournaments of an organiser."""
        return self.endswith("_per_host")

    @property
    def is_per_tournament(self) -> bool:
        """Whether it bounds what a tournament has, which nobody counts because its state says so."""
        return self.endswith("_per_tournament")

    @property
    def is_lasting(self) -> bool:
        """Whether a request beyond it is refused until somebody ends or withdraws something, however long one waits."""
        return self.is_per_host or self.is_per_tournament or self.is_of_imports

    @property
    def is_of_imports(self) -> bool:
        """Whether it bounds the imports that a player or an address keeps, which the store counts."""
        return self.startswith("import")

    REGISTRATIONS_PER_ADDRESS = ("registrations_per_address", LimitCode.TOO_MANY_REGISTRATIONS)
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
    JOBS_PER_ADDRESS = ("jobs_per_address", LimitCode.TOO_MANY_JOBS)


OPENING_TABLE: Final = (Limit.OPEN_TABLES_PER_HOST, Limit.TABLES_PER_PLAYER, Limit.TABLES_PER_ADDRESS)
"""The limits against which the opening of a table counts, that of its host first."""

OPENING_TOURNAMENT: Final = (Limit.TOURNAMENTS_PER_HOST, Limit.TABLES_PER_PLAYER, Limit.TABLES_PER_ADDRESS)
"""The limits against which the opening of a tournament counts, that of its organiser first."""

LASTING_RETRY_SECONDS: Final = 60
"""After how long a request beyond a lasting limit may be sent again: waiting does not help by itself."""


class Rate(msgspec.Struct, frozen=True, gc=False):
    """A rate limit: a burst of up to the whole number of requests, refilled evenly over the period."""

    count: int
    seconds: int

    def __str__(self) -> str:
        unit = next(name for name, seconds in _SECONDS.items() if seconds == self.seconds)
        return f"{self.count}/{unit}"


Bound: TypeAlias = Rate | int
"""A rate, or for a level how many there may be at the same time."""


def bound_of(text: str) -> Bound | None:
    """Returns the bound that a setting specifies, or `None` if it lifts the limit.

    >>> bound_of("20/second"), bound_of("3"), bound_of("off")
    (Rate(count=20, seconds=1), 3, None)
    """
    if text == OFF:
        return None
    count, _, unit = text.partition("/")
    return Rate(int(count), _SECONDS[unit]) if unit else int(count)


class Hold(Protocol):
    """One of those that a level counts."""

    def release(self) -> None:
        """Ends it; doing so twice does no harm."""
        ...


class Limits(Protocol):
    """Counts what limits bound, over all processes, without asking the store while a request waits.

    `who` is an address as `service/http/framework/client_address.py` groups them, or the id of a player.
    """

    def admit(self, limit: Limit, who: str) -> None:
        """Counts one more against a rate; raises `errors.LimitReached`, and then counts nothing."""
        ...

    def admit_all(self, counted: Sequence[tuple[Limit, str]]) -> None:
        """Counts one more against each of several limits, or raises `errors.LimitReached` and counts against none of them."""
        ...

    def check_budget(self, limit: Limit, who: str) -> None:
        """Raises `errors.LimitReached` if the budget of a rate is spent."""
        ...

    def draw(self, limit: Limit, who: str, amount: float) -> None:
        """Draws on the budget of a rate, which may be overdrawn."""
        ...

    def check(self, limit: Limit, count: int) -> None:
        """Raises `errors.LimitReached` if there are as many as a limit allows, by a count that the caller has made."""
        ...

    def hold(self, limit: Limit, who: str) -> Hold:
        """Counts one more against a level until it is released; raises `errors.LimitReached`, and then counts nothing."""
        ...
