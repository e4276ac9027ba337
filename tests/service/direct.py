"""This process next to a running service: its use cases on the same Redis, and the commands of `hoodwink`."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from click.testing import CliRunner, Result

from hoodwink.service.bootstrap import Service
from hoodwink.service.cli import hoodwink
from hoodwink.service.settings import Settings


@contextmanager
def service_on(settings: Settings) -> Iterator[Service]:
    """Yields a `Service` on the same Redis, and closes its connections."""
    # An open socket is reported in whichever test runs when the garbage collector finds it.
    service = Service(settings)
    with closing(service.client):
        yield service


def run_command(settings: Settings, *words: str) -> Result:
    """Returns the outcome of a command on a running service; a process would import everything again."""
    return CliRunner().invoke(hoodwink, words, env=settings.to_environment())
