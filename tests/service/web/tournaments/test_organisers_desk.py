"""The organiser's desk offers and runs possible commands, and shows refusals where they occur."""

import pytest
from playwright.sync_api import expect

from tests.service.processes import await_true
from tests.service.web.browser import enter
from tests.service.web.guests import guest
from tests.service.web.tournaments.cups import Held, press, unfold

pytestmark = [pytest.mark.browser, pytest.mark.processes]


def test_the_organiser_pauses_resumes_and_changes_a_pairing(walk, served):
    held = Held(served, bots=4, advance="manual")
    held.order("/start")
    desk = walk(f"/tournaments/{held.id}/desk", sign_in=held.organiser).page

    unfold(desk, "Pause the tournament")
    press(desk, "Pause")
    expect(desk.get_by_role("heading", name="Paused by the organiser")).to_be_visible()
    press(desk, "Resume the tournament")
    press(desk, "Pair round 1")
    expect(desk.get_by_role("heading", name="The pairing of round 1")).to_be_visible()
    before = held.boards()
    unfold(desk, "Change it")
    desk.get_by_label("Swap", exact=True).select_option(str(before[0][0]))
    desk.get_by_label("with", exact=True).select_option(str(before[1][0]))
    press(desk, "Swap")
    desk.locator("[data-command=pairing]").get_by_label("Reason").fill("They share a car.")
    press(desk, "Save the pairing")
    expect(desk.get_by_role("status").filter(has_text="They share a car.")).to_be_visible()

    assert held.boards() == [[before[1][0], before[0][1]], [before[0][0], before[1][1]]]
    page = walk(f"/tournaments/{held.id}?tab=rounds").page
    unfold(page, "Why this pairing?")
    expect(page.get_by_text("The organiser changed this pairing: They share a car.")).to_be_visible()


def test_a_refused_command_is_shown_at_its_button_and_cancelling_asks_for_confirmation(walk, served):
    held = Held(served, bots=2)
    desk = walk(f"/tournaments/{held.id}/desk", sign_in=held.organiser).page
    unfold(desk, "Change the time")
    desk.get_by_label("Begins").fill("1960-01-01T10:00")
    desk.locator("[data-command=sitting-1]").get_by_label("Reason").fill("Earlier.")
    press(desk, "Save the time")
    expect(desk.locator("[data-command=sitting-1]").get_by_role("alert")).to_be_visible()

    unfold(desk, "Cancel the tournament")
    desk.locator("[data-command=cancel]").get_by_label("Reason").fill("Nobody comes.")

    for answers in (["Back"], ["Yes, cancel it", "Back"]):
        press(desk, "Cancel it …")
        for answer in answers:
            desk.get_by_role("dialog").get_by_role("button", name=answer).click()
        expect(desk.get_by_role("dialog")).to_have_count(0)
        assert held.view["phase"] == "registration"
    press(desk, "Cancel it …")
    for answer in ("Yes, cancel it", "Cancel the tournament"):
        desk.get_by_role("dialog").get_by_role("button", name=answer).click()

    expect(desk.locator(".phase", has_text="Cancelled")).to_be_visible()
    assert held.view["phase"] == "cancelled"


def test_the_organiser_orders_the_starting_ranks(walk, served):
    held = Held(served, bots=3, rank_by="organiser")
    desk = walk(f"/tournaments/{held.id}/desk", sign_in=held.organiser).page

    up = desk.get_by_role("button", name="Move Steady bot (bot 3) up")
    for _ in range(2):  # the second possibly before the first is answered
        up.click()
    expect(up).to_be_focused()
    await_true(lambda: orders(held)[-1:] == [["bot:3", "bot:1", "bot:2"]])
    press(desk, "Start the tournament")

    expect(desk.locator(".phase", has_text="Running")).to_be_visible()
    assert [entrant["id"] for entrant in held.view["entrants"]] == ["bot:3", "bot:1", "bot:2"]


def orders(held):
    """Returns each accepted order of the entrants."""
    events = held.organiser.get(f"/v1/tournaments/{held.id}/events")["events"]
    return [event["data"]["entrants"] for event in events if event["type"].endswith("entrants_ordered")]


def test_others_have_no_desk_but_download_results_even_those_computed_by_a_job(walk, served):
    held = Held(served, bots=2)
    page = walk(f"/tournaments/{held.id}/desk").page

    expect(
        page.get_by_text(
            "Only the player who opened the tournament, and co-organisers, can organise it: Olga."
        )
    ).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)

    held.order("/start")
    enter(page, f"/tournaments/{held.id}?tab=files")
    jobs = [JOB, JOB | {"state": "done", "result": {}}]
    page.route("**/results", lambda route: route.fulfill(status=202, json=JOB), times=1)
    page.route(f"**/v1/jobs/{JOB['id']}", lambda route: route.fulfill(json=jobs.pop(0)))

    with page.expect_download() as download:
        page.get_by_role("link", name="Results and standings").click()

    assert download.value.suggested_filename == f"{held.id}.json"
    assert jobs == []


