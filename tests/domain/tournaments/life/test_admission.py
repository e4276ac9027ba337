"""Who may see a tournament (T-24)."""

import pytest

from hoodwink.domain.tournaments.life import (
    UNOPENED,
    Admission,
    Expel,
    NameArbiter,
    OpenTournament,
    RemoveArbiter,
    Visibility,
    Withdraw,
    full_setup_from,
    may_see,
)
from hoodwink.domain.tournaments.life.tables import opening_of
from tests.tournaments.world import SEED, World, setup

PRIVATE = Admission(visibility=Visibility.PRIVATE)
UNLISTED = Admission(visibility=Visibility.UNLISTED)


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
