"""Everything around play at a table on the page: joining, starting, ending and players' other commands."""

import json
import re
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from hoodwink.service.http.resources.admission import DEAL_IN_PLAY
from hoodwink.service.web.files import page as served_page
from tests.pace import AT_ONCE
from tests.service.processes import await_true, stopped_workers
from tests.service.web.browser import enter as enter_room
from tests.service.web.guests import Guest, answer_name

pytestmark = [pytest.mark.browser, pytest.mark.processes]

PATIENCE_MS = 60_000
PRESENCE_MS = 10_000
_UNINVITED = f"""async table => {{
  await import('{served_page().root}/table/opening/invite.js');
  const shown = document.createElement('hw-uninvited');
  shown.setAttribute('table', table);
  shown.addEventListener('invited', () => {{ document.getElementById('main').textContent = 'invited!'; }});
  document.getElementById('main').replaceChildren(shown);
}}"""
SHOWN = "hw-open-table h1, .felt, hw-uninvited, .notice.failed"
HOSTS_BUTTONS = re.compile(
    "Start|Seat a bot|Free the seat|Fill with bots|Offer a seat|Hand over|Close the table"
)


@pytest.fixture
def enter(visit, walk):
    """Opens the page of a table as a player or a newcomer, and returns it with the browser's complaints."""

    def opened(path, who=None, *, code="", **options):
        way = visit if options else walk
        page, complaints = way(
            path.removeprefix("/v1") + (f"#invitation={code}" if code else ""), sign_in=who, **options
        )
        page.set_default_timeout(PATIENCE_MS)
        page.wait_for_selector(SHOWN)
        return page, complaints

    return opened


def go_on(page, path, *, code=""):
    """Goes on to another table, with an invitation or without one."""
    enter_room(page, path.removeprefix("/v1") + (f"#invitation={code}" if code else ""))
    page.wait_for_selector(SHOWN)


def opened(host, game="coconut", seats=3, **form):
    """Returns the path of an empty table that has not started."""
    body = {"game": game, "seats": seats, **AT_ONCE, **form}
    return f"/v1/tables/{host.post('/v1/tables', body)['view']['id']}"


def invitation(host, path):
    return host.get(f"{path}/invitation")["invitation"]


def names(who, path):
    return [seat["name"] for seat in who.get(path)["view"]["seats"]]


def press(page, name, *, nth=0):
    page.get_by_role("button", name=name).nth(nth).click()


def button(page, name):
    return page.get_by_role("button", name=name)


def said(page):
    return page.locator("main").inner_text()


class TestInvitations:
    def test_a_friend_joins_by_link_and_the_host_starts(self, enter, ada):
        path = opened(ada, seats=2, private=True)
        ada.post(f"{path}/seats")
        host, complaints = enter(path, ada)
        link = host.get_by_label("Link for friends").input_value()
        friend, friends_complaints = enter(path, code=link.partition("#invitation=")[2])

        press(friend, "Sit here")
        answer_name(friend, "Steady bot")
        friend.get_by_role("dialog").get_by_text("reserved for bots").wait_for()
        answer_name(friend, " Bob ")
        button(host, "Start").and_(host.locator(":enabled")).click()

        for page in (host, friend):
            page.wait_for_selector(".felt")
        assert names(ada, path) == ["Ada", "Bob"]
        assert (complaints, [said for said in friends_complaints if "422" not in said]) == ([], [])

    def test_a_link_with_a_full_stop_works_after_a_refusal_and_a_right_code_after_a_wrong_one(
        self, enter, ada, bob
    ):
        path = opened(ada, private=True)
        page, _ = enter(path, bob)
        page.get_by_role("heading", name="This table is private").wait_for()

        page.evaluate("link => { location.href = link; }", f"#invitation={invitation(ada, path)}.")

        page.wait_for_selector("hw-open-table h1")
        assert page.evaluate("location.hash") == ""

        # A spectator enters a wrong code and then the right one.
        path = opened(ada, private=True, watch="everyone")
        go_on(page, path)
        assert "You need its invitation to sit down" in said(page)
        assert not button(page, "Sit here").count()

        page.get_by_label("Invitation code").fill("wrong")
        press(page, "Use the code")
        press(page, "Sit here")
        page.get_by_label("Invitation code").wait_for()
        assert page.locator(".chair .notice.failed").count() == 1

        page.get_by_label("Invitation code").fill(invitation(ada, path))
        press(page, "Use the code")
        press(page, "Sit here")
        button(page, "Leave").wait_for()
        assert names(ada, path)[0] == "Bob"

        # A guest joins a table that nobody may watch.
        path = opened(ada, private=True, watch="nobody")
        go_on(page, path, code=invitation(ada, path))
        page.evaluate(_UNINVITED, path.rpartition("/")[2])

        press(page, "Sit down")
        page.get_by_text("invited!").wait_for()

        assert names(ada, path)[0] == "Bob"

    def test_d_7_a_table_whose_deal_others_play_asks_for_no_invitation(self, walk, ada):
        path = opened(ada, private=True)
        page = walk("/nowhere").page
        refused = json.dumps({"code": "not_invited", "detail": DEAL_IN_PLAY})
        page.route(
            f"**{path}**",
            lambda route: route.fulfill(status=403, content_type="application/problem+json", body=refused),
        )
        enter_room(page, path.removeprefix("/v1"))

        page.get_by_text(DEAL_IN_PLAY).wait_for()
        assert page.get_by_label("Invitation code").count() == 0

    def test_the_code_is_removed_from_the_url_and_not_requested(self, visit, ada, bob):
        path = opened(ada, private=True)
        code = invitation(ada, path)
        page, _ = visit(sign_in=bob)
        requests = []
        page.on("request", lambda sent: requests.append(sent))  # noqa: PLW0108 - Playwright marks handlers

        page.goto(f"{path.removeprefix('/v1')}#invitation={code}")
        page.wait_for_selector("hw-open-table h1")
        press(page, "Sit here")
        button(page, "Leave").wait_for()

        assert page.evaluate("location.href").endswith(path.removeprefix("/v1"))
        assert [sent.url for sent in requests if code in sent.url] == []
        assert code in [sent.headers.get("hoodwink-invitation") for sent in requests]

    def test_anybody_can_copy_the_link_of_a_public_table(self, enter, ada, bob):
        path = opened(ada)
        page, _ = enter(path, bob, permissions=["clipboard-read", "clipboard-write"])

        press(page, "Copy")

        page.get_by_text("Copied.").wait_for()
        link = bob.served + path.removeprefix("/v1")
        assert page.get_by_label("Link for friends").input_value() == link
        assert page.evaluate("navigator.clipboard.readText()") == link


