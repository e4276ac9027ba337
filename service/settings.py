"""The environment variables that Hoodwink reads, as one frozen record."""

from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self, get_args, get_type_hints
from urllib.parse import parse_qs, urlsplit, urlunsplit

import msgspec
from msgspec import Meta, field

from service.application.administrators import LISTED_PATTERN
from service.application.limits import LEVEL_PATTERN, OFF, RATE_PATTERN, Bound, Limit, bound_of


class InvalidSettings(ValueError):
    """Raised for an environment variable whose value is not valid; the message says what is allowed."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of this installation. Each field is read from the environment variable in its `name`."""

    host: Annotated[str, Meta(min_length=1, description="Address that the API listens on.")] = field(
        default="127.0.0.1", name="HOODWINK_HOST"
    )
    port: Annotated[
        int, Meta(ge=0, le=65535, description="Port that the API listens on; 0 takes any free one.")
    ] = field(default=8000, name="HOODWINK_PORT")
    data: Annotated[
        str, Meta(min_length=1, description="Folder for the data of the embedded Redis and the logs.")
    ] = field(default=".hoodwink", name="HOODWINK_DATA")
    redis_url: Annotated[
        str | None,
        Meta(
            description="Redis server or Redis Cluster that holds the events, instead of the embedded one: "
            "redis://, rediss://, unix://, or redis+cluster:// (rediss+cluster://) HOST:PORT,HOST:PORT."
        ),
    ] = field(default=None, name="REDIS_URL")
    broker_url: Annotated[
        str | None,
        Meta(description="Standalone Redis for the Celery tasks; by default that of the events."),
    ] = field(default=None, name="BROKER_URL")
    fsync: Annotated[
        Literal["everysec", "always"],
        Meta(
            description="When the embedded Redis syncs its append-only file: always, before it acknowledges a "
            "write, or everysec."
        ),
    ] = field(default="always", name="HOODWINK_FSYNC")
    replicas: Annotated[
        int,
        Meta(
            ge=0,
            le=16,
            description="Replicas of the Redis at `REDIS_URL` that must have a write before it is acknowledged "
            "(docs/DURABILITY.md).",
        ),
    ] = field(default=0, name="HOODWINK_REPLICAS")
    replicas_seconds: Annotated[
        float,
        Meta(
            gt=0,
            le=4,
            description="Time that a write waits for these replicas before it is answered 503 `not_replicated`.",
        ),
    ] = field(default=2.0, name="HOODWINK_REPLICAS_SECONDS")
    partitions: Annotated[
        int, Meta(ge=1, le=1024, description="Partitions of the event feed; fixed once tables exist.")
    ] = field(default=16, name="HOODWINK_PARTITIONS")
    api_workers: Annotated[int, Meta(ge=1, le=256, description="Processes that answer HTTP requests.")] = (
        field(default=2, name="HOODWINK_API_WORKERS")
    )
    api_threads: Annotated[int, Meta(ge=1, le=256, description="Threads in each of these processes.")] = (
        field(default=8, name="HOODWINK_API_THREADS")
    )
    api_streams: Annotated[
        int,
        Meta(
            ge=4,
            le=10_000,
            description="Event streams of each of these processes; a quarter of them is kept for seated players.",
        ),
    ] = field(default=500, name="HOODWINK_API_STREAMS")
    body_megabytes: Annotated[
        int,
        Meta(
            ge=16,
            le=65_536,
            description="MiB that request bodies of more than 64 KiB may have together in each of these processes, from "
            "their announcement until they are answered, and also answers of that size that clients have not read.",
        ),
    ] = field(default=64, name="HOODWINK_BODY_MEGABYTES")
    connections_per_address: Annotated[
        int,
        Meta(
            ge=1,
            le=16_384,
            description="Connections without a request under way that one address may hold in each of these processes.",
        ),
    ] = field(default=512, name="HOODWINK_CONNECTIONS_PER_ADDRESS")
    worker_slots: Annotated[
        int, Meta(ge=1, le=256, description="Celery tasks that a worker runs at the same time, in threads.")
    ] = field(default=4, name="HOODWINK_WORKER_SLOTS")
    open_hours: Annotated[
        float,
        Meta(gt=0, le=8760, description="A table that has not started so long after its opening is ended."),
    ] = field(default=24.0, name="HOODWINK_OPEN_HOURS")
    abandon_hours: Annotated[
        float,
        Meta(gt=0, le=8760, description="A started table is ended when no person has acted for so long."),
    ] = field(default=24.0, name="HOODWINK_ABANDON_HOURS")
    forget_days: Annotated[
        float,
        Meta(
            ge=0,
            le=3650,
            description="A player who never took part in anything is forgotten so long after registering; 0 for never.",
        ),
    ] = field(default=30.0, name="HOODWINK_FORGET_DAYS")
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Meta(description="The least severe level that is logged: debug, info, warning or error."),
    ] = field(default="info", name="HOODWINK_LOG_LEVEL")
    log_format: Annotated[
        Literal["text", "json"],
        Meta(description="How each line is logged: text for people, or json for one object a line."),
    ] = field(default="text", name="HOODWINK_LOG_FORMAT")
    administrators: Annotated[
        str,
        Meta(
            pattern=LISTED_PATTERN,
            description="Administrators, who may void tables and end tournaments and tables of bots: "
            "NAME=SHA256,NAME=SHA256, the SHA-256 of each token in hex; `hoodwink admin token NAME` makes one.",
        ),
    ] = field(default="", name="HOODWINK_ADMINISTRATORS")
    origins: Annotated[
        str,
        Meta(
            pattern=r"^(\*|[a-z][a-z0-9+.-]*://[^/\sA-Z,*]+(,[a-z][a-z0-9+.-]*://[^/\sA-Z,*]+)*)?$",
            description="Origins of the web pages that may use the API, such as https://play.example.org, separated by "
            "commas; * for all. By default browsers keep pages of other origins from it.",
        ),
    ] = field(default="", name="HOODWINK_ORIGINS")
    registrations_per_address: Annotated[
        str, Meta(pattern=RATE_PATTERN, description="Players that may be registered from one address.")
    ] = field(default="100/hour", name="HOODWINK_REGISTRATIONS_PER_ADDRESS")
    tables_per_player: Annotated[
        str,
        Meta(
            pattern=RATE_PATTERN,
            description="Tables, forks, rematches and tournaments that one player may open.",
        ),
    ] = field(default="60/hour", name="HOODWINK_TABLES_PER_PLAYER")
    tables_per_address: Annotated[
        str, Meta(pattern=RATE_PATTERN, description="Tables that the players at one address may open.")
    ] = field(default="300/hour", name="HOODWINK_TABLES_PER_ADDRESS")
    commands_per_player: Annotated[
        str,
        Meta(
            pattern=RATE_PATTERN,
            description="Requests other than GET that one player may send, refused ones included.",
        ),
    ] = field(default="20/second", name="HOODWINK_COMMANDS_PER_PLAYER")
    commands_per_address: Annotated[
        str, Meta(pattern=RATE_PATTERN, description="The same for all players at one address together.")
    ] = field(default="200/second", name="HOODWINK_COMMANDS_PER_ADDRESS")
    anonymous_commands_per_address: Annotated[
        str,
        Meta(
            pattern=RATE_PATTERN, description="The same for requests from one address without a valid token."
        ),
    ] = field(default="20/second", name="HOODWINK_ANONYMOUS_COMMANDS_PER_ADDRESS")
    open_tables_per_host: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="Tables that have not ended and have the same host.")
    ] = field(default="20", name="HOODWINK_OPEN_TABLES_PER_HOST")
    bot_tables_per_host: Annotated[
        str,
        Meta(pattern=LEVEL_PATTERN, description="Tables among them at which only bots play or are left."),
    ] = field(default="3", name="HOODWINK_BOT_TABLES_PER_HOST")
    tournaments_per_host: Annotated[
        str,
        Meta(pattern=LEVEL_PATTERN, description="Tournaments that are not over and have the same organiser."),
    ] = field(default="5", name="HOODWINK_TOURNAMENTS_PER_HOST")
    bots_per_tournament: Annotated[
        str,
        Meta(pattern=LEVEL_PATTERN, description="Bots that an organiser may have entered into a tournament."),
    ] = field(default="32", name="HOODWINK_BOTS_PER_TOURNAMENT")
    streams_per_player: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="Event streams that one player may have open.")
    ] = field(default="20", name="HOODWINK_STREAMS_PER_PLAYER")
    streams_per_address: Annotated[
        str, Meta(pattern=LEVEL_PATTERN, description="Event streams that one address may have open.")
    ] = field(default="200", name="HOODWINK_STREAMS_PER_ADDRESS")
    bodies_per_address: Annotated[
        str,
        Meta(
            pattern=LEVEL_PATTERN,
            description="Request bodies of more than 64 KiB that one address may have under way.",
        ),
    ] = field(default="3", name="HOODWINK_BODIES_PER_ADDRESS")
    proxies: Annotated[
        str,
        Meta(
            pattern=r"^[0-9A-Fa-f.:/,]*$",
            description="Proxies in front of the API, as addresses or networks separated by commas, such as "
            "10.0.0.0/8; only theirs are the headers `Forwarded` and `X-Forwarded-For` that are believed.",
        ),
    ] = field(default="", name="HOODWINK_PROXIES")
    metrics_host: Annotated[
        str, Meta(min_length=1, description="Address that HOODWINK_METRICS_PORT listens on.")
    ] = field(default="127.0.0.1", name="HOODWINK_METRICS_HOST")
    metrics_port: Annotated[
        int,
        Meta(
            ge=0,
            le=65535,
            description="Port for the operator: `/metrics` with all figures, and `/healthz`, of the API, or of a worker or "
            "projector run alone. By default the API serves `/metrics` on its own port, without what requests were answered.",
        ),
    ] = field(default=0, name="HOODWINK_METRICS_PORT")
    bench: Annotated[
        bool, Meta(description="1 adds the baseline endpoint that `hoodwink bench` compares the API with.")
    ] = field(default=False, name="HOODWINK_BENCH")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Returns the settings that the variables specify; an empty variable counts as unset.

        Raises:
            InvalidSettings: a value is not a number, out of bounds or not among the choices.

        >>> Settings.from_environment({"HOODWINK_PORT": "9000"}).port
        9000
        """
        given = {name: value for name in cls.__struct_encode_fields__ if (value := environment.get(name))}
        try:
            settings = msgspec.convert(given, cls, strict=False)
        except msgspec.ValidationError as error:
            name = str(error).rpartition(" - at `$.")[2].rstrip("`")
            # Not shown: it may be the token itself, given by mistake where its hash belongs.
            shown = name if name == _ADMINISTRATORS else f"{name}={given[name]}"
            raise InvalidSettings(f"{shown} is not valid: it must be {_allowed(cls, name)}.") from None
        try:
            _ = settings.proxy_networks
        except ValueError as error:
            raise InvalidSettings(f"HOODWINK_PROXIES={settings.proxies} is not valid: {error}.") from None
        return settings

    @classmethod
    def unknown(cls, environment: Mapping[str, str]) -> list[str]:
        """Returns the variables that look like settings and are none.

        >>> Settings.unknown({"HOODWINK_PORT": "9000", "HOODWINK_PROT": "9000", "PATH": "/bin"})
        ['HOODWINK_PROT']
        """
        return sorted(
            name
            for name in environment
            if name.startswith("HOODWINK_") and name not in cls.__struct_encode_fields__
        )

    def to_environment(self) -> dict[str, str]:
        """Returns the variables from which another process reads the same settings."""
        return {name: str(value) for name, value in msgspec.to_builtins(self).items() if value is not None}

    @property
    def data_folder(self) -> Path:
        """The data folder as an absolute path."""
        return Path(self.data).absolute()

    @property
    def allowed_origins(self) -> frozenset[str]:
        """The origins of the web pages that may use the API; `*` alone for all."""
        return frozenset(filter(None, self.origins.split(",")))

    @property
    def bounds(self) -> dict[Limit, Bound]:
        """The bounds of the limits that are not lifted."""
        found = {limit: bound_of(getattr(self, limit)) for limit in Limit}
        return {limit: bound for limit, bound in found.items() if bound is not None}

    def unlimited(self) -> Self:
        """Returns these settings with every limit lifted."""
        return msgspec.structs.replace(self, **dict.fromkeys(Limit, OFF))

    @property
    def proxy_networks(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The proxies whose headers are believed."""
        return tuple(map(ip_network, filter(None, self.proxies.split(","))))

    @property
    def open_after_ms(self) -> int:
        """Milliseconds after its opening in which a table has to start (G-17)."""
        return round(self.open_hours * 3_600_000)

    @property
    def forget_after_ms(self) -> int:
        """Milliseconds after which a player who never took part is forgotten; 0 for never."""
        return round(self.forget_days * 86_400_000)

    @property
    def abandon_after_ms(self) -> int:
        """Milliseconds without an action of a person after which a started table is ended (G-14)."""
        return round(self.abandon_hours * 3_600_000)

    @property
    def tasks_url(self) -> str | None:
        """The URL of Celery's broker: `BROKER_URL`, or the Redis of the events, in Celery's notation."""
        url = self.broker_url or self.redis_url
        return celery_url(url) if url else None


