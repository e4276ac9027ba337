"""A player can be signed in on several devices, sees them, and ends them one by one."""

import pytest

from hoodwink.service.application.players.sessions import MAX_SESSIONS
from hoodwink.service.application.players.sign_ins import LINK_MS
from hoodwink.service.settings import Settings
from tests.service.http.api import CONFIRMED, Person, problem
from tests.service.http.cup import standing_api

SESSIONS = "/v1/me/sessions"
LINKS = "/v1/me/sign-in-links"
KEY = "0123456789abcdef"
DAY_MS = 86_400_000
FIREFOX = {"User-Agent": "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"}


@pytest.fixture
def api():
    return standing_api()


def link_of(person):
    made = person.post(LINKS)
    assert made.status_code == 201, made.text
    return made.json


def redeem(api, code, **given):
    return api.spectator.post("/v1/sign-ins", {"code": code}, **given)


def sign_in(api, person):
    """Returns the same player on another device."""
    made = redeem(api, link_of(person)["code"])
    assert made.status_code == 201, made.text
    return Person(api.app, made.json["token"], made.json["id"])


def listed(person, *fields, **given):
    answer = person.get(SESSIONS, **given)
    assert answer.status_code == 200, answer.text
    return [tuple(card[field] for field in fields) for card in answer.json["sessions"]]


def test_sessions_show_device_and_day_of_last_use(api, ada):
    made = redeem(api, link_of(ada)["code"], headers=FIREFOX)
    phone = Person(api.app, made.json["token"], ada.id)
    assert listed(phone, "session", "device", "how", "current", "last_used") == [
        (1, "A program", "registration", False, "2025-06-15"),
        (2, "Firefox on Android", "link", True, "2025-06-15"),
    ]
    api.service.clock.now += 2 * DAY_MS
    ada.get("/v1/players/me")
    api.service.sessions.store_uses()

    assert listed(phone, "device", "last_used", headers={"User-Agent": "curl"}) == [
        ("A program", "2025-06-17"),
        ("Firefox on Android", "2025-06-17"),
    ]
    renamed = phone.ask("PATCH", f"{SESSIONS}/1", json={"device": "The old laptop"})
    assert [card["device"] for card in renamed.json["sessions"]] == ["The old laptop", "Firefox on Android"]
    api.service.clock.now += DAY_MS
    assert listed(ada, "device", "last_used")[0] == ("The old laptop", "2025-06-18")
    problem(phone.ask("PATCH", f"{SESSIONS}/7", json={"device": "x"}), 404, "session_not_found")


def test_sessions_end_one_by_one_or_all_others(api, ada, bob):
    phone, tablet, desk = [sign_in(api, ada) for _ in range(3)]

    ended = ada.delete(f"{SESSIONS}/2")
    assert [card["session"] for card in ended.json["sessions"]] == [1, 3, 4]
    problem(phone.get("/v1/players/me"), 401, "token_invalid")
    assert ada.delete(f"{SESSIONS}/2").json == ended.json
    problem(ada.delete(f"{SESSIONS}/two"), 404, "session_not_found")
    others = desk.delete(SESSIONS)
    assert [(card["session"], card["current"]) for card in others.json["sessions"]] == [(4, True)]
    for person in (ada, tablet):
        problem(person.get("/v1/players/me"), 401, "token_invalid")
    assert listed(bob, "session") == [(1,)]


def test_a_token_is_replaced_or_revoked_for_its_session_alone(api, ada):
    phone = sign_in(api, ada)

    replaced = phone.post("/v1/players/me/token").json["token"]

    problem(phone.get("/v1/players/me"), 401, "token_invalid")
    assert listed(Person(api.app, replaced), "session") == [(1,), (2,)]
    assert ada.delete("/v1/players/me/token").status_code == 200
    assert listed(Person(api.app, replaced), "session") == [(2,)]


def test_a_stream_token_ends_with_its_session(api, ada):
    phone = sign_in(api, ada)
    tokens = [person.post("/v1/me/stream-tokens", data=b"").json["token"] for person in (ada, phone)]
    assert all(map(api.service.stream_tokens.authenticate, tokens))

    ada.delete(f"{SESSIONS}/2")

    assert [bool(api.service.stream_tokens.authenticate(token)) for token in tokens] == [True, False]


def test_the_session_unused_for_longest_makes_room(api, ada):
    for _ in range(MAX_SESSIONS - 1):
        sign_in(api, ada)
    api.service.clock.now += DAY_MS
    ada.get("/v1/players/me")
    api.service.sessions.store_uses()

    sign_in(api, ada)

    assert listed(ada, "session") == [(1,), *[(number,) for number in range(3, MAX_SESSIONS + 2)]]


