"""Fixtures of the tests in Firefox and WebKit, which `make test-engines` runs."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.service.web.engines.fed import FedRemote
from tests.service.web.engines.firefox import firefox
from tests.service.web.engines.remote import Remote
from tests.service.web.engines.webkit import webkit
from tests.service.web.table.laid_tables import LaidTables

ENGINES = {"firefox": firefox, "webkit": webkit}


@pytest.fixture(scope="package")
def engine(tmp_path_factory) -> Iterator[Callable[[str], Remote]]:
    """Returns a function that returns a browser, which is started once for all tests, in any order."""
    running = dict[str, Remote]()
    with ExitStack() as started:

        def engine_of(name: str) -> Remote:
            if name not in running:
                running[name] = started.enter_context(ENGINES[name](tmp_path_factory.mktemp(name)))
            return running[name]

        yield engine_of


@pytest.fixture(params=list(ENGINES))
def remote(request, engine) -> Remote:
    """A browser, shared with the other tests."""
    browser: Remote = engine(request.param)
    return browser


@pytest.fixture
def fed(remote, ada) -> FedRemote:
    """A page to which tests feed the messages of a table."""
    return FedRemote(remote, ada)


@pytest.fixture(scope="package")
def tables() -> LaidTables:
    """Tables of all games and sizes, shared with other tests."""
    return LaidTables()
