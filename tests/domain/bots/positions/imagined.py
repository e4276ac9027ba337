"""Positions laid out by hand, as a bot that thinks ahead knows them."""

from typing import Any

from msgspec.structs import replace

from hoodwink.domain.cards import HIDDEN, Card
from hoodwink.domain.kernel import Game, Knowledge
from tests.domain.laws.cards import map_cards
from tests.domain.laws.entitlement import Look
from tests.domain.laws.entitlements import ENTITLEMENTS


def known_at(game: Game[Any], state: Any, seat: int) -> Knowledge[Any]:
    """Returns what the seat knows if it saw nothing before: which cards are hidden, but not where each of them lies."""
    zones = ENTITLEMENTS[game.name].zones
    hidden: dict[str, Any] = {}
    unseen: list[Card] = []
    marks: list[Card] = []
    for name, mask in zones.items():
        real = getattr(state, name)
        hidden[name] = _marked(mask(Look(state, seat), real), real, unseen, marks)
    return Knowledge(seat, replace(state, **hidden), tuple(marks), tuple(unseen), made=len(marks))


def _marked(seen: Any, real: Any, unseen: list[Card], marks: list[Card]) -> Any:
    if isinstance(seen, tuple):
        return tuple(_marked(part, other, unseen, marks) for part, other in zip(seen, real, strict=True))
    if seen != HIDDEN:
        return seen
    map_cards(real, lambda face: unseen.append(Card(face)) or face)  # type: ignore[func-returns-value]
    marks.append(Card(f"?{len(marks)}"))
    return marks[-1]
