"""Fixtures of the page's tests: a whole service, Chromium, and pages with recorded complaints."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser

from hoodwink.service.settings import Settings
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.http.api import Api, new_api
from tests.service.web.browser import chromium
from tests.service.web.guests import Guest, guest

_NOTE_VIOLATIONS = "document.addEventListener('securitypolicyviolation', found => console.error(`CSP: ${found.violatedDirective} ${found.blockedURI}`))"


class Visit(NamedTuple):
    """A page in a browser, and its complaints: console errors, policy violations and exceptions."""

    page: Any
    complaints: list[str]


@pytest.fixture
def api() -> Api:
    return new_api()


@pytest.fixture(scope="session")
def served(tmp_path_factory) -> Iterator[str]:
    """The URL of a whole service without limits, shared with other tests."""
    settings = Settings(port=0, data=str(tmp_path_factory.mktemp("served")))
    with isolated_service(settings.unlimited()) as running:
        yield address(running)


@pytest.fixture
def ada(served) -> Guest:
    """A player who has not played."""
    return guest(served)


@pytest.fixture
def bob(served) -> Guest:
    """Another player who has not played."""
    return guest(served, "Bob")


@pytest.fixture(scope="module", name="chromium")
def run_chromium() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def visit(served, chromium) -> Iterator[Callable[..., Visit]]:
    """Returns a function that opens a path of the service in a new browser profile, signed in or not.

    Its options are those of Playwright's `new_context`, such as `viewport`, `color_scheme` and `reduced_motion`.
    """
    contexts: list[Any] = []

    def opened(path: str = "/", *, sign_in: Guest | None = None, **options: Any) -> Visit:
        context = chromium.new_context(base_url=served, **options)
        contexts.append(context)
        if sign_in is not None:
            sign_in.signed_in(context)
        context.add_init_script(_NOTE_VIOLATIONS)
        page, complaints = context.new_page(), list[str]()
        page.on(
            "console",
            lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None,
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path)
        page.wait_for_function("() => document.body.innerText.trim()")  # a live stream keeps the network busy
        return Visit(page, complaints)

    yield opened
    for context in contexts:
        context.close()
