"""The host enters an exposure that a player made outside the service."""

import pytest

from hoodwink.domain.tables.proving.log import export_log
from hoodwink.domain.tables.proving.verify import verify_log
from tests.service.http.api import problem

EXPOSE = {"type": "expose_pocket", "owner": 1, "slot": 0}


ON = {"exposure_actions": True}


@pytest.fixture
def bob(api):
    return api.person("Bob")


@pytest.fixture
def host(api):
    return api.person("Holly")


def open_table(host, *people, bots=0, **options):
    """Returns the path of a Double Blind table with these people and bots, but without its host."""
    form = {"game": "double_blind", "seats": len(people) + bots, "options": options}
    path = host.post("/v1/tables", form).headers["Location"]
    for person in people:
        person.post(f"{path}/seats")
    for _ in range(bots):
        host.post(f"{path}/seats", {"policy": "random"})
    return path


def start_table(api, host, path):
    assert host.post(f"{path}/start").status_code == 200
    api.run_due(path)
    return path


@pytest.fixture
def path(api, host, ada, bob):
    """A table of Ada (seat 0) and Bob (seat 1), hosted by Holly without a seat."""
    return start_table(api, host, open_table(host, ada, bob, **ON))


@pytest.fixture
def own_path(api, ada, bob):
    """A table hosted by Ada, who plays on seat 0."""
    return api.playing(ada, bob, game="double_blind", options=ON)


def test_db_42_a_hosts_entry_is_a_marked_action_of_the_offender(api, host, ada, bob, path):
    answer = host.post(f"{path}/seats/1/actions", EXPOSE)

    assert answer.status_code == 200
    exposed = answer.json["events"][0]
    assert (exposed["type"], exposed["by"], exposed["data"]["seat"]) == (
        "double_blind.pocket_exposed",
        "host",
        1,
    )
    for viewer in (host, ada, bob, api.spectator):
        assert viewer.get(f"{path}/events").json["events"][-1]["by"] == "host"
        view = viewer.get(path).json["view"]
        assert [seat["entered_by_host"] for seat in view["seats"]] == [0, 1]
        assert view["view"]["exposures"] == [0, 1]


def test_db_34_db_42_a_playing_host_cannot_enter_exposures(api, ada, bob, own_path):
    before = bob.get(own_path).json["view"]

    for seat in (0, 1):
        problem(ada.post(f"{own_path}/seats/{seat}/actions", EXPOSE), 403, "host_is_seated")

    assert bob.get(own_path).json["view"] == before
    assert not before["supervised"]


def test_db_34_db_42_a_resigned_host_cannot_enter_exposures(api, ada, bob):
    path = api.playing(ada, bob, api.person("Cy"), game="double_blind", options=ON)
    ada.resign(path)

    problem(ada.post(f"{path}/seats/1/actions", EXPOSE), 403, "host_is_seated")


def test_db_34_db_42_a_table_with_an_earlier_player_host_stays_unsupervised(api, host, ada, bob):
    path = host.post("/v1/tables", {"game": "double_blind", "seats": 2, "options": ON}).headers["Location"]
    shown = [api.spectator.get(path).json["view"]["supervised"]]
    for player in (host, ada):
        player.post(f"{path}/seats")
    shown.append(ada.get(path).json["view"]["supervised"])
    host.delete(f"{path}/seats/0")
    bob.post(f"{path}/seats")
    shown.append(ada.get(path).json["view"]["supervised"])

    assert shown == [True, False, False]
    start_table(api, host, path)
    problem(host.post(f"{path}/seats/0/actions", EXPOSE), 403, "host_is_seated")


def test_db_34_a_log_with_the_hosts_entry_is_legal(api, host, ada, path):
    host.post(f"{path}/seats/1/actions", EXPOSE)
    ada.resign(path)

    table = path.rpartition("/")[2]
    assert verify_log(export_log(table, api.service.tables.entries(table))).valid


def test_db_42_only_the_host_enters_exposures(bob, path):
    problem(bob.post(f"{path}/seats/0/actions", EXPOSE), 403, "not_host")


@pytest.mark.parametrize("options", [{}, {"exposure_actions": True, "exposure_limit": 0}])
def test_db_34_disabled_exposures_are_refused_to_players_and_host(api, host, ada, bob, options):
    path = start_table(api, host, open_table(host, ada, bob, **options))

    assert not ada.get(path).json["view"]["supervised"]
    problem(host.post(f"{path}/seats/1/actions", EXPOSE), 403, "not_for_host")
    code = "exposure_limit_reached" if options else "exposures_off"
    problem(bob.post(f"{path}/actions", EXPOSE), 422, code)
    for player in (ada, bob):
        assert player.get(f"{path}/legal-actions").json["offences"] == []


def test_db_34_offences_are_listed_separately_from_plays(ada, bob, path):
    legal = [player.get(f"{path}/legal-actions").json for player in (ada, bob)]

    assert sorted(bool(answer["actions"]) for answer in legal) == [False, True]
    for answer in legal:
        assert {action["type"] for action in answer["actions"]} <= {"play_pocket", "bribe"}
        assert {action["type"] for action in answer["offences"]} == {"expose_pocket", "expose_sleeve"}
    assert bob.post(f"{path}/actions", legal[1]["offences"][0]).status_code == 200


def test_db_34_a_conflict_lists_offences_separately_from_plays(bob, path):
    legal = bob.get(f"{path}/legal-actions").json
    answer = bob.post(f"{path}/actions", {**EXPOSE, "expected_version": 1})

    conflict = problem(answer, 409, "version_conflict")
    assert conflict["legal_actions"] == legal["actions"]
    assert conflict["legal_offences"] == legal["offences"]


@pytest.mark.parametrize(
    "action", [{"type": "expose_sleeve", "card": "AS"}, {"type": "play_pocket", "slot": 0}]
)
def test_g_10_refused_entries_reveal_nothing_to_the_host(host, path, action):
    problem(host.post(f"{path}/seats/1/actions", action), 403, "not_for_host")


def test_the_host_cannot_enter_for_bots_or_resigned_players(api, host, ada, bob):
    path = open_table(host, ada, bob, bots=1, **ON)
    bob.resign(start_table(api, host, path))

    for seat in (1, 2):
        problem(host.post(f"{path}/seats/{seat}/actions", EXPOSE), 403, "not_for_host")


@pytest.mark.parametrize("seat", ["2", "9", "x", "-1", "007"])
def test_an_entry_for_a_nonexistent_seat_is_not_found(host, path, seat):
    problem(host.post(f"{path}/seats/{seat}/actions", EXPOSE), 404, "no_such_seat")


def test_a_game_without_host_entries_refuses_them(api, host, ada, bob):
    path = host.post("/v1/tables", {"game": "blindside", "seats": 2}).headers["Location"]
    for player in (ada, bob):
        player.post(f"{path}/seats")

    problem(
        host.post(f"{start_table(api, host, path)}/seats/1/actions", {"type": "draw", "source": "stock"}),
        403,
        "not_for_host",
    )
