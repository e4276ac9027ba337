"""The log of a table: the hash chain over its events, and the export format. Specified in docs/FAIRNESS.md.

An exported log is text with one JSON object per line: a header, then every event in order.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol, TypeVar

import msgspec

from hoodwink.domain.kernel import MAX_NAME_LENGTH, Event, Names, is_stored_name, without_name
from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.codec import decode_event, encode_event
from hoodwink.domain.tables.entries import Entry, Recorded
from hoodwink.domain.tables.events import HostChanged, SeatOffered, TableOpened
from hoodwink.domain.tables.fairness import LOG_FORMATS

T = TypeVar("T")
H = TypeVar("H", bound="Heading")
S = TypeVar("S", bound="State")
C_contra = TypeVar("C_contra", contravariant=True)

_HEADER = re.compile(rb'^(?=\{"format":)', re.MULTILINE)

_INTRODUCING = frozenset({"table.seat_taken", "tournament.entered", "tournament.entry_requested"})
"""The types of events that introduce a player or bot, without schema versions."""

_SUBSTITUTED = "tournament.entrant_substituted"
"""The type of event with a player who takes over the place of an `entrant`."""

_encode_lines = msgspec.json.Encoder().encode_lines

GENESIS = ""
"""The hash before the first event."""


class Header(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The first line of an exported log: the table, how many events follow, and the last hash.

    Attributes:
        names: the names of the players by id at the time of the export. They are not hashed.
    """

    format: str
    table: str
    version: int
    head: str
    names: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


class Heading(Protocol):
    """The first line of any exported log: its format, how many events follow, and the last hash."""

    @property
    def format(self) -> str: ...

    @property
    def version(self) -> int: ...

    @property
    def head(self) -> str: ...

    @property
    def names(self) -> dict[str, str] | msgspec.UnsetType: ...


class MalformedLog(ValueError):
    """Raised for bytes that are not an exported log; `line` counts from 1."""

    def __init__(self, line: int, detail: str) -> None:
        super().__init__(f"line {line}: {detail}")
        self.line = line
        self.detail = detail


# Cached, because every append to a table needs it. It is as secret as the seed: never log it.
@lru_cache(4096)
def chain_key(server_seed: str) -> bytes:
    """Returns the secret that blinds the chain until the seed is revealed.

    Without it, a player who sees two neighbouring hashes could find a hidden card by trying all 52.
    """
    return hashlib.sha256(b"hoodwink chain v1:" + server_seed.encode()).digest()


def chain_hash(  # noqa: PLR0913, PLR0917 - the fields of an event, in the order in which they are hashed
    key: bytes, previous: str, version: int, type_: str, at: int, by: str, cmd: str, data: bytes
) -> str:
    """Returns the SHA-256 of key, previous hash and the event's fields, each followed by a line feed, as hex."""
    head = f"{previous}\n{version}\n{type_}\n{at}\n{by}\n{cmd}\n"
    return hashlib.sha256(key + head.encode() + data).hexdigest()


class State(Protocol):
    """The part of an aggregate's state that `seal` needs; `server_seed` is empty if its log has no secret."""

    @property
    def version(self) -> int: ...

    @property
    def server_seed(self) -> str: ...


class Decider(Protocol[S, C_contra]):
    """The two functions of a kind of aggregate: from commands to events, and from events to states."""

    @property
    def decide(self) -> Callable[[S, C_contra, int], tuple[Event, ...]]: ...

    @property
    def evolve(self) -> Callable[[S, Recorded], S]: ...


def apply(  # noqa: PLR0913 - everything that is stored with an event
    decider: Decider[S, C_contra], state: S, command: C_contra, *, head: str, at: int, by: Actor, cmd: str
) -> tuple[S, tuple[Recorded, ...]]:
    """Applies a command at time `at` (ms): decides it, seals the events after `head`, and evolves the state.

    Returns the new state and the events. Nothing is stored: the caller appends the events, and discards both if another
    process appended first.

    Raises:
        RuleViolation: the state does not allow it.
    """
    events = decider.decide(state, command, at)
    # The event that opens a log is hashed with the seed that it contains.
    seed = state.server_seed or getattr(events[0], "server_seed", "")
    recorded = seal(events=events, server_seed=seed, head=head, version=state.version, at=at, by=by, cmd=cmd)
    for event in recorded:
        state = decider.evolve(state, event)
    return state, recorded


def seal(  # noqa: PLR0913 - everything that is stored with an event
    *,
    events: Iterable[Event],
    server_seed: str,
    head: str,
    version: int,
    at: int,
    by: Actor,
    cmd: str,
) -> tuple[Recorded, ...]:
    """Returns the events with the entries that continue the chain from `head` at `version`."""
    key, recorded = chain_key(server_seed), []
    for event in events:
        version += 1
        data = encode_event(event)
        head = chain_hash(key, head, version, event.wire, at, by, cmd, data)
        raw = msgspec.Raw(data)
        entry = Entry(version=version, type=event.wire, at=at, by=by, cmd=cmd, data=raw, hash=head)
        recorded.append(Recorded(entry, event))
    return tuple(recorded)


