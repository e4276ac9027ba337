"""Fixtures of the tests in Firefox and WebKit, which `make test-engines` runs."""

from collections.abc import Iterator

import pytest

from tests.service.web.engines.firefox import firefox
from tests.service.web.engines.remote import Remote
from tests.service.web.engines.webkit import webkit

ENGINES = {"firefox": firefox, "webkit": webkit}


@pytest.fixture(scope="package", params=list(ENGINES))
def remote(request, tmp_path_factory) -> Iterator[Remote]:
    """A browser, shared with the other tests."""
    with ENGINES[request.param](tmp_path_factory.mktemp("engine")) as running:
        yield running
