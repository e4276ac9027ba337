"""Evolves the state from event to event."""

from typing import assert_never

from msgspec.structs import replace

from hoodwink.domain.kernel import Completed, Stage, replace_at
from tests.sixth_game.lantern.events import CardChosen, CardsRevealed, HandsDealt, LanternEvent
from tests.sixth_game.lantern.rules import tokens_after
from tests.sixth_game.lantern.state import State, initial, stage_after_round


def evolve(state: State, event: LanternEvent) -> State:
    """Returns the state after the event."""
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
        case CardChosen():
            chosen = replace_at(state.chosen, event.seat, event.card)
            return replace(state, chosen=chosen, stage=Stage.IN_PLAY if None in chosen else Stage.TO_SCORE)
        case CardsRevealed():
            return replace(
                state,
                stage=stage_after_round(state),
                tokens=tokens_after(state.tokens, event.winner),
                last=Completed("contest", event.winner, event.cards, tuple(range(state.seats))),
            )
        case _:
            assert_never(event)


def void_round(state: State) -> State:
    """Returns the state without the round in play, whose cards and choices are gone (G-15)."""
    return replace(
        initial(state.options, state.seats),
        stage=stage_after_round(state),
        round=state.round,
        dealer=state.dealer,
        tokens=state.tokens,
    )