def head_of(entries: Sequence[Entry]) -> str:
    """Returns the hash of a log's last event, to which the next one is chained."""
    return entries[-1].hash if entries else GENESIS


def export_log(
    table: str,
    entries: Sequence[Entry],
    names: Names | None = None,
    introduced: Collection[str] | None = None,
) -> bytes:
    """Returns the log as bytes; `entries` must be all events of an ended table.

    Args:
        table: the id of the table.
        entries: all events of the table.
        names: the names for the header, if any.
        introduced: the result of `introduced_in_log`, if the caller has it already.
    """
    opened = decode_event(entries[0].type, entries[0].data)
    assert isinstance(opened, TableOpened), "the first event of a table opens it"
    format_ = LOG_FORMATS[opened.edition]
    named = named_in(introduced_in_log(entries) if introduced is None else introduced, names)
    header = Header(format=format_, table=table, version=len(entries), head=entries[-1].hash, names=named)
    return write_lines(header, entries)


class _Introduced(msgspec.Struct, frozen=True, gc=False):
    """The person or bot that an event introduces."""

    policy: str | None = ""
    player: str = ""
    entrant: str = ""


def introduced_in_log(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Returns the ids of all people who took a seat or entered a tournament in this log."""
    found = [
        (entry.type == _SUBSTITUTED, msgspec.json.decode(entry.data, type=_Introduced))
        for entry in entries
        if entry.type == _SUBSTITUTED or entry.type.partition("@")[0] in _INTRODUCING
    ]
    people = [one.player or one.entrant for is_person, one in found if is_person or one.policy is None]
    return tuple(dict.fromkeys(people))


def people_in_log(entries: Collection[Entry]) -> tuple[str, ...]:
    """Returns the ids of all people named in this part of a log: seated, entered, offered a seat or made the host."""
    # A player may decline an offered seat, or may have taken the seat in an earlier part of the log.
    named = [entry.data for entry in entries if entry.type in (SeatOffered.wire, HostChanged.wire)]
    others = [msgspec.json.decode(data, type=_Introduced).player for data in named]
    return tuple(dict.fromkeys([*introduced_in_log(entries), *others]))


def named_in(introduced: Iterable[str], names: Names | None) -> dict[str, str] | msgspec.UnsetType:
    """Returns the names for the header of a log by player."""
    if names is None:
        return msgspec.UNSET
    return {player: names(player) for player in introduced} or msgspec.UNSET


def names_in_log(named: Mapping[str, str] | msgspec.UnsetType) -> Names:
    shown = named or {}
    return lambda player: shown.get(player) or without_name(player)


def write_lines(header: msgspec.Struct, entries: Sequence[Entry]) -> bytes:
    return _encode_lines((header, *entries))


def split_logs(text: bytes) -> tuple[bytes, ...]:
    r"""Splits a text into its logs; each begins with its header.

    >>> split_logs(b'{"format":1}\n{}\n{"format":2}\n')
    (b'{"format":1}\n{}\n', b'{"format":2}\n')
    """
    return tuple([log for log in _HEADER.split(text) if log]) or (text,)


def count_events(log: bytes) -> int:
    r"""Returns the number of events in a valid log, without parsing it.

    >>> count_events(b'{"format":1}\n{}\n{}\n')
    2
    """
    return max(0, log.count(b"\n") - 1)


def parse_log(log: bytes) -> tuple[Header, tuple[Entry, ...]]:
    """Returns header and entries of an exported log of a table; raises `MalformedLog` as `parse_lines` does."""
    return parse_lines(log, Header, LOG_FORMATS.values())


def parse_lines(log: bytes, kind: type[H], formats: Collection[str]) -> tuple[H, tuple[Entry, ...]]:
    """Returns header and entries of an exported log that has one of these formats.

    Raises:
        MalformedLog: the bytes are not in canonical form, or a name is invalid.
    """
    lines = log.split(b"\n")
    if lines.pop() != b"":
        raise MalformedLog(len(lines) + 1, "the last line does not end")
    if not lines:
        raise MalformedLog(1, "the log is empty")
    header = _parse_line(1, lines[0], kind)
    if header.format not in formats:
        raise MalformedLog(1, f"the format is not one of {', '.join(formats)}")
    entries = tuple([_parse_line(number, line, Entry) for number, line in enumerate(lines[1:], start=2)])
    _check_names(header)
    return header, entries


def _check_names(header: Heading) -> None:
    names = (header.names or {}).values()
    if any(name and not is_stored_name(name) for name in names):
        detail = (
            f"a name must have 1 to {MAX_NAME_LENGTH} visible characters, with single blanks between them"
        )
        raise MalformedLog(1, detail)


def _parse_line(number: int, line: bytes, kind: type[T]) -> T:
    try:
        parsed = msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        detail = str(error) if number > 1 else "it does not begin as an exported log does"
        raise MalformedLog(number, detail) from None
    if msgspec.json.encode(parsed) != line:
        raise MalformedLog(number, "the line is not in canonical form")
    return parsed
