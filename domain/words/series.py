"""Sentences for the events of a series."""

from typing import assert_never

from hoodwink.domain.kernel import Event, Names
from hoodwink.domain.phrases import counted
from hoodwink.domain.series import events
from hoodwink.domain.series.events import Missed, Stopped
from hoodwink.domain.words.reasons import because

_MISSED = {
    Missed.LATE: "the service was away until its start",
    Missed.TOO_MANY: "the organiser had too many tournaments that were not over",
    Missed.REFUSED: "the rules no longer allow its settings",
}


def series_sentence(event: Event, names: Names) -> str:
    """Returns the sentence of an event of a series."""
    assert isinstance(event, events.SeriesEvent), "the stream has no other events"
    match event:
        case events.SeriesOpened():
            return f"{event.setup.name} was opened: a series of {counted(len(event.dates), 'tournament')}."
        case events.SeriesTournamentOpened():
            return f"Tournament {event.number} opened for entries."
        case events.DateSkipped():
            return f"The organiser left out tournament {event.number}."
        case events.DateMissed():
            return f"Tournament {event.number} did not take place: {_MISSED[event.why]}."
        case events.TournamentCounted():
            return _counted(event, names)
        case events.SeriesStopped():
            return {
                Stopped.ORGANISER: "The organiser ended the series. Tournaments that are open still count.",
                Stopped.ORGANISER_GONE: "The series ended, because its organiser left.",
            }[event.why]
        case events.SeriesClosed():
            return f"An administrator ended the series{because(event.reason)} Tournaments that are open still count."
        case events.SeasonEnded():
            return "The season is over."
        case _:
            assert_never(event)


def _counted(event: events.TournamentCounted, names: Names) -> str:
    if not event.placings:
        return f"Tournament {event.number} is over. Nobody earned points in it."
    first = [names(placing.player) or placing.player for placing in event.placings if placing.place == 1]
    return f"Tournament {event.number} counts with {counted(len(event.placings), 'player')}; first: {', '.join(first)}."
