"""Blindside: hold back your best cards, and hope that nobody ties with you."""

from operator import attrgetter
from typing import get_args

from domain.games.blindside.actions import DiscardCard, DrawCard, KeepCard, PassBlindside
from domain.games.blindside.bot import play_steady
from domain.games.blindside.decide import deal, decide, legal_actions, score_round, tries, turn
from domain.games.blindside.events import BlindsideEvent
from domain.games.blindside.evolve import evolve, void_round
from domain.games.blindside.options import MOST_SEATS, Options, check_options
from domain.games.blindside.state import State, initial
from domain.games.blindside.view import view
from domain.games.blindside.words import say
from domain.kernel import Game

RULES = """\
# Blindside

Two to ten players; three to five is best. One pack of 52 cards for every five players or part of five,
no jokers. A card from 2 to 9 counts its number; the 10, jack, queen and king count ten; an ace counts
eleven. Suits never matter.

**The deal.** Each player gets four cards. One card of the stock is turned up and starts the discard
pile.

**The pass.** Each player secretly chooses a hand card. The chosen cards are laid face down together,
each in front of the player on the left, where it is that player's *Blindside Card*. Only the giver
knows it.

**The play.** From the dealer's left, a turn is: *draw* the top card of the stock or of the discard
pile; *keep* one hand card face down on your Keeper Pile; *discard* one hand card face up. After three
turns each the hands are empty and the round is over.

**The score.** There are two contests. First the Blindside Cards are turned up and the highest wins;
then the Keeper Piles are turned up, and the highest total of Keeper Pile plus Blindside Card wins. A
winner gets one token from every other player. If the highest is a tie, all who share it are
BLINDSIDED: they win nothing and still pay, and the next highest that nobody shares wins. If every
value is shared, no token moves. (A table may say instead that Blindside Cards compare by rank, the
king above the queen; totals always add the cards' values.)

**The five-card variation.** Nothing is passed. The Blindside Card is a fifth card, dealt face down and
seen by no player, and each player has four turns.

**The end.** Each player deals once, or the table says how many rounds are played. Balances may go
below zero. The highest wins; equal balances share a place.
"""

GAME: Game[State] = Game(
    name="blindside",
    title="Blindside",
    rules=RULES,
    unit="token",
    seats=(2, MOST_SEATS),
    options=Options,
    actions=(PassBlindside, DrawCard, KeepCard, DiscardCard),
    events=get_args(BlindsideEvent),
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
    scores=attrgetter("tokens"),
    view=view,
    steady=play_steady,
    say=say,
)

__all__ = ["GAME"]
