"""Tournaments that gacrux generated, every round of them paired again by us."""

import random
from pathlib import Path

from domain.tournaments.crosstable import Why
from domain.tournaments.files.trf import read_trf
from domain.tournaments.pairing.case import Case
from domain.tournaments.pairing.dutch import pair
from tests.domain.tournaments.fide.tools import generate
from tests.domain.tournaments.swiss import Drawn

# Absences, half-point byes and forfeits: as the generator makes them by itself, and more of them.
RATES = ((0.01, 0.05, 0.02), (0.01, 0.05, 0.02), (0.03, 0.1, 0.06), (0.1, 0.1, 0.1))


def tournament(folder: Path, number: int, *, most: int = 60):
    """Returns the number-th report file: of 8 to `most` players, 5 to 11 rounds, at most half the players."""
    chance = random.Random(number)
    while True:
        players = chance.randint(8, most)
        rounds = chance.randint(5, 11)
        if 2 * rounds <= players:
            return generate(
                folder, number=number, players=players, rounds=rounds, rates=RATES[number % len(RATES)]
            )


def differences(text: str):
    """Returns the rounds in which our pairing differs: number, the file's pairs and ours, 0 for a bye."""
    sheet = read_trf(text)
    for round_ in sheet.crosstable.rounds:
        theirs = {tuple(seat.entrant for seat in board.seats) for board in round_.boards}
        theirs |= {(bye.entrant, 0) for bye in round_.unplayed if bye.why is Why.PAIRING_BYE}
        present = tuple(sorted({number for each in theirs for number in each if number}))
        ours = pair(
            Case(
                crosstable=sheet.crosstable.until(round_.number - 1),
                round=round_.number,
                present=present,
                draw=lambda _purpose: Drawn(sheet.initial),
            )
        )
        if pairs_of(ours) != theirs or ours.relaxed:
            yield round_.number, sorted(theirs - pairs_of(ours)), sorted(pairs_of(ours) - theirs)


def pairs_of(pairing):
    """Returns the pairs (white, black), and (player, 0) for a bye."""
    return {*pairing.tables, *((player, 0) for player in pairing.byes)}
