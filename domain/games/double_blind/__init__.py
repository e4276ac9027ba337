"""The Double Blind: everybody but you sees your pocket, and your left neighbour plays it."""

from operator import attrgetter
from typing import get_args

from hoodwink.domain.games.double_blind.actions import Bribe, ExposePocket, ExposeSleeve, PlayPocket
from hoodwink.domain.games.double_blind.bot import rank
from hoodwink.domain.games.double_blind.decide import (
    card_plays,
    deal,
    decide,
    host_offences,
    legal_actions,
    score_round,
    turn,
)
from hoodwink.domain.games.double_blind.events import DoubleBlindEvent
from hoodwink.domain.games.double_blind.evolve import evolve, void_round
from hoodwink.domain.games.double_blind.knowledge import learn
from hoodwink.domain.games.double_blind.lookahead import LOOKAHEAD
from hoodwink.domain.games.double_blind.options import MAX_SEATS, Options, check_options
from hoodwink.domain.games.double_blind.state import State, initial
from hoodwink.domain.games.double_blind.view import view
from hoodwink.domain.games.double_blind.words import phrase, say
from hoodwink.domain.kernel import GOOD_GAME, HELLO, WELL_PLAYED, Game, Saying, how_to_play

GAME: Game[State] = Game(
    name="double_blind",
    title="The Double Blind",
    tagline="Your neighbour plays the cards that you cannot see.",
    sayings=(
        HELLO,
        WELL_PLAYED,
        Saying("nice_hat", "Nice hat! 🎩"),
        Saying("thanks_neighbour", "Thank you, neighbour! 😄"),
        Saying("empty_pockets", "My pockets are empty."),
        GOOD_GAME,
    ),
    minutes=(10, 30),
    rules=how_to_play(__name__),
    unit="point",
    seats=(2, MAX_SEATS),
    options=Options,
    actions=(PlayPocket, Bribe, ExposePocket, ExposeSleeve),
    offences=(ExposePocket, ExposeSleeve),
    host_offences=host_offences,
    events=get_args(DoubleBlindEvent),
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
    scores=attrgetter("totals"),
    view=view,
    learn=learn,
    rank=rank,
    say=say,
    phrase=phrase,
    lookahead=LOOKAHEAD,
)

__all__ = ["GAME"]
