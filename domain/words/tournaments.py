"""Sentences for the events of a tournament."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Event, Names, without_name
from hoodwink.domain.phrases import away, counted, listed, ordinal
from hoodwink.domain.tables.actor import ADMIN, ORGANISER
from hoodwink.domain.tournaments.crosstable import Unplayed, Why
from hoodwink.domain.tournaments.life import Participant, Tournament, Visibility
from hoodwink.domain.tournaments.life import events as at_tournaments
from hoodwink.domain.tournaments.life.events import Seats
from hoodwink.domain.tournaments.life.state import name_of
from hoodwink.domain.tournaments.standings import TITLES
from hoodwink.domain.tournaments.terms import Compare, Format
from hoodwink.domain.words.reasons import because
from hoodwink.domain.words.seating import with_capital

_FORMATS: Final[Mapping[Format, str]] = MappingProxyType(
    {
        Format.ROUND_ROBIN: "a round robin",
        Format.SWISS: "a Swiss tournament",
        Format.KNOCKOUT: "a knockout",
        Format.LEAGUE: "a league",
        Format.ARENA: "an arena",
    }
)

_WHY: Final[Mapping[Why, str]] = MappingProxyType(
    {
        Why.PAIRING_BYE: "has a bye",
        Why.REQUESTED_BYE: "has the bye that they asked for",
        Why.ASSIGNED_BYE: "has a bye from the organiser",
        Why.ABSENT: "is absent",
        Why.LATE: "has not entered yet",
    }
)


def tournament_sentence(event: Event, cast: "Cast", *, by: str) -> str:
    """Returns the sentence of an event, which also says who asked for it if that is not obvious.

    Args:
        event: redacted for everybody.
        cast: the entrants right after the event or at any later version.
        by: the actor recorded in the log.
    """
    return with_capital(_SENTENCES[type(event)](event, cast, by))


class Cast:
    """The names of the entrants in sentences. Starting ranks or ids distinguish equal names.

    Building it takes about a microsecond per entrant, so share it between events.
    """

    __slots__ = ("_arbiters", "_by_id", "_by_number", "_gone", "tournament")

    def __init__(self, tournament: Tournament, names: Names = without_name) -> None:
        self.tournament = tournament
        called = {
            entrant.id: name_of(entrant, names) for entrant in (*tournament.entrants, *_others(tournament))
        }
        self._by_id = _distinct(tournament.entrants, called)
        self._by_number = {entrant.number: self._by_id[entrant.id] for entrant in tournament.entrants}
        self._gone = _distinct_gone(tournament, called)
        self._arbiters = {
            player: names(player) for player in (*tournament.arbiters, *tournament.former_arbiters)
        }

    def of(self, entrant: str) -> str:
        return self._by_id.get(entrant) or self._gone[entrant]

    def all_of(self, entrants: Iterable[str]) -> str:
        return listed([self.of(entrant) for entrant in entrants])

    def arbiter(self, player: str) -> str:
        return self._arbiters[player]

    def official(self, player: str) -> str:
        """Returns an official as the subject of a sentence."""
        return (
            "The organiser"
            if player == self.tournament.organiser
            else f"The arbiter {self._arbiters[player]}"
        )

    def at(self, number: int | None) -> str:
        return "a bot" if number is None else self._by_number[number]


def _distinct(entrants: Iterable[Participant], called: Mapping[str, str]) -> Mapping[str, str]:
    counts = Counter(called[entrant.id] for entrant in entrants)
    return {
        entrant.id: name if counts[name] == 1 else f"{name} ({entrant.number or _shown(entrant.id)})"
        for entrant in entrants
        for name in (called[entrant.id],)
    }


def _shown(entrant: str) -> str:
    """Returns an id as players see it, such as `bot 2`."""
    return entrant.replace(":", " ")


def _others(tournament: Tournament) -> tuple[Participant, ...]:
    """Returns the people whom events name, but who are no entrants."""
    return *tournament.gone, *tournament.applicants


def _distinct_gone(tournament: Tournament, called: Mapping[str, str]) -> Mapping[str, str]:
    others = _others(tournament)
    counts = Counter(called[entrant.id] for entrant in (*tournament.entrants, *others))
    return {
        entrant.id: name if counts[name] == 1 else f"{name} ({_shown(entrant.id)})"
        for entrant in others
        for name in (called[entrant.id],)
    }


def entrant_names(tournament: Tournament, names: Names = without_name) -> Mapping[int, str]:
    """Returns the names of a started tournament's entrants in sentences, by starting rank."""
    called = {entrant.id: name_of(entrant, names) for entrant in tournament.entrants}
    by_id = _distinct(tournament.entrants, called)
    return {entrant.number: by_id[entrant.id] for entrant in tournament.entrants}


