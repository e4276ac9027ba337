"""Leaderboards and rating histories: the changes by each event of a rating stream (R-5, V-2)."""

from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from hoodwink.domain.projections import (
    LEADERBOARDS,
    RatedTableRow,
    SnapshotRow,
    StandingRow,
    board_index,
    history_index,
    standing_key,
)
from hoodwink.domain.ratings import UNRATED, RatedSeat, RatedTableVoided, RatingEvent, TableRated, evolve
from hoodwink.domain.tables.actor import RATER
from hoodwink.domain.tables.proving.log import seal
from tests.domain.projections.contents import Contents

PEOPLE, BOTS = board_index("coconut", bots=False), board_index("coconut", bots=True)


def table(number: int, *players: str) -> TableRated:
    """Returns the event of a table with the players in the order of their places."""
    return TableRated("coconut", f"t{number}", 99, tuple(map(RatedSeat, players, range(1, 99))))


def void(number: int) -> RatedTableVoided:
    return RatedTableVoided("coconut", f"t{number}", 101)


def projected(*events: RatingEvent) -> Contents:
    """Returns the contents of the projection; table `t7` is rated in the seventh second."""
    contents, ladder = Contents(), UNRATED
    for version, event in enumerate(events, start=1):
        at = 1_000 * int(event.table[1:])
        (recorded,) = seal(
            events=[event], server_seed="", head="", version=version - 1, at=at, by=RATER, cmd="c"
        )
        ladder = evolve(ladder, event, version=version, at=at)
        for effect in LEADERBOARDS.project(ladder, recorded):
            contents.apply(effect)
    return contents


def shown(contents: Contents) -> object:
    """Returns the rows as stored, without the snapshot, and the lists that are not empty."""
    rows = {
        key: msgspec.json.encode(row)
        for key, row in contents.rows.items()
        if not isinstance(row, SnapshotRow)
    }
    return rows, {name: members for name, members in contents.indexes.items() if members}


def test_r_5_a_leaderboard_ranks_by_the_mean_less_three_deviations():
    usual = [table(number, "ada", "bo", "cy") for number in range(1, 13)]
    contents = projected(*usual, table(13, "dan", "bo"))
    listed = [contents.rows[key] for key in contents.listed(PEOPLE)]
    assert [row.player for row in listed] == ["ada", "bo", "dan", "cy"]
    worth = [row.mu - 3 * row.sigma for row in listed]
    assert worth == sorted(worth, reverse=True)
    assert listed[2].mu > listed[1].mu, "dan won once, and nobody knows yet how well he plays"


def test_r_5_a_standing_shows_rating_trend_tables_and_time():
    contents = projected(table(1, "ada", "bo"), table(2, "ada", "bo"))
    row = contents.rows[standing_key("coconut", "bo")]
    assert isinstance(row, StandingRow)
    assert (row.tables, row.rated_at, row.trend) == (2, 2_000, row.mu - 25_000_000)
    assert row.rating == contents.rows["t2"].seats[1].after


def test_r_5_a_history_names_table_before_and_after():
    contents = projected(table(1, "ada", "bo"), table(2, "cy", "ada"))
    keys = contents.listed(history_index("coconut", "ada"))
    second, first = (contents.rows[key] for key in keys)
    assert isinstance(first, RatedTableRow)
    assert [(row.table, row.rated_at) for row in (second, first)] == [("t2", 2_000), ("t1", 1_000)]
    assert first.seats[0].after == second.seats[1].before != second.seats[1].after


def test_r_1_bots_have_a_leaderboard_of_their_own_and_a_lone_person_is_on_none():
    contents = projected(table(1, "ada", "steady@1", "random@1"))
    assert contents.listed(PEOPLE) == []
    assert contents.listed(BOTS) == ["coconut:steady@1", "coconut:random@1"]
    assert contents.listed(history_index("coconut", "ada")) == []
    assert contents.listed(history_index("coconut", "steady@1")) == ["t1"]


def test_v_2_a_void_leaves_rows_and_lists_as_if_the_table_had_not_counted():
    first, second, third = table(1, "ada", "bo"), table(2, "bo", "cy"), table(3, "ada", "steady@1", "cy")
    lone = table(4, "eve", "random@1")
    assert shown(projected(first, second, third, lone, void(1))) == shown(projected(second, third, lone))
    assert shown(projected(first, second, third, lone, void(4), void(2))) == shown(projected(first, third))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 60), st.data())
def test_v_2_voids_give_the_leaderboards_without_these_tables(seed, tables, data):
    chance = Random(seed)
    names = ("ada", "bo", "cy", "dan", "steady@1", "random@1")
    events = [table(number, *chance.sample(names, chance.randint(2, 5))) for number in range(1, tables + 1)]
    history: list[RatingEvent] = list(events)
    victims = data.draw(st.lists(st.integers(1, tables), max_size=5, unique=True))
    for number in victims:
        index = data.draw(st.integers(history.index(events[number - 1]) + 1, len(history)))
        history.insert(index, void(number))
    others = [event for number, event in enumerate(events, start=1) if number not in victims]
    assert shown(projected(*history)) == shown(projected(*others))
