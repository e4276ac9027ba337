"""Coconut: a second referee, written from the rules alone, finds every play of every log legal and in its place."""

from math import inf
from typing import Any

import pytest

from tests.domain.games.plain_log import Log, data_of, eager_log, played_log
from tests.seeds import chunks

AS_NUMBERS = "23456789TJQKA"
BY_HEIGHT = AS_NUMBERS.replace("T", "")  # a 10 goes on anything and never lies on top


class Round:
    """One deal, played again card by card.

    Attributes:
        out: who has no cards left, in order.
        is_over: whether the round has come to its end.
    """

    def __init__(self, dealt: dict[str, Any], options: dict[str, Any]) -> None:
        self.options = options
        self.hands: list[list[str]] = list(map(list, dealt["hands"]))
        self.face_down: list[list[Any]] = list(map(list, dealt["face_down"]))
        self.stock: list[str] = list(dealt["stock"])
        self.seats = len(self.hands)
        self.face_up: list[list[str]] = [[] for _ in self.hands]
        self.chosen: dict[int, list[str]] = {}
        self.pile: list[str] = []
        self.layer, self.laid_at = -1, 0.0
        self.mover = (dealt["dealer"] + 1) % self.seats
        self.is_opening = True
        self.out: list[int] = []
        self.is_over = False

    def choose(self, seat: int, cards: list[str]) -> None:
        assert seat not in self.chosen
        assert len(cards) == 3
        self.chosen[seat] = cards
        take(cards, self.hands[seat])

    def reveal(self, face_up: list[list[str]]) -> None:
        assert face_up == [self.chosen[seat] for seat in range(self.seats)]
        self.face_up = list(map(list, face_up))

    def play(self, seat: int, cards: list[str], at: float) -> list[str]:
        """Lays the cards and returns what the seat draws."""
        self._check_mover(seat, at)
        assert self._may_open(cards[0]) if self.is_opening else self._may_follow(cards[0])
        take(cards, self._zone(seat))
        return self._lay(seat, cards, at)

    def sneak(self, seat: int, cards: list[str]) -> list[str]:
        """Completes four of a kind out of turn and returns what the seat draws."""
        assert seat in self._sneakers()
        assert self.pile[-1][0] == cards[0][0]
        assert is_four([*self.pile, *cards])
        take(cards, self._zone(seat))
        return self._lay(seat, cards, self.laid_at, is_sneak=True)

    def flip(self, seat: int, slot: int, card: str, at: float) -> bool:
        """Turns a card up and returns whether it could be played."""
        self._check_mover(seat, at)
        assert not self._zone(seat)
        assert self.face_down[seat][slot] == card
        self.face_down[seat][slot] = None
        if self._may_follow(card):
            assert not self._lay(seat, [card], at)
            return True
        self._take_pile(seat, card)
        return False

    def pick_up(self, seat: int, at: float) -> None:
        self._check_mover(seat, at)
        zone = self._zone(seat)
        assert zone
        assert self.pile
        assert self.options["voluntary_pickup"] or not any(map(self._may_follow, zone))
        self._take_pile(seat)

    def points(self) -> list[int]:
        assert self.is_over
        order = self.out + [seat for seat in range(self.seats) if seat not in self.out]
        worth = range(self.seats)[::-1] if self.options["play_for_places"] else [1, 0, 0, 0]
        return [worth[order.index(seat)] for seat in range(self.seats)]

    def _check_mover(self, seat: int, at: float) -> None:
        """In a grace period the player to move waits for those who could sneak from a hand or face-up cards."""
        assert self.chosen.keys() == set(range(self.seats))
        assert not self.is_over
        assert seat == self.mover
        if any(map(self._zone, self._sneakers())):
            assert at >= self.laid_at + self.options["sneak_grace_ms"]

    def _sneakers(self) -> list[int]:
        is_open = self.options["sneak"] and self.pile and not self.is_over
        barred = {self.mover, self.layer, *self.out}
        return [seat for seat in range(self.seats) if is_open and seat not in barred]

    def _zone(self, seat: int) -> list[str]:
        return self.hands[seat] or self.face_up[seat]

    def _may_open(self, card: str) -> bool:
        opening: str = self.options["opening"]
        hand = [held[0] for held in self.hands[self.mover]]
        tame = [rank for rank in hand if rank not in "2T"]
        counted = tame if tame and opening == "lowest_nonwild" else hand
        return opening == "free" or card[0] == min(counted, key=AS_NUMBERS.index)

    def _may_follow(self, card: str) -> bool:
        if not self.pile or card[0] in "2T":
            return True
        return BY_HEIGHT.index(card[0]) >= BY_HEIGHT.index(self.pile[-1][0])

    def _lay(self, seat: int, cards: list[str], at: float, *, is_sneak: bool = False) -> list[str]:
        assert len({card[0] for card in cards}) == 1
        self.pile += cards
        self.is_opening, self.layer, self.laid_at = False, seat, at
        drawn = self._draw(seat)
        if not self._zone(seat) and not any(self.face_down[seat]):
            self.out.append(seat)
            self.is_over = len(self.out) == (self.seats - 1 if self.options["play_for_places"] else 1)
        again = cards[0][0] == "2" and self.options["two_plays_again"]
        if cards[0][0] == "T" or is_four(self.pile):
            self.pile = []
            again = is_sneak or self.options["clear_plays_again"]
        self._pass_on(seat, again=again)
        return drawn

    def _draw(self, seat: int) -> list[str]:
        count = max(0, 3 - len(self.hands[seat]))
        drawn, self.stock = self.stock[:count], self.stock[count:]
        self.hands[seat] += drawn
        return drawn

    def _take_pile(self, seat: int, *card: str) -> None:
        self.hands[seat] += [*self.pile, *card]
        self.pile = []
        self._pass_on(seat, again=False)

    def _pass_on(self, seat: int, *, again: bool) -> None:
        self.mover = seat if again else (seat + 1) % self.seats
        while self.mover in self.out and not self.is_over:
            self.mover = (self.mover + 1) % self.seats


