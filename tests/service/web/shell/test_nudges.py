"""A nudge reaches a player who looks at another tab."""

import pytest

from hoodwink.service.web.files import page as page_files
from tests.service.web.shell.test_attention import HIDE, NOTE
from tests.service.web.shell.test_installed import READY

pytestmark = [pytest.mark.browser, pytest.mark.processes]

# Without the 20 seconds that a turn must last first.
HEAR = """async root => {
    const { hear } = await import(`${root}/table/company/sayings.js`);
    await hear(document.querySelector('hw-table'), { seat: 1, saying: 'nudge', to: 0 });
}"""
# The news of the player's turn may arrive late, and is shown, too.
NUDGES = "window.shown.filter(({ title }) => title.includes('nudges'))"


def test_a_nudge_shows_a_notification_while_the_tab_is_hidden(visit, ada, bob):
    path = ada.table("blindside", bob).removeprefix("/v1")
    page, complaints = visit(path, sign_in=ada, service_workers="allow")
    page.wait_for_function(READY)
    page.locator(".felt").wait_for()
    page.evaluate(NOTE)
    page.evaluate(HIDE, True)

    page.evaluate(HEAR, page_files().root)
    page.wait_for_function(f"() => {NUDGES}.length")

    assert page.evaluate(f"() => {NUDGES}.map(({{ title, url }}) => [title, url])") == [
        ["Bob nudges you", path]
    ]
    assert complaints == []
