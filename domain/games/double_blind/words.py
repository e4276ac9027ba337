"""Sentences for the events of The Double Blind."""

from collections.abc import Sequence
from typing import assert_never

from hoodwink.domain.cards import Card
from hoodwink.domain.games.double_blind import actions, events
from hoodwink.domain.games.double_blind.state import State
from hoodwink.domain.kernel import right
from hoodwink.domain.phrases import cards, counted, named, open_zones, per_player


def say(event: events.DoubleBlindEvent, names: Sequence[str]) -> str:
    """Returns a sentence for a redacted event."""
    match event:
        case events.CaperDealt():
            return _dealt(event, names)
        case events.PocketPlayed():
            target = names[right(event.seat, len(names))]
            return f"{names[event.seat]} played {event.card} from slot {event.slot + 1} of {target}'s pocket."
        case events.BribePlayed():
            return f"{names[event.seat]} announced a bribe and played {event.card} from the sleeve."
        case events.TrickCalled():
            again = named(event.contenders, names)
            return f"The highest cards tie: ten points join the hat, and {again} play again."
        case events.HalfInterestPaid():
            return f"The bank paid half interest{_paid(event.pockets, (), names)}."
        case events.ContendersDropped():
            return f"Out of credit for the trick: {named(event.seats, names)}."
        case events.HatTaken():
            return f"{names[event.seat]} took the hat: {cards(event.cards)}{_bonus(event.bonus)}."
        case events.HatLost():
            spoils = f"{cards(event.cards)}{_bonus(event.bonus)}"
            return f"Nobody won the hat, because all contenders are out of credit; {spoils} are lost."
        case events.InterestPaid():
            return f"The bank paid interest{_paid(event.pockets, event.sleeves, names)}."
        case events.PocketExposed():
            return _pocket_exposed(event, names)
        case events.SleeveExposed():
            return f"{names[event.seat]} showed {event.card} from the sleeve{_replaced(event.replacement)}."
        case events.StashesRevealed():
            left_over = open_zones("Pockets", names, event.pockets) + open_zones(
                "Sleeves", names, event.sleeves
            )
            return f"The caper is over, and the remaining cards were turned up.{left_over or ' There were none.'}"
        case events.CaperScored():
            return _scored(event, names)
        case _:
            assert_never(event)


def _dealt(event: events.CaperDealt, names: Sequence[str]) -> str:
    opening = (
        f"{names[event.mastermind]} dealt caper {event.round} as Mastermind: "
        "three sleeve cards and five pocket cards each."
    )
    return opening + open_zones("Sleeves", names, event.sleeves) + open_zones("Pockets", names, event.pockets)


def _paid(pockets: Sequence[Sequence[Card]], sleeves: Sequence[Sequence[Card]], names: Sequence[str]) -> str:
    """Returns the end of a sentence with the payments of the bank."""
    zones = (("pocket", pockets), ("sleeve", sleeves))
    parts = [
        f"{cards(paid)} to {name}'s {zone}"
        for zone, each_paid in zones
        for name, paid in zip(names, each_paid, strict=False)
        if paid
    ]
    return f": {', '.join(parts)}" if parts else ", but nobody had room for a card"


def _bonus(bonus: int) -> str:
    return f" and {counted(bonus, 'bonus point')}" if bonus else ""


def _pocket_exposed(event: events.PocketExposed, names: Sequence[str]) -> str:
    slot, card = f"slot {event.slot + 1}", cards((event.card,))
    if event.seat == event.owner:
        done = f"{names[event.seat]} peeked at {card} in {slot} of the pocket"
    else:
        done = f"{names[event.seat]} told {names[event.owner]} of {card} in {slot} of the pocket"
    return f"{done}{_replaced(event.replacement)}."


def _replaced(replacement: Card | None) -> str:
    if replacement is None:
        return "; it stays, because the bank is empty"
    return f"; it was replaced by {cards((replacement,))} from the bank"


def _scored(event: events.CaperScored, names: Sequence[str]) -> str:
    parts = [f"The caper brought {per_player(names, map(str, event.points))}."]
    if event.jokers:
        parts.append(f"15 points more as the Joker: {named(event.jokers, names)}.")
    if any(event.penalties):
        lost = per_player(names, [str(points) if points else "" for points in event.penalties])
        parts.append(f"Lost for exposures: {lost}.")
    if event.queens_fools:
        fools = named(event.queens_fools, names)
        parts.append(f"{counted(event.queens_fool_points, 'point')} more as the Queen's Fool: {fools}.")
    return f"{' '.join(parts)} Totals: {per_player(names, map(str, event.totals))}."


def phrase(state: State, seat: int, action: actions.DoubleBlindAction, names: Sequence[str]) -> str:
    """Returns an action as an instruction."""
    match action:
        case actions.PlayPocket(slot):
            target = right(seat, len(names))
            return f"play {state.pockets[target][slot]} from {names[target]}'s pocket"
        case actions.Bribe(card):
            return f"bribe with {card}"
        case actions.ExposePocket(owner, slot):
            return f"expose slot {slot + 1} of {names[owner]}'s pocket"
        case actions.ExposeSleeve(card):
            return f"show {card} from the sleeve"
        case _:
            assert_never(action)
