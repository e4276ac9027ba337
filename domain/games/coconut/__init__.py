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
from domain.kernel import Game

RULES = """\
# Coconut

Two to four players. Two players use one pack of 52 cards, three or four use two packs; no jokers. From
low to high the cards are 3, 4, 5, 6, 7, 8, 9, J, Q, K, A. The 2 and the 10 are *wild*. Suits never
matter.

**The deal.** Each player gets three cards face down, which no player may look at, and takes up six
more. The rest is the draw deck. Then all players secretly choose three of the six to lie face up,
which are revealed together; the other three are the hand.

**The play.** The player on the dealer's left opens with the lowest rank in hand; 2s and, after them,
10s come last. From then on, match the top card of the pile or beat it. You may lay several cards of
one rank together. Afterwards, draw until you hold three cards, as long as the deck lasts. If you
cannot play, and only then, you pick up the whole pile, and the player on your left leads.

**Three phases.** Play from your hand while you have one; then from your face-up cards; then turn up
one of your face-down cards at a time. If the card you turn up can be played, it is; if not, you take
it and the pile into your hand, which must be played out before you go on. Cards of two phases never go
into one play.

**2 resets.** A 2 goes on anything, and anything goes on a 2.

**10 clears.** A 10 goes on anything. It and the pile are set aside, and the same player leads again.

**Four of a kind clears.** As soon as four or more cards of one rank lie together on top of the pile,
no matter which players laid them, the pile is set aside and the player of the last of them leads
again.

**Sneaking.** If you can complete four of a kind on cards that somebody else laid, you may do it out of
turn, before the next player acts. The pile is cleared and it is your turn; the players in between are
skipped. Face-down cards cannot be sneaked.

**The end.** The first player without cards, in hand or on the table, wins the round and a point. If
the table plays for places, the others play on until one is left, and each player gets a point for
every player who finishes later. A table plays three rounds, or as many as it says. The most points
over all rounds win; equal points share a place.

A table may also let any rank open, count 2s and 10s when looking for the lowest, let the player of a 2
go again, pass the turn after a clear, allow picking up at will, forbid sneaking, or make the next
player wait a little so that others have time for it.
"""

GAME: Game[State] = Game(
    name="coconut",
    title="Coconut",
    rules=RULES,
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
    waits_until=waits_until,
)

__all__ = ["GAME"]
