"""A table on the page: the view of each viewer, and reloads, lost connections and restarts."""

import re
from contextlib import suppress
from random import Random

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect
from psutil import NoSuchProcess, Process

from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.processes import await_true, service_settings
from tests.service.web.guests import guest
from tests.service.web.hands import EDGE, play_until_it_is_over, stage, with_the_mouse
from tests.service.web.life import played
from tests.service.web.shell.test_attention import HIDE

pytestmark = [pytest.mark.browser, pytest.mark.processes]

_FACES = """() => Object.fromEntries([...document.querySelectorAll('.felt [data-zone]')].map(zone => [
    zone.dataset.zone, [...zone.querySelectorAll('[data-place]')].map(card => card.dataset.face)]))"""
PATIENCE_MS = 60_000
LONGEST_PAUSE_MS = 10_000
_API = "hoodwink.service.http.server"
_SHOWN_VERSION = "document.querySelector('hw-table').message?.version"


def room(path):
    """Returns the page's URL of a table."""
    return path.removeprefix("/v1")


def drawn_faces(page):
    """Returns the faces drawn in each zone, once the cards are dealt."""
    page.wait_for_selector(".felt [data-face]", state="attached")
    return page.evaluate(_FACES)


def takes_turns(page, turns):
    for _ in range(turns):
        page.wait_for_selector(".card-holder.playable, .prompt button.main", timeout=PATIENCE_MS)
        before = stage(page)
        with_the_mouse(page)
        page.wait_for_function(
            "before => document.querySelector('[data-spoken]').textContent !== before",
            arg=before.split("|")[0],
        )


def await_newest(page, who):
    """Waits until it is the turn of the player at seat 0, and the page shows the newest version of the table."""
    path = page.evaluate("`/v1${location.pathname}`")

    def is_shown():
        now = who.get(path)
        return now["view"]["seats"][0]["owes"] and page.evaluate(_SHOWN_VERSION) == now["version"]

    await_true(is_shown)
    page.wait_for_selector(".card-holder.playable")


class TestViewers:
    def test_players_see_their_own_hand_and_the_card_they_passed_and_spectators_nothing(self, walk, ada, bob):
        path = ada.table("blindside", bob)
        pages = [walk(room(path), sign_in=who)[0] for who in (ada, bob, None)]

        hands = [
            {zone: faces for zone, faces in drawn_faces(page).items() if "hand" in zone} for page in pages
        ]

        for seat, who in enumerate((ada, bob)):
            view = who.get(path)["view"]["view"]
            assert sorted(hands[seat][f"hand.{seat}"]) == sorted(view["hands"][seat])
            assert set(hands[seat][f"hand.{1 - seat}"]) == {"??"}
        assert {face for hand in hands[2].values() for face in hand} == {"??"}

        for page in pages[:2]:
            takes_turns(page, 1)
        for page in pages:
            page.wait_for_selector("[data-zone='blindside.1'] [data-face]", state="attached")
        passed = ada.get(path)["view"]["view"]["blindsides"][1]
        assert [drawn_faces(page)["blindside.1"] for page in pages] == [[passed], ["??"], ["??"]]

    def test_your_own_pocket_shows_backs_and_your_neighbours_faces(self, walk, ada, bob):
        path = ada.table("double_blind", bob)
        page, _ = walk(room(path), sign_in=ada)

        zones = drawn_faces(page)

        assert set(zones["pocket.0"]) == {"??"}
        assert zones["pocket.1"] == ada.get(path)["view"]["view"]["pockets"][1]


