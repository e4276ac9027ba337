"""Shithead: get rid of every card, the last three of them blindly, or be left with the name."""

from operator import attrgetter
from typing import get_args

from domain.games.shithead.actions import (
    AcceptPile,
    BurnPile,
    CounterJoker,
    DeclareReady,
    FlipBlind,
    PickUp,
    PlayCards,
    PlayJoker,
    SwapCards,
)
from domain.games.shithead.bot import play_steady
from domain.games.shithead.decide import (
    deal,
    decide,
    legal_actions,
    overdue,
    score_round,
    tries,
    turn,
)
from domain.games.shithead.events import ShitheadEvent
from domain.games.shithead.evolve import evolve, void_round
from domain.games.shithead.options import MOST_SEATS, Options, check_options
from domain.games.shithead.state import State, initial
from domain.games.shithead.view import view
from domain.games.shithead.words import say
from domain.kernel import Game, how_to_play

GAME: Game[State] = Game(
    name="shithead",
    title="Shithead",
    rules=how_to_play(__name__),
    unit="point",
    seats=(2, MOST_SEATS),
    options=Options,
    actions=(
        SwapCards,
        DeclareReady,
        PlayCards,
        PlayJoker,
        FlipBlind,
        PickUp,
        CounterJoker,
        AcceptPile,
        BurnPile,
    ),
    events=get_args(ShitheadEvent),
    check_options=check_options,
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
    scores=attrgetter("points"),
    view=view,
    steady=play_steady,
    say=say,
    interrupts=(BurnPile,),
    overdue=overdue,
)

__all__ = ["GAME"]