JOB = {"id": "a" * 32, "state": "queued", "done": 0, "total": 0, "result": None, "problem": None}


def test_a_command_running_as_a_job_is_followed_to_its_end(walk, served):
    held = Held(served, bots=2)
    desk = walk(f"/tournaments/{held.id}/desk", sign_in=held.organiser).page
    ended = JOB | {"state": "done"}

    def start(route):
        ended["result"] = route.fetch().json()
        route.fulfill(status=202, json=JOB)

    desk.route("**/start", start)
    desk.route(f"**/v1/jobs/{JOB['id']}", lambda route: route.fulfill(json=ended))
    press(desk, "Start the tournament")

    expect(desk.locator(".phase", has_text="Running")).to_be_visible()


def test_t_17_v_4_v_5_the_organiser_watches_boards_ends_a_table_and_rules_on_it(walk, served):
    held = Held(served, bots=2, advance="manual", rank_by="organiser")
    ada = guest(served, "Ada")
    for person in (held.organiser, ada):
        person.post(f"{held.path}/entrants")
    for path in ("/start", "/rounds", "/rounds/1/start"):
        held.order(path)
    desk = walk(
        f"/tournaments/{held.id}/desk", sign_in=held.organiser, viewport={"width": 390, "height": 664}
    ).page
    numbers = {entrant["name"]: entrant["number"] for entrant in held.view["entrants"]}
    seats = held.boards()
    own, hers = (
        next(i for i, seated in enumerate(seats) if numbers[who] in seated) for who in ("Olga", "Ada")
    )
    assert own != hers, "the first half of the ranks meets the second"

    board = desk.locator(f"#desk-boards + .boards [data-board='{hers + 1}']")
    expect(board.get_by_role("link", name="Go to the table")).to_be_visible()
    expect(board.get_by_text("has not appeared")).to_be_visible()
    expect(desk.locator(f"[data-board='{own + 1}'] summary", has_text="End it")).to_have_count(0)
    unfold(board, "End it")
    board.get_by_label("Reason").fill("Ada had to leave.")
    board.get_by_role("button", name="End the table").click()
    desk.get_by_role("dialog").get_by_role("button", name="End it").click()
    expect(board).to_have_count(0)

    unfold(desk, "Rule on a result")
    ruling = desk.locator("[data-command=ruling]")
    ruling.get_by_label("Ada").select_option("1")
    ruling.get_by_label("Reason").fill("She led.")
    press(desk, "Rule")
    # Not the whole page, which shows the latest event above, too.
    past = walk(f"/tournaments/{held.id}?tab=history").page.locator(".chronicle")
    expect(past.get_by_text("The organiser ruled on board")).to_contain_text("She led.")
    expect(past.get_by_text("The organiser ended board")).to_contain_text("Ada had to leave.")
    scores = {row["name"]: row["score"] for row in held.standings}
    assert scores["Ada"] == "1"


def test_t_19_t_50_v_8_a_co_organiser_finds_a_substitute_and_the_journal_shows_it(walk, served):
    held = Held(served, bots=3, advance="manual", sittings=[{"rounds": 2}])
    ada, cleo, eve = (guest(served, name) for name in ("Ada", "Cleo", "Eve"))
    ada.post(f"{held.path}/entrants")
    phone = {"viewport": {"width": 390, "height": 664}}
    desk = walk(f"/tournaments/{held.id}/desk", sign_in=held.organiser, **phone).page
    unfold(desk, "Co-organisers")
    named = desk.locator("[data-command=co-organiser]")
    named.get_by_label("Player").fill(cleo.id)
    press(desk, "Name the co-organiser")
    expect(desk.get_by_role("button", name="Remove Cleo")).to_be_visible()
    held.order("/start")

    desk = walk("/tournaments", sign_in=cleo, **phone).page
    desk.get_by_role("link", name="You are an official: go to the desk").click()
    row = desk.locator(f"[data-entrant='{ada.id}']")
    unfold(row, "Substitute …")
    form = row.locator(f"[data-command='substitute-{ada.id}']")
    form.get_by_label("Substitute").fill(f"{served}/players/{eve.id}")
    form.get_by_label("Reason").fill("Ada is ill.")
    form.get_by_role("button", name="Offer the place").click()
    expect(row.get_by_text("place offered to Eve")).to_be_visible()
    expect(desk.get_by_text("Cancel the tournament")).to_have_count(0)

    page = walk(f"/tournaments/{held.id}?tab=entrants", sign_in=eve, **phone).page
    expect(page.get_by_text("The organiser offers you the place of Ada.")).to_be_visible()
    press(page, "Take the place")
    expect(page.get_by_text("took over from Ada")).to_be_visible()

    unfold(desk, "Journal")
    journal = desk.locator(".chronicle")  # not the whole desk, which may show the same as the latest event
    expect(journal.get_by_text("The co-organiser Cleo offered the place of Ada to Eve.")).to_be_visible()
    expect(journal.get_by_text("Ada is ill.")).to_be_visible()
    assert eve.id in [entrant["id"] for entrant in held.view["entrants"]]