class TestSeats:
    def test_players_see_changed_options_may_leave_again_and_have_none_of_the_hosts_buttons(
        self, enter, ada, bob
    ):
        path = opened(ada, options={"two_plays_again": True})
        bob.post(f"{path}/seats")
        page, _ = enter(path, bob)
        page.get_by_text("Two plays again: yes").wait_for()
        assert "The player of a 2 plays again." in said(page)
        assert "Rounds" not in said(page)

        press(page, "Leave")

        button(page, "Sit here").first.wait_for()
        assert names(ada, path) == [None] * 3

        path = opened(ada)
        ada.post(f"{path}/seats", {"policy": "steady"})
        bob.post(f"{path}/seats")
        go_on(page, path)
        for shown in (page, enter(path, None)[0]):
            # after the page has asked for the host's name
            shown.get_by_text("Ada starts the table").wait_for()
            assert not button(shown, HOSTS_BUTTONS).count()

    def test_the_host_seats_bots_frees_a_seat_fills_the_rest_and_closes_a_table(self, enter, ada):
        path = opened(ada, seats=4)
        ada.post(f"{path}/seats")
        page, _ = enter(path, ada)
        assert button(page, "Start").is_disabled()
        assert "3 seats are still free." in said(page)

        press(page, "Seat a bot at seat 2")
        button(page, "Free the seat of Steady bot").wait_for()
        assert names(ada, path) == ["Ada", None, "Steady bot", None]
        press(page, "Free the seat of Steady bot")
        button(page, "Seat a bot at seat 2").wait_for()
        page.get_by_label("Bots").select_option("random")
        press(page, "Fill with bots")

        button(page, "Start").and_(page.locator(":enabled")).wait_for()
        assert names(ada, path) == ["Ada", *["Random bot"] * 3]

        # A refusal is shown where it occurred, and closing asks for confirmation.
        path = opened(ada)
        go_on(page, path)

        page.get_by_label("Keep a seat for a player").fill("nobody")
        press(page, "Offer a seat")
        page.locator("hw-host-desk form .notice.failed").wait_for()
        assert page.locator(".notice.failed").count() == 1

        press(page, "Close the table …")
        press(page, "Keep it open")
        assert ada.get(path)["view"]["phase"] == "open"
        press(page, "Close the table …")
        page.get_by_role("dialog").get_by_role("button", name="Close the table").click()

        page.get_by_text("The host closed the table before it started.").wait_for()
        assert not button(page, "Play again").count()

    def test_an_offered_seat_is_taken_without_code_another_declined_and_one_withdrawn(self, enter, ada, bob):
        path = opened(ada, private=True)
        host, _ = enter(path, ada)

        host.get_by_label("Keep a seat for a player").fill(f"{ada.served}/players/{bob.id}")
        press(host, "Offer a seat")
        host.get_by_text("Kept for Bob").wait_for()
        page, _ = enter(path, bob)
        press(page, "Sit here at seat 0")

        button(page, "Leave").wait_for()
        assert names(ada, path)[0] == "Bob"

        path = opened(ada)
        ada.post(f"{path}/offers", {"player": bob.id})
        go_on(page, path)

        press(page, "Decline")
        page.get_by_text("Kept for").first.wait_for(state="hidden")
        ada.post(f"{path}/offers", {"player": bob.id})
        go_on(host, path)
        press(host, "Withdraw the offer at seat 0")

        button(host, "Seat a bot at seat 0").wait_for()
        assert ada.get(path)["view"]["seats"][0]["offered_to"] is None

    def test_the_host_offers_a_seat_to_an_online_bot_with_one_click_and_hands_over_hosting(
        self, enter, ada, bob
    ):
        made = bob.post("/v1/me/bots", {"name": "Maia", "accepts": {"games": ["coconut"]}})
        bot = Guest(bob.served, **made)
        path = opened(ada, turn_seconds=60)
        follow = Request(
            f"{bot.served}/v1/me/events",
            headers={"Authorization": f"Bearer {bot.token}", "Accept": "text/event-stream"},
        )
        with urlopen(follow) as stream:
            assert stream.readline() == b"retry: 1000\n"
            page, complaints = enter(path, ada)
            press(page, "Offer a seat to BOT Maia")
            page.get_by_text("Kept for BOT Maia").wait_for()
            bot.post(f"{path}/seats")
            page.get_by_text("bot · at most 1:00 a turn").wait_for()
            enter_room(page, f"/players/{bot.id}")
            page.get_by_text("A program of Bob").wait_for()

        path = opened(ada)
        bob.post(f"{path}/seats")
        go_on(page, path)

        press(page, "Hand over")

        page.get_by_text("Bob is its host.").wait_for()
        assert not button(page, HOSTS_BUTTONS).count()
        assert complaints == []

    def test_present_players_are_shown(self, enter, ada, bob):
        path = opened(ada)
        bob.post(f"{path}/seats")
        page, _ = enter(path, ada, skips_time=True)
        page.get_by_text("not connected").wait_for()  # after the page has asked who is present

        enter(path, bob)

        await_true(lambda: bob.get(f"{path}/presence")["seats"] == [0])
        page.clock.fast_forward(PRESENCE_MS)
        page.get_by_text("seat 0 · here").wait_for()


