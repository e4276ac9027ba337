"""The count of a round gives nothing away: table and history follow it step by step."""

import pytest

from tests.service.web.browser import pause_clock
from tests.service.web.fed_tables import fed_messages

pytestmark = [pytest.mark.browser, pytest.mark.processes]

SHOWN = """() => ({
    scores: [...document.querySelectorAll('.felt .who .score')].map(score => score.textContent.replace(/^[^+0-9]/, '-')),
    up: ['blindside', 'keepers'].map(zone => document.querySelectorAll(
        `.others [data-zone^="${zone}."] [data-face]:not([data-face="??"])`).length),
    told: document.querySelector('.history').textContent,
    spoken: document.querySelector('[data-spoken]').textContent,
    places: document.querySelectorAll('.count .nth').length,
})"""
STEP_MS = 2_500


@pytest.fixture(scope="module")
def scored():
    """The messages of a table up to its first score."""
    told = fed_messages("blindside", seats=4, seed="red")
    last = next(
        at for at, each in enumerate(told) if any(e["type"] == "table.round_scored" for e in each["events"])
    )
    return told[: last + 1]


def test_a_count_starts_from_the_state_before_it(fed_page, scored):
    totals = [str(score) if score <= 0 else f"+{score}" for score in scored[-1]["view"]["view"]["scores"]]
    fed = fed_page(reduced_motion="no-preference", skips_time=True)
    fed.begin(scored[-2])
    pause_clock(fed.page)
    fed.push(scored[-1])
    fed.page.wait_for_selector("hw-count")
    steps = [fed.page.evaluate(SHOWN)]
    for _ in range(2):
        fed.page.clock.run_for(STEP_MS)
        steps.append(fed.page.evaluate(SHOWN))

    first, second, last = steps
    assert first["scores"] == second["scores"] == ["0"] * 4
    assert sorted(last["scores"]) == sorted(totals)
    assert [step["up"][1] > 0 for step in steps] == [False, True, True]
    assert "Blindside Cards were turned up" in first["spoken"]
    for step, word in ((first, "Keeper Piles were"), (second, "is scored")):
        assert word not in step["told"] + step["spoken"]
    assert [step["places"] for step in steps] == [0, 0, 4]
    assert fed.complaints == []


def test_without_movement_everything_is_shown_at_once(fed_page, scored):
    fed = fed_page(reduced_motion="reduce")
    fed.begin(scored[-2])
    fed.push(scored[-1])
    fed.page.wait_for_selector(".count .nth")

    assert "is scored" in fed.page.locator("[data-spoken]").text_content()


def test_a_page_opened_during_the_count_shows_all_of_it(fed_page, scored):
    fed = fed_page(reduced_motion="no-preference", skips_time=True)
    fed.begin(scored[-1])
    pause_clock(fed.page)

    fed.page.wait_for_selector(".count .nth")

    assert fed.page.locator(".count .steps h3").count() == 2
    assert fed.complaints == []
