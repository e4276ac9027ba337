"""Tournaments generated here: late entries, withdrawals, byes of all kinds, no-shows, forbidden pairs."""

import random
from fractions import Fraction
from itertools import combinations

import msgspec

from hoodwink.domain.tournaments.chance import Lots
from hoodwink.domain.tournaments.crosstable import Crosstable, Entrant, Round, SeatState, Unplayed, Why
from hoodwink.domain.tournaments.files.trf import TrfSheet, write_trf
from hoodwink.domain.tournaments.pairing.case import Case
from hoodwink.domain.tournaments.pairing.dutch import initial_colour, pair
from hoodwink.domain.tournaments.scoring import scores_after
from hoodwink.domain.tournaments.terms import Format, Terms
from tests.domain.tournaments.tables import NO_SHOW, table

HALF = Fraction(1, 2)


def tournament(number: int, *, most: int = 60):
    """Returns the number-th cross-table of 4 to `most` players, up to the last round that can be paired legally.

    It ends with a round in which a game was played, because the checker reads no further.
    """
    chance = random.Random(number)
    players = chance.randint(4, most)
    terms = Terms(
        format=Format.SWISS,
        seats=2,
        table_min=2,
        table_max=2,
        rounds=chance.randint(1, min(11, players // 2)),
        bye_score=chance.choice([Fraction(1), Fraction(1), HALF, Fraction(0)]),
        late_score=chance.choice([Fraction(0), Fraction(0), HALF, Fraction(1)]),
        forbidden=_forbidden(chance, players),
    )
    played = Crosstable(terms=terms, entrants=_entrants(chance, players, terms.rounds))
    unrest = chance.choice([0, 0.02, 0.05, 0.1])
    for round_ in range(1, terms.rounds + 1):
        unplayed = [
            missed for entrant in played.entrants if (missed := _unplayed(chance, entrant, played, unrest))
        ]
        pairing = pair(_case(played, round_, {missed.entrant for missed in unplayed}, number))
        if pairing.relaxed:
            break
        byes = [Unplayed(entrant=bye, why=Why.PAIRING_BYE, score=terms.bye_score) for bye in pairing.byes]
        boards = [_board(chance, board, seats, unrest) for board, seats in enumerate(pairing.tables, 1)]
        made = Round(number=round_, sitting=1, boards=tuple(boards), unplayed=tuple(unplayed + byes))
        played = msgspec.structs.replace(played, rounds=(*played.rounds, made))
    return played.until(
        max((made.number for made in played.rounds if any(map(_is_played, made.boards))), default=0)
    )


def _forbidden(chance, players):
    pairs = list(combinations(range(1, players + 1), 2))
    return tuple(sorted(chance.sample(pairs, chance.choice([0, 0, 1, players // 4]))))


def _entrants(chance, players, rounds):
    late = chance.choice([0, 0, players // 10, players // 4])
    return tuple(
        Entrant(
            number=number,
            name=f"Entrant {number}",
            from_round=chance.randint(1, min(4, rounds)) if number > players - late else 1,
            left_after=chance.randint(1, rounds) if chance.random() < 0.08 else None,
        )
        for number in range(1, players + 1)
    )


def _unplayed(chance, entrant, played, unrest):
    """Returns why an entrant does not play in the next round, or `None`."""
    terms, number, round_ = played.terms, entrant.number, len(played.rounds) + 1
    if round_ < entrant.from_round:
        return Unplayed(entrant=number, why=Why.LATE, score=terms.late_score)
    if entrant.left_after is not None and round_ > entrant.left_after:
        return Unplayed(entrant=number, why=Why.WITHDRAWN, score=Fraction(0))
    if chance.random() >= unrest:
        return None
    why = chance.choice([Why.ABSENT, Why.REQUESTED_BYE, Why.REQUESTED_BYE, Why.ASSIGNED_BYE])
    scores = {
        Why.ABSENT: [Fraction(0)],
        Why.REQUESTED_BYE: [HALF],
        Why.ASSIGNED_BYE: [Fraction(0), HALF, Fraction(1)],
    }
    return Unplayed(entrant=number, why=why, score=chance.choice(scores[why]))


def _is_played(board):
    return all(seat.state is SeatState.PLAYED for seat in board.seats)


def _case(played, round_, out, number):
    return Case(
        crosstable=played,
        round=round_,
        present=tuple(entrant for entrant in played.numbers() if entrant not in out),
        draw=lambda purpose: Lots("seed", [str(number)], purpose=purpose, round_=round_),
    )


def _board(chance, number, seats, unrest):
    white, black = seats
    if chance.random() < unrest:
        shows = chance.choice([((white, 1), (black, NO_SHOW)), ((white, NO_SHOW), (black, 1))])
        return table(number, *shows)
    if chance.random() < unrest / 4:
        return table(number, (white, NO_SHOW), (black, NO_SHOW))
    return table(
        number, *chance.choice([((white, 1), (black, 2)), ((white, 2), (black, 1)), ((white, 1), (black, 1))])
    )


def report(played: Crosstable) -> str:
    """Returns the tournament's report file."""
    return write_trf(
        TrfSheet(
            name="Ours",
            start="2026/11/01",
            end="2026/11/02",
            initial=initial_colour(played) or "w",
            crosstable=played,
            ranks={},
        )
    )


def differences(played, checked):
    """Yields the rounds in which the checker differs: number, the checker's pairs and ours, 0 for a bye.

    The checker orders boards of equal scores by the lower rank of the two players, we by that of the one with the
    higher score (C.04.2). So ours are ordered as it does before they are compared.
    """
    for round_, found in zip(played.rounds, checked, strict=True):
        scores = scores_after(played, round_.number - 1) | {0: Fraction(-1)}
        ours = [tuple(seat.entrant for seat in board.seats) for board in round_.boards]
        ours += [(unplayed.entrant, 0) for unplayed in round_.unplayed if unplayed.why is Why.PAIRING_BYE]
        ours.sort(key=lambda pair: _checkers_order(pair, scores))
        theirs = [tuple(pair) for pair in found["pairs"]]
        if ours != theirs or not found["check"]:
            yield round_.number, [*theirs], [*ours]


def _checkers_order(pair, scores):
    both = [scores[number] for number in pair]
    return 0 in pair, -max(both), -sum(both), min(pair)
