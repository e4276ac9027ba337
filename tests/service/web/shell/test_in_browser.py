"""In a real browser, the page loads completely, in one wave, and within its policy."""

import pytest

from hoodwink.service.web.files import ENTRY, page
from tests.service.web.weight import MAX_BYTES

pytestmark = pytest.mark.browser

ROOT = page().root
# The entry fails without the elements of the document, but only after its imports are loaded.
IMPORTED = f"import('{ROOT}/{ENTRY}').catch(() => {{}}).then(() => performance.getEntriesByType('resource').map(({{ name }}) => name))"


def loaded(visited):
    """Returns the browser's measurements of the document and each file, by URL."""
    entries = visited.page.evaluate(
        "['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type)).map(entry => entry.toJSON())"
    )
    return {entry["name"]: entry for entry in entries if "/v1/" not in entry["name"]}


def preloads(visited):
    return visited.page.eval_on_selector_all(
        "link[rel=modulepreload]", "links => links.map(link => link.href)"
    )


def test_the_page_loads_without_browser_errors(visit):
    shown = visit("/")

    assert shown.page.title() == "Hoodwink"
    assert shown.page.locator("body").inner_text().strip()
    for path in ("/games/blindside", "/rules/coconut"):
        shown.page.goto(path)
        shown.page.wait_for_selector("h1")
    assert shown.complaints == []

    # An unknown address shows the page, too.
    shown.page.goto("/nowhere")
    assert shown.page.title()
    assert [said for said in shown.complaints if "404" not in said] == []


def test_foreign_code_cannot_run_in_the_page(visit):
    shown = visit("/")

    shown.page.evaluate("""() => {
      const script = document.createElement('script');
      try { script.src = 'https://example.org/x.js'; } catch { console.error('refused: a script'); }
      try { document.body.innerHTML = '<img src=x onerror=alert(1)>'; } catch { console.error('refused: HTML'); }
      const image = document.createElement('img');
      image.src = 'https://example.org/x.png';
      document.body.append(image);
    }""")
    shown.page.wait_for_function("() => document.querySelector('img[src^=https]').complete")

    said = "\n".join(shown.complaints)
    assert "refused: a script" in said
    assert "refused: HTML" in said
    assert "CSP: img-src https://example.org" in said


def test_the_preloaded_modules_are_those_that_the_entry_imports(visit):
    shown = visit("/")
    named = {*preloads(shown)}
    # Nothing else has loaded modules here, and those that the entry imports later are still on their way.
    shown.page.route(
        "**/empty", lambda route: route.fulfill(content_type="text/html", body="<!doctype html>")
    )
    shown.page.goto("/empty")

    imported = {*shown.page.evaluate(IMPORTED)}

    assert imported == named | {url for url in imported if url.endswith(f"/{ENTRY}")}


def test_the_page_transfers_little_and_nothing_twice(visit):
    shown = visit("/")
    before = loaded(shown)
    assert sum(entry["encodedBodySize"] for entry in before.values()) <= MAX_BYTES

    shown.page.goto("/games")

    again = [entry for name, entry in loaded(shown).items() if f"{ROOT}/" in name and name in before]
    assert again
    assert not any(entry["transferSize"] for entry in again)
