"""The Double Blind: a second scorer, written from the rules alone, finds the same hats and totals in every log."""

from random import Random
from typing import Any

import msgspec
import pytest

from hoodwink.domain.cards import Card, Draws, SeededDraws
from hoodwink.domain.games.double_blind import GAME
from hoodwink.domain.games.double_blind.options import Options
from hoodwink.domain.kernel import Stage
from tests.domain.games.plain_log import Log, data_of, played_log
from tests.seeds import chunks

COUNTS = {rank: count for count, rank in enumerate("23456789TJQKA", start=2)}


def count(card: str) -> int:
    return 15 if card == "JK" else COUNTS[card[0]]


class Caper:
    """One deal, played again from the cards that the seats put down or expose.

    Attributes:
        hats: who took each hat, with how many points; `None` where it was lost.
        points: what lies in each seat's loot bag.
        exposed: how many cards each seat has exposed.
        is_over: whether the last hat has been played.
    """

    first_dealer = None  # it is drawn

    def __init__(self, dealt: dict[str, Any], *, void: bool) -> None:
        self.seats = len(dealt["sleeves"])
        self.void = void
        self.pockets: list[list[Any]] = list(map(list, dealt["pockets"]))
        self.sleeves: list[list[str]] = list(map(list, dealt["sleeves"]))
        self.bank: list[str] = list(dealt["bank"])
        self.hats: list[tuple[int | None, int]] = []
        self.points = [0] * self.seats
        self.exposed = [0] * self.seats
        self.is_over = False
        self._begin_hat(self.target(dealt["mastermind"]))

    def target(self, seat: int) -> int:
        return (seat - 1) % self.seats

    def _begin_hat(self, hatter: int) -> None:
        self.tied = [(hatter - step) % self.seats for step in range(self.seats)]
        self.hatter, self.stake, self.laid = hatter, 0, dict[int, int]()

    def expose(self, seat: int, zone: list[Any], slot: int) -> None:
        """Switches the card in that place for the top of the bank, if there is one."""
        self.exposed[seat] += 1
        if self.bank:
            self.bank.append(zone[slot])
            zone[slot] = self.bank.pop(0)

    def lay(self, seat: int, card: str) -> None:
        """Puts the card into the middle, and with the last of a go sees what becomes of the hat."""
        assert seat == self.tied[len(self.laid)]
        self.laid[seat] = count(card)
        self.stake += count(card)
        if len(self.laid) == len(self.tied):
            self._compare()

    def _compare(self) -> None:
        self.tied = [seat for seat in self.tied if self.laid[seat] == max(self.laid.values())]
        self.laid = {}
        if len(self.tied) > 1:
            self._tie()
        if len(self.tied) < 2:
            self._end_hat(*self.tied)

    def _tie(self) -> None:
        self.stake += 10
        if self.bank and not any(map(self._credit, self.tied)):
            for seat in self._interest_order():
                if (seat + 1) % self.seats in self.tied:
                    self._fill_pocket(seat)
        spent = [seat for seat in self.tied if not self._credit(seat)]
        if spent == self.tied and not self.void:
            spent.pop()
        self.tied = [seat for seat in self.tied if seat not in spent]

    def _credit(self, seat: int) -> int:
        return len(self.sleeves[seat]) + len([card for card in self.pockets[self.target(seat)] if card])

    def _end_hat(self, winner: int | None = None) -> None:
        self.hats.append((winner, self.stake))
        if winner is not None:
            self.points[winner] += self.stake
        for seat in self._interest_order():
            self._fill_pocket(seat)
            while self.bank and len(self.sleeves[seat]) < 3:
                self.sleeves[seat].append(self.bank.pop(0))
        self.is_over = not self.bank and [None] * 5 in self.pockets
        self._begin_hat(self.target(self.hatter))

    def _interest_order(self) -> list[int]:
        return [(self.hatter - step) % self.seats for step in range(1, self.seats + 1)]

    def _fill_pocket(self, seat: int) -> None:
        pocket = self.pockets[seat]
        while self.bank and None in pocket:
            pocket[pocket.index(None)] = self.bank.pop(0)


class Game:
    """The totals, caper after caper."""

    def __init__(self, seats: int, options: dict[str, Any]) -> None:
        self.options = options
        self.totals = [0] * seats
        self.capers = 0
        self.joker_counts = [0] * seats
        self.is_decided_by_top = False

    def score(self, caper: Caper) -> dict[str, Any]:
        """Adds a finished caper and returns its result."""
        points = [
            won + sum(map(count, sleeve)) for won, sleeve in zip(caper.points, caper.sleeves, strict=True)
        ]
        jokers = self._lowest(points)
        penalties = [15 * exposed for exposed in caper.exposed]
        self.capers += 1
        for seat in range(len(points)):
            self.joker_counts[seat] += seat in jokers
            self.totals[seat] += points[seat] + 15 * (seat in jokers) - penalties[seat]
        fools = self._fools()
        for seat in fools:
            self.totals[seat] += 15 * self.capers
        return {
            "points": points,
            "jokers": jokers,
            "penalties": penalties,
            "queens_fools": fools,
            "queens_fool_points": 15 * self.capers if fools else 0,
            "totals": list(self.totals),
        }

    def _lowest(self, points: list[int]) -> list[int]:
        by_total = self.options["joker_basis"] == "total"
        ranked = [mine + by_total * total for mine, total in zip(points, self.totals, strict=True)]
        lowest = [seat for seat, mine in enumerate(ranked) if mine == min(ranked)]
        return lowest if len(lowest) < len(ranked) else []

    def _fools(self) -> list[int]:
        if self.is_decided_by_top or max(self.totals) < self.options["target_score"]:
            return []
        self.is_decided_by_top = True
        return [seat for seat, jokers in enumerate(self.joker_counts) if jokers == self.capers]

    @property
    def is_over(self) -> bool:
        return self.is_decided_by_top and self.totals.count(max(self.totals)) == 1