class Variable(msgspec.Struct, frozen=True, kw_only=True):
    """One environment variable, described for people."""

    name: str
    default: str
    meaning: str


def variables() -> tuple[Variable, ...]:
    """Returns a description of each variable, in the order of the fields."""
    hints = get_type_hints(Settings, include_extras=True)
    return tuple(
        Variable(
            name=setting.encode_name, default=_shown(setting.default), meaning=_meaning(hints[setting.name])
        )
        for setting in msgspec.structs.fields(Settings)
    )


def celery_url(url: str) -> str:
    """Returns a Redis URL in Celery's notation, which differs for Unix sockets only.

    >>> celery_url("unix:///run/redis.sock?db=1")
    'redis+socket:///run/redis.sock?virtual_host=1'
    """
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    return f"redis+socket://{parts.path}?virtual_host={database}"


def without_password(url: str) -> str:
    """Returns a URL without its password, so that it may be shown and logged.

    >>> without_password("redis://user:secret@example.org:6379/0")
    'redis://user:…@example.org:6379/0'
    """
    parts = urlsplit(url)
    access, at, where = parts.netloc.rpartition("@")
    if not at:
        return url
    return urlunsplit(parts._replace(netloc=f"{access.partition(':')[0]}:…@{where}"))


def _meaning(hint: Any) -> str:
    return _meta(hint).description or ""


