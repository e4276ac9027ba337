"""Marks, as Redis keeps them."""

from service.application.projections import Mark


def mark_of(text: bytes | None) -> Mark:
    """Returns a mark as Redis keeps it; those written before hashes were kept are a version alone.

    >>> mark_of(b"12 5eed"), mark_of(b"12"), mark_of(None)
    (Mark(version=12, head='5eed'), Mark(version=12, head=''), Mark(version=0, head=''))
    """
    version, _, head = (text or b"0").decode().partition(" ")
    return Mark(int(version), head)


def mark_text(mark: Mark) -> str:
    """Returns the mark as Redis keeps it."""
    return f"{mark.version} {mark.head}" if mark.head else str(mark.version)
