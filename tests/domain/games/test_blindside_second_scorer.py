"""Blindside: a second scorer, written from the rules alone, gives every log the same tokens."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.domain.games.plain_log import Log, data_of, played_log
from tests.seeds import chunks

RANKS = "23456789TJQKA"
COUNTS = dict(zip(RANKS, (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11), strict=True))


def rounds_of(log: Log) -> Iterator[tuple[int | None, int | None, list[int]]]:
    """Yields the winners of both contests of each round, and the balances after it."""
    fronts: dict[int, str] = {}
    piles: list[list[str]] = []
    opened = log[0][1]
    balances, by_rank = [0] * opened["seats"], opened["options"]["blindside_compare"] == "rank"
    for kind, data in log:
        match kind:
            case "blindside.round_dealt":
                fronts, piles = dict(enumerate(data["blindsides"])), [[] for _ in balances]
            case "blindside.blindside_passed":
                fronts[(data["seat"] + 1) % len(balances)] = data["card"]
            case "blindside.card_kept":
                piles[data["seat"]].append(data["card"])
            case "table.round_scored":
                blindsides = [fronts[seat] for seat in range(len(balances))]
                heights = [RANKS.index(card[0]) if by_rank else COUNTS[card[0]] for card in blindsides]
                sums = [
                    sum(COUNTS[card[0]] for card in [card, *pile])
                    for card, pile in zip(blindsides, piles, strict=True)
                ]
                yield paid(heights, balances), paid(sums, balances), list(balances)


def paid(heights: list[int], balances: list[int]) -> int | None:
    """Lets everybody pay the winner, the highest seat that ties with no other, and returns it."""
    for height in sorted(set(heights), reverse=True):
        if heights.count(height) == 1:
            winner = heights.index(height)
            for seat in range(len(balances)):
                balances[seat] -= 1
            balances[winner] += len(balances)
            return winner
    return None


def recorded_rounds(log: Log) -> list[tuple[Any, ...]]:
    first, second = data_of(log, "blindside.blindsides_revealed"), data_of(log, "blindside.keepers_revealed")
    scored = data_of(log, "table.round_scored")
    return [
        (blindsides["winner"], keepers["winner"], score["totals"])
        for blindsides, keepers, score in zip(first, second, scored, strict=True)
    ]


@pytest.mark.parametrize("seeds", chunks(200, 48, first=8))
def test_bs_6_bs_7_bs_8_bs_9_bs_10_bs_11_bs_12_bs_23_bs_25_a_second_scorer_agrees(seeds):
    for seed in seeds:
        log = played_log("blindside", seed)
        rounds = list(rounds_of(log))
        assert rounds == recorded_rounds(log), seed
        assert len(rounds) == (log[0][1]["options"]["rounds"] or log[0][1]["seats"])
        (ended,) = data_of(log, "table.ended")
        *_, (_, _, balances) = rounds
        assert ended["scores"] == balances
        assert [place == 1 for place in ended["places"]] == [tokens == max(balances) for tokens in balances]
