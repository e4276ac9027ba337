"""Coconut: shed your hand, then your face-up cards, then three cards that nobody has seen."""

from operator import attrgetter
from typing import get_args

from domain.games.coconut.actions import ChooseFaceUp, FlipCard, PickUpPile, PlayCards, SneakCards
from domain.games.coconut.bot import play_steady
from domain.games.coconut.decide import deal, decide, legal_actions, score_round, tries, turn
from domain.games.coconut.events import CoconutEvent
from domain.games.coconut.evolve import evolve, void_round
from domain.games.coconut.options import FEWEST_SEATS, MOST_SEATS, Options, check_options
from domain.games.coconut.rules import waits_until
from domain.games.coconut.state import State, initial
from domain.games.coconut.view import view
from domain.games.coconut.words import say
from domain.kernel import Game, how_to_play

GAME: Game[State] = Game(
    name="coconut",
    title="Coconut",
    rules=how_to_play(__name__),
    unit="point",
    seats=(FEWEST_SEATS, MOST_SEATS),
    options=Options,
    actions=(ChooseFaceUp, PlayCards, FlipCard, PickUpPile, SneakCards),
    events=get_args(CoconutEvent),
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
    interrupts=(SneakCards,),
    waits_until=waits_until,
)

__all__ = ["GAME"]
