"""The ways to a table: the first page, a game's page, and the lobby."""

import json
from urllib.parse import urlparse

import pytest
from playwright.sync_api import expect

from hoodwink.domain.bots import POLICIES
from hoodwink.domain.games import GAMES
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.processes import await_true, service_settings
from tests.service.web.browser import enter, pause_clock
from tests.service.web.guests import Guest, answer_name, guest
from tests.service.web.weight import MAX_BYTES, TRANSFERRED, loaded, weight

pytestmark = [pytest.mark.browser, pytest.mark.processes]

PLAYER = "JSON.parse(localStorage.getItem('hoodwink.player'))"
PAGE = 20
REFRESH_MS = 3_000


def table_of(page):
    """Waits until the page shows a table; returns its path in the API."""
    page.wait_for_url("**/tables/*")
    return f"/v1{urlparse(page.url).path}"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The URL of a separate service, whose lists contain only a test's own tables."""
    settings = service_settings(tmp_path_factory.mktemp("served"), job_slots=0)
    with isolated_service(settings) as running:
        yield address(running)


def player_of(page, served):
    """Returns the player registered by the page."""
    return Guest(served, *(page.evaluate(PLAYER)[field] for field in ("id", "name", "token")))


def press(page, name):
    page.get_by_role("button", name=name).click()


def play_against_bots(page):
    press(page, "Play against bots")


def assert_light(page, game):
    """Asserts that a page has loaded only what the test of its weight counts."""
    page.locator(".crib li").first.wait_for()
    page.wait_for_function(
        "() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/moments.js'))"
    )
    sizes = page.evaluate(TRANSFERRED)
    assert {*sizes} - loaded(game) == {"/"}
    assert all(sizes.values())
    assert sum(sizes.values()) + weight("icon.svg", "manifest.webmanifest") <= MAX_BYTES, sizes


def unfold(page, summary, field):
    page.get_by_text(summary).click()
    page.get_by_label(field).first.wait_for()


def answer(page, path, status, problem, **headers):
    """Makes commands to a path fail with this answer."""
    body = {"type": "about:blank", "title": "", "status": status, "code": "", "detail": "", **problem}
    page.route(
        path,
        lambda route: (
            route.fulfill(
                status=status,
                content_type="application/problem+json",
                headers={name.replace("_", "-"): value for name, value in headers.items()},
                body=json.dumps(body),
            )
            if route.request.method == "POST"
            else route.continue_()
        ),
    )


def refusal(page):
    return page.get_by_role("alert").inner_text()


def names_in(page):
    return page.locator(".listed li .about span").all_inner_texts()


def await_listed(page, text):
    """Waits until a list shows a text."""
    await_refreshed(page, lambda: page.get_by_text(text).count())


def await_refreshed(page, condition):
    """Waits for a condition; makes the page, which skips time, ask for its list again and again."""

    def is_met():
        page.clock.fast_forward(REFRESH_MS)
        return condition()

    await_true(is_met)


