"""An ended table whose deal others still play shows each of its players only their own seat (D-7)."""

import pytest

from hoodwink.domain.players import Player
from hoodwink.domain.tables.commands import ReleaseDeal
from hoodwink.domain.tables.deciding.rooms import may_watch
from hoodwink.domain.tables.state import Table
from hoodwink.service.application.errors import Forbidden
from hoodwink.service.http.messages.problems import Problem
from hoodwink.service.http.resources.access import check_over, viewer_of
from tests.domain.tables.sitting import Sitting
from tests.domain.tables.test_shared_deals import sitting_at


def ended() -> Sitting:
    sitting = sitting_at("ada", "bo", "cy", board=1).deal()
    sitting.resign(1)
    sitting.resign(2)
    return sitting


def seen_as(table: Table, asked: str | None) -> object:
    return viewer_of(table, Player(id="ada", name="Ada", token_hash=""), asked)


def test_d_7_before_the_release_only_its_players_see_a_table_and_only_their_own_seat():
    sitting = ended()
    table = sitting.table

    assert [may_watch(table, who, is_invited=True) for who in ("ada", "holly", "eve", None)] == [
        True,
        False,
        False,
        False,
    ]
    assert seen_as(table, None) == seen_as(table, "0") == 0
    with pytest.raises(Forbidden):
        seen_as(table, "1")
    with pytest.raises(Problem, match="table_not_over"):
        seen_as(table, "everybody")
    with pytest.raises(Problem, match="table_not_over"):
        check_over(table)

    sitting.do(ReleaseDeal())
    table = sitting.table
    assert [may_watch(table, who, is_invited=True) for who in ("ada", "holly", "eve", None)] == [True] * 4
    assert (seen_as(table, "1"), seen_as(table, "everybody")) == (1, "everybody")
    check_over(table)
