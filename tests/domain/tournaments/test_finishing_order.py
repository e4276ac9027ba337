"""The finishing order at a knockout's table (P-6)."""

import msgspec

from hoodwink.domain.tournaments.crosstable import Outcome
from hoodwink.domain.tournaments.scoring import finishing_order
from tests.domain.tournaments.tables import NO_SHOW, table


def test_p_6_the_best_come_first_and_equal_places_are_grouped():
    assert finishing_order(table(1, (4, 2), (1, 4), (3, 1), (2, 2))) == ((3,), (2, 4), (1,))


def test_p_6_a_no_show_does_not_go_on():
    assert finishing_order(table(1, (1, NO_SHOW), (2, 1))) == ((2,),)
    assert finishing_order(table(1, (1, NO_SHOW), (2, NO_SHOW), outcome=Outcome.NO_RESULT)) == ()


def test_p_6_further_deals_decide_between_equals():
    first, second = table(1, (2, 1), (3, 1), (4, 3)), table(1, (2, NO_SHOW), (3, 1))
    board = table(1, (1, 1), (2, 2), (3, 2), (4, 2), replays=(first.seats, second.seats))

    assert finishing_order(board) == ((1,), (3,), (2,), (4,))


def test_t_12_p_6_a_further_deal_that_was_voided_decides_nothing():
    first, second = table(1, (2, 1), (3, 1), (4, 3)), table(1, (2, 2), (3, 1))
    board = table(1, (1, 1), (2, 2), (3, 2), (4, 2), replays=(first.seats, second.seats))

    assert finishing_order(msgspec.structs.replace(board, void_replays=(1,))) == ((1,), (2, 3), (4,))
    assert finishing_order(msgspec.structs.replace(board, void_replays=(0,))) == ((1,), (2, 3, 4))
    assert finishing_order(msgspec.structs.replace(board, void_replays=(0, 1))) == ((1,), (2, 3, 4))


def test_t_12_p_6_after_a_voided_deal_one_between_the_same_entrants_decides():
    again = table(1, (1, 2), (2, 1)).seats
    board = table(1, (1, 1), (2, 1), outcome=Outcome.VOID, replays=(again, again[::-1]))

    assert finishing_order(board) == ((2,), (1,))
    assert finishing_order(msgspec.structs.replace(board, void_replays=(0,))) == ((2,), (1,))
    assert finishing_order(msgspec.structs.replace(board, void_replays=(0, 1))) == ((1, 2),)


def test_t_12_p_6_after_a_voided_deal_a_no_show_at_the_next_one_loses():
    again = table(1, (1, NO_SHOW), (2, 1)).seats
    board = table(1, (1, 1), (2, 1), outcome=Outcome.VOID, replays=(again,))

    assert finishing_order(board) == ((2,), (1,))


def test_t_12_p_6_nobody_profits_from_a_void_by_not_having_played_again():
    again = table(1, (1, 2), (2, 1)).seats
    board = table(1, (1, 1), (2, 1), (3, 3), (4, 4), outcome=Outcome.VOID, replays=(again,))

    assert finishing_order(board) == ((1, 2, 3, 4),)


def test_p_6_a_table_without_result_leaves_all_equal():
    board = table(1, (1, None), (2, None), outcome=Outcome.NO_RESULT)

    assert finishing_order(board) == ((1, 2),)