class TestFirstPage:
    def test_each_game_has_a_line_and_its_own_picture_and_needs_no_scrolling(self, walk, ada):
        page, complaints = walk("/")
        page.wait_for_selector(".game .about")

        listed = ada.get("/v1/games")["games"]
        assert page.locator(".game h2").all_inner_texts() == [game["title"] for game in listed]
        for card, game in zip(page.locator(".game").all(), listed, strict=True):
            assert game["tagline"] in card.inner_text()
        pictures = page.locator(".game .picture").evaluate_all("all => all.map(picture => picture.innerHTML)")
        assert len(set(pictures)) == len(GAMES)
        assert complaints == []

        for width, height in ((1280, 800), (390, 664)):
            page.set_viewport_size({"width": width, "height": height})
            for link in page.locator(".game .main").all():
                box = link.bounding_box()
                assert box["y"] + box["height"] <= height
            assert page.get_by_role("button", name="Play now").bounding_box()["y"] < height / 2

    def test_a_failed_list_can_be_loaded_again_and_may_contain_an_unknown_game(self, visit):
        page, _ = visit("/nowhere")
        page.route("**/v1/games", lambda route: route.fulfill(status=404, json={"detail": "Not just now."}))
        enter(page, "/")
        assert "Not just now." in refusal(page)
        lantern = {
            "name": "lantern",
            "title": "Lantern",
            "tagline": "The brightest wins.",
            "unit": "token",
            "seats": {"fewest": 3, "most": 3},
            "minutes": {"shortest": 5, "longest": 20},
            "aim": "Be the brightest.",
        }
        page.unroute_all()
        page.route("**/v1/games", lambda route: route.fulfill(json={"games": [lantern]}))

        press(page, "Try again")

        card = page.locator(".game", has_text="Lantern")
        assert "The brightest wins." in card.inner_text()
        assert "3 players · 5" in card.inner_text()
        assert card.locator(".picture use").count() > 1
        assert card.get_by_role("link", name="Play Lantern").get_attribute("href") == "/games/lantern"

    def test_browsing_registers_nobody_and_an_unknown_game_is_reported(self, walk):
        page, _ = walk("/")
        for path in ("/games/coconut", "/tables", "/rules/coconut"):
            enter(page, path)
            page.wait_for_selector("h1")
        enter(page, "/games/whist")
        page.get_by_role("heading", name="There is no such game").wait_for()

        assert page.evaluate(PLAYER) is None

    def test_a_table_waiting_for_the_player_is_shown(self, walk, ada):
        path = ada.table("blind_don", bots=1)
        # Otherwise the page might ask too early, and would ask again only after a while.
        await_true(lambda: [table for table in ada.get("/v1/me/tables")["tables"] if table["waits_since"]])

        page, _ = walk("/", sign_in=ada)

        link = page.locator(".waiting").get_by_role("link", name="Blind Don")
        assert link.get_attribute("href") == path.removeprefix("/v1")

    def test_tables_of_people_can_be_watched(self, walk, served, ada):
        path = ada.table("blind_don", guest(served, "Bo"))
        alone = ada.table("blind_don", bots=1)
        # Until the lobby has followed, it lists the table as one that can be joined.
        await_true(
            lambda: alone.rpartition("/")[2] in str(ada.get("/v1/tables?phase=playing&game=blind_don"))
        )

        page, _ = walk("/")
        watched = page.locator(f".listed a[href='{path.removeprefix('/v1')}']", has_text="Watch")
        watched.wait_for()
        assert not page.locator(f".listed a[href='{alone.removeprefix('/v1')}']").count()
        watched.click()

        assert table_of(page) == path


