"""The settings of a tournament, and their validation."""

from dataclasses import replace
from fractions import Fraction

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import InvalidOptions, RuleViolation
from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tournaments.life import (
    Advance,
    Sitting,
    checked,
    decode_event,
    full_setup_from,
    setup_from,
)
from hoodwink.domain.tournaments.life.full_setup import declared
from hoodwink.domain.tournaments.life.setup import (
    DEFAULT_ARENA_MINUTES,
    DEFAULT_FINISH_MINUTES,
    MAX_DEALS_PER_PAIRING,
    ArenaTimes,
)
from hoodwink.domain.tournaments.terms import Format, ScoreBy, Tiebreak
from tests.tournaments.world import World, setup

KNOCKOUT = {"format": Format.KNOCKOUT, "sittings": (Sitting(),)}
DUEL = {"seats": 2}


def refused(**changes: object) -> str:
    with pytest.raises(RuleViolation) as violation:
        checked(setup(**changes))
    assert violation.value.code in {"invalid_setup", "invalid_options", "unknown_game"}
    return violation.value.detail


def test_every_option_of_the_game_is_written_down():
    assert checked(setup(options={"rounds": 2})).options == {
        "five_card": False,
        "rounds": 2,
        "blindside_compare": "value",
        "start_tokens": 0,
    }


def test_t_1_a_table_has_two_to_ten_seats_within_the_range_of_the_game():
    assert "2 to 10 seats" in refused(seats=1)
    assert "2 to 10 seats" in refused(seats=11)
    assert "2 to 4 seats" in refused(game="coconut", seats=5)
    assert checked(setup(seats=10)).seats == 10


@pytest.mark.parametrize("seats", [1, 11])
def test_t_1_a_table_has_two_to_ten_seats_where_the_game_takes_others(seats, monkeypatch):
    wider = replace(GAMES["blindside"], seats=(1, 12))
    monkeypatch.setattr("hoodwink.domain.tournaments.life.setup_checks.GAMES", {"blindside": wider})
    assert "`seats`" in refused(seats=seats)


def test_an_unknown_game_or_option_is_refused():
    assert "no such game" in refused(game="whist")
    assert "Blind Don takes 2 seats." in refused(game="blind_don", seats=4)
    assert "rounds" in refused(options={"rounds": "many"})


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ({"name": ""}, "`name`"),
        ({"name": "x" * 81}, "`name`"),
        ({"name": "two  blanks"}, "`name`"),
        ({"turn_seconds": -1}, "`turn_seconds`: Expected `int` >= 0."),
        ({"turn_seconds": 604_801}, "`turn_seconds`"),
        ({"bot_delay": 600_001}, "`bot_delay`"),
        ({"round_pause": -1}, "`round_pause`"),
        ({"check_in": -1}, "`check_in`"),
        ({"grace_seconds": 0}, "`grace_seconds`"),
        ({"requested_byes": -1}, "`requested_byes`"),
        ({"float_window": -1}, "`float_window`"),
        ({"float_window": 101}, "`float_window`"),
        ({"forbidden": (("a", "b"),) * 201}, "`forbidden`"),
        ({"sittings": (Sitting(rounds=501),)}, "`sittings[0].rounds`"),
        ({"cap": 1}, "`cap`"),
        ({"cap": 1001}, "`cap`"),
        ({"tiebreaks": (Tiebreak.WINS, Tiebreak.WINS)}, "`tiebreaks`"),
    ],
)
def test_names_and_numbers_have_bounds(changes, detail):
    assert detail in refused(**changes)


def test_settings_are_made_of_plain_values_and_defaults():
    plain = {"name": "Cup", "format": "swiss", "game": "blindside", "seats": 4, "sittings": [{"rounds": 3}]}
    assert setup_from(plain | {"bye_score": "1/2"}) == setup(
        name="Cup", advance=Advance.MANUAL, bye_score=Fraction(1, 2)
    )
    for changes in ({"hall": "B"}, {"format": "ladder"}, {"bye_score": "1/0"}, {"sittings": [{"rounds": 0}]}):
        with pytest.raises(RuleViolation, match="invalid_setup"):
            setup_from(plain | changes)


def test_the_log_of_a_tournament_with_a_setting_out_of_bounds_cannot_be_read():
    world = World(setup())
    data = bytes(world.entries[0].data)
    assert b'"grace_seconds":300' in data
    with pytest.raises(UnknownEvent, match=r"at `\$.setup.grace_seconds`"):
        decode_event(world.entries[0].type, data.replace(b'"grace_seconds":300', b'"grace_seconds":0'))


def test_t_1_the_number_of_rounds_is_stated_before_the_start():
    assert refused(sittings=()) == "`sittings`: Expected `array` of length >= 1."
    assert "`rounds`" in refused(sittings=(Sitting(),))
    assert "`sittings[0].rounds`" in refused(sittings=(Sitting(rounds=0),))
    assert "at most 500" in refused(sittings=(Sitting(rounds=400), Sitting(rounds=101)))
    assert checked(setup(sittings=(Sitting(rounds=2), Sitting(rounds=3)))).rounds == 5


