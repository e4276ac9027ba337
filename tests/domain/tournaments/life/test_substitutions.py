"""Substitutions (T-19), and what administrators reverse (V-7)."""

from typing import Any

import pytest

from hoodwink.domain.cards import commitment
from hoodwink.domain.tables.proving.proof import replayed
from hoodwink.domain.tournaments.crosstable import Why
from hoodwink.domain.tournaments.life import (
    AddRounds,
    Advance,
    AssignBye,
    CheckIn,
    DeclinePlace,
    Enter,
    Expel,
    Finish,
    MarkAbsent,
    NameArbiter,
    NameCoOrganiser,
    OfferPlace,
    OpenCheckIn,
    OpenRound,
    RemoveArbiter,
    RequestBye,
    RevealEntrantSeed,
    ReverseAbsence,
    ReverseAddedRounds,
    ReverseSubstitution,
    ReverseWithdrawal,
    RuleResult,
    SayAbsent,
    Sitting,
    StartRound,
    StartTournament,
    TakePlace,
    Withdraw,
    WithdrawEntrant,
    crosstable,
    placings_of,
    seats_to_resign,
    standings_of,
)
from hoodwink.domain.tournaments.life.events import MarkedAbsent
from hoodwink.domain.tournaments.life.facts import may_see
from hoodwink.domain.tournaments.life.proving.verify import TOURNAMENT
from hoodwink.domain.tournaments.life.setup import ArenaTimes
from hoodwink.domain.tournaments.scoring import HALF
from hoodwink.domain.tournaments.terms import Format
from hoodwink.service.application.reading.official_acts import journal_of
from tests.tournaments.world import World, setup

FOUR = ("ada", "bob", "cy", "dee")


def started(*players: str, **changes: Any) -> World:
    world = World(setup(**({"seats": 2, "advance": Advance.MANUAL} | changes)))
    world.begin(*(players or FOUR))
    return world


def play(world: World, number: int) -> None:
    begin(world, number)
    world.end_all()


def begin(world: World, number: int) -> None:
    if len(world.tournament.rounds) < number:
        world.do(OpenRound(number))
    world.do(StartRound(number))
    world.settle()


def substitute(world: World, entrant: str = "ada", player: str = "eve", **given: Any) -> None:
    world.do(OfferPlace(entrant, player, "olga", "ill"))
    world.do(TakePlace(player, **given))
    world.settle()


def players(world: World) -> list[set[str]]:
    """Returns the players at the open tables."""
    return [{who.player for who in order.seats} for order in world.open.values()]


def place(world: World, number: int = 1) -> Any:
    return world.tournament.entrants[number - 1]


def test_t_19_a_substitute_takes_over_score_number_and_opponents_from_the_next_round_on():
    world = started()
    begin(world, 1)
    before = players(world)
    substitute(world)
    assert players(world) == before, "the entrant finishes the table in play"
    (opponent,) = next(seated for seated in before if "ada" in seated) - {"ada"}
    world.end_all()
    scores = {row.entrant: row.score for row in standings_of(world.tournament).rows}

    begin(world, 2)

    assert place(world).id == "eve"
    assert any("eve" in seated for seated in players(world))
    assert not any("ada" in seated for seated in players(world))
    assert {"eve", opponent} not in players(world), "the opponents of the place count (P-4)"
    assert {row.entrant: row.score for row in standings_of(world.tournament).rows} == scores
    assert (place(world).player_in(1), place(world).player_in(2)) == ("ada", "eve")
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_19_a_pairing_that_has_not_started_is_made_again_with_the_substitute():
    world = started()
    world.do(OpenRound(1))
    events = world.do(OfferPlace("ada", "eve", "olga", "ill"))
    assert [event.wire for event in events] == ["tournament.place_offered"]
    events = world.do(TakePlace("eve"))
    assert [event.wire for event in events] == [
        "tournament.entrant_substituted",
        "tournament.pairing_dropped",
    ]
    world.settle()
    begin(world, 1)
    assert any("eve" in seated for seated in players(world))


