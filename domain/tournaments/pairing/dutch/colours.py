"""Colours and the players' preferences (C.04.3, articles 1.6 and 1.7). White is seat 0."""

from enum import IntEnum
from typing import Literal, TypeAlias

import msgspec

Colour: TypeAlias = Literal["w", "b"]


class Strength(IntEnum):
    """The strength of a preference."""

    MILD = 0
    STRONG = 1
    ABSOLUTE = 2


class Preference(msgspec.Struct, frozen=True, gc=False):
    """The colour that a player should get next."""

    colour: Colour
    strength: Strength


def preference_after(colours: str) -> Preference | None:
    """Returns the preference after games with these colours, in order, or `None` before the first game.

    If several definitions of article 1.7 apply, the first one counts: a colour difference beyond 1 outweighs two equal
    colours in a row that would lead to the opposite preference.
    """
    difference = colours.count("w") - colours.count("b")
    if difference < -1 or (difference <= 1 and colours.endswith("bb")):
        return Preference("w", Strength.ABSOLUTE)
    if difference > 1 or (difference >= -1 and colours.endswith("ww")):
        return Preference("b", Strength.ABSOLUTE)
    if difference:
        return Preference("b" if difference > 0 else "w", Strength.STRONG)
    if not colours:
        return None
    return Preference("b" if colours.endswith("w") else "w", Strength.MILD)
