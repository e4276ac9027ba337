"""Segments: files of frames, and the index of each. Specified in docs/ARCHIVE.md."""

import hashlib
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from hoodwink.service.adapters.archive.folder import Files
from hoodwink.service.adapters.archive.frames import Codec, Contents, log_of, trained
from hoodwink.service.adapters.archive.shorthand import EVENTS_REVISION
from hoodwink.service.application.ports import DamagedArchive, WholeLog
from hoodwink.service.application.streams.parts import rest

_MAGIC: Final = b"hoodwink archive 1\n"
_TRAILER: Final = struct.Struct(">QI32s")
"""The offset and length of the index, and the SHA-256 of header and index."""

_MAX_HEADER: Final = 1_000
_PLAIN: Final = Codec()
_NAME: Final = re.compile(r"p\d{2,}/(\d{4})-(\d{2})-(\d{5,})\.segment")


class Place(NamedTuple):
    """The location of a frame.

    Attributes:
        month: the year and month of its series, such as 202611.
        number: the number of the segment in the series, from 1.
        offset, length: in bytes.
    """

    partition: int
    month: int
    number: int
    offset: int
    length: int

    @property
    def segment(self) -> str:
        return segment_name(self.partition, self.month, self.number)


class Indexed(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One entry of a segment's index.

    Attributes:
        stream: its name, such as `table:t1`.
        offset, length: of the frame, in bytes.
        version, head: the number of events and the hash of the last one.
    """

    stream: str
    offset: int
    length: int
    version: int
    head: str


class Header(msgspec.Struct, frozen=True):
    """The second line of a segment.

    Attributes:
        dictionary: the SHA-256 of the dictionary, or empty.
        revision: of the events to which commits of play lead (`EVENTS_REVISION`).
    """

    partition: int
    month: int
    dictionary: str
    revision: int


class _StoredHeader(NamedTuple):
    fields: Header
    raw: bytes


class Segments:
    """Writes and reads segments. Safe to share between threads."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._codec = lru_cache(64)(self._read_codec)
        self._header = lru_cache(1024)(self._read_header)

    def names(self, partition: int) -> list[str]:
        """Returns the names of a partition's segments, in the order in which they were written."""
        return sorted(self.sizes(partition), key=_parts)

    def sizes(self, partition: int) -> Mapping[str, int]:
        """Returns the sizes of a partition's segments in bytes by their names, in any order."""
        files = self._files.sizes(_folder(partition))
        return {name: size for name, size in files.items() if _NAME.fullmatch(name)}

    def next_name(self, partition: int, month: int, *, after: int = 0) -> str:
        """Returns the first free name of a series with a number greater than `after`."""
        parts = map(_parts, self.names(partition))
        numbers = [number for _, series, number in parts if series == month]
        return segment_name(partition, month, max([after, *numbers]) + 1)

    def write(self, name: str, logs: Mapping[str, Contents]) -> None:
        """Writes a segment of these logs by their streams' names; raises `FileExistsError` if the name is taken."""
        partition, month, _ = _parts(name)
        dictionary = self._dictionary(partition, month, [log.columns for log in logs.values()])
        codec = self._codec(partition, dictionary)
        header = _header(Header(partition, month, dictionary, EVENTS_REVISION))
        frames, index, offset = list[bytes](), list[Indexed](), len(header)
        for stream, log in logs.items():
            frame = codec.compress(log.columns)
            frames.append(frame)
            index.append(Indexed(stream, offset, len(frame), log.version, log.head))
            offset += len(frame)
            rest()
        footer = _PLAIN.compress(msgspec.json.Encoder().encode_lines(index))
        trailer = _TRAILER.pack(offset, len(footer), _digest(header, footer))
        self._files.put(name, b"".join([header, *frames, footer, trailer]))

    def keep(self, name: str) -> bool:
        """Returns whether a segment exists, which then survives a power cut, too."""
        return self._files.keep(name)

    def size(self, name: str) -> int:
        """Returns the size of a segment in bytes; raises `DamagedArchive` if it is missing."""
        size = self._files.size(name)
        if size is None:
            raise DamagedArchive(f"{name} is missing")
        return size

    def index(self, name: str) -> tuple[Indexed, ...]:
        """Returns the index of a segment, whose digest has been checked; raises `DamagedArchive`."""
        size = self.size(name)
        if size < len(_MAGIC) + _TRAILER.size:
            raise DamagedArchive(f"{name} is too short")
        offset, length, digest = _TRAILER.unpack(self._files.read(name, size - _TRAILER.size, _TRAILER.size))
        if offset + length + _TRAILER.size != size:
            raise DamagedArchive(f"{name} is damaged at its end")
        footer = self._files.read(name, offset, length)
        if digest != _digest(self._header(name).raw, footer):
            raise DamagedArchive(f"{name} is damaged in its header or index")
        return tuple(msgspec.json.Decoder(Indexed).decode_lines(_PLAIN.decompress(footer)))

    def read(self, place: Place) -> WholeLog:
        """Returns the log in a frame; raises `DamagedArchive`."""
        name = place.segment
        frame, header = self._files.read(name, place.offset, place.length), self._header(name).fields
        if header.revision > EVENTS_REVISION:
            raise DamagedArchive(f"{name} was written by a later version of Hoodwink")
        codec = self._codec(place.partition, header.dictionary)
        try:
            return log_of(codec.decompress(frame))
        except DamagedArchive as error:
            raise DamagedArchive(f"{name}: the frame at byte {place.offset} {error}") from error

    def dictionary(self, name: str) -> str:
        """Returns the digest of a segment's dictionary; empty if it has none."""
        return self._header(name).fields.dictionary

    def check_dictionary(self, name: str) -> None:
        """Raises `DamagedArchive` if the dictionary of a segment is lost or damaged by now, even if it is cached."""
        self._read_codec(_parts(name)[0], self.dictionary(name))

    def _dictionary(self, partition: int, month: int, samples: Sequence[bytes]) -> str:
        """Returns the digest of the dictionary for these logs; each series has its own once it has enough logs."""
        # The latest segment suffices: all after the first one with a dictionary have one.
        latest = self._latest(partition)
        if latest is None:
            return self._train(partition, samples)
        if latest.dictionary and latest.month == month:
            return latest.dictionary
        return self._train(partition, samples) or latest.dictionary

    def _latest(self, partition: int) -> Header | None:
        """Returns the header of the latest segment; `None` if there is none, or if it or its dictionary cannot be read."""
        names = self.names(partition)
        try:
            if names:
                self.check_dictionary(names[-1])
        except DamagedArchive:  # a lost file must not keep later logs in Redis
            return None
        return self._header(names[-1]).fields if names else None

    def _train(self, partition: int, samples: Sequence[bytes]) -> str:
        """Stores a new dictionary and returns its digest; empty if the logs are too few, or if it cannot be read back."""
        dictionary = trained(samples)
        if not dictionary:
            return ""
        digest = hashlib.sha256(dictionary).hexdigest()
        # If the name is taken, it is this dictionary: another process was faster, or a reply was lost.
        with suppress(FileExistsError):
            self._files.put(_dictionary_name(partition, digest), dictionary)
        with suppress(DamagedArchive):
            self._codec(partition, digest)
            return digest
        return ""

    def _read_codec(self, partition: int, dictionary: str) -> Codec:
        if not dictionary:
            return Codec()
        name = _dictionary_name(partition, dictionary)
        size = self._files.size(name)
        data = b"" if size is None else self._files.read(name, 0, size)
        if hashlib.sha256(data).hexdigest() != dictionary:
            raise DamagedArchive(f"{name} is {'missing' if size is None else 'damaged'}")
        return Codec(data)

    def _read_header(self, name: str) -> "_StoredHeader":
        begin = self._files.read(name, 0, min(self.size(name), _MAX_HEADER))
        magic, line = begin[: len(_MAGIC)], begin[len(_MAGIC) :].partition(b"\n")[0]
        try:
            fields = msgspec.json.decode(line, type=Header)
        # msgspec lets an error in UTF-8 through.
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise DamagedArchive(f"{name} is damaged in its header") from error
        if magic != _MAGIC:
            raise DamagedArchive(f"{name} is damaged in its header")
        return _StoredHeader(fields, magic + line + b"\n")


def segment_name(partition: int, month: int, number: int) -> str:
    """Returns the name of a segment.

    >>> segment_name(3, 202611, 17)
    'p03/2026-11-00017.segment'
    """
    return f"{_folder(partition)}/{month // 100}-{month % 100:02d}-{number:05d}.segment"


def places(name: str, index: Sequence[Indexed]) -> Iterator[tuple[Indexed, Place]]:
    """Yields each entry of a segment's index with the place of its frame."""
    partition, month, number = _parts(name)
    for entry in index:
        yield entry, Place(partition, month, number, entry.offset, entry.length)


def number_of(name: str) -> int:
    """Returns the number in a segment's name.

    >>> number_of("p03/2026-11-00017.segment")
    17
    """
    return _parts(name)[2]


def _parts(name: str) -> tuple[int, int, int]:
    """Returns the partition, month and number in a segment's name."""
    match = _NAME.fullmatch(name)
    assert match is not None, "only the archive names segments"
    return int(name[1 : name.index("/")]), int(match[1] + match[2]), int(match[3])


def _folder(partition: int) -> str:
    return f"p{partition:02d}"


def _dictionary_name(partition: int, digest: str) -> str:
    return f"{_folder(partition)}/{digest}.dictionary"


def _header(header: Header) -> bytes:
    return _MAGIC + msgspec.json.encode(header) + b"\n"


def _digest(header: bytes, footer: bytes) -> bytes:
    return hashlib.sha256(header + footer).digest()
