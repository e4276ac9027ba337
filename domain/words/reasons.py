"""The reason at the end of a sentence."""

from hoodwink.domain.administration import is_reason_digest


def because(reason: str) -> str:
    """Returns the end of a sentence: the reason, or a full stop if the event has none or only its hash.

    >>> because("It rains."), because("sha256:" + "0" * 64)
    (': It rains.', '.')
    """
    return f": {reason}" if reason and not is_reason_digest(reason) else "."
