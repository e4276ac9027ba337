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
from domain.kernel import Game

RULES = """\
# Shithead

Two to six players with one pack of 52 cards and two jokers, seven to ten with two packs and four
jokers. The aim is not to be last: the player who is left with cards is the shithead.

**The deal.** Each player gets three *blind* cards, which no player may look at, three *face-up* cards
on top of them, and three hand cards. The rest is the stock. Before play, players may exchange hand
cards with their own face-up cards as often as they like, and then say that they are ready.

**The start.** The holder of the 4♣ leads with it; if it is in no hand, the holder of the 4♥, 4♠, 4♦,
then 5♣ and so on. Face-up cards do not count. Other cards of the same rank may go along. If no player
holds a card from 4 to ace, the player on the dealer's left starts with any card.

**The turn.** Lay one or more cards of one rank on the pile, as high as its top card or higher, and
draw until you hold three cards again while the stock lasts. You play from your hand; when it is empty,
from your face-up cards; when these are gone, you turn up your blind cards one by one.

**Power cards** may be played on anything.

- **2**: anything may follow.
- **3**: the next player misses a turn, and one more player for every further 3, up to all the others.
  Anything may follow.
- **8**: is transparent; the card below it has to be followed.
- **10**: burns the pile, which leaves the game. The same player plays again.
- **Joker**: names another player, who takes the pile to hand and leads. The named player may counter
  with a Joker and name another player. A player who was out already can come back that way. Used
  Jokers leave the game. If there is no pile, the named player has to lead.

**Other special cards.** A **5** reverses the direction; two of them together do not. Between the last
two players the direction stays as it is, even if a player is brought back later. After a **7** the
next card must be lower, or a power card.

**Four of a kind** together on top burn the pile as a 10 does, no matter which players laid them, and
3s and 5s then do nothing else. The fourth may be laid even on three 7s.

**Picking up.** If you cannot play, you take the pile to hand and lead any card you like. If you play
from your face-up cards, one of them goes along; so does a blind card that could not be played.

**The end.** A player without cards is out. The last player is the shithead and deals the next round.
Of N players the first one out gets N - 1 points, the next N - 2, and so on, and the shithead none. The
most points win; equal points share a place.

A table may also set how many packs and Jokers are used, let the next player lead after a pick-up,
require face-up cards to be higher than the pile's, allow a 7 on a 7, let a play skip one player or
reverse once however many 3s or 5s it has, let any player except the one who laid the last cards
complete four of a kind out of turn, allow picking up at will, give used Jokers to the player who takes
the pile, or keep the exchanges before play hidden until all are ready.
"""

GAME: Game[State] = Game(
    name="shithead",
    title="Shithead",
    rules=RULES,
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
    overdue=overdue,
)

__all__ = ["GAME"]
