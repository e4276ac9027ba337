"""Moments of a table: their pictures and lines, and the story of its end."""

import pytest

from hoodwink.service.web.files import page
from tests.service.web.fed_tables import fed_messages

pytestmark = [pytest.mark.browser, pytest.mark.processes]

# Each message with the one before, and the moments that the page finds in it.
_FIND = """async (told) => {
    const url = document.querySelector('link[rel=stylesheet]').href.replace(/style\\/.*/, 'table/');
    const [{ momentsOf }, { storyOf }] = await Promise.all([import(`${url}scene/moments.js`), import(`${url}story.js`)]);
    const moments = told.slice(1).flatMap((message, index) => momentsOf(message.events, told[index].view, message.view));
    return { moments, story: storyOf(told.at(-1).view, told.flatMap(({ events }) => events)) };
}"""


MANY = [["cup", str(number)] for number in range(1, 6)]
PICTURES = {
    "shithead": {"fire", "joker", "first", "shithead", "cup"},
    "coconut": {"fire", "sneak", "first", "cup"},
    "double_blind": {"caper", "cup"},
    "blindside": {"blindsided", "cup"},
}


def test_the_moments_of_a_table_have_pictures_and_its_end_a_story(fed_page):
    tables = {
        game: fed_messages(game, seats=4, seed="green" if game == "blindside" else "red") for game in PICTURES
    }
    fed = fed_page(reduced_motion="reduce")
    fed.begin(tables["shithead"][0])

    for game, told in tables.items():
        found = fed.page.evaluate(_FIND, told)
        assert {picture for picture, _ in found["moments"]} >= PICTURES[game]
        assert all(line and "undefined" not in line for _, line in found["moments"]), game
        assert 2 <= len(found["story"]) <= 3, game
        assert not [line for line in found["story"] if "undefined" in line or "NaN" in line], game
    assert fed.complaints == []


def test_a_moment_is_shown_over_the_table(fed_page):
    told = fed_messages("shithead", seats=4, seed="red")
    burned = next(
        at
        for at, message in enumerate(told)
        if [event["type"] for event in message["events"]] == ["shithead.cards_played"]
        and not message["view"]["view"]["pile"]
    )
    fed = fed_page(reduced_motion="reduce")
    fed.begin(told[burned - 1])
    fed.push(told[burned])

    assert "pile" in fed.page.wait_for_selector(".moment").inner_text()


# The lines that are seen of several moments at the same time.
_SEEN = """async ([url, moments]) => {
    const room = document.querySelector('hw-table');
    const seen = [];
    new MutationObserver((changes) => changes.forEach(({ addedNodes: [added] }) => added && seen.push(added.textContent.trim())))
        .observe(room.querySelector('.board'), { childList: true });
    (await import(url)).celebrate(room, moments);
    await new Promise((done) => { setTimeout(done, 10_000); });
    return seen;
}"""


def test_old_moments_give_way_to_new_ones(fed_page):
    fed = fed_page(reduced_motion="reduce", skips_time=True)
    fed.begin(fed_messages("shithead", seats=4, seed="red")[0])
    fed.page.evaluate(
        f"given => {{ window.seen = ({_SEEN})(given); }}", [f"{page().root}/table/celebration.js", MANY]
    )
    fed.page.wait_for_selector(".moment")
    fed.page.clock.run_for(10_000)

    assert fed.page.evaluate("() => window.seen") == ["3", "4", "5"]
