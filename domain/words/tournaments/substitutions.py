"""Sentences for substitutions, and for decisions that administrators reversed."""

from typing import Final

from hoodwink.domain.phrases import counted
from hoodwink.domain.tournaments.life import events as at_tournaments
from hoodwink.domain.words.reasons import because
from hoodwink.domain.words.tournaments.cast import Cast, Sentences


def _offered(event: at_tournaments.PlaceOffered, cast: Cast, _by: str) -> str:
    place = f"the place of {cast.of(event.entrant)}"
    return (
        f"{cast.official(event.official)} offered {place} to {cast.of(event.player)}{because(event.reason)}"
    )


def _declined(event: at_tournaments.PlaceDeclined, cast: Cast, _by: str) -> str:
    return f"{cast.of(event.player)} does not take the place of {cast.of(event.entrant)}."


def _substituted(event: at_tournaments.EntrantSubstituted, cast: Cast, _by: str) -> str:
    seed = " and committed to a seed" if event.seed_commitment else ""
    place = f"the place of {cast.of(event.entrant)}"
    return f"{cast.of(event.player)} took over {place} from round {event.until + 1} on{seed}."


def _absence_reversed(event: at_tournaments.AbsenceReversed, cast: Cast, _by: str) -> str:
    who = cast.of(event.entrant)
    return f"An administrator reversed the decision that {who} is absent{because(event.reason)}"


def _withdrawal_reversed(event: at_tournaments.WithdrawalReversed, cast: Cast, _by: str) -> str:
    who = cast.of(event.entrant)
    return f"An administrator reversed the withdrawal of {who}, who plays on{because(event.reason)}"


def _substitution_reversed(event: at_tournaments.SubstitutionReversed, cast: Cast, _by: str) -> str:
    back = f"{cast.of(event.player)} has the place of {cast.of(event.entrant)} again"
    return f"An administrator reversed a substitution: {back} from round {event.until + 1} on{because(event.reason)}"


def _rounds_reversed(event: at_tournaments.AddedRoundsReversed, _cast: Cast, _by: str) -> str:
    return f"An administrator took back {counted(event.rounds, 'added round')}{because(event.reason)}"


SENTENCES: Final[Sentences] = {
    at_tournaments.PlaceOffered: _offered,
    at_tournaments.PlaceDeclined: _declined,
    at_tournaments.EntrantSubstituted: _substituted,
    at_tournaments.AbsenceReversed: _absence_reversed,
    at_tournaments.WithdrawalReversed: _withdrawal_reversed,
    at_tournaments.SubstitutionReversed: _substitution_reversed,
    at_tournaments.AddedRoundsReversed: _rounds_reversed,
}
