"""Blindside: hold back your best cards, and hope that nobody ties with you."""

from operator import attrgetter
from typing import get_args

from hoodwink.domain.games.blindside.actions import DiscardCard, DrawCard, KeepCard, PassBlindside
from hoodwink.domain.games.blindside.bot import rank
from hoodwink.domain.games.blindside.decide import card_plays, deal, decide, legal_actions, score_round, turn
from hoodwink.domain.games.blindside.events import BlindsideEvent
from hoodwink.domain.games.blindside.evolve import evolve, void_round
from hoodwink.domain.games.blindside.knowledge import learn
from hoodwink.domain.games.blindside.options import MAX_SEATS, Options, check_options
from hoodwink.domain.games.blindside.state import State, initial
from hoodwink.domain.games.blindside.view import view
from hoodwink.domain.games.blindside.words import phrase, say
from hoodwink.domain.kernel import GOOD_GAME, HELLO, WELL_PLAYED, Game, Saying, how_to_play

GAME: Game[State] = Game(
    name="blindside",
    title="Blindside",
    tagline="Keep your best cards, and tie with nobody.",
    sayings=(
        HELLO,
        WELL_PLAYED,
        Saying("blindsided", "Blindsided! 🙈"),
        Saying("same_thought", "Great minds think alike."),
        Saying("never_saw", "I never saw it coming."),
        GOOD_GAME,
    ),
    minutes=(5, 15),
    rules=how_to_play(__name__),
    unit="token",
    seats=(2, MAX_SEATS),
    options=Options,
    actions=(PassBlindside, DrawCard, KeepCard, DiscardCard),
    events=get_args(BlindsideEvent),
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
