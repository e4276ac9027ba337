"""Lists the tests that prove each rule of docs/RULES.md and docs/TOURNAMENTS.md: `python -m tests.rules`.

A test proves the ids in its name: `test_bs_8_bs_9_…` proves BS-8 and BS-9. The exit code is 1 if an id
has no test, or if a test names an unknown id.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).parent.parent
RULES = ROOT / "docs" / "RULES.md"
TOURNAMENTS = ROOT / "docs" / "TOURNAMENTS.md"
TESTS = ROOT / "tests"

_ROW = re.compile(r"^\| ([A-Z]+-\d+[a-z]?) \|", re.MULTILINE)
_TEST = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)
_NAMED = re.compile(r"(?<=_)([a-z]+)_(\d+[a-z]?)(?=_|$)")


def known_ids() -> tuple[str, ...]:
    """Returns every id of both documents, in order."""
    return tuple(rule for path in (RULES, TOURNAMENTS) for rule in ids_in_rules(path.read_text("utf-8")))


def ids_in_rules(text: str) -> tuple[str, ...]:
    r"""Returns the ids in the first column of tables, in order.

    >>> ids_in_rules("| ID | Decision |\n|---|---|\n| G-1 | Others means players, see G-3. |\n")
    ('G-1',)
    """
    return tuple(_ROW.findall(text))


def ids_in_name(name: str, prefixes: Collection[str]) -> tuple[str, ...]:
    """Returns the ids in a test's name.

    >>> ids_in_name("test_bs_8_bs_9_round_3_is_the_last", {"BS", "G"})
    ('BS-8', 'BS-9')
    >>> ids_in_name("test_p_2a_colours_go_first", {"P"})
    ('P-2a',)
    """
    named = [(prefix.upper(), number) for prefix, number in _NAMED.findall(name)]
    return tuple(f"{prefix}-{number}" for prefix, number in named if prefix in prefixes)


def proofs(folder: Path, rules: tuple[str, ...]) -> dict[str, list[str]]:
    """Returns the tests of each id, including unknown ids, as `path::name`."""
    prefixes = {rule.partition("-")[0] for rule in rules}
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        for name in _TEST.findall(path.read_text("utf-8")):
            for rule in ids_in_name(name, prefixes):
                found[rule].append(f"{path.relative_to(folder.parent)}::{name}")
    return found


def report(rules: tuple[str, ...], found: dict[str, list[str]]) -> int:
    """Prints every id with its status and its tests; returns the exit code."""
    missing = [rule for rule in rules if rule not in found]
    unknown = sorted(set(found) - set(rules))
    for rule in (*rules, *unknown):
        print(f"{rule:<6} {'NO TEST' if rule in missing else 'NO RULE' if rule in unknown else 'proved'}")
        for test in found.get(rule, ()):
            print(f"       {test}")
    print(
        f"{len(rules)} ids; without a test: {', '.join(missing) or 'none'}; without a rule: {', '.join(unknown) or 'none'}"
    )
    return 1 if missing or unknown else 0


if __name__ == "__main__":
    sys.exit(report(known_ids(), proofs(TESTS, known_ids())))
