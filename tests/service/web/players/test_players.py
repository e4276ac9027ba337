"""The players' pages: figures match the API, and settings apply everywhere."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from hoodwink.domain.bots import VERSIONS
from hoodwink.domain.players import hash_token
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from hoodwink.service.web.files import page as page_files
from tests.service.processes import await_true, service_settings
from tests.service.web.browser import enter
from tests.service.web.guests import Guest, guest
from tests.service.web.life import played

pytestmark = [pytest.mark.browser, pytest.mark.processes]

OLGAS = "hwa_olgas-token"
PATIENCE_MS = 60_000
POLL_MS = 15_000
MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The URL of a whole service without limits, with Olga as administrator."""
    settings = service_settings(
        tmp_path_factory.mktemp("served"),
        job_slots=0,
        administrators=f"olga={hash_token(OLGAS)}",
    )
    with isolated_service(settings.unlimited()) as running:
        yield address(running)


class Season(NamedTuple):
    """Tables played before the tests by Ada, Bob, bots, and Cy, who has left since."""

    ada: Guest
    bob: Guest
    cy: Guest
    voided: str


@pytest.fixture(scope="module")
def season(served):
    ada, bob, cy = (guest(served, name) for name in ("Ada", "Bob", "Cy"))
    chance = Random(1)
    short: dict[str, Any] = {"options": {"rounds": 1}}
    played(ada.table("blindside", bob, **short), (ada, bob), chance)
    played(bob.table("blind_don", ada), (bob, ada), chance)
    played(ada.table("blindside", bots=1, **short), (ada,), chance)
    played(ada.table("blindside", cy, bots=1, **short), (ada, cy), chance)
    # In this game everybody scores, so there is something to reverse.
    played(path := ada.table("double_blind", bob), (ada, bob), chance)
    Guest(served, "", "", OLGAS).post(f"{path}/void", {"confirm": True, "reason": "A shared screen."})
    cy.post("/v1/players/me/erase", {"confirm": True})
    await_true(lambda: any(line["reverses"] for line in statement(ada)["lines"]))
    await_true(lambda: len(ratings(ada)) == 2)  # each with two people, and not void
    await_true(lambda: len(history(ada)["voided"]) == 1)
    await_true(lambda: len(history(ada)["tables"]) == 5)
    return Season(ada, bob, cy, path.rpartition("/")[2])


def statement(who, query=""):
    return who.get(f"/v1/players/{who.id}/statement{query}")


def history(who):
    return who.get(f"/v1/players/{who.id}/history")


def ratings(who, game="blindside"):
    return who.get(f"/v1/players/{who.id}/ratings/{game}")["tables"]


def cells(shown, name):
    """Waits for a table; returns the texts of its rows."""
    table = shown.locator("table", has=shown.locator("caption", has_text=name))
    table.wait_for(timeout=PATIENCE_MS)
    return [row.locator("td, th").all_inner_texts() for row in table.locator("tbody tr").all()]


def number(text):
    """Returns the number at the beginning of a text, such as 2 for `+2 tokens`."""
    return float(text.split()[0].replace(MINUS, "-").replace(",", "").removeprefix("+"))


def said(shown, text):
    shown.get_by_text(text).first.wait_for(timeout=PATIENCE_MS)


def is_waiting(who, path):
    return any(table["waits_since"] for table in who.get("/v1/me/tables")["tables"] if table["id"] in path)


