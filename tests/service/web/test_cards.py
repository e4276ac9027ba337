"""Card pictures are complete, small and allowed by the page's policy; cards have readable names and a natural order."""

import gzip
import re
import zlib
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from hoodwink.domain.cards import HIDDEN, JOKER, RANKS, SUITS, build_pack
from hoodwink.service.web.files import GUARDS, page

SPRITE = "cards/cards.svg"
SOURCE = page().file(page().digest, SPRITE)
FACES = [*build_pack(), JOKER]
SUIT_MARKS = [f"suit-{suit}" for suit in SUITS]
MAX_BYTES = 9_000
ORIGIN = "http://localhost"
DOCUMENT = f'<!doctype html><html lang="en"><title>Cards</title><link rel="stylesheet" href="{page().root}/style/cards.css"><body>'
DEAL = """async ([root, faces, fan]) => {
  const { html, render } = await import(`${root}/vendor/lit-html/lit-html.js`);
  const { card } = await import(`${root}/cards/card.js`);
  const { faceName } = await import(`${root}/cards/faces.js`);
  render(html`<div class=${fan ? 'fan' : 'row'} .style=${`--count: ${faces.length}`}>${faces.map((face, at) =>
    html`<button class="card-holder" .style=${`--at: ${at}`} aria-label=${faceName(face)}>${card(face)}</button>`)}</div>`, document.body);
}"""


@pytest.fixture(scope="module")
def sprite() -> ET.Element:
    assert SOURCE is not None
    return ET.fromstring(SOURCE.body)


def tag(element: ET.Element) -> str:
    return element.tag.rpartition("}")[2]


class TestSprite:
    def test_every_card_has_a_picture_of_one_size(self, sprite):
        boxes = {
            element.get("id"): element.get("viewBox") for element in sprite.iter() if tag(element) == "symbol"
        }

        assert boxes.keys() == {*FACES, "back", "empty", *SUIT_MARKS}
        assert {boxes[face] for face in (*FACES, "back", "empty")} == {"0 0 100 140"}
        assert {boxes[mark] for mark in SUIT_MARKS} == {"-12 -12 24 24"}

    def test_card_pictures_are_unique(self, sprite):
        pictures = [
            ET.tostring(element).partition(b">")[2] for element in sprite.iter() if tag(element) == "symbol"
        ]

        assert len(set(pictures)) == len(pictures)

    def test_the_sprite_uses_only_shapes_without_fonts_or_styles(self, sprite):
        assert {tag(element) for element in sprite.iter()} == {
            "svg", "defs", "symbol", "g", "use", "path", "rect", "circle"
        }  # fmt: skip
        assert not {name for element in sprite.iter() for name in element.attrib} & {"style", "class"}

    def test_the_sprite_refers_only_to_its_parts_and_uses_them_all(self, sprite):
        ids = [element.get("id") for element in sprite.iter() if element.get("id")]
        needed = {element.get("href") for element in sprite.iter() if tag(element) == "use"}
        shown = {element.get("id") for element in sprite.iter() if tag(element) == "symbol"}

        assert len(set(ids)) == len(ids)
        assert {f"#{part}" for part in set(ids) - shown} <= needed <= {f"#{part}" for part in ids}
        assert not [
            value for element in sprite.iter() for value in element.attrib.values() if "url(" in value
        ]

    def test_the_sprites_colours_come_from_the_style_sheet(self, sprite):
        painted = {
            value
            for element in sprite.iter()
            for name, value in element.attrib.items()
            if name in {"fill", "stroke", "color"}
        }
        css = page().file(page().digest, "style/cards.css")
        assert css is not None

        assert not {
            value for value in painted if not re.fullmatch(r"none|currentColor|var\(--[\w-]+\)", value)
        }
        for name in re.findall(r"--[\w-]+", " ".join(painted)):
            assert f"{name}:" in css.body.decode()

    def test_the_sprite_is_small(self):
        assert SOURCE is not None
        assert len(gzip.compress(SOURCE.body, 9)) <= MAX_BYTES


