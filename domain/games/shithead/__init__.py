"""Shithead: get rid of every card, the last three of them blindly, or be left with the name."""

from operator import attrgetter
from typing import get_args

from hoodwink.domain.games.shithead.actions import (
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
from hoodwink.domain.games.shithead.bot import rank
from hoodwink.domain.games.shithead.decide import (
    card_plays,
    deal,
    decide,
    legal_actions,
    overdue,
    score_round,
    turn,
)
from hoodwink.domain.games.shithead.events import ShitheadEvent
from hoodwink.domain.games.shithead.evolve import evolve, void_round
from hoodwink.domain.games.shithead.knowledge import imagine, learn
from hoodwink.domain.games.shithead.lookahead import LOOKAHEAD
from hoodwink.domain.games.shithead.options import MAX_SEATS, Options, check_options
from hoodwink.domain.games.shithead.rules import is_endless
from hoodwink.domain.games.shithead.state import State, initial
from hoodwink.domain.games.shithead.view import view
from hoodwink.domain.games.shithead.words import phrase, say
from hoodwink.domain.kernel import GOOD_GAME, HELLO, WELL_PLAYED, Game, Saying, how_to_play

GAME: Game[State] = Game(
    name="shithead",
    title="Shithead",
    tagline="Do not be the last one with cards.",
    sayings=(
        HELLO,
        WELL_PLAYED,
        Saying("burn", "Burn! 🔥"),
        Saying("mine_again", "The pile is mine again. 🙈"),
        Saying("lucky_cards", "Lucky cards! 🍀"),
        GOOD_GAME,
    ),
    minutes=(4, 10),
    rules=how_to_play(__name__),
    unit="point",
    seats=(2, MAX_SEATS),
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
    interrupts=(BurnPile,),
    overdue=overdue,
    is_endless=is_endless,
    imagine=imagine,
    lookahead=LOOKAHEAD,
)

__all__ = ["GAME"]
