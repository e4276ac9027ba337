"""The host enters in a player's name what the player did outside the service."""

import pytest

from domain.tables import export_log, verify_log
from tests.service.http.house import problem

EXPOSE = {"type": "expose_pocket", "owner": 1, "slot": 0}


@pytest.fixture
def bob(house):
    return house.person("Bob")


@pytest.fixture
def path(house, ada, bob):
    """A Double Blind table hosted by Ada at seat 0, Bob at seat 1."""
    return house.playing(ada, bob, game="double_blind")


def test_db_42_the_hosts_entry_is_the_same_action_in_the_offenders_name_marked_so(ada, path):
    answer = ada.post(f"{path}/seats/1/actions", EXPOSE)

    assert answer.status_code == 200
    exposed = answer.json["events"][0]
    assert (exposed["type"], exposed["by"], exposed["data"]["seat"]) == (
        "double_blind.pocket_exposed",
        "host",
        1,
    )
    assert answer.json["view"]["view"]["exposures"][1] == 1


def test_db_34_a_log_with_the_hosts_entry_is_legal(house, ada, path):
    ada.post(f"{path}/seats/1/actions", EXPOSE)
    ada.resign(path)

    table = path.rpartition("/")[2]
    assert verify_log(export_log(table, house.service.tables.entries(table))).valid


def test_db_42_nobody_but_the_host_enters(bob, path):
    problem(bob.post(f"{path}/seats/0/actions", EXPOSE), 403, "not_host")


@pytest.mark.parametrize(
    "action", [{"type": "expose_sleeve", "card": "AS"}, {"type": "play_pocket", "slot": 0}]
)
def test_g_10_the_host_learns_nothing_by_entering_other_actions(ada, path, action):
    problem(ada.post(f"{path}/seats/1/actions", action), 403, "not_for_host")


def test_the_host_enters_nothing_for_a_bot_or_for_who_has_resigned(house, ada, bob):
    path = house.playing(ada, bob, game="double_blind", bots=1)
    bob.resign(path)

    for seat in (1, 2):
        problem(ada.post(f"{path}/seats/{seat}/actions", EXPOSE), 403, "not_for_host")


@pytest.mark.parametrize("seat", ["2", "9", "x", "-1", "007"])
def test_a_seat_that_is_not_there(ada, path, seat):
    problem(ada.post(f"{path}/seats/{seat}/actions", EXPOSE), 404, "no_such_seat")


def test_a_game_without_such_actions_takes_none(house, ada, bob):
    path = house.playing(ada, bob)

    problem(ada.post(f"{path}/seats/1/actions", {"type": "draw", "source": "stock"}), 403, "not_for_host")
