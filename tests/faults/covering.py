"""Tests that can notice a fault: those that ran its lines, and a manual list for other processes and the page."""

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from coverage import CoverageData

from tests.faults.collection import Code, Fault
from tests.faults.scratch import FOLDER, TREE

MAP: Final = FOLDER / "map"

ELSEWHERE: Final = "processes or cluster or browser"
"""Tests that run code in other processes or a browser, which the map does not cover."""

SHORT: Final = "not campaign"
"""The tests of `make test`."""

_BY_AREA: Final = (
    ("page/proof", "web/proof/test_proof web/shell/test_in_browser web/replay/test_replay_proof"),
    ("page/replay", "web/replay/test_replay web/secrecy/test_secrecy web/secrecy/test_twin_pages"),
    ("page/replay", "web/shell/test_accessibility"),
    ("page/replay", "web/proof/test_kept_seeds"),
    ("page/table/lessons", "web/table/test_lessons web/test_rules"),
    ("page/table", "web/table/test_table web/table/test_room web/test_cards web/table/test_playing"),
    ("page/table", "web/table/test_flights web/secrecy/test_secrecy"),
    ("page/table", "web/secrecy/test_twin_pages web/proof/test_kept_seeds web/table/test_sixth_game"),
    ("page/table", "web/table/test_lessons web/replay/test_replay"),
    (
        "page/home",
        "web/home/test_home web/proof/test_kept_seeds web/table/test_room web/shell/test_accessibility",
    ),
    ("page/players", "web/players/test_players web/players/test_plot web/shell/test_accessibility"),
    ("page/tournaments", "web/tournaments/test_tournaments web/tournaments/test_organisers_desk"),
    ("page/tournaments", "web/shell/test_accessibility"),
    ("page/rules", "web/test_rules"),
    ("page/cards", "web/test_cards web/table/test_table web/table/test_playing"),
    (
        "page/shell",
        "web/home/test_home web/players/test_players web/table/test_room web/shell/test_accessibility",
    ),
    ("page/style", "web/shell/test_accessibility web/test_cards web/table/test_flights web/table/test_room"),
    ("page", "web/files/test_files web/shell/test_in_browser web/home/test_home web/table/test_table"),
    ("page", "web/players/test_players web/table/test_room"),
    ("page", "web/players/test_plot web/proof/test_kept_seeds web/tournaments/test_tournaments"),
    ("page", "web/replay/test_replay web/test_rules"),
    ("workers", "workers/ service/test_operation service/test_run service/test_personal_news"),
    ("supervisor", "service/test_supervisor service/test_running service/test_run service/test_outage"),
    (
        "service/http",
        "server/test_server server/test_lane_raw server/test_broken server/test_crowds service/test_limits",
    ),
    (
        "service/adapters",
        "service/adapters/ service/test_lost_writes service/test_replicas service/test_cluster",
    ),
    ("service/cli", "service/cli/ tests/clients/test_guide tests/clients/test_readme service/test_running"),
    (
        "service",
        "service/test_backups service/test_full_disk service/test_operation service/test_older_store",
    ),
)
"""Parts of test modules' paths, the likeliest first, by a part of the fault's path."""


_FEW: Final = 8
"""Test modules whose tests form the first batch. Each later one has twice as many, since it is less likely to notice."""

_SOON: Final = 40
"""Tests of a module that are in the module's batch. The others follow when all modules have had their turn."""


def modules() -> list[str]:
    """Returns all test modules of the copy."""
    return sorted(
        str(path.relative_to(TREE))
        for path in (TREE / "tests").rglob("test_*.py")
        if path.parts[-2] != "faults"
    )


def measured(module: str) -> tuple[Path, Path]:
    """Returns the map's files for a test module: the lines and the seconds of each test."""
    stem = module.replace("/", "+").removesuffix(".py")
    return MAP / f"{stem}.coverage", MAP / f"{stem}.json"


def covering(code: Code, fault: Fault, measure: Callable[[str], None]) -> Iterator[list[str]]:
    """Yields the tests that ran a fault's lines, in batches: those of the modules that are named like the code first.

    Args:
        measure: makes the map's files for a test module, unless it has them.
    """
    path = code.locate(fault)
    lines = _lines(code.texts[path], fault)
    ranked = sorted(modules(), key=lambda module: -_likeness(path, module))
    late: list[str] = []
    count = _FEW
    while ranked:
        some, ranked, count = ranked[:count], ranked[count:], 2 * count
        for module in some:
            measure(module)
        first = []
        for tests in _covering_by_module(path, lines, some).values():
            first += tests[:_SOON]
            late += tests[_SOON:]
        yield first
    yield late


def elsewhere(path: Path) -> list[str]:
    """Returns the test modules that can notice a fault in another process or the page, the likeliest first."""
    parts = [part for area, words in _BY_AREA if area in str(path) for part in words.split()]
    return list(dict.fromkeys(module for part in parts for module in modules() if part in module))


def _lines(text: str, fault: Fault) -> range:
    """Returns the numbers of the lines that a fault changes; in Python, of the whole statements."""
    same = next((i for i, (a, b) in enumerate(zip(fault.old, fault.new, strict=False)) if a != b), 0)
    first = text[: text.index(fault.old) + same].count("\n") + 1
    last = text[: text.index(fault.old) + len(fault.old.rstrip())].count("\n") + 1
    # A statement counts as run in its first line, which may be far above, such as that of a script in Lua.
    return range(_statement_at(text, first), max(first, last) + 1)


def _statement_at(text: str, line: int) -> int:
    """Returns the number of the first line of the innermost statement at a line."""
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a file of the page
        return line
    found = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and _spans(node, line)]
    return max((node.lineno for node in found), default=line)


def _spans(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _covering_by_module(path: Path, lines: range, some: Iterable[str]) -> dict[str, list[str]]:
    """Returns the tests that ran one of these lines or, for lines run on import, any line of the file; quick ones first."""
    runs_on_import = False
    ran: dict[str, list[str]] = {}
    touched: dict[str, list[str]] = {}
    for module in some:
        file, report = measured(module)
        if not report.exists():  # the measuring run was killed
            continue
        data = CoverageData(str(file))
        data.read()
        contexts = data.contexts_by_lineno(str(TREE / path))
        runs_on_import |= any("" in contexts.get(number, ()) for number in lines)
        seconds = _seconds(module)
        for found, numbers in ((ran, lines), (touched, contexts)):
            tests = {test for number in numbers for test in contexts.get(number, ()) if test in seconds}
            if tests:
                found[module] = sorted(tests, key=seconds.__getitem__)
    return touched if runs_on_import else ran


@cache
def _seconds(module: str) -> Mapping[str, float]:
    """Returns the seconds of each test that passed while the map was made."""
    found = json.loads(measured(module)[1].read_text(encoding="utf-8"))
    return {test: seconds for test, seconds in found["seconds"].items() if test not in found["failed"]}


def _likeness(path: Path, module: str) -> int:
    """Returns how many words of the code's path are in the path of a test module."""
    return sum(word in module for word in {path.stem, path.stem.rstrip("s"), *path.parts[:-1]})