@pytest.mark.parametrize("changes", [KNOCKOUT, {"format": Format.ROUND_ROBIN, **DUEL}])
def test_t_1_two_seat_round_robins_and_knockouts_compute_the_number_of_rounds(changes):
    assert "follows from the entrants" in refused(**changes | {"sittings": (Sitting(rounds=3),)})
    assert "`rounds`" in refused(**changes | {"sittings": (Sitting(), Sitting())})
    assert checked(setup(**changes | {"sittings": (Sitting(rounds=2), Sitting())})).rounds is None


def test_sittings_start_one_after_the_other():
    late, early = Sitting(rounds=1, starts_at=2000), Sitting(rounds=1, starts_at=1000)
    assert "after the one before" in refused(sittings=(late, early))
    assert "after the one before" in refused(sittings=(late, Sitting(rounds=1), late))
    assert "`sittings[0].starts_at`" in refused(sittings=(Sitting(rounds=1, starts_at=-1),))
    assert checked(setup(sittings=(early, Sitting(rounds=1), late)))


def test_t_5_a_scheduled_tournament_has_a_time_for_every_sitting():
    timed = Sitting(rounds=1, starts_at=1000)
    assert "`starts_at`" in refused(advance=Advance.SCHEDULE, sittings=(timed, Sitting(rounds=1)))
    assert checked(setup(advance=Advance.SCHEDULE, sittings=(timed,)))


def test_t_9_a_bye_scores_a_part_of_a_first_place():
    third = Fraction(1, 3)
    assert "0, 1/2 or 1" in refused(bye_score=third, **DUEL)
    assert "between 0 and 1" in refused(bye_score=Fraction(4, 3))
    assert checked(setup(bye_score=third)).bye_score == third


def test_t_8_rounds_missed_by_late_entrants_score_0_a_half_or_a_first_place():
    assert "`late_score`" in refused(late_score=Fraction(1, 3))
    assert "`late_until`" in refused(late_until=4)
    assert "`late_until`" in refused(late_until=-1)
    assert "no late entries" in refused(late_until=1, **KNOCKOUT)
    assert checked(setup(late_until=3)).late_until == 3


def test_t_20_points_are_compared_only_between_tables_of_one_size():
    points = {"score_by": ScoreBy.POINTS}
    assert "knockout" in refused(**points, **KNOCKOUT)
    assert "Swiss" in refused(**points, **DUEL)
    assert "same size" in refused(**points)
    assert checked(setup(**points, fill_with_bots=True))
    assert checked(setup(**points, format=Format.ROUND_ROBIN))
    assert checked(setup(**points, format=Format.LEAGUE, **DUEL))


def test_p_6_the_number_advancing_is_for_knockouts_at_larger_tables():
    for changes in ({}, {**KNOCKOUT, "advancing": 4}, {**KNOCKOUT, "advancing": 0}, {**KNOCKOUT, **DUEL}):
        assert "`advancing`" in refused(**{"advancing": 1, **changes})
    assert checked(setup(advancing=3, **KNOCKOUT))


def test_p_6_a_third_place_is_for_knockouts_of_two():
    assert "`third_place`" in refused(third_place=True, **KNOCKOUT)
    assert "`third_place`" in refused(third_place=True, **DUEL)
    assert checked(setup(third_place=True, **KNOCKOUT, **DUEL))


def test_t_5_bots_fill_tables_of_three_and_more_seats_only():
    assert "Bots fill" in refused(fill_with_bots=True, **DUEL)


def test_p_7_the_best_sittings_count_in_leagues_only():
    assert "`best_of`" in refused(best_of=1)
    assert "`best_of`" in refused(best_of=2, format=Format.LEAGUE)
    assert "`best_of`" in refused(best_of=0, format=Format.LEAGUE)
    assert checked(setup(best_of=1, format=Format.LEAGUE))


def test_p_3_forbidden_pairs_are_two_players_each_once():
    assert "keep pairs apart" in refused(forbidden=(("a", "b"),), **KNOCKOUT)
    assert "two different players" in refused(forbidden=(("a", "a"),))
    assert "each pair once" in refused(forbidden=(("a", "b"), ("b", "a")))


def test_options_that_forbid_a_table_size_are_refused():
    with pytest.raises(InvalidOptions):
        checked(setup(game="shithead", seats=7, options={"decks": 1}))


def test_t_40_t_41_only_an_arena_has_times_and_they_have_defaults():
    form = {"name": "Cup", "format": "arena", "game": "blindside", "seats": 2, "sittings": [{}]}
    assert full_setup_from(form).arena == ArenaTimes(DEFAULT_ARENA_MINUTES, DEFAULT_FINISH_MINUTES)
    timed = full_setup_from(form | {"arena_minutes": 20, "finish_minutes": 0})
    assert timed.arena == ArenaTimes(20, 0)

    swiss = form | {"format": "swiss", "sittings": [{"rounds": 3}]}
    assert full_setup_from(swiss).arena is None
    for times in ({"arena_minutes": 20}, {"finish_minutes": 0}):
        with pytest.raises(RuleViolation, match="are for arenas"):
            assert full_setup_from(swiss | times).arena


def test_a_setting_is_declared_with_its_bounds_and_meaning():
    kind, meta = declared("deals_per_pairing")

    assert (kind, meta.ge, meta.le) == (int, 1, MAX_DEALS_PER_PAIRING)
    assert meta.description is not None
    assert meta.description.startswith("With `deal: same`")
