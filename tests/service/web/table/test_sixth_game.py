"""A game unknown to the page is played on it from the list of games to the scores."""

import os
from pathlib import Path

import pytest

from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.processes import service_settings
from tests.service.web.browser import PATIENCE_MS
from tests.service.web.guests import guest
from tests.service.web.hands import play_to_the_end, with_the_mouse

pytestmark = [pytest.mark.browser, pytest.mark.processes]


@pytest.fixture
def lantern(tmp_path, monkeypatch):
    """The URL of a service whose processes register the game before any other import."""
    (tmp_path / "sitecustomize.py").write_text(
        "from tests.sixth_game.registered import pytest_configure\npytest_configure()\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(Path.cwd())]))
    with isolated_service(service_settings(tmp_path / "data", job_slots=0)) as running:
        yield address(running)


def test_a_game_without_page_code_is_played_to_its_end(chromium, lantern):
    ada = guest(lantern)
    context = chromium.new_context(base_url=lantern, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    ada.signed_in(context)
    page, complaints = context.new_page(), list[str]()
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto("/")
    page.get_by_role("link", name="Play Lantern").click()
    page.get_by_text("Pace, bots and spectators").click()
    page.get_by_label("Bots wait").select_option("0")
    page.get_by_role("button", name="Play against bots").click()
    page.wait_for_selector("[data-zone='hands.1'] [data-face]")
    table = page.url.rpartition("/")[2]

    assert set(
        page.locator("[data-zone='hands.1'] [data-face]").evaluate_all(
            "each => each.map(card => card.dataset.face)"
        )
    ) == {"??"}
    captions = {caption.strip("0123456789 ") for caption in page.locator(".caption").all_inner_texts()}
    assert captions == {"hand", "rest"}
    assert page.locator(".table-facts").inner_text() == "Round\n1 of 2"
    play_to_the_end(page, with_the_mouse)

    view = ada.get(f"/v1/tables/{table}")["view"]
    shown = page.locator("hw-outcome .places li").all_inner_texts()
    for seat, score in zip(view["seats"], view["result"]["scores"], strict=True):
        name = seat["name"] if seat["policy"] is None else f"{seat['name']} (seat {seat['seat']})"
        (line,) = [line for line in shown if name in line]
        assert f"{score} token" in line.replace("\N{MINUS SIGN}", "-")
    assert not complaints
    context.close()