class TestTwoClicks:
    @pytest.mark.parametrize(
        "game",
        [pytest.param(game, marks=() if game == "blind_don" else pytest.mark.campaign) for game in GAMES],
    )
    def test_two_clicks_lead_to_a_dealt_table_against_bots(self, visit, served, game):
        page, complaints = visit("/")

        page.get_by_role("link", name=f"Play {GAMES[game].title}").click()
        play_against_bots(page)

        path, player = table_of(page), player_of(page, served)
        view = await_true(lambda: (found := player.get(path)["view"])["round"] and found)
        assert (view["phase"], view["viewer"], view["host"]) == ("playing", 0, player.id)
        assert {seat["policy"] for seat in view["seats"][1:]} == {"steady"}
        assert len(view["seats"]) == min(4, GAMES[game].seats[1])
        assert (view["host_seed_status"], view["seats"][0]["seed_status"]) == ("revealed", "revealed")
        assert_light(page, game)
        assert complaints == []

    def test_the_first_click_needs_only_the_list_of_games(self, visit):
        page, _ = visit("/")
        page.route("**/v1/games/*", lambda _: None)  # never answered

        page.get_by_role("link", name="Play Shithead").click()
        play_against_bots(page)

        assert table_of(page)

    def test_the_choices_become_the_options_of_the_table(self, walk, served):
        described = guest(served).get("/v1/games/coconut")
        page, _ = walk("/games/coconut")
        unfold(page, "Options of the game", "Rounds")
        page.get_by_label("Rounds").fill("2")
        page.keyboard.press("Tab")
        page.get_by_label("Opening").select_option(label="free")
        page.get_by_label("Two plays again").check()
        page.get_by_label("Sneak", exact=True).uncheck()
        unfold(page, "Pace, bots and spectators", "Turn clock")
        page.get_by_label("Turn clock").select_option("30")
        page.get_by_label("Bots wait").select_option("0")
        page.get_by_label("Who may watch").select_option("nobody")
        field = page.get_by_label("Bots", exact=True)
        levels = described["policies"]
        expect(field.locator("option")).to_have_text([level["name"].capitalize() for level in levels])
        for level in levels:
            field.select_option(level["name"])
            expect(page.get_by_text(level["meaning"])).to_be_visible()
        field.select_option("random")
        page.get_by_role("radio", name="3").check()

        play_against_bots(page)

        path = table_of(page)
        view = player_of(page, served).get(path)["view"]
        usual = {option["name"]: option["default"] for option in described["options"]}
        changed = {"rounds": 2, "opening": "free", "two_plays_again": True, "sneak": False}
        assert view["options"] == usual | changed
        assert [seat["policy"] for seat in view["seats"]] == [None, "random", "random"]
        assert (view["turn_seconds"], view["bot_delay"], view["watch"]) == (30, 0, "nobody")
        assert view["rated"] is False

    def test_choices_are_reset_together(self, walk, served):
        page, _ = walk("/games/coconut")
        unfold(page, "Options of the game", "Rounds")
        page.get_by_label("Rounds").fill("2")
        page.get_by_label("Sneak", exact=True).uncheck()
        page.get_by_text("2 changed").wait_for()
        page.get_by_label("Rounds").fill("3")
        page.keyboard.press("Tab")
        page.get_by_text("1 changed").wait_for()
        page.get_by_label("Rounds").fill("2")
        page.keyboard.press("Tab")

        press(page, "Reset the options")
        play_against_bots(page)

        path = table_of(page)
        view = player_of(page, served).get(path)["view"]
        assert (view["options"]["rounds"], view["options"]["sneak"]) == (3, True)

    def test_every_option_is_explained_next_to_it_and_a_conflict_is_marked(self, walk, served):
        described = guest(served).get("/v1/games/shithead")
        page, _ = walk("/games/shithead")
        unfold(page, "Options of the game", "Rounds")

        for option in described["options"]:
            field = page.locator(f"#option-{option['name']}")
            (meaning,) = field.get_attribute("aria-describedby").split()
            text = page.locator(f"#{meaning}").text_content()
            assert option["meaning"].replace("`", "").replace("**", "") in " ".join(text.split())
        assert [policy["name"] for policy in described["policies"]] == list(POLICIES)

        # Options that contradict each other are explained and marked.
        page.get_by_label("Jokers").fill("0")
        page.get_by_label("Decks").fill("1")
        page.get_by_role("radio", name="6").check()
        page.get_by_text("Options of the game").click()

        play_against_bots(page)

        page.get_by_role("alert").wait_for()
        assert "6 players need 54 cards, and there are 52; leave decks out" in refusal(page)
        assert page.get_by_label("Jokers").is_visible()
        assert page.get_by_role("button", name="Play against bots").is_enabled()


class TestRefusals:
    def test_faults_are_marked_at_their_fields_and_a_limit_says_when_to_try_again(self, walk):
        page, _ = walk("/games/coconut")
        unfold(page, "Options of the game", "Rounds")
        page.get_by_label("Rounds").fill("50")
        page.get_by_text("Options of the game").click()

        play_against_bots(page)

        expect(page.locator("#option-rounds")).to_be_focused()
        assert page.get_by_label("Rounds").is_visible()
        assert page.evaluate(PLAYER) is None

        # Faults found by the service are shown at their fields, too.
        page.get_by_label("Rounds").fill("3")
        faults = [
            {"place": "body", "name": "options.rounds", "detail": "Must be odd."},
            {"place": "body", "name": "moon", "detail": "Must be full."},
        ]
        answer(page, "**/v1/tables", 400, {"code": "invalid_body", "faults": faults})

        play_against_bots(page)

        field = page.locator("#option-rounds[aria-invalid]")
        field.wait_for()
        fault, _ = field.get_attribute("aria-describedby").split()
        assert page.locator(f"#{fault}").inner_text() == "Must be odd."
        assert "Moon: Must be full." in refusal(page)

        # A limit shows when to try again.
        page.unroute_all()
        detail = "You host too many tables that have not ended."
        answer(page, "**/v1/tables", 429, {"code": "x", "detail": detail}, Retry_After="60")

        play_against_bots(page)

        page.get_by_role("alert").filter(has_text=detail).wait_for()
        assert refusal(page) == f"{detail} Try again in 1:00."

    def test_a_table_that_fails_to_start_is_closed_again(self, walk, served):
        page, _ = walk("/games/coconut")
        answer(page, "**/start", 429, {"code": "x", "detail": "Too many bots."}, Retry_After="60")

        with page.expect_response("**/close") as closing:
            play_against_bots(page)

        page.get_by_role("alert").wait_for()
        table = urlparse(closing.value.url).path.removesuffix("/close")
        assert player_of(page, served).get(table)["view"]["result"]["outcome"] == "closed"


