"""The service that is measured: two API workers and a Redis of its own, in other processes."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.application.limits import Limit
from service.settings import Settings
from service.supervisor import isolated_service

FSYNC: Final = "everysec"
"""The setting for which the bars are stated. The service's default is stricter; a row shows its cost."""

LIFTED: Final = tuple(limit.value for limit in Limit)
"""The limits that the service does not have: one client asks more of it than one may."""


@contextmanager
def bench_service() -> Iterator[Settings]:
    """Runs a service for the duration of the block and gives its settings.

    Raises:
        CannotStart: the service did not become ready.
    """
    with tempfile.TemporaryDirectory(prefix="hoodwink-bench-") as folder:
        given = Settings(port=0, data=folder, fsync=FSYNC, api_workers=2, bench=True).unlimited()
        with isolated_service(given) as settings:
            yield settings