def test_t_19_the_substitute_agrees_or_declines():
    world = started()
    assert world.refusal(TakePlace("eve")) == "no_place_offered"
    world.do(OfferPlace("ada", "eve", "olga", "ill"))
    assert world.refusal(OfferPlace("bob", "eve", "olga", "ill")) == "place_offered"
    world.do(DeclinePlace("eve"), by="entrant:eve")
    assert world.refusal(TakePlace("eve")) == "no_place_offered"
    world.do(OfferPlace("ada", "eve", "olga", "ill"))
    events = world.do(OfferPlace("ada", "fay", "olga", "ill"))
    assert [event.wire for event in events] == ["tournament.place_declined", "tournament.place_offered"]
    world.do(DeclinePlace("fay"), by="organiser")
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_19_nobody_plays_for_two_entrants():
    world = started()
    world.do(NameArbiter("ann"))
    assert world.refusal(OfferPlace("ada", "bob", "olga", "ill")) == "already_entered"
    assert world.refusal(OfferPlace("ada", "ann", "olga", "ill")) == "arbiter_plays"
    assert world.refusal(OfferPlace("ada", "olga", "olga", "ill")) == "own_place"
    assert world.refusal(OfferPlace("ada", "eve", "ann", "ill")) == "not_an_official", "arbiters do not"
    assert world.refusal(OfferPlace("ada", "eve", "olga", " ")) == "invalid_reason"
    substitute(world)
    assert world.refusal(OfferPlace("bob", "ada", "olga", "ill")) == "already_entered"
    assert world.refusal(OfferPlace("eve", "ada", "olga", "well again")) == "", "the same place"


def test_t_19_somebody_expelled_before_the_start_takes_no_place():
    world = World(setup(seats=2, advance=Advance.MANUAL))
    world.register(*FOUR, "eve")
    world.do(Expel("eve", "rude"))
    world.do(StartTournament({}))
    assert world.refusal(OfferPlace("ada", "eve", "olga", "ill")) == "entrant_expelled"


def test_t_19_who_was_substituted_does_not_enter_again():
    world = started(late_until=2)
    substitute(world)
    assert world.refusal(Enter(player="ada")) == "already_entered"
    assert may_see(world.tournament, "ada", is_invited=False)


def test_t_19_a_place_is_offered_ten_times():
    world = started()
    for number in range(10):
        world.do(OfferPlace("ada", f"eve{number}", "olga", "ill"))
    assert world.refusal(OfferPlace("ada", "fay", "olga", "ill")) == "too_many_place_offers"


def test_t_19_a_place_is_handed_over_as_long_as_a_round_follows():
    world = started(sittings=(Sitting(rounds=1),))
    world.do(OpenRound(1))
    assert world.refusal(OfferPlace("ada", "eve", "olga", "ill")) == ""
    world.do(StartRound(1))
    assert world.refusal(OfferPlace("ada", "eve", "olga", "ill")) == "last_round"


def test_t_19_the_place_of_an_entrant_who_withdrew_is_taken_over_but_not_that_of_an_expelled_one():
    world = started()
    world.do(WithdrawEntrant("ada", "olga", "ill"))
    play(world, 1)
    substitute(world)
    begin(world, 2)
    assert any("eve" in seated for seated in players(world))
    (missed,) = [each for each in crosstable(world.tournament).rounds[0].unplayed if each.entrant == 1]
    assert missed.why is Why.WITHDRAWN
    assert missed.score == 0
    world.do(Expel("bob", "rude"))
    assert world.refusal(OfferPlace("bob", "fay", "olga", "ill")) == "entrant_left"


def test_t_19_later_byes_lapse_and_used_ones_count():
    world = started(requested_byes=1)
    world.do(RequestBye("ada", 1))
    world.do(AssignBye("ada", 2, HALF * 2, "travels"))
    play(world, 1)
    substitute(world)
    assert (place(world).byes, place(world).assigned) == ((1,), ())
    assert world.refusal(RequestBye("eve", 2)) == "too_many_byes"
    early = started(requested_byes=1)
    early.do(RequestBye("ada", 2))
    substitute(early)
    assert place(early).byes == ()
    assert early.refusal(RequestBye("eve", 2)) == "", "a bye that lapsed does not count as requested"


def test_t_19_t_14_the_substitute_has_a_seed_of_their_own():
    seed = "e" * 64
    world = started()
    world.do(CheckIn("ada", commitment("a" * 64)))
    world.do(OpenRound(1))
    world.do(RevealEntrantSeed("ada", "a" * 64))
    world.settle()
    begin(world, 1)
    substitute(world, seed_commitment=commitment(seed))
    assert world.tournament.rounds[0].seeds[0] == "a" * 64
    assert place(world).seed == ""
    world.end_all()
    world.do(OpenRound(2))
    world.do(RevealEntrantSeed("eve", seed))
    world.settle()
    assert world.tournament.rounds[1].seeds[0] == seed


def test_t_19_t_4_taking_the_place_is_a_check_in():
    world = started(check_in=60)
    world.settle()
    world.do(OpenCheckIn(1))
    substitute(world)
    assert place(world).checked_in == 1