def check(log: Log) -> None:
    """Plays the log again and asserts each card, hat and score in it."""
    options, capers = log[0][1]["options"], list[Caper]()
    game = Game(log[0][1]["seats"], options)
    for kind, data in log:
        match kind:
            case "double_blind.caper_dealt":
                assert not game.is_over
                capers.append(Caper(data, void=options["exhausted_trick"] == "void"))
            case "double_blind.pocket_played":
                pocket = capers[-1].pockets[capers[-1].target(data["seat"])]
                assert pocket[data["slot"]] == data["card"]
                pocket[data["slot"]] = None
                capers[-1].lay(data["seat"], data["card"])
            case "double_blind.bribe_played":
                capers[-1].sleeves[data["seat"]].remove(data["card"])
                capers[-1].lay(data["seat"], data["card"])
            case "double_blind.pocket_exposed":
                pocket = capers[-1].pockets[data["owner"]]
                assert pocket[data["slot"]] == data["card"]
                capers[-1].expose(data["seat"], pocket, data["slot"])
            case "double_blind.sleeve_exposed":
                sleeve = capers[-1].sleeves[data["seat"]]
                capers[-1].expose(data["seat"], sleeve, sleeve.index(data["card"]))
            case "double_blind.stashes_revealed":
                assert capers[-1].is_over
                assert data == {"pockets": capers[-1].pockets, "sleeves": capers[-1].sleeves}
            case "double_blind.caper_scored":
                assert data == game.score(capers[-1])
    assert game.is_over
    assert [hat for caper in capers for hat in caper.hats] == hats_told(log)


def hats_told(log: Log) -> list[tuple[int | None, int]]:
    return [
        (data.get("seat"), sum(map(count, data["cards"])) + data["bonus"])
        for kind, data in log
        if kind in {"double_blind.hat_taken", "double_blind.hat_lost"}
    ]


class FewFaces:
    """Draws of decks in which most hats tie, so that tricks go on until credits run out."""

    first_dealer = None

    def __init__(self, chance: Random) -> None:
        self.chance = chance

    def seat(self, seats: int) -> int:
        return self.chance.randrange(seats)

    def deck(self, pack: Any, number: int) -> tuple[Card, ...]:
        return tuple(map(Card, self.chance.choices(("KC", "KD", "KH", "QS"), (9, 9, 9, 1), k=len(pack))))


def live_log(seed: int, draws: Draws) -> Log:
    """Returns the events of a table whose players expose cards too, in turn and out of it."""
    chance = Random(seed)
    seats = 2 + seed % 8
    options = Options(
        target_score=chance.choice((1, 900)),
        exhausted_trick=chance.choice(("void", "last_in_order")),
        joker_basis=chance.choice(("caper", "total")),
        exposure_actions=True,
    )
    log: Log = [("table.opened", {"seats": seats, "options": msgspec.to_builtins(options)})]
    state = GAME.initial(options, seats)
    while state.stage is not Stage.OVER:
        if state.stage is Stage.TO_DEAL:
            events = GAME.deal(state, draws)
        elif state.stage is Stage.TO_SCORE:
            events = GAME.score_round(state)
        else:
            seat, action = some_action(state, chance)
            events = GAME.decide(state, seat, action, 0)
        for event in events:
            state = GAME.evolve(state, event)
            log.append((event.wire, msgspec.json.decode(msgspec.json.encode(event))))
    return log


def some_action(state: Any, chance: Random) -> tuple[int, Any]:
    turn = GAME.turn(state)
    able = [seat for seat in (*turn.owes, *turn.may) if GAME.legal_actions(state, seat, 0)]
    seat = chance.choice(able)
    return seat, chance.choice(GAME.legal_actions(state, seat, 0))


@pytest.mark.parametrize("seeds", chunks(120, 10, first=10))
def test_db_10_db_14_db_16_db_25_db_26_db_31_db_47_a_second_scorer_agrees(seeds):
    for seed in seeds:
        log = played_log("double_blind", seed, target_score=(1, 200, 700)[seed % 3])
        check(log)
        (ended,) = data_of(log, "table.ended")
        (last,) = data_of(log, "double_blind.caper_scored")[-1:]
        assert ended["scores"] == last["totals"]
        assert ended["places"].count(1) == 1


@pytest.mark.parametrize("seeds", chunks(96, 8, first=8))
def test_db_11_db_12_db_13_db_19_db_20_db_21_db_22_db_23_db_46_a_second_scorer_agrees_on_long_tricks(seeds):
    for seed in seeds:
        check(live_log(seed, FewFaces(Random(seed))))


@pytest.mark.parametrize("seeds", chunks(48, 8, first=8))
def test_db_27_db_34_db_35_db_36_a_second_scorer_agrees_where_cards_are_exposed(seeds):
    for seed in seeds:
        log = live_log(seed, SeededDraws(f"{seed:064x}", ()))
        assert data_of(log, "double_blind.pocket_exposed")
        check(log)
