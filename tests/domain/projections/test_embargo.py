"""A table that shares its deal enters lists, books and counts when its deal is released (D-7)."""

import pytest

from hoodwink.domain.bots import VERSIONS
from hoodwink.domain.projections import HISTORY, LEDGER, LOBBY, STATISTICS
from hoodwink.domain.ratings import rated_seats
from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.commands import ReleaseDeal, VoidTable
from hoodwink.domain.tables.entries import decoded
from hoodwink.domain.tables.participation import participation
from tests.domain.projections.contents import projected
from tests.domain.tables.sitting import Sitting
from tests.domain.tables.test_shared_deals import sitting_at

COUNTS = ("tables_opened", "tables_started", "tables_ended", "rounds_scored", "rounds_voided", "actions")


def counts(sitting: Sitting) -> tuple[int, ...]:
    counters = projected(STATISTICS, sitting).counters
    return tuple(counters.get(f"{sitting.table.game}|{name}", 0) for name in COUNTS)


def actions_in(sitting: Sitting) -> int:
    return sum(recorded.event.cause() is not None for recorded in decoded(sitting.entries, decode_event))


def is_rated(sitting: Sitting) -> bool:
    found = rated_seats(
        sitting.table,
        versions=VERSIONS,
        owners=lambda _: {},
        played=lambda: participation(sitting.entries),
    )
    return bool(found)


@pytest.mark.parametrize("game", ["blindside", "coconut", "double_blind"])
def test_d_7_a_table_is_booked_listed_counted_and_rated_at_its_release(game):
    sitting = sitting_at("ada", "bo", "steady", board=1, game=game).play_out()
    table = sitting.table.id

    assert projected(LEDGER, sitting).rows == projected(HISTORY, sitting).rows == {}
    assert counts(sitting) == (1, 1, 0, 0, 0, 0)
    assert not is_rated(sitting)
    listed = {name for name, keys in projected(LOBBY, sitting).indexes.items() if table in keys}
    assert listed == {"player:ada:ended", "player:bo:ended"}

    sitting.do(ReleaseDeal())
    entries = list(projected(LEDGER, sitting).rows.values())
    assert [entry.id for entry in entries] == [f"{table}:{one.version}" for one in sitting.table.scored]
    assert {entry.at for entry in entries} == {sitting.entries[-1].at}
    assert len(projected(HISTORY, sitting).rows) == 2
    scored = sitting.table.rounds_scored
    assert counts(sitting) == (1, 1, 1, scored, sitting.table.round - scored, actions_in(sitting))
    assert is_rated(sitting)
    listed = {name for name, keys in projected(LOBBY, sitting).indexes.items() if table in keys}
    assert {"phase:ended", f"game:{game}:ended"} < listed


def test_d_7_v_1_a_void_after_the_release_reverses_every_entry():
    sitting = sitting_at("ada", "bo", "cy", board=1).play_out()
    sitting.do(ReleaseDeal())
    sitting.do(VoidTable("root", "A leak."), by="admin")

    contents = projected(LEDGER, sitting)
    assert len(contents.rows) == 2 * sitting.table.rounds_scored
    assert not any(contents.counters.values())