class TestRules:
    def test_an_unplayable_card_explains_why_in_the_rules_words(self, walk, ada, bob):
        path = ada.table("blindside", bob)
        takes_turns(walk(room(path), sign_in=ada)[0], 1)
        page, complaints = walk(room(path), sign_in=bob)
        takes_turns(page, 1)
        unplayable = {
            entry["card"]: entry["rule"]
            for entry in bob.get(f"{path}/legal-actions?include=unplayable")["unplayable"]
        }
        assert unplayable
        page.wait_for_function(
            "version => document.querySelector('hw-table').message.version >= version",
            arg=bob.get(path)["view"]["version"],
        )

        for card in page.locator(".card-holder.unplayable").all():
            card.click(force=True, position=EDGE)  # it is disabled, but can explain itself
            rule = unplayable[card.get_attribute("data-face")]
            expect(page.locator(".prompt .reason")).to_have_text(rule)
            assert rule in card.get_attribute("aria-label")
        assert not complaints


class TestCount:
    def test_a_round_is_counted_contest_by_contest_and_the_outcome_follows(self, visit, ada):
        path = ada.table("blindside", bots=1, options={"rounds": 1})
        page, complaints = visit(room(path), sign_in=ada, reduced_motion="no-preference")
        # Otherwise the count would go on by itself, and a busy machine might look at it only at its end.
        page.evaluate("() => { window.setInterval = () => 0; }")
        play_until_it_is_over(page, with_the_mouse)

        count = page.locator("hw-count")
        count.get_by_role("heading", name="First contest: the Blindside Cards").wait_for()
        assert not count.get_by_role("heading", name="The score of the round").count()
        assert not page.locator("hw-outcome").is_visible()
        count.get_by_role("button", name="Show all").click()

        view = ada.get(path)["view"]
        brought = count.locator(".deltas li").all_inner_texts()
        for seat, score in zip(view["seats"], view["result"]["scores"], strict=True):
            (line,) = [line for line in brought if seat["name"] in line]
            unit = "token" if abs(score) == 1 else "tokens"
            assert f"{unit}, now {score}" in line.replace("\N{MINUS SIGN}", "-")
        count.get_by_role("button", name="Close the count").evaluate(
            "button => { scrollTo(0, document.body.scrollHeight); button.click(); }"
        )
        expect(page.locator(".outcome")).to_be_in_viewport(ratio=1)
        expect(page.locator("#outcome")).to_be_focused()
        assert not complaints

    def test_a_finished_table_shows_its_outcome_immediately(self, walk, ada, bob):
        path = ada.table("blind_don", bob)
        played(path, (ada, bob), Random(1))
        page, _ = walk(room(path), sign_in=ada)

        page.locator("hw-outcome").get_by_role("link", name="Replay and verify").wait_for()
        page.get_by_role("heading", name="Scores").wait_for()
        assert not page.locator("hw-count").count()


class TestContinuity:
    def test_the_page_continues_after_a_reload_in_a_second_tab_and_after_a_lost_connection(self, visit, ada):
        page, complaints = visit(room(ada.table("blind_don", bots=1)), sign_in=ada)
        takes_turns(page, 1)
        await_newest(page, ada)
        before = drawn_faces(page)
        page.reload()
        page.wait_for_selector(".card-holder.playable")
        assert drawn_faces(page) == before
        assert not complaints

        second = page.context.new_page()
        second.goto(page.url)
        takes_turns(second, 1)
        for each in (page, second):
            await_newest(each, ada)
        assert drawn_faces(page) == drawn_faces(second) != before

        page.context.set_offline(True)
        page.wait_for_selector("text=This device is offline")
        page.context.set_offline(False)
        takes_turns(page, 1)
        expect(page.locator("text=This device is offline")).to_have_count(0)

    def test_the_page_continues_after_a_restart_of_the_api(self, visit, ada):
        page, _ = visit(room(ada.table("blind_don", bots=1)), sign_in=ada, skips_time=True)
        takes_turns(page, 1)

        for child in Process().children(recursive=True):
            with suppress(NoSuchProcess):  # it belonged to one that is already killed
                if _API in child.cmdline():
                    child.kill()
        page.wait_for_selector("text=The connection was lost")

        def is_answering():
            with suppress(OSError):
                return ada.get("/v1/games")

        await_true(is_answering)  # a page that is hurried earlier would try in vain, and then wait longer
        page.clock.fast_forward(LONGEST_PAUSE_MS)
        page.wait_for_selector("text=The connection was lost", state="detached")
        takes_turns(page, 1)
        await_newest(page, ada)

    @pytest.mark.campaign
    def test_the_page_continues_after_a_restart_of_the_service(self, chromium, tmp_path):
        settings = service_settings(tmp_path)
        context = chromium.new_context(reduced_motion="reduce")
        context.clock.install()
        with isolated_service(settings) as running:
            ada = guest(address(running))
            ada.signed_in(context)
            path = ada.table("blind_don", bots=1)
            page = context.new_page()
            page.goto(address(running) + room(path))
            takes_turns(page, 2)
        page.wait_for_selector("text=The connection was lost", timeout=PATIENCE_MS)
        with isolated_service(replace(settings, port=running.port)):
            page.clock.fast_forward(LONGEST_PAUSE_MS)
            page.wait_for_selector("text=The connection was lost", state="detached", timeout=PATIENCE_MS)
            takes_turns(page, 3)
            await_newest(page, ada)
        context.close()


