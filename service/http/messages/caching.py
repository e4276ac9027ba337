"""Headers for caches: whether they may store an answer, and which request headers it depends on."""

from collections.abc import Mapping
from typing import Final

from hoodwink.service.http.messages.requests import INVITATION

_CALLER: Final = ("Authorization", INVITATION)  # both decide what a viewer may see


def for_caller(*varies: str) -> Mapping[str, str]:
    """Returns the headers of an answer that depends on the caller, and on these further headers.

    It is never stored: a cache may ignore `Vary`, and the next person may use the same browser.

    >>> for_caller()
    {'Cache-Control': 'private, no-store', 'Vary': 'Authorization, Hoodwink-Invitation'}
    """
    return {"Cache-Control": "private, no-store", "Vary": ", ".join((*_CALLER, *varies))}


def for_everybody(*varies: str) -> Mapping[str, str]:
    """Returns the headers of an answer that is the same for all; caches may store it, but must revalidate it.

    >>> for_everybody()
    {'Cache-Control': 'no-cache'}
    """
    # Without a lifetime, because the next event may change the answer.
    vary = {"Vary": ", ".join(varies)} if varies else {}
    return {"Cache-Control": "no-cache", **vary}
