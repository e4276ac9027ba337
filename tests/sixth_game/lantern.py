"""Lantern, a game that is not shipped: two hidden cards, a secret choice, and tokens for the brightest."""

from collections.abc import Sequence
from operator import attrgetter
from random import Random
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, assert_never, cast, get_args

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from domain.cards import HIDDEN, RANKS, Card, Draws, build_pack, rank_of
from domain.kernel import (
    CLOCKWISE,
    Action,
    BySeat,
    Cause,
    Completed,
    EachOwn,
    Event,
    Game,
    GameOptions,
    GameView,
    Hidden,
    Observation,
    Own,
    Public,
    Refusals,
    RuleCode,
    RuleViolation,
    SharedCode,
    Stage,
    Try,
    Turn,
    Viewer,
    left,
    replace_at,
)
from domain.phrases import cards, open_zones, per_player

Hand: TypeAlias = tuple[Card, ...]


class Options(GameOptions, frozen=True):
    brightest: Annotated[
        Literal["highest", "lowest"], Meta(description="Whether the highest or the lowest card wins.")
    ] = "highest"
    rounds: Annotated[int, Meta(ge=1, le=5, description="How many rounds.")] = 2


class LanternCode(RuleCode):
    """The error codes that only Lantern has."""

    NOT_YOUR_LANTERN = ("not_your_lantern", "Choose one of your two cards.")


class LightCard(Action, frozen=True, tag="light"):
    """Secretly choose one of your two cards to be turned up."""

    refusals: ClassVar[Refusals] = (
        SharedCode.ROUND_NOT_IN_PLAY,
        SharedCode.ALREADY_COMMITTED,
        LanternCode.NOT_YOUR_LANTERN,
    )

    card: Card


class HandsDealt(Event, frozen=True):
    """Two cards for each seat; the rest is out of play."""

    wire: ClassVar[str] = "lantern.hands_dealt"
    starts_round: ClassVar[bool] = True
    round: Public[int]
    dealer: Public[int]
    hands: EachOwn[tuple[Hand, ...]]
    rest: Hidden[Hand]


class CardLit(Event, frozen=True):
    """A seat committed a card."""

    wire: ClassVar[str] = "lantern.card_lit"
    seat: Public[int]
    card: Own[Card]

    def cause(self) -> Cause:
        return self.seat, LightCard(self.card)


class LanternsOpened(Event, frozen=True):
    """The cards that were chosen, and who wins a token from every other player, if one card is alone on top."""

    wire: ClassVar[str] = "lantern.lanterns_opened"
    cards: Public[Hand]
    winner: Public[int | None]


LanternEvent: TypeAlias = HandsDealt | CardLit | LanternsOpened


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    options: Options
    seats: int
    stage: Stage
    round: int
    dealer: int
    hands: tuple[Hand, ...]
    lit: tuple[Card | None, ...]
    rest: Hand
    tokens: tuple[int, ...]
    last: Completed | None


def initial(options: Options, seats: int) -> State:
    return State(
        options=options,
        seats=seats,
        stage=Stage.TO_DEAL,
        round=0,
        dealer=0,
        hands=((),) * seats,
        lit=(None,) * seats,
        rest=(),
        tokens=(0,) * seats,
        last=None,
    )


def deal(state: State, draws: Draws) -> tuple[Event, ...]:
    dealer = left(state.dealer, state.seats) if state.round else draws.seat(state.seats)
    deck, dealt = draws.deck(build_pack(), state.round + 1), 2 * state.seats
    hands = tuple(deck[seat : dealt : state.seats] for seat in range(state.seats))
    return (HandsDealt(state.round + 1, dealer, hands, deck[dealt:]),)


def decide(state: State, seat: int, action: LightCard, now: int) -> tuple[Event, ...]:
    if state.stage is not Stage.IN_PLAY:
        raise RuleViolation(SharedCode.ROUND_NOT_IN_PLAY)
    if state.lit[seat] is not None:
        raise RuleViolation(SharedCode.ALREADY_COMMITTED)
    if action.card not in state.hands[seat]:
        raise RuleViolation(LanternCode.NOT_YOUR_LANTERN)
    return (CardLit(seat, action.card),)


