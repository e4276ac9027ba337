"""Headers for caches: whether they may keep an answer, and which request headers it depends on."""

from collections.abc import Mapping
from typing import Final

from hoodwink.service.http.messages.requests import INVITATION

_CALLER: Final = ("Authorization", INVITATION)


def for_caller(*varies: str) -> Mapping[str, str]:
    """Returns the headers of an answer that depends on who asks, and on these further headers.

    Nothing keeps it: a cache may ignore `Vary`, and a browser may be used by the next person.

    >>> for_caller()
    {'Cache-Control': 'private, no-store', 'Vary': 'Authorization, Hoodwink-Invitation'}
    """
    return {"Cache-Control": "private, no-store", "Vary": ", ".join((*_CALLER, *varies))}


def for_everybody(*varies: str) -> Mapping[str, str]:
    """Returns the headers of an answer that is the same for all, which caches may keep if they ask each time.

    >>> for_everybody()
    {'Cache-Control': 'no-cache'}
    """
    vary = {"Vary": ", ".join(varies)} if varies else {}
    return {"Cache-Control": "no-cache", **vary}