def take(cards: list[str], zone: list[str]) -> None:
    for card in cards:
        zone.remove(card)


def is_four(pile: list[str]) -> bool:
    return len(pile) >= 4 and len({card[0] for card in pile[-4:]}) == 1


def check(log: Log) -> list[int]:
    """Plays the log again, asserts every step of it, and returns the points of all its rounds."""
    opened, rounds = log[0][1], list[Round]()
    points, dealers = [0] * opened["seats"], list[int]()
    for kind, data in log:
        match kind:
            case "coconut.round_dealt":
                rounds.append(Round(data, opened["options"]))
                dealers.append(data["dealer"])
            case "coconut.face_up_chosen":
                rounds[-1].choose(data["seat"], data["cards"])
            case "coconut.face_up_revealed":
                rounds[-1].reveal(data["face_up"])
            case "coconut.cards_played":
                assert data["drawn"] == rounds[-1].play(data["seat"], data["cards"], data["at"])
            case "coconut.cards_sneaked":
                assert data["drawn"] == rounds[-1].sneak(data["seat"], data["cards"])
            case "coconut.card_flipped":
                assert rounds[-1].flip(data["seat"], data["slot"], data["card"], data["at"])
            case "coconut.flip_failed":
                assert not rounds[-1].flip(data["seat"], data["slot"], data["card"], data.get("at", inf))
            case "coconut.pile_picked_up":
                rounds[-1].pick_up(data["seat"], data.get("at", inf))
            case "coconut.round_scored":
                assert data["points"] == rounds[-1].points()
                points = list(map(sum, zip(points, data["points"], strict=True)))
    assert dealers == [(dealers[0] + lap) % opened["seats"] for lap in range(opened["options"]["rounds"])]
    return points


@pytest.mark.parametrize("seeds", chunks(160, 40, first=8))
def test_co_7_co_8_co_10_co_25_co_33_co_34_co_35_co_38_co_39_co_40_a_second_referee_agrees(seeds):
    for seed in seeds:
        log = played_log("coconut", seed)
        (ended,) = data_of(log, "table.ended")
        assert ended["scores"] == check(log), seed


@pytest.mark.parametrize("seeds", chunks(160, 40, first=8))
def test_co_17_co_20_co_22_co_36_co_37_a_second_referee_agrees_where_seats_sneak(seeds):
    logs = [eager_log("coconut", seed) for seed in seeds]
    for log in logs:
        check(log)
    assert any(data_of(log, "coconut.cards_sneaked") for log in logs)
