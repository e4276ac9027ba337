"""Tournaments on the page: created with the form, entered, played to the end, and shown."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.service.processes import await_true
from tests.service.web.browser import axe_findings, enter
from tests.service.web.guests import answer_name, guest
from tests.service.web.tournaments.cups import (
    CUP,
    DESK,
    Held,
    await_complete,
    called,
    expected_rows,
    player_of,
    press,
    results_of,
    rows_of,
    unfold,
)

pytestmark = [pytest.mark.browser, pytest.mark.processes]


@pytest.fixture(scope="module")
def swiss(served):
    """A finished Swiss tournament, for tests that only look at it."""
    return Held(served, bots=7).played()


# ------------------------------------------------------------------------------- from form to standings


def fill_in(page: Any) -> None:
    """Fills in the form of a short tournament."""
    page.get_by_label("Name", exact=True).fill("The Cup")
    page.get_by_label("Game", exact=True).select_option(label="Blindside")
    page.get_by_label("Seats at a table").fill("3")
    unfold(page, "Sittings and times")
    page.get_by_label("Rounds", exact=True).first.fill("2")
    page.get_by_label("The next round starts").select_option("manual")
    page.get_by_label("Check-in", exact=True).fill("10")
    page.get_by_label("Turn clock").fill("0")
    page.get_by_label("Bots wait").fill("0")
    page.get_by_label("Pause after a deal").fill("0")
    unfold(page, "Options of the game")
    page.locator("details", has_text="Options of the game").get_by_label("Rounds").fill("1")
    unfold(page, "Description")
    page.get_by_label("Description and rules").fill("# Club night")
    press(page, "Create the tournament")


def enter_as(visit: Any, path: str, name: str) -> Any:
    person = visit(path)
    press(person.page, "Enter")
    answer_name(person.page, name)
    expect(person.page.get_by_text("You have entered.")).to_be_visible()
    return person


def play_round(desk: Any, people: list[Any], tournament: str, served: str, number: int) -> None:
    """Pairs a round at the desk and plays it: everybody goes to their table and resigns."""
    press(desk, f"Pair round {number}")
    for person in people:
        expect(
            person.page.get_by_text(re.compile(f"In round {number} you (play at board|have no table)"))
        ).to_be_visible()
    press(desk, f"Start the tables of round {number}")
    for person in people:
        go = person.page.get_by_role("link", name="Go to your table")
        expect(go).to_be_visible()
        player = player_of(person.page, served)
        view = player.get(f"/v1/tournaments/{tournament}")["tournament"]
        mine = next(entrant["number"] for entrant in view["entrants"] if entrant["id"] == player.id)
        deals = [board["tables"][-1] for board in view["rounds"][-1]["boards"]]
        table = next(deal["table"] for deal in deals if mine in deal["seats"])
        go.click()
        expect(person.page).to_have_url(f"{served}/tables/{table}")
        player.post(f"/v1/tables/{table}/resign", {"confirm": True})
        person.page.go_back()


def test_a_tournament_runs_from_the_form_to_its_final_standings(walk, served):
    organiser = walk("/tournaments/new")
    desk = organiser.page
    fill_in(desk)
    expect(desk.get_by_role("heading", name=DESK)).to_be_visible()
    tournament = urlsplit(desk.url).path.split("/")[2]
    path = f"/tournaments/{tournament}"

    desk.get_by_label("How many").fill("5")
    press(desk, "Enter bots")
    people = [enter_as(walk, path, "Ada")]
    expect(people[0].page.get_by_role("heading", name="Club night")).to_be_visible()
    expect(desk.locator("tr[data-entrant]")).to_have_count(6)
    press(desk, "Start the tournament")
    press(desk, "Open check-in for sitting 1")
    for person in people:
        press(person.page, "Check in")
        expect(person.page.get_by_text("You will be paired in the next round.")).to_be_visible()
    for number in (1, 2):
        play_round(desk, people, tournament, served, number)
        await_complete(player_of(desk, served), tournament, number)
    press(desk, "Finish the tournament")
    press(desk, "Finish it")

    final, organiser_ = people[0].page, player_of(desk, served)
    expect(final.locator(".phase", has_text="Finished")).to_be_visible()
    expect(final.locator("table.standings tbody tr")).to_have_count(6)
    await_true(lambda: rows_of(final) == expected_rows(organiser_.get(f"/v1{path}/standings")["rows"]))
    entrants = organiser_.get(f"/v1{path}")["tournament"]["entrants"]
    assert [bool(entrant["seed"]) for entrant in entrants] == [
        entrant["policy"] is None for entrant in entrants
    ]
    assert [said for visited in (organiser, *people) for said in visited.complaints] == []


def test_a_committed_seed_is_revealed_after_a_reload(walk, served):
    held = Held(served, bots=1)
    person = enter_as(walk, f"/tournaments/{held.id}", "Ada")
    person.page.reload()
    expect(person.page.get_by_text("You have entered.")).to_be_visible()

    held.order("/start")

    expect(person.page.get_by_role("link", name="Go to your table")).to_be_visible()
    ada = next(entrant for entrant in held.view["entrants"] if entrant["policy"] is None)
    assert ada["seed"]


def test_a_seed_is_revealed_while_its_player_is_on_another_page(walk, served):
    held = Held(served, bots=1)
    person = enter_as(walk, f"/tournaments/{held.id}", "Ada")
    person.page.get_by_role("link", name="Tournaments").first.click()
    expect(person.page.get_by_role("heading", name="Yours")).to_be_visible()

    held.order("/start")
    await_true(lambda: held.view["rounds"])

    assert next(entrant["seed"] for entrant in held.view["entrants"] if entrant["policy"] is None)


def test_open_standings_are_updated_after_each_table(walk, served):
    held = Held(served, bots=5, advance="manual")
    shown = walk(f"/tournaments/{held.id}")
    held.order("/start")
    for number in (1, 2):
        held.order("/rounds")
        held.order(f"/rounds/{number}/start")
        await_complete(held.organiser, held.id, number)

    expect(shown.page.get_by_text("Standings after round 2")).to_be_visible()
    await_true(lambda: rows_of(shown.page) == expected_rows(held.standings))


def test_each_number_of_the_standings_is_explained_and_opponents_are_in_the_cross_table(walk, swiss):
    held = swiss
    page = walk(f"/tournaments/{held.id}").page
    first = held.standings[0]
    explained = held.organiser.get(f"{held.path}/standings/{first['entrant']}")

    page.locator(f"tr[data-entrant='{first['entrant']}'] button[data-number=buchholz]").click()

    dialog = page.get_by_role("dialog")
    for number in explained["numbers"]:
        part = dialog.locator(f"[data-number={number['data']['tiebreak'] or 'score'}]")
        expect(part).to_be_visible()
        said = " ".join(part.locator("h3, li").all_inner_texts())
        assert said == number["words"].replace("'", "\u2019").replace(" -", " \u2212")
    press(page, "Close")
    expect(
        page.locator(f"tr[data-entrant='{first['entrant']}'] button[data-number=buchholz]")
    ).to_be_focused()

    earlier = held.organiser.get(f"{held.path}/standings?round=1")["rows"]
    page.get_by_label("Standings after").select_option("round 1")
    expect(page.get_by_text("Standings after round 1")).to_be_visible()
    await_true(lambda: rows_of(page) == expected_rows(earlier))

    # The cross-table shows opponents and byes.
    enter(page, f"/tournaments/{held.id}?tab=cross")
    lines = {row["entrant"]: line for line, row in enumerate(held.standings, start=1)}
    expect(page.locator("table.cross tbody tr")).to_have_count(7)

    for (round_, entrant), (mark, opponent) in results_of(held.view).items():
        cell = page.locator(f"tr[data-entrant='{entrant}'] td[data-round='{round_}']")
        assert mark_in(cell) == mark
        shown = cell.locator(".opponent")
        assert shown.all_inner_texts() == ([] if opponent is None else [str(lines[opponent])])


# ------------------------------------------------------------------------------- cross-table and bracket


def names_in(lines: list[Any]) -> list[str]:
    """Returns the names on the lines of a match, without results."""
    return [str(line.inner_text()).partition("\n")[0] for line in lines]


def mark_in(cell: Any) -> str:
    return str(cell.locator("[aria-hidden]").first.inner_text()).strip()


def test_the_cross_table_of_a_round_robin_shows_each_result_of_each_pair(walk, served):
    held = Held(served, bots=5, format="round_robin", sittings=[{}], tiebreaks=["direct"]).played()
    page = walk(f"/tournaments/{held.id}?tab=cross").page
    results = results_of(held.view)
    order = [row["entrant"] for row in held.standings]
    expect(page.locator("table.cross tbody tr")).to_have_count(5)

    assert [
        int(row.get_attribute("data-entrant")) for row in page.locator("table.cross tbody tr").all()
    ] == order
    for (_, entrant), (mark, opponent) in results.items():
        if opponent is not None:
            cell = page.locator(f"tr[data-entrant='{entrant}'] td[data-against='{opponent}']")
            assert mark_in(cell) == mark, (entrant, opponent)
    assert len([opponent for _, opponent in results.values() if opponent]) == 20
    assert page.locator("table.cross td[data-against] a").count() == 20


@pytest.mark.parametrize(
    "bots", [6, pytest.param(5, marks=pytest.mark.campaign), pytest.param(8, marks=pytest.mark.campaign)]
)
def test_the_bracket_of_a_knockout_links_each_match_to_the_next(walk, served, bots):
    held = Held(served, bots=bots, format="knockout", sittings=[{}], tiebreaks=[], third_place=True).played()
    page = walk(f"/tournaments/{held.id}").page
    expect(page.locator(".bracket .column")).to_have_count(3)

    slots = [column.locator(".slot").all() for column in page.locator(".bracket .column").all()]
    names = [[names_in(slot.locator("li").all()) for slot in column] for column in slots]
    through = [[names_in(slot.locator("li.through").all()) for slot in column] for column in slots]

    assert [len(column) for column in slots] == [4, 2, 1]
    for round_ in (0, 1):
        for slot, winners in enumerate(through[round_]):
            assert len(winners) == 1
            assert winners[0] in names[round_ + 1][slot // 2], (
                "the winner plays in the match to which the lines lead"
            )
    assert through[2] == [[names_of(held)[row["entrant"]] for row in held.standings if row["rank"] == 1]]
    third = held.view["rounds"][2]["boards"]
    assert page.locator(".third .match").count() == len(third) - 1
    played = {board["tables"][-1]["table"] for round_ in held.view["rounds"] for board in round_["boards"]}
    links = page.locator(".bracket a, .third a").evaluate_all("links => links.map(link => link.pathname)")
    assert {link.split("/")[2] for link in links} == played


def names_of(held: Held) -> dict[int, str]:
    return called({entrant["number"]: entrant["name"] for entrant in held.view["entrants"]})


def test_a_knockout_at_larger_tables_names_the_qualifiers(walk, served):
    held = Held(served, bots=7, format="knockout", seats=4, sittings=[{}], tiebreaks=[]).played()
    page = walk(f"/tournaments/{held.id}").page
    expect(page.locator(".bracket .column")).to_have_count(len(held.view["rounds"]))

    names = names_of(held)
    for round_, following in zip(held.view["rounds"], held.view["rounds"][1:], strict=False):
        seated = {names[number] for board in following["boards"] for number in board["tables"][0]["seats"]}
        column = page.locator(f".column[data-round='{round_['round']}']")
        assert {*names_in(column.locator("li.through").all())} == seated


# ------------------------------------------------------------------------------- the form and the list


def test_sittings_without_times_wait_for_the_organiser_and_form_errors_are_shown_at_their_fields(visit):
    page = visit("/tournaments/new", timezone_id="America/New_York").page
    unfold(page, "Sittings and times")
    begins = page.get_by_label("Begins (optional)").first
    expect(begins).to_have_accessible_description("In the time zone America/New York.")
    advance = page.get_by_label("The next round starts")
    expect(advance).to_have_value("automatic")

    press(page, "Add a sitting")
    expect(advance).to_have_value("manual")
    begins.fill("2030-01-01T10:00")
    page.get_by_label("Begins (optional)").last.fill("2030-01-02T10:00")
    expect(advance).to_have_value("automatic")

    advance.select_option("schedule")
    page.get_by_label("Begins (optional)").last.fill("")
    expect(advance).to_have_value("schedule")

    # Errors are shown at their fields.
    press(page, "Create the tournament")
    name = page.get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#field-name-fault")).not_to_be_empty()
    name.fill("The Cup")
    expect(page.locator("#field-name-fault")).to_have_count(0)
    press(page, "Create the tournament")
    expect(page.locator("#field-sittings-fault, #field-advance-fault").first).to_be_visible()


def test_t_9_t_20_the_standings_mark_organisers_and_assigned_byes(walk, served):
    held = Held(served, bots=2, sittings=[{"rounds": 2}], advance="manual")
    held.order("/entrants")
    held.order("/start")
    entrants = held.view["entrants"]
    bot = next(entrant for entrant in entrants if entrant["policy"])
    bye = {"entrant": bot["id"], "round": 1, "score": "1/2", "reason": "It has to be mended."}
    held.order("/byes", bye)
    held.order("/rounds")
    held.order("/rounds/1/start")

    page = walk(f"/tournaments/{held.id}").page

    line = page.locator(f"table.standings tr[data-entrant='{bot['number']}']")
    expect(line).to_contain_text("bye from the organiser in round 1")
    olga = next(entrant for entrant in entrants if not entrant["policy"])
    expect(page.locator(f"table.standings tr[data-entrant='{olga['number']}']")).to_contain_text("organiser")
    page.get_by_role("tab", name="Entrants").click()
    expect(page.locator("table.entrants")).to_contain_text("organiser")


def test_a_tournament_needs_only_a_name_and_a_game_to_be_listed(walk):
    page = walk("/tournaments/new").page
    page.get_by_label("Name", exact=True).fill("Friday Coconut")
    page.get_by_label("Game", exact=True).select_option(label="Coconut")
    press(page, "Create the tournament")
    expect(page.get_by_role("heading", name=DESK)).to_be_visible()

    lists = walk("/tournaments").page
    lists.get_by_label("Game").select_option(label="Coconut")
    lists.get_by_role("link", name="Friday Coconut").click()

    expect(lists.get_by_role("heading", name="Friday Coconut")).to_be_visible()
    expect(lists.get_by_role("button", name="Enter")).to_be_visible()


def test_lists_are_paged(walk, served):
    names: list[str] = []
    for _ in range(3):
        organiser = guest(served, "Olga")
        for _ in range(5):
            names.append(f"Shithead {len(names)}")
            opened = organiser.post(
                "/v1/tournaments", {**CUP, "game": "shithead", "options": {}, "name": names[-1]}
            )
            organiser.post(f"/v1/tournaments/{opened['tournament']['id']}/registration")
    # One listed later would move to the front, where a page that has been read misses it.
    await_true(lambda: len(organiser.get("/v1/tournaments?game=shithead")["tournaments"]) == len(names))
    page = walk("/tournaments?game=shithead").page
    expect(page.locator(".cups li")).to_have_count(12)

    press(page, "Show more of: Registration open")

    expect(page.locator(".cups li")).to_have_count(15)
    assert sorted(page.locator(".cups h3").all_inner_texts()) == sorted(names)


def test_the_tabs_work_by_the_keyboard_alone_and_an_unknown_tournament_is_reported(walk, served):
    held = Held(served, bots=2)
    page = walk(f"/tournaments/{held.id}").page
    page.get_by_role("tab", name="Entrants").focus()

    page.keyboard.press("ArrowRight")

    expect(page.get_by_role("tab", name="Settings")).to_be_focused()
    expect(page.get_by_role("tabpanel")).to_contain_text("Turn clock")
    assert page.url.endswith("?tab=settings")

    enter(page, "/tournaments/nosuchcup")
    expect(page.get_by_role("heading", name="There is no such tournament")).to_be_visible()
    expect(page.get_by_role("link", name="All tournaments")).to_be_visible()


def test_the_whole_tournament_is_verified_from_its_page(walk, swiss):
    page = walk(f"/tournaments/{swiss.id}?tab=files").page

    press(page, "Verify the tournament")

    expect(
        page.get_by_text("The standings that follow from them are those that this page shows")
    ).to_be_visible()
    expect(page.get_by_text(re.compile(r"All seals match, and every card at \d+ tables"))).to_be_visible()
    expect(page.locator("[data-check]")).to_have_count(5)
    expect(page.locator("[data-check=tables]")).to_have_class("passed")

    def forge(route):
        log = route.fetch().text()
        route.fulfill(body=log.replace('"tournament.round_started"', '"tournament.round_stopped"', 1))

    page.route("**/v1/tournaments/*/log", forge)
    press(page, "Verify the tournament")
    expect(page.get_by_text("This tournament failed the check: The seal of event ")).to_be_visible()
    expect(page.locator("[data-check=chain]")).to_have_class("failed")

    table = swiss.view["rounds"][0]["boards"][0]["tables"][0]["table"]
    enter(page, f"/tables/{table}/replay")
    press(page, "Verify")
    secret = page.locator("[data-check=secret]")
    expect(secret).to_have_class("passed")
    assert "Id and secret follow from the tournament's secret." in (secret.text_content() or "")


# ------------------------------------------------------------------------------- for everybody


def test_axe_finds_nothing_in_any_tab_and_at_the_desk(walk, served):
    held = Held(served, bots=5, advance="manual", check_in=600)
    page = walk(f"/tournaments/{held.id}/desk", sign_in=held.organiser).page
    expect(page.get_by_role("heading", name=DESK)).to_be_visible()
    assert axe_findings(page) == []
    held.order("/start")
    held.order("/sittings/1/check-in")
    held.order("/rounds")
    expect(page.get_by_role("heading", name="The pairing of round 1")).to_be_visible()
    for summary in page.locator("summary").all():
        summary.click()
    assert axe_findings(page) == []

    held.order("/rounds/1/start")
    await_complete(held.organiser, held.id, 1)
    enter(page, f"/tournaments/{held.id}")
    expect(page.locator("table.standings")).to_be_visible()
    for tab in page.get_by_role("tab").all():
        tab.click()
        expect(page.locator("main .loading")).to_have_count(0)
        assert axe_findings(page) == [], tab.inner_text()


def test_a_phone_shows_every_tab_without_scrolling_the_page_sideways(walk, swiss):
    page = walk(f"/tournaments/{swiss.id}", viewport={"width": 360, "height": 740}).page
    expect(page.locator("table.standings")).to_be_visible()

    for tab in page.get_by_role("tab").all():
        tab.click()
        expect(page.locator("main .loading")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab.inner_text()
        expect(tab).to_be_in_viewport()
