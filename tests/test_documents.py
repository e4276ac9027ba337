"""The documents are consistent: links resolve, each page states its audience, and tables of settings are complete."""

import re
from pathlib import Path

import pytest
import yaml

from hoodwink.domain.bots import VERSIONS
from hoodwink.service.http.description import API
from hoodwink.service.http.framework.operations import Access, declared
from hoodwink.service.settings import variables

ROOT = Path(__file__).parents[1]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
"""Pages opened directly by people; `how_to_play.md` is shown by the page, and `tests` has notes next to its files."""
README = ROOT / "README.md"
MAX_WORDS = {"README.md": 1500, "ARCHITECTURE.md": 3000}
NONE = "\N{EN DASH}"
PARAMETER = re.compile(r"\{\w+\}")


def prose(page):
    """Returns a page without code blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(page):
    """Returns the anchors of a page's headings in the style of Git forges."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def links(text):
    """Returns the targets of links into the repository."""
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if ":" not in target]


def named(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_has_a_target(page):
    broken = []
    for link in links(prose(page)):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)

    assert not broken


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name != "decisions"], ids=named)
def test_a_page_starts_with_its_audience(page):
    _, first, *_ = prose(page).split("\n\n")

    assert first.startswith("For ")


@pytest.mark.parametrize("name", MAX_WORDS)
def test_a_first_page_is_short(name):
    assert len((ROOT / name).read_text(encoding="utf-8").split()) <= MAX_WORDS[name]


def test_readme_ends_with_a_list_of_all_pages():
    listed = re.findall(r"^- \[.*?\]\((\S+?\.md)\): ", prose(README).rpartition("\n## ")[2], re.MULTILINE)
    pages = {named(page) for page in PAGES if page.parent in {ROOT, ROOT / "docs"} and page != README}

    assert sorted(listed) == sorted(pages)


@pytest.mark.parametrize("name", ["API.md", "RATINGS.md"])
def test_a_bot_is_named_by_its_current_version(name):
    versions = re.findall(r"\bsteady@(\d+)", (ROOT / "docs" / name).read_text(encoding="utf-8"))

    assert {*versions} == {str(VERSIONS["steady"])}


def rows(page):
    """Returns the second column of a page's table rows that start with a variable."""
    found = re.findall(r"^\| `([A-Z_]+)` \| (\S+) \| \S", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(found) == len(dict(found)), "a variable has two rows"
    return dict(found)


def test_settings_page_lists_every_variable_with_its_default():
    defaults = {variable.name: variable.default.removesuffix(".0") or NONE for variable in variables()}

    assert rows(ROOT / "docs" / "SETTINGS.md") == defaults


def test_operators_page_lists_every_operation_of_administrators():
    page = (ROOT / "docs" / "OPERATING.md").read_text(encoding="utf-8")
    _, _, section = page.partition("\n## Administrators\n")
    operations = {
        f"{operation.method} {PARAMETER.sub('{}', operation.path)}"
        for resource in API
        for _, operation in declared(resource)
        if operation.access is Access.ADMINISTRATOR
    }

    listed = re.findall(r"`(POST /v1/\S+)` \|$", section, re.MULTILINE)
    assert {PARAMETER.sub("{}", operation) for operation in listed} == operations


def test_containers_page_lists_the_variables_of_compose_with_their_defaults():
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    services = yaml.safe_dump(yaml.safe_load(compose)["services"])
    defaults = dict(re.findall(r"\$\{([A-Z_]+):-([^}]*)\}", services))
    settings = {variable.name for variable in variables()}

    assert rows(ROOT / "docs" / "CONTAINERS.md") == {
        name: default for name, default in defaults.items() if name not in settings
    }
