"""The allocation of colours to two players (C.04.3, article 5)."""

from enum import Enum

from hoodwink.domain.tournaments.pairing.dutch.colours import Colour
from hoodwink.domain.tournaments.pairing.dutch.players import Player


class Reason(Enum):
    """The rule that decided the colours of a game; the value is the number of its article."""

    BOTH_GRANTED = "5.2.1"
    STRONGER = "5.2.2"
    ALTERNATION = "5.2.3"
    HIGHER = "5.2.4"
    INITIAL = "5.2.5"


def gets_white(one: Player, other: Player, initial: Colour) -> tuple[bool, Reason]:
    """Returns whether the first of two players gets white, and the rule that decided it."""
    mine, theirs = one.preference, other.preference
    if mine is None and theirs is None:
        odd = (one if is_higher(one, other) else other).pairing_number % 2 == 1
        return (is_higher(one, other) == odd) == (initial == "w"), Reason.INITIAL
    if mine is None or theirs is None or mine.colour != theirs.colour:
        return wants(one, "w") or wants(other, "b"), Reason.BOTH_GRANTED
    if weight_of_preference(one) != weight_of_preference(other):
        return (mine.colour == "w") == (
            weight_of_preference(one) > weight_of_preference(other)
        ), Reason.STRONGER
    for last, others_last in zip(reversed(one.colours), reversed(other.colours), strict=False):
        if last != others_last:
            return last == "b", Reason.ALTERNATION
    return (mine.colour == "w") == is_higher(one, other), Reason.HIGHER


def is_higher(one: Player, other: Player) -> bool:
    """Returns whether a player is ranked above another (article 1.2)."""
    return (-one.level, one.pairing_number) < (-other.level, other.pairing_number)


def wants(player: Player, colour: Colour) -> bool:
    return player.preference is not None and player.preference.colour == colour


def weight_of_preference(player: Player) -> tuple[int, int]:
    """Returns the sorting key of a player's preference: its strength, then the colour difference."""
    preference = player.preference
    assert preference is not None
    difference = player.colour_difference
    return preference.strength, difference if preference.colour == "b" else -difference
