"""Headless Chromium."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright


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
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", *arguments])
        try:
            yield browser
        finally:
            browser.close()
