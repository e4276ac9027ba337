"""The API's answers about tournaments."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import msgspec

from domain.kernel import Event, redact
from domain.projections import PlayerTournamentRow, TournamentRow
from domain.tables import Recorded
from domain.tournaments.bracket import Reached
from domain.tournaments.life import (
    Finding,
    RoundView,
    Tournament,
    TournamentView,
    Verdict,
    evolve,
    standings_of,
    view_round,
    view_tournament,
)
from domain.tournaments.life.events import PairingChanged, RoundOpened, Seats
from domain.tournaments.life.state import last_round
from domain.tournaments.pairing.case import Explanation as PairingExplanation
from domain.tournaments.standings import (
    Explanation,
    Row,
    explanations,
    in_words,
    stage_in_words,
    standings,
    three_decimals,
    tiebreaks_of,
)
from domain.tournaments.terms import Tiebreak
from domain.words import entrant_names, tournament_sentence
from service.application.tournaments import Accepted, LoadedTournament


class TournamentEventRecord(msgspec.Struct, frozen=True, gc=False):
    """An event of a tournament; the server seed is `??` until it is revealed.

    Attributes:
        version: the number of the event in its tournament, from 1.
        at: milliseconds since the epoch.
        by: `organiser`, `entrant:<id>`, `worker` or `admin`.
        data: the event's own fields.
        words: a sentence that says what happened; only with `include=words`.
    """

    version: int
    type: str
    at: int
    by: str
    data: Event
    words: str | msgspec.UnsetType = msgspec.UNSET


class TournamentAnswer(msgspec.Struct, frozen=True, gc=False):
    """A tournament.

    Attributes:
        version: the number of events so far.
        head: the hash of the last event; until the server seed is revealed it is blinded, so that it gives nothing away.
    """

    version: int
    head: str
    tournament: TournamentView


class TournamentAcceptedAnswer(msgspec.Struct, frozen=True, gc=False):
    """The effect of a command.

    Attributes:
        version, head: those of the tournament right after the command.
        events: the events of the command.
        tournament: the tournament right after the command.
    """

    version: int
    head: str
    events: tuple[TournamentEventRecord, ...]
    tournament: TournamentView


class TournamentEventsAnswer(msgspec.Struct, frozen=True, gc=False):
    """A page of a tournament's events.

    Attributes:
        cursor: send it to get the events that follow, now or later.
        more: whether more events exist already.
    """

    events: tuple[TournamentEventRecord, ...]
    cursor: str
    more: bool


class TournamentsAnswer(msgspec.Struct, frozen=True, gc=False):
    """Tournaments; the one that changed last comes first.

    Attributes:
        cursor: the cursor of the next page; `null` on the last one.
    """

    tournaments: tuple[TournamentRow, ...]
    cursor: str | None


class PlayerTournamentsAnswer(msgspec.Struct, frozen=True, gc=False):
    """A player's tournaments; the one that changed last comes first.

    Attributes:
        cursor: the cursor of the next page; `null` on the last one.
    """

    tournaments: tuple[PlayerTournamentRow, ...]
    cursor: str | None


class PairingExplained(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The explanation of an entrant's table and seat.

    Attributes:
        entrant: the starting rank.
        score: before the round, with each unfinished table counted as half of a first place.
        floated: steps from the entrant's score group to that of the table's home; above 0 they float up.
        text: one or two plain sentences; if the organiser changed the pairing, they explain the engine's proposal.
    """

    entrant: int
    score: Fraction
    floated: int
    text: str


