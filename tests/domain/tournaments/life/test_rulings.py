"""Officials end tables and rule on results, and administrators reverse rulings (V-4 … V-6)."""

from fractions import Fraction
from typing import Any

import pytest

from hoodwink.domain.kernel import without_name
from hoodwink.domain.tables.proving.proof import replayed
from hoodwink.domain.tournaments.files.tournament_json import read_tournament
from hoodwink.domain.tournaments.life import (
    Advance,
    Cancel,
    Finish,
    NameArbiter,
    OpenRound,
    ReverseRuling,
    RuleResult,
    Sitting,
    StartRound,
    StopTable,
    VoidTable,
    results_file,
    standings_of,
    tables_to_close,
    view_round,
)
from hoodwink.domain.tournaments.life.deciding.rulings import MAX_POINTS
from hoodwink.domain.tournaments.life.proving.verify import TOURNAMENT
from hoodwink.domain.tournaments.standings import marks_of
from hoodwink.domain.tournaments.terms import Compare, Format, ScoreBy, Tiebreak
from tests.tournaments.world import World, setup

TWO: dict[str, Any] = {"seats": 2, "advance": Advance.MANUAL, "tiebreaks": (Tiebreak.WINS,)}


def begun(*players: str, bots: int = 0, compare: Compare | None = None, **changes: Any) -> World:
    """Returns a world with the first round in play."""
    world = World(setup(**(TWO | changes)), compare=compare)
    world.begin(*players, bots=bots)
    play_on(world)
    return world


def play_on(world: World) -> None:
    """Pairs and starts the next round."""
    number = len(world.tournament.rounds) + 1
    world.do(OpenRound(number))
    world.do(StartRound(number))
    world.settle()


def ruling(board: int = 1, *, round_: int = 1, **given: Any) -> RuleResult:
    fields: dict[str, Any] = {
        "round": round_,
        "board": board,
        "official": "olga",
        "reason": "a mistake",
    } | given
    return RuleResult(**fields)


def scores(world: World) -> dict[int, Fraction]:
    return {row.entrant: row.score for row in standings_of(world.tournament).rows}


def test_v_4_a_stopped_table_is_closed_and_counts_as_without_result():
    world = begun(bots=4)
    assert tables_to_close(world.tournament) == ()
    (table, order), (other, _) = world.open.items()
    world.do(StopTable(order.round, order.board, 1, "olga", "stuck"))

    assert tables_to_close(world.tournament) == (table,)
    world.settle()

    assert set(world.open) == {other}
    assert [scores(world)[seat] for seat in seats(world, order.board)] == [Fraction(1, 2)] * 2
    assert world.refusal(StopTable(1, order.board, 1, "olga", "stuck")) == "table_over"


def test_v_4_a_table_in_play_is_stopped_once():
    world = begun(bots=2)
    assert world.refusal(StopTable(1, 1, 2, "olga", "stuck")) == "no_such_board", "there is no second deal"
    world.do(StopTable(1, 1, 1, "olga", "stuck"))
    assert world.refusal(StopTable(1, 1, 1, "olga", "stuck")) == "table_stopped"


def seats(world: World, board: int, round_: int = 1) -> tuple[int, ...]:
    found: tuple[int, ...] = world.tournament.rounds[round_ - 1].matches[board - 1].deals[0].seats
    return found


def test_v_4_the_result_counts_if_a_stopped_table_ends_by_itself_first():
    world = begun(bots=2)
    world.do(StopTable(1, 1, 1, "olga", "stuck"))
    world.end_all()

    assert [scores(world)[seat] for seat in seats(world, 1)] == [1, 0]
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_v_5_a_ruling_given_while_a_table_is_being_ended_counts_from_its_end():
    world = begun(bots=2)
    assert world.refusal(ruling(places=(2, 1))) == "table_in_play"
    world.do(StopTable(1, 1, 1, "olga", "stuck"))
    world.do(ruling(places=(2, 1)))
    assert set(scores(world).values()) == {0}

    world.settle()

    assert [scores(world)[seat] for seat in seats(world, 1)] == [0, 1]


def test_v_5_a_later_ruling_replaces_an_earlier_one_and_the_report_stays():
    world = begun(bots=2)
    world.end_all()
    report = world.tournament.rounds[0].matches[0].deals[0].report

    cases: list[tuple[dict[str, Any], list[Any]]] = [
        ({"places": (2, 1)}, [0, 1]),
        ({"places": (1, 1)}, [Fraction(1, 2)] * 2),
        ({"places": (None, None)}, [0, 0]),
        ({"places": (None, 1)}, [0, 1]),
        ({"score": Fraction(1)}, [1, 1]),
        ({}, [Fraction(1, 2)] * 2),
    ]
    for given, expected in cases:
        world.do(ruling(**given))
        assert [scores(world)[seat] for seat in seats(world, 1)] == expected, given
        assert world.tournament.rounds[0].matches[0].deals[0].report == report
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_v_5_a_board_has_at_most_ten_rulings():
    world = begun(bots=2)
    world.end_all()
    for _ in range(5):
        world.do(ruling(places=(2, 1)))
        world.do(ruling(places=(1, 2)))
    assert world.refusal(ruling(places=(2, 1))) == "too_many_rulings"


