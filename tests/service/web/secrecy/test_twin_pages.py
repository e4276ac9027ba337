"""In a real browser, the pages of a viewer do not depend on cards hidden from this viewer.

At two tables that differ only in such cards, everything on the viewer's pages must be the same: document, objects,
accessibility tree, storage, console and network. Planted leaks show that this check and the one of `test_secrecy.py`
find them.
"""

from itertools import islice
from random import Random

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Viewer
from tests.domain.laws.cards import cards_in
from tests.service.http.tables.test_secrecy import plays
from tests.service.http.twins import TABLE, twins
from tests.service.web.secrecy.entitled import Story, faults, faults_received, prose_of
from tests.service.web.secrecy.live_tables import LiveTable, TwinServer
from tests.service.web.secrecy.plants import PLANTS, planting
from tests.service.web.secrecy.twin_pages import ROOMS, TwinPage, compared, differences_now, standing

pytestmark = pytest.mark.browser

LOOKS = 2
CARDS_PER_ZONE = 2
"""The campaign touches all cards, and looks more often."""

TWIN_GAME = "shithead"
"""The campaign compares the pages of every game. All of them get only what the service sends, and
`tests/service/http/tables/test_secrecy.py` checks this for every game."""


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


def twins_of(game, watches, count):
    """Returns pairs of tables that differ only in cards hidden from a viewer, and the viewer."""
    found = played(game)
    viewer: Viewer = len(game) % found.seats if watches == "a player" else "spectator"
    pairs = list(islice(twins(found, viewer, Random(game)), count))
    assert pairs
    return pairs, viewer


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


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == TWIN_GAME else pytest.mark.campaign) for game in GAMES]
)
def test_a_page_does_not_depend_on_hidden_cards(profiles, server, game):
    (pair,), viewer = twins_of(game, "a player", 1)

    assert compared(profiles, server, pair, viewer, LOOKS, cards_per_zone=CARDS_PER_ZONE) == []


@pytest.mark.campaign
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("watches", "count"), [("a player", 2), ("a spectator", 1)])
def test_no_touched_card_of_a_page_depends_on_hidden_cards(profiles, server, game, watches, count):
    pairs, viewer = twins_of(game, watches, count)

    for pair in pairs:
        assert compared(profiles, server, pair, viewer, 2 * LOOKS) == []


def test_the_replay_during_play_does_not_depend_on_hidden_cards(profiles, server):
    (pair,), viewer = twins_of("blindside", "a player", 1)

    assert compared(profiles, server, pair, viewer, LOOKS, ROOMS[1], cards_per_zone=CARDS_PER_ZONE) == []


def test_planted_leaks_in_a_page_are_found(planted):
    story, answers = story_of(planted[0]), planted[0].witness.fetched()
    (stream,) = [answer for answer in answers if "event: view" in answer["text"]]
    assert list(faults_received(story, 0, answers)) == []
    assert faults_at(planted[0]) == []
    assert list(differences_now(planted)) == []
    hidden = [hidden_from_ada(twin) for twin in planted]

    # An answer contains too much.
    for what, shown in (("??", hidden[0][0]), ('"server_seed":null', '"server_seed":"5eed"')):
        assert what in stream["text"]
        altered = {**stream, "text": stream["text"].replace(what, shown)}
        assert list(faults_received(story, 0, [altered]))

    # A known card is in the wrong place.
    page = planted[0].page
    mine = page.evaluate("document.querySelector('.mine [data-zone^=hand] [data-face]').dataset.face")
    page.evaluate(planting("a face that is drawn"), mine)
    page.evaluate("document.querySelector('.seen td:not(.yes)').textContent = '1'")
    found = faults_at(planted[0])
    assert [fault for fault in found if f"shows {mine}" in fault]
    assert [fault for fault in found if "is counted as seen" in fault]

    # Each place names a hidden card, so the pages differ.
    for twin, faces in zip(planted, hidden, strict=True):
        for place, face in zip(PLANTS, faces, strict=False):
            twin.page.evaluate(planting(place), face)
    found = str(faults_at(planted[0]))
    differing = [difference.partition(":")[0] for difference in differences_now(planted)]
    assert [place for place, face in zip(PLANTS, hidden[0], strict=False) if face not in found] == []
    assert differing == [*planted[0].witness.evidence().texts]