class TestPlayNow:
    def play_now(self, page, game):
        page.get_by_label("Game", exact=True).select_option(game)
        press(page, "Play now")
        answer_name(page)
        return table_of(page)

    def test_those_who_wait_for_the_same_game_meet_and_bots_fill_up(self, visit, served):
        first, complaints = visit("/", skips_time=True)
        # Not the game of the next test: players still count as connected for some seconds after they close a page.
        table = self.play_now(first, "shithead")
        first.get_by_role("img", name="QR code of the link").wait_for()
        first.get_by_text("Bots take the free seats in").wait_for()
        pause_clock(first)  # or bots might take the seats before the second player on a busy machine
        # The lobby and the record of who is connected follow the events.
        host = player_of(first, served)
        listed = "/v1/tables?phase=open&game=shithead"
        await_true(lambda: [seat for row in host.get(listed)["tables"] for seat in row["seats"] if seat])
        await_true(lambda: host.get(f"{table}/presence")["seats"])
        second, _ = visit("/")
        assert self.play_now(second, "shithead") == table

        first.get_by_text("2 seats are still free").wait_for()
        first.clock.fast_forward(31_000)

        player = player_of(second, served)

        def is_started():
            first.clock.fast_forward(1_000)
            return host.get(table)["view"]["phase"] == "playing"

        await_true(is_started)
        seats = host.get(table)["view"]["seats"]
        assert [seat["player"] for seat in seats[:2]] == [host.id, player.id]
        assert [seat["policy"] for seat in seats[2:]] == ["steady", "steady"]
        assert complaints == []

    def test_nobody_is_seated_with_a_host_who_has_gone(self, walk, served):
        left = guest(served, "Bo").post("/v1/tables", {"game": "coconut", "seats": 2})["view"]["id"]

        page, _ = walk("/")

        assert self.play_now(page, "coconut") != f"/v1/tables/{left}"


class TestWithOthers:
    def test_friends_are_invited_to_a_private_table(self, walk, served):
        page, _ = walk("/games/blindside")

        press(page, "Invite friends")
        answer_name(page)

        path, player = table_of(page), player_of(page, served)
        view = player.get(path)["view"]
        assert (view["private"], view["phase"], view["viewer"]) == (True, "open", 0)
        assert path.rpartition("/")[2] not in str(player.get("/v1/tables"))

    def test_a_table_for_everybody_is_in_the_lobby(self, walk, served):
        page, _ = walk("/games/blindside")

        press(page, "Open to everybody")
        answer_name(page)

        path, player = table_of(page), player_of(page, served)
        view = player.get(path)["view"]
        assert (view["private"], view["phase"], view["viewer"]) == (False, "open", 0)
        await_true(lambda: path.rpartition("/")[2] in str(player.get("/v1/tables?game=blindside")))