@pytest.mark.parametrize(
    "given",
    [
        {"places": (1,)},
        {"places": (1, 3)},
        {"places": (2, 2)},
        {"places": (1, 2), "points": (3, 1)},
        {"places": (1, 2), "score": Fraction(1)},
        {"points": (3, 1)},
    ],
)
def test_v_5_a_ruling_must_fit_the_table(given):
    world = begun(bots=2)
    world.end_all()
    assert world.refusal(ruling(**given)) == "invalid_ruling"


def test_v_5_where_points_count_a_ruling_states_them():
    league: dict[str, Any] = {"format": Format.LEAGUE, "score_by": ScoreBy.POINTS}
    world = begun(bots=2, **league)
    world.end_all()
    assert world.refusal(ruling(places=(2, 1))) == "invalid_ruling"
    assert world.refusal(ruling(places=(1, 2), points=(-4, 9))) == "invalid_ruling", (
        "places follow from points"
    )
    for points in ((9,), (MAX_POINTS + 1, 0), (0, -MAX_POINTS - 1)):
        assert world.refusal(ruling(places=(1, 2), points=points)) == "invalid_ruling"

    world.do(ruling(places=(2, 1), points=(-4, 9)))

    assert [scores(world)[seat] for seat in seats(world, 1)] == [-4, 9]


def test_v_5_a_ruling_places_the_bots_that_fill_a_table():
    world = begun("ada", "bob", "cy", seats=4, fill_with_bots=True)
    world.end_all()
    assert seats(world, 1)[3] is None
    assert world.refusal(ruling(places=(1, 2, 3, None))) == "invalid_ruling"
    assert world.refusal(ruling(places=(1, None, 2, 3))) == ""


def test_v_5_the_view_shows_a_ruling_with_its_reason():
    world = begun(bots=2)
    world.end_all()
    world.do(ruling(places=(2, 1)))

    (board,) = view_round(world.tournament, world.tournament.rounds[0]).boards
    assert board.ruling is not None
    assert (board.ruling.official, board.ruling.reason, board.ruling.places) == ("olga", "a mistake", (2, 1))


def test_v_5_d_3_a_ruling_takes_part_in_comparisons_by_its_points():
    world = begun(bots=6, compare=Compare.MATCHPOINTS, turn_seconds=60, bye_score=Fraction(1, 2))
    for table in list(world.open):
        world.end(table, points=(5, -5))
    world.settle()
    assert set(scores(world).values()) == {Fraction(1, 2)}

    world.do(ruling(places=(1, 2), points=(9, -9)))

    quarters = [Fraction(quarter, 4) for quarter in (4, 0, 1, 3)]
    assert [scores(world)[seat] for seat in (*seats(world, 1), *seats(world, 2))] == quarters


