"""Registration: entering, leaving, expulsion, and the starting ranks."""

from fractions import Fraction

import pytest

from hoodwink.domain.cards import commitment
from hoodwink.domain.tournaments.crosstable import Why
from hoodwink.domain.tournaments.life import (
    Advance,
    Cancel,
    Enter,
    Expel,
    OpenRegistration,
    OrderEntrants,
    RankBy,
    Setup,
    Sitting,
    StartRound,
    StartTournament,
    Withdraw,
    crosstable,
    due,
    is_waiting,
    next_step,
    seats_to_resign,
)
from hoodwink.domain.tournaments.life import commands as asked
from hoodwink.domain.tournaments.life.facts import paired, people_in
from hoodwink.domain.tournaments.life.state import is_bot_entrant
from hoodwink.domain.tournaments.terms import Format
from tests.tournaments.world import World, setup

MANUAL = {"advance": Advance.MANUAL}


def entered(*players, bots=0, **changes):
    world = World(setup(**changes))
    world.register(*players, bots=bots)
    return world


def started(*players, bots=0, **changes):
    world = World(setup(**changes))
    world.begin(*players, bots=bots)
    return world


def ids(world: World) -> list[str]:
    return [entrant.id for entrant in world.tournament.entrants]


def unplayed(world: World, number: int, round_: int) -> Why | None:
    """Returns why an entrant sat at no table of a round."""
    for unplayed in crosstable(world.tournament).rounds[round_ - 1].unplayed:
        if unplayed.entrant == number:
            return unplayed.why
    return None


def test_t_2_nobody_enters_before_registration_opens_or_twice():
    world = World(setup())
    assert world.refusal(Enter(player="ada")) == "registration_closed"
    world.do(OpenRegistration())
    world.do(Enter(player="ada"))
    assert world.refusal(Enter(player="ada")) == "already_entered"
    assert world.refusal(OpenRegistration()) == "registration_open"


def test_t_2_nobody_enters_a_tournament_that_is_over():
    world = entered("ada")
    world.do(Cancel("no hall"))
    assert world.refusal(Enter(player="bo")) == "tournament_over"


def test_bots_have_ids_of_their_own_and_no_seed():
    world = entered("ada", bots=2)
    assert ids(world) == ["ada", "bot:1", "bot:2"]
    assert [is_bot_entrant(entrant) for entrant in ids(world)] == [False, True, True]
    with_seed = Enter(player="", policy="steady", seed_commitment=commitment("0" * 32))
    assert world.refusal(with_seed) == "bot_seed"


def test_t_14_a_malformed_commitment_is_refused():
    world = entered()
    assert world.refusal(Enter(player="ada", seed_commitment="mine")) == "invalid_commitment"


def test_the_people_of_a_tournament_are_its_entrants_without_bots():
    world = entered("ada", "bo", bots=1)
    world.do(Withdraw("ada"))
    assert sorted(people_in(world.tournament)) == ["ada", "bo"]


def test_t_3_beyond_the_cap_entrants_wait_and_a_withdrawal_makes_room():
    world = entered("ada", "bo", "cy", "dee", cap=2)
    assert [is_waiting(world.tournament, index) for index in range(4)] == [False, False, True, True]
    world.do(Withdraw("bo"))
    assert ids(world) == ["ada", "cy", "dee"]
    world.do(StartTournament({}))
    assert sorted(ids(world)) == ["ada", "cy"], "the waiting list ends at the start"


def test_t_3_an_entrant_who_withdrew_before_the_start_may_enter_again():
    world = entered("ada", "bo")
    world.do(Withdraw("ada"))
    world.do(Enter(player="ada"))
    assert ids(world) == ["bo", "ada"]


def test_a_tournament_takes_a_thousand_entrants_at_most():
    world = entered(bots=1000)
    assert world.refusal(Enter(player="ada")) == "tournament_full"


def test_t_3_starting_ranks_follow_the_ratings_then_the_unrated_by_lot():
    orders = set()
    for number in range(30):
        world = World(setup(), server_seed=f"{number:064x}")
        world.register("ada", "bo", "cy", "dee", "eva")
        world.do(StartTournament({"cy": 30, "eva": 31, "ada": 30}))
        orders.add(tuple(ids(world)))
        assert [entrant.number for entrant in world.tournament.entrants] == [1, 2, 3, 4, 5]
    assert {order[0] for order in orders} == {"eva"}
    assert {frozenset(order[1:3]) for order in orders} == {frozenset({"ada", "cy"})}
    assert len(orders) == 4, "equal and unrated entrants stand by lot"