class TestPlaying:
    def test_resigning_asks_for_confirmation(self, enter, ada, bob):
        path = ada.table("coconut", bob, bots=1)
        page, complaints = enter(path, ada)
        page.locator(".table-menu summary").click()

        press(page, "Resign …")
        page.get_by_text("A bot plays on at your seat").wait_for()
        page.keyboard.press("Enter")  # the safe answer has the focus
        page.get_by_role("dialog").wait_for(state="detached")
        assert not ada.get(path)["view"]["seats"][0]["resigned"]
        press(page, "Resign …")
        page.get_by_role("dialog").get_by_role("button", name="Resign").click()

        page.get_by_text("You have resigned").wait_for()
        assert ada.get(path)["view"]["seats"][0]["resigned"]
        heights = page.locator(".near .absent").evaluate_all("(tags) => tags.map((tag) => tag.scrollHeight)")
        assert len(heights) == 2
        assert max(heights) < 25, "one line each"
        assert complaints == []

    def test_an_absent_players_seat_is_claimed_and_taken_back(self, enter, ada, bob):
        path = ada.table("coconut", bob, turn_seconds=2)
        await_true(lambda: ada.get(path)["view"]["seats"][1]["away_since"])
        # Otherwise both might miss more turns meanwhile, and bots might play the table to its end.
        with stopped_workers():
            page, _ = enter(path, ada)

            press(page, "Claim the seat of Bob")
            button(page, "Claim the seat of Bob").wait_for(state="detached")
            assert bob.get(path)["view"]["seats"][1]["bot_kept"]

            away, _ = enter(path, bob)
            press(away, "Return to my seat")

            button(away, "Return to my seat").wait_for(state="detached")
            assert not bob.get(path)["view"]["seats"][1]["bot_kept"]

    def test_only_its_host_can_end_a_bot_table(self, enter, ada, bob):
        path = opened(ada, "shithead", 2, bot_delay=60_000)
        for _ in range(2):
            ada.post(f"{path}/seats", {"policy": "steady"})
        ada.post(f"{path}/start")
        watching, _ = enter(path, bob)
        watching.locator(".table-menu summary").click()
        assert not button(watching, "End this table …").count()
        page, _ = enter(path, ada)
        page.locator(".table-menu summary").click()

        press(page, "End this table …")
        page.get_by_role("dialog").get_by_role("button", name="End the table").click()

        page.get_by_text("The table was ended early; only bots played here.").wait_for()

    def test_a_new_player_joins_with_a_seed_and_the_shuffle_is_explained_with_it(self, enter, ada):
        path = opened(ada, seats=2)
        page, _ = enter(path)
        press(page, "Sit here at seat 0")
        answer_name(page)
        press(page, "Leave")
        press(page, "Sit here at seat 0")  # asks only once
        button(page, "Leave").wait_for()
        seat = ada.get(path)["view"]["seats"][0]
        assert (seat["name"], seat["seed_status"]) == (f"Guest {seat['player'][:4]}", "committed")
        ada.post(f"{path}/seats", {"policy": "steady"})
        ada.post(f"{path}/start")
        page.wait_for_selector(".felt")
        await_true(lambda: ada.get(path)["view"]["seats"][0]["seed_status"] == "revealed")

        page.locator(".table-menu summary").click()
        press(page, "How this table is shuffled")

        dialog = page.get_by_role("dialog").inner_text()
        assert f"{seat['name']} committed to a seed and revealed it in time." in dialog
        assert ada.get(path)["view"]["commitment"] in dialog