# ----------------------------------------------------------------------------------------- phases


def _opened(event: at_tournaments.TournamentOpened, _cast: Cast, _by: str) -> str:
    setup = event.setup
    kind, game = _FORMATS[setup.format], GAMES[setup.game].title
    return f"{setup.name} was opened: {kind} of {game} at tables of {setup.seats}."


def _registration(_event: at_tournaments.RegistrationOpened, _cast: Cast, _by: str) -> str:
    return "Registration opened."


def _started(event: at_tournaments.TournamentStarted, cast: Cast, _by: str) -> str:
    ranks = ", ".join(f"{rank} {cast.of(entrant)}" for rank, entrant in enumerate(event.entrants, start=1))
    is_arena = cast.tournament.arena is not None
    rounds = "" if is_arena else f" and {counted(event.rounds, 'round')}"
    return f"The tournament started with {len(event.entrants)} entrants{rounds}. Starting ranks: {ranks}."


def _paused(event: at_tournaments.TournamentPaused, _cast: Cast, _by: str) -> str:
    return f"The organiser paused the tournament{because(event.reason)}"


def _resumed(_event: at_tournaments.TournamentResumed, _cast: Cast, _by: str) -> str:
    return "The organiser resumed the tournament."


def _moved(event: at_tournaments.ClocksMoved, _cast: Cast, _by: str) -> str:
    return away(event.since, event.until)


def _finished(event: at_tournaments.TournamentFinished, _cast: Cast, by: str) -> str:
    if by == ORGANISER:
        return f"The organiser finished the tournament{because(event.reason)}"
    return "The tournament is finished."


def _cancelled(event: at_tournaments.TournamentCancelled, _cast: Cast, by: str) -> str:
    who = "An administrator" if by == ADMIN else "The organiser"
    return f"{who} cancelled the tournament{because(event.reason)}"


def _revealed(_event: at_tournaments.SeedRevealed, _cast: Cast, _by: str) -> str:
    return "The server seed was revealed, so anybody can recompute every draw, and the seed of each table."


def _tiebreaks(event: at_tournaments.TiebreaksChanged, _cast: Cast, _by: str) -> str:
    order = ", then ".join(TITLES[tiebreak] for tiebreak in event.tiebreaks)
    reason = f" Reason: {event.reason}" if event.reason else ""
    return f"The organiser changed the tie-breaks; they are now: {order or 'none'}.{reason}"


# --------------------------------------------------------------------------------------- entrants


def _entered(event: at_tournaments.Entered, cast: Cast, _by: str) -> str:
    name = cast.of(event.entrant)
    late = f" as number {event.number}, from round {event.from_round} on" if event.number else ""
    seed = " and committed to a seed" if event.seed_commitment else ""
    done = f"{name} entered" if event.policy is None else f"The organiser entered {name}"
    return f"{done}{late}{seed}."


def _duplicate(event: at_tournaments.DuplicateChosen, _cast: Cast, _by: str) -> str:
    how = {
        Compare.MATCHPOINTS: "by matchpoints",
        Compare.DIFFERENCE: "by the difference from the mean of the others",
    }
    return f"All tables of a round play the same deal, and each seat is compared {how[event.compare]}."