def test_t_3_starting_ranks_by_lot_follow_from_the_seed():
    def order(seed: int) -> tuple[str, ...]:
        world = World(setup(rank_by=RankBy.LOT), server_seed=f"{seed:064x}")
        world.register("ada", "bo", "cy")
        world.do(StartTournament({"ada": 99}))
        return tuple(ids(world))

    assert order(1) == order(1)
    assert len({order(seed) for seed in range(20)}) == 6


def test_t_3_the_organiser_orders_the_entrants():
    world = entered("ada", "bo", "cy", "dee", rank_by=RankBy.ORGANISER)
    assert world.refusal(OrderEntrants(("ada", "ada"))) == "entrant_twice"
    assert world.refusal(OrderEntrants(("zoe",))) == "no_such_entrant"
    world.do(OrderEntrants(("dee", "bo", "ada")))
    world.do(Withdraw("bo"))
    world.do(StartTournament({"cy": 99}))
    assert ids(world) == ["dee", "ada", "cy"], "those left out follow in order of arrival"
    assert world.refusal(OrderEntrants(("ada",))) == "tournament_started"


def test_t_3_starting_ranks_by_rating_cannot_be_ordered():
    assert entered("ada").refusal(OrderEntrants(("ada",))) == "not_ordered_by_hand"


def test_t_2_a_start_needs_registration_and_two_entrants():
    world = World(setup())
    assert world.refusal(StartTournament({})) == "registration_closed"
    world.register("ada")
    assert world.refusal(StartTournament({})) == "too_few_entrants"
    world.do(Enter(player="bo"))
    assert world.refusal(StartTournament({"zoe": 1})) == "unknown_entrant"
    world.do(StartTournament({}))
    assert world.refusal(StartTournament({})) == "tournament_started"


def test_t_7_between_rounds_an_entrant_leaves_immediately():
    world = started("ada", "bo", "cy", "dee", **MANUAL)
    world.do(Withdraw("dee"))
    assert world.tournament.entrants[3].left_after == 0
    assert world.refusal(Withdraw("dee")) == "entrant_left"
    assert world.refusal(Withdraw("zoe")) == "no_such_entrant"
    assert world.refusal(Enter(player="dee")) == "too_late"


def test_t_7_a_pairing_that_has_not_started_is_redone():
    world = started("ada", "bo", "cy", "dee", **MANUAL)
    world.do(asked.OpenRound(1))
    events = world.do(Withdraw("dee"))
    assert [event.wire for event in events] == ["tournament.withdrew", "tournament.pairing_dropped"]
    assert paired(world.tournament) is None
    assert due(world.tournament, world.now) == asked.OpenRound(1), "although rounds are opened by hand"
    world.settle()
    assert paired(world.tournament) is not None
    assert next_step(world.tournament) is None
    world.do(StartRound(1))
    assert unplayed(world, 4, 1) is Why.WITHDRAWN


@pytest.mark.parametrize(
    "leaving", [Withdraw("eva"), Expel("eva", "they cheat")], ids=["leaves", "is expelled"]
)
@pytest.mark.parametrize(
    "bye",
    [asked.RequestBye("eva", 1), asked.AssignBye("eva", 1, Fraction(1), "they are ill")],
    ids=["requested", "assigned"],
)
def test_t_7_an_entrant_who_leaves_before_the_round_starts_has_no_bye_in_it(leaving, bye):
    world = started("ada", "bo", "cy", "dee", "eva", **MANUAL, seats=2)
    world.do(bye)
    world.do(asked.OpenRound(1))
    world.do(leaving)
    world.settle()
    world.do(StartRound(1))
    assert unplayed(world, 5, 1) is Why.WITHDRAWN


def test_t_7_an_early_round_is_redone_on_the_organisers_terms():
    world = started("ada", "bo", "cy", "dee", **MANUAL)
    world.do(asked.OpenRound(1))
    world.do(StartRound(1))
    world.settle()
    early = asked.OpenRound(2, early=True, reason="the hall closes")
    world.do(early)
    world.do(Expel("dee", "they left the hall"))
    assert due(world.tournament, world.now) == early


def test_t_7_a_pairing_is_redone_immediately_even_if_its_sitting_is_later():
    world = started("ada", "bo", "cy", **MANUAL, sittings=(Sitting(rounds=2, starts_at=10**15),))
    world.do(asked.OpenRound(1))
    world.do(Withdraw("cy"))
    assert due(world.tournament, world.now) == asked.OpenRound(1)


def test_t_7_a_single_entrant_is_not_paired_again():
    world = started("ada", "bo", **MANUAL)
    world.do(asked.OpenRound(1))
    world.do(Withdraw("bo"))
    assert next_step(world.tournament) is None


