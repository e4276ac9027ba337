"""Ratings: the estimated skill of each player of a game, as a fold of the tables in the order they were rated."""

from hoodwink.domain.ratings.eligibility import rated_seats
from hoodwink.domain.ratings.events import (
    RATING_EVENTS,
    RatedSeat,
    RatedTableVoided,
    RatingEvent,
    TableRated,
    account_of,
    decode_rating_event,
    is_bot,
    rated_bot,
)
from hoodwink.domain.ratings.ladder import UNRATED, Ladder, RatedTable, Snapshot, evolve, restored
from hoodwink.domain.ratings.model import DAY_MS, MILLION, NEWCOMER, Rating, aged, rated
from hoodwink.domain.ratings.standings import Standing

__all__ = [
    "DAY_MS",
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
    "Snapshot",
    "Standing",
    "TableRated",
    "account_of",
    "aged",
    "decode_rating_event",
    "evolve",
    "is_bot",
    "rated",
    "rated_bot",
    "rated_seats",
    "restored",
]
