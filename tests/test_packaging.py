"""Declared dependencies, commands, parts and variables match those in use."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from functools import cache
from importlib.metadata import packages_distributions, version
from pathlib import Path
from zipfile import ZipFile

import click
import pytest
import yaml
from click.testing import CliRunner
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from hoodwink.service import cli
from hoodwink.service.cli import SUMMARIES
from hoodwink.service.settings import variables
from hoodwink.service.supervisor.roster import PARTS
from hoodwink.service.web import files
from tests.release import contents, copy_for_release
from tests.sources import sources

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
(PACKAGE,) = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
FOLDERS = [path.name for path in (ROOT / PACKAGE).iterdir() if path.is_symlink()]
BENCH = "bench"
SERVICE_PROJECT = ROOT / "wheels" / "service"
SERVICE_FOLDERS = [path.name for path in (SERVICE_PROJECT / PACKAGE).iterdir()]
CORE_FOLDERS = sorted(set(FOLDERS) - set(SERVICE_FOLDERS))
CLIENT = "hoodwink_client"  # installed from clients/python
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())

RUNS, DEVELOPS = "requirements.lock", "requirements-dev.lock"
OWN = {f"{PACKAGE}-service": SERVICE_PROJECT, f"{PACKAGE}-client": ROOT / "clients" / "python"}
"""The folders of the distributions that the extras add to the library."""


def required(*extras):
    """Returns the requirements of the library, and of these extras, with those of the extras that they name."""
    requirements = list(PROJECT["project"]["dependencies"])
    for extra in extras:
        for requirement in PROJECT["project"]["optional-dependencies"][extra]:
            nested = re.fullmatch(rf"{PACKAGE}\[([\w,]+)\]", requirement)
            requirements += required(*nested[1].split(",")) if nested else [requirement]
    return [requirement for requirement in requirements if named(requirement) not in OWN]


def named(requirement):
    """Returns the normalised name of the distribution in a requirement."""
    name = re.match(r"[\w.-]+", requirement)
    assert name, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def locked(lock):
    """Returns the versions in a lock file by their normalised names."""
    pins = re.findall(r"^([\w.-]+)(?:\[[\w,]+\])?==([\w.]+)", (ROOT / lock).read_text(), re.MULTILINE)
    return {named(name): number for name, number in pins}


IMPORT = re.compile(
    r"^ *(?:import (\w+)[\w.]*(?: as \w+)?(?:  #.*)?$|from (\w+)[\w.]* import )", re.MULTILINE
)
"""An import as ruff formats it. Those in the text of a script are found, too."""


def imported(folders):
    """Returns the top-level third-party modules imported in these folders."""
    paths = sources(*(ROOT / folder for folder in folders))
    tops = {name for path in paths for names in IMPORT.findall(path.read_text()) for name in names}
    own = {PACKAGE, BENCH, CLIENT, "tests"}
    return tops - {""} - set(sys.stdlib_module_names) - {"compression"} - own  # the last of Python 3.14


@cache
def distributions():
    """Returns the distributions that provide each top-level module."""
    return packages_distributions()


@pytest.mark.parametrize(
    ("folders", "requirements"),
    [
        (["domain"], required()),
        (["env"], required("env")),
        (SERVICE_FOLDERS, required("service", "objects", "mcp")),
        ([BENCH], required("service", "env")),
        (["tests"], required("dev")),
    ],
    ids=["domain", "env", "service", "bench", "tests"],
)
def test_every_import_is_declared(folders, requirements):
    declared = {named(requirement) for requirement in requirements}
    providers = distributions()

    undeclared = {
        module
        for module in imported(folders)
        if not declared & {named(provider) for provider in providers.get(module, [module])}
    }

    assert not undeclared


@pytest.mark.parametrize(
    ("lock", "requirements"),
    [(RUNS, [*required("service"), "hatchling", "editables"]), (DEVELOPS, required("dev"))],
)
def test_every_dependency_is_locked(lock, requirements):
    assert {named(requirement) for requirement in requirements} <= locked(lock).keys()


def test_both_locks_name_the_same_versions():
    assert locked(RUNS).items() <= locked(DEVELOPS).items()


@pytest.mark.parametrize("lock", [RUNS, DEVELOPS])
def test_lock_lines_are_exact_versions_or_hashes(lock):
    lines = [line for line in (ROOT / lock).read_text().splitlines() if not line.startswith("#")]
    pin = r"[\w.-]+(\[[\w,]+\])?==[\w.]+( ; [\w\s.*'()=!<>]+)? \\"
    file = r"    --hash=sha256:[0-9a-f]{64}( \\)?"

    assert [line for line in lines if not re.fullmatch(f"{pin}|{file}", line)] == []


@pytest.mark.parametrize("name", ["Makefile", "Dockerfile"])
def test_everything_is_installed_with_hashes(name):
    """The project itself is built with the locked tools, since an isolated build would download its own."""
    text = (ROOT / name).read_text().replace("\\\n", " ")
    commands = re.findall(r"(?:\$\(PIP\)|bin/pip install) (.*?)(?:&&|$)", text, re.MULTILINE)

    assert len(commands) == 2
    for command in commands:
        locked_or_own = "--require-hashes" in command or "--no-deps --no-build-isolation" in command
        assert locked_or_own, command


def test_every_folder_with_modules_is_a_package():
    folders = {path.parent for folder in (*FOLDERS, BENCH) for path in (ROOT / folder).rglob("*.py")}

    assert not [str(folder) for folder in folders if not (folder / "__init__.py").exists()]


def built_wheel(source, folder):
    (wheel,) = WheelBuilder(str(source)).build(directory=str(folder), versions=["standard"])
    return Path(wheel)


def packaged(folders):
    """Returns the paths in a wheel of all modules in these folders."""
    paths = {path for folder in folders for path in (ROOT / folder).rglob("*.py")}
    return {f"{PACKAGE}/{path.relative_to(ROOT).as_posix()}" for path in paths}


def test_the_wheels_have_every_module_and_page_file_once(tmp_path):
    page = {files.FOLDER / path for path in (files.TEMPLATE, files.OFFLINE, *files.paths())}

    core = contents(built_wheel(ROOT, tmp_path)).keys()
    service = contents(built_wheel(SERVICE_PROJECT, tmp_path)).keys()

    assert packaged(CORE_FOLDERS) | {f"{PACKAGE}/__init__.py", f"{PACKAGE}/py.typed"} <= core
    assert packaged(SERVICE_FOLDERS) | {path.relative_to(ROOT).as_posix() for path in page} <= service
    assert not core & service
    for names in (core, service):
        assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {PACKAGE}


@pytest.mark.parametrize("name", OWN)
def test_all_distributions_have_one_version_and_licence(name):
    project = ProjectMetadata(str(OWN[name]), PluginManager())

    assert (project.name, project.version) == (name, PROJECT["project"]["version"])
    assert (OWN[name] / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_the_client_in_typescript_has_the_same_version_and_licence():
    folder = ROOT / "clients" / "typescript"

    assert json.loads((folder / "package.json").read_text())["version"] == PROJECT["project"]["version"]
    assert (folder / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


@pytest.mark.parametrize("project", [ROOT, *OWN.values()], ids=[PACKAGE, *OWN])
def test_sdist_and_checkout_build_the_same_wheel(project, tmp_path):
    copy_for_release(tmp_path / "checkout")
    checkout = tmp_path / "checkout" / project.relative_to(ROOT)
    (sdist,) = SdistBuilder(str(checkout)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    source = Path(sdist.removesuffix(".tar.gz"))

    assert contents(built_wheel(source, tmp_path / "twice")) == contents(
        built_wheel(checkout, tmp_path / "once")
    )


def test_command_reads_its_version_from_pyproject():
    said = CliRunner().invoke(cli.hoodwink, ["--version"], prog_name="hoodwink").output

    assert version(PACKAGE) == PROJECT["project"]["version"], (
        "run `make test`, which installs the new version"
    )
    assert said == f"hoodwink {version(PACKAGE)}\n"


def test_no_module_repeats_the_version():
    literal = re.compile(rf"(?<![\d.]){re.escape(version(PACKAGE))}(?![\d.])")
    modules = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]

    assert not [path for path in modules if literal.search(path.read_text())]


def test_project_urls_point_to_its_repository():
    urls = PROJECT["project"]["urls"]

    for url in urls.values():
        assert url.startswith(urls["Source"])
        _, in_tree, path = url.partition("/main/")
        assert not in_tree or (ROOT / path).exists()


def test_bench_of_an_installed_wheel_says_where_to_find_it(tmp_path):
    for project in (ROOT, SERVICE_PROJECT):
        with ZipFile(built_wheel(project, tmp_path)) as built:
            built.extractall(tmp_path)
    bench = (sys.executable, "-P", "-m", "hoodwink.service.cli", "bench", "--only", "engine")

    done = subprocess.run(
        bench,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "Error: The benchmarks are in Hoodwink's repository, not in the installed package"
    )


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_command_listed_can_be_loaded(name):
    command = cli.hoodwink.get_command(click.Context(cli.hoodwink), name)

    assert command
    assert command.name == name
    assert command.help


def test_every_module_with_a_command_is_listed():
    with_command = {
        file.stem.rstrip("_").replace("_", "-")  # no module can be called `import` or `new-game`
        for file in (ROOT / "service" / "cli").rglob("*.py")
        if "\ndef command(" in file.read_text()
    }

    assert with_command == set(SUMMARIES)


def modules_after(script):
    """Returns what a script prints, and the modules that it has imported."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\ntry:\n {script}\nfinally: print(*sys.modules)"],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    *lines, modules = done.stdout.splitlines()
    return "\n".join(lines), set(modules.split())


