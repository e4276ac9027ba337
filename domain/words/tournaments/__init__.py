"""Sentences for the events of a tournament."""

from typing import Final

from hoodwink.domain.kernel import Event
from hoodwink.domain.words.seating import with_capital
from hoodwink.domain.words.tournaments import entrants, phases, results, rounds, substitutions
from hoodwink.domain.words.tournaments.cast import Cast as Cast
from hoodwink.domain.words.tournaments.cast import Sentences
from hoodwink.domain.words.tournaments.cast import entrant_names as entrant_names

_SENTENCES: Final[Sentences] = {
    **phases.SENTENCES,
    **entrants.SENTENCES,
    **rounds.SENTENCES,
    **results.SENTENCES,
    **substitutions.SENTENCES,
}


def tournament_sentence(event: Event, cast: Cast, *, by: str) -> str:
    """Returns the sentence of an event, which also says who asked for it if that is not obvious.

    Args:
        event: redacted for everybody.
        cast: the entrants right after the event or at any later version.
        by: the actor recorded in the log.
    """
    return with_capital(_SENTENCES[type(event)](event, cast, by))
