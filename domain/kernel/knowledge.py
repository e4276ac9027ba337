"""The knowledge that a viewer has of a round, and random deals that agree with it.

Knowledge is the state of the game in which each card that the viewer has not seen is a *mark*, such as `?17`. The game's
own `evolve` moves the marks, so that positions are known as well: a pile that somebody picked up is still known in the
hand, and a card exposed to the bottom of the bank is still known when it is paid out.

Everything here is computed from redacted events, so it cannot depend on a card that the viewer may not see.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from math import perm
from random import Random
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from hoodwink.domain.cards import HIDDEN, Card
from hoodwink.domain.kernel.messages import Event
from hoodwink.domain.kernel.visibility import Viewer

S = TypeVar("S")
E = TypeVar("E", bound=Event)

Faces: TypeAlias = Mapping[Card, Card]
"""The face of each mark."""

_MARK = "?"


class Knowledge(msgspec.Struct, Generic[S], frozen=True, gc=False):
    """The knowledge that a viewer has of the round in play.

    Attributes:
        state: the state with a mark for each unknown card.
        marks: the marks in the state, oldest first.
        unseen: the faces of these cards, in the order of the pack; a face occurs as often as it has unseen copies.
        limits: the faces that some of the marks cannot be, with those marks.
        among: faces that are among certain marks. Of two sets of marks, one contains the other or they are disjoint.
        made: the number of marks made in the round, for the names of further ones.
    """

    viewer: Viewer
    state: S
    marks: tuple[Card, ...] = ()
    unseen: tuple[Card, ...] = ()
    limits: tuple[tuple[frozenset[Card], tuple[Card, ...]], ...] = ()
    among: tuple[tuple[Card, tuple[Card, ...]], ...] = ()
    made: int = 0


def is_mark(card: Card | None) -> bool:
    return card is not None and card[0] == _MARK


def begin_round(known: Knowledge[S], event: E, pack: Collection[Card]) -> tuple[Knowledge[S], E]:
    """Returns the knowledge at a deal, and the event with a mark for each hidden card.

    Args:
        known: what the viewer knew before.
        event: the deal as the viewer sees it. It names each card of the pack once.
        pack: all cards that are dealt or stay in the stock.
    """
    marks: list[Card] = []
    shown: list[Card] = []
    fields = {name: _marked(getattr(event, name), marks, shown) for name, _ in event.hidden}
    for name in set(event.__struct_fields__) - set(fields):
        _marked(getattr(event, name), marks, shown)
    known = Knowledge(known.viewer, known.state, tuple(marks), _less(pack, shown), made=len(marks))
    return known, replace(event, **fields)


def _marked(value: Any, marks: list[Card], shown: list[Card]) -> Any:
    if type(value) is tuple:
        return tuple([_marked(part, marks, shown) for part in value])
    if type(value) is not str:
        return value
    if value != HIDDEN:
        shown.append(Card(value))
        return value
    marks.append(Card(f"{_MARK}{len(marks)}"))
    return marks[-1]


def _less(cards: Collection[Card], taken: Iterable[Card]) -> tuple[Card, ...]:
    """Returns the cards without those taken. All of these must be there."""
    rest = list(cards)
    for card in taken:
        rest.remove(card)
    return tuple(rest)


def show(known: Knowledge[S], card: Card | None, face: Card | None) -> Knowledge[S]:
    """Returns the knowledge after a card of the state, a mark or already a face, was seen to be this face.

    Nothing changes if the viewer did not see the face, or if there is no card.
    """
    if card is None or face in (None, HIDDEN) or not is_mark(card):
        assert card is None or face == HIDDEN or is_mark(card) or card == face, f"{card} turned into {face}"
        return known
    assert face is not None
    return replace(
        known,
        state=renamed(known.state, {card: face}),
        marks=_less(known.marks, (card,)),
        unseen=_less(known.unseen, (face,)),
        limits=_without_mark(known.limits, card),
        among=_without_mark(_resolved(known.among, card, face), card),
    )


def show_all(known: Knowledge[S], cards: Any, faces: Any) -> Knowledge[S]:
    """Returns the knowledge after cards in nested tuples were seen to be the faces in the same places."""
    if type(cards) is not tuple:
        return show(known, cards, faces)
    for card, face in zip(cards, faces, strict=True):
        known = show_all(known, card, face)
    return known


def _resolved(among: Any, mark: Card, face: Card) -> Any:
    """Returns the sets without the one that explains the face."""
    for entry in among:
        if entry[0] == face and mark in entry[1]:
            return tuple([other for other in among if other is not entry])
    return among


def _without_mark(groups: Any, mark: Card) -> Any:
    rest = [
        (key, tuple([other for other in marks if other != mark])) if mark in marks else (key, marks)
        for key, marks in groups
    ]
    return tuple([(key, marks) for key, marks in rest if marks])


def show_held(known: Knowledge[S], held: Collection[Card], faces: Iterable[Card]) -> Knowledge[S]:
    """Returns the knowledge after these faces were seen to be among held cards, whose order nobody knows.

    A face already known to be there explains itself. Otherwise it was one of the marks, and it is not known which. If
    they have different limits, the strictest ones are forgotten: they are certain of no mark that stays.
    """
    rest = list(held)
    for face in faces:
        if face in rest:
            rest.remove(face)
            continue
        known, mark = _candidate(known, rest, face)
        known = show(known, mark, face)
        rest.remove(mark)
    return known


def _candidate(known: Knowledge[S], held: list[Card], face: Card) -> tuple[Knowledge[S], Card]:
    for known_face, marks in known.among:
        if known_face == face:
            among_held = [mark for mark in held if mark in marks]
            if among_held:
                return known, among_held[0]
    limits: dict[Card, frozenset[Card]] = dict.fromkeys(known.marks, frozenset())
    limits.update({mark: faces for faces, marks in known.limits for mark in marks})
    possible = [card for card in held if is_mark(card) and face not in limits[card]]
    sizes = Counter([limits[mark] for mark in possible])
    strictest = max(sizes, key=lambda faces: (len(faces), sizes[faces]))
    chosen = next(mark for mark in possible if limits[mark] == strictest)
    for mark in possible:
        limits[mark] &= strictest
    return replace(known, limits=_grouped(limits)), chosen


def rule_out(known: Knowledge[S], cards: Iterable[Card | None], faces: Collection[Card]) -> Knowledge[S]:
    """Returns the knowledge that none of the cards has one of the faces."""
    marks = [card for card in cards if card is not None and is_mark(card)]
    if not marks or not faces:
        return known
    limits = {mark: faces for faces, marks in known.limits for mark in marks}
    for mark in marks:
        limits[mark] = limits.get(mark, frozenset()) | frozenset(faces)
    return replace(known, limits=_grouped(limits))


def _grouped(limits: Mapping[Card, frozenset[Card]]) -> tuple[tuple[frozenset[Card], tuple[Card, ...]], ...]:
    """Returns the marks grouped by limits, the strictest first."""
    groups: dict[frozenset[Card], list[Card]] = {}
    for mark, faces in limits.items():
        if faces:
            groups.setdefault(faces, []).append(mark)
    return tuple([(faces, tuple(groups[faces])) for faces in sorted(groups, key=len, reverse=True)])


def lose(known: Knowledge[S], face: Card) -> tuple[Knowledge[S], Card]:
    """Returns a new mark for a known card that goes where it can be mixed with unknown ones (`mix`)."""
    mark = Card(f"{_MARK}{known.made}")
    lost = replace(
        known,
        marks=(*known.marks, mark),
        unseen=(*known.unseen, face),
        among=(*known.among, (face, (mark,))),
        made=known.made + 1,
    )
    return lost, mark


def mix(known: Knowledge[S], cards: Collection[Card]) -> Knowledge[S]:
    """Returns the knowledge after one of the cards went elsewhere, and the viewer did not see which."""
    mixed = [
        (face, tuple(dict.fromkeys((*marks, *cards))) if any(mark in cards for mark in marks) else marks)
        for face, marks in known.among
    ]
    return replace(known, among=tuple(mixed))


def renamed(state: S, faces: Faces) -> S:
    """Returns the state with faces for marks."""
    record: Any = state
    changes = {}
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if type(value) is tuple and value:
            changes[name] = _renamed(value, faces)
    changed: S = replace(record, **changes)
    return changed


def _renamed(value: tuple[Any, ...], faces: Faces) -> tuple[Any, ...]:
    return tuple(
        [
            faces.get(item, item)  # type: ignore[call-overload]  # a card, a mark or nothing
            if type(item) is str
            else _renamed(item, faces)
            if type(item) is tuple
            else item
            for item in value
        ]
    )


def imagine(known: Knowledge[S], chance: Random) -> S:
    """Returns a random state that agrees with the knowledge; all such deals are equally likely."""
    while True:
        faces = _draw(known, chance)
        if faces is not None:
            return renamed(known.state, faces)


def _draw(known: Knowledge[S], chance: Random) -> dict[Card, Card] | None:
    """Returns a face for each mark, or `None` for a draw that has to be repeated."""
    rest, faces = list(known.unseen), {}
    for face, marks in sorted(known.among, key=lambda entry: len(entry[1])):
        faces[chance.choice([mark for mark in marks if mark not in faces])] = face
        rest.remove(face)
    if known.limits and not _draw_limited(known, rest, faces, chance):
        return None
    chance.shuffle(rest)
    faces.update(zip([mark for mark in known.marks if mark not in faces], rest, strict=True))
    return faces


def _draw_limited(known: Knowledge[S], rest: list[Card], faces: dict[Card, Card], chance: Random) -> bool:
    """Draws faces for the marks with limits, the strictest first; returns whether the draw counts.

    If all limits contain each other, every deal is equally likely. Otherwise the number of choices depends on earlier
    ones, so that a draw counts only with a probability in proportion to that number.
    """
    ways, bound, before = 1, 1, tuple(rest)
    earlier: list[tuple[frozenset[Card], int]] = []
    for excluded, marks in known.limits:
        possible = [face for face in rest if face not in excluded]
        if len(possible) < len(marks):
            return False
        at_most = sum([face not in excluded for face in before])
        at_most -= sum([count for other, count in earlier if other >= excluded])
        ways *= perm(len(possible), len(marks))
        bound *= perm(at_most, len(marks))
        drawn = chance.sample(possible, len(marks))
        faces.update(zip(marks, drawn, strict=True))
        for face, count in Counter(drawn).items():
            for _ in range(count):
                rest.remove(face)
        earlier.append((excluded, len(marks)))
    return ways == bound or chance.random() * bound < ways
