"""Line plots: the same figures as lines, words and table, at every width."""

from typing import Any

import pytest

from hoodwink.service.web.files import page

pytestmark = pytest.mark.browser

MINUS, NONE = "\N{MINUS SIGN}", "\N{EN DASH}"

_DRAW = """async ([root, plot, times]) => {
  const [{ linePlot }, { times: xTicks, timeInWords }, { html, render }] = await Promise.all([
    import(`${root}/plots/plot.js`), import(`${root}/plots/times.js`), import(`${root}/vendor/lit-html/lit-html.js`),
  ]);
  const main = document.createElement('main');
  document.body.replaceChildren(main);
  window.draw = (given) => render(html`${linePlot(given)}`, main);
  draw(times ? { ...plot, xTicks, xTick: timeInWords } : plot);
}"""
_CELLS = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim()))"
_MARKS = "marks => marks.map(mark => { const box = mark.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })"


def line(*heights, **more):
    return {"name": "Ada", "points": [[x, y] for x, y in enumerate(heights, 1)], **more}


@pytest.fixture(scope="module")
def laboratory(served, chromium):
    """A page of the service for the plots of all tests."""
    context = chromium.new_context(base_url=served, timezone_id="UTC")
    opened = context.new_page()
    opened.goto("/nowhere")
    yield opened
    context.close()


@pytest.fixture
def draw(laboratory):
    """Returns a function that draws a plot and returns the page."""
    complaints = list[str]()
    laboratory.on("console", lambda said: complaints.append(said.text))
    laboratory.on("pageerror", lambda error: complaints.append(str(error)))

    def drawn(*series, times=False, width=800, x_label="round", **media) -> Any:
        laboratory.set_viewport_size({"width": width, "height": 700})
        laboratory.emulate_media(**{"forced_colors": "none", "color_scheme": "light", **media})
        plot = {"title": "Scores", "unit": "tokens", "series": series, "xLabel": x_label}
        laboratory.evaluate(_DRAW, [page().root, plot, times])
        laboratory.wait_for_selector("figure, main > p")
        return laboratory

    yield drawn
    assert not complaints


def in_words(shown):
    return shown.locator("svg[role=img]").get_attribute("aria-label")


def rows(shown):
    """Opens the table and returns its cells."""
    shown.get_by_text("As a table").click()
    shown.wait_for_selector("td")
    return shown.locator("tr").evaluate_all(_CELLS)


def ticks(shown, axis):
    return shown.locator(f"text.{axis}").all_text_contents()


def test_a_plot_has_a_description_and_a_table(draw):
    bob = {"name": "Bob", "seat": 1, "points": [[1, 2], [3, 1234.5]]}
    shown = draw(line(-2, 3, -7), bob)

    assert in_words(shown) == (
        f"Scores. Ada: first {MINUS}2 at round 1, last {MINUS}7 at round 3, highest 3 at round 2. "
        "Bob: first 2 at round 1, last 1,234.5 at round 3, highest 1,234.5 at round 3."
    )
    assert rows(shown) == [
        ["round", "Ada, tokens", "Bob, tokens"],
        ["1", f"{MINUS}2", "2"],
        ["2", "3", NONE],
        ["3", f"{MINUS}7", "1,234.5"],
    ]


def test_the_table_follows_changes_of_the_plot(draw):
    shown = draw(line(1, 2))
    assert len(rows(shown)) == 3

    shown.evaluate("draw({title: 'Scores', series: [{name: 'Ada', points: [[1, 1], [2, 2], [3, 5]]}]})")

    shown.wait_for_function("() => document.querySelectorAll('tbody tr').length === 3")
    assert shown.locator("tbody tr").last.inner_text().split() == ["3", "5"]


def test_an_uncertainty_is_a_band_and_two_columns(draw):
    shown = draw(line(25, 27, band=[[1, 9, 41], [2, 12, 42]]))

    assert shown.locator("path.band").get_attribute("d")
    assert rows(shown)[1:] == [["1", "25", "9", "41"], ["2", "27", "12", "42"]]
    assert [ticks(shown, "y")[0], ticks(shown, "y")[-1]] == ["0", "50"]


