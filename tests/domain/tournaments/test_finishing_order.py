"""Who finished where at a knockout's table (P-6)."""

from domain.tournaments.crosstable import Outcome
from domain.tournaments.scoring import finishing_order
from tests.domain.tournaments.tables import NO_SHOW, table


def test_p_6_the_best_come_first_and_equal_places_stand_together():
    assert finishing_order(table(1, (4, 2), (1, 4), (3, 1), (2, 2))) == ((3,), (2, 4), (1,))


def test_p_6_a_no_show_does_not_go_on():
    assert finishing_order(table(1, (1, NO_SHOW), (2, 1))) == ((2,),)
    assert finishing_order(table(1, (1, NO_SHOW), (2, NO_SHOW), outcome=Outcome.NO_RESULT)) == ()


def test_p_6_further_deals_decide_between_those_who_were_equal():
    first, second = table(1, (2, 1), (3, 1), (4, 3)), table(1, (2, NO_SHOW), (3, 1))
    board = table(1, (1, 1), (2, 2), (3, 2), (4, 2), replays=(first.seats, second.seats))

    assert finishing_order(board) == ((1,), (3,), (2,), (4,))


def test_p_6_a_table_without_result_leaves_all_equal():
    board = table(1, (1, None), (2, None), outcome=Outcome.NO_RESULT)

    assert finishing_order(board) == ((1, 2),)
