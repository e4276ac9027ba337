"""Blind Don: eighteen tricks for two, half of them with cards nobody has seen yet."""

from operator import attrgetter
from typing import get_args

from domain.games.blind_don.actions import PlayCard
from domain.games.blind_don.bot import play_steady
from domain.games.blind_don.decide import deal, decide, legal_actions, score_round, tries, turn
from domain.games.blind_don.events import BlindDonEvent
from domain.games.blind_don.evolve import evolve, void_round
from domain.games.blind_don.options import Options, check_options
from domain.games.blind_don.state import SEATS, State, initial
from domain.games.blind_don.view import view
from domain.games.blind_don.words import say
from domain.kernel import Game

RULES = """\
# Blind Don

Two players, one pack of 52 cards. Cards rank from the 2, the lowest, to the ace.

**The cut.** Each player draws a card, and the lower one deals first; equal ranks draw again. After
that the deal alternates.

**The deal.** Each player gets a row of nine stacks: nine cards face down, which nobody may see, and
nine face up on top of them. The other sixteen cards are set aside unseen.

**The play.** The player who did not deal leads to the first trick, and the suit of that card is trump
for the whole round. Any face-up card of the leader's row may be led. The other player must follow suit
with a face-up card, if one is there, and may otherwise play any face-up card; no player ever has to
trump or to win. The higher trump takes the trick, or else the higher card of the led suit, and the
player who wins a trick leads to the next. After the trick the cards that were uncovered in it are
turned up and may be played from then on. A round has eighteen tricks.

**Trick points** go to the winner of the trick as soon as it is taken, for the cards of both players:

| card | points |
|---|---|
| trump 5 | 10 |
| trump 9 | 9 |
| trump ace, king, queen, jack | 4, 3, 2, 1 |
| each other 5 | 5 |

**The eight.** When all tricks are taken, both players tally their cards in all suits: ten for each 10,
four for each ace, three for each king, two for each queen, one for each jack. The higher tally earns 8
points; if the tallies are equal, neither player earns them. The cards set aside count for neither
player.

**The end.** After four rounds, or as many as the table says, the higher score wins. Equal scores are a
draw, or lead to two more rounds if the table says so. A table may also turn an uncovered card up
immediately instead of after the trick.
"""

GAME: Game[State] = Game(
    name="blind_don",
    title="Blind Don",
    rules=RULES,
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
    tries=tries,
    turn=turn,
    stage=attrgetter("stage"),
    score_round=score_round,
    void_round=void_round,
    scores=attrgetter("scores"),
    view=view,
    steady=play_steady,
    say=say,
)

__all__ = ["GAME"]
