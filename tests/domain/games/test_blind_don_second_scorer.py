"""Blind Don: a second scorer, written from the rules alone, gives every log the same points."""

from typing import Any

import pytest

from tests.domain.games.plain_log import Log, data_of, played_log
from tests.seeds import chunks

RANKS = "23456789TJQKA"
TRUMP_POINTS = {"5": 10, "9": 9, "A": 4, "K": 3, "Q": 2, "J": 1}
TALLY = {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}


class Round:
    """One deal, played again card by card.

    Attributes:
        stacks: each seat's nine stacks, the last card of a stack on top.
        leader: who leads to the next trick.
        tally: what each seat's tricks count towards the eight.
    """

    def __init__(self, dealt: dict[str, Any]) -> None:
        rows = zip(dealt["face_down"], dealt["face_up"], strict=True)
        self.stacks = [[list(stack) for stack in zip(*layers, strict=True)] for layers in rows]
        self.leader = 1 - dealt["dealer"]
        self.trump = ""
        self.tally = [0, 0]

    def take(self, seat: int, position: int) -> str:
        """Takes the card the seat plays off its stack."""
        card: str = self.stacks[seat][position].pop()
        self.trump = self.trump or card[1]
        return card

    def trick(self, led: str, card: str) -> tuple[int, int]:
        """Gives the trick to the higher card; returns its player and the points."""
        if self._height(card, led) > self._height(led, led):
            self.leader = 1 - self.leader
        self.tally[self.leader] += sum(TALLY.get(laid[0], 0) for laid in (led, card))
        return self.leader, sum(map(self._points, (led, card)))

    def _height(self, card: str, led: str) -> int:
        """Trumps above the led suit, that above all else."""
        return RANKS.index(card[0]) + 100 * (card[1] == self.trump) + 50 * (card[1] == led[1])

    def _points(self, card: str) -> int:
        if card[1] == self.trump:
            return TRUMP_POINTS.get(card[0], 0)
        return 5 if card[0] == "5" else 0


def check(log: Log) -> None:
    """Plays the log again and asserts each trick, the eight, the dealers and the winner."""
    scores, played, dealer = [0, 0], Round(data_of(log, "blind_don.round_dealt")[0]), cut(log)
    led = ""
    for kind, data in log:
        match kind:
            case "blind_don.round_dealt":
                played = Round(data)
                assert data["dealer"] == dealer
                dealer = 1 - dealer
            case "blind_don.card_led":
                assert data["seat"] == played.leader
                led = played.take(data["seat"], data["position"])
                assert data["card"] == led
            case "blind_don.trick_taken":
                assert data["seat"] == 1 - played.leader
                suits = {stack[-1][1] for stack in played.stacks[data["seat"]] if stack}
                card = played.take(data["seat"], data["position"])
                assert card[1] == led[1] or led[1] not in suits
                taker, points = played.trick(led, card)
                scores[taker] += points
                assert (data["cards"], data["taker"], data["points"]) == ([led, card], taker, points)
            case "blind_don.cards_tallied":
                assert data["tallies"] == played.tally
                assert not any(stack for row in played.stacks for stack in row)
                if played.tally[0] != played.tally[1]:
                    scores[played.tally.index(max(played.tally))] += 8
            case "table.round_scored":
                assert data["totals"] == scores
    (ended,) = data_of(log, "table.ended")
    assert ended["scores"] == scores
    assert ended["places"] == [1 + (mine < max(scores)) for mine in scores]


def cut(log: Log) -> int:
    """Returns the player who drew the lower card in the last cut."""
    pairs = data_of(log, "blind_don.dealer_cut")[0]["cards"]
    *ties, last = [[RANKS.index(card[0]) for card in pair] for pair in pairs]
    assert all(first == second for first, second in ties)
    assert last[0] != last[1]
    return last.index(min(last))


def round_count(log: Log) -> int:
    """Returns how many rounds the options and the running scores ask for."""
    options, totals = (
        log[0][1]["options"],
        [scored["totals"] for scored in data_of(log, "table.round_scored")],
    )
    count: int = options["rounds"]
    while options["final_tie"] == "two_more_rounds" and totals[count - 1][0] == totals[count - 1][1]:
        count += 2
    return count


@pytest.mark.parametrize("seeds", chunks(200, 20, first=20))
def test_bd_2_bd_3_bd_5_bd_7_bd_11_bd_12_bd_13_bd_14_bd_15_bd_17_bd_18_a_second_scorer_agrees(seeds):
    for seed in seeds:
        log = played_log("blind_don", seed)
        check(log)
        assert len(data_of(log, "table.round_scored")) == round_count(log)
