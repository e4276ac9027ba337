"""The counts of earlier rounds for P-4."""

from fractions import Fraction

from hoodwink.domain.tournaments.crosstable import Outcome, Why
from hoodwink.domain.tournaments.pairing.seating.history import history_of
from tests.domain.tournaments.tables import BOT, NO_SHOW, crosstable, out, table


def history(*rounds, **terms):
    made = crosstable(*rounds, **terms)
    return history_of(made, round_=len(made.rounds) + 1)


def test_p_4_before_the_first_round_nobody_has_met():
    before = history(entrants=3)
    assert before.scores == {1: 0, 2: 0, 3: 0}
    assert not any(
        (before.meetings, before.neighbours, before.seats, before.sizes, before.floats, before.byes)
    )


def test_p_4_a_table_counts_meetings_seats_sizes_and_neighbours_in_one_direction():
    after = history([table(1, (3, 1), (1, 2), (2, 3), (4, 4))])
    assert after.scores == {3: 1, 1: Fraction(2, 3), 2: Fraction(1, 3), 4: 0}
    assert after.meetings == dict.fromkeys([(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)], 1)
    assert after.neighbours == dict.fromkeys([(3, 1), (1, 2), (2, 4), (4, 3)], 1)
    assert after.seats == dict.fromkeys([(3, 0), (1, 1), (2, 2), (4, 3)], 1)
    assert after.sizes == dict.fromkeys([(1, 4), (2, 4), (3, 4), (4, 4)], 1)


def test_p_4_at_a_table_of_two_nobody_is_a_neighbour():
    after = history([table(1, (1, 1), (2, 2))])
    assert after.meetings == {(1, 2): 1}
    assert not after.neighbours


def test_p_4_times_add_up_over_rounds_up_to_the_one_to_pair():
    rounds = [[table(1, (1, 1), (2, 2), (3, 3))], [table(1, (1, 1), (2, 2), (3, 3))]]
    made = crosstable(*rounds)
    assert history_of(made, round_=3).neighbours == {(1, 2): 2, (2, 3): 2, (3, 1): 2}
    assert history_of(made, round_=2).seats == {(1, 0): 1, (2, 1): 1, (3, 2): 1}


def test_t_5_p_4_a_bot_counts_for_the_size_but_not_as_opponent_or_neighbour():
    after = history([table(1, (1, 1), (BOT, 2), (2, 3), (3, 4))])
    assert after.meetings == {(1, 2): 1, (1, 3): 1, (2, 3): 1}
    assert after.neighbours == {(2, 3): 1, (3, 1): 1}
    assert after.sizes == {(1, 4): 1, (2, 4): 1, (3, 4): 1}


def test_t_6_p_4_a_no_show_has_met_nobody_and_had_no_seat():
    after = history([table(1, (1, 1), (2, 2), (3, NO_SHOW))])
    assert after.meetings == {(1, 2): 1}
    assert after.neighbours == {(1, 2): 1}
    assert after.seats == {(1, 0): 1, (2, 1): 1}


def test_t_6_p_4_the_seat_of_a_forfeit_win_does_not_count_and_stops_a_pairing_bye():
    after = history([table(1, (1, 1), (2, NO_SHOW), (3, NO_SHOW))])
    assert not after.seats
    assert after.byes == {1: 1}


def test_t_10_t_12_p_4_tables_without_result_and_voided_ones_have_not_been_played():
    for outcome in (Outcome.NO_RESULT, Outcome.VOID):
        after = history([table(1, (1, None), (2, None), (3, None), outcome=outcome)])
        assert not any((after.meetings, after.seats, after.sizes, after.floats, after.byes))


def test_t_11_p_4_a_table_in_play_counts_for_those_who_appeared():
    after = history([table(1, (1, None), (2, None), (3, NO_SHOW), outcome=Outcome.UNFINISHED)])
    assert after.scores[1] == Fraction(1, 2)
    assert after.meetings == {(1, 2): 1}
    assert after.seats == {(1, 0): 1, (2, 1): 1}


def test_t_9_byes_that_count_are_pairing_byes_and_unplayed_rounds_worth_a_first_place():
    after = history(
        [out(1, Why.PAIRING_BYE), out(2, Why.ASSIGNED_BYE, 1), out(3, Why.REQUESTED_BYE, "1/2"), out(4)]
    )
    assert after.byes == {1: 1, 2: 1}


def test_p_4_floats_of_the_last_round_are_by_the_scores_before_it():
    first = [table(1, (1, 1), (2, 2), (3, 3)), table(2, (4, 1), (5, 2), (6, 3))]
    # 1 and 4 have 1, 2 and 5 ½, 3 and 6 nothing: the home of the first table is 1, and of the second 0.
    second = [table(1, (1, 1), (4, 2), (2, 3)), table(2, (3, 1), (6, 2), (5, 3))]
    assert history(first, second).floats == {2: 1, 5: -1}


def test_p_4_an_entrant_who_sat_out_did_not_float():
    first = [table(1, (1, 1), (2, 2), (3, 3)), table(2, (4, 1), (5, 2), (6, 3))]
    second = [table(1, (1, 1), (4, 2), (2, NO_SHOW)), table(2, (3, 1), (6, 2), (5, 3), outcome=Outcome.VOID)]
    assert history(first, second).floats == {}


def test_p_4_of_equally_many_seats_the_highest_score_is_home():
    first = [table(1, (1, 1), (2, 2), (3, 3)), table(2, (4, 1), (5, 2), (6, 3))]
    second = [table(1, (1, 1), (2, 2), (3, 3)), table(2, (4, 1), (5, 2), (6, 3))]
    assert history(first, second).floats == {2: 1, 3: 1, 5: 1, 6: 1}
