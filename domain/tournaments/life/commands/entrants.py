"""The commands about entrants: entries, presence, seeds and byes."""

from fractions import Fraction

from hoodwink.domain.tournaments.life.commands.base import Command


class Enter(Command, frozen=True, kw_only=True):
    """Enter a player, or ask for it (T-26), or enter a bot with a `policy` and an empty `player`."""

    player: str
    policy: str | None = None
    seed_commitment: str = ""


class Withdraw(Command, frozen=True):
    """Leave the tournament, or no longer ask to enter."""

    entrant: str


class Expel(Command, frozen=True):
    entrant: str
    reason: str


class OrderEntrants(Command, frozen=True):
    """Set the order of the starting ranks; other entrants follow in order of arrival."""

    entrants: tuple[str, ...]


class AcceptEntry(Command, frozen=True):
    """Enter a player who asked for it (T-26)."""

    entrant: str


class DeclineEntry(Command, frozen=True):
    entrant: str


class OfferEntries(Command, frozen=True):
    """Offer an entry to players (T-28)."""

    players: tuple[str, ...]


class WithdrawOffers(Command, frozen=True):
    """Take back open offers."""

    players: tuple[str, ...]


class DeclineOffer(Command, frozen=True):
    player: str


class ChooseTeam(Command, frozen=True):
    """Join a team, found the next one with the salted hash of its `name`, or play for none (T-31)."""

    entrant: str
    team: int | None
    name: str = ""


class ReplaceTeamCode(Command, frozen=True):
    """Make the code of a team worthless, and another one valid (T-34)."""

    team: int


class OpenCheckIn(Command, frozen=True):
    sitting: int


class CheckIn(Command, frozen=True):
    """Check in for the current sitting, optionally with a commitment to a new seed."""

    entrant: str
    seed_commitment: str = ""


class SayAbsent(Command, frozen=True):
    """Sit out the current sitting."""

    entrant: str


class RevealEntrantSeed(Command, frozen=True):
    entrant: str
    seed: str


class MissSeeds(Command, frozen=True):
    """Continue without the seeds that were not revealed in time."""


class RequestBye(Command, frozen=True):
    entrant: str
    round: int


class AssignBye(Command, frozen=True):
    entrant: str
    round: int
    score: Fraction
    reason: str
