"""A finished table is verified, saved as a file, opened from one, and forked at any version."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.service.processes import await_true
from tests.service.web.browser import enter
from tests.service.web.replays import SEATS, await_moment, log_of, look

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def test_a_table_can_be_forked_from_a_version_also_with_a_free_seat(walk, host, ended):
    path = ended()
    page, _ = look(walk, f"{path}?version=20&viewer=1")
    page.get_by_role("button", name="Play on from here").click()
    assert page.get_by_label("Instead of Steady bot (seat 1)").input_value() == "me"
    page.get_by_label("Instead of Steady bot (seat 2)").select_option("random")
    expect(page.get_by_label("Instead of Steady bot (seat 2)")).to_have_value("random")

    page.get_by_role("button", name="Start", exact=True).click()

    page.wait_for_url(lambda address: path not in f"/v1{address}" and "/replay" not in address)
    fork = host.get(f"/v1/tables/{page.url.rsplit('/', 1)[1]}")["view"]
    assert (fork["parent"]["table"], fork["parent"]["version"]) == (path.rsplit("/", 1)[1], 20)
    assert [seat["policy"] for seat in fork["seats"]] == ["steady", None, "random"]
    await_true(lambda: host.get(f"/v1/tables/{fork['id']}")["view"]["host_seed_status"] == "revealed")

    # A free seat waits for a player.
    enter(page, f"{ended('coconut').removeprefix('/v1')}/replay?version=20")
    page.get_by_role("button", name="Play on from here").click()
    page.get_by_label("Instead of Steady bot (seat 2)").select_option("")

    page.get_by_role("button", name="Open the table").click()

    page.wait_for_url(lambda address: "/replay" not in address)
    assert host.get(f"/v1/tables/{page.url.rsplit('/', 1)[1]}")["view"]["phase"] == "open"


def test_the_seed_stored_here_is_compared_with_the_log(walk, ada, ended):
    path = ended()
    events = ada.get(f"{path}/events?limit=1000")["events"]
    # Bots play the rest at the pace for people, so it has to be short.
    late = [event["version"] for event in events if event["type"] == "blindside.stock_drawn"][-1]
    page, _ = look(walk, f"{path}?version={late}&viewer=1", sign_in=ada)
    page.get_by_role("button", name="Play on from here").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url(lambda address: "/replay" not in address)
    fork = f"/v1/tables/{page.url.rsplit('/', 1)[1]}"
    await_true(lambda: ada.get(fork)["view"]["host_seed_status"] == "revealed")
    ada.post(f"{fork}/resign", {"confirm": True})
    await_true(lambda: ada.get(fork)["view"]["server_seed"])

    enter(page, f"{fork.removeprefix('/v1')}/replay")
    page.get_by_role("button", name="Verify").click()

    page.locator(".verdict.good", has_text="every score follows").wait_for()
    assert page.locator("[data-check=kept]").get_attribute("class") == "passed"
    assert page.locator("[data-check=seeds]").get_attribute("class") == "passed"
    page.get_by_text("was compared, too").wait_for()  # the parent's log


def test_the_log_is_saved_byte_for_byte(walk, served, ended):
    path = ended()
    page, complaints = look(walk, path)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download log").click()

    saved = download.value
    assert saved.suggested_filename == f"{path.rsplit('/', 1)[1]}.ndjson"
    assert Path(saved.path()).read_bytes() == log_of(served, path)
    assert not complaints


# `test_proof.py` verifies tables of every game.
@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=() if game == "double_blind" else pytest.mark.campaign) for game in SEATS],
)
def test_service_and_browser_verify_a_table(walk, host, ended, game):
    path = ended(game)
    page, complaints = look(walk, path)

    page.get_by_role("button", name="Verify").click()

    page.locator(".verdict.good", has_text="every score follows").wait_for()
    view = host.get(path)["view"]
    assert page.locator(".commitment").inner_text() == view["commitment"]
    assert page.locator(".secret").inner_text() == view["server_seed"]
    assert page.locator("[data-check=cards]").get_attribute("class") == "passed"
    assert page.locator(".checks > .failed").count() == 0
    assert not complaints


def open_file(page, log: bytes) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": "table.ndjson", "mimeType": "application/x-ndjson", "buffer": log}
    )
    page.locator(".verdict").wait_for()


def test_a_file_is_verified_locally_and_then_shown(walk, served, host, ended):
    path = ended("shithead")
    page, complaints = walk("/replay")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/v1/" in request.url else None)
    open_file(page, log_of(served, path))
    page.locator(".verdict.good").wait_for()
    assert asked == []
    page.get_by_role("button", name="Show it here").click()

    page.locator(".board").wait_for()
    assert "/imports/" in page.url
    last = host.get(path)["version"]
    page.get_by_role("slider").fill(str(last))
    await_moment(page, last, "everybody")
    page.get_by_role("heading", name="Result").wait_for()
    assert page.locator(".results a").count() == 0  # a rematch or tournament at another service
    page.get_by_role("button", name="Play on from here").wait_for()
    assert not complaints


def test_only_the_uploader_of_a_file_can_delete_it_before_it_expires(walk, served, ada, host, ended):
    log = log_of(served, ended("coconut"))
    page, complaints = walk("/replay", sign_in=ada)
    open_file(page, log)
    page.get_by_role("button", name="Show it here").click()
    page.get_by_text("It stays here until").wait_for()
    address = page.url
    other, _ = walk(address, sign_in=host)
    other.get_by_text("It stays here until").wait_for()
    assert other.get_by_role("button", name="Delete …").count() == 0
    page.goto("/replay")
    page.get_by_role("heading", name="Sent by you").wait_for()

    page.goto(address)
    page.get_by_role("button", name="Delete …").click()
    page.get_by_role("button", name="Delete it").click()

    page.wait_for_url("**/replay")
    page.get_by_role("heading", name="Open a log").wait_for()
    assert page.get_by_role("heading", name="Sent by you").count() == 0
    assert ada.get("/v1/me/imports")["imports"] == []
    # What the page still asks about the file while it is deleted gets a 404.
    assert not [said for said in complaints if "404" not in said]


TAMPERED = {
    "a card": (rb'"card":"([2-9TJQKA][CDHS])"', lambda found: b'"card":"JK"'),
    "a score": (rb'"deltas":\[(-?\d+)', lambda found: b'"deltas":[99'),
    "a time": (rb'"version":12,"type":"([^"]*)","at":\d+', lambda found: found[0] + b"0"),
}


def test_a_changed_file_shows_the_place_of_the_change(walk, served, ended):
    log = log_of(served, ended())
    page, _ = walk("/replay")

    for what, (pattern, change) in TAMPERED.items():
        changed = re.sub(pattern, change, log, count=1)
        lines = zip(log.split(b"\n"), changed.split(b"\n"), strict=True)
        wrong = next(number for number, (one, other) in enumerate(lines, start=1) if one != other)
        enter(page, "/replay")

        open_file(page, changed)

        page.locator(".verdict.bad").wait_for()
        assert f"line {wrong}" in page.locator(".verdict").inner_text(), what
        assert page.locator(".checks > .failed").count(), what
        shown = page.locator("code.line").inner_text()
        assert changed.split(b"\n")[wrong - 1].decode().startswith(shown.removesuffix(" …")), what
        assert page.get_by_role("button", name="Show it here").count() == 0, what
        page.get_by_role("button", name="Send it to the service").click()
        page.locator(".by-service.bad").wait_for()


def test_a_file_that_is_not_a_log_is_refused_in_words(walk):
    page, complaints = walk("/replay")

    for content in (b"", b"\x89PNG\xff", b"hello\n", b'{"format":"other"}\n'):
        enter(page, "/replay")
        page.locator("input[type=file]").set_input_files(
            {"name": "photo.png", "mimeType": "image/png", "buffer": content}
        )

        page.locator(".verdict.bad, .notice.failed").first.wait_for()
        assert page.get_by_role("button", name="Show it here").count() == 0
    assert not complaints


JOB = {"id": "a" * 32, "state": "queued", "done": 0, "total": 0, "result": None, "problem": None}
VALID = {"valid": True, "events": 90, "rounds": 2, "generations": 1, "voided": None, "finding": None}


def test_a_long_check_shows_its_progress_and_an_abandoned_one_the_reason(walk, ended):
    page, complaints = look(walk, ended())
    now = dict(JOB)
    page.route("**/v1/verify", lambda route: route.fulfill(status=202, json=JOB))
    page.route(f"**/v1/jobs/{JOB['id']}", lambda route: route.fulfill(json=now))

    page.get_by_role("button", name="Verify").click()

    page.get_by_text("Waiting for its turn").wait_for()
    now |= {"state": "running", "done": 30, "total": 90}
    bar = page.locator("progress[max='90']")
    bar.wait_for()
    assert (bar.get_attribute("value"), bar.get_attribute("aria-label")) == ("30", "The service is checking")
    now |= {"state": "done", "done": 90, "result": VALID}
    page.locator(".by-service", has_text="90 events of 2 rounds").wait_for()
    assert not complaints

    now |= JOB | {"state": "failed"}
    now["problem"] = {"status": 422, "code": "job_too_expensive", "detail": "This takes too long."}
    enter(page, f"{ended().removeprefix('/v1')}/replay")
    page.get_by_role("button", name="Verify").click()

    page.get_by_role("alert").get_by_text("This takes too long.").wait_for()
