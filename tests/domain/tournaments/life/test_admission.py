"""Who may see and enter a tournament (T-24 … T-26)."""

import pytest

from hoodwink.domain.tables.proving.proof import replayed
from hoodwink.domain.tournaments.life import (
    OPEN_TO_ALL,
    UNOPENED,
    AcceptEntry,
    Admission,
    DeclineEntry,
    DeclinePlace,
    Enter,
    Expel,
    NameArbiter,
    OfferPlace,
    OpenTournament,
    RemoveArbiter,
    ReplaceInvitation,
    StartTournament,
    Visibility,
    Withdraw,
    allowed_actors,
    full_setup_from,
    is_waiting,
    may_see,
    view_tournament,
)
from hoodwink.domain.tournaments.life.deciding import entry
from hoodwink.domain.tournaments.life.proving.verify import TOURNAMENT
from hoodwink.domain.tournaments.life.tables import opening_of
from hoodwink.domain.tournaments.terms import Compare
from tests.tournaments.world import SEED, World, setup

PRIVATE = Admission(visibility=Visibility.PRIVATE)
UNLISTED = Admission(visibility=Visibility.UNLISTED)


APPROVED = Admission(approval=True)


def approved_world(*players, bots=0, admission=APPROVED, **changes):
    """Returns a tournament in registration that these players ask to enter."""
    world = World(setup(**({"rated": False} | changes)), admission=admission)
    world.register(*players, bots=bots)
    return world


def ids(listed):
    return [each.id for each in listed]


def private_world(*players):
    world = World(setup(rated=False), admission=PRIVATE)
    world.register(*players)
    return world


def sees(world, player, *, is_invited=False):
    return may_see(world.tournament, player, is_invited=is_invited)


def test_t_24_entrants_and_officials_see_a_private_tournament_while_they_belong_to_it():
    world = private_world("ada", "bob", "cy")
    world.do(NameArbiter("eve"))

    assert all(sees(world, player) for player in ("olga", "eve", "ada"))
    assert not any(sees(world, player) for player in ("dee", None))
    assert sees(world, None, is_invited=True)

    world.do(RemoveArbiter("eve"))
    world.do(Withdraw("ada"))
    world.do(Expel("bob", "Rude."))
    assert not any(sees(world, player) for player in ("eve", "ada", "bob"))
    assert sees(world, "cy")


@pytest.mark.parametrize("visibility", [None, Visibility.UNLISTED])
def test_t_24_everybody_sees_any_other_tournament(visibility):
    world = World(
        setup(rated=False), admission=Admission(visibility=visibility) if visibility else Admission()
    )

    assert sees(world, None)
    assert len(world.log) == (2 if visibility else 1)  # the log of a public one is as it was


@pytest.mark.parametrize(
    ("admission", "private", "watch"),
    [(PRIVATE, True, "invited"), (UNLISTED, True, "everyone"), (Admission(), False, "everyone")],
)
def test_t_24_tables_are_as_hidden_as_their_tournament(admission, private, watch):
    world = World(setup(rated=False), admission=admission)
    world.begin("ada", "bob", "cy", "dee")
    world.settle()

    for order in world.open.values():
        opening = opening_of(order).opening
        assert (opening.private, opening.watch, opening.rated) == (private, watch, False)


def test_t_24_r_1_only_a_public_tournament_is_rated():
    world = World(setup())
    world.tournament = UNOPENED
    for admission, rated, code in [(UNLISTED, True, "invalid_setup"), (PRIVATE, False, "")]:
        opening = OpenTournament(
            tournament="spring",
            organiser="olga",
            setup=setup(rated=rated),
            server_seed=SEED,
            admission=admission,
        )
        assert world.refusal(opening) == code
    form = {"name": "Cup", "format": "swiss", "game": "blindside", "seats": 4, "sittings": [{"rounds": 1}]}
    assert full_setup_from(form).rated
    assert not full_setup_from(form | {"visibility": "private"}).rated


def test_t_24_t_19_a_player_sees_a_private_tournament_while_a_place_is_offered_to_them():
    world = private_world("ada", "bob")
    world.do(StartTournament({}))
    assert not sees(world, "eve")
    world.do(OfferPlace("ada", "eve", "olga", "ill"))
    assert sees(world, "eve")
    world.do(DeclinePlace("eve"))
    assert not sees(world, "eve")


def test_t_24_t_26_the_settings_of_admission_have_defaults():
    form = {"name": "Cup", "format": "swiss", "game": "blindside", "seats": 4, "sittings": [{"rounds": 1}]}
    given = {"visibility": "private", "approval": True, "max_rating": 900}

    assert full_setup_from(form).admission == OPEN_TO_ALL
    assert full_setup_from(form | given).admission == Admission(
        visibility=Visibility.PRIVATE, approval=True, max_rating=900
    )


