"""Shows the operations on tournaments."""

from tests.service.http.api import CONFIRMED
from tests.service.http.cup import FORM, Cup
from tests.service.http.examples.recorder import HELD, NDJSON, SEED, Recorder, key


def entries(recorder: Recorder) -> None:
    """Shows the steps from the draft to the start."""
    show = recorder.show
    olga, ada, bob = (recorder.person(name) for name in ("Olga", "Ada", "Bob"))
    path = show(olga.post("/v1/tournaments", FORM | {"check_in": 600}, key=key("a cup"))).headers["Location"]
    show(olga.post(f"{path}/registration"))
    show(ada.post(f"{path}/entrants", HELD))
    bob.post(f"{path}/entrants")
    olga.post(f"{path}/entrants", {"policy": "steady"})
    show(bob.post(f"{path}/byes", {"round": 1}))
    show(olga.post(f"{path}/order", {"entrants": [bob.id, ada.id, "bot:1"]}))
    schedule = {"starts_at": recorder.clock.now + 3_600_000, "reason": "The room opens later."}
    show(olga.post(f"{path}/sittings/2/schedule", schedule))
    recorder.catch_up()
    show(recorder.nobody.get("/v1/tournaments?phase=registration"))
    show(recorder.nobody.get(f"/v1/players/{ada.id}/tournaments"))
    show(olga.post(f"{path}/start"))
    show(olga.post(f"{path}/sittings/1/check-in"))
    show(ada.post(f"{path}/check-in"))
    show(ada.post(f"{path}/absence"))
    show(bob.post(f"{path}/entrants/{bob.id}/withdrawal", CONFIRMED))
    show(olga.post(f"{path}/cancel", CONFIRMED | {"reason": "Too few came."}))


def end(recorder: Recorder) -> None:
    """Shows how an administrator ends a tournament of bots."""
    cup = Cup(recorder.api, recorder.person("Olga"), key=key("a cup of bots")).started(bots=3)
    recorder.show(
        recorder.root.post(f"{cup.path}/end", CONFIRMED | {"reason": "Bots alone kept the service busy."})
    )


def rounds(recorder: Recorder) -> None:
    """Shows how an organiser runs a tournament, and its public parts."""
    show, nobody = recorder.show, recorder.nobody
    olga, ada, bob, cleo = (recorder.person(name) for name in ("Olga", "Ada", "Bob", "Cleo"))
    cup = Cup(recorder.api, olga, key=key("the cup"), seats=2, tiebreaks=["wins"])
    cup.enter(ada, bob, cleo)
    cup.done("/start")
    ada.post(f"{cup.path}/check-in", HELD)
    show(olga.post(f"{cup.path}/rounds"))
    show(ada.post(f"{cup.path}/seed", {"seed": SEED}))
    cup.run_due()
    change = {"tables": [[3, 1]], "byes": [2], "reason": "Bob comes late."}
    show(olga.post(f"{cup.path}/rounds/1/pairing", change))
    show(olga.post(f"{cup.path}/rounds/1/start"))
    cup.run_due()
    show(ada.post(f"{cup.tables()[0]}/ready"))
    show(olga.post(f"{cup.path}/pause", {"reason": "Lunch."}))
    show(olga.post(f"{cup.path}/resume"))
    show(olga.post(f"{cup.path}/tiebreaks", {"tiebreaks": ["buchholz"], "reason": "As announced."}))
    recorder.show_stream(nobody, f"{cup.path}/standings", cup.end_tables)
    show(nobody.get(cup.path))
    show(nobody.get(f"{cup.path}/rounds/1"))
    show(nobody.get(f"{cup.path}/standings?round=1"))
    show(nobody.get(f"{cup.path}/standings/1"))
    show(nobody.get(f"{cup.path}/events?include=words&limit=3"))
    show(nobody.get(f"{cup.path}/events?cursor=12", headers={"Accept": NDJSON}))
    show(nobody.get(f"{cup.path}/report"))
    show(nobody.get(f"{cup.path}/results"))
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


def books(recorder: Recorder) -> None:
    """Shows a tournament's voided table and its statement."""
    show, nobody = recorder.show, recorder.nobody
    olga, ada, bob = (recorder.person(name) for name in ("Olga", "Ada", "Bob"))
    cup = Cup(recorder.api, olga, key=key("the cup"), seats=2)
    cup.started(ada, bob).pair()
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
