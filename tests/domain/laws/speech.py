"""The sentences that a viewer of a table played at random reads."""

import re
from typing import Any

from hoodwink.domain.kernel import Event, Viewer, redact
from hoodwink.domain.words import Seating, sentence
from tests.domain.laws.playout import Entry, Play

_CARDS = re.compile(r"\b(?:[2-9TJQKA][CDHS]|JK)\b")


def known(play: Play, entry: Entry, viewer: Viewer) -> Event | None:
    """Returns the event as the viewer may see it, or `None`."""
    if entry.event is None or viewer == "everybody":
        return entry.event
    return redact(entry.event, viewer)


def said(play: Play, entry: Entry, event: Event) -> str:
    """Returns the sentence of an event; everybody is a person whose name looks like no card."""
    seating = Seating(tuple(f"Player {seat}" for seat in range(play.seats)), (False,) * play.seats, str)
    by = "worker" if entry.seat is None else f"player:{entry.seat}"
    return sentence(play.game.name, event, seating, by=by)


def cards_named(text: Any) -> set[str]:
    """Returns the faces that a sentence names."""
    return set(_CARDS.findall(text))