class TestStatement:
    def test_lines_balances_and_plots_match_the_api_also_as_of_an_entry_and_of_one_unit(self, walk, season):
        shown, complaints = walk(f"/players/{season.ada.id}/statement", sign_in=season.ada)

        found = [(number(amount), number(balance)) for *_, amount, balance in cells(shown, "Entries")]

        expected = statement(season.ada)
        assert found == [(line["amount"], line["balance"]) for line in expected["lines"]]
        closing = {game: number(after) for game, _, after in cells(shown, "Balances")}
        amounts = {end["game"]: end["amount"] for end in expected["closing"]}
        titles = {"blindside": "Blindside", "blind_don": "Blind Don", "double_blind": "The Double Blind"}
        assert closing == {title: amounts[game] for game, title in titles.items()}
        assert shown.get_by_text("reversed", exact=True).count() == sum(
            bool(line["reverses"]) for line in expected["lines"]
        )
        for game, title in (("blindside", "Blindside"), ("blind_don", "Blind Don")):
            plot = shown.get_by_role("img", name=f"Balance in {title}").first
            words = plot.get_attribute("aria-label", timeout=PATIENCE_MS)
            assert number(words.partition(" last ")[2]) == amounts[game]

        shown.locator(f"a[href$='as_of={expected['lines'][-2]['entry']}']").click()
        said(shown, "This is the statement as of entry")
        assert len(cells(shown, "Entries")) == 2

        # One unit can be selected, and is kept in the URL.
        enter(shown, f"/players/{season.ada.id}/statement")
        shown.get_by_role("combobox", name="In").select_option("point")
        shown.get_by_role("button", name="Show", exact=True).click()
        await_true(lambda: shown.locator("caption").all_text_contents())
        shown.get_by_role("img", name="Balance in Blindside").wait_for(state="detached")

        assert {amount.split()[1] for *_, amount, _ in cells(shown, "Entries")} <= {"point", "points"}
        shown.reload()
        assert {amount.split()[1] for *_, amount, _ in cells(shown, "Entries")} <= {"point", "points"}
        assert not complaints

    def test_a_statement_includes_its_last_day_and_may_be_empty(self, visit, season):
        path, today = f"/players/{season.ada.id}/statement", datetime.now(UTC).date()
        shown, _ = visit(f"{path}?until={today}", sign_in=season.ada, timezone_id="UTC")
        assert len(cells(shown, "Entries")) == len(statement(season.ada)["lines"])

        enter(shown, f"{path}?until=2020-01-01")
        said(shown, "No entries match these filters.")

    def test_the_downloaded_file_matches_the_api(self, walk, served, season):
        shown, complaints = walk(f"/players/{season.bob.id}/statement")
        with shown.expect_download() as saved:
            shown.get_by_role("button", name="Download as CSV").click(timeout=PATIENCE_MS)

        with urlopen(f"{served}/v1/players/{season.bob.id}/statement?format=csv") as answer:
            assert Path(saved.value.path()).read_bytes() == answer.read()
        assert saved.value.suggested_filename == f"statement-{season.bob.id}.csv"
        assert not complaints


class TestRating:
    def test_the_plot_and_the_listed_tables_match_the_api(self, walk, season):
        shown, complaints = walk(f"/players/{season.ada.id}/ratings/blindside")
        shown.get_by_text("As a table").click(timeout=PATIENCE_MS)

        drawn = [[float(cell) for cell in row] for row in cells(shown, "Rating after each table")]

        tables = [table["after"] for table in reversed(ratings(season.ada))]
        start = ratings(season.ada)[-1]["before"]
        assert drawn == [
            [index, *(pytest.approx(rating[name], abs=0.0006) for name in ("mu", "low", "high"))]
            for index, rating in enumerate([start, *tables])
        ]
        said(shown, "someone who left")
        said(shown, "Steady bot, version")
        for row, table in zip(cells(shown, "Tables that count"), ratings(season.ada), strict=True):
            change = table["after"]["mu"] - table["before"]["mu"]
            assert number(row[3]) == pytest.approx(change, abs=0.006)
            assert row[1].startswith(str(table["place"]))

        # A game that was not played explains how tables count.
        enter(shown, f"/players/{season.ada.id}/ratings/shithead")
        said(shown, "No table counts yet.")
        assert not complaints


