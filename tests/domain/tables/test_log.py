"""The export format and the chain."""

import hashlib

import msgspec
import pytest

from hoodwink.domain.tables.actor import by_player
from hoodwink.domain.tables.commands import TakeSeat
from hoodwink.domain.tables.proving.log import (
    GENESIS,
    MalformedLog,
    apply,
    chain_hash,
    chain_key,
    parse_log,
)
from hoodwink.domain.tables.proving.proof import check_entries
from hoodwink.domain.tables.proving.verify import TABLE
from tests.domain.tables.sitting import SEED, START, Sitting

LOG = Sitting().sit("ada").log()
FIRST, SECOND, THIRD, _ = LOG.split(b"\n")


def test_a_log_is_a_header_and_one_line_per_event():
    header, entries = parse_log(LOG)
    assert (header.format, header.table, header.version) == ("hoodwink-log/3", "t1", 2)
    assert [entry.type for entry in entries] == ["table.opened@6", "table.seat_taken@3"]
    assert header.head == entries[-1].hash


def test_apply_continues_the_log_and_changes_nothing_else():
    sitting = Sitting().sit("ada", "bo")
    before = sitting.table
    command = TakeSeat(player="cy", seat=2)
    head = sitting.entries[-1].hash
    after, events = apply(TABLE, before, command, head=head, at=START + 5, by=by_player(2), cmd="c9")
    (entry,) = [recorded.entry for recorded in events]
    assert (entry.version, entry.at, entry.by, entry.cmd) == (4, START + 5, "player:2", "c9")
    assert (after.version, [occupant.player for occupant in after.seats if occupant]) == (
        4,
        ["ada", "bo", "cy"],
    )
    assert (sitting.table, before.version) == (before, 3)
    assert check_entries(TABLE, "t1", [*sitting.entries, entry]) is None


def test_the_chain_matches_the_specification():
    _, (first, second) = parse_log(LOG)
    key = hashlib.sha256(b"hoodwink chain v1:" + SEED.encode()).digest()
    assert key == chain_key(SEED)
    previous = GENESIS
    for entry in (first, second):
        fields = (previous, entry.version, entry.type, entry.at, entry.by, entry.cmd)
        text = "".join(f"{field}\n" for field in fields).encode() + bytes(entry.data)
        previous = hashlib.sha256(key + text).hexdigest()
        assert entry.hash == previous


def test_without_the_seed_a_hash_reveals_nothing():
    _, (first, _) = parse_log(LOG)
    fields = (GENESIS, 1, first.type, first.at, first.by, first.cmd, bytes(first.data))
    assert chain_hash(chain_key("0" * 64), *fields) != first.hash == chain_hash(chain_key(SEED), *fields)


@pytest.mark.parametrize(
    ("log", "line"),
    [
        (b"", 1),
        (b"\n", 1),
        (LOG[:-1], 3),
        (LOG + b"\n", 4),
        (LOG.replace(b"log/3", b"log/4"), 1),
        (LOG.replace(b"\n", b"\r\n"), 1),
        (b"\n".join((FIRST, b" " + SECOND, THIRD, b"")), 2),
        (b"\n".join((FIRST, SECOND.replace(b'"version":1', b'"version":1.0'), THIRD, b"")), 2),
        (b"\n".join((FIRST, SECOND.replace(b'"version":1', b'"version":1,"x":1'), THIRD, b"")), 2),
        (
            b"\n".join((FIRST, SECOND, THIRD.replace(b"Ada", b"\\u0041da").replace(b"c1", b"\\u00631"), b"")),
            3,
        ),
        (b"\n".join((FIRST, SECOND, THIRD.replace(b"c1", b"\xff\xff"), b"")), 3),
        (b"\n".join((FIRST, SECOND, msgspec.json.encode(["a", "list"]), b"")), 3),
        (b"\n".join((FIRST, b'{"version":1,"data":' + b"[" * 100_000 + b"]" * 100_000 + b"}", b"")), 2),
    ],
)
def test_bytes_that_no_export_writes_are_refused_with_the_line(log, line):
    with pytest.raises(MalformedLog) as refused:
        parse_log(log)
    assert refused.value.line == line
    assert str(refused.value).startswith(f"line {line}: ")
