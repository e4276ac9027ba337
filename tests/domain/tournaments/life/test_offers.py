"""Offers of an entry, which players accept by entering (T-28, T-29)."""

import pytest

from hoodwink.domain.tables.proving.proof import replayed
from hoodwink.domain.tournaments.life import (
    AcceptEntry,
    Admission,
    Cancel,
    DeclineOffer,
    Enter,
    Expel,
    NameArbiter,
    NameCoOrganiser,
    OfferEntries,
    OpenRegistration,
    OrderEntrants,
    RankBy,
    StartTournament,
    Visibility,
    Withdraw,
    WithdrawOffers,
    allowed_actors,
    may_see,
    view_tournament,
)
from hoodwink.domain.tournaments.life.deciding import offers
from hoodwink.domain.tournaments.life.proving.verify import TOURNAMENT
from tests.domain.tournaments.life.test_admission import ids
from tests.tournaments.world import World, setup

CLOSED = Admission(visibility=Visibility.PRIVATE, invited_only=True, approval=True)


def closed_world(*offered, **changes):
    """Returns a private tournament with approval in registration, with offers to these players."""
    world = World(setup(**({"rated": False} | changes)), admission=CLOSED)
    world.do(OpenRegistration())
    if offered:
        world.do(OfferEntries(offered))
    return world


def test_t_28_an_offer_replaces_approval_and_shows_a_private_tournament():
    world = closed_world("ada", "bob")
    assert not world.tournament.entrants  # nobody is entered without doing so
    assert may_see(world.tournament, "ada", is_invited=False)
    assert not may_see(world.tournament, "cy", is_invited=False)

    entered = world.do(Enter(player="ada"))
    world.do(Enter(player="cy"))

    assert [event.wire for event in entered] == ["tournament.entered@2"]
    assert ids(world.tournament.entrants) == ["ada"]
    assert ids(world.tournament.applicants) == ["cy"]
    assert view_tournament(world.tournament).offered == ("bob",)
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_28_declining_is_final_until_offered_once_more():
    world = closed_world("ada", "bob")
    world.do(DeclineOffer("ada"))
    world.do(WithdrawOffers(("bob",)))

    assert not may_see(world.tournament, "ada", is_invited=False)
    assert world.refusal(DeclineOffer("ada")) == "not_offered"
    assert world.refusal(WithdrawOffers(("bob",))) == "not_offered"
    world.do(Enter(player="bob"))  # without an offer, a request
    assert ids(world.tournament.applicants) == ["bob"]

    world.do(OfferEntries(("ada",)))
    world.do(DeclineOffer("ada"))
    assert world.refusal(OfferEntries(("ada",))) == "offered_twice"


def test_t_28_an_accepted_offer_is_used_up():
    world = closed_world("ada")
    world.do(Enter(player="ada"))
    world.do(Withdraw("ada"))
    world.do(Enter(player="ada"))

    assert not world.tournament.entrants
    assert ids(world.tournament.applicants) == ["ada"]


def test_t_28_organisers_offer_and_take_back_and_players_decline():
    world = closed_world("ada")
    world.do(NameCoOrganiser("cleo"))
    both = ("organiser", "co_organiser:cleo")

    assert allowed_actors(world.tournament, OfferEntries(("bob",))) == both
    assert allowed_actors(world.tournament, WithdrawOffers(("ada",))) == both
    assert allowed_actors(world.tournament, DeclineOffer("ada")) == ("entrant:ada",)


@pytest.mark.parametrize(
    ("player", "code"),
    [
        ("ada", "already_offered"),
        ("bob", "already_entered"),
        ("cy", "entrant_expelled"),
        ("dee", "entry_requested"),
        ("eve", "arbiter_plays"),
    ],
)
def test_t_28_all_of_the_players_get_an_offer_or_nobody_does(player, code):
    world = closed_world("ada")
    for entrant in ("bob", "cy", "dee"):
        world.do(Enter(player=entrant))
    world.do(AcceptEntry("bob"))
    world.do(AcceptEntry("cy"))
    world.do(Expel("cy", "Rude."))
    world.do(NameArbiter("eve"))

    assert world.refusal(OfferEntries(("flo", player))) == code
    assert world.refusal(OfferEntries(("flo",))) == ""


def test_t_28_offers_are_bounded(monkeypatch):
    world = closed_world("ada", "bob")
    for players in ((), ("cy", "cy")):
        assert world.refusal(OfferEntries(players)) == "invalid_offer"
    monkeypatch.setattr(offers, "MAX_OFFERED", 2)
    assert world.refusal(OfferEntries(("cy", "dee", "eve"))) == "invalid_offer"
    assert world.refusal(OfferEntries(("cy",))) == "too_many_entries_offered"
    world.do(DeclineOffer("ada"))
    assert world.refusal(OfferEntries(("cy",))) == ""
    monkeypatch.setattr(offers, "MAX_ENTRANTS", 2)
    assert world.refusal(OfferEntries(("cy",))) == "too_many_entries_offered"
    assert world.refusal(OfferEntries(("ada",))) == ""  # she is counted already


def test_t_8_t_28_offers_follow_the_time_to_enter():
    world = World(setup(rated=False, late_until=2, cap=3), admission=CLOSED)
    assert world.refusal(OfferEntries(("ada",))) == "registration_closed"
    world.do(OpenRegistration())
    world.do(OfferEntries(("ada", "bob", "cy")))
    for player in ("ada", "bob"):
        world.do(Enter(player=player))
    world.do(StartTournament({}))
    world.settle()

    world.do(Enter(player="cy"))

    assert world.tournament.entrants[-1].from_round == 2
    assert world.refusal(OfferEntries(("dee",))) == "tournament_full"
    world.do(Cancel("Rain."))
    assert view_tournament(world.tournament).offered == ()
    assert world.refusal(OfferEntries(("dee",))) == "tournament_over"


def test_t_28_nobody_is_offered_what_it_is_too_late_for():
    world = closed_world("ada", "bob", "cy")
    for player in ("ada", "bob"):
        world.do(Enter(player=player))
    world.do(StartTournament({}))

    assert world.refusal(OfferEntries(("dee",))) == "too_late"
    assert world.refusal(Enter(player="cy")) == "too_late"


def test_t_3_t_29_starting_ranks_follow_the_list_where_the_organiser_orders_them():
    world = closed_world("ada", "bob", "cy", rank_by=RankBy.ORGANISER)
    for player in ("cy", "ada", "bob"):
        world.do(Enter(player=player))
    world.do(OrderEntrants(("bob",)))
    world.do(StartTournament({}))

    assert ids(world.tournament.entrants) == ["bob", "ada", "cy"]
