"""What happened at a table or in a tournament in words, made from an event as its viewer may know it.

`sentence` and `tournament_sentence` are the one way from an event to a text for people: the terminal, the API and the
web page all say it alike.
"""

from domain.words.seating import Seating, seating_after, seating_of
from domain.words.sentences import sentence
from domain.words.tournaments import entrant_names, tournament_sentence

__all__ = ["Seating", "entrant_names", "seating_after", "seating_of", "sentence", "tournament_sentence"]
