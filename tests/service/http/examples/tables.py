"""Shows the operations on games, tables, logs, imports and books."""

from typing import Any, Final

from tests.pace import AT_ONCE
from tests.service.http.api import CONFIRMED, first_legal, version
from tests.service.http.examples.recorder import HELD, NDJSON, SEED, Recorder, key

FORM: Final[dict[str, Any]] = {"game": "blindside", "seats": 2, "options": {"rounds": 1}, **AT_ONCE}
BOT: Final = {"policy": "steady"}


def before_the_start(recorder: Recorder) -> None:
    """Shows the steps from the list of games to the start."""
    show, nobody = recorder.show, recorder.nobody
    ada, bob = recorder.person("Ada"), recorder.person("Bob")
    show(nobody.get("/v1/games"))
    show(nobody.get("/v1/games/blindside"))
    path = show(ada.post("/v1/tables", FORM | HELD, key=key("a table"))).headers["Location"]
    ada.post(f"{path}/seats", HELD)
    show(bob.post(f"{path}/seats", {"seat": 1}))
    show(bob.delete(f"{path}/seats/1"))
    recorder.catch_up()
    show(nobody.get("/v1/tables?phase=open&game=blindside"))
    bob.post(f"{path}/seats", {})
    show(ada.post(f"{path}/start"))
    show(ada.post(f"{path}/seed", {"seed": SEED}))


def in_play(recorder: Recorder) -> None:
    """Shows a player's commands and views at a table in play."""
    show = recorder.show
    ada, bob = recorder.person("Ada"), recorder.person("Bob")
    path = recorder.api.playing(ada, bob, options={"rounds": 1})
    show(ada.get(f"{path}?include=legal_actions"))
    legal = show(ada.get(f"{path}/legal-actions?include=unplayable")).json
    action = legal["actions"][0] | {"expected_version": legal["version"]}
    show(ada.post(f"{path}/actions?include=words,legal_actions", action, key=key("pass a card")))
    show(ada.get(f"{path}/events?include=words&limit=3"))
    show(ada.get(f"{path}/events?cursor=5", headers={"Accept": NDJSON}))
    recorder.show_stream(
        ada, f"{path}/events?with=view", lambda: bob.post(f"{path}/actions", next(first_legal(bob, path)))
    )
    show(ada.resign(path))


def my_tables(recorder: Recorder) -> None:
    """Shows how players find their own tables and follow them."""
    ada, bob = recorder.person("Ada"), recorder.person("Bob")
    path = recorder.api.table(ada, bob, options={"rounds": 1})
    recorder.catch_up()

    def begin() -> None:
        ada.post(f"{path}/start")
        recorder.api.run_due(path)

    recorder.show_stream(ada, "/v1/me/events", begin)
    recorder.show(ada.get("/v1/me/tables"))


def clocks(recorder: Recorder) -> None:
    """Shows how a seat with an expired clock is claimed, and how its player returns."""
    ada, bob = recorder.person("Ada"), recorder.person("Bob")
    path = recorder.api.playing(ada, bob, turn_seconds=60, options={"rounds": 1})
    bob.post(f"{path}/actions", next(first_legal(bob, path)))
    recorder.later(61)
    recorder.api.run_due(path)
    recorder.show(bob.post(f"{path}/seats/0/claim"))
    recorder.show(ada.post(f"{path}/return"))


def taking_back(recorder: Recorder) -> None:
    """Shows how a player takes back a card drawn from the wrong pile."""
    ada, bob = recorder.person("Ada"), recorder.person("Bob")
    path = recorder.api.playing(ada, bob, take_backs=True, options={"five_card": True})
    mover = ada if ada.get(f"{path}/legal-actions").json["actions"] else bob
    mover.post(f"{path}/actions", {"type": "draw", "source": "discard"})
    recorder.show(mover.post(f"{path}/take-back"))


def hosts(recorder: Recorder) -> None:
    """Shows a host's commands: close a table, and enter an offence as a host without a seat."""
    ada, bob, olga = (recorder.person(name) for name in ("Ada", "Bob", "Olga"))
    recorder.show(ada.post(f"{recorder.api.table(ada, bob)}/close", CONFIRMED))
    form = {"game": "double_blind", "seats": 2, "options": {"exposure_actions": True}, **AT_ONCE}
    path = olga.post("/v1/tables", form, key=key("a supervised table")).headers["Location"]
    for person in (ada, bob):
        person.post(f"{path}/seats")
    olga.post(f"{path}/start")
    recorder.api.run_due(path)
    recorder.show(olga.post(f"{path}/seats/0/actions", {"type": "expose_pocket", "owner": 1, "slot": 0}))


