"""The standings in a frame of another origin; no other document of the page can be framed."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.service.processes import await_true
from tests.service.web.tournaments.cups import Held, called

pytestmark = [pytest.mark.browser, pytest.mark.processes]


@pytest.fixture
def club(tmp_path):
    """A folder, and the address at which another origin serves it."""
    # A response that Playwright makes up would come from no address, and Chromium lets such a page frame nothing local.
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    ) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield tmp_path, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_another_page_frames_the_standings_and_nothing_else(visit, served, club):
    held = Held(served, bots=4, advance="manual", name="Club night")
    held.order("/start")
    folder, address = club
    frames = [
        f'<iframe name="{name}" src="{served}/tournaments/{held.id}{below}"></iframe>'
        for name, below in (("standings", "/embed"), ("room", ""))
    ]
    (folder / "club.html").write_text("".join(frames))
    page, complaints = visit("/", sign_in=held.organiser)
    # A job computes the standings, as in a large tournament, where there is a later version at the next request.
    job = {"id": "job1", "state": "done", "result": held.organiser.get(f"{held.path}/standings")}
    page.route("**/standings", lambda route: route.fulfill(status=202, json=job | {"state": "queued"}))
    page.route("**/v1/jobs/job1", lambda route: route.fulfill(json=job))
    sent: list[str | None] = []

    def note(request):
        if request.frame.parent_frame:  # the page left behind may still ask something
            sent.append(request.headers.get("authorization"))

    page.on("request", note)

    page.goto(f"{address}/club.html")

    shown = page.frame_locator("[name=standings]")
    expect(shown.get_by_role("link", name="Club night")).to_have_attribute("target", "_blank")
    names = called({row["entrant"]: row["name"] for row in held.standings})
    expect(shown.locator("tbody th")).to_have_text([names[row["entrant"]] for row in held.standings])
    assert {*sent} == {None}
    await_true(lambda: page.wait_for_timeout(10) or any("frame-ancestors" in said for said in complaints))
    expect(page.frame_locator("[name=room]").locator("main")).to_have_count(0)
