"""The entrants still in a knockout after its last round, and the further deals needed to determine them."""

from collections.abc import Iterator, Sequence

from hoodwink.domain.tournaments.bracket import as_played, byes, contest, entrants_at, has_left, is_last
from hoodwink.domain.tournaments.chance import Draw
from hoodwink.domain.tournaments.crosstable import Board, Crosstable, Outcome
from hoodwink.domain.tournaments.pairing.division import table_sizes
from hoodwink.domain.tournaments.pairing.knockout.tree import seeded
from hoodwink.domain.tournaments.scoring.places import has_appeared
from hoodwink.domain.tournaments.terms import Terms

_MAX_FURTHER_DEALS = 3


def replay_needed(crosstable: Crosstable, board: Board, draw: Draw) -> tuple[int | None, ...] | None:
    """Returns the seats of the next deal of a board in the last round, in seat order, or `None` if it is decided.

    The latest deal of the board must have ended. `draw` returns the lots of the board's round. Bots fill seats only if the
    game needs them. If entrants are still tied after three further deals, the lot decides.
    """
    is_over = board.outcome in {Outcome.RESULT, Outcome.NO_RESULT} and not board.void_replays
    if not is_over or len(board.replays) == _MAX_FURTHER_DEALS:
        return None
    tied = contest(crosstable, board).tied
    seats = (*tied, *_bots(len(tied), crosstable.terms))
    if not tied or len(seats) < crosstable.terms.table_min:
        return None
    return draw(f"deal:{board.number}:{len(board.replays) + 2}").shuffled(seats)


def _bots(entrants: int, terms: Terms) -> tuple[None, ...]:
    return (None,) * (terms.table_min - entrants) if terms.fills_with_bots else ()


def advancing(crosstable: Crosstable, board: Board, draw: Draw) -> tuple[int, ...]:
    """Returns the entrants who advance from a table of the last round, the best first; in the final, the winner.

    `draw` returns the lots of the next round. They decide between entrants who are tied after all further deals, or
    if the next round does not wait for further deals. Nobody advances from a table where nobody appeared.
    """
    decided = contest(crosstable, as_played(board))
    if not decided.tied:
        return decided.through
    return (*decided.through, *draw(f"edge:{board.number}").shuffled(decided.tied)[: decided.places])


def remaining_entrants(crosstable: Crosstable, draw: Draw) -> tuple[int, ...]:
    """Returns the entrants who can be paired in the next round, ascending; empty when the knockout is over.

    They include those who play for third place. `draw` returns the lots of the next round.
    """
    if crosstable.rounds and is_last(crosstable.rounds[-1], crosstable.terms):
        return ()
    bracket = next_bracket(crosstable, draw)
    staying = [entrant for entrant in bracket if entrant is not None and not has_left(crosstable, entrant)]
    losers = for_third_place(crosstable, bracket)
    if not losers and not table_sizes(len(staying), crosstable.terms):
        return ()
    return tuple(sorted((*staying, *losers)))


def next_bracket(crosstable: Crosstable, draw: Draw) -> tuple[int | None, ...]:
    """Returns the entrants who can still win the knockout, in the form of `Pairing.bracket`."""
    is_of_two = crosstable.terms.seats == 2
    if not crosstable.rounds:
        starters = [entrant.number for entrant in crosstable.entrants if entrant.from_round == 1]
        return seeded(len(starters)) if is_of_two else tuple(starters)
    if is_of_two:
        return _placed(crosstable.rounds[-1].bracket, list(_winners(crosstable, draw)))
    return tuple(sorted(winner for _, winners in _winners(crosstable, draw) for winner in winners))


def _winners(crosstable: Crosstable, draw: Draw) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yields the entrants of each table and bye of the last round, together with those who advance."""
    for board in crosstable.rounds[-1].boards:
        yield entrants_at(board), advancing(crosstable, board, draw)
    for entrant in byes(crosstable.rounds[-1]):
        yield (entrant,), (entrant,)


def _placed(
    bracket: Sequence[int | None], winners: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]
) -> tuple[int | None, ...]:
    """Returns the bracket of the next round, with each winner in the line of their table.

    If the organiser exchanged entrants between tables, two winners may come from one line. The second one then takes the
    line of an entrant who was moved.
    """
    lines: list[int | None] = [None] * (len(bracket) // 2)
    for seated, through in winners:
        own = [bracket.index(entrant) // 2 for entrant in seated if entrant in bracket]
        free = [line for line in (*own, *range(len(lines))) if lines[line] is None]
        for winner in through:
            if free:
                lines[free[0]] = winner
            else:
                lines.append(winner)
    return (*lines, *[None] * ((1 << (len(lines) - 1).bit_length()) - len(lines)))


def for_third_place(crosstable: Crosstable, bracket: Sequence[int | None]) -> tuple[int, ...]:
    """Returns the two losers of the semifinals who play for third place, or nobody."""
    if not (
        crosstable.terms.third_place and crosstable.terms.seats == 2 == len(bracket) and crosstable.rounds
    ):
        return ()
    appeared = [
        seat.entrant
        for board in crosstable.rounds[-1].boards
        for seat in board.seats
        if has_appeared(seat) and seat.entrant is not None and seat.entrant not in bracket
    ]
    losers = tuple(sorted(entrant for entrant in appeared if not has_left(crosstable, entrant)))
    return losers if len(losers) == 2 else ()