class TestPlayer:
    def test_history_and_ratings_match_the_api(self, walk, season):
        shown, complaints = walk(f"/players/{season.ada.id}")
        said(shown, "Steady bot")
        rows = cells(shown, "Finished tables of")

        expected = history(season.ada)["tables"]
        for row, table in zip(rows, expected, strict=True):
            if table["table"] == season.voided:
                assert row[3] == "Voided by an administrator"
            else:
                assert row[3].startswith(str(table["place"]))
                assert number(row[4]) == table["score"]
        standings = season.ada.get(f"/v1/players/{season.ada.id}/ratings")["ratings"]
        for row, standing in zip(cells(shown, "Ratings of Ada"), standings, strict=True):
            assert number(row[1]) == pytest.approx(standing["rating"]["mu"], abs=0.06)
            assert number(row[3]) == pytest.approx(standing["rating"]["ordinal"], abs=0.06)
        assert not complaints

    def test_a_player_who_left_has_a_page_without_a_name_and_a_bot_one_with_its_ratings(self, walk, season):
        shown, _ = walk(f"/players/{season.cy.id}")
        shown.get_by_role("heading", name="Someone who left").wait_for()
        assert "Cy" not in shown.locator("main").inner_text()

        for bot in ("bot:steady", f"steady@{VERSIONS['steady']}"):
            enter(shown, f"/players/{bot}")
            ((game, *_),) = cells(shown, "Ratings of Steady bot")
            assert game.startswith("Blindside"), bot

        # An unknown player is reported in words.
        enter(shown, "/players/nobodyatall")
        shown.get_by_role("alert").wait_for()
        assert "no" in shown.get_by_role("alert").inner_text().lower()

    def test_a_player_is_blocked_and_unblocked_on_their_page_and_in_the_settings(self, walk, ada, bob):
        shown, complaints = walk(f"/players/{bob.id}", sign_in=ada)
        shown.get_by_role("button", name="Block Bob").click(timeout=PATIENCE_MS)
        said(shown, "Bob can no longer offer you a seat.")
        assert [card["id"] for card in ada.get("/v1/players/me/blocks")["blocked"]] == [bob.id]
        shown.get_by_role("button", name="Unblock Bob").click()
        said(shown, "Bob can offer you seats again.")
        shown.get_by_role("button", name="Block Bob").click()
        said(shown, "Bob can no longer offer you a seat.")

        enter(shown, "/me")
        shown.get_by_role("button", name="Unblock Bob").click(timeout=PATIENCE_MS)

        said(shown, "Bob is no longer blocked.")
        assert ada.get("/v1/players/me/blocks")["blocked"] == []
        assert not complaints


class TestLeaderboard:
    def test_the_order_matches_the_api_and_my_row_is_highlighted(self, walk, season):
        shown, complaints = walk("/leaderboards/blindside?provisional=show", sign_in=season.bob)
        rows = cells(shown, "Leaderboard of Blindside")

        leaders = season.bob.get("/v1/leaderboards/blindside?provisional=show")["leaders"]
        assert [(int(rank), player.split()[0]) for rank, player, *_ in rows] == [
            (leader["rank"], leader["name"].split()[0]) for leader in leaders
        ]
        mine = shown.locator("tr.mine")
        assert "Bob" in mine.inner_text()
        assert "you" in mine.inner_text()

        # Bots have their own list, with its own address.
        shown.get_by_role("combobox", name="Who").select_option("Bots")
        shown.locator("td, th", has_text="Steady bot").wait_for(timeout=PATIENCE_MS)
        assert "of=bots" in shown.url
        assert not complaints

    def test_provisional_players_are_listed_on_request_and_all_games_with_their_best(self, walk, season):
        shown, _ = walk("/leaderboards/blindside")
        said(shown, "Nobody is on this list yet.")
        shown.get_by_label("provisional").check()
        shown.locator("td, th", has_text="Bob").first.wait_for(timeout=PATIENCE_MS)
        assert shown.url.endswith("?provisional=show")

        enter(shown, "/leaderboards")
        said(shown, "No rating is settled yet.")
        shown.get_by_role("link", name="those that are provisional").first.wait_for()


