"""The library alone, installed into an empty environment: one name, one dependency, few bytes, and docs/LIBRARY.md works.

With the extra `cli`, the commands that need no service work.
"""

import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.test_packaging import CLIENT, OWN, PACKAGE, ROOT, built_wheel, distributions, named, required

MAX_DEPENDENCIES = 3
MAX_BYTES = 5_000_000
"""Of everything that the library installs, with compiled files."""

PROGRAMS = re.findall(
    r"^```python\n(.*?)^```", (ROOT / "docs" / "LIBRARY.md").read_text(), flags=re.DOTALL | re.MULTILINE
)

IMPORT_EVERYTHING = """\
import sys
from importlib import import_module
from pkgutil import walk_packages
before = set(sys.modules)
import hoodwink.domain
for module in walk_packages(hoodwink.domain.__path__, "hoodwink.domain."):
    import_module(module.name)
print(*{name.partition(".")[0] for name in set(sys.modules) - before} - sys.stdlib_module_names)
"""

COMMAND_WITHOUT_OTHERS = """\
import sys
installed = set(sys.argv.pop(1).split(",")) | sys.stdlib_module_names
class Others:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in installed:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Others())
from hoodwink.command import main
main()
"""


def site_packages(environment):
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(environment)}))


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """An environment with the library, installed by pip, and copies of the installed dependencies, for want of an index."""
    folder = tmp_path_factory.mktemp("core")
    venv.create(folder, with_pip=False)
    wheel = built_wheel(ROOT, folder)
    pip = (sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet")
    subprocess.run([*pip, "--no-index", "--no-deps", str(wheel)], check=True)
    for requirement in required():
        installed = distribution(named(requirement))
        assert all("extra ==" in needed for needed in installed.requires or ()), "copy its requirements, too"
        for file in installed.files or ():
            copy = site_packages(folder) / file
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_binary())
    return folder


def run(environment, *arguments):
    python = environment / "bin" / "python"
    return subprocess.run([python, "-I", *arguments], cwd="/", capture_output=True, text=True, check=False)


def test_the_library_is_small_and_has_one_name(environment):
    site = site_packages(environment)
    own = {path.name for path in site.iterdir() if path.name.startswith(PACKAGE) or "hoodwink" in path.name}
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())

    assert len(required()) <= MAX_DEPENDENCIES
    assert {name for name in own if not name.endswith(".dist-info")} == {PACKAGE}
    assert not {"domain", "service", "workers"} & {path.name for path in site.iterdir()}
    assert (site / PACKAGE / "py.typed").exists()
    assert size <= MAX_BYTES


def test_the_whole_domain_can_be_imported_with_its_declared_dependencies_only(environment):
    done = run(environment, "-c", IMPORT_EVERYTHING)

    assert (done.returncode, done.stderr) == (0, "")
    assert set(done.stdout.split()) == {PACKAGE, *map(named, required())}


@pytest.mark.parametrize("program", PROGRAMS, ids=["game", "table"])
def test_the_programs_of_the_guide_work(environment, program):
    done = run(environment, "-c", program)

    assert (done.returncode, done.stderr) == (0, "")
    assert "valid=True" in done.stdout or sum(map(int, re.findall(r"-?\d+", done.stdout))) == 0


def test_without_the_command_line_the_command_names_the_extras(environment):
    done = subprocess.run(
        [environment / "bin" / PACKAGE, "verify"], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert {"pip install 'hoodwink[cli]'", "pip install 'hoodwink[service]'"} <= set(
        re.findall(r"pip \w+ '.*?'", line)
    )


def closure(requirements):
    """Returns the names of the distributions that pip installs for these requirements, without markers."""
    found, open_ = set(), [named(requirement) for requirement in requirements]
    while open_:
        name = open_.pop()
        if name not in found:
            found.add(name)
            needed = distribution(name).requires or ()
            open_ += [named(text) for text in needed if ";" not in text]
    return found


@pytest.fixture(scope="module")
def hoodwink():
    """Runs a command while only the packages of the extra `cli` can be imported."""
    client = tomllib.loads((OWN["hoodwink-client"] / "pyproject.toml").read_text())["project"]["dependencies"]
    names = closure([*required("cli"), *client])
    modules = [module for module, owners in distributions().items() if names & set(map(named, owners))]
    script = ("-c", COMMAND_WITHOUT_OTHERS, ",".join([*modules, PACKAGE, CLIENT]))
    return lambda *words: subprocess.run(
        [sys.executable, *script, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_with_the_extra_cli_logs_are_played_verified_and_replayed(hoodwink, tmp_path):
    log, logs, bot = tmp_path / "coconut-1.log", tmp_path / "logs", tmp_path / "bot.py"
    bot.write_text("def choose(observation): return observation['legal_actions']['actions'][0]\n")

    for words in (
        ("simulate", "coconut", "--tables", 1, "--out", tmp_path),
        ("arena", "blind_don", "--deals", 2, "--bots", f"{bot},steady"),
        ("bot", "--help"),
        ("verify", log),
        ("replay", log, "--plain"),
        ("tournament", "simulate", "--entrants", 4, "--rounds", 2, "--logs", logs),
        ("verify", logs / "tournament.ndjson", "--tables", logs),
    ):
        done = hoodwink(*words)
        assert done.returncode == 0, (words, done.stderr)


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (["run"], "service"),
        (["openapi"], "service"),
        (["tournament", "export", "t", "--out", "x"], "service"),
        (["mcp"], "mcp"),
    ],
)
def test_with_the_extra_cli_other_commands_name_their_extra(hoodwink, words, extra):
    done = hoodwink(*words)

    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(rf"Error: .*: pip install 'hoodwink\[{extra}\]'\.\n", done.stderr)
