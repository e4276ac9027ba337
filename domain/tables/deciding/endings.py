"""The events that score a round and end a table."""

from collections.abc import Iterable

from hoodwink.domain.kernel import Event, Stage, places
from hoodwink.domain.tables.events import Outcome, RoundScored, SeedRevealed, TableEnded
from hoodwink.domain.tables.state import Table, stage_of

Events = tuple[Event, ...]


def scoring_of(table: Table) -> tuple[Events, RoundScored]:
    """Returns the events that reveal the finished round, and the event with its scores."""
    rulebook = table.rulebook
    events = rulebook.score_round(table.state)
    totals = rulebook.scores(folded(table, events))
    deltas = tuple(after - before for after, before in zip(totals, table.round_scores, strict=True))
    return events, RoundScored(table.round, rulebook.unit, deltas, totals)


def folded(table: Table, events: Iterable[Event]) -> object:
    """Returns the state of the game after these events."""
    state = table.state
    for event in events:
        state = table.rulebook.evolve(state, event)
    return state


def ended(
    table: Table,
    outcome: Outcome,
    scores: tuple[int, ...] | None = None,
    resigned: tuple[int, ...] | None = None,
) -> Events:
    """Returns the events that end a table and reveal its seed; there are places if there are scores.

    A shared deal keeps the seed secret: with it, the hashes of the log would show hidden cards (D-7).
    """
    given_up = table.resigned if resigned is None else resigned
    ranking = None if scores is None else final_places(scores, given_up)
    end = TableEnded(outcome, ranking, scores)
    return (end,) if table.is_embargoed else (end, SeedRevealed(table.server_seed))


def final_places(scores: tuple[int, ...], resigned: tuple[int, ...]) -> tuple[int, ...]:
    """Returns each seat's place: by score, with resigned seats below all others; earlier ones are lower (G-13).

    >>> final_places((5, 9, 5, 7), (1, 3))
    (1, 4, 1, 3)
    """
    staying = [seat for seat in range(len(scores)) if seat not in resigned]
    ranks = dict(zip(staying, places(tuple(scores[seat] for seat in staying)), strict=True))
    last = len(scores)
    return tuple(ranks[seat] if seat in ranks else last - resigned.index(seat) for seat in range(last))


def is_last_seat_left(table: Table, resigned: tuple[int, ...]) -> bool:
    """Returns whether all seats but one have resigned."""
    return len(resigned) >= len(table.seats) - 1


def last_seat_left(table: Table, resigned: tuple[int, ...]) -> Events:
    """Returns the events that end a table because all seats but one have resigned (G-13)."""
    if stage_of(table) is not Stage.TO_SCORE:
        return ended(table, "last_seat", table.round_scores, resigned)
    # The round was over before the last player resigned, so it is scored; only an unfinished round is not (G-13).
    # If the command is a player's, the worker scores the round instead (G-2).
    scoring, scored = scoring_of(table)
    return *scoring, scored, *ended(table, "last_seat", scored.totals, resigned)
