"""In a real browser, nobody receives or sees information hidden by the rules.

The tests check everything on a page: document, objects, accessibility tree, storage, console and network. At a table
of people, with each viewer in a separate browser, nothing may name a card that its viewer cannot know by the rules.
At two tables that differ only in cards hidden from a viewer, the viewer's pages must have the same contents.

`python -m tests.service.web.secrecy` does both for longer.
"""

from itertools import islice
from random import Random

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Viewer
from tests.domain.laws.cards import cards_in
from tests.service.http.test_secrecy import plays
from tests.service.http.twins import TABLE, twins
from tests.service.web.entitled import Story, faults, faults_received, prose_of
from tests.service.web.guests import guest
from tests.service.web.live_tables import LiveTable, TwinServer
from tests.service.web.plants import PLANTS, planting
from tests.service.web.shared_table import TELLING_OPTIONS, Onlooker, play, story_at, take_step
from tests.service.web.twin_pages import ROOMS, TwinPage, compared, differences_now, standing

pytestmark = pytest.mark.browser

STEPS = 10
LOOKS = 4


@pytest.fixture(scope="module")
def server():
    with TwinServer().running() as running:
        yield running


@pytest.fixture(scope="module")
def profiles(chromium):
    """Two browser profiles with stopped clocks."""
    found = [standing(chromium) for _ in range(2)]
    yield found
    for context in found:
        context.close()


@pytest.fixture
def planted(chromium, server):
    """A player's pages at two tables that differ in hidden cards, where tests plant leaks."""
    (pair,) = islice(twins(played("blindside"), 0, Random(1)), 1)
    contexts = [standing(chromium) for _ in pair]
    pages = [
        TwinPage(context, server, which, LiveTable(api, 0))
        for context, which, api in zip(contexts, ("one", "other"), pair, strict=True)
    ]
    for twin in pages:
        twin.settle()
        twin.table.advance(8)
        twin.settle()
        twin.page.get_by_text("Seen so far").click()
        twin.page.wait_for_selector(".seen td.yes")
    yield pages
    for twin, context in zip(pages, contexts, strict=True):
        twin.close()
        context.close()


def played(game):
    """Returns the beginning of a random table."""
    return next(islice(plays(GAMES[game]), 1, None))


def story_of(twin):
    return Story(twin.table.api.service.tables.entries(TABLE))


def hidden_from_ada(twin):
    """Returns cards unknown to the player, in an order that depends on the hidden cards."""
    story = story_of(twin)
    known = story.known(0, twin.table.version)
    return [face for face in cards_in(story.moments[-1].table.state) if face not in known]


def faults_at(twin):
    """Returns everything on the player's page that the player may not know."""
    description = twin.table.api.spectator.get("/v1/games/blindside").json
    return list(faults(story_of(twin), 0, twin.witness.evidence(), prose_of(description)))


@pytest.mark.processes
@pytest.mark.parametrize("game", GAMES)
def test_pages_contain_no_card_hidden_from_their_viewer(chromium, served, game):
    table = play(chromium, served, game, steps=STEPS, options=TELLING_OPTIONS.get(game, {}))

    assert list(table.faults()) == []
    for onlooker in table.onlookers:
        assert len({held.version for held in onlooker.held}) > STEPS / 4


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("watches", "count"),
    [
        ("a player", 1),
        pytest.param("a player", 2, marks=pytest.mark.campaign),
        pytest.param("a spectator", 1, marks=pytest.mark.campaign),
    ],
)
def test_a_page_does_not_depend_on_hidden_cards(profiles, server, game, watches, count):
    found = played(game)
    viewer: Viewer = len(game) % found.seats if watches == "a player" else "spectator"

    pairs = list(islice(twins(found, viewer, Random(game)), count))

    assert pairs
    for pair in pairs:
        assert compared(profiles, server, pair, viewer, LOOKS) == []


def test_the_replay_during_play_does_not_depend_on_hidden_cards(profiles, server):
    (pair,) = islice(twins(played("blindside"), 0, Random(1)), 1)

    assert compared(profiles, server, pair, 0, LOOKS, ROOMS[1]) == []


def test_a_planted_leak_in_a_page_is_found(planted):
    assert faults_at(planted[0]) == []
    assert list(differences_now(planted)) == []
    hidden = [hidden_from_ada(twin) for twin in planted]
    for twin, faces in zip(planted, hidden, strict=True):
        for place, face in zip(PLANTS, faces, strict=False):
            twin.page.evaluate(planting(place), face)

    found = str(faults_at(planted[0]))
    differing = [difference.partition(":")[0] for difference in differences_now(planted)]

    assert [place for place, face in zip(PLANTS, hidden[0], strict=False) if face not in found] == []
    assert differing == [*planted[0].witness.evidence().texts]


def test_a_known_card_in_the_wrong_place_is_found(planted):
    page = planted[0].page
    mine = page.evaluate("document.querySelector('.mine [data-zone^=hand] [data-face]').dataset.face")
    page.evaluate(planting("a face that is drawn"), mine)
    page.evaluate("document.querySelector('.seen td:not(.yes)').textContent = '1'")

    found = faults_at(planted[0])

    assert [fault for fault in found if f"shows {mine}" in fault]
    assert [fault for fault in found if "is counted as seen" in fault]


def test_an_answer_with_too_much_is_found(planted):
    story, answers = story_of(planted[0]), planted[0].witness.fetched()
    (stream,) = [answer for answer in answers if "event: view" in answer["text"]]
    assert list(faults_received(story, 0, answers)) == []

    face = hidden_from_ada(planted[0])[0]
    for hidden, shown in (("??", face), ('"server_seed":null', '"server_seed":"5eed"')):
        assert hidden in stream["text"]
        altered = {**stream, "text": stream["text"].replace(hidden, shown)}
        assert list(faults_received(story, 0, [altered]))


@pytest.mark.processes
@pytest.mark.parametrize("room", ["", "/replay"])
def test_signing_out_removes_the_players_cards(chromium, served, room):
    ada = guest(served)
    path = ada.table("blindside", bots=1)
    watched = Onlooker(chromium, 0, ada)
    watched.page.goto(path.removeprefix("/v1"))
    for _ in range(4):
        take_step([watched])
    watched.page.goto(path.removeprefix("/v1") + room)
    watched.page.wait_for_selector("[data-face]")

    other_tab = watched.page.context.new_page()
    other_tab.goto("/me")
    other_tab.evaluate("localStorage.removeItem('hoodwink.player')")
    other_tab.close()
    watched.page.wait_for_function(SEES_AS_SPECTATOR)
    watched.finish()
    ada.post(f"{path}/resign", {"confirm": True})

    rules = prose_of(ada.get("/v1/games/blindside"))
    assert list(faults(story_at(ada, path), "spectator", watched.held[-1], rules)) == []


SEES_AS_SPECTATOR = """() => !window.__witness.noted.underway
    && (document.querySelector('hw-table')?.message?.view.viewer === 'spectator'
        || document.querySelector('hw-replay')?.playback.viewer === 'spectator')"""
