"""Sentences for the events of tables and tournaments, built from events that are redacted for their viewer.

`sentence` and `tournament_sentence` are the only way from an event to a text for people, so that the terminal, the API
and the web page use the same words.
"""

from hoodwink.domain.words.seating import Seating, seating_after, seating_of
from hoodwink.domain.words.sentences import sentence
from hoodwink.domain.words.series import series_sentence
from hoodwink.domain.words.tournaments import Cast, entrant_names, tournament_sentence

__all__ = [
    "Cast",
    "Seating",
    "entrant_names",
    "seating_after",
    "seating_of",
    "sentence",
    "series_sentence",
    "tournament_sentence",
]
