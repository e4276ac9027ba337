"""Ratings: the estimated skill of each player of a game, as a fold of the tables in the order they were rated."""

from domain.ratings.eligibility import rated_seats
from domain.ratings.events import (
    RATING_EVENTS,
    RatedSeat,
    RatedTableVoided,
    RatingEvent,
    TableRated,
    decode_rating_event,
    is_bot,
)
from domain.ratings.ladder import UNRATED, Ladder, RatedTable, evolve
from domain.ratings.model import MILLION, NEWCOMER, Rating, rated
from domain.ratings.standings import Standing

__all__ = [
    "MILLION",
    "NEWCOMER",
    "RATING_EVENTS",
    "UNRATED",
    "Ladder",
    "RatedSeat",
    "RatedTable",
    "RatedTableVoided",
    "Rating",
    "RatingEvent",
    "Standing",
    "TableRated",
    "decode_rating_event",
    "evolve",
    "is_bot",
    "rated",
    "rated_seats",
]
