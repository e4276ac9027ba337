"""Frames: a log without anything that can be computed again, compressed. Specified in docs/ARCHIVE.md."""

import sys
from collections.abc import Mapping, Sequence
from typing import Final, cast

import msgspec
from msgspec import Raw

from hoodwink.domain.tables.actor import Actor
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import GENESIS, chain_hash, chain_key
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
    """Returns a dictionary for logs like these (results of `rows`); empty if they are too few."""
    if len(samples) < _MIN_LOGS_TO_TRAIN:
        return b""
    return zstd.train_dict(samples, _DICTIONARY_BYTES).dict_content


def rows(log: WholeLog) -> bytes:
    """Returns the contents of a frame before compression: a line for each event."""
    # The columns need no escapes: command ids and types are printable, and JSON text contains no control characters.
    lines, at, last = [], 0, ""
    for entry in log.entries:
        command = fingerprint = ""
        if entry.cmd != last:
            last = entry.cmd
            command = _OWN if last == own_command_id(entry.version) else last
            fingerprint = log.fingerprints.get(last, "")
        data = bytes(entry.data).decode()
        lines.append(f"{entry.type}\t{entry.at - at}\t{entry.by}\t{command}\t{fingerprint}\t{data}\n")
        at = entry.at
    return "".join(lines).encode()


def log_of(contents: bytes) -> WholeLog:
    """Returns the log in a frame's contents, with its hash chain computed again; raises `DamagedArchive`."""
    try:
        return _log(contents.decode())
    except (ValueError, LookupError, msgspec.MsgspecError) as error:
        raise DamagedArchive("is not a log") from error


def _log(text: str) -> WholeLog:
    lines = [line.split("\t", 5) for line in text.split("\n")[:-1]]
    key, fingerprints = chain_key(_seed(lines[0][5])), dict[str, str]()
    entries, at, cmd, head = list[Entry](), 0, "", GENESIS
    for version, (type_, later, by, command, fingerprint, data) in enumerate(lines, start=1):
        at += int(later)
        if command:
            cmd = own_command_id(version) if command == _OWN else command
        if fingerprint:
            fingerprints[cmd] = fingerprint
        raw = data.encode()
        head = chain_hash(key, head, version, type_, at, by, cmd, raw)
        entries.append(
            Entry(version=version, type=type_, at=at, by=cast("Actor", by), cmd=cmd, data=Raw(raw), hash=head)
        )
    return WholeLog(tuple(entries), fingerprints)


class _Opening(msgspec.Struct):
    server_seed: str


def _seed(opening: str) -> str:
    """Returns the seed in the data of a log's first event, with which the whole chain is hashed."""
    return msgspec.json.decode(opening, type=_Opening).server_seed
