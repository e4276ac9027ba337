"""What happened at a table in words, made from an event as its viewer may know it.

`sentence` is the one way from an event to a text for people: the terminal, the API and the web page all say it alike.
"""

from domain.words.seating import Seating, seating_after, seating_of
from domain.words.sentences import sentence

__all__ = ["Seating", "seating_after", "seating_of", "sentence"]
