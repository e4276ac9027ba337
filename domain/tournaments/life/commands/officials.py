"""The commands of officials about tables, entrants and each other, and those of administrators who reverse them."""

from fractions import Fraction

from hoodwink.domain.tournaments.life.commands.base import Command


class NameArbiter(Command, frozen=True):
    """Let a player decide about tables and absences (T-23)."""

    player: str


class RemoveArbiter(Command, frozen=True):
    player: str


class AddRounds(Command, frozen=True):
    """Add rounds to the last sitting, before the last planned one is paired (T-22)."""

    rounds: int
    official: str
    reason: str


class Describe(Command, frozen=True):
    """Write, replace or, without a text, remove the description (T-60); `text` is its salted hash."""

    official: str
    text: str


class Announce(Command, frozen=True):
    """Announce something to everybody (T-61); `text` is its salted hash."""

    official: str
    text: str


class MarkAbsent(Command, frozen=True):
    """Mark an entrant as absent from the current sitting (T-18)."""

    entrant: str
    official: str
    reason: str


class WithdrawEntrant(Command, frozen=True):
    """Withdraw an entrant who has not done so (T-18)."""

    entrant: str
    official: str
    reason: str


class NameCoOrganiser(Command, frozen=True):
    """Let a player organise the tournament, too (T-50)."""

    player: str


class RemoveCoOrganiser(Command, frozen=True):
    player: str


class OfferPlace(Command, frozen=True):
    """Offer an entrant's place to another player (T-19)."""

    entrant: str
    player: str
    official: str
    reason: str


class TakePlace(Command, frozen=True):
    """Take the place that was offered, optionally with a commitment to a seed."""

    player: str
    seed_commitment: str = ""


class DeclinePlace(Command, frozen=True):
    """Decline the place that was offered, or no longer offer it."""

    player: str


class StopTable(Command, frozen=True):
    """End a table in play without a result (V-4); `deal` is the board's last one."""

    round: int
    board: int
    deal: int
    official: str
    reason: str


class RuleResult(Command, frozen=True, kw_only=True):
    """Rule on the result of a board (V-5); see `ResultRuled`."""

    round: int
    board: int
    official: str
    places: tuple[int | None, ...] | None = None
    points: tuple[int, ...] | None = None
    score: Fraction | None = None
    reason: str


class ReverseAbsence(Command, frozen=True):
    """Let an entrant whom an official marked as absent be paired in the sitting (V-7)."""

    entrant: str
    reason: str


class ReverseWithdrawal(Command, frozen=True):
    """Let an entrant whom an official withdrew play on (V-7)."""

    entrant: str
    reason: str


class ReverseSubstitution(Command, frozen=True):
    """Give an entrant's place back to the player before (V-7)."""

    entrant: str
    reason: str


class ReverseAddedRounds(Command, frozen=True):
    """Take back the rounds that were added last (V-7)."""

    reason: str


class ReverseRuling(Command, frozen=True):
    """Let the result of a board's table count again (V-6)."""

    round: int
    board: int
    reason: str