@pytest.fixture(scope="module")
def context(chromium) -> Iterator[Any]:
    """A browser that receives the files like from the service, under the same policy."""

    def fulfil(route: Any) -> None:
        _, _, digest, path = route.request.url.removeprefix(ORIGIN).split("/", 3)
        answer = page().file(digest, path)
        assert answer is not None, path
        route.fulfill(status=answer.status, headers=dict(answer.headers), body=answer.body)

    context = chromium.new_context(viewport={"width": 360, "height": 640})
    context.route(f"{ORIGIN}/page/**", fulfil)
    context.route(
        f"{ORIGIN}/",
        lambda route: route.fulfill(
            headers={"Content-Type": "text/html; charset=utf-8", **dict(GUARDS)}, body=DOCUMENT
        ),
    )
    yield context
    context.close()


@pytest.fixture(scope="module")
def tab(context) -> Any:
    """A tab for one test after another, because each new one starts a process."""
    return context.new_page()


@pytest.fixture
def shown(tab) -> Iterator[Any]:
    """An empty page with the style sheet of the cards; it must complain of nothing."""
    complaints = list[str]()

    def note(said: Any) -> None:
        complaints.append(str(getattr(said, "text", said)))

    tab.on("console", note)
    tab.on("pageerror", note)
    tab.emulate_media(color_scheme="light", reduced_motion="no-preference", forced_colors="none")
    tab.goto(f"{ORIGIN}/")
    yield tab
    tab.unroute_all()
    tab.remove_listener("console", note)
    tab.remove_listener("pageerror", note)
    assert complaints == []


def deal(tab, faces, *, fan=False):
    tab.evaluate(DEAL, [page().root, faces, fan])


def call(tab, expression, *arguments):
    """Returns the value of an expression in which `faces` is the module and `args` the arguments."""
    return tab.evaluate(
        f"async ([root, args]) => {{ const faces = await import(`${{root}}/cards/faces.js`); return {expression}; }}",
        [page().root, arguments],
    )


def colour(tab, name, value):
    tab.evaluate("([name, value]) => document.documentElement.style.setProperty(name, value)", [name, value])


def places(tab):
    return tab.eval_on_selector_all(
        ".card", "found => found.map((card) => card.getBoundingClientRect().toJSON())"
    )


def painted(tab, across, down, *, picture=True, other_than=None):
    """Returns the colour at a point of the first card, given in fractions of its width and height.

    With `picture`, waits until the card is no longer blank; with `other_than`, until the colour differs from it.
    """
    box = places(tab)[0]
    for _ in range(100):
        middle = pixel(tab, box["left"] + box["width"] / 2, box["top"] + box["height"] / 2)
        paper = pixel(tab, box["left"] + box["width"] / 2, box["top"] + box["height"] * 0.3)
        found = pixel(tab, box["left"] + box["width"] * across, box["top"] + box["height"] * down)
        if found != other_than and (middle != paper or not picture):
            return found
        tab.wait_for_timeout(50)
    raise AssertionError("the picture does not come")