def _meta(hint: Any) -> Meta:
    (meta,) = (extra for extra in get_args(hint) if isinstance(extra, Meta))
    return meta


_ADMINISTRATORS: Final = "HOODWINK_ADMINISTRATORS"


def _allowed(settings: type[Settings], name: str) -> str:
    """Returns a description of the values that a variable may have."""
    hints = get_type_hints(settings, include_extras=True)
    fields = msgspec.structs.fields(settings)
    hint = next(hints[setting.name] for setting in fields if setting.encode_name == name)
    kind, meta = get_args(hint)[0], _meta(hint)
    if kind is bool:
        return "0 or 1"
    if kind in {int, float}:
        number = "a whole number" if kind is int else "a number"
        return (
            f"{number} from {meta.ge} to {meta.le}"
            if meta.ge is not None
            else f"{number} above {meta.gt} and up to {meta.le}"
        )
    if meta.pattern == RATE_PATTERN:
        return "a number per second, minute or hour, such as 20/second, or off"
    if meta.pattern == LEVEL_PATTERN:
        return "a whole number from 1 to 999999, or off"
    if name == "HOODWINK_PROXIES":
        return "addresses or networks, such as 10.0.0.0/8, separated by commas"
    if name == _ADMINISTRATORS:
        return (
            "NAME=SHA256 for each administrator, separated by commas: `hoodwink admin token NAME` makes one"
        )
    if name == "HOODWINK_ORIGINS":
        return "origins as browsers send them, such as https://play.example.org, separated by commas, or *"
    choices = [str(choice) for choice in get_args(kind) if isinstance(choice, str)]
    return " or ".join(choices) or "a text"


def _shown(default: object) -> str:
    if isinstance(default, bool):
        return str(int(default))
    return "" if default is None else str(default)