def _admission(event: at_tournaments.AdmissionChosen, _cast: Cast, _by: str) -> str:
    admission = event.admission
    said = {
        Visibility.PUBLIC: [],
        Visibility.UNLISTED: ["The tournament is in no list; everybody who has its address sees it."],
        Visibility.PRIVATE: ["Only entrants, officials and invited people see the tournament."],
    }[admission.visibility]
    if admission.invited_only:
        said.append("Players need the invitation code to enter.")
    if admission.approval:
        said.append("The organiser accepts or declines each entry.")
    low, high = admission.min_rating, admission.max_rating
    if low is not None:
        said.append(f"Players need a rating of at least {low}.")
    if high is not None:
        said.append(f"Players may have a rating of at most {high}.")
    if admission.min_rated_tables:
        said.append(f"Players need {counted(admission.min_rated_tables, 'rated table')} of the game.")
    return " ".join(said)


def _invitation(_event: at_tournaments.InvitationReplaced, _cast: Cast, _by: str) -> str:
    return "The organiser replaced the invitation code."


def _requested(event: at_tournaments.EntryRequested, cast: Cast, _by: str) -> str:
    seed = " and committed to a seed" if event.seed_commitment else ""
    return f"{cast.of(event.entrant)} asked to enter{seed}."


def _accepted(event: at_tournaments.EntryAccepted, cast: Cast, _by: str) -> str:
    return f"The organiser accepted {cast.of(event.entrant)}."


def _declined(event: at_tournaments.EntryDeclined, cast: Cast, _by: str) -> str:
    return f"The organiser declined {cast.of(event.entrant)}."


def _request_withdrawn(event: at_tournaments.RequestWithdrawn, cast: Cast, _by: str) -> str:
    return f"{cast.of(event.entrant)} no longer asks to enter."


def _arena(event: at_tournaments.ArenaChosen, _cast: Cast, _by: str) -> str:
    lasts, finish = counted(event.arena_minutes, "minute"), counted(event.finish_minutes, "minute")
    return f"The arena lasts {lasts}. Tables in play at the bell count if they end within {finish}."


def _withdrew(event: at_tournaments.EntrantWithdrew, cast: Cast, by: str) -> str:
    who = cast.of(event.entrant)
    return f"The organiser withdrew {who}." if by == ORGANISER else f"{who} withdrew."


def _marked_absent(event: at_tournaments.MarkedAbsent, cast: Cast, _by: str) -> str:
    who = cast.of(event.entrant)
    return f"{cast.official(event.official)} marked {who} as absent from sitting {event.sitting}{because(event.reason)}"


def _withdrawn(event: at_tournaments.EntrantWithdrawn, cast: Cast, _by: str) -> str:
    return f"{cast.official(event.official)} withdrew {cast.of(event.entrant)}{because(event.reason)}"


def _arbiter_named(event: at_tournaments.ArbiterNamed, cast: Cast, _by: str) -> str:
    return f"The organiser made {cast.arbiter(event.player)} an arbiter."


def _arbiter_removed(event: at_tournaments.ArbiterRemoved, cast: Cast, by: str) -> str:
    who = cast.arbiter(event.player)
    return f"{who} is no longer an arbiter{', by decision of the organiser' if by == ORGANISER else ''}."


def _rounds_added(event: at_tournaments.RoundsAdded, _cast: Cast, _by: str) -> str:
    return f"The organiser added {counted(event.rounds, 'round')}{because(event.reason)}"


def _described(event: at_tournaments.Described, _cast: Cast, _by: str) -> str:
    return f"The organiser {'changed' if event.text else 'removed'} the description."


def _announced(event: at_tournaments.Announced, cast: Cast, _by: str) -> str:
    return f"{cast.official(event.official)} made an announcement."


def _expelled(event: at_tournaments.EntrantExpelled, cast: Cast, _by: str) -> str:
    return f"The organiser expelled {cast.of(event.entrant)}{because(event.reason)}"


def _ordered(event: at_tournaments.EntrantsOrdered, cast: Cast, _by: str) -> str:
    first = f": {cast.all_of(event.entrants)} come first" if event.entrants else ": that of arrival"
    return f"The organiser set the order of the starting ranks{first}."


def _check_in_opened(event: at_tournaments.CheckInOpened, _cast: Cast, _by: str) -> str:
    return f"Check-in for sitting {event.sitting} opened."