def rooms(recorder: Recorder) -> None:
    """Shows how a host invites players to a private table, and how they play a rematch."""
    show = recorder.show
    ada, bob = recorder.person("Ada"), recorder.person("Bob")
    path = ada.post("/v1/tables", FORM | {"private": True}, key=key("a private table")).headers["Location"]
    show(ada.get(f"{path}/invitation"))
    show(ada.get(f"{path}/presence"))
    show(ada.post(f"{path}/offers", {"player": bob.id, "seat": 1}))
    for person in (ada, bob):
        person.post(f"{path}/seats")
    ada.post(f"{path}/start")
    recorder.api.run_due(path)
    show(ada.post(f"{path}/sayings", {"saying": "hello"}))
    show(ada.post(f"{path}/host", {"player": bob.id}))
    ada.resign(path)
    show(bob.post(f"{path}/rematch"))


def after_the_end(recorder: Recorder) -> None:
    """Shows a table's log, its uses, and the table in lists and books."""
    show, nobody = recorder.show, recorder.nobody
    ada, bob = recorder.person("Ada"), recorder.person("Bob")
    path = recorder.api.playing(ada, bob, options={"rounds": 1})
    dealt = version(recorder.api, path)
    bob.resign(path)
    recorder.api.run_due(path)
    log = show(nobody.get(f"{path}/log")).data
    show(nobody.post("/v1/verify", data=log, content_type=NDJSON))
    show(ada.post(f"{path}/fork", {"version": dealt, "seats": ["me", "steady"], **AT_ONCE}))
    imported = show(ada.post("/v1/imports", data=log, content_type=NDJSON)).headers["Location"]
    show(nobody.get(f"{imported}?version={dealt}"))
    show(nobody.get(f"{imported}/events?include=words&limit=3"))
    show(nobody.get(f"{imported}/events?cursor=6", headers={"Accept": NDJSON}))
    show(nobody.get(f"{imported}/log"))
    show(ada.post(f"{imported}/fork", {"version": dealt, "seats": ["me", None]}))
    show(ada.get("/v1/me/imports"))
    show(ada.delete(imported))


def advice(recorder: Recorder) -> None:
    """Shows a hint at a table against a bot, and the review of the table once it is over."""
    ada = recorder.person("Ada")
    path = recorder.api.playing(ada, bots=1, game="coconut", rated=False, options={"rounds": 1})
    hint = recorder.show(ada.get(f"{path}/hint")).json
    ada.post(f"{path}/actions", hint["action"])
    ada.resign(path)
    recorder.show(ada.get(f"{path}/review"))


def books(recorder: Recorder) -> None:
    """Shows a table in ledgers, statements and ratings, and how an administrator voids it."""
    show, nobody = recorder.show, recorder.nobody
    ada, bob = recorder.person("Ada"), recorder.person("Bob")
    path = recorder.api.playing(ada, bob, options={"rounds": 1})
    recorder.api.play_out(path, ada, bob)
    recorder.rate()
    mine = f"/v1/players/{ada.id}"
    for address in (
        f"{path}/ledger",
        f"{path}/statement?unit=token",
        f"{mine}/ledger",
        f"{mine}/statement?limit=5",
        f"{mine}/history",
        f"{mine}/ratings",
        f"{mine}/ratings/blindside",
        "/v1/games/blindside/statistics",
        "/v1/leaderboards/blindside?of=people&provisional=show",
    ):
        show(nobody.get(address))
    for address in (f"{path}/statement", f"{mine}/statement"):
        show(nobody.get(f"{address}?format=csv"))
    voided = show(
        recorder.root.post(f"{path}/void", CONFIRMED | {"reason": "Two players shared a screen."})
    ).json
    show(recorder.nobody.get(f"/v1/reasons/{voided['view']['voided']['reason'].removeprefix('sha256:')}"))
    bots = recorder.api.of_bots(ada)
    ada.post(f"{bots}/start")
    show(recorder.root.post(f"{bots}/end", CONFIRMED))
