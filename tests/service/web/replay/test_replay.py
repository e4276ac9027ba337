"""Replaying and watching a table: every version as every viewer saw it."""

import json

import pytest
from playwright.sync_api import expect

from tests.service.processes import await_true
from tests.service.web.replays import (
    SEATS,
    act,
    as_shown,
    await_moment,
    await_newest,
    cards_of_seats,
    drawn_cards,
    drawn_version,
    look,
)

pytestmark = [pytest.mark.browser, pytest.mark.processes]


DRAWN = ("blind_don", "shithead")
"""Games with rows and with many zones. The campaign looks at the others, too."""


@pytest.fixture
def playing(ada):
    """A table of Blindside with a bot and Ada, who acts only on the test's command."""
    path = ada.table("blindside", bots=1)
    await_true(lambda: ada.get(path)["view"]["stage"] == "in_play")
    return path


def deals(who, path):
    """Returns the version of each deal of a table of Blindside."""
    events = who.get(f"{path}/events?limit=1000")["events"]
    return [event["version"] for event in events if event["type"] == "blindside.round_dealt"]


@pytest.mark.parametrize(
    "seats",
    [
        pytest.param(lambda count: [count - 1], id="the_last_seat"),
        pytest.param(lambda count: range(count - 1), id="the_other_seats", marks=pytest.mark.campaign),
    ],
)
@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game in DRAWN else pytest.mark.campaign) for game in SEATS]
)
def test_every_viewer_sees_the_cards_of_the_api_at_every_version(walk, host, ended, game, seats):
    path = ended(game)
    last = host.get(path)["version"]
    page, complaints = look(walk, path)
    for viewer in ["everybody", "spectator", *map(str, seats(SEATS[game]))]:
        page.locator("select.viewer").select_option(viewer)
        for version in (last // 2, last):
            page.get_by_role("slider").fill(str(version))
            await_moment(page, version, viewer)

            drawn = drawn_cards(page)

            view = host.get(f"{path}?version={version}&viewer={viewer}")["view"]
            for zone, cards in cards_of_seats(view):
                assert sorted(drawn.get(zone, [])) == sorted(filter(None, cards)), (viewer, version, zone)
            if pile := view["view"].get("pile"):
                assert drawn["pile"] == pile[-4:]
    assert not complaints


def test_the_history_has_the_apis_sentences_and_links_to_versions(walk, host, ended):
    path = ended()
    page, _ = look(walk, path, sign_in=host)
    events = host.get(f"{path}/events?include=words&limit=1000&viewer=everybody")["events"]

    lines = page.locator("hw-moments a > span:last-child").all_text_contents()
    words = [as_shown(event["words"]) for event in events]
    page.locator("hw-moments a", has_text=words[10]).first.click()

    assert [line.strip() for line in lines] == words
    await_moment(page, events[10]["version"])
    expect(page.locator(".told")).to_contain_text(words[10])
    assert page.locator("hw-moments [aria-current=step]").count() == 1


def test_a_link_to_a_version_opens_it(visit, ended):
    path = ended()
    page, _ = look(visit, f"{path}?version=20&viewer=1", permissions=["clipboard-read", "clipboard-write"])
    await_moment(page, 20, 1)
    page.get_by_role("button", name="Next event").click()
    await_moment(page, 21, 1)
    page.locator("select.viewer").select_option("spectator")
    await_moment(page, 21, "spectator")

    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("The link is copied.").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")

    assert link.endswith(f"{path.removeprefix('/v1')}/replay?version=21&viewer=spectator")
    page.wait_for_url(link)  # the page's URL is this link
    page.goto(link)
    await_moment(page, 21, "spectator")


def test_rounds_can_be_jumped_between_and_a_failed_load_retried(walk, host, ended):
    path = ended()
    first, second = deals(host, path)
    page, _ = look(walk, f"{path}?version=1")

    assert page.locator(".marks span").all_text_contents() == ["1", "2"]
    for deal in (first, second):
        page.get_by_role("button", name="Next round").click()
        await_moment(page, deal)
    page.get_by_role("button", name="Previous round").click()
    await_moment(page, first)

    page.route("**/v1/tables/*?version=30*", lambda route: route.fulfill(**REFUSED))
    page.get_by_role("slider").fill("30")
    page.get_by_text("It did not work.").wait_for()
    assert drawn_version(page) == first
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    await_moment(page, 30)


def test_autoplay_stops_at_the_end_where_the_scores_of_all_rounds_are_drawn(visit, host, ended):
    path = ended()
    last = host.get(path)["version"]
    page, complaints = look(visit, f"{path}?version={last - 6}", reduced_motion="no-preference")
    page.get_by_label("Speed").select_option("8")

    page.get_by_role("button", name="Play automatically").click()

    await_moment(page, last)
    page.get_by_role("button", name="Play automatically").wait_for()
    page.get_by_role("heading", name="Result").wait_for()

    page.locator(".results .plot svg[role=img]").wait_for()
    scores = sorted(host.get(path)["view"]["result"]["scores"], reverse=True)
    shown = page.locator(".results > .sheet > table td.number").all_inner_texts()
    assert [int(score.replace("\N{MINUS SIGN}", "-")) for score in shown] == scores
    assert not complaints


def test_with_reduced_motion_the_replay_plays_without_animation(visit, ended):
    page, complaints = look(visit, f"{ended()}?version=8", reduced_motion="reduce")
    page.evaluate("() => { Element.prototype.animate = () => { throw new Error('it moves'); }; }")

    page.get_by_label("Speed").select_option("8")

    page.locator(".board").focus()
    page.keyboard.press("Space")

    page.wait_for_function("() => Number(document.querySelector('.board').dataset.version) >= 10")
    assert not complaints


def test_the_replay_works_by_keyboard_alone(walk, host, ended):
    path = ended()
    last = host.get(path)["version"]
    dealt = deals(host, path)[0]
    page, _ = look(walk, f"{path}?version=20")
    spoken = page.locator(".telling [role=status]")
    page.locator(".board").focus()

    for key, version in {"ArrowRight": 21, "ArrowLeft": 20, "End": last, "Home": 1}.items():
        page.keyboard.press(key)
        await_moment(page, version)
        assert spoken.text_content()
    page.keyboard.press("1")
    await_moment(page, 1, 1)
    page.keyboard.press("s")
    await_moment(page, 1, "spectator")
    page.keyboard.press("Shift+ArrowRight")
    await_moment(page, dealt, "spectator")
    page.locator("hw-moments [aria-current]").focus()
    page.keyboard.press("ArrowDown")

    page.wait_for_function("() => document.activeElement.matches('hw-moments [aria-current]')")
    expect(spoken).to_contain_text("passed a card")
    page.keyboard.press("Escape")
    page.locator(".board").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Stop").wait_for()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Play automatically").wait_for()