class TestMyTables:
    def test_the_note_of_a_turn_can_be_dismissed(self, walk, ada):
        ada.table("blindside", bots=1)
        shown, complaints = walk("/rules", sign_in=ada)
        note = shown.locator("hw-header").get_by_role("status").filter(has_text="Your turn at")
        note.wait_for(timeout=PATIENCE_MS)

        note.get_by_role("button", name="Dismiss").click()
        note.wait_for(state="detached")

        assert not complaints

    def test_a_table_that_starts_waiting_appears_without_reload(self, walk, ada, bob):
        shown, complaints = walk("/me/tables", sign_in=ada)
        said(shown, "No table is waiting for you")

        path = bob.table("blindside", ada)

        shown.get_by_role("heading", name="Waiting for you").wait_for(timeout=PATIENCE_MS)
        assert shown.get_by_role("link", name="Blindside, round 1").get_attribute("href") in path
        said(shown, "Your turn")
        assert not complaints

    def test_a_table_no_longer_waiting_moves_to_the_others(self, visit, ada, bob):
        path = bob.table("blindside", ada)
        await_true(lambda: is_waiting(ada, path))
        shown, _ = visit("/me/tables", sign_in=ada, skips_time=True)
        shown.get_by_role("heading", name="Waiting for you").wait_for(timeout=PATIENCE_MS)

        ada.post(f"{path}/actions", ada.get(f"{path}/legal-actions")["actions"][0])
        await_true(lambda: not is_waiting(ada, path))
        shown.clock.fast_forward(POLL_MS)

        shown.get_by_role("heading", name="In play").wait_for(timeout=PATIENCE_MS)
        said(shown, "Bob to move.")

    def test_an_ended_table_moves_to_the_finished_ones(self, walk, ada, bob):
        path = bob.table("blindside", ada)
        # Otherwise it might end before the lobby has it, and without news.
        await_true(lambda: ada.get("/v1/me/tables")["tables"])
        shown, _ = walk("/me/tables", sign_in=ada)
        said(shown, "None of your tables is finished yet.")
        # The list may lag behind the news.
        before = ada.get("/v1/me/tables?phase=ended")
        shown.route(re.compile("phase=ended"), lambda route: route.fulfill(json=before), times=1)

        bob.post(f"{path}/resign", {"confirm": True})

        ((_, game, others, own, *_),) = cells(shown, "Your finished tables")
        assert (game, others) == ("Blindside", "Bob")
        assert own.startswith("1st of 2")

    def test_offered_seats_are_taken_or_declined(self, walk, ada, bob):
        answers = {
            "coconut": ("Take the seat, Coconut", "You have a seat"),
            "blindside": ("Decline, Blindside", "You declined"),
            "shithead": ("Decline and block the sender, Shithead", "You declined"),
        }
        paths = {
            game: f"/v1/tables/{bob.post('/v1/tables', {'game': game, 'seats': 2})['view']['id']}"
            for game in answers
        }
        for path in paths.values():
            bob.post(f"{path}/offers", {"player": ada.id})
        shown, complaints = walk("/me/tables", sign_in=ada)

        for game, (button, answer) in answers.items():
            assert ada.get("/v1/players/me/blocks")["blocked"] == []
            shown.get_by_role("button", name=button).click(timeout=PATIENCE_MS)
            shown.locator("[role=status]:focus", has_text=answer).wait_for(timeout=PATIENCE_MS)
            (seat, _) = bob.get(paths[game])["view"]["seats"]
            assert (seat["player"] == ada.id) is (game == "coconut")
            assert bool(seat["seed_commitment"]) is (game == "coconut")
            assert seat["offered_to"] is None
            shown.get_by_role("button", name=button).wait_for(state="detached", timeout=PATIENCE_MS)

        assert [card["name"] for card in ada.get("/v1/players/me/blocks")["blocked"]] == ["Bob"]
        assert not complaints


ASK_MEANWHILE = """async (root) => {
  const { api } = await import(`${root}/kit/api.js`);
  const send = window.fetch;
  window.fetch = async (path, options) => {
    const answer = await send(path, options);
    if (path.endsWith('/erase')) await api.get('/v1/players/me').catch(() => {});
    return answer;
  };
}"""