def test_v_5_a_knockout_follows_a_ruling_until_the_next_round_starts():
    knockout: dict[str, Any] = {"format": Format.KNOCKOUT, "sittings": (Sitting(),), "tiebreaks": ()}
    world = begun(bots=4, **knockout)
    world.end_all()
    for refused in (ruling(), ruling(places=(1, 1))):
        assert world.refusal(refused) == "invalid_ruling", "somebody must go on"
    world.do(ruling(places=(2, 1)))
    world.do(ReverseRuling(1, 1, "a mistake"))
    world.do(ruling(2, places=(2, 1)))

    play_on(world)

    assert set(seats(world, 1, round_=2)) == {seats(world, 1)[0], seats(world, 2)[1]}
    assert world.refusal(ruling(2, places=(1, 2))) == "ruling_too_late"
    assert world.refusal(ReverseRuling(1, 2, "a mistake")) == "ruling_too_late"
    world.end_all()
    world.do(Finish())
    world.do(ruling(round_=2, places=(2, 1)))
    assert standings_of(world.tournament).rows[0].entrant == seats(world, 1, round_=2)[1]
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_v_5_v_6_a_knockouts_pairing_that_has_not_started_is_made_again_after_a_ruling():
    knockout: dict[str, Any] = {"format": Format.KNOCKOUT, "sittings": (Sitting(),), "tiebreaks": ()}
    world = begun(bots=4, **knockout)
    world.end_all()
    world.do(OpenRound(2))
    first, second = seats(world, 1)
    for decision, winner in ((ruling(places=(2, 1)), second), (ReverseRuling(1, 1, "a mistake"), first)):
        assert [event.wire for event in world.do(decision)][1:] == ["tournament.pairing_dropped"]
        world.settle()
        assert winner in seats(world, 1, round_=2)
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_v_6_after_a_reversal_in_a_complete_round_the_lot_decides():
    knockout: dict[str, Any] = {"format": Format.KNOCKOUT, "sittings": (Sitting(),), "tiebreaks": ()}
    world = begun(bots=4, **knockout)
    world.do(StopTable(1, 1, 1, "olga", "stuck"))
    world.do(ruling(places=(2, 1)))
    world.settle()
    world.end_all()
    world.do(ReverseRuling(1, 1, "a mistake"))
    assert [len(match.deals) for match in world.tournament.rounds[0].matches] == [1, 1]

    play_on(world)

    assert len(set(seats(world, 1, round_=2)) & set(seats(world, 1))) == 1
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_v_5_a_knockout_ruling_may_count_everybody_as_absent():
    knockout: dict[str, Any] = {"format": Format.KNOCKOUT, "sittings": (Sitting(),), "tiebreaks": ()}
    world = begun(bots=4, **knockout)
    world.end_all()
    world.do(ruling(places=(None, None)))

    assert world.refusal(OpenRound(2)) == "too_few_entrants", "only the winner of the other table is left"
    world.do(Finish())

    assert standings_of(world.tournament).rows[0].entrant in seats(world, 2)


def test_v_6_rulings_are_refused_to_strangers_and_at_own_tables():
    world = begun("olga", "ada", bots=2)
    own = next(board for board in (1, 2) if 1 in seats(world, board))
    assert world.refusal(StopTable(1, own, 1, "olga", "stuck")) == "own_table"
    assert world.refusal(StopTable(1, 3 - own, 1, "ada", "stuck")) == "not_an_official"
    world.end_all()

    assert world.refusal(ruling(own, places=(1, 2))) == "own_table"
    assert world.refusal(ruling(3 - own, places=(1, 2), official="ada")) == "not_an_official"
    assert world.refusal(ruling(3 - own, places=(1, 2))) == ""


def test_v_6_d_3_nobody_rules_on_the_deal_that_they_play():
    given: dict[str, Any] = {"turn_seconds": 60, "bye_score": Fraction(1, 2)}
    world = begun("olga", "ada", bots=2, compare=Compare.MATCHPOINTS, **given)
    own = next(board for board in (1, 2) if 1 in seats(world, board))
    stop = StopTable(1, 3 - own, 1, "olga", "stuck")
    assert world.refusal(stop) == "own_deal"
    assert world.refusal(StopTable(1, own, 1, "olga", "stuck")) == "own_table"
    for table in list(world.open):
        world.end(table, points=(5, -5))
    world.settle()
    assert world.refusal(ruling(3 - own, places=(1, 2), points=(9, -9))) == "own_deal"

    world.do(NameArbiter("ann"))

    assert world.refusal(ruling(own, official="ann", places=(1, 2), points=(9, -9))) == ""


def test_v_6_a_reversed_ruling_leaves_the_result_and_no_other_may_follow():
    world = begun(bots=2)
    world.end_all()
    before = scores(world)
    world.do(ruling(places=(2, 1)))
    world.do(ReverseRuling(1, 1, "a mistake"))

    assert scores(world) == before
    assert world.refusal(ruling(places=(2, 1))) == "ruling_reversed"
    assert world.refusal(ReverseRuling(1, 1, "a mistake")) == "no_ruling"


def test_v_5_a_void_prevails_over_a_ruling():
    world = begun(bots=2)
    world.end_all()
    world.do(ruling(places=(2, 1)))
    world.do(VoidTable(1, 1, 1, "a leak"))

    assert set(scores(world).values()) == {Fraction(1, 2)}
    assert world.refusal(ruling(places=(2, 1))) == "already_voided"


def test_v_5_a_cancelled_tournament_has_no_rulings():
    world = begun(bots=2)
    world.end_all()
    world.do(Cancel("no hall"))
    assert world.refusal(ruling(places=(2, 1))) == "tournament_over"


def test_v_5_marks_and_files_show_ruled_results():
    world = begun(bots=4)
    world.end_all()
    world.do(ruling(places=(2, 1)))

    read = read_tournament(results_file(world.tournament, without_name)).crosstable

    assert [board.is_ruled for board in read.rounds[0].boards] == [True, False]
    ruled = {entrant for entrant, marks in marks_of(read).items() if marks.ruled == (1,)}
    assert ruled == set(seats(world, 1))