def _checked_in(event: at_tournaments.CheckedIn, cast: Cast, _by: str) -> str:
    seed = " and committed to a new seed" if event.seed_commitment else ""
    return f"{cast.of(event.entrant)} checked in for sitting {event.sitting}{seed}."


def _absent(event: at_tournaments.SaidAbsent, cast: Cast, _by: str) -> str:
    return f"{cast.of(event.entrant)} will miss sitting {event.sitting}."


def _called(event: at_tournaments.SeedsCalled, cast: Cast, _by: str) -> str:
    who = cast.all_of(event.entrants)
    early = f" The organiser goes on although tables are unfinished: {event.reason}" if event.early else ""
    return (
        f"Round {event.round} is next. These entrants have ten seconds to reveal their seeds: {who}.{early}"
    )


def _seed_revealed(event: at_tournaments.EntrantSeedRevealed, cast: Cast, _by: str) -> str:
    return f"{cast.of(event.entrant)} revealed the seed they had committed to."


def _seeds_missed(event: at_tournaments.EntrantSeedsMissed, cast: Cast, _by: str) -> str:
    return f"{cast.all_of(event.entrants)} did not reveal a seed in time; it counts as empty."


def _bye_requested(event: at_tournaments.ByeRequested, cast: Cast, _by: str) -> str:
    return f"{cast.of(event.entrant)} asked for a bye in round {event.round}."


def _bye_assigned(event: at_tournaments.ByeAssigned, cast: Cast, _by: str) -> str:
    bye = f"a bye in round {event.round} that scores {event.score}"
    return f"The organiser gave {cast.of(event.entrant)} {bye}{because(event.reason)}"


def _rescheduled(event: at_tournaments.SittingRescheduled, _cast: Cast, _by: str) -> str:
    time = "no longer has a set time" if event.starts_at is None else "has a new time"
    return f"Sitting {event.sitting} {time}{because(event.reason)}"


# ----------------------------------------------------------------------------------------- rounds


def _round_opened(event: at_tournaments.RoundOpened, cast: Cast, _by: str) -> str:
    early = f" The organiser went on although tables are unfinished: {event.reason}" if event.early else ""
    relaxed = f" Rules were relaxed: {' '.join(event.relaxed)}" if event.relaxed else ""
    boards, byes = _boards(event.tables, cast), _unplayed(event, cast)
    return f"Round {event.round} was paired.{boards}{byes}{relaxed}{early}"


def _boards(tables: tuple[Seats, ...], cast: Cast) -> str:
    named = [f"board {board}: {_seated(seats, cast)}" for board, seats in enumerate(tables, start=1)]
    return f" {_capitalized('; '.join(named))}." if named else ""


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _seated(seats: Seats, cast: Cast) -> str:
    return listed([cast.at(number) for number in seats])


def _unplayed(event: at_tournaments.RoundOpened, cast: Cast) -> str:
    reasons = [
        (cast.at(unplayed.entrant), _why(unplayed, event.round, cast.tournament))
        for unplayed in event.unplayed
    ]
    return "".join([f" {name} {reason}." for name, reason in reasons if reason])


def _why(unplayed: Unplayed, round_: int, tournament: Tournament) -> str | None:
    """Returns why an entrant does not play; `None` for entrants who were knocked out, because that is obvious."""
    if unplayed.why is not Why.WITHDRAWN:
        return _WHY[unplayed.why]
    entrant = tournament.entrants[unplayed.entrant - 1]
    if entrant.left_after is None or entrant.left_after >= round_:
        return None
    return "was expelled" if entrant.is_expelled else "has withdrawn"


def _pairing_changed(event: at_tournaments.PairingChanged, cast: Cast, _by: str) -> str:
    byes = "".join(f" {cast.at(number)} has a bye." for number in event.byes)
    boards = _boards(event.tables, cast)
    return f"The organiser changed the pairing of round {event.round}.{boards}{byes} Reason: {event.reason}"


