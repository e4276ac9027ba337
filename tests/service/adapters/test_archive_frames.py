"""Frames of the archive: play is written as actions, and the rules lead to the same bytes again."""

import msgspec
import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.events import ActionTakenBack
from hoodwink.domain.tables.proving.log import chain_hash, chain_key
from hoodwink.service.adapters.archive import segments
from hoodwink.service.adapters.archive.frames import Codec, contents, log_of
from hoodwink.service.adapters.archive.segments import places
from hoodwink.service.adapters.archive.shorthand import EVENTS_REVISION
from hoodwink.service.application.ports import DamagedArchive, WholeLog
from tests.domain.tables.test_taking_back import finished
from tests.golden.archive import SEGMENTS, golden_logs

GOLDEN = dict(golden_logs())
PLAYED = GOLDEN["table:blindside-117-0"]
DEAL = "blindside.round_dealt"


def test_a_segment_of_every_revision_stays_readable_byte_for_byte():
    names = SEGMENTS.names(0)
    assert len(names) == EVENTS_REVISION
    for name in names:
        for entry, place in places(name, SEGMENTS.index(name)):
            assert SEGMENTS.read(place) == GOLDEN[entry.stream]


def test_a_segment_of_a_later_revision_is_refused(monkeypatch):
    (name, *_) = SEGMENTS.names(0)
    _, place = next(places(name, SEGMENTS.index(name)))
    monkeypatch.setattr(segments, "EVENTS_REVISION", 0)
    with pytest.raises(DamagedArchive, match="was written by a later version of Hoodwink"):
        SEGMENTS.read(place)


def types_in(log: WholeLog) -> list[str]:
    return contents(log).columns.decode().split("\n")[0].split("\t")


@pytest.mark.parametrize("game", GAMES)
def test_play_is_written_without_its_events(game):
    assert {type_.partition(".")[0] for type_ in types_in(GOLDEN[f"table:{game}-4001-0"])} == {"table", ""}


def test_actions_that_the_host_entered_are_written_as_events():
    log = GOLDEN["table:double_blind-2065-0"]
    entered = {entry.type for entry in log.entries if entry.by == "host"}
    assert "double_blind.pocket_exposed" in entered
    assert entered <= set(types_in(log))


def test_g_20_a_take_back_is_written_as_an_event():
    entries = finished().entries
    log = WholeLog(tuple(entries), {})
    assert ActionTakenBack.wire in types_in(log)
    assert log_of(contents(log).columns) == log


def test_a_log_whose_events_are_out_of_order_is_not_archived():
    entries = list(GOLDEN["table:blind_don-0-0"].entries)
    led = next(entry for entry in entries if entry.type == "blind_don.card_led")
    deal = next(at for at, entry in enumerate(entries) if entry.type == "blind_don.round_dealt")
    entries.insert(deal, led)
    with pytest.raises(DamagedArchive, match="cannot be decided again"):
        contents(WholeLog(tuple(entries), {}))


def test_a_commit_to_which_the_rules_do_not_lead_is_written_as_events():
    key, head, entries = chain_key(f"{117:064x}"), "", []
    for entry in PLAYED.entries:
        fields = msgspec.json.decode(entry.data)
        fields |= {"round": 7} if entry.type == DEAL else {}
        data = msgspec.json.encode(fields)
        head = chain_hash(key, head, entry.version, entry.type, entry.at, entry.by, entry.cmd, data)
        entries.append(msgspec.structs.replace(entry, data=msgspec.Raw(data), hash=head))
    log = WholeLog(tuple(entries), {})
    assert DEAL in types_in(log)
    assert DEAL not in types_in(PLAYED)
    assert log_of(contents(log).columns) == log


def test_a_frame_with_a_wrong_checksum_is_refused():
    frame = Codec().compress(b"a log")
    with pytest.raises(DamagedArchive, match="cannot be decompressed"):
        Codec().decompress(frame[:-1] + bytes([frame[-1] ^ 1]))