def evolve(state: State, event: LanternEvent) -> State:
    match event:
        case HandsDealt():
            return replace(
                void_round(state),
                stage=Stage.IN_PLAY,
                round=event.round,
                dealer=event.dealer,
                hands=event.hands,
                rest=event.rest,
            )
        case CardLit():
            lit = replace_at(state.lit, event.seat, event.card)
            return replace(state, lit=lit, stage=Stage.IN_PLAY if None in lit else Stage.TO_SCORE)
        case LanternsOpened():
            last = Completed("contest", event.winner, event.cards, tuple(range(state.seats)))
            tokens = _tokens_after(state, event.winner)
            return replace(state, stage=_stage_after(state), tokens=tokens, last=last)
        case _:
            assert_never(event)


def _stage_after(state: State) -> Stage:
    return Stage.OVER if state.round >= state.options.rounds else Stage.TO_DEAL


def _tokens_after(state: State, winner: int | None) -> tuple[int, ...]:
    if winner is None:
        return state.tokens
    return tuple(held + (state.seats - 1 if seat == winner else -1) for seat, held in enumerate(state.tokens))


def void_round(state: State) -> State:
    before = initial(state.options, state.seats)
    return replace(
        before, stage=_stage_after(state), round=state.round, dealer=state.dealer, tokens=state.tokens
    )


def legal_actions(state: State, seat: int, now: int) -> tuple[LightCard, ...]:
    return tuple(map(LightCard, state.hands[seat])) if seat in turn(state).owes else ()


def tries(state: State, seat: int) -> tuple[Try, ...]:
    return tuple((card, LightCard(card)) for card in state.hands[seat])


def turn(state: State) -> Turn:
    if state.stage is not Stage.IN_PLAY:
        return Turn()
    return Turn(tuple(seat for seat, card in enumerate(state.lit) if card is None))


def score_round(state: State) -> tuple[Event, ...]:
    lit = tuple(card for card in state.lit if card is not None)
    lights = [brightness(card, state.options) for card in lit]
    best = max(lights)
    return (LanternsOpened(lit, lights.index(best) if lights.count(best) == 1 else None),)


def brightness(card: Card, options: Options) -> int:
    height = RANKS.index(rank_of(card))
    return height if options.brightest == "highest" else -height


class View(GameView, frozen=True):
    """The table for one viewer; a hidden card is `??`.

    Attributes:
        has_chosen: who has committed a card.
        lit: the card that the viewer committed.
        rest: the cards out of play, for `everybody` only.
    """

    hands: BySeat[Hand]
    has_chosen: BySeat[bool]
    lit: Card | None
    rest_count: int
    rest: Hand | None


def view(state: State, viewer: Viewer) -> View:
    shows_all = viewer == "everybody"
    return View(
        state.round,
        state.options.rounds,
        state.dealer if state.round else None,
        None,
        None,
        "light" if state.stage is Stage.IN_PLAY else None,
        CLOCKWISE,
        None,
        state.tokens,
        state.last,
        hands=tuple(
            hand if shows_all or viewer == seat else (HIDDEN,) * len(hand)
            for seat, hand in enumerate(state.hands)
        ),
        has_chosen=tuple(card is not None for card in state.lit),
        lit=state.lit[viewer] if isinstance(viewer, int) else None,
        rest_count=len(state.rest),
        rest=state.rest if shows_all else None,
    )


def play_steady(game: Game[Any], observation: Observation, chance: Random) -> Action:
    options = cast(Options, observation.options)
    plays = cast(tuple[LightCard, ...], observation.legal_actions)
    return max(plays, key=lambda play: (brightness(play.card, options), chance.random()))


def say(event: LanternEvent, names: Sequence[str]) -> str:
    match event:
        case HandsDealt():
            hands = open_zones("Hands", names, event.hands)
            return f"{names[event.dealer]} dealt round {event.round}: two cards each.{hands}"
        case CardLit():
            return f"{names[event.seat]} chose {cards((event.card,))}."
        case LanternsOpened():
            won = "Nobody" if event.winner is None else names[event.winner]
            return f"The lanterns were opened: {per_player(names, event.cards)}. {won} won."
        case _:
            assert_never(event)


GAME: Game[State] = Game(
    name="lantern",
    title="Lantern",
    rules="# Lantern\n\nTwo cards each. Everybody secretly chooses one, and the brightest wins.\n",
    unit="token",
    seats=(2, 5),
    options=Options,
    actions=(LightCard,),
    events=get_args(LanternEvent),
    check_options=lambda options, seats: None,
    initial=initial,
    deal=deal,
    decide=decide,
    evolve=evolve,
    legal_actions=legal_actions,
    tries=tries,
    turn=turn,
    stage=attrgetter("stage"),
    score_round=score_round,
    void_round=void_round,
    scores=attrgetter("tokens"),
    view=view,
    steady=play_steady,
    say=say,
)
