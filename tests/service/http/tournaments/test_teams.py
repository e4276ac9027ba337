"""Teams over HTTP: their names and codes (T-31), and their standings (T-33)."""

import csv

import pytest

from hoodwink.domain.tournaments.life.commands import allowed_actors
from hoodwink.service.http.resources.tournaments import readings
from tests.service.http.api import problem
from tests.service.http.cup import SERIES, Cup, standing_api


@pytest.fixture
def api():
    return standing_api()


def teams(cup, who=None):
    return (who or cup.reader).get(f"{cup.path}/teams").json["teams"]


def code_of(cup, who, team=1):
    return next(each["code"] for each in teams(cup, who) if each["team"] == team)


def cup_of_teams(api, *people, **form):
    cup = Cup(api, api.person("Olga"), seats=2, team_size=2, **form)
    cup.enter(*people)
    return cup


def test_t_31_teams_are_founded_and_joined_with_their_code(api):
    ada, bob, cy, dee = people = [api.person(name) for name in ("Ada", "Bob", "Cy", "Dee")]
    cup = cup_of_teams(api, *people)
    cup.command("/teams", {"name": "The Foxes"}, by=ada)
    cup.command("/teams", {"name": "Owls", "entrant": cy.id})
    code = code_of(cup, ada)
    assert [code_of(cup, who) for who in (None, bob, cy)] == [None, None, None]
    assert [each["code"] is None for each in teams(cup, cup.organiser)] == [False, False]
    assert code != code_of(cup, cy, 2)

    problem(bob.post(f"{cup.path}/team", {"code": "AAAA-AAAA-AAAA"}), 403, "not_invited")
    problem(bob.post(f"{cup.path}/entrants/{bob.id}/team", {"team": 1}), 403, "not_organiser")
    problem(ada.post(f"{cup.path}/entrants/{cy.id}/team", {"team": None}), 403, "not_organiser")
    problem(bob.post(f"{cup.path}/teams", {"name": "Mine", "entrant": dee.id}), 403, "not_organiser")
    cup.command("/team", {"code": code.replace("-", "").lower()}, by=bob)
    problem(dee.post(f"{cup.path}/team", {"code": code}), 422, "team_full")
    cup.command(f"/entrants/{bob.id}/team", {"team": None}, by=bob)
    cup.command("/team", {"code": code_of(cup, cy, 2)}, by=dee)
    assert [each["entrants"] for each in teams(cup)] == [[ada.id], [cy.id, dee.id]]
    cup.command(f"/entrants/{dee.id}/team", {"team": 1})

    assert [(each["name"], each["entrants"]) for each in teams(cup)] == [
        ("The Foxes", [ada.id, dee.id]),
        ("Owls", [cy.id]),
    ]
    said = [event["words"] for event in cup.events("?limit=1000&include=words")][-4:]
    assert said == [
        "Bob joined team 1.",
        "Bob left their team.",
        "Dee joined team 2.",
        "The organiser put Dee into team 1.",
    ]
    assert "Foxes" not in cup.get("/events?include=words").text


def test_t_34_a_code_that_leaked_is_replaced(api):
    ada, bob, cy = people = [api.person(name) for name in ("Ada", "Bob", "Cy")]
    cup = cup_of_teams(api, *people)
    cup.command("/teams", {"name": "Foxes"}, by=ada)
    cup.command("/teams", {"name": "Owls"}, by=cy)
    codes = [code_of(cup, ada), code_of(cup, cy, 2)]
    problem(cy.post(f"{cup.path}/team-code", {"team": 1}), 403, "not_organiser")
    problem(bob.post(f"{cup.path}/team-code", {"team": 1}), 403, "not_organiser")

    cup.command("/team-code", {"team": 1}, by=ada)
    cup.command("/team-code", {"team": 1})

    problem(bob.post(f"{cup.path}/team", {"code": codes[0]}), 403, "not_invited")
    code = code_of(cup, ada)
    assert code != codes[0]
    assert code_of(cup, cy, 2) == codes[1]
    cup.command("/team", {"code": code}, by=bob)
    assert cup.view["team_codes"] == [2, 0]
    said = [event["words"] for event in cup.events("?limit=1000&include=words")]
    assert said[-3:-1] == ["Ada replaced the code of team 1.", "The organiser replaced the code of team 1."]
    assert code not in cup.get("/events").text


