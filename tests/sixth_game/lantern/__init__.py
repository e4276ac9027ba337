"""Lantern: five hidden cards, a secret choice, and tokens for the one best card."""

from operator import attrgetter
from typing import get_args

from hoodwink.domain.kernel import Game, how_to_play
from tests.sixth_game.lantern.actions import ChooseCard
from tests.sixth_game.lantern.bot import rank
from tests.sixth_game.lantern.decide import card_plays, deal, decide, legal_actions, score_round, turn
from tests.sixth_game.lantern.events import LanternEvent
from tests.sixth_game.lantern.evolve import evolve, void_round
from tests.sixth_game.lantern.knowledge import learn
from tests.sixth_game.lantern.options import MAX_SEATS, Options, check_options
from tests.sixth_game.lantern.state import State, initial
from tests.sixth_game.lantern.view import view
from tests.sixth_game.lantern.words import phrase, say

GAME: Game[State] = Game(
    name="lantern",
    title="Lantern",
    tagline="Say in one line what makes the game worth playing.",
    minutes=(5, 10),
    rules=how_to_play(__name__),
    unit="token",
    seats=(2, MAX_SEATS),
    options=Options,
    actions=(ChooseCard,),
    events=get_args(LanternEvent),
    check_options=check_options,
    initial=initial,
    deal=deal,
    decide=decide,
    evolve=evolve,
    legal_actions=legal_actions,
    card_plays=card_plays,
    turn=turn,
    stage=attrgetter("stage"),
    score_round=score_round,
    void_round=void_round,
    scores=attrgetter("tokens"),
    view=view,
    learn=learn,
    rank=rank,
    say=say,
    phrase=phrase,
)

__all__ = ["GAME"]