def test_new_events_do_not_move_a_reader_who_stepped_back(walk, ada, playing):
    page, complaints = look(walk, playing)
    live = page.get_by_role("switch", name="Follow live")
    assert live.is_checked()
    act(ada, playing)
    await_newest(page, ada, playing)

    page.get_by_role("button", name="Previous event").click()
    page.locator(".board[aria-busy=false]").wait_for()
    stayed = drawn_version(page)
    assert not live.is_checked()
    act(ada, playing)
    act(ada, playing)
    page.locator(".newer").wait_for()
    page.wait_for_function(
        "most => Number(document.querySelector('input[type=range]').max) >= most", arg=stayed + 3
    )

    assert drawn_version(page) == stayed
    page.locator(".newer").click()
    await_newest(page, ada, playing)
    assert live.is_checked()
    assert not complaints


def test_a_follower_sees_the_end_and_then_every_seat(walk, ada, playing):
    page, _ = look(walk, playing)
    assert page.locator("select.viewer option").all_text_contents() == ["A spectator"]

    ada.post(f"{playing}/resign", {"confirm": True})

    page.get_by_role("heading", name="Result").wait_for()
    page.locator("select.viewer").select_option("everybody")
    await_moment(page, ada.get(playing)["version"], "everybody")


@pytest.mark.parametrize("viewer", ["everybody", "1"])
def test_other_players_cards_are_hidden_during_play(walk, ada, playing, viewer):
    page, _ = look(walk, f"{playing}?version=5&viewer={viewer}", sign_in=ada)

    assert page.locator("select.viewer option").all_text_contents() == ["Ada (you)", "A spectator"]
    page.get_by_text("nobody sees the cards of others").wait_for()
    await_moment(page, 5, 0)
    assert set(drawn_cards(page)["hand.1"]) == {"??"}
    page.locator(".board").focus()
    page.keyboard.press("1" if viewer == "1" else "e")
    page.keyboard.press("s")
    await_moment(page, 5, "spectator")


def test_the_result_has_places_scores_a_plot_and_the_rematch(walk, ada, playing):
    for _ in range(3):
        act(ada, playing)
    ada.post(f"{playing}/resign", {"confirm": True})
    rematch = ada.post(f"{playing}/rematch")["view"]["id"]
    view = ada.get(playing)["view"]
    page, _ = look(walk, f"{playing}?version={view['version']}")

    rows = page.locator(".results tbody tr").first
    assert "1st" in rows.inner_text()
    assert "Steady bot" in rows.inner_text()
    page.locator(f".results a[href='/tables/{rematch}']").wait_for()


REFUSED = {
    "status": 403,
    "content_type": "application/problem+json",
    "body": json.dumps({"code": "not_invited", "detail": "It did not work."}),
}


def test_a_nonexistent_table_is_explained(walk):
    page = walk("/tables/nowhere/replay").page

    page.get_by_role("link", name="My tables").wait_for()