def test_an_erased_player_leaves_no_session_and_no_device(api, ada):
    phone = sign_in(api, ada)
    listed(phone, "session", headers=FIREFOX)
    notes = api.service.session_notes
    assert set(notes.of(ada.id)) == {1, 2}

    assert ada.post("/v1/players/me/erase", CONFIRMED).status_code == 200

    assert notes.of(ada.id) == {}
    problem(phone.get("/v1/players/me"), 401, "token_invalid")
    assert phone.post("/v1/players/me/erase", CONFIRMED).status_code == 200  # completes the erasure


# ---------------------------------------------------------------------------------------------- links


def test_a_link_signs_in_once_and_its_answer_can_be_repeated(api, ada):
    link = link_of(ada)
    assert link["url"] == f"http://localhost:8000/signin#{link['code']}"
    first = redeem(api, link["code"], key=KEY)
    assert (first.status_code, first.json["id"], first.json["name"]) == (201, ada.id, "Ada")

    assert redeem(api, link["code"], key=KEY).json == first.json
    for key in (None, KEY[::-1]):
        problem(redeem(api, link["code"], key=key), 403, "sign_in_refused")
    assert listed(ada, "session", "how") == [(1, "registration"), (2, "link")]
    stored = b"".join(
        element
        for name in api.service.client.keys("hw:*:player:*")
        for element in api.service.client.lrange(name, 0, -1)
    )
    assert link["code"].rpartition("_")[2].encode() not in stored


def test_useless_codes_get_the_same_refusal(api, ada):
    replaced, expired = link_of(ada)["code"], link_of(api.person("Cy"))["code"]
    api.service.clock.now += LINK_MS
    phone = sign_in(api, ada)
    orphan = link_of(phone)["code"]
    ada.delete(f"{SESSIONS}/2")
    gone = api.person("Bob")
    left = link_of(gone)["code"]
    gone.post("/v1/players/me/erase", CONFIRMED)
    unknown = f"hwl_nobody00_{'0' * 32}"

    answers = [redeem(api, code) for code in (replaced, expired, orphan, left, unknown, "rubbish")]

    assert {answer.status_code for answer in answers} == {403}
    assert len({answer.data for answer in answers}) == 1
    assert answers[0].json["code"] == "sign_in_refused"


def test_attempts_to_sign_in_are_limited_per_address(still):
    api = standing_api(Settings(sign_ins_per_address="2/hour"))
    for _ in range(2):
        problem(redeem(api, "rubbish"), 403, "sign_in_refused")

    problem(redeem(api, "rubbish"), 429, "too_many_sign_ins")


def test_the_setting_decides_the_origin_of_links(still):
    api = standing_api(Settings(origin="https://play.example.org"))
    ada = api.person()

    made = ada.post(LINKS, headers={"Host": "evil.example.com", "Origin": "https://evil.example.com"})

    assert made.json["url"].startswith("https://play.example.org/signin#hwl_")


def test_a_bot_makes_no_links(api, ada):
    made = ada.post("/v1/me/bots", {"name": "Maia"}).json

    problem(Person(api.app, made["token"]).post(LINKS), 403, "not_for_bots")


# -------------------------------------------------------------------------------------- recovery code


def code_of(person, **given):
    made = person.post("/v1/me/recovery-code", data=b"", **given)
    assert made.status_code == 201, made.text
    return made.json["code"]


def made_at(person):
    return person.get("/v1/me/sign-in").json["recovery_code_made_at"]


def test_a_recovery_code_works_once_however_it_is_typed(api, ada):
    assert made_at(ada) is None
    code = code_of(ada, key=KEY)
    assert code_of(ada, key=KEY) == code  # the answer may have been lost
    assert made_at(ada) == api.service.clock.now
    assert len(code.replace("-", "")) == 20 + len(ada.id)
    ada.delete("/v1/players/me/token")
    typed = code.lower().replace("-", " ").replace("9", "0").replace("8", "1")

    made = redeem(api, typed, key=KEY)
    back = Person(api.app, made.json["token"])
    assert (made.status_code, made.json["id"]) == (201, ada.id)
    assert redeem(api, code, key=KEY).json == made.json
    assert listed(back, "how") == [("recovery_code",)]
    assert made_at(back) is None
    used = redeem(api, code)

    replaced, latest = code_of(back), code_of(back)
    former = redeem(api, replaced)
    assert used.data == former.data
    problem(former, 403, "sign_in_refused")
    assert redeem(api, latest).status_code == 201


def test_an_erased_player_cannot_be_recovered(api, ada):
    code = code_of(ada)
    ada.post("/v1/players/me/erase", CONFIRMED)

    problem(redeem(api, code), 403, "sign_in_refused")
