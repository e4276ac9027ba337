"""Passkeys: made at the service's own address, used once per challenge, and erased with the player."""

import pytest

from hoodwink.service.application.players.passkeys import CHALLENGE_MS
from hoodwink.service.settings import Settings
from tests.service.authenticator import Authenticator
from tests.service.http.api import CONFIRMED, Person, problem
from tests.service.http.cup import standing_api
from tests.service.http.players.test_sessions import KEY, listed

PASSKEYS = "/v1/me/passkeys"
SIGN_IN = "/v1/sign-ins/passkey"


@pytest.fixture
def api():
    return standing_api()


@pytest.fixture
def device():
    return Authenticator()


def make(person, device):
    options = person.post(f"{PASSKEYS}/options", data=b"").json["public_key"]
    return person.post(PASSKEYS, {"credential": device.make(options)})


def options(api):
    answer = api.spectator.post("/v1/sign-ins/options", data=b"")
    assert answer.status_code == 200, answer.text
    return answer.json["public_key"]


def sign_in(api, credential, **given):
    return api.spectator.post(SIGN_IN, {"credential": credential}, **given)


def test_a_passkey_signs_in_once_per_challenge(api, ada, device):
    made = make(ada, device)
    assert made.status_code == 201, made.text
    (card,) = made.json["passkeys"]
    assert card == {"passkey": device.id, "device": "A program", "made_at": api.service.clock.now}
    assert ada.get("/v1/me/sign-in").json == made.json
    credential = device.sign(options(api))

    first = sign_in(api, credential, key=KEY)

    assert (first.status_code, first.json["id"]) == (201, ada.id)
    back = Person(api.app, first.json["token"])
    assert listed(back, "how") == [("registration",), ("passkey",)]
    problem(sign_in(api, credential), 403, "passkey_refused")
    # A counter that stands still means a copy of the key.
    device.count -= 1
    problem(sign_in(api, device.sign(options(api))), 403, "passkey_refused")
    assert sign_in(api, device.sign(options(api))).status_code == 201


def test_a_removed_passkey_is_refused(api, ada, device):
    make(ada, device)
    assert ada.delete(f"{PASSKEYS}/{device.id}").json["passkeys"] == []

    problem(sign_in(api, device.sign(options(api))), 403, "passkey_refused")


def test_an_erased_player_leaves_no_passkey(api, ada, device):
    make(ada, device)
    ada.post("/v1/players/me/erase", CONFIRMED)

    assert api.service.passkey_store.of(ada.id) == {}
    problem(sign_in(api, device.sign(options(api))), 403, "passkey_refused")


def test_challenges_expire_and_have_one_purpose_and_one_player(api, ada, bob, device):
    begun = ada.post(f"{PASSKEYS}/options", data=b"").json["public_key"]
    answer = device.make(begun)
    problem(bob.post(PASSKEYS, {"credential": answer}), 403, "passkey_refused")
    for_signing = device.make({**begun, "challenge": options(api)["challenge"]})
    problem(ada.post(PASSKEYS, {"credential": for_signing}), 403, "passkey_refused")
    assert ada.post(PASSKEYS, {"credential": answer}).status_code == 201
    ada.delete(f"{PASSKEYS}/{device.id}")
    problem(ada.post(PASSKEYS, {"credential": answer}), 403, "passkey_refused")
    make(ada, device)

    late = device.sign(options(api))
    problem(sign_in(api, device.sign(begun)), 403, "passkey_refused")
    api.service.clock.now += CHALLENGE_MS
    problem(sign_in(api, late), 403, "passkey_refused")


def test_the_setting_decides_the_relying_party(ada):
    api = standing_api(Settings(origin="https://play.example.org"))
    ada, evil = api.person(), {"Host": "evil.example.com", "Origin": "https://evil.example.com"}

    begun = ada.post(f"{PASSKEYS}/options", data=b"", headers=evil).json

    assert (begun["origin"], begun["public_key"]["rp"]["id"]) == (
        "https://play.example.org",
        "play.example.org",
    )
    problem(make(ada, Authenticator("https://evil.example.com", "play.example.org")), 403, "passkey_refused")
    problem(make(ada, Authenticator("https://play.example.org", "evil.example.com")), 403, "passkey_refused")
    assert make(ada, Authenticator("https://play.example.org", "play.example.org")).status_code == 201


@pytest.mark.parametrize(
    "origin", ["http://192.0.2.7:8000", "https://[2001:db8::1]", "http://play.example.org"]
)
def test_an_address_without_passkeys_says_so(origin):
    api = standing_api(Settings(origin=origin))

    problem(api.spectator.post("/v1/sign-ins/options", data=b""), 409, "no_passkeys_here")


@pytest.mark.parametrize("rubbish", [{}, {"id": 1, "response": {"clientDataJSON": "e30"}}, {"response": []}])
def test_rubbish_is_refused(api, ada, rubbish):
    problem(sign_in(api, rubbish), 403, "passkey_refused")
    problem(ada.post(PASSKEYS, {"credential": rubbish}), 403, "passkey_refused")
