"""The Double Blind: everybody but you sees your pocket, and your left neighbour plays it."""

from operator import attrgetter
from typing import get_args

from domain.games.double_blind.actions import Bribe, ExposePocket, ExposeSleeve, PlayPocket
from domain.games.double_blind.bot import play_steady
from domain.games.double_blind.decide import (
    deal,
    decide,
    host_enters,
    legal_actions,
    score_round,
    tries,
    turn,
)
from domain.games.double_blind.events import DoubleBlindEvent
from domain.games.double_blind.evolve import evolve, void_round
from domain.games.double_blind.options import MOST_SEATS, Options, check_options
from domain.games.double_blind.state import State, initial
from domain.games.double_blind.view import view
from domain.games.double_blind.words import say
from domain.kernel import Game

RULES = """\
# The Double Blind

Two to nine players; three or more is best. One pack of 52 cards with two jokers for every three
players or part of three. A card from 2 to 10 counts its number, the jack 11, the queen 12, the king
13, the ace 14, a joker 15. Everything goes counter-clockwise, from a player to the player on the
right, who is that player's *target*.

**The deal.** One deal is a *caper*, and its dealer the *Mastermind*. Each player gets three cards, the
*sleeve*, which only you may look at. Then each player gets five cards, the *pocket*, held face
outward: all the others see them, and you never do. The rest is the *bank*. Your credit is what you may
play: your own sleeve, and the pocket of your target. Your own pocket is played by your left neighbour.

**The hat.** The Mastermind's target is the first *Madd Hatter* and starts the first *hat*, in which
each player plays one card to the middle: from the target's pocket or, announced as *a bribe*, from the
player's own sleeve. The highest card wins, and its player puts all cards of the hat into the *loot
bag*. Then the bank pays *interest*: from the Madd Hatter's target round to the Madd Hatter, each
player's pocket is filled up to five and then the sleeve to three, as long as the bank lasts. The Madd
Hatter's target is the next Madd Hatter.

**The trick.** If the highest cards tie, ten points join the hat, and only the players who tied play
again in the same order; the best of the new cards wins everything. This goes on until one is best.
When the tied players have no card left that they may play, the bank pays *half interest*: only the
pockets of their targets are filled. A player who still has no card drops out, in the order of the hat;
the last one left wins without playing. (A table may say instead that a hat is lost when all run out
together.)

**The end of a caper.** When the bank is empty, hats go on without interest until, after a hat and its
trick, a player's pocket is empty. Cards left in pockets are turned up and count for no player; cards
left in a sleeve go into their owner's loot bag. The cards and bonus points of a loot bag are its
player's score. The lowest score is the *Joker* and gets 15 points more. If several players share the
lowest score, each gets 15, unless all players tie.

**Exposures.** Peeking at a card of your own pocket, naming a card of another's pocket to its owner or
showing a card of your own sleeve is an offence. The service makes it impossible unless the table is
opened with exposures. Then a player may commit one at any time in a caper, by default up to three
times. Each costs 15 points, after the Joker is found, and the card is switched for the top card of the
bank and goes under it; with an empty bank it stays. Offences are listed apart from plays, and no bot
commits one. While the host of such a table has never held a seat, it is *supervised*: the host may
enter an exposure of a pocket card in a player's name, for what that player said or did outside the
service. The table says from the start whether it is supervised, and one that is not never
becomes so later; all players see which exposures the host entered. A host who plays enters none.

**The end of the game.** The game ends with a caper after which a player has 1,000 points or more, or
as many as the table says. A player who was Joker in every caper becomes the *Queen's Fool* and gets 15
points for each of them. Then the highest total is the *One-Eyed King*. If several share it, all
players play further capers until one is highest; there is no second Queen's Fool.

A table may also play with fewer Jokers, pass the deal to the left or not at all, look for the Joker in
the totals instead of the caper's scores, leave a hat without a winner if its tied players run out of
cards together, or allow exposures.
"""

GAME: Game[State] = Game(
    name="double_blind",
    title="The Double Blind",
    rules=RULES,
    unit="point",
    seats=(2, MOST_SEATS),
    options=Options,
    actions=(PlayPocket, Bribe, ExposePocket, ExposeSleeve),
    offences=(ExposePocket, ExposeSleeve),
    host_enters=host_enters,
    events=get_args(DoubleBlindEvent),
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
    scores=attrgetter("totals"),
    view=view,
    steady=play_steady,
    say=say,
)

__all__ = ["GAME"]
