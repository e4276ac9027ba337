"""Proves logs of any kind: checks their form and their chain, and decides every command again."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from hoodwink.domain.cards import commitment
from hoodwink.domain.kernel import Event, RuleViolation
from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.codec import UnknownEvent, encode_event
from hoodwink.domain.tables.entries import Decode, Entry, Recorded
from hoodwink.domain.tables.proving.log import GENESIS, Heading, MalformedLog, chain_hash, chain_key


class Proved(Protocol):
    """The part of an aggregate's state that is compared with its exported log."""

    @property
    def id(self) -> str: ...

    @property
    def edition(self) -> int: ...


class Opening(Protocol):
    """The event that opens a log, with the secret of its chain and the public commitment to it."""

    @property
    def server_seed(self) -> str: ...

    @property
    def commitment(self) -> str: ...


S = TypeVar("S", bound=Proved)
C = TypeVar("C")
Rebuilt = TypeVar("Rebuilt", bound=msgspec.Struct)

OnProgress: TypeAlias = Callable[[int], None]
"""Receives the number of events checked since the last call."""


Followed: TypeAlias = Callable[[Any, Recorded], None]
"""Receives each event of a valid commit, and the state right after it."""


_PROGRESS_EVERY: Final = 100
"""Events between two reports of progress."""


def ignore_progress(_events: int) -> None:
    pass


def unfollowed(_state: object, _recorded: Recorded) -> None:
    pass


