"""The developers' documents refer to existing files, and the index of decisions is complete."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DECISIONS = ROOT / "docs" / "decisions"
RECORDS = sorted(path for path in DECISIONS.glob("*.md") if path.name != "README.md")
PAGES = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *sorted(DECISIONS.glob("*.md"))]
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)+)/?`")
GENERATED = "build/"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_in_backquotes_exists(page):
    paths = PATH.findall(page.read_text(encoding="utf-8"))

    assert not [path for path in paths if not path.startswith(GENERATED) and not (ROOT / path).exists()]


def test_the_index_lists_every_decision_once_in_order():
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")

    assert re.findall(r"^- \[\d{4}\]\((\S+)\) ", index, re.MULTILINE) == [record.name for record in RECORDS]


def test_decisions_are_numbered_from_one_without_gaps():
    assert [record.name[:4] for record in RECORDS] == [
        f"{number:04}" for number in range(1, len(RECORDS) + 1)
    ]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
def test_a_decision_has_its_number_and_three_sections(record):
    headings = re.findall(r"^#+ .*$", record.read_text(encoding="utf-8"), re.MULTILINE)

    assert headings[0].startswith(f"# {record.name[:4]}. ")
    assert headings[1:] == ["## Context", "## Decision", "## Consequences"]