def test_help_imports_no_framework():
    printed, modules = modules_after("from hoodwink.service import cli; cli.hoodwink(['--help'])")

    assert "Commands:" in printed
    assert not {"celery", "flask", "redis", "rich", "hoodwink.domain"} & modules


def test_the_supervisor_imports_no_games():
    """They would double the time in which it starts."""
    _, modules = modules_after("import hoodwink.service.cli.run")

    assert not {"celery", "flask", "hoodwink.domain.games"} & modules


def test_make_compose_first_reports_missing_packages(tmp_path):
    make, environment = shutil.which("make"), os.environ | {"PATH": str(tmp_path)}
    assert make

    trial = (make, "compose", f"PYTHON={sys.executable}", f"VENV={tmp_path}/venv")
    done = subprocess.run(trial, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode
    assert "not installed: podman podman-compose " in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_compose_runs_every_part_in_its_own_container():
    commands = [part["command"] for name, part in COMPOSE["services"].items() if name != "redis"]

    assert sorted(commands) == sorted(["hoodwink", "run", name] for name in PARTS)


def test_image_and_compose_cover_all_known_variables():
    known = {variable.name for variable in variables()}
    image = set(re.findall(r"\b([A-Z_]+)=", (ROOT / "Dockerfile").read_text())) - {"PATH"}
    compose = COMPOSE["x-hoodwink"]["environment"]
    # The port is published as HOODWINK_PORTS; the other one is in the command of Redis.
    elsewhere = {"HOODWINK_PORT", "HOODWINK_FSYNC"}

    assert image <= known
    assert set(compose) | image == known - elsewhere, "list each setting in docker-compose.yml"


def test_the_image_copies_only_files_that_the_build_reads():
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert ignored[1] == "*"
    read = {"LICENSE", "README.md", "pyproject.toml", RUNS, PACKAGE, "wheels", "clients/python", *FOLDERS}
    assert set(ignored[2:]) == {*(f"!{name}" for name in read), "**/__pycache__"}


def test_compose_publishes_one_port_on_localhost_only():
    published = {name: part["ports"] for name, part in COMPOSE["services"].items() if "ports" in part}
    assert published == {"api": ["${HOODWINK_PORTS:-127.0.0.1:8000}:8000"]}


@pytest.mark.parametrize("part", COMPOSE["services"].values(), ids=COMPOSE["services"])
def test_compose_restricts_each_container(part):
    assert part["read_only"]
    assert part["cap_drop"] == ["ALL"]
    assert part["security_opt"] == ["no-new-privileges"]
    assert part["restart"] == "unless-stopped"


@pytest.mark.parametrize("part", COMPOSE["services"].values(), ids=COMPOSE["services"])
def test_compose_health_checks_work_with_podman_compose(part):
    assert isinstance(part["healthcheck"]["test"], str)


def test_compose_keeps_every_acknowledged_event():
    redis = COMPOSE["services"]["redis"]
    command = " ".join(word or '""' for word in redis["command"])
    assert '--save ""' in command, "Redis refuses writes after a snapshot that failed"
    assert "--appendonly yes --appendfsync ${HOODWINK_FSYNC:-always}" in command
    assert "--maxmemory-policy noeviction" in command
    assert redis["volumes"] == ["events:/data"]


def test_ci_runs_all_checks_on_the_oldest_supported_python():
    (job,) = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"].values()
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=")

    assert job["container"]["image"].startswith(f"python:{oldest}-")
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]


def test_the_makefile_separates_tests_only_by_existing_markers():
    markers = {marker.partition(":")[0] for marker in PROJECT["tool"]["pytest"]["ini_options"]["markers"]}
    chosen = re.findall(r"\$\(PYTEST\).* -m ('.*?'|\w+)", (ROOT / "Makefile").read_text())

    named = set(re.findall(r"\b[a-z]+\b", str(chosen))) - {"not"}
    assert {"campaign"} <= named <= markers
