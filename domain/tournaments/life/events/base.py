"""The base class and the types that the events of tournaments share."""

from hoodwink.domain.kernel import Event

Seats = tuple[int | None, ...]
"""The starting ranks at a table in seat order; `None` is a bot that fills it."""


class TournamentEventBase(Event, frozen=True):
    """Base of the events of tournaments."""