def test_t_19_the_forbidden_pairs_of_both_hold():
    world = started(forbidden=(("ada", "bob"), ("eve", "cy")))
    assert world.tournament.terms.forbidden == ((1, 2),)
    substitute(world)
    assert world.tournament.terms.forbidden == ((1, 2), (1, 3))


def test_t_19_v_6_nobody_rules_on_the_tables_of_a_place_that_they_held():
    world = started("olga", *FOUR[1:])
    world.do(NameCoOrganiser("fay"))
    play(world, 1)
    own = next(match.number for match in world.tournament.rounds[0].matches if 1 in match.deals[0].seats)
    world.do(OfferPlace("olga", "eve", "fay", "busy"))
    world.do(TakePlace("eve"))
    world.do(NameCoOrganiser("eve"))
    for official in ("olga", "eve"):
        ruling = RuleResult(round=1, board=own, official=official, places=(1, 2), reason="a mistake")
        assert world.refusal(ruling) == "own_table"


def test_t_19_t_7_an_expelled_substitute_resigns_no_seat_of_the_player_before():
    world = started()
    begin(world, 1)
    substitute(world)
    world.do(Expel("eve", "rude"))
    assert seats_to_resign(world.tournament) == ()


def test_t_19_in_a_knockout_only_those_still_in_have_substitutes():
    world = started(format=Format.KNOCKOUT, sittings=(Sitting(),), tiebreaks=())
    play(world, 1)
    board = world.tournament.rounds[0].matches[0]
    winner, loser = (world.tournament.entrants[number - 1].id for number in board.deals[0].seats)
    assert world.refusal(OfferPlace(loser, "eve", "olga", "ill")) == "entrant_left"
    substitute(world, winner)
    begin(world, 2)
    assert any("eve" in seated for seated in players(world))


def test_t_19_an_organiser_who_plays_hands_over_no_opponents_place_where_that_can_be_a_win():
    world = started("olga", *FOUR[1:], format=Format.KNOCKOUT, sittings=(Sitting(),), tiebreaks=())
    assert world.refusal(OfferPlace("bob", "eve", "olga", "ill")) == "own_contest"


@pytest.mark.parametrize(
    ("appears", "placed"), [(True, {"bob", "cy", "dee", "eve"}), (False, {"bob", "cy", "dee"})]
)
def test_t_19_s_7_a_substitute_has_a_final_place_only_after_an_appearance_of_their_own(appears, placed):
    world = started()
    play(world, 1)
    substitute(world)
    begin(world, 2)
    for table, order in list(world.open.items()):
        absent = [seat for seat, who in enumerate(order.seats) if who.player == "eve" and not appears]
        world.end(table, points=(1, 0), no_shows=tuple(absent))
    world.settle()
    world.do(Finish("Enough."))
    world.settle()

    assert {placing.player for placing in placings_of(world.tournament)} == placed


def test_t_19_an_arena_has_no_substitutes():
    world = World(setup(format=Format.ARENA, sittings=(Sitting(),), turn_seconds=60), arena=ArenaTimes(20, 1))
    world.begin(*FOUR)
    assert world.refusal(OfferPlace("ada", "eve", "olga", "ill")) == "no_substitutes"


# ------------------------------------------------------------------------------------- reversals


def test_v_7_a_reversed_substitution_gives_the_place_back_from_the_next_round_on():
    world = started()
    substitute(world)
    play(world, 1)
    world.do(ReverseSubstitution("eve", "not agreed"))
    assert place(world).id == "ada"
    assert world.refusal(ReverseSubstitution("ada", "again")) == "nothing_to_reverse"
    begin(world, 2)
    assert any("ada" in seated for seated in players(world))
    assert (place(world).player_in(1), place(world).player_in(2)) == ("eve", "ada")
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_v_7_a_reversed_absence_pairs_the_entrant_again():
    world = started()
    world.do(MarkAbsent("ada", "olga", "no answer"))
    world.do(OpenRound(1))
    world.do(ReverseAbsence("ada", "she was there"))
    world.settle()
    assert 1 in {number for match in world.tournament.rounds[0].matches for number in match.deals[0].seats}
    assert world.refusal(ReverseAbsence("ada", "again")) == "nothing_to_reverse"
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_v_7_an_absence_is_not_reversed_after_its_sitting():
    world = started(sittings=(Sitting(rounds=1), Sitting(rounds=2)))
    world.do(MarkAbsent("ada", "olga", "no answer"))
    assert world.refusal(ReverseAbsence("ada", "came")) == ""
    play(world, 1)
    assert world.refusal(ReverseAbsence("ada", "came")) == "nothing_to_reverse"


