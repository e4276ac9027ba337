"""The state of a tournament: its entrants, its pairings, and the result of each table."""

from enum import StrEnum
from fractions import Fraction

import msgspec

from hoodwink.domain.kernel import Names, bot_name
from hoodwink.domain.tables.events import Outcome as TableOutcome
from hoodwink.domain.tournaments.crosstable import Unplayed
from hoodwink.domain.tournaments.life.admission import OPEN_TO_ALL, Admission
from hoodwink.domain.tournaments.life.counts import NO_COUNTS, Counts
from hoodwink.domain.tournaments.life.events import Seats
from hoodwink.domain.tournaments.life.setup import ArenaTimes, SeriesPlace, Setup, TeamTerms
from hoodwink.domain.tournaments.terms import Compare, Terms


class Phase(StrEnum):
    """The phase of a tournament (T-2)."""

    DRAFT = "draft"
    REGISTRATION = "registration"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


_BOT = "bot:"


def bot_entrant(number: int) -> str:
    """Returns the id of the n-th bot that enters."""
    return f"{_BOT}{number}"


def is_bot_entrant(entrant: str) -> bool:
    """Returns whether an entrant's id is that of a bot; the id of a person has no `:`."""
    return entrant.startswith(_BOT)


class Predecessor(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A player who held the place of an entrant before (T-19).

    Attributes:
        until: the last round in which they held it.
        had_left: whether they had withdrawn before.
        was_withdrawn: whether an official had withdrawn them.
        is_reversal: whether the next holder is the player before them, by decision of an administrator (V-7).
    """

    player: str
    until: int
    had_left: bool = False
    was_withdrawn: bool = False
    is_reversal: bool = False


class Participant(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A player or bot who has entered.

    Attributes:
        id: the id of the player or of the bot (`bot_entrant`).
        number: the starting rank; 0 before the start.
        from_round: the first round that they can play in.
        left_after: the last round before they withdrew or were expelled.
        seed: the seed used in draws; empty until one is revealed.
        arrival: the place in the order in which people entered or asked for it, from 1.
        commitment: the hash of a seed that will be revealed when the next round opens, or empty.
        checked_in: the last sitting for which they checked in.
        absent_in: the last sitting for which they announced an absence.
        returned_at: when they last checked in, in ms; 0 before.
        byes: the rounds for which they requested a bye.
        assigned: the rounds in which the organiser assigned them a bye, with the scores.
        free_since: in an arena, since when they have waited if they are at no table, in ms.
        met: in an arena, the opponents at their last tables, the latest first.
        is_marked: whether an official marked that absence (T-18).
        is_withdrawn: whether an official withdrew them (T-18).
        predecessors: those who held the place before, the first ones first.
        offered_to: the player to whom an official offers the place, or empty (T-19).
        offers: how often it has been offered.
        team: the number of their team, or `None` (T-31).
        counts: what is bounded (T-51).
    """

    id: str
    policy: str | None = None
    number: int = 0
    arrival: int = 0
    from_round: int = 1
    left_after: int | None = None
    is_expelled: bool = False
    seed: str = ""
    commitment: str = ""
    checked_in: int = 0
    absent_in: int = 0
    returned_at: int = 0
    byes: tuple[int, ...] = ()
    assigned: tuple[tuple[int, Fraction], ...] = ()
    free_since: int = 0
    met: tuple[tuple[int, ...], ...] = ()
    is_marked: bool = False
    is_withdrawn: bool = False
    predecessors: tuple[Predecessor, ...] = ()
    offered_to: str = ""
    offers: int = 0
    team: int | None = None
    counts: Counts = NO_COUNTS

    def player_in(self, round_: int) -> str:
        """Returns the id of the player who holds the place in a round."""
        return next((before.player for before in self.predecessors if before.until >= round_), self.id)

    def was_held_by(self, player: str) -> bool:
        """Returns whether a player holds the place, or held it before."""
        return player == self.id or any(before.player == player for before in self.predecessors)

    @property
    def has_left(self) -> bool:
        """Whether they withdrew or were expelled."""
        return self.left_after is not None


class OfferStatus(StrEnum):
    """The state of an offer of an entry (T-28)."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"


class Offer(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The last offer of an entry to a player, and how many there have been (T-28)."""

    player: str
    status: OfferStatus = OfferStatus.OPEN
    times: int = 1


class Applicant(Participant, frozen=True, gc=False, kw_only=True):
    """A player who asked to enter, and about whom the organiser has not decided, or who was declined (T-26)."""

    is_declined: bool = False


def name_of(entrant: Participant, names: Names) -> str:
    """Returns the current name of an entrant."""
    if entrant.policy is None:
        return names(entrant.id)
    return bot_name(entrant.policy)


class Report(msgspec.Struct, frozen=True, gc=False):
    """The end of a table, from its log.

    Attributes:
        places, points: by seat; `None` without a result.
        no_shows: the seats of entrants who did not appear in time.
        resigned: the seats that resigned.
        by_bot: the seats of people for whom a bot took more than half of the turns.
    """

    version: int
    head: str
    outcome: TableOutcome
    places: tuple[int, ...] | None
    points: tuple[int, ...] | None
    no_shows: tuple[int, ...]
    resigned: tuple[int, ...]
    by_bot: tuple[int, ...]


class Deal(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One table of a board.

    Attributes:
        seats: starting ranks in seat order; `None` is a bot that fills the table.
        absent: the entrants at the table who are no-shows from the start.
        table: the id of the table; empty if none is needed because at most one entrant is present.
        is_opened: whether the service has opened the table.
        seal: the last hash of the table's log at its end, if it shares its deal with others; otherwise empty (D-7).
        is_void: whether an administrator has voided it (T-12).
        is_stopped: whether an official has ended it (V-4).
    """

    seats: Seats
    absent: tuple[int, ...] = ()
    table: str = ""
    is_opened: bool = False
    seal: str = ""
    is_void: bool = False
    is_stopped: bool = False
    report: Report | None = None

    @property
    def present(self) -> tuple[int, ...]:
        """The entrants who are present, in seat order."""
        return tuple([number for number in self.seats if number is not None and number not in self.absent])

    @property
    def is_decided(self) -> bool:
        """Whether its result is known, or it needs no table."""
        return not self.table or self.report is not None


class Ruling(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A ruling on a result; see `ResultRuled`."""

    official: str
    places: tuple[int | None, ...] | None
    points: tuple[int, ...] | None
    score: Fraction | None
    reason: str


class Match(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A board of a round: one deal, and in a knockout up to three more (P-6).

    Attributes:
        ruling: the ruling that replaces its result (V-5), or `None`.
        rulings: the number of rulings so far, replaced and reversed ones included.
        is_ruling_reversed: whether an administrator has reversed one; no other may follow (V-6).
    """

    number: int
    deals: tuple[Deal, ...]
    void_score: Fraction | None = None
    ruling: Ruling | None = None
    rulings: int = 0
    is_ruling_reversed: bool = False

    @property
    def effective_ruling(self) -> Ruling | None:
        """The ruling, once all tables of the board have ended."""
        is_over = all(deal.is_decided for deal in self.deals)
        return self.ruling if is_over and not self.deals[0].is_void else None


class PairedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round that has been paired.

    Attributes:
        seeds: the entrants' seeds used for it, in order of starting rank (T-14).
        bracket: the bracket of a knockout after the pairing.
        is_released: whether every table of the deal that it shares has ended (D-7).
        early, reason: from the command that opened the round (T-11).
        proposed_tables, proposed_byes: the engine's pairing.
        opened_at, changed_at: the versions of the events that opened the round and last changed its pairing, or 0.
    """

    number: int
    sitting: int
    matches: tuple[Match, ...]
    unplayed: tuple[Unplayed, ...]
    absent: tuple[int, ...]
    objective: tuple[Fraction, ...]
    bracket: tuple[int | None, ...]
    seeds: tuple[str, ...]
    proposed_tables: tuple[Seats, ...]
    proposed_byes: tuple[int, ...]
    early: bool = False
    reason: str = ""
    opened_at: int
    changed_at: int = 0
    is_started: bool = False
    is_released: bool = False
    is_complete: bool = False


class Call(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A round that waits for seeds to be revealed; `until` in ms."""

    round: int
    awaited: tuple[str, ...]
    until: int
    early: bool
    reason: str


class Announcement(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Something that an official announced (T-61).

    Attributes:
        official: the id of the player who wrote it.
        text: the salted hash of the text; see `GET /v1/reasons/{digest}`.
        at: in ms since the epoch.
    """

    official: str
    text: str
    at: int


class Interval(msgspec.Struct, frozen=True, gc=False):
    """A pause, in ms; `until` is `None` while it lasts."""

    since: int
    until: int | None = None


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a tournament at one version.

    Attributes:
        id: empty before the tournament is opened.
        arbiters: players who may decide about tables and absences (T-23).
        co_organisers: players who organise the tournament, too (T-50).
        former_arbiters, former_co_organisers: players who no longer are; needed only for sentences.
        arbiters_named, co_organisers_named: how often one was named.
        description: the hash of the description, or empty (T-60).
        descriptions: how often it has been written, replaced or removed.
        compare: how seats are compared if all tables of a round play the same deal, otherwise `None` (D-1).
        deals_per_pairing: how many rounds in a row the same opponents play (D-1).
        invitations: the number of times that the invitation code was replaced.
        arrivals: the number of entries and requests so far.
        applicants: in order of arrival.
        offers: the players to whom an entry was offered, in the order of the last offers.
        arena: the times of an arena, otherwise `None` (T-40).
        teams: the hashes of the names of the teams, in the order in which they were founded (T-31).
        team_codes: how often the code of each team was replaced, in the same order (T-34).
        series: the series to which it belongs, if any.
        started_at: when it started, in ms; 0 before.
        wave_at: when the last wave of an arena opened, in ms; 0 before the first.
        bell_moved: by how many ms pauses and outages have moved the bell of an arena.
        is_bell_rung: whether the time of an arena is over.
        entrants: before the start in order of arrival, with those beyond the cap waiting; then by starting rank.
        barred: players who were expelled before the start.
        added: how many rounds officials added, for each time that was not reversed.
        gone: those who left before the start, were waiting at the start, were substituted or were offered a place.
        lapsed: the player to whom the place was offered that was last given back, or whose entrant was last expelled.
        unplaced: entrants who were still waiting at the start (T-3).
        order: the organiser's order for the starting ranks.
        terms: the terms for pairing and ranking; `None` before the start.
        schedule: the schedule of a round robin; empty before the start.
        check_in: the last sitting whose check-in was opened.
        check_in_until: the end of that check-in, in ms.
        away_until: the end of the last outage that moved deadlines, in ms; 0 before the first.
        dropped: the round whose pairing was dropped, so that it has to be paired again (T-7).
        given_up: the resigned seats of expelled entrants, as pairs of table and entrant.
        bots_entered: the number of bots that have ever entered.
        decisions: how often officials decided each kind of `MAX_TIMES`, by wire name (T-51).
    """

    id: str = ""
    version: int = 0
    phase: Phase = Phase.DRAFT
    edition: int = 0
    organiser: str = ""
    arbiters: tuple[str, ...] = ()
    former_arbiters: tuple[str, ...] = ()
    arbiters_named: int = 0
    co_organisers: tuple[str, ...] = ()
    former_co_organisers: tuple[str, ...] = ()
    co_organisers_named: int = 0
    description: str = ""
    descriptions: int = 0
    announcements: tuple[Announcement, ...] = ()
    setup: Setup | None = None
    compare: Compare | None = None
    deals_per_pairing: int = 1
    admission: Admission = OPEN_TO_ALL
    invitations: int = 0
    arrivals: int = 0
    applicants: tuple[Applicant, ...] = ()
    offers: tuple[Offer, ...] = ()
    arena: ArenaTimes | None = None
    team_terms: TeamTerms | None = None
    teams: tuple[str, ...] = ()
    team_codes: tuple[int, ...] = ()
    series: SeriesPlace | None = None
    commitment: str = ""
    server_seed: str = ""
    entrants: tuple[Participant, ...] = ()
    barred: tuple[str, ...] = ()
    gone: tuple[Participant, ...] = ()
    lapsed: str = ""
    unplaced: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    added: tuple[int, ...] = ()
    terms: Terms | None = None
    schedule: tuple[tuple[tuple[int, ...], ...], ...] = ()
    rounds: tuple[PairedRound, ...] = ()
    check_in: int = 0
    check_in_until: int = 0
    away_until: int = 0
    call: Call | None = None
    dropped: PairedRound | None = None
    pauses: tuple[Interval, ...] = ()
    given_up: tuple[tuple[str, str], ...] = ()
    bots_entered: int = 0
    decisions: dict[str, int] = {}
    started_at: int = 0
    wave_at: int = 0
    bell_moved: int = 0
    is_bell_rung: bool = False
    is_seed_revealed: bool = False


UNOPENED = Tournament()