class PairingChangeExplained(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The organiser's reason for changing a pairing, and the engine's own proposal.

    Attributes:
        proposed_tables: the starting ranks at each table in seat order; `None` for a bot that fills it.
        proposed_byes: the starting ranks of those with a pairing bye.
    """

    reason: str
    proposed_tables: tuple[Seats, ...]
    proposed_byes: tuple[int, ...]


class RoundAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A round, with the explanation of its pairing.

    Attributes:
        changed: the organiser's change; `None` if the pairing is the engine's.
        relaxed: the rules that the engine's pairing could not keep, in words; usually empty.
        explanations: those of the engine's pairing, by starting rank.
    """

    round: RoundView
    changed: PairingChangeExplained | None
    relaxed: tuple[str, ...]
    explanations: tuple[PairingExplained, ...]


class Placed(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An entrant's line of proved standings.

    Attributes:
        entrant: the starting rank.
        rank: the rank, which entrants who are equal in everything share; `None` for an expelled entrant.
        decimals: the score with three decimals, for people.
        tiebreaks: by name, in the order in which they count; `None` where one does not apply.
        stage: how far the entrant got in a knockout, which counts before the score; `None` in other formats.
    """

    entrant: int
    name: str
    rank: int | None
    score: Fraction
    decimals: str
    tiebreaks: dict[Tiebreak, Fraction | None]
    stage: Reached | None


class RankedEntrant(Placed, frozen=True, gc=False, kw_only=True):
    """An entrant's line of the standings.

    Attributes:
        id: the player's id, or that of a bot.
        entrant: the starting rank.
        rank: the rank, which entrants who are equal in everything share; `None` for an expelled entrant.
        decimals: the score with three decimals, for people.
        tiebreaks: by name, in the order in which they count; `None` where one does not apply.
        stage: how far the entrant got in a knockout, which counts before the score; `None` in other formats.
    """

    id: str


class StandingsAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The standings after a round, as if the tournament had ended with it.

    Attributes:
        tournament, version: the tournament's id, and its version from which the standings follow.
        round: the last round that counts; 0 before the first.
        tiebreaks: the tie-breaks that count, in their order.
    """

    tournament: str
    version: int
    round: int
    tiebreaks: tuple[Tiebreak, ...]
    rows: tuple[RankedEntrant, ...]


class NumberExplained(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The explanation of a number in a line of the standings, in words and as data."""

    words: str
    data: Explanation


class StandingExplainedAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line of the standings, with the explanation of each of its numbers, the score first.

    Attributes:
        stage: how far the entrant got in a knockout, by which further deals and lots; `None` in other formats.
    """

    tournament: str
    version: int
    round: int
    row: RankedEntrant
    stage: str | None
    numbers: tuple[NumberExplained, ...]


class TournamentVerdictAnswer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The result of checking a tournament's log together with those of its tables.

    Attributes:
        valid: whether everything in the logs follows from the rules and from each other.
        tournament: the tournament's id, if the log names it.
        events: the number of events in the tournament's own log.
        rounds, tables: the numbers of rounds, and of tables whose logs were checked.
        standings: the standings that follow from these logs; empty if the tournament never started, or is not valid.
        finding: the first error; `None` if the logs are valid.
    """

    valid: bool
    tournament: str | None
    events: int
    rounds: int
    tables: int
    standings: tuple[Placed, ...]
    finding: Finding | None


def tournament_answer(loaded: LoadedTournament) -> TournamentAnswer:
    """Returns the tournament as everybody may see it."""
    return TournamentAnswer(loaded.state.version, loaded.head, view_tournament(loaded.state))


def tournament_accepted(accepted: Accepted, *, words: bool = False) -> TournamentAcceptedAnswer:
    """Returns the effect of a command."""
    after = accepted.after
    events = tournament_events(accepted.events, after.state, words=words)
    return TournamentAcceptedAnswer(after.state.version, after.head, events, view_tournament(after.state))


def tournament_events(
    events: Iterable[Recorded], tournament: Tournament, *, words: bool = False
) -> tuple[TournamentEventRecord, ...]:
    """Returns events, in their order, as everybody may know them; the tournament need not have reached them."""
    records = []
    for recorded in events:
        if recorded.entry.version > tournament.version:
            tournament = evolve(tournament, recorded)
        records.append(tournament_event(recorded, tournament, words=words))
    return tuple(records)


def tournament_event(recorded: Recorded, tournament: Tournament, *, words: bool) -> TournamentEventRecord:
    """Returns an event as everybody may know it; the tournament is that right after the event, or later."""
    event = recorded.event
    shown = event if tournament.is_seed_revealed else redact(event, "spectator")
    assert shown is not None, "no event of a tournament is hidden altogether"
    sentence = tournament_sentence(shown, tournament, by=recorded.entry.by) if words else msgspec.UNSET
    return TournamentEventRecord(
        recorded.entry.version, event.wire, recorded.entry.at, recorded.entry.by, shown, sentence
    )


def standings_answer(tournament: Tournament, after: int | None) -> StandingsAnswer:
    """Returns the standings of a tournament that has started."""
    found = standings_of(tournament, after=after)
    assert tournament.terms is not None, "a tournament that has started has terms"
    return StandingsAnswer(
        tournament=tournament.id,
        version=tournament.version,
        round=last_round(tournament) if after is None else after,
        tiebreaks=tiebreaks_of(tournament.terms),
        rows=tuple([_ranked(tournament, row) for row in found.rows]),
    )


def round_answer(tournament: Tournament, number: int, history: Iterable[Recorded]) -> RoundAnswer:
    """Returns a round with the explanations of its pairing, which only the events contain."""
    made: RoundOpened | None = None
    changed: PairingChanged | None = None
    for recorded in history:
        event = recorded.event
        if isinstance(event, RoundOpened) and event.round == number:
            made, changed = event, None
        elif isinstance(event, PairingChanged) and event.round == number:
            changed = event
    assert made is not None, "a round of the tournament has been opened"
    return RoundAnswer(
        round=view_round(tournament.rounds[number - 1]),
        changed=None if changed is None else _change(changed),
        relaxed=made.relaxed,
        explanations=tuple([_explained(explanation, changed) for explanation in made.explanations]),
    )


def _change(changed: PairingChanged) -> PairingChangeExplained:
    return PairingChangeExplained(
        reason=changed.reason,
        proposed_tables=changed.proposed_tables,
        proposed_byes=changed.proposed_byes,
    )


def _explained(explanation: PairingExplanation, changed: PairingChanged | None) -> PairingExplained:
    text = explanation.text
    if changed is not None:
        reason = changed.reason.removesuffix(".")
        text = f"The organiser changed this pairing ({reason}). The engine had proposed: {text}"
    return PairingExplained(
        entrant=explanation.entrant, score=explanation.score, floated=explanation.floated, text=text
    )


def standing_explained(tournament: Tournament, after: int | None, entrant: int) -> StandingExplainedAnswer:
    """Returns an entrant's line of the standings with the explanation of its numbers."""
    found = standings_of(tournament, after=after)
    row = next(row for row in found.rows if row.entrant == entrant)
    table = found.sheet.crosstable
    names = entrant_names(tournament)
    return StandingExplainedAnswer(
        tournament=tournament.id,
        version=tournament.version,
        round=last_round(tournament) if after is None else after,
        row=_ranked(tournament, row),
        stage=None if row.stage is None else stage_in_words(row.stage, table, entrant),
        numbers=tuple(
            [
                NumberExplained(words=in_words(explained, names), data=explained)
                for explained in explanations(found, row)
            ]
        ),
    )


def verdict_answer(verdict: Verdict) -> TournamentVerdictAnswer:
    """Returns the result of a check, with the standings that it proved."""
    rows: tuple[Placed, ...] = ()
    if verdict.crosstable is not None and verdict.draw is not None:
        names = {entrant.number: entrant.name for entrant in verdict.crosstable.entrants}
        proved = standings(verdict.crosstable, draw=verdict.draw)
        rows = tuple([Placed(name=names[row.entrant], **_numbers(row)) for row in proved.rows])
    return TournamentVerdictAnswer(
        valid=verdict.valid,
        tournament=verdict.tournament,
        events=verdict.events,
        rounds=verdict.rounds,
        tables=verdict.tables,
        standings=rows,
        finding=verdict.finding,
    )


def _ranked(tournament: Tournament, row: Row) -> RankedEntrant:
    entrant = tournament.entrants[row.entrant - 1]
    return RankedEntrant(id=entrant.id, name=entrant.name, **_numbers(row))


def _numbers(row: Row) -> dict[str, Any]:
    return {
        "entrant": row.entrant,
        "rank": row.rank,
        "score": row.score,
        "decimals": three_decimals(row.score),
        "tiebreaks": row.tiebreaks,
        "stage": row.stage,
    }