def _pairing_dropped(event: at_tournaments.PairingDropped, _cast: Cast, _by: str) -> str:
    return f"The pairing of round {event.round} was discarded."


def _round_started(event: at_tournaments.RoundStarted, _cast: Cast, _by: str) -> str:
    return f"Round {event.round} started."


def _tables_opened(event: at_tournaments.TablesOpened, _cast: Cast, _by: str) -> str:
    return f"{counted(len(event.tables), 'table')} opened."


def _given_up(event: at_tournaments.SeatGivenUp, cast: Cast, _by: str) -> str:
    return f"The seat of {cast.of(event.entrant)} was resigned, because the organiser expelled them."


def _round_completed(event: at_tournaments.RoundCompleted, _cast: Cast, _by: str) -> str:
    return f"Round {event.round} is complete."


# ---------------------------------------------------------------------------------------- results

BoardEvent = (
    at_tournaments.TableReported
    | at_tournaments.TableVoided
    | at_tournaments.TableStopped
    | at_tournaments.DealAdded
)


def _board(event: BoardEvent) -> str:
    deal = f", deal {event.deal}," if event.deal > 1 else ""
    return f"board {event.board} of round {event.round}{deal}"


def _sealed(event: at_tournaments.TableSealed, _cast: Cast, _by: str) -> str:
    return f"Board {event.board} of round {event.round} ended; the results follow when all tables have ended."


def _released(event: at_tournaments.DealReleased, _cast: Cast, _by: str) -> str:
    return f"All tables of deal {event.deal} in round {event.round} have ended, so everybody may see them."


def _reported(event: at_tournaments.TableReported, cast: Cast, _by: str) -> str:
    match = cast.tournament.rounds[event.round - 1].matches[event.board - 1]
    seats = [cast.at(number) for number in match.deals[event.deal - 1].seats]
    missing = [seats[seat] for seat in event.no_shows]
    by_bot = [seats[seat] for seat in event.by_bot or () if seat not in event.no_shows]
    remarks = f" {listed(missing)} did not appear." if missing else ""
    remarks += f" A bot took most of the turns of {listed(by_bot)}." if by_bot else ""
    if event.places is None:
        return f"{_capitalized(_board(event))} ended without a result.{remarks}"
    placed = sorted(zip(event.places, seats, strict=True), key=itemgetter(0))
    places = ", ".join(f"{ordinal(place)} {name}" for place, name in placed)
    return f"{_capitalized(_board(event))} ended. Places: {places}.{remarks}"


def _deal_added(event: at_tournaments.DealAdded, cast: Cast, _by: str) -> str:
    equals = listed([cast.at(number) for number in event.seats])
    return f"{equals} are tied at board {event.board} of round {event.round} and play another deal."


def _voided(event: at_tournaments.TableVoided, _cast: Cast, _by: str) -> str:
    return f"An administrator took back the result of {_board(event)}{because(event.reason)}"


def _void_scored(event: at_tournaments.VoidScored, _cast: Cast, _by: str) -> str:
    entrants = f"each entrant of the voided board {event.board} of round {event.round}"
    return f"The organiser gave {entrants} a score of {event.score}{because(event.reason)}"


def _stopped(event: at_tournaments.TableStopped, cast: Cast, _by: str) -> str:
    return f"{cast.official(event.official)} ended {_board(event)}{because(event.reason)}"


def _ruled(event: at_tournaments.ResultRuled, cast: Cast, _by: str) -> str:
    board = f"board {event.board} of round {event.round}"
    if event.places is None:
        scores = "half of a first place" if event.score is None else f"{event.score}"
        return f"{cast.official(event.official)} ruled that the result of {board} does not count: each entrant scores {scores}."
    match = cast.tournament.rounds[event.round - 1].matches[event.board - 1]
    seats = [cast.at(number) for number in match.deals[0].seats]
    there = [(place, name) for place, name in zip(event.places, seats, strict=True) if place is not None]
    missing = [name for place, name in zip(event.places, seats, strict=True) if place is None]
    places = ", ".join(f"{ordinal(place)} {name}" for place, name in sorted(there, key=itemgetter(0)))
    ranked = f" Places: {places}." if there else ""
    if there and event.points is not None:
        own = zip(seats, event.points, event.places, strict=True)
        ranked += (
            f" Points: {', '.join(f'{name} {points}' for name, points, place in own if place is not None)}."
        )
    absent = f" {listed(missing)} {'counts' if len(missing) == 1 else 'count'} as absent." if missing else ""
    return f"{cast.official(event.official)} ruled on {board}.{ranked}{absent}"


