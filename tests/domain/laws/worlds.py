"""Other worlds that look the same to a viewer: the same table with hidden cards dealt otherwise, and decided anew.

The deck is changed before the deal, and the game deals, decides and scores again. So whatever it computes from
hidden cards comes out otherwise, while all that the viewer is entitled to see stays what it was.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from random import Random
from typing import Any, NamedTuple, TypeAlias

from domain.cards import Card
from domain.kernel import Action, Event, RuleViolation, Viewer
from tests.domain.laws.cards import count_cards, map_cards
from tests.domain.laws.entitlement import Entitlement, Look, cards_of, picture
from tests.domain.laws.playout import Entry, Play

Commit: TypeAlias = tuple[Entry, ...]
"""What one action, deal or score led to."""

Sight: TypeAlias = tuple[Any, ...]
"""All cards that a viewer is entitled to see of a commit, and the facts that everybody may know with it."""


class ViewerRefused(AssertionError):
    """The viewer's own action was refused after hidden cards had been dealt otherwise."""


def commits_of(play: Play) -> list[Commit]:
    """Returns the entries that happened together, together."""
    return [tuple(group) for _, group in groupby(play.entries, key=lambda entry: entry.commit)]


def sight(rules: Entitlement, commit: Commit, viewer: Viewer) -> Sight:
    """Returns the cards that the rules let the viewer see.

    What an event holds beside cards is not among them: it has to follow from what can be seen.
    """
    events = [entry.event for entry in commit if entry.event is not None]
    told = [cards_of(rules, event, viewer) for event in events]
    return picture(rules, look_at(commit[-1], viewer)), *filter(None, told), *facts(rules, commit)


def facts(rules: Entitlement, commit: Commit) -> list[Any]:
    """Returns what the rules tell everybody although it follows from hidden cards."""
    return [
        rules.facts[entry.event.wire](entry.state)
        for entry in commit
        if entry.event is not None and entry.event.wire in rules.facts
    ]


def look_at(entry: Entry, viewer: Viewer) -> Look:
    """Returns the viewer's look at the state after the entry."""
    return Look(entry.state, viewer, is_revealed=entry.kind == "score")


@dataclass(frozen=True, kw_only=True)
class Change:
    """What is dealt otherwise.

    Attributes:
        faces: by round, the face that each face becomes, in decks and in what the seats do.
        swapped: the positions of two cards that change places in a round's deck, while all do what they did.
        round: the one for `swapped`.
    """

    faces: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    swapped: tuple[int, int] | None = None
    round: int = 0

    def action(self, entry: Entry) -> Action:
        """Returns what the seat does instead."""
        return self._renamed(entry.round, entry.action)  # type: ignore[no-any-return]

    def deck(self, number: int, deck: tuple[Card, ...], round_: int) -> tuple[Card, ...]:
        """Returns what is drawn instead of a deck."""
        if self.swapped is None or (number, round_) != (self.round, self.round):
            return self._renamed(round_, deck)  # type: ignore[no-any-return]
        cards, (one, other) = list(deck), self.swapped
        cards[one], cards[other] = cards[other], cards[one]
        return tuple(cards)

    def _renamed(self, round_: int, value: Any) -> Any:
        faces = self.faces.get(round_)
        return map_cards(value, lambda face: faces.get(face, face)) if faces else value


class _Redrawn(NamedTuple):
    """The draws of a play, with hidden cards in other places."""

    play: Play
    round: int
    change: Change

    first_dealer = None

    def seat(self, seats: int) -> int:
        dealer: int = self._given(-1)
        return dealer

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        return self.change.deck(number, self._given(number), self.round)

    def _given(self, number: int) -> Any:
        return next(
            drawn.given for drawn in self.play.drawn if (drawn.round, drawn.number) == (self.round, number)
        )


def decided_again(play: Play, commits: Sequence[Commit], change: Change, viewer: Viewer) -> Iterator[Commit]:
    """Yields these commits as they are in the other world, as long as the other seats may act as they did.

    An action of another seat that is not legal there ends the comparison: the viewer saw the seat act, and so may
    conclude that it holds other cards. An action of the viewer's own is legal in both worlds, or hidden cards leak.
    """
    first = play.entries.index(commits[0][0])
    state = play.entries[first - 1].state if first else play.start
    for commit in commits:
        try:
            events = _events(play, state, commit[0], change)
        except RuleViolation as refusal:
            if commit[0].seat == viewer:
                raise ViewerRefused(f"{commit[0].action} of seat {viewer}: {refusal}") from None
            return
        entries: list[Entry] = []
        for event in events:
            state = play.game.void_round(state) if event is None else play.game.evolve(state, event)
            entries.append(commit[0]._replace(event=event, state=state))
        yield tuple(entries)


def _events(play: Play, state: Any, entry: Entry, change: Change) -> tuple[Event | None, ...]:
    match entry.kind:
        case "deal":
            return play.game.deal(state, _Redrawn(play, entry.round, change))
        case "score":
            return play.game.score_round(state)
        case "void":
            return (None,)
        case "act":
            assert entry.seat is not None
            return play.game.decide(state, entry.seat, change.action(entry), entry.now)


def unseen_faces(
    play: Play, commits: Sequence[Commit], seen: Sequence[frozenset[str]]
) -> dict[int, dict[str, int]]:
    """Returns, by round, the faces none of whose copies were seen, with how many there are in the deck."""
    known: dict[int, set[str]] = {commit[0].round: set() for commit in commits}
    for commit, faces in zip(commits, seen, strict=False):
        known[commit[0].round] |= faces
    decks = {drawn.round: Counter(drawn.given) for drawn in play.drawn if drawn.number == drawn.round}
    return {
        number: {face: count for face, count in decks[number].items() if face not in faces}
        for number, faces in known.items()
    }


def shuffled_faces(unseen: Mapping[str, int], chance: Random) -> dict[str, str]:
    """Returns faces exchanged for each other; only those that are there equally often, so the pack stays the pack."""
    changes: dict[str, str] = {}
    for faces in _alike(unseen):
        changes |= zip(faces, chance.sample(faces, len(faces)), strict=True)
    return changes


def two_faces(unseen: Mapping[str, int], chance: Random) -> dict[str, str]:
    """Returns two faces exchanged for each other, or none if there are no two."""
    groups = [faces for faces in _alike(unseen) if len(faces) > 1]
    if not groups:
        return {}
    one, other = chance.sample(chance.choice(groups), 2)
    return {one: other, other: one}


def _alike(unseen: Mapping[str, int]) -> list[list[str]]:
    return [
        sorted(face for face, count in unseen.items() if count == copies)
        for copies in sorted(set(unseen.values()))
    ]


def zone_cards(state: Any, rules: Entitlement) -> Counter[str]:
    """Returns how often each face lies in the zones of the state."""
    return count_cards([getattr(state, name) for name in rules.zones])
