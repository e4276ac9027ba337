"""Headless Chromium, its profiles, and axe-core in it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, sync_playwright

from hoodwink.service.web.files import page as files

PATIENCE_MS: Final = 60_000

_JUMP_SECONDS: Final = 10
"""Less than the silence after which a page gives a connection up."""

# Of a rule without violations, axe-core then looks at fewer elements, which halves its time.
_ALL: Final = "() => axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"
_COLOURS: Final = """() => axe.run({
    resultTypes: ['violations'],
    runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}).then(({ violations }) => violations)"""
"""Runs axe-core in the second theme. It differs only in colours: only the default rules about them."""

_ENTER: Final = """(path) => {
    document.querySelector('main').replaceChildren();
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
}"""

_NO_WORKER: Final = "delete Navigator.prototype.serviceWorker"
"""Hides service workers from the page, as in a browser without HTTPS: installing one costs each visit time."""


@contextmanager
def chromium(*arguments: str) -> Iterator[Browser]:
    """Runs Chromium during the block; skips the test if it is not installed.

    Playwright runs an event loop in this thread, so nothing else may run one during the block.
    """
    # The headless shell draws no browser window, which saves a third of the time.
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-audio-output", *arguments]
        )
        try:
            yield browser
        finally:
            browser.close()


def enter(page: Any, path: str) -> None:
    """Enters a room like a link does, which costs less than loading the document, its modules and axe-core again."""
    page.evaluate(_ENTER, path)
    page.wait_for_function("() => document.querySelector('main').innerText.trim()")


def pause_clock(page: Any) -> None:
    """Stops the clock of a page that skips time.

    The clock jumps ahead first, because Playwright cannot turn it back to the moment at which this was called.
    """
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + _JUMP_SECONDS)


class Profiles:
    """Browser profiles for visits of a service, each used by one visit after another.

    Only the cached files of the page are left of earlier visits, so they need not be transferred for each test. Visits
    are pop-ups of a page that stays open: they run in its process, which starts once and keeps the compiled modules.
    """

    _STORED: Final = "cookies,indexeddb,local_storage,service_workers,cache_storage"
    _SMALL: Final = f"{files().root}/icon.svg"
    """A document without scripts, so that it is no second tab of the page."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Any]] = {}
        self._openers: dict[Any, Any] = {}

    @contextmanager
    def profile(self, *, skips_time: bool = False, **options: Any) -> Iterator[Any]:
        """Lends a profile during the block.

        Args:
            skips_time: whether Playwright replaces the clocks of its pages.
            options: those of Playwright's `new_context`.
        """
        free = self._free.setdefault(repr((skips_time, sorted(options.items()))), [])
        if free:
            context = free.pop()
        else:
            context = self._browser.new_context(**options)
            context.set_default_timeout(PATIENCE_MS)
            if "service_workers" not in options:
                context.add_init_script(_NO_WORKER)
            if skips_time:
                context.clock.install()
        yield context
        for page in context.pages:
            if page is not self._openers.get(context):
                page.close()
        free.append(context)

    def empty_page(self, context: Any, address: str, *, shares_process: bool = True) -> Any:
        """Returns a new page of a lent profile, after deleting what this address stored.

        Args:
            shares_process: whether it may be a pop-up. A page that stays open would keep an old service worker alive.
        """
        page = self._opener(context, address) if shares_process else context.new_page()
        session = context.new_cdp_session(page)
        session.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": self._STORED})
        session.detach()
        if not shares_process:
            return page
        with context.expect_page() as opened:
            page.evaluate("() => { open('about:blank'); }")
        return opened.value

    def _opener(self, context: Any, address: str) -> Any:
        """Returns the page of a profile that stays open."""
        opener = self._openers.get(context)
        if opener is None or not opener.url.startswith(address):
            opener = self._openers[context] = opener or context.new_page()
            opener.goto(address + self._SMALL)
        return opener


def axe_findings(page: Any) -> list[Any]:
    """Returns axe-core's findings in both themes with their elements."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    # If the policy blocks additions by axe, only axe's own probes fail, not the page.
    page.emulate_media(color_scheme="dark")
    violations = page.evaluate(_ALL)
    page.emulate_media(color_scheme="light")
    violations += page.evaluate(_COLOURS)
    return [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in violations]
