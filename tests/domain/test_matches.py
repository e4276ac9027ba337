"""Every `match` over events names each of them, so that mypy finds the places that a new event has not reached."""

import ast
import re
from pathlib import Path

from hoodwink.domain.games import GAMES
from hoodwink.domain.ratings import RATING_EVENTS
from hoodwink.domain.tables.events import TABLE_EVENTS
from hoodwink.domain.tournaments.life.events import TOURNAMENT_EVENTS

ROOT = Path(__file__).parents[2]
FILES = sorted(path for room in ("domain", "service", "workers") for path in (ROOT / room).rglob("*.py"))
EVENTS = {
    kind.__name__
    for kind in (
        *TABLE_EVENTS,
        *TOURNAMENT_EVENTS,
        *RATING_EVENTS,
        *(kind for game in GAMES.values() for kind in game.events),
    )
}


def open_matches(source: str) -> list[int]:
    """Returns the lines of matches over events that do not end in `assert_never`."""
    # Parsing every module would take most of the test's time.
    if not re.search(r"^\s*match\b", source, re.MULTILINE):
        return []
    matches = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Match)]
    return [found.lineno for found in matches if _is_over_events(found) and not _is_closed(found)]


def _is_over_events(found: ast.Match) -> bool:
    classes = [node.cls for node in ast.walk(found.cases[0].pattern) if isinstance(node, ast.MatchClass)]
    return any(ast.unparse(named).rpartition(".")[2] in EVENTS for named in classes)


def _is_closed(found: ast.Match) -> bool:
    return ast.unparse(found.cases[-1].body[0]).startswith("assert_never(")


def test_every_match_over_events_ends_in_assert_never():
    found = {str(path): open_matches(path.read_text()) for path in FILES}

    assert len(found) > 300
    # Most events show a seat no card, so what it knows follows from a few of them.
    learning = ("/knowledge.py", "/knowing.py")
    assert {path: lines for path, lines in found.items() if lines and not path.endswith(learning)} == {}


def test_an_incomplete_match_is_noticed():
    lenient = "match event:\n    case events.SeatTaken():\n        pass\n    case _:\n        pass\n"

    assert open_matches(lenient) == [1]
    assert (
        open_matches(lenient.replace("case _:\n        pass", "case _:\n        assert_never(event)")) == []
    )
