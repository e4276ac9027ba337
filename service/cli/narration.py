"""Tells events in a line each, for whoever watches a table in a terminal. It knows no game."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

_SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_RED = frozenset("DH")
_CARD_LENGTH = 2
_NOTHING: tuple[Any, ...] = (None, "", (), [])


def tell(type_: str, fields: Mapping[str, Any], names: Sequence[str], *, by: str) -> Text:
    """Returns an event as a line: what happened, to which seat, with which cards, and whether the host entered it.

    Args:
        type_: the wire name, such as `blindside.card_kept`.
        fields: the event's fields as JSON gave them.
        names: what to call each seat.
        by: who asked for it, as the event says.
    """
    line = Text()
    seat = fields.get("seat")
    if isinstance(seat, int) and seat < len(names):
        line.append(f"{names[seat]:<14}", style="bold")
    elif type_.startswith("table.") and fields.get("seat", "") is None:
        line.append(f"{'host':<14}", style="bold")
    happened = type_.partition(".")[2].partition("@")[0].replace("_", " ")
    line.append(happened, style="dim" if type_.startswith("table.") else "")
    for name, value in fields.items():
        if name != "seat" and value not in _NOTHING:
            line.append(f"  {name.replace('_', ' ')} ", style="dim")
            line.append_text(_value(value))
    if by == "host" and not type_.startswith("table."):
        line.append("  entered by the host", style="yellow")
    return line


def _value(value: Any) -> Text:
    if isinstance(value, str):
        return card_text(value) if _is_card(value) else Text(value)
    if isinstance(value, list | tuple):
        if len(value) > 1 and len(set(map(str, value))) == 1 and value[0] == "??":
            return Text(f"{len(value)} hidden", style="dim")
        return Text(" ").join(_bracketed(value))
    if isinstance(value, Mapping):
        told = [
            Text.assemble(f"{name.replace('_', ' ')} ", _value(each))
            for name, each in value.items()
            if each not in _NOTHING
        ]
        return Text(", ").join(told)
    if isinstance(value, bool):
        return Text("yes" if value else "no")
    return Text("-" if value is None else str(value))


def _bracketed(values: Sequence[Any]) -> Iterator[Text]:
    for value in values:
        inner = _value(value)
        yield Text.assemble("(", inner, ")") if isinstance(value, list | tuple | Mapping) else inner


def _is_card(text: str) -> bool:
    return text == "JK" or (len(text) == _CARD_LENGTH and text[1] in _SUIT_SIGNS)


def card_text(card: str) -> Text:
    """Returns a card with its suit sign, hearts and diamonds in red."""
    if card == "JK":
        return Text("Joker", style="magenta")
    return Text(card[0].replace("T", "10") + _SUIT_SIGNS[card[1]], style="red" if card[1] in _RED else "")
