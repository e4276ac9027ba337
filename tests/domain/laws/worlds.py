"""Other worlds that look the same to a viewer: the log of a table with hidden cards exchanged."""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from domain.kernel import Game, Viewer
from tests.domain.laws.cards import cards_in, count_cards, map_cards
from tests.domain.laws.entitlement import Entitlement, Look, picture, shown
from tests.domain.laws.playout import Entry, Play


class World(NamedTuple):
    """A table's log up to some version, and the state at every version (one more than entries)."""

    entries: tuple[Entry, ...]
    start: Any


def world_of(play: Play, version: int) -> World:
    """Returns the table as it is at that version."""
    return World(play.entries[:version], play.start)


def permuted(world: World, game: Game[Any], rules: Entitlement, viewer: Viewer, chance: Random) -> World:
    """Returns the world with the faces that the viewer never saw in a round exchanged for each other.

    Only faces of which there are equally many copies change places: the pack stays the pack.
    """
    changes = {
        number: _shuffle_faces(unseen_faces(world, rules, viewer, number), chance)
        for number in {entry.round for entry in world.entries}
    }
    return _replayed(
        world, game, lambda entry: map_cards(entry.event, lambda face: changes[entry.round].get(face, face))
    )


def unseen_faces(world: World, rules: Entitlement, viewer: Viewer, number: int) -> dict[str, int]:
    """Returns the faces of round `number` none of whose copies the viewer saw, with how many there are."""
    entries = [entry for entry in world.entries if entry.round == number]
    pack = count_cards([entry.event for entry in entries if entry.kind == "deal"])
    seen = {face for entry in entries for part in _sight(rules, entry, viewer) for face in cards_in(part)}
    return {face: count for face, count in pack.items() if face not in seen}


def _shuffle_faces(unseen: dict[str, int], chance: Random) -> dict[str, str]:
    changes: dict[str, str] = {}
    for copies in set(unseen.values()):
        faces = sorted(face for face, count in unseen.items() if count == copies)
        changes |= zip(faces, chance.sample(faces, len(faces)), strict=True)
    return changes


def swapped(
    world: World, game: Game[Any], rules: Entitlement, viewer: Viewer, chance: Random
) -> World | None:
    """Returns the world with two cards of the last deal exchanged, if the viewer cannot have noticed.

    This reaches single copies of faces the viewer knows, which `permuted` leaves alone.
    """
    first = max(index for index, entry in enumerate(world.entries) if entry.kind == "deal")
    deal = world.entries[first]
    for one, other in _pairs(list(cards_in(deal.event)), chance):
        try:
            candidate = _replayed(world, game, _swap(deal, one, other), since=first)
        except ValueError:
            continue  # a later event names a card that is no longer where it was
        changed = list(zip(world.entries, candidate.entries, strict=True))[first:]
        if all(_is_consistent(*pair, rules) and looks_the_same(*pair, rules, viewer) for pair in changed):
            return candidate
    return None


def _pairs(dealt: list[str], chance: Random) -> Iterator[tuple[int, int]]:
    for _ in range(12):
        one, other = chance.sample(range(len(dealt)), 2)
        if dealt[one] != dealt[other]:
            yield one, other


def _swap(deal: Entry, one: int, other: int) -> Callable[[Entry], Any]:
    """Returns the change that exchanges two cards of the deal and leaves all other events alone."""
    cards = list(cards_in(deal.event))
    cards[one], cards[other] = cards[other], cards[one]

    def change(entry: Entry) -> Any:
        if entry is not deal:
            return entry.event
        following = iter(cards)
        return map_cards(entry.event, lambda face: next(following))

    return change


def _replayed(world: World, game: Game[Any], change: Callable[[Entry], Any], *, since: int = 0) -> World:
    """Returns the world with its events from entry `since` on changed."""
    entries = list(world.entries[:since])
    state = entries[-1].state if entries else world.start
    for entry in world.entries[since:]:
        event = change(entry)
        state = game.void_round(state) if event is None else game.evolve(state, event)
        entries.append(entry._replace(event=event, state=state))
    return World(tuple(entries), world.start)


def _is_consistent(mine: Entry, theirs: Entry, rules: Entitlement) -> bool:
    """Tells whether the same cards are in the game."""
    return zone_cards(mine.state, rules) == zone_cards(theirs.state, rules)


def zone_cards(state: Any, rules: Entitlement) -> Counter[str]:
    """Returns how often each face lies in the zones of the state."""
    return count_cards([getattr(state, name) for name in rules.zones])


def looks_the_same(mine: Entry, theirs: Entry, rules: Entitlement, viewer: Viewer) -> bool:
    """Tells whether the rules let the viewer see the same in both."""
    return bool(_sight(rules, mine, viewer) == _sight(rules, theirs, viewer))


def look_at(entry: Entry, viewer: Viewer) -> Look:
    """Returns the viewer's look at the state after the entry."""
    return Look(entry.state, viewer, is_revealed=entry.kind == "score")


def _sight(rules: Entitlement, entry: Entry, viewer: Viewer) -> tuple[Any, ...]:
    seen = picture(rules, look_at(entry, viewer)), rules.facts(entry.state)
    return *seen, None if entry.event is None else shown(rules, entry.event, viewer)
