"""Shithead: a second referee, written from the rules alone, finds every play of every log legal and in its place."""

from typing import Any

import pytest

from tests.domain.games.plain_log import Log, data_of, eager_log, played_log
from tests.seeds import chunks

UPWARDS = "45679JQKA"


class Round:
    """One deal, played again card by card.

    Attributes:
        finished: who has no cards left, in order.
        mover: whose turn it is; while a Joker waits for an answer, whom it named.
        waits_for: "play", the "answer" to a Joker or the "target" of a blind one; first of all the "swaps".
    """

    def __init__(self, dealt: dict[str, Any], options: dict[str, Any]) -> None:
        self.options, self.dealer = options, dealt["dealer"]
        self.hands: list[list[str]] = list(map(list, dealt["hands"]))
        self.face_up: list[list[str]] = list(map(list, dealt["face_up"]))
        self.blind: list[list[Any]] = list(map(list, dealt["blind"]))
        self.stock: list[str] = list(dealt["stock"])
        self.seats = len(self.hands)
        self.ready: set[int] = set()
        self.first: str | None = None
        self.pile: list[str] = []
        self.layer = -1
        self.jokers: list[int] = []
        self.direction = 1
        self.mover = -1
        self.waits_for = "swaps"
        self.finished: list[int] = []

    def swap(self, seat: int, hand_card: str, face_up_card: str) -> None:
        assert seat not in self.ready
        take([hand_card], self.hands[seat])
        take([face_up_card], self.face_up[seat])
        self.hands[seat].append(face_up_card)
        self.face_up[seat].append(hand_card)

    def start(self) -> tuple[int, str | None]:
        """Returns the player who starts, and the card."""
        assert self.ready == set(range(self.seats))
        round_table = [(self.dealer + step) % self.seats for step in range(1, self.seats + 1)]
        self.mover, self.waits_for = round_table[0], "play"
        for card in (rank + suit for rank in "456789TJQKA" for suit in "CHSD"):
            for seat in round_table:
                if card in self.hands[seat]:
                    self.mover, self.first = seat, card
                    return seat, card
        return self.mover, None

    def play(self, seat: int, cards: list[str]) -> list[str]:
        """Lays the cards and returns what the seat draws."""
        self._check_mover(seat, "play")
        assert self.first in {None, *cards}
        assert self._may_follow(cards, is_face_up=not self.hands[seat])
        take(cards, self._zone(seat))
        return self._lay(seat, cards)

    def burn(self, seat: int, cards: list[str]) -> list[str]:
        """Completes four of a kind out of turn and returns what the seat draws."""
        assert self.options["out_of_turn_burn"]
        assert self.pile
        assert self.waits_for == "play"
        assert seat not in {self.mover, self.layer, *self.finished}
        assert self.pile[-1][0] == cards[0][0]
        assert is_four([*self.pile, *cards])
        take(cards, self._zone(seat))
        return self._lay(seat, cards)

    def flip(self, seat: int, slot: int, card: str) -> str:
        """Turns a blind card up and returns what became of it."""
        self._check_mover(seat, "play")
        assert not self._zone(seat)
        assert self.blind[seat][slot] == card
        self.blind[seat][slot] = None
        if card == "JK":
            self.waits_for = "target"
            return "turned"
        if self._may_follow([card], is_face_up=False):
            assert not self._lay(seat, [card])
            return "played"
        self._take_pile(seat, card)
        return "failed"

    def pick_up(self, seat: int, face_up_card: str | None) -> None:
        self._check_mover(seat, "play")
        assert self.pile
        assert (face_up_card is None) == bool(self.hands[seat])
        assert self.options["voluntary_pickup"] or not self._can_play(seat)
        chosen = [] if face_up_card is None else [face_up_card]
        take(chosen, self.face_up[seat])
        self._take_pile(seat, *chosen)

    def name(self, seat: int, target: int, *, is_counter: bool) -> list[str]:
        """Lays a Joker, asks whom it names, and returns what the seat draws."""
        if self.waits_for == "target":
            self._check_mover(seat, "target")
        else:
            self._check_mover(seat, "answer" if is_counter else "play")
            take(["JK"], self._zone(seat))
        assert self.first is None
        assert target in range(self.seats)
        assert target != seat
        assert self.pile or self._has_cards(target)
        self.jokers.append(seat)
        drawn = self._draw(seat)
        self.mover, self.waits_for = target, "answer"
        if not self._zone(target):
            self.accept(target)
        return drawn

    def accept(self, seat: int) -> None:
        self._check_mover(seat, "answer")
        had_pile = bool(self.pile)
        self.hands[seat] += self.pile
        if self.options["joker_fate"] == "picked_up":
            self.hands[seat] += ["JK"] * len(self.jokers)
        self.finished = [other for other in self.finished if other != seat]
        for index, player in enumerate(self.jokers):
            if player not in self.jokers[index + 1 :] and not self._has_cards(player):
                self.finished.append(player)
        self.pile, self.jokers, self.waits_for = [], [], "play"
        if had_pile and self.options["pickup_restart"] == "next":
            self.mover = self._ring(seat)[0]

    def order(self) -> list[int]:
        """Returns everybody as they finished, the shithead last."""
        assert self.is_over()
        return self.finished + [seat for seat in range(self.seats) if seat not in self.finished]

    def is_over(self) -> bool:
        return len(self.finished) == self.seats - 1

    def _check_mover(self, seat: int, step: str) -> None:
        assert not self.is_over()
        assert (seat, step) == (self.mover, self.waits_for)

    def _zone(self, seat: int) -> list[str]:
        return self.hands[seat] or self.face_up[seat]

    def _has_cards(self, seat: int) -> bool:
        return bool(self._zone(seat)) or any(self.blind[seat])

    def _may_follow(self, cards: list[str], *, is_face_up: bool) -> bool:
        rank, seen = cards[0][0], [card[0] for card in self.pile if card[0] != "8"]
        if not seen or seen[-1] in "23" or rank in "238T":
            return True
        if rank == self.pile[-1][0] and is_four([*self.pile, *cards]):
            return True
        if seen[-1] == "7":
            return rank in "456" or (rank == "7" and self.options["seven_allows_seven"])
        is_strict = is_face_up and self.options["face_up_strict"]
        return UPWARDS.index(rank) >= UPWARDS.index(seen[-1]) + is_strict

    def _can_play(self, seat: int) -> bool:
        zone, is_face_up = self._zone(seat), not self.hands[seat]
        alike = [[other for other in zone if other[0] == card[0] and other != "JK"] for card in zone]
        return "JK" in zone or any(self._may_follow(cards, is_face_up=is_face_up) for cards in alike)

    def _lay(self, seat: int, cards: list[str]) -> list[str]:
        assert len({card[0] for card in cards}) == 1
        assert "JK" not in cards
        self.pile += cards
        self.layer, self.first = seat, None
        drawn, ring = self._draw(seat), self._ring(seat)
        if cards[0][0] == "T" or is_four(self.pile):
            self.pile, following = [], seat
        else:
            following = self._effects(cards, seat)
        if not self._has_cards(seat):
            self.finished.append(seat)
            following = ring[0] if following == seat else following
        self.mover = following
        return drawn

    def _effects(self, cards: list[str], seat: int) -> int:
        """Reverses the direction for 5s and returns the next player, after skipping for 3s."""
        rank, others = cards[0][0], self.seats - len(self.finished) - 1
        if rank == "5" and others > 1 and (len(cards) % 2 or self.options["stack_fives"] == "once"):
            self.direction = -self.direction
        threes = len(cards) if self.options["stack_threes"] else 1
        return self._ring(seat)[min(threes, others) if rank == "3" else 0]

    def _ring(self, seat: int) -> list[int]:
        """Returns the players still in, from the next one round to the seat itself."""
        steps = range(1, self.seats + 1)
        ring = [(seat + self.direction * step) % self.seats for step in steps]
        return [player for player in ring if player not in self.finished]

    def _draw(self, seat: int) -> list[str]:
        count = max(0, 3 - len(self.hands[seat]))
        drawn, self.stock = self.stock[:count], self.stock[count:]
        self.hands[seat] += drawn
        return drawn

    def _take_pile(self, seat: int, *card: str) -> None:
        self.hands[seat] += [*self.pile, *card]
        self.pile = []
        self.mover = seat if self.options["pickup_restart"] == "picker" else self._ring(seat)[0]


