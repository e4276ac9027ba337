"""Servers that commands play on."""

from typing import Final
from urllib.parse import urlsplit

import click

from hoodwink_client import Client, Unreachable

DEFAULT_SERVER: Final = "http://127.0.0.1:8000"


def check_reachable(url: str) -> None:
    """Raises `ClickException` immediately if no service answers; later the client waits for its return."""
    if not _is_address(url):
        raise click.ClickException(f"{url} is not an address like {DEFAULT_SERVER}.")
    with Client(url, patience=0) as client:
        try:
            client.request("GET", "/healthz")
        except Unreachable as error:
            raise click.ClickException(
                f"No answer from {url}: {error}. "
                "Start Hoodwink with `make run` or `hoodwink run`, or check the address."
            ) from None


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is no number, for instance
        return False
