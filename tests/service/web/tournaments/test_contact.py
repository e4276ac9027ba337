"""Descriptions and announcements on the page: written at the desk, drawn as text, and never run."""

import pytest
from playwright.sync_api import expect

from tests.service.web.tournaments.cups import Held, press, unfold

pytestmark = [pytest.mark.browser, pytest.mark.processes]

TEXT = """# House rules

- **No phones**, <img src=x onerror=alert(1)> <b>bold</b>
- [Hall](https://example.org/hall), **[plain](http://example.org)**, [run](javascript:alert), [own](/me)

https://example.org/rules.

```
# https://example.org/code
```
"""


def test_t_60_t_61_everybody_reads_what_the_organiser_writes_at_the_desk(walk, served):
    held = Held(served, bots=2)
    desk, complaints = walk(f"/tournaments/{held.id}/desk", sign_in=held.organiser)
    page, more = walk(f"/tournaments/{held.id}")

    unfold(desk, "Description")
    desk.get_by_label("Description and rules").fill(TEXT)
    press(desk, "Save the description")
    about = page.locator(".about")
    page.get_by_role("tab", name="About").click()
    expect(about.get_by_role("heading", name="House rules")).to_be_visible()
    expect(about.locator("li").first).to_have_text("No phones, <img src=x onerror=alert(1)> <b>bold</b>")
    expect(about.locator("li").last).to_have_text("Hall, plain, run, own")
    link, bare = about.locator("a").all()
    assert [link.get_attribute(name) for name in ("href", "rel", "target")] == [
        "https://example.org/hall",
        "nofollow noopener",
        "_blank",
    ]
    assert bare.get_attribute("href") == "https://example.org/rules"
    expect(about.locator("pre")).to_have_text("# https://example.org/code")
    assert about.locator("img, script").count() == 0

    desk.get_by_label("Announcement", exact=True).fill("Tea is at four. See https://example.org/tea.")
    press(desk, "Announce it")
    expect(page.locator(".announced")).to_contain_text("Tea is at four. See https://example.org/tea. Olga")
    expect(page.locator(".announced a")).to_have_attribute("href", "https://example.org/tea")
    expect(page.get_by_role("status").filter(has_text="made an announcement")).to_be_visible()
    page.get_by_role("tab", name="History").click()
    expect(page.locator(".chronicle li").first).to_contain_text("made an announcement. Tea is at four.")
    expect(desk.get_by_label("Announcement", exact=True)).to_have_value("")  # the form is reset by the answer
    desk.get_by_label("Announcement", exact=True).fill("Tea is at five.")
    press(desk, "Announce it")
    expect(desk.locator("[data-command=announcement]").get_by_role("alert")).to_contain_text(
        "one announcement a minute"
    )
    assert (["422" in said for said in complaints], more) == ([True], [])
