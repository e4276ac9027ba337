"""Seeded random cross-tables with everything that happens to entrants: the same seed makes the same one.

Who meets whom is drawn without any system: scores and standings have to be right for any pairing.
"""

from fractions import Fraction
from itertools import count

import msgspec

from hoodwink.domain.tournaments.crosstable import (
    Board,
    Crosstable,
    Entrant,
    Outcome,
    Round,
    Seat,
    SeatState,
    Unplayed,
    Why,
)
from hoodwink.domain.tournaments.terms import Format, ScoreBy, Terms, Tiebreak

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
SUMS = tuple(tiebreak for tiebreak in Tiebreak if tiebreak not in {Tiebreak.DIRECT, Tiebreak.LOT})


def tiebreaks(rng):
    """Returns all tie-breaks but the lot, in a drawn order; often the direct encounter is the first."""
    order = rng.sample([*SUMS, Tiebreak.DIRECT], len(SUMS) + 1)
    return tuple(
        sorted(order, key=lambda tiebreak: tiebreak is not Tiebreak.DIRECT) if rng.random() < 0.5 else order
    )


def swiss_of_two(rng):
    """Returns a tournament of tables of two, with forfeits, byes, absences, withdrawals and late entries."""
    rounds = rng.randint(1, 9)
    terms = Terms(
        format=Format.SWISS,
        seats=2,
        table_min=2,
        table_max=2,
        rounds=rounds,
        bye_score=rng.choice([ONE, ONE, HALF, ZERO]),
        late_score=rng.choice([ZERO, ZERO, HALF, ONE]),
        tiebreaks=tiebreaks(rng),
    )
    entrants = _entrants(rng, rng.randint(2, 24), rounds)
    made = [_round(rng, number, terms, entrants, [2] * len(entrants)) for number in range(1, rounds + 1)]
    return Crosstable(terms=terms, entrants=entrants, rounds=tuple(made))


def round_robin_of_two(rng):
    """Returns a whole or unfinished round robin, once or twice round, with forfeits."""
    entrants = tuple(Entrant(number=number, name=f"E{number}") for number in range(1, rng.randint(3, 10)))
    turns = rng.choice([1, 1, 2])
    schedule = [round_ for _ in range(turns) for round_ in _everybody_meets(rng, len(entrants))]
    rounds = rng.randint(1, len(schedule))
    terms = Terms(
        format=Format.ROUND_ROBIN,
        seats=2,
        table_min=2,
        table_max=2,
        rounds=len(schedule),
        tiebreaks=tiebreaks(rng),
    )
    made = []
    for number, pairs in enumerate(schedule[:rounds], 1):
        seated = [entrant for pair in pairs for entrant in pair]
        unplayed = [
            Unplayed(entrant=entrant.number, why=Why.PAIRING_BYE, score=ZERO)
            for entrant in entrants
            if entrant.number not in seated
        ]
        boards = [_board(rng, board, pair, terms, annulled=0) for board, pair in enumerate(pairs, 1)]
        made.append(Round(number=number, sitting=number, boards=tuple(boards), unplayed=tuple(unplayed)))
    return Crosstable(terms=terms, entrants=entrants, rounds=tuple(made))


def of_many(rng):
    """Returns a tournament of tables of three and more."""
    rounds = rng.randint(1, 7)
    format_ = rng.choice([Format.SWISS, Format.LEAGUE, Format.ROUND_ROBIN])
    terms = Terms(
        format=format_,
        seats=rng.randint(3, 6),
        table_min=2,
        table_max=10,
        rounds=rounds,
        score_by=rng.choice([ScoreBy.PLACE, ScoreBy.PLACE, ScoreBy.WIN, ScoreBy.POINTS]),
        best_of=rng.choice([None, 1, 2, 3]) if format_ is Format.LEAGUE else None,
        late_score=rng.choice([ZERO, ZERO, HALF, ONE]),
        tiebreaks=tiebreaks(rng),
    )
    entrants = _entrants(rng, rng.randint(2, 20), rounds)
    made = [_round(rng, number, terms, entrants, _sizes(rng, terms)) for number in range(1, rounds + 1)]
    return Crosstable(terms=terms, entrants=entrants, rounds=tuple(made))


def league_of_few(rng):
    """Returns a league of few entrants over many rounds, so that many have met, and many are equal."""
    case = of_many(rng)
    few = tuple(entrant for entrant in case.entrants if entrant.number <= 5)
    terms = msgspec.structs.replace(
        case.terms, score_by=ScoreBy.WIN, best_of=None, tiebreaks=(Tiebreak.DIRECT,)
    )
    sizes = [terms.seats] * 9
    made = [_round(rng, number, terms, few, sizes) for number in range(1, terms.rounds + 1)]
    return Crosstable(terms=terms, entrants=few, rounds=tuple(made))


