"""The environment variables that Hoodwink reads, as one frozen record."""

from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Literal, Self, get_type_hints
from urllib.parse import parse_qs, urlsplit, urlunsplit

import msgspec
from msgspec import Meta, field

from hoodwink.service.application.players.administrators import LISTED_PATTERN
from hoodwink.service.limit_settings import LimitSettings
from hoodwink.service.setting_values import ADMINISTRATORS, allowed_values, meaning_of, shown


class InvalidSettings(ValueError):
    """Raised for an environment variable whose value is not valid; the message says what is allowed."""


class Settings(LimitSettings, frozen=True, kw_only=True):
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
    job_slots: Annotated[
        int, Meta(ge=1, le=64, description="Jobs that a job worker runs at the same time, each in a process.")
    ] = field(default=2, name="HOODWINK_JOB_SLOTS")
    job_seconds: Annotated[
        int, Meta(ge=1, le=100, description="Seconds of processor time that one job may take.")
    ] = field(default=60, name="HOODWINK_JOB_SECONDS")
    job_megabytes: Annotated[
        int, Meta(ge=64, le=65_536, description="MiB of memory that one job may take on top of its process.")
    ] = field(default=512, name="HOODWINK_JOB_MEGABYTES")
    jobs_megabytes: Annotated[
        int,
        Meta(
            ge=112,  # so that one client may send the largest log
            le=65_536,
            description="MiB in Redis that the inputs and outcomes of all jobs may have; inputs may have three quarters, "
            "and an address or player a fifth of what others leave of that.",
        ),
    ] = field(default=128, name="HOODWINK_JOBS_MEGABYTES")
    open_hours: Annotated[
        float,
        Meta(gt=0, le=8760, description="Hours after which a table that has not started is ended."),
    ] = field(default=24.0, name="HOODWINK_OPEN_HOURS")
    abandon_hours: Annotated[
        float,
        Meta(
            gt=0,
            le=8760,
            description="Hours without an action of a person after which a started table is ended.",
        ),
    ] = field(default=24.0, name="HOODWINK_ABANDON_HOURS")
    forget_days: Annotated[
        float,
        Meta(
            ge=0,
            le=3650,
            description="Days after registering when a player who never took part in anything is deleted; 0 for never.",
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
    imports_megabytes: Annotated[
        int,
        Meta(
            ge=32,
            le=1_048_576,
            description="MiB that all imports may have; beyond it, those of the largest owner are deleted.",
        ),
    ] = field(default=256, name="HOODWINK_IMPORTS_MEGABYTES")
    import_days: Annotated[
        float,
        Meta(
            gt=0,
            le=365,
            description="Days after which an import that nobody views is deleted; views keep it for a year at most.",
        ),
    ] = field(default=30.0, name="HOODWINK_IMPORT_DAYS")
    proxies: Annotated[
        str,
        Meta(
            pattern=r"^[0-9A-Fa-f.:/,]*$",
            description="Proxies in front of the API, as addresses or networks separated by commas, such as "
            "10.0.0.0/8; only theirs are the headers `Forwarded` and `X-Forwarded-For` that are believed.",
        ),
    ] = field(default="", name="HOODWINK_PROXIES")
    security_contact: Annotated[
        str,
        Meta(
            pattern=r"^((https://|mailto:|tel:)[!-~]+)?$",
            description="Where weaknesses of this installation are reported, such as mailto:security@example.org; "
            "/.well-known/security.txt says so.",
        ),
    ] = field(default="", name="HOODWINK_SECURITY_CONTACT")
    metrics_host: Annotated[
        str, Meta(min_length=1, description="Address that HOODWINK_METRICS_PORT listens on.")
    ] = field(default="127.0.0.1", name="HOODWINK_METRICS_HOST")
    metrics_port: Annotated[
        int,
        Meta(
            ge=0,
            le=65535,
            description="Port for the operator: `/metrics` with all figures, and `/healthz`, of the API, or of a worker or "
            "projector run alone. By default the API serves `/metrics` on its own port, to this machine alone and without what requests were answered.",
        ),
    ] = field(default=0, name="HOODWINK_METRICS_PORT")

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
            shown = name if name == ADMINISTRATORS else f"{name}={given[name]}"
            raise InvalidSettings(f"{shown} is not valid: it must be {allowed_values(cls, name)}.") from None
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
        return Path(self.data).absolute()

    @property
    def allowed_origins(self) -> frozenset[str]:
        """The origins of the web pages that may use the API; `*` alone for all."""
        return frozenset(filter(None, self.origins.split(",")))

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
    """Returns a description of each variable, in the order of the fields; those of the limits come last."""
    hints = get_type_hints(Settings, include_extras=True)
    limits = LimitSettings.__struct_fields__
    fields = sorted(msgspec.structs.fields(Settings), key=lambda setting: setting.name in limits)
    return tuple(
        Variable(
            name=setting.encode_name, default=shown(setting.default), meaning=meaning_of(hints[setting.name])
        )
        for setting in fields
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
