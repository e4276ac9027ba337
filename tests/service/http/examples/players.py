"""Shows the operations on players."""

from tests.service.http.api import CONFIRMED, Person
from tests.service.http.examples.recorder import Recorder, key


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
    show(ada.post("/v1/me/stream-tokens", data=b""))
    bob = recorder.person("Bob")
    show(ada.ask("PUT", f"/v1/players/me/blocks/{bob.id}"))
    show(ada.get("/v1/players/me/blocks"))
    show(ada.delete(f"/v1/players/me/blocks/{bob.id}"))
    show(bob.delete("/v1/players/me/token"))
    show(ada.post("/v1/players/me/erase", CONFIRMED))
