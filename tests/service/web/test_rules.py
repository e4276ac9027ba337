"""The rules on the page: complete, without Markdown markup, and with a URL for each rule."""

import re

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.service.web.files import page as files
from tests.service.processes import await_true
from tests.service.web.browser import enter

pytestmark = [pytest.mark.browser, pytest.mark.processes]

SUIT_NAMES = {"♣": " of clubs", "♦": " of diamonds", "♥": " of hearts", "♠": " of spades"}

_DRAWN = """async ([root, text, options]) => {
  const { render } = await import(`${root}/vendor/lit-html/lit-html.js`);
  const { parse, draw } = await import(`${root}/text/markdown.js`);
  const place = document.createElement('div');
  render(draw(parse(text), options), place);
  return place.innerHTML;
}"""
_RULES = """async ([root, game, options]) => {
  const { render } = await import(`${root}/vendor/lit-html/lit-html.js`);
  const { rulesOf } = await import(`${root}/rules/rules.js`);
  const place = document.createElement('div');
  render(rulesOf(game, options), place);
  return place.innerHTML;
}"""
_TEXT = """prose => {
  const copy = prose.cloneNode(true);
  copy.querySelectorAll('.anchor').forEach(anchor => anchor.remove());
  copy.querySelectorAll('p, li, td, th, h1, h2, h3, h4').forEach(part => part.append(' '));
  return copy.textContent;
}"""
_IS_IN_SIGHT = """rule => {
  const { top, bottom } = rule.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}"""
_IDS = "all => all.map(part => part.id)"
TITLED = {
    "name": "lantern",
    "title": "Lantern",
    "rules": "# Lantern\n\n## Aim\n\nThe brightest wins.\n",
    "options": [
        {"name": "rounds", "default": 2, "meaning": "How many *rounds*.", "form": {"type": "integer"}},
        {"name": "brightest", "default": None, "meaning": "Which one.", "form": {"type": "string"}},
    ],
}


def tidy(markup):
    """Returns markup without lit-html's comments and spaces around tags."""
    without = re.sub(r"<!--.*?-->", "", markup, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r">\s+|\s+<", lambda found: found[0].strip(), without)).strip()


def without_space(text):
    return "".join(text.split())


def read(text):
    """Returns the readable text of rules without markup and spaces."""
    for suit, name in SUIT_NAMES.items():
        text = text.replace(suit, name)
    text = re.sub(r"^(#+ |- |\d+\. )", "", text, flags=re.MULTILINE)
    return without_space(re.sub(r"^\|[-| ]+\|$|[|*`]", "", text, flags=re.MULTILINE))


@pytest.fixture(scope="module")
def shown(served, chromium):
    """A page of the service that can import modules."""
    page = chromium.new_page(base_url=served)
    page.goto("/rules")
    yield page
    page.close()


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("", ""),
        ("One line\nand another.", '<p id="text-1">One line and another.</p>'),
        ("One.\n\n\nTwo.", '<p id="text-1">One.</p><p id="text-2">Two.</p>'),
        ("# A *B* c", '<h1 id="a-b-c">A<em>B</em>c</h1>'),
        ("## It's 2!\nNo.", '<h2 id="it-s-2">It\u2019s 2!</h2><p id="it-s-2-1">No.</p>'),
        ("## A\n\n## A", '<h2 id="a">A</h2><h2 id="a.2">A</h2>'),
        ("#### Deep\n\n##### Deeper", '<h4 id="deep">Deep</h4><h4 id="deeper">Deeper</h4>'),
        ("# !", '<h1 id="part">!</h1>'),
        (
            "- one\n  more\n- two",
            '<ul><li id="text-1">one more</li><li id="text-2">two</li></ul>',
        ),
        ("3. one\n4. two", '<ol start="3"><li id="text-1">one</li><li id="text-2">two</li></ol>'),
        ("Then:\n- one", '<p id="text-1">Then:</p><ul><li id="text-2">one</li></ul>'),
        ("- one\n\ntwo", '<ul><li id="text-1">one</li></ul><p id="text-2">two</p>'),
        (
            "**a `b` *c***, `*d*`",
            '<p id="text-1"><strong>a<code>b</code><em>c</em></strong>,<code>*d*</code></p>',
        ),
        ("2 * 3 * 4, a_b_c", '<p id="text-1">2 * 3 * 4, a_b_c</p>'),
        (
            "[*here*](/rules/coconut) [there](https://example.org/a?b#c)",
            '<p id="text-1"><a href="/rules/coconut"><em>here</em></a><a href="https://example.org/a?b#c">there</a></p>',
        ),
        ("[no](javascript:go) [no](//example.org)", '<p id="text-1">no no</p>'),
        ("<b>&amp;", '<p id="text-1">&lt;b&gt;&amp;amp;</p>'),
        ("|a|", '<p id="text-1">|a|</p>'),
    ],
)
def test_markdown_is_rendered(shown, text, markup):
    assert tidy(shown.evaluate(_DRAWN, [files().root, text, {}])) == markup