def take(cards: list[str], zone: list[str]) -> None:
    for card in cards:
        zone.remove(card)


def is_four(pile: list[str]) -> bool:
    return len(pile) >= 4 and len({card[0] for card in pile[-4:]}) == 1


def check(log: Log) -> list[int]:
    """Plays the log again, asserts every step of it, and returns the points of all its rounds."""
    opened, rounds = log[0][1], list[Round]()
    points, dealer = [0] * opened["seats"], None
    for kind, data in log:
        seat = data.get("seat", -1)
        match kind:
            case "shithead.round_dealt":
                assert dealer in {None, data["dealer"]}
                rounds.append(Round(data, opened["options"]))
            case "shithead.cards_swapped":
                rounds[-1].swap(seat, data["hand_card"], data["face_up_card"])
            case "shithead.seat_ready":
                rounds[-1].ready.add(seat)
            case "shithead.play_started":
                assert (seat, data["card"]) == rounds[-1].start()
                assert list(map(sorted, data["face_up"])) == list(map(sorted, rounds[-1].face_up))
            case "shithead.cards_played":
                assert data["drawn"] == rounds[-1].play(seat, data["cards"])
            case "shithead.pile_burned":
                assert data["drawn"] == rounds[-1].burn(seat, data["cards"])
            case "shithead.blind_joker_turned":
                assert rounds[-1].flip(seat, data["slot"], "JK") == "turned"
            case "shithead.blind_card_played" | "shithead.blind_card_failed":
                assert kind.endswith(rounds[-1].flip(seat, data["slot"], data["card"]))
            case "shithead.pile_picked_up":
                rounds[-1].pick_up(seat, data["face_up_card"])
            case "shithead.joker_played" | "shithead.joker_countered":
                is_counter = kind.endswith("countered")
                assert data["drawn"] == rounds[-1].name(seat, data["target"], is_counter=is_counter)
            case "shithead.pile_accepted":
                rounds[-1].accept(seat)
            case "shithead.shithead_named":
                order = rounds[-1].order()
                won = [len(order) - 1 - order.index(seat) for seat in range(len(order))]
                assert (data["order"], data["points"]) == (order, won)
                points = list(map(sum, zip(points, won, strict=True)))
                dealer = order[-1]
            case "table.round_voided":
                dealer = (rounds[-1].dealer + 1) % len(points)
    return points


@pytest.mark.parametrize("seeds", chunks(80, 20, first=4))
def test_sh_14_sh_16_sh_22_sh_30_sh_31_sh_51_sh_56_sh_58_sh_59_sh_60_sh_61_a_second_referee_agrees(seeds):
    for seed in seeds:
        log = played_log("shithead", seed)
        (ended,) = data_of(log, "table.ended")
        assert ended["scores"] in (check(log), None), seed


@pytest.mark.parametrize("seeds", chunks(80, 24, first=8))
def test_sh_25_sh_45_sh_55_sh_57_a_second_referee_agrees_where_seats_burn_out_of_turn(seeds):
    logs = [eager_log("shithead", seed) for seed in seeds]
    for log in logs:
        check(log)
    assert any(data_of(log, "shithead.pile_burned") for log in logs)