class TestSettings:
    def test_a_new_name_reaches_the_service_the_other_tab_and_the_next_visit(self, visit, ada):
        shown, complaints = visit("/me", sign_in=ada)
        other = shown.context.new_page()
        other.goto("/me")

        shown.get_by_role("textbox", name="Name").fill("Ada Lovelace")
        shown.get_by_role("button", name="Change the name").click()

        said(shown, "Your name is Ada Lovelace now.")
        assert ada.get("/v1/players/me")["name"] == "Ada Lovelace"
        for tab in (shown, other):
            tab.get_by_role("heading", name="Ada Lovelace").wait_for(timeout=PATIENCE_MS)
        shown.reload()
        shown.get_by_role("heading", name="Ada Lovelace").wait_for(timeout=PATIENCE_MS)
        assert not complaints

        # One that nobody can read is refused.
        shown.get_by_role("textbox", name="Name").fill("Ad\N{CYRILLIC SMALL LETTER A}")
        shown.get_by_role("button", name="Change the name").click()

        shown.get_by_role("alert").wait_for(timeout=PATIENCE_MS)
        assert "must be of one script" in shown.get_by_role("alert").inner_text()
        assert shown.get_by_role("textbox", name="Name").get_attribute("aria-invalid") == "true"
        assert ada.get("/v1/players/me")["name"] == "Ada Lovelace"

    def test_theme_deck_and_motion_survive_a_reload_and_reach_other_tabs(self, visit, ada):
        shown, _ = visit("/me", sign_in=ada)
        other = shown.context.new_page()
        other.goto("/me")
        other.get_by_label("Dark").wait_for()

        shown.get_by_label("Dark").check()
        shown.get_by_label("Four colours").check()
        shown.get_by_label("Less motion").check()

        dressed = "html[data-theme=dark][data-deck=four][data-motion=less]"
        for tab in (shown, other):
            tab.wait_for_selector(dressed, timeout=PATIENCE_MS)
            assert tab.get_by_label("Dark").is_checked()
        shown.reload()
        shown.wait_for_selector(dressed)
        shown.get_by_label("As on this device").check()
        other.wait_for_selector("html:not([data-theme])[data-deck=four]", timeout=PATIENCE_MS)

    def test_signing_out_ends_the_session_and_needs_no_connection(self, visit, ada, bob):
        shown, complaints = visit("/me")
        shown.evaluate("player => localStorage.setItem('hoodwink.player', player)", ada.kept)
        shown.evaluate("localStorage.setItem('hoodwink.invitation.sometable', 'ABCD-EFGH-JKLM')")
        shown.reload()
        shown.get_by_role("button", name="Show the token").click()
        assert shown.locator(".secret").inner_text() == ada.token
        shown.get_by_role("button", name="Sign out").click()
        shown.get_by_role("button", name="No, go back").click()
        assert shown.get_by_role("button", name="Sign out").evaluate(
            "button => button === document.activeElement"
        )
        shown.get_by_role("button", name="Sign out").click()
        with shown.expect_response("**/v1/players/me/token"):
            shown.get_by_role("button", name="I have one").click()

        said(shown, "Ada is signed out")
        kept = shown.evaluate("JSON.stringify(localStorage)")
        assert ada.token not in kept
        assert "hoodwink.invitation" not in kept
        with pytest.raises(HTTPError, match="401"):
            ada.get("/v1/players/me")
        shown.get_by_label("Token").fill(f" {bob.token}\n")
        shown.get_by_role("button", name="Sign in").click()
        said(shown, "You are signed in as Bob.")
        shown.reload()
        shown.get_by_role("heading", name="Bob").wait_for(timeout=PATIENCE_MS)
        assert bob.token not in shown.url
        assert not complaints

        shown.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('offline')); }")
        shown.get_by_role("button", name="Sign out").click()
        shown.get_by_role("button", name="I have one").click()
        said(shown, "Bob is signed out")
        assert shown.evaluate("localStorage['hoodwink.player']") is None

    def test_a_wrong_token_is_refused_and_an_old_one_replaced(self, walk, ada):
        shown, _ = walk("/me", sign_in=ada)
        shown.get_by_text("As another player").click()
        shown.get_by_label("Token").fill("hw_wrong")
        shown.get_by_role("button", name="Sign in").click()

        shown.get_by_role("alert").wait_for(timeout=PATIENCE_MS)
        shown.get_by_role("heading", name="Ada").wait_for()

        # Replacing the token signs out only other devices.
        shown.get_by_role("button", name="Replace the token").click()
        shown.get_by_role("button", name="Replace it").click()
        said(shown, "You have a new token.")

        with pytest.raises(HTTPError, match="401"):
            ada.get("/v1/players/me")
        shown.get_by_role("button", name="Show the token").click()
        new = ada._replace(token=shown.locator(".secret").inner_text())
        assert new.get("/v1/players/me")["id"] == ada.id

    def test_erasing_needs_a_typed_word_and_signs_out(self, visit, served, ada):
        shown, _ = visit("/me")
        shown.evaluate("player => localStorage.setItem('hoodwink.player', player)", ada.kept)
        shown.reload()
        shown.get_by_role("button", name="Erase myself").click()
        shown.get_by_label("to confirm").fill("no")
        shown.get_by_role("button", name="Erase me", exact=True).click()
        assert shown.get_by_role("dialog").is_visible()
        shown.get_by_label("to confirm").fill("Erase")
        # Another request is the first to be refused for its ended token.
        shown.evaluate(ASK_MEANWHILE, page_files().root)
        shown.get_by_role("button", name="Erase me", exact=True).click()

        said(shown, "You have left.")
        said(shown, "You have no player yet")
        with urlopen(f"{served}/v1/players/{ada.id}") as answer:
            assert json.load(answer)["name"] == "someone who left"

    def test_a_visitor_is_told_how_to_start_and_can_choose_a_name_first(self, walk, served):
        shown, complaints = walk("/me/tables")
        said(shown, "Choose one of the games")
        enter(shown, "/me")
        said(shown, "You have no player yet")
        shown.get_by_role("textbox", name="Name").fill("Grace")
        shown.get_by_role("button", name="Take this name").click()

        said(shown, "Your name is Grace now.")
        kept = json.loads(shown.evaluate("localStorage.getItem('hoodwink.player')"))
        assert Guest(served, **kept).get("/v1/players/me")["name"] == "Grace"
        assert not complaints