def pixel(tab, x, y):
    """Returns red, green and blue of one pixel."""
    png, at, packed = tab.screenshot(clip={"x": int(x), "y": int(y), "width": 1, "height": 1}), 8, b""
    while at < len(png):
        length, kind = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        packed += png[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    return tuple(zlib.decompress(packed)[1:4])  # after the filter byte; no filter changes the first pixel


@pytest.mark.browser
class TestNames:
    def test_the_pack_matches_the_services(self, shown):
        assert call(shown, "[faces.FACES, faces.RANKS, faces.SUITS]") == [FACES, RANKS, SUITS]

    def test_a_card_has_a_name_in_words(self, shown):
        named = call(shown, "args.map(faces.faceName)", "9S", "TH", "AC", "QD", JOKER, HIDDEN, None)

        assert named == [
            "nine of spades", "ten of hearts", "ace of clubs", "queen of diamonds", "Joker", "a hidden card",
            "an empty place",
        ]  # fmt: skip
        assert len(set(call(shown, "faces.FACES.map(faces.faceName)"))) == len(FACES)

    def test_only_known_cards_have_rank_and_suit(self, shown):
        told = call(
            shown, "args.map((face) => [faces.rankOf(face), faces.suitOf(face)])", "TH", JOKER, HIDDEN, None
        )

        assert told == [["T", "H"], ["JK", ""], ["", ""], ["", ""]]
        assert call(shown, "[faces.rankName('T'), faces.suitName('H')]") == ["ten", "hearts"]

    def test_unknown_card_codes_count_as_hidden(self, shown):
        assert call(shown, "args.map(faces.isHidden)", HIDDEN, "1X", "", "9S", JOKER, None) == [
            True, True, True, False, False, False
        ]  # fmt: skip

    def test_hands_are_sorted_by_rank_with_unknown_cards_last(self, shown):
        hand = [None, "9S", HIDDEN, "AC", JOKER, "9C", "2H", "KD"]

        assert call(shown, "args[0].toSorted(faces.compareFaces)", hand) == [
            "2H", "9C", "9S", "KD", "AC", JOKER, HIDDEN, None
        ]  # fmt: skip


@pytest.mark.browser
class TestPictures:
    def test_page_colours_apply_to_the_sprite_under_the_policy(self, shown):
        deal(shown, ["5H"])
        colour(shown, "--suit-H", "rgb(1, 2, 3)")
        colour(shown, "--card-paper", "rgb(250, 240, 230)")

        assert painted(shown, 0.5, 0.5) == (1, 2, 3)
        assert painted(shown, 0.5, 0.3) == (250, 240, 230)

    def test_a_four_colour_deck_can_be_chosen(self, shown):
        deal(shown, ["5D"])
        red = painted(shown, 0.5, 0.5)
        shown.evaluate("document.documentElement.dataset.deck = 'four'")
        blue = painted(shown, 0.5, 0.5, other_than=red)

        assert red[0] > red[2]
        assert blue[2] > blue[0]

    def test_a_card_in_a_named_button_has_no_name_of_its_own(self, shown):
        deal(shown, ["9S", JOKER])

        assert shown.locator("body").aria_snapshot() == '- button "nine of spades"\n- button "Joker"'

    def test_a_hidden_card_shows_only_its_back(self, shown):
        deal(shown, [HIDDEN, "1X"])
        first, second = shown.eval_on_selector_all("button", "found => found.map((one) => one.innerHTML)")

        assert first == second
        assert re.findall(r"#([\w-]+)", first) == ["back"]

    def test_a_loading_picture_does_not_shift_the_layout(self, shown):
        held: list[Any] = []

        def hold(route):
            held.append(route)

        shown.route("**/cards.svg", hold)
        with shown.expect_request("**/cards.svg"):
            deal(shown, ["5S", "TH", None])
        colour(shown, "--card-paper", "rgb(250, 240, 230)")
        plain, before = painted(shown, 0.5, 0.5, picture=False), places(shown)
        held[0].fallback()

        assert plain == (250, 240, 230)
        assert painted(shown, 0.5, 0.5) != plain
        assert places(shown) == before
        assert before[0]["width"] * 7 == pytest.approx(before[0]["height"] * 5, rel=1e-3)

    def test_a_selected_card_rises_without_moving_others(self, shown):
        shown.emulate_media(reduced_motion="reduce")
        deal(shown, FACES[:7], fan=True)
        before = places(shown)
        shown.evaluate("document.querySelectorAll('button')[3].classList.add('selected')")
        after = places(shown)

        assert after.pop(3)["top"] < before.pop(3)["top"]
        assert after == before

    def test_forced_colours_apply_to_cards(self, shown):
        shown.emulate_media(forced_colors="active", color_scheme="dark")
        deal(shown, ["5H"])
        system = shown.evaluate(
            """['CanvasText', 'Canvas'].map(name => {
              document.body.style.color = name;
              return getComputedStyle(document.body).color.match(/\\d+/g).map(Number);
            })"""
        )

        assert [list(painted(shown, 0.5, 0.5)), list(painted(shown, 0.5, 0.3))] == system

    @pytest.mark.parametrize("count", [1, 2, 7, 30])
    def test_a_fan_of_any_size_fits_a_phone_with_touchable_cards(self, shown, count):
        faces = FACES[:count]
        deal(shown, faces, fan=True)
        boxes = places(shown)

        assert min(box["left"] for box in boxes) >= 0
        assert max(box["right"] for box in boxes) <= 360
        assert len({box["top"] for box in boxes}) == 1
        assert len({round(box["left"]) for box in boxes}) == count
        assert shown.evaluate(
            """boxes => boxes.map(({ left, top }) =>
              document.elementFromPoint(left + 3, top + 9).closest('button').getAttribute('aria-label'))""",
            boxes,
        ) == call(shown, "args[0].map(faces.faceName)", faces)
