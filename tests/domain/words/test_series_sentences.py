"""The sentences of all events of a series."""

from fractions import Fraction
from typing import Any

import pytest

from hoodwink.domain.series import Missed, Stopped
from hoodwink.domain.series import events as at
from hoodwink.domain.tournaments.life import Placing
from hoodwink.domain.words.series import series_sentence
from tests.domain.series.seasons import Season

NAMES = {"ada": "Ada", "bob": "Bob", "gone": ""}.__getitem__


def counted(*places: tuple[str, int]) -> at.TournamentCounted:
    placings = tuple([Placing(player, place, Fraction(0)) for player, place in places])
    return at.TournamentCounted(number=2, tournament="t", version=9, head="ab", placings=placings)


SENTENCES: list[tuple[Any, str]] = [
    (at.SeriesTournamentOpened(2, "t"), "Tournament 2 opened for entries."),
    (at.DateSkipped(2), "The organiser left out tournament 2."),
    (at.DateMissed(2, Missed.LATE), "Tournament 2 did not take place: the service was away until its start."),
    (
        at.DateMissed(2, Missed.TOO_MANY),
        "Tournament 2 did not take place: the organiser had too many tournaments that were not over.",
    ),
    (
        at.DateMissed(2, Missed.REFUSED),
        "Tournament 2 did not take place: the rules no longer allow its settings.",
    ),
    (counted(), "Tournament 2 is over. Nobody earned points in it."),
    (counted(("ada", 1)), "Tournament 2 counts with 1 player; first: Ada."),
    (
        counted(("ada", 1), ("gone", 1), ("bob", 3)),
        "Tournament 2 counts with 3 players; first: Ada, gone.",
    ),
    (
        at.SeriesStopped(Stopped.ORGANISER),
        "The organiser ended the series. Tournaments that are open still count.",
    ),
    (at.SeriesStopped(Stopped.ORGANISER_GONE), "The series ended, because its organiser left."),
    (
        at.SeriesClosed(f"sha256:{'0' * 64}"),
        "An administrator ended the series. Tournaments that are open still count.",
    ),
    (at.SeasonEnded(), "The season is over."),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_every_event_has_its_sentence(event, sentence):
    assert series_sentence(event, NAMES) == sentence


@pytest.mark.parametrize(("dates", "count"), [(1, "1 tournament"), (3, "3 tournaments")])
def test_the_opening_names_the_series_and_counts_its_tournaments(dates, count):
    opened = at.decode_series_event("series.opened", Season(dates=dates).entries[0].data)

    assert series_sentence(opened, NAMES) == f"Club night was opened: a series of {count}."
