"""P-2a: if no pairing is legal, the rules are relaxed in their order, each as little as possible."""

import random
from fractions import Fraction

import msgspec
import pytest

from hoodwink.domain.tournaments.crosstable import Round, Why
from hoodwink.domain.tournaments.pairing.dutch.colours import Strength
from hoodwink.domain.tournaments.pairing.dutch.players import players_of
from tests.domain.tournaments.swiss import (
    beats,
    draws,
    ends_without_result,
    forfeits,
    loses,
    paired,
    swiss,
    unfinished,
)
from tests.domain.tournaments.tables import out
from tests.seeds import chunks

HALF = Fraction(1, 2)


def met(pairing):
    return {frozenset(seats) for seats in pairing.tables}


def test_p_2a_colours_are_relaxed_first():
    pairing = paired(swiss([beats(1, 3), beats(2, 4)], [beats(1, 4), beats(2, 3)]))
    assert pairing.relaxed == (
        "1 and 2 meet although both must have black",
        "3 and 4 meet although both must have white",
    )


def test_p_2a_a_further_bye_goes_to_the_entrant_with_the_fewest():
    bye = Why.ASSIGNED_BYE
    played = swiss([out(1, bye, 1), out(2, bye, 1), out(3, bye, 1)], [out(1, bye, 1), out(3, bye, 1), out(2)])
    pairing = paired(played)
    assert (pairing.byes, pairing.relaxed) == ((2,), ("2 gets another bye",))


def test_p_2a_rematches_are_those_longest_ago():
    rounds = [draws(1, 2), draws(3, 4)], [draws(3, 1), draws(2, 4)], [draws(1, 4), draws(3, 2)]
    pairing = paired(swiss(*rounds))
    assert met(pairing) == {frozenset({1, 2}), frozenset({3, 4})}
    assert set(pairing.relaxed) == {f"{pair} meet again after round 1" for pair in ("1 and 2", "3 and 4")}
    again = paired(swiss([draws(1, 2)], [draws(2, 1)]))
    assert again.relaxed == ("1 and 2 meet again after round 1 and 2",)


def test_p_2a_a_rematch_is_preferred_to_a_forbidden_pair():
    played = swiss([draws(1, 3), draws(2, 4)], forbidden=((1, 2), (1, 4), (2, 3), (3, 4)))
    assert met(paired(played)) == {frozenset({1, 3}), frozenset({2, 4})}


def test_p_2a_forbidden_pairs_are_relaxed_last():
    pairing = paired(swiss(entrants=2, forbidden=((1, 2),)))
    assert pairing.relaxed == ("1 and 2 meet although the organiser keeps them apart",)


def history(chance):
    """Returns a cross-table in which anything may have happened, rematches and third colours in a row included."""
    size = chance.randint(1, 7)
    numbers = list(range(1, size + 1))
    played = swiss(
        entrants=size,
        rounds=chance.randint(1, 9),
        forbidden=tuple(
            (one, other) for other in numbers for one in numbers[: other - 1] if chance.random() < 0.2
        ),
    )
    for number in range(1, chance.randint(1, 8)):
        chance.shuffle(numbers)
        seated = numbers[: 2 * chance.randint(0, size // 2)]
        makers = [beats, loses, draws, beats, forfeits, ends_without_result, unfinished]
        boards = [chance.choice(makers)(*seated[i : i + 2]) for i in range(0, len(seated), 2)]
        rest = [out(number, *_unplayed(chance)) for number in numbers[len(seated) :]]
        made = Round(number=number, sitting=1, boards=tuple(boards), unplayed=tuple(rest))
        played = msgspec.structs.replace(played, rounds=(*played.rounds, made))
    return played


def _unplayed(chance):
    return chance.choice(
        [(Why.PAIRING_BYE, 1), (Why.ABSENT, 0), (Why.REQUESTED_BYE, HALF), (Why.ASSIGNED_BYE, 1)]
    )


def least_broken(players, forbidden):
    """Returns the rules broken by the best pairing, found by trying all pairings."""
    if not players:
        return NOTHING
    player, *others = players
    return min(
        add(
            broken(player, other, forbidden),
            least_broken([rival for rival in others if rival is not other], forbidden),
        )
        for other in others
    )


def broken(one, other, forbidden):
    """Returns forbidden pairs, meetings before, rematches by round from the latest, byes before, clashing colours."""
    if other.is_bye:
        return (0, 0, (0,) * 9, one.full_byes, 0)
    rounds = one.met.get(other.number, ())
    last = tuple(int(bool(rounds) and rounds[-1] == round_) for round_ in range(9, 0, -1))
    same = one.preference is not None and one.preference == other.preference
    clashes = (
        same and one.preference.strength is Strength.ABSOLUTE and not (one.is_topscorer or other.is_topscorer)
    )
    pair = (min(one.number, other.number), max(one.number, other.number))
    return (int(pair in forbidden), len(rounds), last, 0, int(clashes))


NOTHING = (0, 0, (0,) * 9, 0, 0)


def add(one, other):
    rounds = tuple(map(sum, zip(one[2], other[2], strict=True)))
    return (one[0] + other[0], one[1] + other[1], rounds, one[3] + other[3], one[4] + other[4])


@pytest.mark.parametrize("seeds", chunks(300, 50, first=300))
def test_p_2a_any_history_is_paired_and_breaks_as_little_as_possible(seeds):
    for seed in seeds:
        chance = random.Random(seed)
        played = history(chance)
        present = sorted(chance.sample(list(played.numbers()), chance.randint(1, len(played.entrants))))
        pairing = paired(played, present=present)
        assert sorted([*pairing.byes, *(seat for seats in pairing.tables for seat in seats)]) == present
        players = players_of(played, round_=len(played.rounds) + 1, present=present)
        by_number = {player.number: player for player in players}
        found = NOTHING
        for one, other in [*pairing.tables, *((bye, 0) for bye in pairing.byes)]:
            found = add(found, broken(by_number[one], by_number[other], played.terms.forbidden))
        assert found == least_broken(players, played.terms.forbidden), seed
        assert bool(pairing.relaxed) == (found != NOTHING)


@pytest.mark.parametrize("size", [30, 61])
def test_p_2a_never_stuck_over_more_rounds_than_there_are_opponents(size):
    played = swiss(entrants=5, rounds=40)
    chance = random.Random(size)
    for number in range(1, size):
        pairing = paired(played)
        boards = [chance.choice([beats, loses, draws])(*seats) for seats in pairing.tables]
        byes = [out(bye, Why.PAIRING_BYE, 1) for bye in pairing.byes]
        made = Round(number=number, sitting=1, boards=tuple(boards), unplayed=tuple(byes))
        played = msgspec.structs.replace(played, rounds=(*played.rounds, made))
    byes = [bye.entrant for round_ in played.rounds for bye in round_.unplayed]
    assert max(map(byes.count, range(1, 6))) - min(map(byes.count, range(1, 6))) <= 1
