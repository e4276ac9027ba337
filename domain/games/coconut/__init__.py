"""Coconut: shed your hand, then your face-up cards, then three cards that nobody has seen."""

from operator import attrgetter
from typing import get_args

from hoodwink.domain.games.coconut.actions import ChooseFaceUp, FlipCard, PickUpPile, PlayCards, SneakCards
from hoodwink.domain.games.coconut.bot import rank
from hoodwink.domain.games.coconut.decide import card_plays, deal, decide, legal_actions, score_round, turn
from hoodwink.domain.games.coconut.events import CoconutEvent
from hoodwink.domain.games.coconut.evolve import evolve, void_round
from hoodwink.domain.games.coconut.knowledge import learn
from hoodwink.domain.games.coconut.lookahead import LOOKAHEAD
from hoodwink.domain.games.coconut.options import MAX_SEATS, MIN_SEATS, Options, check_options
from hoodwink.domain.games.coconut.rules import postpone, waits_until
from hoodwink.domain.games.coconut.state import State, initial
from hoodwink.domain.games.coconut.view import view
from hoodwink.domain.games.coconut.words import phrase, say
from hoodwink.domain.kernel import GOOD_GAME, HELLO, WELL_PLAYED, Game, Saying, how_to_play

GAME: Game[State] = Game(
    name="coconut",
    title="Coconut",
    tagline="Shed all your cards. The last three are blind.",
    sayings=(
        HELLO,
        WELL_PLAYED,
        Saying("coconut", "Coconut! 🥥"),
        Saying("sneaky", "Sneaky! 😄"),
        Saying("blind_luck", "Blind luck! 🍀"),
        GOOD_GAME,
    ),
    minutes=(10, 25),
    rules=how_to_play(__name__),
    unit="point",
    seats=(MIN_SEATS, MAX_SEATS),
    options=Options,
    actions=(ChooseFaceUp, PlayCards, FlipCard, PickUpPile, SneakCards),
    events=get_args(CoconutEvent),
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
    scores=attrgetter("points"),
    view=view,
    learn=learn,
    rank=rank,
    say=say,
    phrase=phrase,
    interrupts=(SneakCards,),
    waits_until=waits_until,
    postpone=postpone,
    lookahead=LOOKAHEAD,
)

__all__ = ["GAME"]