@pytest.mark.parametrize(
    ("heights", "expected"),
    [
        ((0, 40), ["0", "10", "20", "30", "40"]),
        ((-3, 2), [f"{MINUS}3", f"{MINUS}2", f"{MINUS}1", "0", "1", "2"]),
        ((7,), ["6", "7", "8"]),
        ((0, 0, 0), [f"{MINUS}1", "0", "1"]),
        ((0.5, 2.25), ["0.5", "1", "1.5", "2", "2.5"]),
        ((999_700, 1_000_100), ["999,700", "999,800", "999,900", "1,000,000", "1,000,100"]),
    ],
)
def test_the_axis_has_round_numbers_around_the_values(draw, heights, expected):
    assert ticks(draw(line(*heights)), "y") == expected


def test_a_single_point_is_drawn_in_the_middle(draw):
    shown = draw(line(5))
    field = shown.locator("svg[role=img]").bounding_box()
    ((x, y),) = shown.locator("g path.mark").evaluate_all(_MARKS)

    assert ticks(shown, "x") == ["1"]
    assert (x, y) == (
        pytest.approx(field["x"] + field["width"] / 2, abs=1),
        pytest.approx(field["y"] + field["height"] / 2, abs=1),
    )


def test_an_empty_plot_is_explained(draw):
    assert draw(line()).locator("main").inner_text() == "Scores: nothing to draw yet."


def test_marks_are_drawn_at_their_values(draw):
    shown = draw(line(0, 10, 5))
    field = shown.locator("svg[role=img]").bounding_box()
    marks = shown.locator("g path.mark").evaluate_all(_MARKS)

    for (x, y), across, up in zip(marks, (0, 0.5, 1), (0, 1, 0.5), strict=True):
        assert x == pytest.approx(field["x"] + across * field["width"], abs=1)
        assert y == pytest.approx(field["y"] + (1 - up) * field["height"], abs=1)


def test_ten_seats_are_distinguishable_without_colours(draw):
    shown = draw(*[{**line(1, 2), "name": f"Player {seat}", "seat": seat} for seat in range(10)])
    looks = shown.locator(".legend li").evaluate_all(
        """all => all.map(one => [one.querySelector('line').getAttribute('stroke-dasharray'),
          one.querySelector('path').getAttribute('d')].join())"""
    )
    assert len(set(looks)) == 10


def test_many_points_are_thinned_and_keep_their_extremes(draw):
    heights = [each % 97 for each in range(10_000)]
    heights[4_321], heights[7_000] = 5_000, -5_000
    shown = draw(line(*heights))

    table = rows(shown)

    assert len(table) < 1_000
    assert ["4,322", "5,000"] in table
    assert ["7,001", f"{MINUS}5,000"] in table
    assert (table[1][0], table[-1][0]) == ("1", "10,000")
    assert "of 10,000 points" in shown.locator("details").inner_text()
    assert "highest 5,000 at round 4,322" in in_words(shown)


@pytest.mark.parametrize("width", [280, 360, 900])
@pytest.mark.parametrize("forced_colors", ["none", "active"])
@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_a_plot_fits_every_width_in_every_theme(draw, width, forced_colors, color_scheme):
    many = [{**line(-1_000_000, 12), "name": f"Player {seat}", "seat": seat} for seat in range(10)]
    shown = draw(*many, width=width, forced_colors=forced_colors, color_scheme=color_scheme)

    assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert shown.locator("svg[role=img]").bounding_box()["width"] > width / 2
    drawn = shown.locator("g path.line").first.evaluate("line => getComputedStyle(line).stroke")
    assert drawn != shown.evaluate("getComputedStyle(document.documentElement).backgroundColor")


@pytest.mark.parametrize(
    ("span_ms", "expected"),
    [
        (20_000, ["12:00:00", "12:00:05", "12:00:10", "12:00:15", "12:00:20"]),
        (3 * 3_600_000, ["12:00", "13:00", "14:00", "15:00"]),
        (5 * 86_400_000, ["2 May", "3 May", "4 May", "5 May", "6 May"]),
        (366 * 86_400_000, ["Jul 2025", "Oct 2025", "Jan 2026", "Apr 2026"]),
    ],
)
def test_time_labels_are_at_round_times(draw, span_ms, expected):
    noon = 1_746_100_800_000
    moments = {"name": "Ada", "points": [[noon, 1], [noon + span_ms, 2]]}
    shown = draw(moments, times=True, x_label="")

    assert ticks(shown, "x") == expected
    assert "first 1 at 1 May 2025, 12:00" in in_words(shown)
