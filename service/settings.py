"""All environment variables of Hoodwink in one frozen struct."""

from collections.abc import Mapping
from importlib.util import find_spec
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Final, Literal, Self, get_type_hints

import msgspec
from msgspec import Meta, field
from msgspec.structs import replace

from hoodwink.service.application.players.administrators import LISTED_PATTERN
from hoodwink.service.capacity_settings import CapacitySettings
from hoodwink.service.limit_settings import LimitSettings
from hoodwink.service.setting_values import ADMINISTRATORS, allowed_values, default_text, meaning_of

_DEFAULT_REDIS: Final = "redis://127.0.0.1:6379/0"
_THIS_MACHINE: Final = frozenset({"127.0.0.1", "::1", "0.0.0.0", "::", "localhost"})  # noqa: S104 - compared, not bound


class InvalidSettings(ValueError):
    """Raised for an invalid environment variable; the message says what is allowed."""


class Settings(CapacitySettings, frozen=True, kw_only=True):
    """The settings of an installation. Each field is read from the environment variable in its `name`."""

    host: Annotated[str, Meta(min_length=1, description="Address that the API listens on.")] = field(
        default="127.0.0.1", name="HOODWINK_HOST"
    )
    port: Annotated[
        int, Meta(ge=0, le=65535, description="Port that the API listens on; 0 takes any free one.")
    ] = field(default=8000, name="HOODWINK_PORT")
    data: Annotated[
        str, Meta(min_length=1, description="Folder for logs and the data of the embedded Redis.")
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
        Meta(description="Standalone Redis for the Celery tasks; by default the Redis of the events."),
    ] = field(default=None, name="BROKER_URL")
    fsync: Annotated[
        Literal["everysec", "always"],
        Meta(
            description="When the embedded Redis syncs its append-only file: always before it acknowledges a "
            "write, or everysec."
        ),
    ] = field(default="always", name="HOODWINK_FSYNC")
    replicas: Annotated[
        int,
        Meta(
            ge=0,
            le=16,
            description="Replicas of the Redis at `REDIS_URL` that must confirm a write before it is acknowledged "
            "(docs/DURABILITY.md).",
        ),
    ] = field(default=0, name="HOODWINK_REPLICAS")
    replicas_seconds: Annotated[
        float,
        Meta(
            gt=0,
            le=4,  # below `REPLY_SECONDS`, after which a connection gives up on a reply
            description="Seconds to wait for these replicas before the response is 503 `not_replicated`.",
        ),
    ] = field(default=2.0, name="HOODWINK_REPLICAS_SECONDS")
    partitions: Annotated[
        int, Meta(ge=1, le=1024, description="Partitions of the event feed; fixed once tables exist.")
    ] = field(default=16, name="HOODWINK_PARTITIONS")
    open_hours: Annotated[
        float,
        Meta(gt=0, le=8760, description="Hours until a table that has not started is ended."),
    ] = field(default=24.0, name="HOODWINK_OPEN_HOURS")
    abandon_hours: Annotated[
        float,
        Meta(
            gt=0,
            le=8760,
            description="Hours without an action by a person until a table in play is ended.",
        ),
    ] = field(default=24.0, name="HOODWINK_ABANDON_HOURS")
    forget_days: Annotated[
        float,
        Meta(
            ge=0,
            le=3650,
            description="Days after registration until a player who never took part in anything is deleted; 0 for never.",
        ),
    ] = field(default=30.0, name="HOODWINK_FORGET_DAYS")
    archive: Annotated[
        str,
        Meta(
            description="Folder of the archive, which all processes must share, or the URL of an object store, such as "
            "s3://BUCKET/FOLDER; by default the folder `archive` in `HOODWINK_DATA`, or no archive if `REDIS_URL` is set "
            "(docs/ARCHIVE.md)."
        ),
    ] = field(default="", name="HOODWINK_ARCHIVE")
    archive_days: Annotated[
        float,
        Meta(
            ge=0,
            le=3650,
            description="Days after their last event until finished tables, tournaments and series move from memory to the "
            "archive; 0 for never.",
        ),
    ] = field(default=1.0, name="HOODWINK_ARCHIVE_DAYS")
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Meta(description="The minimum level to log: debug, info, warning or error."),
    ] = field(default="info", name="HOODWINK_LOG_LEVEL")
    log_format: Annotated[
        Literal["text", "json"],
        Meta(description="Log format: text for people, or json for one object per line."),
    ] = field(default="text", name="HOODWINK_LOG_FORMAT")
    administrators: Annotated[
        str,
        Meta(
            pattern=LISTED_PATTERN,
            description="Administrators, who can void tables, ban players and more: NAME=SHA256,NAME=SHA256, with the SHA-256 "
            "of each token in hex; `hoodwink admin token NAME` creates an entry.",
        ),
    ] = field(default="", name="HOODWINK_ADMINISTRATORS")
    origin: Annotated[
        str,
        Meta(
            pattern=r"^(https?://(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:[0-9]{1,5})?)?$",
            description="Where people reach the page, such as https://play.example.org, for links that the service makes and for passkeys; by "
            "default the service's own address.",
        ),
    ] = field(default="", name="HOODWINK_ORIGIN")
    origins: Annotated[
        str,
        Meta(
            pattern=r"^(\*|[a-z][a-z0-9+.-]*://[^/\sA-Z,*]+(,[a-z][a-z0-9+.-]*://[^/\sA-Z,*]+)*)?$",
            description="Origins of other web pages that may use the API, such as https://play.example.org, separated by "
            "commas; * for all. By default, browsers block pages from other origins.",
        ),
    ] = field(default="", name="HOODWINK_ORIGINS")
    embed_origins: Annotated[
        str,
        Meta(
            pattern=r"^(\*|[a-z][a-z0-9+.-]*://[^/\s;'A-Z,*]+(,[a-z][a-z0-9+.-]*://[^/\s;'A-Z,*]+)*)?$",
            description="Origins of web pages that may show the standings of tournaments in a frame, such as https://club.example.org, "
            "separated by commas; * for all. By default, none may.",
        ),
    ] = field(default="", name="HOODWINK_EMBED_ORIGINS")
    imports_megabytes: Annotated[
        int,
        Meta(
            ge=32,
            le=1_048_576,
            description="MiB for all imported logs; beyond that, imports of the largest owner are deleted.",
        ),
    ] = field(default=256, name="HOODWINK_IMPORTS_MEGABYTES")
    import_days: Annotated[
        float,
        Meta(
            gt=0,
            le=365,
            description="Days after its last view until an import is deleted; it is deleted after a year in any case.",
        ),
    ] = field(default=30.0, name="HOODWINK_IMPORT_DAYS")
    proxies: Annotated[
        str,
        Meta(
            pattern=r"^[0-9A-Fa-f.:/,]*$",
            description="Trusted reverse proxies, as addresses or networks separated by commas, such as 10.0.0.0/8; only their "
            "`Forwarded` and `X-Forwarded-For` headers are believed.",
        ),
    ] = field(default="", name="HOODWINK_PROXIES")
    security_contact: Annotated[
        str,
        Meta(
            pattern=r"^((https://|mailto:|tel:)[!-~]+)?$",
            description="Where people report vulnerabilities, such as mailto:security@example.org; shown in "
            "/.well-known/security.txt.",
        ),
    ] = field(default="", name="HOODWINK_SECURITY_CONTACT")
    push_key: Annotated[
        int,
        Meta(
            ge=1,
            le=1_000_000,
            description="Number of the key that signs pushes. Raise it to replace a key that others may know; browsers that "
            "are called then subscribe again when they next show the page. All processes need the same number.",
        ),
    ] = field(default=1, name="HOODWINK_PUSH_KEY")
    metrics_host: Annotated[
        str, Meta(min_length=1, description="Address that the metrics port listens on.")
    ] = field(default="127.0.0.1", name="HOODWINK_METRICS_HOST")
    metrics_port: Annotated[
        int,
        Meta(
            ge=0,
            le=65535,
            description="Port for the operator: `/healthz` and the complete `/metrics` of the API, or of any other "
            "part that runs alone. By default the API serves `/metrics` on its own port, only to this machine and without figures about responses.",
        ),
    ] = field(default=0, name="HOODWINK_METRICS_PORT")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Self:
        """Returns the settings in the variables; an empty variable counts as unset.

        Raises:
            InvalidSettings: a value is malformed, out of bounds or not among the choices.

        >>> Settings.from_environment({"HOODWINK_PORT": "9000"}).port
        9000
        """
        given = {name: value for name in cls.__struct_encode_fields__ if (value := environment.get(name))}
        try:
            settings = msgspec.convert(given, cls, strict=False)  # not strict, since all values are strings
        except msgspec.ValidationError as error:
            # Only the message of msgspec's error names the field.
            name = str(error).rpartition(" - at `$.")[2].rstrip("`")
            # Not shown: somebody may have entered the token itself instead of its hash.
            shown = name if name == ADMINISTRATORS else f"{name}={given[name]}"
            raise InvalidSettings(f"{shown} is not valid: it must be {allowed_values(cls, name)}.") from None
        # The pattern cannot check addresses, and a wrong one should stop the start rather than every request.
        try:
            _ = settings.proxy_networks
        except ValueError as error:
            raise InvalidSettings(f"HOODWINK_PROXIES={settings.proxies} is not valid: {error}.") from None
        if "://" in settings.archive and find_spec("obstore") is None:
            raise InvalidSettings(
                f"HOODWINK_ARCHIVE={settings.archive} needs the extra `objects`: pip install 'hoodwink[objects]'."
            )
        if settings.archive and "://" not in settings.archive:
            # Commands use the settings of the running service, and may be called from another folder.
            settings = replace(settings, archive=str(Path(settings.archive).absolute()))
        return settings

    @classmethod
    def unknown(cls, environment: Mapping[str, str]) -> list[str]:
        """Returns the variables that look like settings but are not, such as misspelt ones.

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
    def own_origin(self) -> str:
        """Where people reach the page: `HOODWINK_ORIGIN`, or the service's own address.

        >>> Settings(host="0.0.0.0", port=9000).own_origin, Settings(host="192.0.2.7").own_origin
        ('http://localhost:9000', 'http://192.0.2.7:8000')
        """
        # By name where this machine is meant, because passkeys do not work at an IP address.
        host = "localhost" if self.host in _THIS_MACHINE else self.host
        return self.origin or f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def allowed_origins(self) -> frozenset[str]:
        """The origins of the web pages that may use the API; `*` alone for all."""
        return frozenset(filter(None, self.origins.split(",")))

    @property
    def proxy_networks(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The reverse proxies whose headers are believed."""
        return tuple(map(ip_network, filter(None, self.proxies.split(","))))

    @property
    def open_after_ms(self) -> int:
        """Milliseconds after its opening until a table that has not started is ended (G-17)."""
        return round(self.open_hours * 3_600_000)

    @property
    def forget_after_ms(self) -> int:
        """Milliseconds after registration until an unused player is deleted; 0 for never."""
        return round(self.forget_days * 86_400_000)

    @property
    def archive_after_ms(self) -> int:
        """Milliseconds after the last event until a finished table, tournament or series is archived; 0 for never."""
        return round(self.archive_days * 86_400_000)

    @property
    def abandon_after_ms(self) -> int:
        """Milliseconds without an action by a person until a table in play is ended (G-14)."""
        return round(self.abandon_hours * 3_600_000)

    @property
    def tasks_url(self) -> str:
        """The URL of Celery's broker: `BROKER_URL`, or the Redis of the events."""
        return self.broker_url or self.redis_url or _DEFAULT_REDIS


class Variable(msgspec.Struct, frozen=True, kw_only=True):
    """The description of an environment variable."""

    name: str
    default: str
    meaning: str


def variables() -> tuple[Variable, ...]:
    """Returns a description of each variable, with those of the base classes last."""
    hints = get_type_hints(Settings, include_extras=True)
    bases = (LimitSettings, CapacitySettings)
    fields = sorted(
        msgspec.structs.fields(Settings),
        key=lambda setting: sum(setting.name in base.__struct_fields__ for base in bases),
    )
    return tuple(
        Variable(
            name=setting.encode_name,
            default=default_text(setting.default),
            meaning=meaning_of(hints[setting.name]),
        )
        for setting in fields
    )
