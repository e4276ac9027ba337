"""Reads a segment of the archive with nothing but docs/ARCHIVE.md; prints each log as one JSON object."""

import hashlib
import json
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COLUMNS = 6


def read_segment(path: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yields the name of each stream in a segment, with its events."""
    whole = path.read_bytes()
    at, length, digest = struct.unpack(">QI32s", whole[-44:])
    begin, footer = b"".join(whole.splitlines(keepends=True)[:2]), whole[at : at + length]
    assert begin.startswith(b"hoodwink archive 1\n")
    assert hashlib.sha256(begin + footer).digest() == digest
    name = json.loads(begin.splitlines()[1])["dictionary"]
    dictionary = zstd.ZstdDict((path.parent / f"{name}.dictionary").read_bytes()) if name else None
    for line in zstd.decompress(footer).splitlines():
        stream, offset, size, version, head = json.loads(line)
        events = events_in(zstd.decompress(whole[offset : offset + size], zstd_dict=dictionary))
        assert (len(events), events[-1]["hash"]) == (version, head)
        yield stream, events


def events_in(frame: bytes) -> list[dict[str, Any]]:
    """Returns the events in a frame, with their hashes."""
    rows = [row.split(b"\t", COLUMNS - 1) for row in frame.split(b"\n")[:-1]]
    seed = json.loads(rows[0][-1])["server_seed"]
    key = hashlib.sha256(b"hoodwink chain v1:" + seed.encode()).digest()
    events, at, cmd, head = [], 0, "", ""
    for version, row in enumerate(rows, start=1):
        type_, later, by, command, _fingerprint, data = [column.decode() for column in row]
        at += int(later)
        cmd = f"~{version}" if command == "~" else command or cmd
        text = "\n".join([head, str(version), type_, str(at), by, cmd, data])
        head = hashlib.sha256(key + text.encode()).hexdigest()
        entry = {"version": version, "type": type_, "at": at, "by": by, "cmd": cmd, "data": json.loads(data)}
        events.append(entry | {"hash": head})
    return events


if __name__ == "__main__":
    for stream, events in read_segment(Path(sys.argv[1])):
        sys.stdout.write(json.dumps({"stream": stream, "events": events}) + "\n")