def test_the_rules_are_at_hand_in_short_and_in_full(walk, ada):
    page, complaints = walk(
        room(ada.table("coconut", bots=1)), sign_in=ada, viewport={"width": 390, "height": 664}
    )
    described = ada.get("/v1/games/coconut")
    lines = [*(line.replace("**", "") for line in described["crib"]), "At this table: Rounds: 1"]

    page.get_by_role("button", name="In short").click()
    expect(page.locator("dialog .crib li")).to_have_text(lines)
    (pile,) = [each["meaning"] for each in described["terms"] if each["term"] == "Pile"]
    explained = page.locator("dialog .crib").get_by_role("button", name="pile", exact=True).first
    assert explained.get_attribute("title") == pile
    explained.click()
    expect(page.get_by_role("dialog", name="Pile")).to_contain_text(pile[1:])
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.locator(".zone .term", has_text="pile").click()
    expect(page.get_by_role("dialog", name="Pile")).to_contain_text(pile[1:])
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1280, "height": 664})
    expect(page.locator(".sidebar .crib li")).to_have_text(lines)

    asked = "aside summary"
    page.locator(asked).get_by_text("Table", exact=True).click()
    page.locator(asked).get_by_text("Rules of the game", exact=True).click()
    rules = page.get_by_role("region", name="Rules of the game")
    expect(rules).to_contain_text(described["aim"][:40])
    assert page.locator(".felt").is_visible()
    assert not complaints


def test_the_history_begins_with_the_newest_and_folds_seats_and_seeds(walk, ada):
    path = ada.table("shithead", bots=1)
    page, _ = walk(path.removeprefix("/v1"), sign_in=ada)
    history = page.locator(".history").first
    history.locator("li", has_text="dealt round 1").wait_for()

    numbers = history.locator("li").evaluate_all("lines => lines.map(line => line.value)")
    assert numbers == sorted(numbers, reverse=True)
    dealt = history.locator("li", has_text="dealt round 1")
    assert dealt.locator(".suit").count()
    assert not re.search(r"\b[2-9TJQKA][CDHS]\b", dealt.inner_text())
    assert not history.get_by_text("sat down").count()
    page.locator("summary", has_text="Seats and seeds").click()
    assert page.get_by_text("Ada sat down at seat 0").is_visible()


def test_a_tab_opened_in_the_background_leaves_its_connection_to_others_until_it_is_looked_at(visit, ada):
    path = ada.table("shithead", bots=1)
    page, complaints = visit("/docs", sign_in=ada, skips_time=True)
    page.add_init_script(f"({HIDE})(true)")
    stream = f"**{path}/events?*"
    with page.expect_request(stream):
        page.goto(path.removeprefix("/v1"))

    with page.expect_event("requestfailed", lambda request: f"{path}/events" in request.url):
        page.clock.fast_forward(5_000)

    with page.expect_request(stream):
        page.evaluate(HIDE, False)
    assert not complaints
