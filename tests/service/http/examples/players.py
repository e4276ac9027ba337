"""Shows the operations on players."""

from typing import Final

from tests.service.authenticator import Authenticator
from tests.service.http.api import CONFIRMED, Person
from tests.service.http.examples.recorder import Recorder, key

SUBSCRIPTION: Final = {
    "endpoint": "https://push.example.org/a4c1",
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
}
"""A subscription, with the keys of RFC 8291's example."""


def account(recorder: Recorder) -> None:
    """Shows a player's name and tokens, from registration to erasure."""
    show = recorder.show
    ada = Person(recorder.api.app, show(recorder.register("Ada")).json["token"])
    me = show(ada.get("/v1/players/me")).json["id"]
    show(ada.ask("PATCH", "/v1/players/me", json={"name": "Ada L."}))
    show(recorder.nobody.get(f"/v1/players/{me}"))
    recorder.show_problem(recorder.nobody.get("/v1/players/unknown"))
    replaced = show(ada.post("/v1/players/me/token", key=key("another token"))).json["token"]
    ada = Person(recorder.api.app, replaced)
    link = show(ada.post("/v1/me/sign-in-links", data=b"", key=key("a link"))).json
    show(recorder.nobody.post("/v1/sign-ins", {"code": link["code"]}, key=key("another device")))
    show(ada.post("/v1/me/recovery-code", data=b"", key=key("a code to print")))
    show(ada.get("/v1/me/sign-in"))
    device = Authenticator()
    begun = show(ada.post("/v1/me/passkeys/options", data=b"")).json
    show(ada.post("/v1/me/passkeys", {"credential": device.make(begun["public_key"])}, key=key("a passkey")))
    begun = show(recorder.nobody.post("/v1/sign-ins/options", data=b"")).json
    signed = {"credential": device.sign(begun["public_key"])}
    show(recorder.nobody.post("/v1/sign-ins/passkey", signed, key=key("a device with a passkey")))
    show(ada.delete(f"/v1/me/passkeys/{device.id}"))
    show(ada.ask("PATCH", "/v1/me/sessions/1", json={"device": "Kitchen laptop"}))
    show(ada.get("/v1/me/sessions"))
    show(ada.delete("/v1/me/sessions"))
    show(ada.delete("/v1/me/sessions/2"))
    show(ada.post("/v1/me/stream-tokens", data=b""))
    bob = recorder.person("Bob")
    show(ada.ask("PUT", f"/v1/players/me/blocks/{bob.id}"))
    show(ada.get("/v1/players/me/blocks"))
    show(ada.delete(f"/v1/players/me/blocks/{bob.id}"))
    subscribed = show(ada.ask("PUT", "/v1/me/pushes", json=SUBSCRIPTION)).json
    show(ada.get("/v1/me/pushes"))
    show(ada.delete(f"/v1/me/pushes/{subscribed['pushes'][0]['id']}"))
    show(bob.delete("/v1/players/me/token"))
    show(ada.post("/v1/players/me/erase", CONFIRMED))


def bots(recorder: Recorder) -> None:
    """Shows a bot from its registration to its erasure, and a challenge."""
    show = recorder.show
    ada, bob = recorder.person("Ada"), recorder.person("Bob")
    form = {
        "name": "Maia",
        "version": "1.4.2",
        "home_page": "https://example.org/maia",
        "accepts": {"games": ["blindside"], "seats": [2, 3], "tables": 8, "turn_seconds": 10},
    }
    made = show(ada.post("/v1/me/bots", form, key=key("a bot of mine"))).json
    bot = Person(recorder.api.app, made["token"], made["id"])
    show(bot.ask("PUT", "/v1/me/bot", json={"version": "1.5.0", "accepts": form["accepts"]}))
    show(ada.get("/v1/me/bots"))
    recorder.api.service.presence.note_bots([bot.id], now=recorder.clock.now_ms())
    show(recorder.nobody.get("/v1/bots?game=blindside"))
    challenge = {"game": "blindside", "seats": 2, "turn_seconds": 30}
    show(bob.post(f"/v1/players/{bot.id}/challenges", challenge, key=key("a challenge")))
    show(ada.delete(f"/v1/me/bots/{bot.id}"))
