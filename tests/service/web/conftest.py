"""Fixtures of the page's tests: a whole service, Chromium, and pages with recorded complaints."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Final, NamedTuple

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, ViewportSize, expect

from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.service.http.api import Api, new_api
from tests.service.processes import service_settings
from tests.service.web.browser import PATIENCE_MS, Profiles, chromium, enter
from tests.service.web.fed_tables import FedPage
from tests.service.web.guests import Guest, guest
from tests.service.web.modules import RESOLVES_ELSEWHERE
from tests.service.web.replays import Ended

# Nothing is timed here, and the machine may be busy with other tests.
expect.set_options(timeout=PATIENCE_MS)

_USUAL_SIZE: Final[ViewportSize] = {"width": 1280, "height": 720}
"""The size of Playwright's pages without an option."""

_NOTE_VIOLATIONS = "document.addEventListener('securitypolicyviolation', found => console.error(`CSP: ${found.violatedDirective} ${found.blockedURI}`))"


_LEAVE = """(player) => {
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
    document.querySelector('main').replaceChildren();
    localStorage.clear();
    if (player) localStorage.setItem('hoodwink.player', player);
    dispatchEvent(new StorageEvent('storage', { key: null }));
}"""
"""Leaves a room with its dialogs, and replaces everything that is stored with a player, if there is one."""


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
            if sign_in is not None:
                sign_in.signed_in(page)
            return _open(page, path)

        yield opened


@pytest.fixture(scope="package")
def shared_visits(profiles_of_visits) -> Iterator[Callable[[str, int], Visit]]:
    """Returns a function that returns a visit of a service by its number, each in its own profile, shared with other tests."""
    visits: dict[tuple[str, int], Visit] = {}
    with ExitStack() as lent:

        def numbered(served: str, number: int) -> Visit:
            if (served, number) not in visits:
                profile = profiles_of_visits.profile(reduced_motion="reduce", base_url=served)
                page = profiles_of_visits.empty_page(lent.enter_context(profile), served)
                visits[served, number] = _open(page, "/nowhere")
            return visits[served, number]

        yield numbered


@pytest.fixture
def walk(served, shared_visits) -> Iterator[Callable[..., Visit]]:
    """Returns a function that enters a room in a page of earlier tests, signed in or not, as if another tab signed in.

    Each call within a test gets another page. It costs a third of a visit. A test that changes objects of the page, adds
    scripts, or needs other options has to use `visit`.
    """
    used: list[Visit] = []

    def entered(path: str, *, sign_in: Guest | None = None, viewport: ViewportSize = _USUAL_SIZE) -> Visit:
        used.append(shared_visits(served, len(used)))
        page, complaints = used[-1]
        page.set_viewport_size(viewport)
        complaints.clear()
        if sign_in is not None:
            # A room in an old page is shown so early that it would miss news.
            with page.expect_response("**/v1/me/events*"):
                page.evaluate(_LEAVE, sign_in.kept)
        enter(page, path)
        return used[-1]

    yield entered
    for page, _ in used:
        page.unroute_all()
        page.evaluate(_LEAVE)


def _open(page: Any, path: str) -> Visit:
    complaints = list[str]()
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


@pytest.fixture
def fed_page(served, profiles_of_visits) -> Iterator[Callable[..., FedPage]]:
    """Returns a function that opens a page to which tests feed the messages of a table; its options are those of `visit`."""
    with ExitStack() as lent:

        def opened(**options: Any) -> FedPage:
            context = lent.enter_context(profiles_of_visits.profile(**options, base_url=served))
            return FedPage(profiles_of_visits.empty_page(context, served))

        yield opened
