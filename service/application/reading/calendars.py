"""The sittings of tournaments as calendars (iCalendar, RFC 5545), with times in UTC."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from hoodwink.domain.games import GAMES
from hoodwink.domain.series import Series
from hoodwink.domain.series.state import DateStatus, SeasonDate, plan_of, tournament_id
from hoodwink.domain.tournaments.life import Phase, Tournament
from hoodwink.domain.tournaments.life.facts import is_over, last_round, participant, setup_of
from hoodwink.service.application.streams.tournaments import LoadedTournament

MEDIA_TYPE: Final = "text/calendar"

_MAX_OCTETS: Final = 75
"""The length of a line; longer ones are folded."""

_MAX_MS: Final = 253_402_300_799_999
"""The end of the year 9999, the last one that a calendar can write."""

# A calendar needs a component even without a sitting.
_HEAD: Final = (
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Hoodwink//Tournaments//EN",
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "BEGIN:VTIMEZONE",
    "TZID:UTC",
    "BEGIN:STANDARD",
    "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0000",
    "TZOFFSETTO:+0000",
    "END:STANDARD",
    "END:VTIMEZONE",
)


def tournament_calendar(loaded: LoadedTournament, origin: str) -> str:
    """Returns the sittings that have a time; `origin` is the address of the service."""
    name = setup_of(loaded.state).name
    return _calendar(name, _sittings(loaded, origin))


def series_calendar(
    series: Series, opened: Mapping[int, LoadedTournament], changed_at: int, origin: str
) -> str:
    """Returns the dates of a series; those in `opened`, by number, as their tournaments are now."""
    lines = list[str]()
    for date in series.dates:
        tournament = opened.get(date.number)
        lines += (
            _date(series, date, changed_at, origin) if tournament is None else _sittings(tournament, origin)
        )
    return _calendar(plan_of(series).setup.name, lines)


def _date(series: Series, date: SeasonDate, changed_at: int, origin: str) -> Iterator[str]:
    setup = plan_of(series).setup
    is_held = date.status is DateStatus.PLANNED or bool(date.placings)
    # The same UID as in the calendar of the tournament that will be opened.
    yield from (
        "BEGIN:VEVENT",
        f"UID:{tournament_id(series.id, date.number)}-1@hoodwink",
        f"DTSTAMP:{_time(changed_at)}",
        # Above those that the tournament's own calendar had before its end.
        f"SEQUENCE:{date.version}",
        f"DTSTART:{_time(date.starts_at)}",
        f"SUMMARY:{_text(f'{setup.name} {date.number}')}",
        f"DESCRIPTION:{_text(GAMES[setup.game].title)}",
        f"STATUS:{'CONFIRMED' if is_held else 'CANCELLED'}",
        f"URL:{origin}/series/{series.id}",
        "END:VEVENT",
    )


def player_calendar(name: str, player: str, entered: Iterable[LoadedTournament], origin: str) -> str:
    """Returns the sittings in which a player takes part: not those after they have left or that they will miss."""
    lines = [
        line
        for loaded in entered
        if (entrant := participant(loaded.state, player)) is not None and not entrant.has_left
        for line in _sittings(loaded, origin, without=entrant.absent_in)
    ]
    return _calendar(f"Tournaments of {name}", lines)


def _sittings(loaded: LoadedTournament, origin: str, *, without: int = 0) -> Iterator[str]:
    tournament = loaded.state
    setup, url = setup_of(tournament), f"{origin}/tournaments/{tournament.id}"
    for number, sitting in enumerate(setup.sittings, start=1):
        at = sitting.starts_at
        if at is None or at > _MAX_MS or number == without:
            continue
        title = f"{setup.name}: sitting {number}" if len(setup.sittings) > 1 else setup.name
        yield from (
            "BEGIN:VEVENT",
            f"UID:{tournament.id}-{number}@hoodwink",
            f"DTSTAMP:{_time(loaded.at)}",
            # Each change of a time is an event of the tournament.
            f"SEQUENCE:{tournament.version}",
            f"DTSTART:{_time(at)}",
            f"SUMMARY:{_text(title)}",
            f"DESCRIPTION:{_text(GAMES[setup.game].title)}",
            f"STATUS:{'CONFIRMED' if _is_held(tournament, number) else 'CANCELLED'}",
            f"URL:{url}",
            "END:VEVENT",
        )


def _is_held(tournament: Tournament, sitting: int) -> bool:
    """Returns whether a sitting takes place: it has rounds, and the tournament does not end before them."""
    if tournament.terms is None:
        return tournament.phase is not Phase.CANCELLED
    rounds = tournament.terms.rounds_by_sitting
    has_begun = sum(rounds[: sitting - 1]) < last_round(tournament)
    return sitting <= max(1, len(rounds)) and (has_begun or not is_over(tournament))


def _calendar(name: str, components: Iterable[str]) -> str:
    # Twice, because NAME (RFC 7986) is the standard, and many programs read only the older property.
    named = (f"NAME:{_text(name)}", f"X-WR-CALNAME:{_text(name)}")
    lines = (*_HEAD[:4], *named, *_HEAD[4:], *components, "END:VCALENDAR")
    return "".join(f"{folded}\r\n" for line in lines for folded in _folded(line))


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(text: str) -> str:
    # The backslash first, or those before the other characters would be escaped again.
    for special in "\\;,":
        text = text.replace(special, f"\\{special}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """Yields the parts of a line, each but the first with a space before it; no character is split."""
    part, size = "", 0
    for character in line:
        width = len(character.encode())
        if size + width > _MAX_OCTETS:
            yield part
            part, size = " ", 1
        part, size = part + character, size + width
    yield part