def test_v_7_a_reversed_withdrawal_lets_the_entrant_play_on():
    world = started()
    world.do(WithdrawEntrant("ada", "olga", "ill"))
    play(world, 1)
    world.do(ReverseWithdrawal("ada", "a mix-up"))
    begin(world, 2)
    assert any("ada" in seated for seated in players(world))
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_v_7_a_withdrawal_can_be_reversed_after_the_substitution_that_followed_it():
    world = started()
    world.do(WithdrawEntrant("ada", "olga", "ill"))
    substitute(world)
    world.do(ReverseSubstitution("eve", "a mix-up"))
    assert place(world).left_after == 0
    world.do(ReverseWithdrawal("ada", "a mix-up, too"))
    begin(world, 1)

    assert any("ada" in seated for seated in players(world))
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_v_7_only_decisions_of_officials_are_reversed():
    world = started()
    world.do(SayAbsent("ada"))
    world.do(Withdraw("bob"))
    for command in (
        ReverseAbsence("ada", "why"),
        ReverseWithdrawal("bob", "why"),
        ReverseSubstitution("cy", "why"),
    ):
        assert world.refusal(command) == "nothing_to_reverse"
    assert world.refusal(ReverseAddedRounds("why")) == "nothing_to_reverse"


def test_v_7_added_rounds_are_taken_back_until_the_first_of_them_is_paired():
    world = started(sittings=(Sitting(rounds=1),))
    world.do(AddRounds(1, "olga", "time is left"))
    world.do(AddRounds(2, "olga", "more time"))
    play(world, 1)
    world.do(ReverseAddedRounds("too long"))
    assert (world.tournament.terms.rounds, world.tournament.setup.rounds) == (2, 2)
    world.do(OpenRound(2))
    assert world.refusal(ReverseAddedRounds("too long")) == "round_paired"
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_v_8_the_journal_says_which_decisions_were_reversed():
    world = started()
    world.do(AddRounds(1, "olga", "time is left"))
    for _ in range(2):
        world.do(MarkAbsent("ada", "olga", "no answer"))
        world.do(ReverseAbsence("ada", "she was there"))
    world.do(MarkAbsent("ada", "olga", "no answer"))
    world.do(WithdrawEntrant("bob", "olga", "ill"))
    world.do(ReverseWithdrawal("bob", "a mix-up"))
    substitute(world, "bob")
    world.do(ReverseSubstitution("eve", "not agreed"))
    world.do(ReverseAddedRounds("too long"))

    acts = {act.recorded.entry.version: act for act in journal_of(reversed(world.log), "olga")}

    undone = [
        (act.recorded.event.wire, acts[act.reversed_by].recorded.event.wire)
        for act in acts.values()
        if act.reversed_by is not None
    ]
    assert undone == [
        ("tournament.place_offered", "tournament.substitution_reversed"),
        ("tournament.entrant_withdrawn", "tournament.withdrawal_reversed"),
        *[("tournament.marked_absent", "tournament.absence_reversed")] * 2,
        ("tournament.rounds_added", "tournament.added_rounds_reversed"),
    ]
    absences = [version for version, act in acts.items() if isinstance(act.recorded.event, MarkedAbsent)]
    assert [acts[version].reversed_by for version in absences] == [None, absences[1] + 1, absences[2] + 1]


def test_v_7_a_place_is_not_given_back_to_somebody_who_is_an_arbiter_now():
    world = started()
    substitute(world)
    world.do(NameArbiter("ada"))
    assert world.refusal(ReverseSubstitution("eve", "not agreed")) == "arbiter_plays"


def test_v_8_the_journal_names_an_arbiter_who_resigned():
    world = started()
    world.do(NameArbiter("ann"))
    world.do(RemoveArbiter("ann"), by="entrant:ann")

    resigned, named, *_ = journal_of(reversed(world.log), "olga")
    assert (resigned.recorded.event.wire, resigned.official) == ("tournament.arbiter_removed", "ann")
    assert named.official == "olga"


@pytest.mark.parametrize("decided", [ReverseAbsence, ReverseWithdrawal, ReverseSubstitution])
def test_v_7_a_reversal_needs_a_reason(decided):
    world = started()
    world.do(MarkAbsent("ada", "olga", "no answer"))
    if decided is ReverseWithdrawal:
        world.do(WithdrawEntrant("ada", "olga", "ill"))
    entrant = "ada"
    if decided is ReverseSubstitution:
        substitute(world)
        entrant = "eve"
    assert world.refusal(decided(entrant, " ")) == "invalid_reason"