class TestTheEnd:
    def test_places_and_next_steps_are_shown_and_a_rematch_starts_when_both_are_seated(self, enter, ada, bob):
        path = ada.table("coconut", bob)
        pages = [enter(path, who)[0] for who in (ada, bob)]
        bob.post(f"{path}/resign", {"confirm": True})

        outcome = pages[0].locator("hw-outcome")
        outcome.get_by_text("You win").wait_for()
        assert re.search(r"1st\s+Ada \(you\)\s+0 points\s+2nd\s+Bob\s+resigned", outcome.inner_text())
        assert outcome.get_by_role("link", name="Replay and verify").get_attribute("href") == (
            f"{path.removeprefix('/v1')}/replay"
        )
        assert outcome.get_by_role("link", name="Another table").get_attribute("href") == "/games/coconut"
        assert f"/players/{ada.id}/ratings/coconut" in outcome.inner_html()

        press(pages[0], "Play again")
        pages[0].wait_for_selector("hw-open-table h1")
        press(pages[1], "Join the rematch")
        again = ada.get(path)["view"]["rematch"]
        for page in pages:
            page.wait_for_url(f"**/tables/{again}")
            page.wait_for_selector(".felt")

        assert names(ada, f"/v1/tables/{again}") == ["Bob", "Ada"]

    def test_ties_share_a_place_and_a_voided_result_says_why(self, enter, ada, bob):
        path = ada.table("coconut", bob)
        bob.post(f"{path}/resign", {"confirm": True})
        page, _ = enter(path, None)
        page.wait_for_selector("hw-outcome h2")

        # Outside the table's room, where a late message would draw the service's result again.
        page.evaluate("""() => {
          const outcome = document.createElement('hw-outcome');
          const voided = { admin: 'root', reason: 'A test.', at: 0 };
          const result = { outcome: 'played_out', places: [1, 1], scores: [2, 2] };
          outcome.table = { ...document.querySelector('hw-outcome').table, voided, result };
          document.getElementById('main').replaceChildren(outcome);
        }""")

        page.get_by_text("Ada and Bob share first place").wait_for()
        assert "took the result back: A test." in said(page)
        assert not button(page, "Play again").count()


class TestLearning:
    def test_a_lesson_starts_its_own_table_with_slow_bots_and_can_be_ended(self, walk, ada):
        page, complaints = walk("/learn/blindside", sign_in=ada)
        press(page, "Begin")
        page.locator("hw-lesson h2").get_by_text("Pass a card").wait_for(timeout=PATIENCE_MS)

        table = urlsplit(page.url).path.rpartition("/")[2]
        view = ada.get(f"/v1/tables/{table}")["view"]

        assert "?learn=1" in page.url
        assert [seat["policy"] for seat in view["seats"]] == [None, "steady", "steady"]
        assert (view["rated"], view["private"], view["options"]["rounds"]) == (False, True, 1)
        assert view["bot_delay"] >= 2000

        # The address alone shows the lesson, too, which can be ended.
        enter_room(page, f"/tables/{table}?learn=1")
        press(page, "End the lesson")

        page.locator("hw-lesson h2").wait_for(state="detached")
        assert "learn" not in page.url
        assert page.locator(".felt").count() == 1
        assert complaints == []