class TestPages:
    """Paged lists, with pages from a test."""

    LIST = """async ([root, sizes]) => {
      const [{ Pages, paged }, { html, render }] = await Promise.all(
        [import(`${root}/players/pages.js`), import(`${root}/vendor/lit-html/lit-html.js`)]);
      const left = [...sizes];
      let number = 0;
      const ask = async () => {
        const size = left.shift();
        if (size === 'broken') throw { detail: 'It broke.' };
        return { rows: Array.from({ length: size }, () => { number += 1; return number; }), cursor: left.length ? 'x' : null };
      };
      const main = document.createElement('main');
      document.body.replaceChildren(main);
      const draw = () => render(paged(pages, { noun: 'rows', empty: 'None.',
        rows: (all) => html`<ol>${all.map((each) => html`<li>${each}</li>`)}</ol>` }), main);
      const pages = new Pages(ask, draw, 10);
      await pages.more();
    }"""

    def test_a_button_loads_more_rows_until_the_end_or_a_failure(self, visit):
        shown = visit("/nowhere").page
        shown.evaluate(self.LIST, [page_files().root, (15, 0, 8)])
        assert shown.locator("li").count() == 10
        shown.get_by_role("button", name="Show more rows").press("Enter")
        shown.locator("li").nth(19).wait_for()
        said(shown, "Showing the first 20.")
        shown.get_by_role("button", name="Show more rows").press("Enter")
        shown.locator("li").nth(22).wait_for()
        said(shown, "Showing all 23.")
        shown.locator("[role=status]:focus").wait_for()
        assert shown.get_by_role("button").count() == 0

        shown.evaluate(self.LIST, [page_files().root, (0,)])
        assert shown.locator("main").inner_text() == "None."

        shown.evaluate(self.LIST, [page_files().root, (10, "broken", 3)])
        shown.get_by_role("button", name="Show more rows").click()
        said(shown, "It broke.")
        assert shown.locator("li").count() == 10
        shown.get_by_role("button", name="Try again").click()
        shown.locator("li").nth(12).wait_for()
        assert shown.get_by_text("It broke.").count() == 0


class TestFailures:
    def test_a_service_failure_shows_the_request_id_and_can_be_retried(self, walk, season):
        shown, _ = walk("/nowhere", sign_in=season.ada)
        shown.route(
            "**/v1/leaderboards/**",
            lambda route: route.fulfill(
                status=501,
                headers={"X-Request-Id": "r-17", "Content-Type": "application/problem+json"},
                body='{"detail": "Something broke."}',
            ),
        )
        enter(shown, "/leaderboards/blindside?provisional=show")
        said(shown, "Something broke.")
        said(shown, "Request r-17")

        shown.unroute_all()
        shown.get_by_role("button", name="Try again").click()
        said(shown, "Rank")
