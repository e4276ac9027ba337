"""Blind Don: eighteen tricks for two, half of them with cards nobody has seen yet."""

from operator import attrgetter
from typing import get_args

from hoodwink.domain.games.blind_don.actions import PlayCard
from hoodwink.domain.games.blind_don.bot import rank
from hoodwink.domain.games.blind_don.decide import card_plays, deal, decide, legal_actions, score_round, turn
from hoodwink.domain.games.blind_don.events import BlindDonEvent
from hoodwink.domain.games.blind_don.evolve import evolve, void_round
from hoodwink.domain.games.blind_don.knowledge import learn
from hoodwink.domain.games.blind_don.lookahead import LOOKAHEAD
from hoodwink.domain.games.blind_don.options import Options, check_options
from hoodwink.domain.games.blind_don.state import SEATS, State, initial
from hoodwink.domain.games.blind_don.view import view
from hoodwink.domain.games.blind_don.words import phrase, say
from hoodwink.domain.kernel import GOOD_GAME, HELLO, WELL_PLAYED, Game, Saying, how_to_play

GAME: Game[State] = Game(
    name="blind_don",
    title="Blind Don",
    tagline="Win tricks from nine stacks that you half see.",
    sayings=(
        HELLO,
        WELL_PLAYED,
        Saying("nice_stack", "Nice stack!"),
        Saying("trumped", "Trumped! 😄"),
        Saying("wrong_card", "Not the card I hoped for. 🙈"),
        GOOD_GAME,
    ),
    minutes=(8, 12),
    rules=how_to_play(__name__),
    unit="point",
    seats=(SEATS, SEATS),
    options=Options,
    actions=(PlayCard,),
    events=get_args(BlindDonEvent),
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
    scores=attrgetter("scores"),
    view=view,
    learn=learn,
    rank=rank,
    say=say,
    phrase=phrase,
    lookahead=LOOKAHEAD,
)

__all__ = ["GAME"]
