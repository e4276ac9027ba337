"""Random play of any game through its contract alone, with every state on the way."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias, assert_never

from hoodwink.domain.bots import pick_action
from hoodwink.domain.cards import Card, SeededDraws
from hoodwink.domain.kernel import Action, Event, Game, GameOptions, LegalAction, Stage
from hoodwink.service.simulation.random_options import random_options

GUARD = 20_000  # G-15
MAX_GRACE_MS = 60_000
_FIRST_NOW = 1_750_000_000_000

Kind: TypeAlias = Literal["deal", "act", "score", "void"]


class Entry(NamedTuple):
    """One thing that happened at the table, and the state after it.

    Attributes:
        round: counted from 1 by the runner.
        now: the clock when it happened.
        event: `None` where the guard voided the round.
        commit: events that happened together share it.
        seat, action: what led to the event, if a seat did.
    """

    kind: Kind
    round: int
    now: int
    event: Event | None
    state: Any
    commit: int
    seat: int | None = None
    action: Action | None = None


class Drawn(NamedTuple):
    """A draw of a deal and its result: deck `number`, or with -1 the first dealer."""

    round: int
    number: int
    given: Any


@dataclass(frozen=True, kw_only=True)
class Play:
    """A table played from its first deal, with all that is needed to play it again.

    Attributes:
        start: the state before the first deal.
        drawn: what was asked of chance, in order.
        is_cut: the play was left unfinished because it had become long enough.
    """

    game: Game[Any]
    seed: int
    seats: int
    options: GameOptions
    start: Any
    entries: tuple[Entry, ...]
    drawn: tuple[Drawn, ...]
    is_cut: bool


@dataclass(kw_only=True)
class _Sitting:
    """A table being played; it is also the game's source of draws, and records them."""

    game: Game[Any]
    seats: int
    state: Any
    chance: Random
    guard: int
    seeded: SeededDraws
    now: int = _FIRST_NOW
    round: int = 0
    acted_count: int = 0
    commit: int = 0
    entries: list[Entry] = field(default_factory=list)
    drawn: list[Drawn] = field(default_factory=list)

    first_dealer = None  # it is drawn

    def seat(self, seats: int) -> int:
        dealer = self.seeded.seat(seats)
        self.drawn.append(Drawn(self.round, -1, dealer))
        return dealer

    def deck(self, pack: Sequence[Card], number: int) -> tuple[Card, ...]:
        deck = self.seeded.deck(pack, number)
        self.drawn.append(Drawn(self.round, number, deck))
        return deck


def play(
    game: Game[Any],
    seed: int,
    *,
    max_entries: int = 1_000_000,
    max_rounds: int = 1_000_000,
    options: GameOptions | None = None,
) -> Play:
    """Returns the random table that belongs to the seed: seats, options unless given, cards and choices.

    At every seventh table the guard strikes early in the first two rounds, so that rounds without result
    are played too.
    """
    chance = Random(f"{game.name}:{seed}")
    fewest, most = game.seats
    seats = fewest + seed % (most - fewest + 1)
    options = options or random_options(game, seats, chance)
    start = game.initial(options, seats)
    sitting = _Sitting(
        game=game,
        seats=seats,
        state=start,
        seeded=SeededDraws(f"{seed:064x}", ("",) * (seats + 1)),
        chance=chance,
        guard=chance.randint(1, 80) if seed % 7 == 3 else GUARD,
    )
    while has_more := game.stage(sitting.state) is not Stage.OVER:
        if len(sitting.entries) >= max_entries:
            break
        if sitting.round == max_rounds and game.stage(sitting.state) is Stage.TO_DEAL:
            break
        _advance(sitting)
    return Play(
        game=game,
        seed=seed,
        seats=seats,
        options=options,
        start=start,
        entries=tuple(sitting.entries),
        drawn=tuple(sitting.drawn),
        is_cut=has_more,
    )


def _advance(sitting: _Sitting) -> None:
    stage = sitting.game.stage(sitting.state)
    sitting.commit += 1
    match stage:
        case Stage.TO_DEAL:
            sitting.round += 1
            sitting.acted_count = 0
            _record(sitting, "deal", sitting.game.deal(sitting.state, sitting))
        case Stage.IN_PLAY if sitting.acted_count >= (sitting.guard if sitting.round <= 2 else GUARD):
            sitting.state = sitting.game.void_round(sitting.state)
            sitting.entries.append(
                Entry("void", sitting.round, sitting.now, None, sitting.state, sitting.commit)
            )
        case Stage.IN_PLAY:
            _act(sitting)
        case Stage.TO_SCORE:
            _record(sitting, "score", sitting.game.score_round(sitting.state))
        case Stage.OVER:
            raise AssertionError("the table is over")
        case _:
            assert_never(stage)


def _act(sitting: _Sitting) -> None:
    sitting.now += sitting.chance.choice((0, 1, 700, MAX_GRACE_MS + 1))
    seat, legal = _next_seat(sitting)
    action = pick_action(sitting.game, sitting.chance.choice(legal), sitting.chance)
    events = sitting.game.decide(sitting.state, seat, action, sitting.now)
    sitting.acted_count += 1
    _record(sitting, "act", events, seat, action)


def _next_seat(sitting: _Sitting) -> tuple[int, tuple[LegalAction, ...]]:
    """Returns a seat and an action: mostly of a seat that owes one, sometimes of one that only may act."""
    game, state, chance = sitting.game, sitting.state, sitting.chance
    turn = game.turn(state)
    if turn.may and chance.random() < 0.25:
        seat = chance.choice(turn.may)
        if legal := game.legal_actions(state, seat, sitting.now):
            return seat, legal
    seat = chance.choice(turn.owes)
    if legal := game.legal_actions(state, seat, sitting.now):
        return seat, legal
    sitting.now += MAX_GRACE_MS  # the longest grace period a table can set has passed (CO-37)
    return seat, game.legal_actions(state, seat, sitting.now)


def _record(
    sitting: _Sitting,
    kind: Kind,
    events: tuple[Event, ...],
    seat: int | None = None,
    action: Action | None = None,
) -> None:
    for event in events:
        sitting.state = sitting.game.evolve(sitting.state, event)
        sitting.entries.append(
            Entry(kind, sitting.round, sitting.now, event, sitting.state, sitting.commit, seat, action)
        )
