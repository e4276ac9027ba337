"""A table on the page: the view of each viewer, and reloads, lost connections and restarts."""

from random import Random

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.web.guests import guest
from tests.service.web.hands import EDGE, play_to_the_end, play_until_it_is_over, stage, with_the_mouse
from tests.service.web.life import played

pytestmark = [pytest.mark.browser, pytest.mark.processes]

_FACES = """() => Object.fromEntries([...document.querySelectorAll('.felt [data-zone]')].map(zone => [
    zone.dataset.zone, [...zone.querySelectorAll('[data-place]')].map(card => card.dataset.face)]))"""
_NOTE_PLACES = """() => {
    window.places = {};
    const note = () => {
        for (const part of document.querySelectorAll('.felt .seat, .felt .zone, .felt .prompt')) {
            const what = part.dataset.zone ?? part.getAttribute('aria-label') ?? part.className.split(' ')[0];
            const { x, y } = part.getBoundingClientRect();
            const found = places[what] ??= [];
            const place = `${Math.round(x)} ${Math.round(y + scrollY)}`;
            if (!found.includes(place)) found.push(place);
        }
    };
    new MutationObserver(() => requestAnimationFrame(note)).observe(document, { subtree: true, childList: true });
    note();
}"""
_VEIL = """() => {
    const holder = document.querySelector('.card-holder.unplayable');
    const veil = parseFloat(getComputedStyle(holder, '::after').height);
    return [veil, holder.querySelector('.card').getBoundingClientRect().height];
}"""
PATIENCE_MS = 20_000


def room(path):
    """Returns the page's URL of a table."""
    return path.removeprefix("/v1")


def drawn_faces(page):
    """Returns the faces drawn in each zone."""
    page.wait_for_selector(".felt")
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


class TestViewers:
    def test_players_see_their_own_hand_and_spectators_none(self, visit, ada, bob):
        path = ada.table("blindside", bob)
        pages = [visit(room(path), sign_in=who)[0] for who in (ada, bob, None)]

        hands = [
            {zone: faces for zone, faces in drawn_faces(page).items() if "hand" in zone} for page in pages
        ]

        for seat, who in enumerate((ada, bob)):
            view = who.get(path)["view"]["view"]
            assert sorted(hands[seat][f"hand.{seat}"]) == sorted(view["hands"][seat])
            assert set(hands[seat][f"hand.{1 - seat}"]) == {"??"}
        assert {face for hand in hands[2].values() for face in hand} == {"??"}

    def test_your_own_pocket_shows_backs_and_your_neighbours_faces(self, visit, ada, bob):
        path = ada.table("double_blind", bob)
        page, _ = visit(room(path), sign_in=ada)

        zones = drawn_faces(page)

        assert set(zones["pocket.0"]) == {"??"}
        assert zones["pocket.1"] == ada.get(path)["view"]["view"]["pockets"][1]

    def test_a_passed_card_stays_visible_only_to_its_giver(self, visit, ada, bob):
        path = ada.table("blindside", bob)
        mine, others = (visit(room(path), sign_in=who)[0] for who in (ada, bob))
        for page in (mine, others):
            takes_turns(page, 1)
        mine.wait_for_selector("[data-zone='blindside.1'] [data-face]", state="attached")
        passed = ada.get(path)["view"]["view"]["blindsides"][1]

        assert drawn_faces(mine)["blindside.1"] == [passed]
        others.wait_for_selector("[data-zone='blindside.1'] [data-face]", state="attached")
        assert drawn_faces(others)["blindside.1"] == ["??"]


class TestRules:
    def test_an_unplayable_card_explains_why_in_the_rules_words(self, visit, ada, bob):
        path = ada.table("blindside", bob)
        takes_turns(visit(room(path), sign_in=ada)[0], 1)
        page, complaints = visit(room(path), sign_in=bob)
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
        veil, card = page.evaluate(_VEIL)
        assert veil == pytest.approx(card, abs=1)
        assert not complaints


class TestBeside:
    def test_the_rules_can_be_opened_next_to_the_table(self, visit, ada):
        page, complaints = visit(room(ada.table("coconut", bots=1)), sign_in=ada)
        asked = "aside summary"
        page.locator(asked).get_by_text("Table", exact=True).click()
        page.locator(asked).get_by_text("Rules of the game", exact=True).click()
        rules = page.get_by_role("region", name="Rules of the game")
        rules.get_by_role("heading", name="Aim").wait_for()

        assert ada.get("/v1/games/coconut")["aim"][:40] in rules.inner_text()
        assert page.locator(".felt").is_visible()
        assert not complaints


