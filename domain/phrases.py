"""Pieces of sentences: lists, counted nouns, and cards in the notation of the API (`9S`, `TH`, `JK`)."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from hoodwink.domain.cards import HIDDEN, Card

_ORDINALS: Final[Mapping[int, str]] = MappingProxyType({1: "st", 2: "nd", 3: "rd"})


def listed(parts: Iterable[str]) -> str:
    """Returns the parts as a list in a sentence.

    >>> listed(["Ada"]), listed(["Ada", "Bob", "Cid"])
    ('Ada', 'Ada, Bob and Cid')
    """
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def counted(count: int, noun: str) -> str:
    """Returns a number with its noun.

    >>> counted(1, "token"), counted(-2, "token")
    ('1 token', '-2 tokens')
    """
    return f"{count} {noun}" if abs(count) == 1 else f"{count} {noun}s"


def signed(amount: int) -> str:
    """Returns a gain or a loss with its sign.

    >>> signed(3), signed(0), signed(-3)
    ('+3', '0', '-3')
    """
    return f"{amount:+}" if amount else "0"


def ordinal(number: int) -> str:
    """Returns a place as an ordinal number.

    >>> ordinal(1), ordinal(2), ordinal(3), ordinal(4), ordinal(11)
    ('1st', '2nd', '3rd', '4th', '11th')
    """
    return f"{number}{_ORDINALS.get(number, 'th')}"


def cards(faces: Sequence[Card | None]) -> str:
    """Returns cards as far as they are known; an empty slot (`None`) is left out.

    >>> cards(("9S", "TH")), cards(("??",)), cards(("??", "??")), cards(("9S", None, "??"))
    ('9S TH', 'a card', '2 cards', '9S and 1 hidden card')
    """
    known = [face for face in faces if face is not None and face != HIDDEN]
    hidden = sum(face == HIDDEN for face in faces)
    if not known:
        return "a card" if hidden == 1 else counted(hidden, "card")
    text = " ".join(known)
    return f"{text} and {counted(hidden, 'hidden card')}" if hidden else text


def drew(drawn: Sequence[Card]) -> str:
    """Returns the end of a sentence about a play: the cards drawn after it.

    >>> drew(()), drew(("??", "??"))
    ('', ' and drew 2 cards')
    """
    return f" and drew {cards(drawn)}" if drawn else ""


def per_player(names: Sequence[str], phrases: Iterable[str]) -> str:
    """Returns a list of names with their phrases, without those whose phrase is empty.

    >>> per_player(["Ada", "Bob"], ["9S", ""]), per_player(["Ada", "Bob"], ["9S", "TH"])
    ('Ada 9S', 'Ada 9S, Bob TH')
    """
    return ", ".join(f"{name} {phrase}" for name, phrase in zip(names, phrases, strict=True) if phrase)


def open_zones(label: str, names: Sequence[str], zones: Sequence[Sequence[Card | None]]) -> str:
    """Returns a sentence with each seat's cards in a zone, as far as they are known; empty if none is.

    >>> open_zones("Hands", ["Ada", "Bob"], [("9S", "TH"), ("??", "??")])
    ' Hands: Ada 9S TH.'
    >>> open_zones("Hands", ["Ada"], [("??", "??")])
    ''
    """
    shown = per_player(names, [cards(zone) if is_known(zone) else "" for zone in zones])
    return f" {label}: {shown}." if shown else ""


def is_known(zone: Sequence[Card | None]) -> bool:
    return any(face not in (None, HIDDEN) for face in zone)


def named(seats: Iterable[int], names: Sequence[str]) -> str:
    return listed([names[seat] for seat in seats])


def away(since: int, until: int) -> str:
    """Returns a sentence for an outage between these times, in ms.

    >>> away(1_000, 20_400)
    'The service was away for 19 seconds; all clocks were paused for that time.'
    """
    seconds = max(1, round((until - since) / 1_000))
    return f"The service was away for {counted(seconds, 'second')}; all clocks were paused for that time."


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]
