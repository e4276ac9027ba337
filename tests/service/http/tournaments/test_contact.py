"""Descriptions and announcements: stored apart from the log, shown to everybody, and erasable."""

from typing import Any

import pytest

from hoodwink.domain.administration import reason_digest
from hoodwink.service.application.players.administration import Reason
from tests.service.http.api import CONFIRMED, problem
from tests.service.http.cup import standing_api
from tests.service.http.tournaments.test_tournaments import check_proof

TEXT = "# Club night\n\n- bring *cards*; <script>alert(1)</script> [rules](https://example.org)"


@pytest.fixture
def api():
    return standing_api()


def text_of(api, digest):
    found = api.spectator.get(f"/v1/reasons/{digest.removeprefix('sha256:')}")
    return found.json if found.status_code == 404 else found.json["reason"]


def test_t_60_a_description_is_stored_apart_from_the_log_and_can_be_erased(api, running, ada):
    cup = running
    cup.command("/description", {"text": TEXT})
    digest = cup.view["description"]
    assert text_of(api, digest) == TEXT
    assert "Club night" not in cup.get("/events?include=words").text

    problem(ada.post(f"{cup.path}/description", {"text": "Mine."}), 403, "not_organiser")
    for text in ("x" * 5_001, "a\rb", "a\x00b", "a\x85b", 7, None):
        problem(cup.order("/description", {"text": text}), 400, "invalid_body")
    assert cup.view["description"] == digest
    longest = "\N{CHURCH}" * 5_000
    cup.command("/description", {"text": longest})
    assert text_of(api, cup.view["description"]) == longest
    cup.command("/description", {"text": " \n"})
    assert cup.view["description"] is None

    api.service.administration.erase_reason_of("root", digest)
    assert text_of(api, digest)["code"] == "reason_not_found"
    for _ in range(2):
        cup.play_round()
    cup.command("/finish", CONFIRMED)
    cup.run_due()
    check_proof(api, cup)


def test_t_61_announcements_are_shown_latest_first_and_limited(api, running, ada):
    cup, ann = running, api.person("Ann")
    cup.command("/arbiters", {"player": ann.id})
    cup.command("/announcements", {"text": "Lunch at one."})
    problem(cup.order("/announcements", {"text": "Now!"}), 422, "too_many_announcements")
    cup.clock.now += 60_000
    cup.command("/announcements", {"text": "Lunch at two."}, by=ann)
    cup.clock.now += 60_000
    problem(ada.post(f"{cup.path}/announcements", {"text": "Mine."}), 403, "not_official")
    for text in ("", " ", "two\nlines", "two\u2028lines", "x" * 501):
        problem(cup.order("/announcements", {"text": text}), 400, "invalid_body")

    shown = cup.view["announcements"]
    assert [(each["official"], text_of(api, each["text"])) for each in shown] == [
        (ann.id, "Lunch at two."),
        (cup.organiser.id, "Lunch at one."),
    ]
    last = cup.events("?limit=1000&include=words")[-1]
    assert last["words"] == "The arbiter Ann made an announcement."


def test_t_61_a_repeated_request_announces_once_and_a_refused_one_stores_no_text(api, running, monkeypatch):
    cup, kept = running, list[Reason]()
    reasons = api.service.administration._reasons

    def keep(digest: str, reason: Reason, keep: Any = reasons.keep) -> None:
        kept.append(reason)
        keep(digest, reason)

    monkeypatch.setattr(reasons, "keep", keep)
    answers = [cup.order("/announcements", {"text": "Lunch."}, key="lunch-lunch-lunch") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    problem(cup.order("/announcements", {"text": "Again."}), 422, "too_many_announcements")

    assert answers[0].json == answers[1].json
    assert {reason.text for reason in kept} == {"Lunch."}
    (shown,) = cup.view["announcements"]
    assert shown["text"] == reason_digest(kept[0].salt, "Lunch.")

    # Descriptions are allowed now, so only the key and the position refuse them.
    stale, path = cup.get("").headers["ETag"], "/description"
    cup.command(path, {"text": "One."}, key="first-first-first")
    problem(cup.order(path, {"text": "Two."}, key="first-first-first"), 409, "idempotency_key_reused")
    problem(cup.order(path, {"text": "Three."}, headers={"If-Match": stale}), 412, "precondition_failed")
    assert {reason.text for reason in kept} == {"Lunch.", "One."}
