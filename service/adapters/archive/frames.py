"""Frames: a log without anything that can be computed again, compressed. Specified in docs/ARCHIVE.md."""

import sys
from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias, cast

import msgspec
from msgspec import Raw

from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.codec import current_wire, decode_event
from hoodwink.domain.tables.entries import Entry, decoded
from hoodwink.domain.tables.events import TableOpened
from hoodwink.domain.tables.evolve import evolve
from hoodwink.domain.tables.proving.log import GENESIS, chain_hash, chain_key
from hoodwink.domain.tables.state import UNOPENED
from hoodwink.service.adapters.archive.shorthand import expanded, shortened
from hoodwink.service.application.ports import DamagedArchive, WholeLog, own_command_id

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_LEVEL: Final = 19
_SETTINGS: Final[Mapping[int, int]] = {
    zstd.CompressionParameter.compression_level: _LEVEL,
    zstd.CompressionParameter.checksum_flag: 1,
}
_OWN: Final = "~"
"""The command of an event whose command id is `own_command_id`. Every other id is longer."""

_Row: TypeAlias = tuple[str, str, str, str, str, str]
"""Type, time, actor, command, fingerprint, data."""

_MIN_LOGS_TO_TRAIN: Final = 32
_DICTIONARY_BYTES: Final = 16 << 10


class Codec:
    """Compresses frames, with a dictionary or, if that is empty, without one."""

    def __init__(self, dictionary: bytes = b"") -> None:
        self._dictionary = zstd.ZstdDict(dictionary) if dictionary else None

    def compress(self, data: bytes) -> bytes:
        return zstd.compress(data, options=_SETTINGS, zstd_dict=self._dictionary)

    def decompress(self, data: bytes) -> bytes:
        """Returns what was compressed; raises `DamagedArchive`."""
        try:
            return zstd.decompress(data, zstd_dict=self._dictionary)
        except zstd.ZstdError as error:
            raise DamagedArchive("cannot be decompressed") from error


def trained(samples: Sequence[bytes]) -> bytes:
    """Returns a dictionary for logs like these (their columns); empty if they are too few."""
    if len(samples) < _MIN_LOGS_TO_TRAIN:
        return b""
    return zstd.train_dict(samples, _DICTIONARY_BYTES).dict_content


class Contents(NamedTuple):
    """The contents of a frame, before compression.

    Attributes:
        version, head: the number of events and the hash of the last one.
        columns: six lines, with a value for each event or commit of play.
    """

    version: int
    head: str
    columns: bytes


def contents(log: WholeLog) -> Contents:
    """Returns a log as it is written; raises `DamagedArchive` if another log would be read from that."""
    try:
        columns = _columns(log)
    # The rules trust their events, so a log that breaks them may raise anything.
    except Exception as error:
        raise DamagedArchive("cannot be decided again") from error
    if log_of(columns) != log:
        raise DamagedArchive("does not follow from its own events")
    return Contents(len(log.entries), log.head, columns)


def _columns(log: WholeLog) -> bytes:
    rows, at, head = list[_Row](), 0, GENESIS
    table = UNOPENED if current_wire(log.entries[0].type) == TableOpened.wire else None
    for cmd, group in groupby(log.entries, key=lambda entry: entry.cmd):
        entries = tuple(group)
        first, last = entries[0], entries[-1]
        command = _OWN if cmd == own_command_id(first.version) else cmd
        fingerprint, short = log.fingerprints.get(cmd, ""), None
        if table is not None:
            commit = decoded(entries, decode_event)
            short, table = shortened(table, commit, head) or (None, reduce(evolve, commit, table))
        if short is not None:
            rows.append(("", str(first.at - at), first.by, command, fingerprint, short))
        else:
            for entry in entries:
                data = bytes(entry.data).decode()
                rows.append((entry.type, str(entry.at - at), entry.by, command, fingerprint, data))
                at, command, fingerprint = entry.at, "", ""
        at, head = last.at, last.hash
    # The values need no escapes: command ids and types are printable, and JSON text contains no control characters.
    return "\n".join(map("\t".join, zip(*rows, strict=True))).encode()


def log_of(data: bytes) -> WholeLog:
    """Returns the log in a frame's contents, with its hash chain computed again; raises `DamagedArchive`."""
    try:
        return _log([column.split("\t") for column in data.decode().split("\n")])
    # As above; the frame may be that of other rules.
    except Exception as error:
        raise DamagedArchive("is not a log") from error


def _log(columns: Sequence[Sequence[str]]) -> WholeLog:
    key, fingerprints = chain_key(_seed(columns[-1][0])), dict[str, str]()
    entries, at, cmd, head, table = list[Entry](), 0, "", GENESIS, UNOPENED
    for type_, later, by, command, fingerprint, data in zip(*columns, strict=True):
        at, version, actor = at + int(later), len(entries) + 1, cast("Actor", by)
        if command:
            cmd = own_command_id(version) if command == _OWN else command
        if fingerprint:
            fingerprints[cmd] = fingerprint
        if type_:
            raw = data.encode()
            hash_ = chain_hash(key, head, version, type_, at, by, cmd, raw)
            entries.append(
                Entry(version=version, type=type_, at=at, by=actor, cmd=cmd, data=Raw(raw), hash=hash_)
            )
        else:
            # Only now, because tournaments and series have events alone.
            table = reduce(evolve, decoded(entries[table.version :], decode_event), table)
            table, recorded = expanded(table, data, head=head, at=at, by=actor, cmd=cmd)
            entries += [one.entry for one in recorded]
        head = entries[-1].hash
    return WholeLog(tuple(entries), fingerprints)


class _Opening(msgspec.Struct):
    server_seed: str = ""  # a series has none


def _seed(opening: str) -> str:
    """Returns the seed in the data of a log's first event, with which the whole chain is hashed."""
    return msgspec.json.decode(opening, type=_Opening).server_seed
