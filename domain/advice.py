"""Advice for players: a hint during play, and a review of a seat's moves once the table is over (G-21).

Both show what the adviser would have done with the knowledge that the seat had at that time. Its chance comes from public
facts, never from the table's seeds, so the same moment always leads to the same advice.
"""

from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from hoodwink.domain.bots import advise, compare
from hoodwink.domain.kernel import Action, Names, Observation, RuleViolation, SharedCode
from hoodwink.domain.tables.actor import by_bot, by_player
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding.checks import check_phase
from hoodwink.domain.tables.entries import Recorded
from hoodwink.domain.tables.events import ActionTakenBack
from hoodwink.domain.tables.knowing import Followed, Known, follow, observe
from hoodwink.domain.tables.state import Phase, Table, is_person, is_played_by_bot, turn_of
from hoodwink.domain.tables.view import plays_of
from hoodwink.domain.words import seating_of

_SLIP: Final = 0.05
_MISTAKE: Final = 0.15

Quality: TypeAlias = Literal["best", "fine", "slip", "mistake"]

Done: TypeAlias = Callable[[int, int], bool]
"""Takes the number of moves reviewed so far, and that of all; returns whether there is time for the next one."""


class Hint(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What *Expert* would do.

    Attributes:
        version: the version of the table at which it would do so.
        words: the action as an instruction, such as `play 9S`.
    """

    table: str
    version: int
    action: Action
    words: str


class ReviewedMove(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A move of the reviewed seat, and what *Expert* would have done with what the seat knew.

    Attributes:
        version: the number of the event that records the move.
        played, played_words: the move.
        best, best_words: what *Expert* would have done.
        result, best_result: the results of the round to expect from both, between 0 and 1; see `scale`.
        quality: `best` for *Expert*'s move or one that is no worse, `fine` if it costs less than 0.05, `mistake` if it
            costs 0.15 or more, otherwise `slip`.
    """

    version: int
    round: int
    played: Action
    played_words: str
    best: Action
    best_words: str
    result: float
    best_result: float
    quality: Quality


class Review(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A seat's moves, as far as there was a choice.

    Attributes:
        version: the version of the table that was reviewed.
        scale: what a result means, in a sentence.
        moves: in order.
        left_out: how many later moves were not reviewed, because that would take too long. Another review can go on after
            the last move of this one.
    """

    table: str
    version: int
    game: str
    seat: int
    scale: str
    moves: tuple[ReviewedMove, ...]
    left_out: int


class _Decision(NamedTuple):
    """A moment at which the holder of the seat chose between several actions."""

    version: int
    table: Table
    seen: Observation
    played: Action


def check_hint(table: Table, seat: int, now: int) -> None:
    """Raises `RuleViolation` unless the player in the seat may ask for a hint at this time (G-21)."""
    check_phase(table, Phase.PLAYING)
    is_alone = all(is_person(table, other) == (other == seat) for other in range(len(table.seats)))
    if not is_alone or table.rated or table.tournament is not None:
        raise RuleViolation(TableCode.NO_HINTS)
    is_to_move = seat in turn_of(table).owes and not is_played_by_bot(table, seat)
    if not is_to_move or not plays_of(table, seat, now):
        raise RuleViolation(SharedCode.NOT_YOUR_TURN)


def check_review(table: Table) -> None:
    """Raises `RuleViolation` if there is no review in the game of the table."""
    if table.rulebook.lookahead is None:
        raise RuleViolation(TableCode.NO_REVIEW)


def hint(table: Table, known: Known, seat: int, *, now: int, names: Names) -> Hint:
    """Returns what the adviser would do for the seat; raises `RuleViolation` as `check_hint` does."""
    check_hint(table, seat, now)
    seen = observe(table, seat, now, known)
    assert seen is not None, "the seat has to move"
    action = advise(table.rulebook, seen, _moment(table, seat))
    return Hint(
        table=table.id,
        version=table.version,
        action=action,
        words=_words(table, seen, action, seating_of(table, names).names),
    )


def review(
    events: Sequence[Recorded],
    seat: int,
    names: Names,
    done: Done = lambda _done, _all: True,
    *,
    after: int = 0,
) -> Review:
    """Returns a review of the moves that the holder of a seat made at a table that is over.

    The moves of a bot that played for an absent player are left out, and so are those taken back and those before a fork.

    Args:
        events: all events of the table.
        seat: whose moves to review.
        names: of the people in sentences.
        done: is called after each move, which may take a second.
        after: a version; earlier moves are left out.

    Raises:
        RuleViolation: there is no review in this game.
    """
    decisions, followed = list[_Decision](), Followed()
    for recorded in events:
        decision, event = _decision_at(followed, recorded, seat), recorded.event
        if decision is not None:
            decisions.append(decision)
        elif isinstance(event, ActionTakenBack):
            decisions = [earlier for earlier in decisions if earlier.version <= event.version]
        followed = follow(followed, [recorded], seat)
    table, moves = followed.table, list[ReviewedMove]()
    lookahead, players = table.rulebook.lookahead, seating_of(table, names).names
    if lookahead is None:
        raise RuleViolation(TableCode.NO_REVIEW)
    asked = [decision for decision in decisions if decision.version > after]
    for decision in asked:
        moves.append(_reviewed(decision, players))
        if not done(len(moves), len(asked)):
            break
    return Review(
        table=table.id,
        version=table.version,
        game=table.game,
        seat=seat,
        scale=lookahead.scale,
        moves=tuple(moves),
        left_out=len(asked) - len(moves),
    )


def _decision_at(followed: Followed, recorded: Recorded, seat: int) -> _Decision | None:
    """Returns the decision that an event records, unless somebody else made it or there was no choice."""
    table, cause = followed.table, recorded.event.cause()
    if cause is None or cause[0] != seat or seat not in turn_of(table).owes:
        return None
    played, holder = cause[1], by_player(seat) if is_person(table, seat) else by_bot(seat)
    if recorded.entry.by != holder or isinstance(played, table.rulebook.offences):
        return None
    seen, lookahead = observe(table, seat, recorded.entry.at, followed.known), table.rulebook.lookahead
    if seen is None or lookahead is None or seen.known is None:
        return None
    if len(lookahead.moves(seen.known.state, seat)) < 2:
        return None
    return _Decision(recorded.entry.version, table, seen, played)


def _reviewed(decision: _Decision, players: Sequence[str]) -> ReviewedMove:
    table, seen, played = decision.table, decision.seen, decision.played
    best, result, best_result = compare(table.rulebook, seen, played, _moment(table, seen.seat))
    loss = best_result - result
    return ReviewedMove(
        version=decision.version,
        round=table.round,
        played=played,
        played_words=_words(table, seen, played, players),
        best=best,
        best_words=_words(table, seen, best, players),
        result=round(result, 3),
        best_result=round(best_result, 3),
        quality="best" if loss <= 0 else "fine" if loss < _SLIP else "slip" if loss < _MISTAKE else "mistake",
    )


def _words(table: Table, seen: Observation, action: Action, players: Sequence[str]) -> str:
    assert seen.known is not None, "advice comes from what the seat knows"
    return table.rulebook.phrase(seen.known.state, seen.seat, action, players)


def _moment(table: Table, seat: int) -> str:
    """Returns the text that seeds the adviser's chance at a moment."""
    return f"advice:{table.id}:{table.round}:{table.round_actions}:{seat}"
