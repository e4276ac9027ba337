"""In a real browser, the page loads completely, in one wave, and within its policy."""

import pytest

from hoodwink.service.http.description import API
from hoodwink.service.http.description.openapi import document
from hoodwink.service.web.files import ENTRY, page
from tests.service.web.weight import MAX_BYTES

pytestmark = pytest.mark.browser

ROOT = page().root
ENTRY_LOADS = f"import('{ROOT}/{ENTRY}').then(() => true, () => false)"


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


def only(visited, allows):
    """Opens the page again, with only the modules whose URL passes `allows`."""
    visited.page.unroute_all()
    visited.page.route(
        "**/*.js", lambda route: route.continue_() if allows(route.request.url) else route.abort()
    )
    visited.page.goto("/")


def test_the_page_loads_without_browser_errors(visit):
    shown = visit("/")

    assert shown.page.title() == "Hoodwink"
    assert shown.page.locator("body").inner_text().strip()
    assert shown.complaints == []


@pytest.mark.parametrize("path", ["/games/blindside", "/rules/coconut"])
def test_a_link_into_a_room_loads_without_browser_errors(visit, path):
    assert visit(path).complaints == []


def test_the_docs_show_every_operation_under_their_own_policy(visit, served):
    shown = visit("/docs/")

    shown.page.get_by_text("/v1/tables", exact=True).first.wait_for()
    described = shown.page.locator("[data-path]").evaluate_all("all => all.map(one => one.dataset.path)")
    fetched = shown.page.evaluate("performance.getEntriesByType('resource').map(one => one.name)")
    assert set(described) == set(document(API)["paths"])
    assert [address for address in fetched if not address.startswith((served, "data:"))] == []
    assert [said for said in shown.complaints if "Content Security" in said or "CSP" in said] == []


def test_an_unknown_address_shows_the_page(visit):
    shown = visit("/nowhere")

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


def test_the_preloaded_modules_are_all_that_the_entry_needs(visit):
    shown = visit("/")
    named = {*preloads(shown)}

    only(shown, lambda url: url in named or url.endswith(f"/{ENTRY}"))

    assert shown.page.evaluate(ENTRY_LOADS)


def test_the_entry_needs_each_preloaded_module(visit):
    shown = visit("/")
    for module in preloads(shown):
        only(shown, lambda url, module=module: url != module)
        assert not shown.page.evaluate(ENTRY_LOADS), module


def test_the_page_transfers_little_and_nothing_twice(visit):
    shown = visit("/")
    before = loaded(shown)
    assert sum(entry["encodedBodySize"] for entry in before.values()) <= MAX_BYTES

    shown.page.goto("/games")

    again = [entry for name, entry in loaded(shown).items() if f"{ROOT}/" in name and name in before]
    assert again
    assert not any(entry["transferSize"] for entry in again)
