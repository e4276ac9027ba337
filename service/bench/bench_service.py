"""The service that is measured: two API workers and a Redis of its own, in other processes."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from service.settings import Settings
from service.supervisor import isolated_service

FSYNC: Final = "everysec"
"""The setting for which the bars are stated. The service's default is stricter; a row shows its cost."""


@contextmanager
def bench_service() -> Iterator[Settings]:
    """Runs a service for the duration of the block and gives its settings.

    Raises:
        CannotStart: the service did not become ready.
    """
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-bench-") as folder,
        isolated_service(Settings(port=0, data=folder, fsync=FSYNC, api_workers=2, bench=True)) as settings,
    ):
        yield settings