def test_t_7_a_pairing_stays_when_an_entrant_outside_it_leaves():
    world = started("ada", "bo", "cy", "dee", **MANUAL)
    world.do(asked.SayAbsent("dee"))
    world.do(asked.OpenRound(1))
    assert len(world.do(Withdraw("dee"))) == 1
    assert paired(world.tournament) is not None


def test_t_7_during_a_round_an_entrant_finishes_their_table_first():
    world = started("ada", "bo", "cy", "dee")
    world.settle()
    world.do(Withdraw("dee"))
    assert world.tournament.entrants[3].left_after == 1
    assert not seats_to_resign(world.tournament)
    world.end_all()
    world.settle()
    assert unplayed(world, 4, 1) is None, "the result of their table stands"
    assert unplayed(world, 4, 2) is Why.WITHDRAWN


def test_t_7_an_expelled_entrant_gives_up_the_seat_and_results_stand():
    world = started("ada", "bo", "cy", "dee")
    world.settle()
    assert world.refusal(Expel("dee", " ")) == "invalid_reason"
    assert world.refusal(Expel("dee", "x" * 501)) == "invalid_reason"
    world.do(Expel("dee", "took cards from the pile"))
    (seat,) = seats_to_resign(world.tournament)
    table = next(iter(world.open.values()))
    assert (seat.table, seat.entrant) == (table.table, "dee")
    assert table.seats[seat.seat].player == "dee"
    world.settle()
    assert not seats_to_resign(world.tournament)
    assert world.refusal(asked.ConfirmGivenUp("dee", seat.table)) == "no_seat_due"
    world.play()
    dee = crosstable(world.tournament).entrants[3]
    assert (dee.is_expelled, dee.left_after) == (True, 1)
    assert unplayed(world, 4, 1) is None


def test_t_7_an_entrant_who_left_can_be_expelled_once():
    world = started("ada", "bo", "cy", "dee", **MANUAL)
    world.do(Withdraw("dee"))
    world.do(Expel("dee", "sold a seat"))
    assert world.refusal(Expel("dee", "again")) == "already_expelled"


def test_t_7_an_entrant_expelled_before_the_start_cannot_enter_again():
    world = entered("ada", "bo", "cy")
    world.do(Expel("cy", "a second account"))
    assert ids(world) == ["ada", "bo"]
    assert world.refusal(Enter(player="cy")) == "entrant_expelled"


@pytest.mark.parametrize("late_until", [0, 3])
def test_t_7_entering_after_an_expulsion_is_refused_as_expelled(late_until):
    world = started("ada", "bo", "cy", "dee", late_until=late_until)
    world.do(Expel("dee", "a second account"))
    assert world.refusal(Enter(player="dee")) == "entrant_expelled"
    world.do(Withdraw("cy"))
    assert world.refusal(Enter(player="cy")) == ("already_entered" if late_until else "too_late")


def test_t_7_an_expelled_bots_seat_is_resigned_too():
    world = started("ada", "bo", bots=1)
    world.settle()
    world.do(Expel("bot:1", "too good"))
    (seat,) = seats_to_resign(world.tournament)
    assert seat.entrant == "bot:1"


def test_t_8_late_entrants_get_the_next_rank_and_the_score_of_missed_rounds():
    world = started("ada", "bo", "cy", "dee", late_until=2, late_score=Fraction(1, 2))
    world.settle()
    world.do(Enter(player="eva"))
    eva = world.tournament.entrants[4]
    assert (eva.number, eva.from_round) == (5, 2)
    assert unplayed(world, 5, 1) is Why.LATE
    world.end_all()
    world.settle()
    assert unplayed(world, 5, 2) is None
    assert world.refusal(Enter(player="fay")) == "too_late"


def test_t_8_late_entrants_join_the_round_after_one_that_is_paired():
    world = started("ada", "bo", late_until=3, **MANUAL)
    world.do(asked.OpenRound(1))
    world.do(Enter(player="cy"))
    assert world.tournament.entrants[2].from_round == 2


def test_t_8_late_entrants_respect_the_cap_and_forbidden_pairs():
    world = started("ada", "bo", "cy", late_until=3, cap=3, forbidden=(("dee", "bo"),), **MANUAL)
    assert world.tournament.terms.forbidden == ()
    assert world.refusal(Enter(player="dee")) == "tournament_full"
    world.do(Withdraw("ada"))
    world.do(Enter(player="dee"))
    assert world.tournament.terms.forbidden == ((2, 4),)


@pytest.mark.parametrize("format_", [Format.KNOCKOUT, Format.ROUND_ROBIN])
def test_t_8_round_robins_and_knockouts_take_nobody_late(format_):
    form: Setup = setup(format=format_, seats=2, sittings=(Sitting(),))
    world = World(form)
    world.begin("ada", "bo")
    assert world.refusal(Enter(player="cy")) == "too_late"
