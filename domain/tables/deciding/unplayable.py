"""The reasons why a seat may not play the cards that it sees in its own zones."""

import msgspec

from hoodwink.domain.kernel import LegalAction, RuleViolation, plays_among
from hoodwink.domain.tables.commands import Act
from hoodwink.domain.tables.deciding.decide import decide
from hoodwink.domain.tables.state import Phase, Table


class Unplayable(msgspec.Struct, frozen=True, gc=False):
    """A card that the seat may not play now.

    Attributes:
        card: its face; all copies share one item.
        code: the code with which the play would be rejected.
        rule: the reason in a sentence.
    """

    card: str
    code: str
    rule: str


def unplayable_of(
    table: Table, seat: int, legal: tuple[LegalAction, ...], now: int
) -> tuple[Unplayable, ...]:
    """Returns the cards that the seat sees but may not play, with the reasons.

    The reasons come from deciding each play. So there is no second set of rules, and a reason reveals no more than a
    rejected action would (G-10).

    Args:
        legal: the seat's legal actions.
    """
    if table.phase is not Phase.PLAYING or seat in table.resigned:
        return ()
    playable = {card for action in plays_among(table.rulebook, legal) for card in _named(action)}
    found = []
    for card, action in table.rulebook.card_plays(table.state, seat):
        if card in playable:
            continue
        try:
            decide(table, Act(seat, action), now)
        except RuleViolation as refused:
            found.append(Unplayable(card, refused.code, refused.detail))
    return tuple(found)


def _named(action: LegalAction) -> tuple[str, ...]:
    """Returns the cards that an action or a choice names."""
    cards: tuple[str, ...] = getattr(action, "cards", ())
    return cards or (getattr(action, "card", ""),)