class TestLobby:
    def open_table(self, host, game="double_blind", seats=2):
        return host.post("/v1/tables", {"game": game, "seats": seats})["view"]["id"]

    def test_another_players_table_appears_and_its_seat_can_be_taken(self, visit, served, bob):
        page, complaints = visit("/tables?game=double_blind", skips_time=True)
        page.get_by_text("No table of The Double Blind is waiting for players").wait_for()

        table = self.open_table(bob)
        await_listed(page, "2 of 2 seats free")
        press(page, "Sit down: The Double Blind, Bob\N{RIGHT SINGLE QUOTATION MARK}s table")
        answer_name(page)

        assert table_of(page) == f"/v1/tables/{table}"
        view = bob.get(f"/v1/tables/{table}")["view"]
        assert view["seats"][0]["player"] == player_of(page, served).id
        assert view["seats"][0]["seed_commitment"]
        assert complaints == []

    def test_a_seat_taken_by_others_is_explained(self, walk, ada, bob):
        table = self.open_table(bob, "blind_don")
        page, _ = walk("/tables?game=blind_don")
        sit = page.get_by_role(
            "button", name="Sit down: Blind Don, Bob\N{RIGHT SINGLE QUOTATION MARK}s table"
        )
        sit.wait_for()
        answer(page, f"**/{table}/seats", 409, {"code": "seat_taken", "detail": "Somebody sits there."})

        sit.click()
        answer_name(page)

        page.get_by_text("Somebody sits there.").wait_for()
        assert sit.is_enabled()

    def test_a_seat_at_ones_own_table_is_not_offered_again(self, walk, ada):
        table = self.open_table(ada, "coconut")
        ada.post(f"/v1/tables/{table}/seats")

        page, _ = walk("/tables?game=coconut", sign_in=ada)

        page.locator(f"a[href='/tables/{table}']", has_text="Go to your seat").wait_for()

    def test_rows_keep_their_place_while_tables_change(self, visit, served):
        hosts = [guest(served, name) for name in ("Cid", "Dot", "Eve")]
        tables = [self.open_table(host, "shithead", 3) for host in hosts]
        page, _ = visit("/tables?game=shithead", skips_time=True)
        await_refreshed(page, lambda: len(names_in(page)) == len(hosts))
        before = names_in(page)

        hosts[0].post(f"/v1/tables/{tables[0]}/seats")
        await_listed(page, "Cid · 2 of 3 seats free")

        assert names_in(page) == before
        for host, table in zip(hosts, tables, strict=True):
            host.post(f"/v1/tables/{table}/close", {"confirm": True})
        await_listed(page, "No table of Shithead is waiting for players")

    def test_tables_in_play_and_finished_ones_have_separate_lists(self, walk, ada, bob):
        playing = ada.table("blindside", bob).rpartition("/")[2]
        over = bob.table("coconut", ada).rpartition("/")[2]
        bob.post(f"/v1/tables/{over}/resign", {"confirm": True})
        await_true(lambda: over in str(ada.get("/v1/tables?phase=ended")))
        page, _ = walk("/tables")

        page.get_by_role("link", name="In play").click()
        page.locator(f"a[href='/tables/{playing}']", has_text="Watch").wait_for()
        page.get_by_role("link", name="Over").click()
        page.locator(f"a[href='/tables/{over}/replay']", has_text="Replay").wait_for()
        page.get_by_label("Game").select_option("blindside")

        await_true(lambda: page.locator(".listed", has_text="Coconut").count() == 0)
        assert page.url.endswith("/tables?phase=ended&game=blindside")

    def test_a_long_list_has_pages(self, walk, served):
        hosts = [guest(served, f"Host {number}") for number in range(3)]
        for host in hosts:
            for _ in range(8):
                self.open_table(host, "blindside", 5)
        # All of them: a list that is opened earlier has too few older ones.
        await_true(lambda: hosts[0].get("/v1/tables?game=blindside&limit=23")["cursor"])
        page, _ = walk("/tables?game=blindside")
        await_true(lambda: len(names_in(page)) == PAGE)

        press(page, "Older")
        await_true(lambda: 4 <= len(names_in(page)) < PAGE)
        press(page, "Newer")

        await_true(lambda: len(names_in(page)) == PAGE)

    def test_an_unresponsive_service_keeps_the_list_and_is_reported(self, visit, bob):
        self.open_table(bob, "blindside", 7)
        page, _ = visit("/tables?game=blindside", skips_time=True)
        page.locator(".listed li").first.wait_for()

        page.route("**/v1/tables?*", lambda route: route.fulfill(status=404, json={}))

        await_listed(page, "The service is not answering")
        assert names_in(page)
