"""Fixtures of the page's tests: a whole service, Chromium, and pages with recorded complaints."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.http.api import Api, new_api
from tests.service.processes import service_settings
from tests.service.web.browser import PATIENCE_MS, Profiles, chromium
from tests.service.web.fed_tables import FedPage
from tests.service.web.guests import Guest, guest
from tests.service.web.modules import RESOLVES_ELSEWHERE
from tests.service.web.replays import Ended

# Nothing is timed here, and the machine may be busy with other tests.
expect.set_options(timeout=PATIENCE_MS)

_NOTE_VIOLATIONS = "document.addEventListener('securitypolicyviolation', found => console.error(`CSP: ${found.violatedDirective} ${found.blockedURI}`))"


class Visit(NamedTuple):
    """A page in a browser, and its complaints: console errors, policy violations and exceptions."""

    page: Any
    complaints: list[str]


@pytest.fixture
def api() -> Api:
    return new_api()


@pytest.fixture(scope="package")
def served(tmp_path_factory) -> Iterator[str]:
    """The URL of a whole service without limits, shared with other tests."""
    settings = service_settings(tmp_path_factory.mktemp("served"))
    with isolated_service(replace(settings.unlimited(), embed_origins="*")) as running:
        yield address(running)


@pytest.fixture
def ada(served) -> Guest:
    """A player who has not played."""
    return guest(served)


@pytest.fixture
def bob(served) -> Guest:
    """Another player who has not played."""
    return guest(served, "Bob")


@pytest.fixture(scope="package")
def host(served) -> Guest:
    """The host of the finished tables."""
    return guest(served, "Olga")


@pytest.fixture(scope="package")
def ended(host) -> Ended:
    """Finished tables, shared with other tests."""
    return Ended(host)


@pytest.fixture(scope="package", name="chromium")
def run_chromium() -> Iterator[Browser]:
    """A browser for all tests of this package, because each start costs as much as several visits."""
    with chromium(RESOLVES_ELSEWHERE) as browser:
        yield browser


@pytest.fixture(scope="package")
def profiles_of_visits(chromium) -> Profiles:
    return Profiles(chromium)


@pytest.fixture
def visit(served, profiles_of_visits) -> Iterator[Callable[..., Visit]]:
    """Returns a function that opens a path of the service in an empty browser profile, signed in or not.

    Its options are those of Playwright's `new_context`, such as `viewport`, `color_scheme` and `reduced_motion`. Nothing
    moves by default, which saves CPU time; tests of movements ask for `reduced_motion="no-preference"`. With `skips_time`,
    `page.clock.fast_forward` runs timers early; otherwise a test would wait for the page's next poll.
    """
    with ExitStack() as lent:

        def opened(
            path: str = "/", *, sign_in: Guest | None = None, skips_time: bool = False, **options: Any
        ) -> Visit:
            options = {"reduced_motion": "reduce", "base_url": served} | options
            context = lent.enter_context(profiles_of_visits.profile(skips_time=skips_time, **options))
            page = profiles_of_visits.empty_page(
                context, served, shares_process="service_workers" not in options
            )
            complaints = list[str]()
            if sign_in is not None:
                sign_in.signed_in(page)
            page.add_init_script(_NOTE_VIOLATIONS)
            page.on(
                "console",
                lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None,
            )
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(path)
            # A live stream keeps the network busy, so there is no wait for it to become idle.
            page.wait_for_function("() => document.body.innerText.trim()")
            return Visit(page, complaints)

        yield opened


@pytest.fixture
def fed_page(served, profiles_of_visits) -> Iterator[Callable[..., FedPage]]:
    """Returns a function that opens a page to which tests feed the messages of a table; its options are those of `visit`."""
    with ExitStack() as lent:

        def opened(**options: Any) -> FedPage:
            context = lent.enter_context(profiles_of_visits.profile(**options, base_url=served))
            return FedPage(profiles_of_visits.empty_page(context, served))

        yield opened
