"""The laws of knowledge: what a seat knows follows from what it received, and imagined deals agree with it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from hoodwink.domain.cards import Card
from hoodwink.domain.kernel import (
    Action,
    Event,
    Knowledge,
    RuleViolation,
    Viewer,
    is_mark,
    know_nothing,
    redact,
    see,
    see_void_round,
)
from tests.domain.laws.cards import covered
from tests.domain.laws.entitlements import ENTITLEMENTS
from tests.domain.laws.playout import MAX_GRACE_MS, Entry, Play
from tests.domain.laws.universe import expand
from tests.domain.laws.worlds import Outlook, commits_of, zone_cards

MOVES = 6
UNORDERED = frozenset(
    {"hands", "sleeves", "keepers"}
)  # zones in which nobody else can tell which card is which


def knowledge_of(
    play: Play, viewer: Viewer, entries: Sequence[Entry] | None = None
) -> Iterator[Knowledge[Any]]:
    """Yields what the viewer knows after each entry."""
    known = know_nothing(play.game, play.options, play.seats, viewer)
    for entry in play.entries if entries is None else entries:
        known = _after(play, known, entry.event)
        yield known


def _after(play: Play, known: Knowledge[Any], event: Event | None) -> Knowledge[Any]:
    if event is None:
        return see_void_round(play.game, known)
    seen = redact(event, known.viewer)
    return known if seen is None else see(play.game, known, seen)


def imagines_what_it_saw(play: Play, *, looks: int = 8) -> None:
    """In an imagined deal a viewer sees and may do what it sees and may do, and the pack is the pack.

    Checked for two viewers at a few versions of each play.
    """
    chance = Random(play.seed)
    for viewer in chance.sample((*range(play.seats), "spectator"), 2):
        picked = set(chance.sample(range(len(play.entries)), min(looks, len(play.entries))))
        for index, known in enumerate(knowledge_of(play, viewer)):
            if index in picked:
                _check_look(play, index, known, chance)


def _check_look(play: Play, index: int, known: Knowledge[Any], chance: Random) -> None:
    entry, game = play.entries[index], play.game
    _allows(play, known, entry.state)
    imagined = game.imagine(known, Random(index))
    _allows(play, known, imagined)
    rules = ENTITLEMENTS[game.name]
    if entry.kind != "void":
        assert zone_cards(imagined, rules) == zone_cards(entry.state, rules)
    assert game.view(imagined, known.viewer) == game.view(entry.state, known.viewer)
    assert game.turn(imagined) == game.turn(entry.state)
    assert game.stage(imagined) == game.stage(entry.state)
    assert game.scores(imagined) == game.scores(entry.state)
    assert game.waits_until(imagined) == game.waits_until(entry.state)
    if isinstance(known.viewer, int) and (index + 1 == len(play.entries) or _is_settled(play, index)):
        _check_moves(play, index, known, imagined, chance)


def _is_settled(play: Play, index: int) -> bool:
    return play.entries[index].commit != play.entries[index + 1].commit


def _check_moves(play: Play, index: int, known: Knowledge[Any], imagined: Any, chance: Random) -> None:
    """Compares the legal actions of the viewer, and what it would receive of them and of the next action."""
    entry, game, seat = play.entries[index], play.game, known.viewer
    assert isinstance(seat, int)
    for now in (entry.now, entry.now + MAX_GRACE_MS):
        legal = game.legal_actions(entry.state, seat, now)
        assert game.legal_actions(imagined, seat, now) == legal
    assert game.card_plays(imagined, seat) == game.card_plays(entry.state, seat)
    actions = list(expand(game, legal, chance))
    for action in chance.sample(actions, min(MOVES, len(actions))):
        _compare(play, known, (entry.state, imagined), seat, action, now)
    if index + 1 < len(play.entries) and (following := play.entries[index + 1]).action is not None:
        assert following.seat is not None
        states = (entry.state, imagined)
        _compare(play, known, states, following.seat, following.action, following.now)


def _compare(
    play: Play, known: Knowledge[Any], states: tuple[Any, Any], seat: int, action: Action, now: int
) -> None:
    """Compares what the viewer receives of an action, up to the first event that shows it a new card or fact."""
    real = play.game.decide(states[0], seat, action, now)
    try:
        imagined = play.game.decide(states[1], seat, action, now)
    except RuleViolation:
        assert seat != known.viewer, action
        return  # the other seat does not hold these cards in this deal
    for event, other in zip(real, imagined, strict=False):
        mine, its = redact(event, known.viewer), redact(other, known.viewer)
        if mine is not None and mine != its:
            before = known
            known = see(play.game, known, mine)
            is_fact = event.wire in ENTITLEMENTS[play.game.name].facts
            assert is_fact or len(known.marks) < len(before.marks), (event, other)
            return
        known = _after(play, known, event)
    assert len(real) == len(imagined), action


def _allows(play: Play, known: Knowledge[Any], state: Any) -> None:
    """Raises unless the knowledge allows the state: each card can be the one that a mark stands for."""
    if getattr(play.options, "hidden_swap", False) and known.state.step == "swap":
        return  # it shows the others' cards as dealt (SH-50)
    limits = {mark: faces for faces, marks in known.limits for mark in marks}
    piles = list[tuple[list[Card], list[Card]]]()
    for name in ENTITLEMENTS[play.game.name].zones:
        for marked, cards in _piles(getattr(known.state, name), getattr(state, name)):
            if name not in UNORDERED:
                assert all(is_mark(card) or card == face for card, face in zip(marked, cards, strict=True))
                assert all(
                    face not in limits.get(card, frozenset())
                    for card, face in zip(marked, cards, strict=True)
                )
            rest = Counter(cards)
            rest.subtract([card for card in marked if not is_mark(card)])
            assert min(rest.values(), default=0) >= 0, (name, marked, cards)
            marks = [card for card in marked if is_mark(card)]
            faces = list(rest.elements())
            assert _can_be(marks, faces, limits), (name, marked, cards, limits)
            piles.append((marks, faces))
    for _, among in known.among:
        near = [pile for pile in piles if set(among).intersection(pile[0])]
        there = {mark for marks, _ in near for mark in marks}
        held = Counter(face for face, others in known.among if there.issuperset(others))
        assert held <= Counter(face for _, faces in near for face in faces), (held, near)


def _piles(known: Any, real: Any) -> Iterator[tuple[list[Card], list[Card]]]:
    """Yields the cards of each innermost tuple, as far as they are known and as they are."""
    if not isinstance(known, tuple):
        return
    assert len(known) == len(real)
    cards = [
        (Card(card), Card(face)) for card, face in zip(known, real, strict=True) if isinstance(card, str)
    ]
    if cards:
        yield [card for card, _ in cards], [face for _, face in cards]
    for part, other in zip(known, real, strict=True):
        yield from _piles(part, other)


def _can_be(marks: list[Card], faces: list[Card], limits: dict[Card, frozenset[Card]]) -> bool:
    """Returns whether the faces can be handed out to the marks within their limits, by augmenting paths."""
    owner: dict[int, Card] = {}

    def place(mark: Card, tried: set[int]) -> bool:
        for index, face in enumerate(faces):
            if index not in tried and face not in limits.get(mark, frozenset()):
                tried.add(index)
                if index not in owner or place(owner[index], tried):
                    owner[index] = mark
                    return True
        return False

    return len(marks) == len(faces) and all(place(mark, set()) for mark in marks)


def imagines_from_knowledge_alone(play: Play) -> None:
    """Where hidden cards are dealt differently and a viewer receives the same, it imagines the same deal."""
    chance, commits = Random(play.seed), commits_of(play)
    viewer = chance.choice((*range(play.seats), "spectator"))
    end = chance.randint(1, len(commits))
    outlook = Outlook(play, viewer, commits)
    for world in outlook.worlds(end, chance):
        other = [entry for commit in commits[: world.begin] for entry in commit]
        other += [entry for _, commit in world for entry in commit]
        mine = [entry for commit in commits[: world.reached] for entry in commit]
        if not mine:
            continue
        *_, known = knowledge_of(play, viewer, mine)
        *_, same = knowledge_of(play, viewer, other)
        assert covered(same.state) == covered(known.state)
        assert play.game.imagine(known, Random(end)) == play.game.imagine(same, Random(end))
