"""Shows the operations on tournaments."""

from tests.service.http.api import CONFIRMED
from tests.service.http.cup import FORM, SERIES, Cup
from tests.service.http.examples.recorder import HELD, NDJSON, SEED, Recorder, key


def registration(recorder: Recorder) -> None:
    """Shows the steps from the draft to the start, and a cancellation."""
    show = recorder.show
    olga, ada, bob = (recorder.person(name) for name in ("Olga", "Ada", "Bob"))
    path = show(olga.post("/v1/tournaments", FORM | {"check_in": 600}, key=key("a cup"))).headers["Location"]
    show(olga.post(f"{path}/registration"))
    show(ada.post(f"{path}/entrants", HELD))
    bob.post(f"{path}/entrants")
    olga.post(f"{path}/entrants", {"policy": "steady"})
    show(bob.post(f"{path}/byes", {"round": 1}))
    show(olga.post(f"{path}/description", {"text": "# Club night\n\nTea is at four."}))
    show(olga.post(f"{path}/announcements", {"text": "Tea is at five."}))
    hook = {"url": "https://example.org/hoodwink", "types": ["round.paired", "table.result"]}
    webhooks = f"{path}/webhooks"
    added = show(olga.post(webhooks, hook, key=key("a webhook"))).json["id"]
    show(olga.post(f"{webhooks}/{added}/secret", data=b""))
    show(olga.post(f"{webhooks}/{added}/test", data=b""))
    show(olga.get(webhooks))
    show(olga.delete(f"{webhooks}/{added}"))
    show(olga.post(f"{path}/order", {"entrants": [bob.id, ada.id, "bot:1"]}))
    schedule = {"starts_at": recorder.clock.now + 3_600_000, "reason": "The room opens later."}
    show(olga.post(f"{path}/sittings/2/schedule", schedule))
    recorder.catch_up()
    show(recorder.nobody.get("/v1/tournaments?phase=registration"))
    show(olga.get("/v1/me/tournaments"))
    show(recorder.nobody.get(f"/v1/players/{ada.id}/tournaments"))
    show(recorder.nobody.get(f"{path}/calendar"))
    show(recorder.nobody.get(f"/v1/players/{ada.id}/calendar"))
    show(olga.post(f"{path}/start"))
    show(olga.post(f"{path}/sittings/1/check-in"))
    show(ada.post(f"{path}/check-in"))
    show(ada.post(f"{path}/absence"))
    ann = recorder.person("Ann")
    show(olga.post(f"{path}/co-organisers", {"player": ann.id}))
    show(ann.post(f"{path}/co-organisers/removal", {"player": ann.id}))
    show(olga.post(f"{path}/arbiters", {"player": ann.id}))
    show(ann.post(f"{path}/arbiters/removal", {"player": ann.id}))
    show(olga.post(f"{path}/added-rounds", {"rounds": 1, "reason": "We have the hall for longer."}))
    show(olga.post(f"{path}/entrants/{bob.id}/absence", {"reason": "He did not answer."}))
    undo = CONFIRMED | {"reason": "This was not agreed."}
    show(recorder.root.post(f"{path}/entrants/{bob.id}/reversal", undo | {"decision": "absence"}))
    show(recorder.root.post(f"{path}/added-rounds/reversal", undo))
    olga.post(f"{path}/entrants/{ada.id}/substitute", {"player": ann.id, "reason": "Ada is ill."})
    show(ann.post(f"{path}/place", HELD))
    show(bob.post(f"{path}/entrants/{bob.id}/withdrawal", CONFIRMED))
    show(olga.post(f"{path}/cancel", CONFIRMED | {"reason": "Too few players came."}))


