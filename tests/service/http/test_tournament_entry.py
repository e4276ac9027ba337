"""Who may enter a tournament: invitation codes (T-25)."""

import pytest

from hoodwink.service.application.players.identity import Use
from tests.service.http.api import problem
from tests.service.http.cup import Cup, standing_api


@pytest.fixture
def api():
    return standing_api()


@pytest.fixture
def people(api):
    return {name: api.person(name) for name in ("Olga", "Ada", "Bob", "Cy")}


def opened(api, people, **form):
    """Returns a tournament of Olga in registration."""
    cup = Cup(api, people["Olga"], **form)
    cup.command("/registration")
    return cup


def entered(cup):
    return [entrant["name"] for entrant in cup.view["entrants"]]


def test_t_25_a_code_is_needed_to_enter_where_the_organiser_asks_for_it(api, people):
    cup = opened(api, people, invited_only=True)
    ada, olga = people["Ada"], people["Olga"]
    path = f"{cup.path}/entrants"

    refused = problem(ada.post(path), 403, "not_invited")
    wrong = ada.post(path, headers={"Hoodwink-Invitation": "AAAA-AAAA-AAAA"})
    assert problem(wrong, 403, "not_invited") == refused
    sloppy = {name: code.replace("-", "").lower() for name, code in cup.invitation().items()}
    assert ada.post(path, headers=sloppy).status_code == 201
    assert olga.post(path).status_code == 201  # who knows the code
    assert olga.post(path, {"policy": "steady"}).status_code == 201
    assert entered(cup) == ["Ada", "Olga", "Steady bot"]


@pytest.mark.parametrize("form", [{"invited_only": True}, {"visibility": "private"}])
def test_t_25_a_replaced_code_is_worth_nothing(api, people, form):
    cup = opened(api, people, **form)
    old, path = cup.invitation(), f"{cup.path}/entrants"
    people["Ada"].post(path, headers=old)

    cup.command("/invitation")
    new = cup.invitation()

    assert old != new
    assert people["Bob"].post(path, headers=old).status_code in {403, 404}
    assert people["Bob"].post(path, headers=new).status_code == 201
    assert people["Ada"].get(cup.path).status_code == 200
    assert entered(cup) == ["Ada", "Bob"]
    for answer in (cup.get(""), cup.get("/events")):
        assert not any(code in answer.text for code in (*old.values(), *new.values()))


def test_t_25_codes_are_of_one_tournament_only_and_end_with_their_key(api, people):
    cup, other = [opened(api, people, invited_only=True) for _ in range(2)]
    code, path = cup.invitation(), f"{cup.path}/entrants"

    problem(people["Ada"].post(path, headers=other.invitation()), 403, "not_invited")
    api.service.identities.rotate(Use.INVITATIONS)
    problem(people["Ada"].post(path, headers=code), 403, "not_invited")
    assert people["Ada"].post(path, headers=cup.invitation()).status_code == 201


def test_t_25_only_the_organiser_sees_and_replaces_the_code(api, people):
    cup = opened(api, people, invited_only=True)
    ada = people["Ada"]
    ada.post(f"{cup.path}/entrants", headers=cup.invitation())

    problem(ada.get(f"{cup.path}/invitation"), 403, "not_organiser")
    problem(ada.post(f"{cup.path}/invitation"), 403, "not_organiser")
