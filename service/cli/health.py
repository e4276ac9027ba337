"""`hoodwink health`: the health check of containers, for the part that this environment describes."""

import os
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException

import click

from hoodwink.service.cli.shared.output import say
from hoodwink.service.settings import InvalidSettings, Settings
from hoodwink.service.supervisor.roster import reachable

_SECONDS = 5


@click.command("health")
def command() -> None:
    """Check that a running service is healthy; the exit code is 1 if it is not.

    Asks the part at HOODWINK_METRICS_PORT if that is set, otherwise the API at HOODWINK_PORT.
    """
    try:
        settings = Settings.from_environment(os.environ)
    except InvalidSettings as error:
        raise click.ClickException(str(error)) from None
    if settings.metrics_port:
        answer = _answer(settings.metrics_host, settings.metrics_port, "/healthz")
    else:  # /readyz, because /healthz of the API says nothing about Redis
        answer = _answer(settings.host, settings.port, "/readyz")
    say(answer)


def _answer(host: str, port: int, path: str) -> str:
    """Returns the text of a 200 response; raises `ClickException` with the text of any other."""
    # `reachable`, because a service may listen on 0.0.0.0, which not every system lets clients connect to.
    connection = HTTPConnection(reachable(host), port, timeout=_SECONDS)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        text = answer.read().decode().strip()
    except (HTTPException, OSError) as error:
        raise click.ClickException(f"No answer from {host}, port {port}: {error}.") from None
    finally:
        connection.close()
    if answer.status != HTTPStatus.OK:
        raise click.ClickException(text)
    return text