def admission(recorder: Recorder) -> None:
    """Shows how players are invited to a private tournament, ask to enter, and are accepted or declined."""
    show = recorder.show
    olga, ada, bob = (recorder.person(name) for name in ("Olga", "Ada", "Bob"))
    cup = Cup(recorder.api, olga, key=key("a private cup"), visibility="private", approval=True)
    cup.command("/registration")
    show(olga.post(f"{cup.path}/invitation"))
    show(olga.get(f"{cup.path}/invitation"))
    for player in (ada, bob):
        player.post(f"{cup.path}/entrants", headers=cup.invitation())
    show(olga.post(f"{cup.path}/applicants/{ada.id}/acceptance"))
    show(olga.post(f"{cup.path}/applicants/{bob.id}/refusal"))
    cleo, dee, eve = (recorder.person(name) for name in ("Cleo", "Dee", "Eve"))
    players = [cleo.id, dee.id, eve.id]
    listed = "\n".join(["order,id", f"1,{cleo.id}", f"3,{dee.id}", f"2,{eve.id}", "4,nobody00"])
    show(olga.post(f"{cup.path}/entrant-lists", {"list": listed}))
    show(olga.post(f"{cup.path}/offers", {"players": players}))
    show(cleo.post(f"{cup.path}/offers/refusal"))
    show(olga.post(f"{cup.path}/offers/withdrawal", {"players": [dee.id]}))
    show(olga.get(f"{cup.path}/offers"))


def teams(recorder: Recorder) -> None:
    """Shows how entrants found and join teams, and how the organiser puts one into a team."""
    show = recorder.show
    olga, ada, bob, cleo = (recorder.person(name) for name in ("Olga", "Ada", "Bob", "Cleo"))
    cup = Cup(recorder.api, olga, key=key("a cup of teams"), seats=2, team_size=3, team_counting=2)
    cup.enter(ada, bob, cleo)
    show(ada.post(f"{cup.path}/teams", {"name": "Foxes"}))
    code = show(ada.get(f"{cup.path}/teams")).json["teams"][0]["code"]
    show(bob.post(f"{cup.path}/team", {"code": code}))
    show(olga.post(f"{cup.path}/entrants/{cleo.id}/team", {"team": 1}))
    show(ada.post(f"{cup.path}/team-code", {"team": 1}))
    cup.command("/start")
    show(recorder.nobody.get(f"{cup.path}/team-standings"))


def end(recorder: Recorder) -> None:
    """Shows how an administrator ends a tournament of bots."""
    olga = recorder.person("Olga")
    cup = Cup(recorder.api, olga, key=key("a cup of bots")).start(bots=3)
    cup.pair()
    cup.command("/rounds/1/start")
    recorder.show(olga.post(f"{cup.path}/rounds/1/boards/1/end", CONFIRMED | {"reason": "The hall closes."}))
    recorder.show(
        recorder.root.post(
            f"{cup.path}/end", CONFIRMED | {"reason": "It has only bots and keeps the service busy."}
        )
    )


def rounds(recorder: Recorder) -> None:
    """Shows how an organiser runs a tournament, and what everybody can read of it."""
    show, nobody = recorder.show, recorder.nobody
    olga, ada, bob, cleo = (recorder.person(name) for name in ("Olga", "Ada", "Bob", "Cleo"))
    cup = Cup(recorder.api, olga, key=key("the cup"), seats=2, tiebreaks=["wins"])
    cup.enter(ada, bob, cleo)
    cup.command("/start")
    ada.post(f"{cup.path}/check-in", HELD)
    show(olga.post(f"{cup.path}/rounds"))
    show(ada.post(f"{cup.path}/seed", {"seed": SEED}))
    cup.run_due()
    change = {"tables": [[3, 1]], "byes": [2], "reason": "Bob is late."}
    show(olga.post(f"{cup.path}/rounds/1/pairing", change))
    show(olga.post(f"{cup.path}/rounds/1/start"))
    cup.run_due()
    show(ada.post(f"{cup.tables()[0]}/ready"))
    show(olga.get(f"{cup.path}/boards"))
    fay = recorder.person("Fay")
    offer = {"player": fay.id, "reason": "Cleo has to leave."}
    show(olga.post(f"{cup.path}/entrants/{cleo.id}/substitute", offer))
    show(fay.post(f"{cup.path}/place/refusal"))
    show(olga.post(f"{cup.path}/pause", {"reason": "Lunch."}))
    show(olga.post(f"{cup.path}/resume"))
    show(olga.post(f"{cup.path}/tiebreaks", {"tiebreaks": ["buchholz"], "reason": "As announced."}))
    recorder.show_stream(nobody, f"{cup.path}/standings", cup.end_tables)
    board = f"{cup.path}/rounds/1/boards/1"
    show(olga.post(f"{board}/ruling", {"places": [2, 1], "reason": "Ada was shown a card."}))
    show(nobody.get(cup.path))
    show(recorder.root.post(f"{board}/ruling/reversal", CONFIRMED | {"reason": "She looked away."}))
    show(nobody.get(f"{cup.path}/journal?limit=3"))
    show(nobody.get(f"{cup.path}/rounds/1"))
    show(nobody.get(f"{cup.path}/standings?round=1"))
    show(nobody.get(f"{cup.path}/standings/1"))
    show(nobody.get(f"{cup.path}/events?include=words&limit=3"))
    show(nobody.get(f"{cup.path}/events?cursor=12", headers={"Accept": NDJSON}))
    show(nobody.get(f"{cup.path}/report"))
    show(nobody.get(f"{cup.path}/results"))
    for path in ("", "/results", "/rounds/1", "/standings"):
        show(nobody.get(f"{cup.path}{path}?format=csv"))
    show(nobody.get(f"{cup.path}/crosstable"))
    recorder.show_stream(
        nobody,
        f"{cup.path}/events",
        lambda: show(
            olga.post(f"{cup.path}/entrants/{cleo.id}/expulsion", CONFIRMED | {"reason": "Two accounts."})
        ),
    )
    show(olga.post(f"{cup.path}/finish", CONFIRMED | {"reason": "One round was enough."}))
    log = show(nobody.get(f"{cup.path}/log")).data
    logs = [nobody.get(f"{table}/log").data for table in cup.tables()]
    show(nobody.post("/v1/verify/tournament", data=b"".join([log, *logs]), content_type=NDJSON))


