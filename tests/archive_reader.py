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


def read_segment(path: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yields the name of each stream in a segment, with its events and plays."""
    whole = path.read_bytes()
    at, length, digest = struct.unpack(">QI32s", whole[-44:])
    begin, footer = b"".join(whole.splitlines(keepends=True)[:2]), whole[at : at + length]
    assert begin.startswith(b"hoodwink archive 1\n")
    assert hashlib.sha256(begin + footer).digest() == digest
    name = json.loads(begin.splitlines()[1])["dictionary"]
    dictionary = zstd.ZstdDict((path.parent / f"{name}.dictionary").read_bytes()) if name else None
    for line in zstd.decompress(footer).splitlines():
        stream, offset, size, version, head = json.loads(line)
        found = rows_in(zstd.decompress(whole[offset : offset + size], zstd_dict=dictionary).decode())
        assert (found[-1].get("version", version), found[-1].get("hash", head)) == (version, head)
        yield stream, found


def rows_in(frame: str) -> list[dict[str, Any]]:
    """Returns the events before the first play with their hashes, and the rest as it was given to the rules."""
    columns = [column.split("\t") for column in frame.split("\n")]
    seed = json.loads(columns[5][0]).get("server_seed", "")
    key = hashlib.sha256(b"hoodwink chain v1:" + seed.encode()).digest()
    rows, at, cmd, head, plays = list[dict[str, Any]](), 0, "", "", 0
    for type_, later, by, command, _fingerprint, data in zip(*columns, strict=True):
        at += int(later)
        version, plays = len(rows) + 1, plays + (not type_)
        if plays:  # the rules know how many events it leads to, and their hashes
            row = {"type": type_, "at": at, "by": by, "data": json.loads(data or "null")}
        else:
            cmd = f"~{version}" if command == "~" else command or cmd
            text = "\n".join([head, str(version), type_, str(at), by, cmd, data])
            head = hashlib.sha256(key + text.encode()).hexdigest()
            row = {"version": version, "type": type_, "at": at, "by": by, "cmd": cmd}
            row |= {"data": json.loads(data), "hash": head}
        rows.append(row)
    return rows


if __name__ == "__main__":
    for stream, rows in read_segment(Path(sys.argv[1])):
        sys.stdout.write(json.dumps({"stream": stream, "rows": rows}) + "\n")
