"""Chromium without a window."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright


@contextmanager
def chromium(*arguments: str) -> Iterator[Browser]:
    """Runs Chromium while the block lasts; skips the test if it is not installed.

    Playwright keeps an event loop running in this thread meanwhile, so nothing else may run one.
    """
    # The headless shell draws no window around the page, which takes a third less time.
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", *arguments])
        try:
            yield browser
        finally:
            browser.close()