def test_t_26_players_enter_when_the_organiser_accepts_them():
    world = approved_world("ada", "bob", "cy", "olga", bots=1)
    assert ids(world.tournament.entrants) == ["olga", "bot:1"]  # the organiser decides about neither
    assert ids(world.tournament.applicants) == ["ada", "bob", "cy"]

    accepted = world.do(AcceptEntry("bob"))
    world.do(DeclineEntry("cy"))

    assert [event.wire for event in accepted] == ["tournament.entry_accepted", "tournament.entered@2"]
    assert ids(world.tournament.entrants) == ["olga", "bot:1", "bob"]
    assert [(each.id, each.is_declined) for each in world.tournament.applicants] == [
        ("ada", False),
        ("cy", True),
    ]
    refused = [("ada", "entry_requested"), ("bob", "already_entered"), ("cy", "entry_declined")]
    assert [(player, world.refusal(Enter(player=player))) for player, _ in refused] == refused
    assert world.refusal(DeclineEntry("cy")) == "already_declined"
    assert world.refusal(AcceptEntry("dee")) == "no_such_entrant"
    world.do(AcceptEntry("cy"))
    assert ids(world.tournament.entrants) == ["olga", "bot:1", "bob", "cy"]


def test_t_26_only_the_organiser_decides_and_only_the_player_withdraws_the_request():
    world = approved_world("ada")

    assert allowed_actors(world.tournament, AcceptEntry("ada")) == ("organiser",)
    assert allowed_actors(world.tournament, DeclineEntry("ada")) == ("organiser",)
    assert allowed_actors(world.tournament, Withdraw("ada")) == ("entrant:ada",)
    world.do(Withdraw("ada"))
    assert world.tournament.applicants == ()
    assert world.refusal(AcceptEntry("ada")) == "no_such_entrant"
    world.do(Enter(player="ada"))
    assert ids(world.tournament.applicants) == ["ada"]


def test_t_26_nobody_who_withdrew_a_request_asks_again_after_the_start():
    world = approved_world("ada", "bob", "cy", "dee", late_until=1)
    for player in ("bob", "cy", "dee"):
        world.do(AcceptEntry(player))
    world.do(StartTournament({}))
    world.do(Withdraw("ada"))

    assert world.refusal(Enter(player="ada")) == "too_late"
    assert world.refusal(Enter(player="eve")) == ""


def test_t_3_t_26_the_waiting_list_is_in_order_of_the_requests():
    world = approved_world("ada", "bob", "cy", "dee", "eve", cap=2)
    for player in ("eve", "dee", "cy", "ada"):
        world.do(AcceptEntry(player))

    entrants = world.tournament.entrants
    assert ids(entrants) == ["eve", "dee", "ada", "cy"]  # nobody loses a place
    assert [is_waiting(world.tournament, position) for position in range(4)] == [False, False, True, True]


def test_t_8_t_26_an_accepted_late_entrant_has_the_next_rank():
    world = approved_world("ada", "bob", "cy", "dee", late_until=2)
    for player in ("ada", "bob", "cy"):
        world.do(AcceptEntry(player))
    world.do(StartTournament({}))
    world.settle()
    world.do(Enter(player="eve"))

    world.do(AcceptEntry("eve"))
    world.do(AcceptEntry("dee"))

    assert ids(world.tournament.entrants)[-2:] == ["eve", "dee"]
    assert [each.number for each in world.tournament.entrants] == [1, 2, 3, 4, 5]
    assert {each.from_round for each in world.tournament.entrants[-2:]} == {2}
    assert not world.tournament.applicants


def test_t_26_too_late_for_those_who_were_not_accepted_before_the_start():
    world = approved_world("ada", "bob", "cy")
    world.do(AcceptEntry("ada"))
    world.do(AcceptEntry("bob"))
    world.do(StartTournament({}))

    assert world.refusal(AcceptEntry("cy")) == "too_late"
    assert world.refusal(Enter(player="dee")) == "too_late"


def test_t_24_t_26_applicants_see_a_private_tournament_until_they_are_declined():
    world = approved_world(
        "ada", "bob", "cy", admission=Admission(visibility=Visibility.PRIVATE, approval=True)
    )
    assert sees(world, "ada")
    world.do(DeclineEntry("ada"))
    world.do(Withdraw("bob"))
    world.do(AcceptEntry("cy"))

    assert [sees(world, player) for player in ("ada", "bob", "cy")] == [False, False, True]


def test_t_24_t_26_the_log_of_a_private_tournament_follows_from_its_commands():
    world = World(
        setup(rated=False, turn_seconds=60, bye_score=0, seats=3),
        compare=Compare.MATCHPOINTS,
        admission=Admission(visibility=Visibility.PRIVATE, approval=True),
    )
    world.register("ada", "bob")
    world.do(AcceptEntry("ada"))
    world.do(DeclineEntry("bob"))
    world.do(ReplaceInvitation())

    assert replayed(TOURNAMENT, world.log) == world.tournament
    view = view_tournament(world.tournament)
    assert (view.setup.visibility, view.setup.approval, view.setup.compare) == (
        "private",
        True,
        Compare.MATCHPOINTS,
    )
    assert [(each.id, each.is_declined) for each in view.applicants] == [("bob", True)]


def test_t_25_t_26_nobody_fills_the_log(monkeypatch):
    world = approved_world("ada")
    world.do(ReplaceInvitation())
    monkeypatch.setattr(entry, "MAX_ENTRANTS", 1)
    monkeypatch.setattr(entry, "MAX_INVITATIONS", 1)

    assert world.refusal(Enter(player="bob")) == "tournament_full"
    assert world.refusal(ReplaceInvitation()) == "too_many_invitations"