def _reversed(event: at_tournaments.RulingReversed, _cast: Cast, _by: str) -> str:
    board = f"board {event.board} of round {event.round}"
    return f"An administrator reversed the ruling on {board}: the result of the table counts{because(event.reason)}"


_SENTENCES: Final[Mapping[type[Event], Callable[[Any, Cast, str], str]]] = MappingProxyType(
    {
        at_tournaments.TournamentOpened: _opened,
        at_tournaments.DuplicateChosen: _duplicate,
        at_tournaments.AdmissionChosen: _admission,
        at_tournaments.InvitationReplaced: _invitation,
        at_tournaments.EntryRequested: _requested,
        at_tournaments.EntryAccepted: _accepted,
        at_tournaments.EntryDeclined: _declined,
        at_tournaments.RequestWithdrawn: _request_withdrawn,
        at_tournaments.ArenaChosen: _arena,
        at_tournaments.BellRung: lambda *_: "The bell rang: no more tables are opened.",
        at_tournaments.OvertimeEnded: lambda *_: (
            "The tables that were left did not end in time and do not count."
        ),
        at_tournaments.RegistrationOpened: _registration,
        at_tournaments.Entered: _entered,
        at_tournaments.EntrantWithdrew: _withdrew,
        at_tournaments.EntrantExpelled: _expelled,
        at_tournaments.EntrantsOrdered: _ordered,
        at_tournaments.TournamentStarted: _started,
        at_tournaments.CheckInOpened: _check_in_opened,
        at_tournaments.CheckedIn: _checked_in,
        at_tournaments.SaidAbsent: _absent,
        at_tournaments.ArbiterNamed: _arbiter_named,
        at_tournaments.ArbiterRemoved: _arbiter_removed,
        at_tournaments.RoundsAdded: _rounds_added,
        at_tournaments.Described: _described,
        at_tournaments.Announced: _announced,
        at_tournaments.MarkedAbsent: _marked_absent,
        at_tournaments.EntrantWithdrawn: _withdrawn,
        at_tournaments.SeedsCalled: _called,
        at_tournaments.EntrantSeedRevealed: _seed_revealed,
        at_tournaments.EntrantSeedsMissed: _seeds_missed,
        at_tournaments.ByeRequested: _bye_requested,
        at_tournaments.ByeAssigned: _bye_assigned,
        at_tournaments.RoundOpened: _round_opened,
        at_tournaments.PairingChanged: _pairing_changed,
        at_tournaments.PairingDropped: _pairing_dropped,
        at_tournaments.RoundStarted: _round_started,
        at_tournaments.TablesOpened: _tables_opened,
        at_tournaments.SeatGivenUp: _given_up,
        at_tournaments.TableSealed: _sealed,
        at_tournaments.DealReleased: _released,
        at_tournaments.TableReported: _reported,
        at_tournaments.DealAdded: _deal_added,
        at_tournaments.RoundCompleted: _round_completed,
        at_tournaments.TableVoided: _voided,
        at_tournaments.VoidScored: _void_scored,
        at_tournaments.TableStopped: _stopped,
        at_tournaments.ResultRuled: _ruled,
        at_tournaments.RulingReversed: _reversed,
        at_tournaments.TiebreaksChanged: _tiebreaks,
        at_tournaments.SittingRescheduled: _rescheduled,
        at_tournaments.TournamentPaused: _paused,
        at_tournaments.TournamentResumed: _resumed,
        at_tournaments.ClocksMoved: _moved,
        at_tournaments.TournamentFinished: _finished,
        at_tournaments.TournamentCancelled: _cancelled,
        at_tournaments.SeedRevealed: _revealed,
    }
)