def deals(recorder: Recorder) -> None:
    """Shows a deal that all tables of a round have played."""
    shared = {"seats": 2, "deal": "same", "turn_seconds": 60}
    cup = Cup(recorder.api, recorder.person("Olga"), key=key("a cup with one deal"), **shared).start(bots=6)
    cup.pair()
    cup.start_round()
    recorder.show(recorder.nobody.get(f"{cup.path}/deals/1"))


def statements(recorder: Recorder) -> None:
    """Shows the statement of a tournament, and the score of a voided board."""
    show, nobody = recorder.show, recorder.nobody
    olga, ada, bob = (recorder.person(name) for name in ("Olga", "Ada", "Bob"))
    cup = Cup(recorder.api, olga, key=key("the cup"), seats=2)
    cup.start(ada, bob).pair()
    cup.start_round()
    (table,) = cup.tables()
    recorder.api.play_out(table, ada, bob)
    cup.run_due()
    recorder.catch_up()
    for query in ("?limit=5", "?format=csv"):
        show(nobody.get(f"{cup.path}/statement{query}"))
    recorder.root.post(f"{table}/void", CONFIRMED | {"reason": "Two players shared a screen."})
    cup.run_due()
    show(olga.post(f"{cup.path}/rounds/1/boards/1/void-score", {"score": "1/2", "reason": "Both agree."}))


def series(recorder: Recorder) -> None:
    """Shows a series, its season table and the trophies of a player."""
    show, nobody = recorder.show, recorder.nobody
    olga, *players = [recorder.person(name) for name in ("Olga", "Ada", "Bob", "Cleo")]
    path = show(olga.post("/v1/series", SERIES, key=key("a series"))).headers["Location"]
    Cup.of_series(recorder.api, olga, path, 1, *players)
    show(olga.post(f"{path}/dates/2/skip", CONFIRMED))
    recorder.catch_up()
    show(nobody.get("/v1/series?phase=ended"))
    show(nobody.get(path))
    for query in ("", "?format=csv"):
        show(nobody.get(f"{path}/table{query}"))
    show(nobody.get(f"{path}/history"))
    show(nobody.get(f"{path}/calendar"))
    show(nobody.get(f"/v1/players/{players[0].id}/trophies"))
    other = olga.post("/v1/series", SERIES | {"schedule": {**SERIES["schedule"], "first_day": "2025-07-01"}})
    recorder.catch_up()
    show(olga.get("/v1/me/series"))
    show(olga.post(f"{other.headers['Location']}/end", CONFIRMED))
    third = olga.post("/v1/series", SERIES | {"schedule": {**SERIES["schedule"], "first_day": "2025-07-07"}})
    reason = {"reason": "It advertises another service."}
    show(recorder.root.post(f"{third.headers['Location']}/stop", CONFIRMED | reason))