def test_a_table_has_a_head_and_rows_with_ids(shown):
    markup = tidy(
        shown.evaluate(_DRAWN, [files().root, "## A\n\n| b | *c* |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |", {}])
    )

    assert '<thead><tr><th scope="col">b</th><th scope="col"><em>c</em></th></tr></thead>' in markup
    assert '<tr id="a-1"><td data-head="b">1</td><td data-head="c">2</td></tr><tr id="a-2">' in markup


def test_suits_are_rendered_as_named_pictures(shown):
    markup = tidy(shown.evaluate(_DRAWN, [files().root, "Play 10♠ on A♥.", {}]))

    assert re.findall(r"#suit-(\w)", markup) == ["S", "H"]
    assert re.sub("<[^>]*>", "", markup) == "Play10of spadesonAof hearts."


def test_each_of_several_texts_has_separate_ids_and_headings(shown):
    options = {"prefix": "rules-", "below": 1}

    markup = tidy(shown.evaluate(_DRAWN, [files().root, "## A\n\nb", options]))

    assert markup == '<h3 id="rules-a">A</h3><p id="rules-a-1">b</p>'


def test_options_missing_from_the_rules_are_listed_below(shown):
    markup = tidy(shown.evaluate(_RULES, [files().root, TITLED, {}]))

    assert markup.startswith('<div class="prose"><h2 id="aim">Aim</h2><p id="aim-1">The brightest wins.</p>')
    assert '<h2 id="options">Options</h2>' in markup
    assert (
        '<tr id="options-rounds"><td><code>rounds</code></td><td data-head="default"><code>2</code></td>'
        in markup
    )
    assert "<td>How many<em>rounds</em>.</td>" in markup
    assert "chosen by the game" in markup


def test_rules_are_listed_and_complete_and_each_has_an_address(walk):
    page, complaints = walk("/rules")
    page.locator(".every-game").wait_for()
    links = page.locator(".every-game a")
    assert links.evaluate_all("all => all.map(link => link.pathname)") == [f"/rules/{game}" for game in GAMES]

    links.first.click()
    assert_rules_of(page, next(iter(GAMES.values())))
    for game in [*GAMES.values()][1:]:
        enter(page, f"/rules/{game.name}")
        assert_rules_of(page, game)
    assert complaints == []

    enter(page, "/rules/whist")
    page.get_by_role("heading", name="There is no such game").wait_for()


def assert_rules_of(page, game):
    page.wait_for_url(f"**/rules/{game.name}")
    prose = page.locator(".prose")
    prose.wait_for()
    shown = page.locator("h1").inner_text() + prose.evaluate(_TEXT)
    assert without_space(shown).replace("\u2019", "'") == read(game.rules)
    assert not re.search(r"[*`|♣♦♥♠]|^#|^- ", prose.inner_text(), re.MULTILINE)

    ids = page.locator(".prose :is(h2, h3, p, li, tbody tr)").evaluate_all(_IDS)
    assert all(ids)
    assert len(set(ids)) == len(ids)
    links = page.locator(".prose .anchor")
    assert links.evaluate_all("all => all.map(link => link.getAttribute('href'))") == [
        f"/rules/{game.name}#{name}" for name in ids
    ]
    names = links.evaluate_all("all => all.map(link => link.getAttribute('aria-label'))")
    assert len(set(names)) == len(names)

    page.locator(".contents").wait_for()
    sections = page.locator(".prose h2").evaluate_all(_IDS)
    listed = page.locator(".contents li a")
    assert listed.evaluate_all("all => all.map(link => link.hash.slice(1))") == sections
    listed.last.click()
    assert page.locator(".pointed").get_attribute("id") == sections[-1]


def test_a_link_to_a_rule_shows_and_marks_it(walk):
    page, _ = walk("/rules/coconut#the-play-3", viewport={"width": 360, "height": 640})
    rule = page.locator(".pointed")
    rule.wait_for()

    assert rule.inner_text().startswith("Then draw until you hold three cards")
    await_true(lambda: rule.evaluate(_IS_IN_SIGHT))

    page.get_by_role("link", name="Link to The end, 1").focus()
    page.keyboard.press("Enter")

    page.wait_for_selector("#the-end-1.pointed")
    assert page.url.endswith("/rules/coconut#the-end-1")