class TestPlaces:
    @pytest.mark.parametrize("game", ["blindside", "double_blind"])
    def test_only_cards_move_on_the_felt(self, visit, ada, game):
        page, _ = visit(room(ada.table(game, bots=3)), sign_in=ada, viewport={"width": 1280, "height": 900})
        page.evaluate(_NOTE_PLACES)

        play_until_it_is_over(page, with_the_mouse)

        assert {what: places for what, places in page.evaluate("places").items() if len(places) > 1} == {}


class TestCount:
    def test_a_round_is_counted_contest_by_contest_and_the_outcome_follows(self, visit, ada):
        path = ada.table("blindside", bots=1, options={"rounds": 1})
        page, complaints = visit(room(path), sign_in=ada, reduced_motion="no-preference")
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
        count.get_by_role("button", name="Close the count").click()
        page.locator("hw-outcome").get_by_role("link", name="Replay and verify").wait_for()
        assert not complaints

    def test_a_finished_table_shows_its_outcome_immediately(self, visit, ada, bob):
        path = ada.table("blind_don", bob)
        played(path, (ada, bob), Random(1))
        page, _ = visit(room(path), sign_in=ada)

        page.locator("hw-outcome").get_by_role("link", name="Replay and verify").wait_for()
        page.get_by_role("heading", name="Scores").wait_for()
        assert not page.locator("hw-count").count()


class TestContinuity:
    def test_a_reload_changes_nothing(self, visit, ada):
        page, complaints = visit(room(ada.table("blind_don", bots=1)), sign_in=ada)
        takes_turns(page, 3)
        page.wait_for_selector(".card-holder.playable")
        before = drawn_faces(page)
        page.reload()

        page.wait_for_selector(".card-holder.playable")

        assert drawn_faces(page) == before
        assert not complaints

    def test_two_tabs_agree(self, visit, ada):
        first, _ = visit(room(ada.table("blind_don", bots=1)), sign_in=ada)
        second = first.context.new_page()
        second.goto(first.url)
        second.wait_for_selector(".felt")
        takes_turns(first, 2)
        takes_turns(second, 2)

        for page in (first, second):
            page.wait_for_selector(".card-holder.playable")

        assert drawn_faces(first) == drawn_faces(second)

    def test_the_page_continues_after_a_lost_connection(self, visit, ada):
        page, _ = visit(room(ada.table("blind_don", bots=1)), sign_in=ada)
        takes_turns(page, 1)
        page.context.set_offline(True)
        page.wait_for_selector("text=This device is offline")
        page.context.set_offline(False)

        takes_turns(page, 2)

        assert not page.locator("text=This device is offline").count()

    def test_the_page_continues_after_a_restart_of_the_service(self, chromium, tmp_path):
        settings = Settings(port=0, data=str(tmp_path))
        context = chromium.new_context()
        with isolated_service(settings) as running:
            ada = guest(address(running))
            ada.signed_in(context)
            path = ada.table("blind_don", bots=1)
            page = context.new_page()
            page.goto(address(running) + room(path))
            takes_turns(page, 2)
        page.wait_for_selector("text=The connection was lost", timeout=PATIENCE_MS)
        with isolated_service(replace(settings, port=running.port)):
            page.wait_for_selector("text=The connection was lost", state="detached", timeout=PATIENCE_MS)
            play_to_the_end(page, with_the_mouse)
            assert ada.get(path)["view"]["phase"] == "ended"
        context.close()


class TestShapes:
    @pytest.mark.parametrize("game", ["blindside", "coconut", "blind_don", "double_blind", "shithead"])
    @pytest.mark.parametrize("width", [360, 640])
    def test_nothing_overflows_a_phone_or_an_enlarged_page(self, visit, ada, game, width):
        """A width of 640 corresponds to a screen of 1,280 at 200 %."""
        bots = 1 if game == "blind_don" else 3
        page, _ = visit(
            room(ada.table(game, bots=bots)), sign_in=ada, viewport={"width": width, "height": 720}
        )
        page.wait_for_selector(".felt")

        assert page.evaluate("document.documentElement.scrollWidth") <= width