class Finding(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The first fault in a log, and its position.

    Attributes:
        code: `malformed`, `unknown_event`, `chain_broken`, `commitment_broken`, `illegal`,
            `altered`, `incomplete`, `wrong_table`, `parent_broken` (a fault in the parent's entries within a fork's log)
            or `wrong_parent`.
        version: the version of the faulty event, or `None` if the file itself is faulty.
        line: the line of the file, from 1.
    """

    code: str
    detail: str
    version: int | None
    line: int | None


class Refused(Exception):
    """Raised for the first fault in a log."""

    def __init__(self, code: str, detail: str, version: int | None, line: int | None = None) -> None:
        super().__init__(detail)
        self.finding = Finding(code=code, detail=detail, version=version, line=line)

    @classmethod
    def at(cls, entry: Entry, code: str, detail: str) -> "Refused":
        """Returns the error for a faulty event."""
        return cls(code, detail, entry.version, entry.version + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Model(Generic[S, C]):
    """The functions that check one kind of log.

    Attributes:
        name: the kind of aggregate; the header has its id under this name.
        formats: the formats of exported logs by edition.
        parse(log): the header and entries of an exported log; raises `MalformedLog`.
        decode(wire, data): a stored event; raises `UnknownEvent`.
        opens: the event that opens a log.
        is_complete(recorded): whether the log includes the publication of the seed.
        unopened: the state before the first event.
        rebuilt(state, commit): the command that a commit records; raises `RuleViolation` if there is none.
        decide(state, command, now): the events that the command leads to; raises `RuleViolation`.
        allowed_actors(state, command): everybody who may ask for it.
        evolve(state, recorded): the next state.
        as_today(recorded): the event as it would be recorded now, with defaults for options that were added since.
    """

    name: str
    formats: Mapping[int, str]
    parse: Callable[[bytes], tuple[Heading, tuple[Entry, ...]]]
    decode: Decode
    opens: type[Opening]
    is_complete: Callable[[Sequence[Recorded]], bool]
    unopened: S
    rebuilt: Callable[[S, Sequence[Recorded]], C]
    decide: Callable[[S, C, int], tuple[Event, ...]]
    allowed_actors: Callable[[S, C], tuple[Actor, ...]]
    evolve: Callable[[S, Recorded], S]
    as_today: Callable[[Event], Event]


def from_event(command: type[Rebuilt], event: Event, **others: Any) -> Rebuilt:
    """Returns a command whose fields have the values of the event's fields with the same names, unless given."""
    fields = [field for field in command.__struct_fields__ if field not in others]
    return command(**{field: getattr(event, field) for field in fields}, **others)


def check_entries(
    model: Model[S, C],
    id_: str,
    entries: Sequence[Entry],
    on_progress: OnProgress = ignore_progress,
    followed: Followed = unfollowed,
) -> Finding | None:
    """Returns the first fault in a stored log, or `None`. The table or tournament need not have ended.

    The stored log can be checked before the end because, unlike viewers, it always has the seed.
    """
    try:
        state = checked_entries(model, entries, on_progress, followed)
    except Refused as refused:
        return refused.finding
    if state.id == id_:
        return None
    return Refused(f"wrong_{model.name}", f"the log is that of another {model.name}", 1).finding


def checked_entries(
    model: Model[S, C],
    entries: Sequence[Entry],
    on_progress: OnProgress = ignore_progress,
    followed: Followed = unfollowed,
) -> S:
    """Returns the state after all events of a stored log; raises `Refused`."""
    recorded = _read_all(model, entries)
    _check_chain(model, entries, recorded)
    return replayed(model, recorded, on_progress, followed)


def checked_log(
    model: Model[S, C], log: bytes, on_progress: OnProgress = ignore_progress
) -> tuple[S, tuple[Recorded, ...]]:
    """Returns the state after all events of an exported log, and the events; raises `Refused`."""
    try:
        header, entries = model.parse(log)
    except MalformedLog as error:
        raise Refused("malformed", error.detail, None, error.line) from None
    recorded = _read_all(model, entries)
    _check_count(header, entries)
    _check_chain(model, entries, recorded)
    if not model.is_complete(recorded):
        raise Refused("incomplete", "the log does not reveal the seed", len(entries), len(entries) + 1)
    if header.head != entries[-1].hash:
        raise Refused("chain_broken", "the header's hash is not the last event's", None, 1)
    state = replayed(model, recorded, on_progress)
    if header.format != model.formats[state.edition]:
        detail = f"the log of a {model.name} of edition {state.edition} has the format {model.formats[state.edition]}"
        raise Refused("malformed", detail, None, 1)
    if getattr(header, model.name) != state.id:
        raise Refused(f"wrong_{model.name}", f"the header names another {model.name}", None, 1)
    return state, recorded


def _read_all(model: Model[S, C], entries: Sequence[Entry]) -> tuple[Recorded, ...]:
    """Returns the events of a log; raises `Refused` for one that is unknown, out of order or not in canonical form."""
    if not entries:
        raise Refused("incomplete", "the log holds no event", None, 1)
    return tuple(_read(entry, version, model.decode) for version, entry in enumerate(entries, start=1))


def _read(entry: Entry, version: int, decode: Decode) -> Recorded:
    if entry.version != version:
        raise Refused("chain_broken", f"event {entry.version} is at position {version}", version, version + 1)
    try:
        event = decode(entry.type, entry.data)
    except UnknownEvent as error:
        raise Refused("unknown_event", str(error), version, version + 1) from None
    # Encoding an upcast event would give other bytes than those stored, which the chain protects anyway.
    if entry.type == event.wire and encode_event(event) != bytes(entry.data):
        raise Refused("malformed", "the data is not in canonical form", version, version + 1)
    return Recorded(entry, event)


def _check_count(header: Heading, entries: Sequence[Entry]) -> None:
    """Raises `Refused` unless the log has the number of events in its header."""
    promised, count = header.version, len(entries)
    if promised == count:
        return
    detail = f"the header promises {promised} events, {count} follow"
    if 0 < promised < count and entries[promised - 1].hash == header.head:
        raise Refused("incomplete", detail, promised + 1, promised + 2)
    if promised > count and entries[-1].hash != header.head:
        raise Refused("incomplete", detail, count + 1, count + 2)
    raise Refused("incomplete", detail, None, 1)


def _check_chain(model: Model[S, C], entries: Sequence[Entry], recorded: Sequence[Recorded]) -> None:
    """Raises `Refused` unless the seed matches its commitment and each hash follows from the one before."""
    opened = recorded[0].event
    if not isinstance(opened, model.opens):
        raise Refused("illegal", f"the first event does not open a {model.name}", 1, 2)
    if commitment(opened.server_seed) != opened.commitment:
        raise Refused("commitment_broken", "the seed does not match the published commitment", 1, 2)
    key, head = chain_key(opened.server_seed), GENESIS
    for entry in entries:
        head = chain_hash(key, head, entry.version, entry.type, entry.at, entry.by, entry.cmd, entry.data)
        if head != entry.hash:
            raise Refused.at(entry, "chain_broken", "the hash does not follow")


def replayed(
    model: Model[S, C],
    recorded: Sequence[Recorded],
    on_progress: OnProgress = ignore_progress,
    followed: Followed = unfollowed,
) -> S:
    """Decides each commit again and returns the state after all events; raises `Refused` for the first difference."""
    state, at, unreported = model.unopened, 0, 0
    for commit in _commits(recorded):
        first = commit[0].entry
        # Commits may share a millisecond, but the clock never goes back (`service/adapters/store/clock.py`). If a time
        # does, somebody has changed it, for example to make a turn clock run out or a seed come too late.
        if first.at < at:
            raise Refused.at(first, "altered", "time runs backwards")
        at = first.at
        _check_commit(model, state, commit)
        for event in commit:
            state = model.evolve(state, event)
            followed(state, event)
        unreported += len(commit)
        if unreported >= _PROGRESS_EVERY:
            on_progress(unreported)
            unreported = 0
    if unreported:
        on_progress(unreported)
    return state


def _commits(recorded: Sequence[Recorded]) -> Iterator[Sequence[Recorded]]:
    """Yields consecutive events with the same command."""
    begin = 0
    for at in range(1, len(recorded) + 1):
        if at == len(recorded) or recorded[at].entry.cmd != recorded[begin].entry.cmd:
            yield recorded[begin:at]
            begin = at


def _check_commit(model: Model[S, C], state: S, commit: Sequence[Recorded]) -> None:
    first = commit[0].entry
    try:
        command = model.rebuilt(state, commit)
        expected = model.decide(state, command, first.at)
    except RuleViolation as violation:
        raise Refused.at(first, "illegal", str(violation)) from None
    if first.by not in model.allowed_actors(state, command):
        raise Refused.at(first, "illegal", f"{first.by} may not ask for that")
    for index, recorded in enumerate(commit):
        entry = recorded.entry
        is_same = index < len(expected) and _is_same(model, recorded, expected[index])
        if not is_same or entry.at != first.at or entry.by != first.by:
            raise Refused.at(entry, "altered", "the rules lead to another event")
    if len(expected) > len(commit):
        raise Refused.at(commit[-1].entry, "incomplete", "a consequence is missing")


def _is_same(model: Model[S, C], recorded: Recorded, expected: Event) -> bool:
    event = model.as_today(recorded.event)
    # `_read` has compared the data with the event, unless it was upcast.
    is_stored = event is recorded.event and event.wire == recorded.entry.type
    data = bytes(recorded.entry.data) if is_stored else encode_event(event)
    return event.wire == expected.wire and data == encode_event(expected)