def _entrants(rng, number, rounds):
    return tuple(_entrant(rng, rank, rounds) for rank in range(1, number + 1))


def _entrant(rng, number, rounds):
    from_round = rng.randint(2, rounds) if rounds > 1 and rng.random() < 0.1 else 1
    left_after = rng.randint(from_round, rounds) if rng.random() < 0.1 else None
    is_expelled = left_after is not None and rng.random() < 0.2
    return Entrant(
        number=number,
        name=f"E{number}",
        from_round=from_round,
        left_after=left_after,
        is_expelled=is_expelled,
    )


def _sizes(rng, terms):
    return [rng.randint(max(2, terms.seats - 1), terms.seats) for _ in range(20)]


def _round(rng, number, terms, entrants, sizes):
    """Returns a round: the entrants who are present, divided into tables of these sizes; one left over has a bye."""
    away = {entrant.number: _away(rng, number, terms, entrant) for entrant in entrants}
    present = [entrant for entrant, unplayed in away.items() if unplayed is None]
    rng.shuffle(present)
    unplayed = [missed for missed in away.values() if missed is not None]
    boards = []
    for board, size in zip(count(1), sizes, strict=False):
        if len(present) < 2:
            break
        seated, present = present[:size], present[size:]
        boards.append(_board(rng, board, seated, terms, annulled=0.08))
    unplayed += [Unplayed(entrant=entrant, why=Why.PAIRING_BYE, score=terms.bye_score) for entrant in present]
    sitting = (number + 1) // 2
    return Round(number=number, sitting=sitting, boards=tuple(boards), unplayed=tuple(unplayed))


def _away(rng, number, terms, entrant):
    """Returns why an entrant does not play in a round, or `None`."""
    if number < entrant.from_round:
        return Unplayed(entrant=entrant.number, why=Why.LATE, score=terms.late_score)
    if entrant.left_after is not None and number > entrant.left_after:
        return Unplayed(entrant=entrant.number, why=Why.WITHDRAWN, score=ZERO)
    why, score = rng.choices(
        [(None, ZERO), (Why.ABSENT, ZERO), (Why.REQUESTED_BYE, HALF)]
        + [(Why.ASSIGNED_BYE, score) for score in (ZERO, HALF, ONE)],
        [80, 8, 6, 2, 2, 2],
    )[0]
    return why and Unplayed(entrant=entrant.number, why=why, score=score)


def _board(rng, number, seated, terms, *, annulled):
    states = [rng.choices(*_STATES)[0] for _ in seated]
    entrants = list(seated)
    if terms.seats > 2 and len(seated) < terms.seats and rng.random() < 0.2:
        entrants.append(None)
        states.append(SeatState.BOT)
    outcome = Outcome.RESULT if set(states) - {SeatState.NO_SHOW, SeatState.BOT} else Outcome.NO_RESULT
    if rng.random() < annulled:
        unfinished = [Outcome.UNFINISHED] if terms.seats > 2 else []
        outcome = rng.choice([Outcome.NO_RESULT, Outcome.VOID, *unfinished])
    void_score = rng.choice([None, ZERO, HALF, ONE]) if outcome is Outcome.VOID else None
    results = [rng.randint(-4, 4) for _ in entrants]
    seats = tuple(
        _seat(entrant, state, own, results, outcome)
        for entrant, state, own in zip(entrants, states, results, strict=True)
    )
    return Board(number=number, outcome=outcome, seats=seats, void_score=void_score)


def _seat(entrant, state, own, results, outcome):
    if outcome in {Outcome.NO_RESULT, Outcome.UNFINISHED}:
        return Seat(entrant=entrant, state=state)
    return Seat(entrant=entrant, state=state, points=own, place=1 + sum(other > own for other in results))


_STATES = (
    (SeatState.PLAYED, SeatState.NO_SHOW, SeatState.RESIGNED, SeatState.STAND_IN),
    (84, 8, 4, 4),
)
"""The states of a seat, and how often each is drawn."""


def _everybody_meets(rng, number):
    """Returns the pairs of each round by the circle method, in drawn colours."""
    circle = [*range(1, number + 1), *([0] if number % 2 else [])]
    half = len(circle) // 2
    rounds = []
    for _ in range(len(circle) - 1):
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        rounds.append([tuple(rng.sample(pair, 2)) for pair in pairs if 0 not in pair])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds
