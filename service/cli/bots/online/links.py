"""Joining the tables of people: by a link as the page shows it, and without making them wait between two rounds."""

import re
from contextlib import suppress
from typing import Final

from hoodwink_client import AsyncClient, AsyncTable, Refused, models

# A link of the page, an address of the API, or the id alone; a private table's link has its invitation.
_LINK: Final = re.compile(
    r"(?:https?://[^/]+/(?:v1/)?tables/)?(?P<table>\w+)/?(?:#invitation=(?P<code>[\w-]+))?"
)


def table_at(client: AsyncClient, link: str) -> AsyncTable | None:
    """Returns the table that a link or an id names, or `None` if it is neither.

    >>> from hoodwink_client import AsyncClient
    >>> table = table_at(AsyncClient("http://h"), "https://play.example.org/tables/x6hrvkc55adc2s6s#invitation=a-b")
    >>> table.id, table.invitation
    ('x6hrvkc55adc2s6s', 'a-b')
    """
    found = _LINK.fullmatch(link.strip())
    return found and client.table(found["table"], invitation=found["code"] or "")


async def say_ready(table: AsyncTable, message: models.TableStreamMessage) -> None:
    """Says that the player is ready for the next round, if a message of the table's stream shows that it waits for that."""
    if message["event"] not in {"snapshot", "view"}:
        return
    view = message["data"]["view"]
    waiting = view["waiting"]
    if waiting and waiting["for"] == "round_pause" and view["viewer"] in waiting["seats"]:
        with suppress(Refused):  # the pause may be over
            await table.request("POST", "/ready", {})