def test_t_34_organisers_found_teams_when_entrants_no_longer_may(api, monkeypatch):
    monkeypatch.setattr(allowed_actors, "MAX_FOUNDED_BY_ENTRANTS", 1)
    stranger, ada = people = [api.person(name) for name in ("Sly", "Ada")]
    cup = cup_of_teams(api, *people)
    cup.command("/teams", {"name": "Foxes"}, by=stranger)

    problem(ada.post(f"{cup.path}/teams", {"name": "Owls"}), 403, "not_organiser")

    cup.command("/teams", {"name": "Owls", "entrant": ada.id})
    assert [each["entrants"] for each in teams(cup)] == [[stranger.id], [ada.id]]


def test_t_30_a_series_has_no_teams(api):
    problem(api.person("Olga").post("/v1/series", SERIES | {"team_size": 2}), 400, "invalid_body")


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "a\nb", "\u202eevil", "Steady bot"])
def test_t_31_names_of_teams_follow_the_rules_for_names(api, name):
    ada = api.person("Ada")
    cup = cup_of_teams(api, ada)
    refused = ada.post(f"{cup.path}/teams", {"name": name})
    assert refused.json["code"] in {"invalid_body", "name_illegible", "name_reserved"}
    assert teams(cup) == []


def test_t_31_a_name_can_be_erased_and_no_cache_or_job_keeps_it(api, monkeypatch):
    ada = api.person("Ada")
    cup = cup_of_teams(api, ada, api.person("Bob"))
    cup.command("/teams", {"name": "Rude"}, by=ada)
    cup.command("/start")
    tag = {"If-None-Match": cup.get("/results").headers["ETag"]}
    assert cup.get("/results", headers=tag).status_code == 304
    monkeypatch.setattr(readings, "is_long", lambda *_: True)
    assert "Rude" in cup.get("/team-standings").text
    (digest,) = cup.view["teams"]
    api.service.administration.erase_reason_of("root", digest)
    assert [each["name"] for each in teams(cup)] == ["Team 1"]
    assert "Rude" not in cup.get("/team-standings").text
    assert cup.get("/results", headers=tag).json["teams"] == ["Team 1"]


def test_t_31_the_texts_of_refused_names_are_not_stored(api):
    ada, eve = api.person("Ada"), api.person("Eve")
    cup = cup_of_teams(api, ada)
    kept = []
    api.service.administration._reasons.keep = lambda digest, reason: kept.append(reason.text)
    problem(eve.post(f"{cup.path}/teams", {"name": "Strangers"}), 403, "not_entered")
    assert kept == []


def test_t_24_a_private_tournament_keeps_its_teams_to_itself(api):
    ada, eve = api.person("Ada"), api.person("Eve")
    cup = cup_of_teams(api, ada, visibility="private")
    cup.command("/teams", {"name": "Foxes"}, by=ada)
    code = code_of(cup, ada)
    for refused in (
        eve.get(f"{cup.path}/teams"),
        api.spectator.get(f"{cup.path}/team-standings"),
        eve.post(f"{cup.path}/team", {"code": code}),
        eve.get(f"{cup.path}/teams", headers={"Hoodwink-Invitation": code}),
    ):
        problem(refused, 404, "tournament_not_found")


def test_t_33_teams_are_ranked_after_each_table(api):
    ada, bob, cy, dee = people = [api.person(name) for name in ("Ada", "Bob", "Cy", "Dee")]
    cup = cup_of_teams(api, *people, sittings=[{"rounds": 1}], team_counting=1)
    cup.command("/teams", {"name": "Foxes"}, by=ada)
    cup.command("/team", {"code": code_of(cup, ada)}, by=dee)
    cup.command("/teams", {"name": "=Owls"}, by=cy)
    problem(cup.reader.get(f"{cup.path}/team-standings"), 404, "no_standings")
    cup.command("/start")
    cup.run_due()
    cup.play_round()

    shown = cup.get("/standings").json
    scores = {row["id"]: row["score"] for row in shown["rows"]}
    assert [(row["team"], row["score"], row["counted"]) for row in shown["teams"]] == [
        (1, "1", 1),
        (2, scores[cy.id], 1),
    ]
    sheet = list(csv.DictReader(cup.get("/team-standings").text.splitlines()))
    assert {(row["team_name"], row["name"], row["counts"]) for row in sheet} == {
        ("Foxes", "Ada", "yes"),
        ("Foxes", "Dee", "no"),
        ("'=Owls", "Cy", "yes"),
    }
    assert cup.get("/results").json["teams"] == ["Foxes", "=Owls"]
    assert bob.id in scores
