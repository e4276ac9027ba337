"""Builds a release in `dist` and tests it in otherwise empty environments: `python -m tests.release`."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
_DIST, _TRIAL = ROOT / "dist", ROOT / "build" / "release"
_PARTS = {"hoodwink-service": "wheels/service", "hoodwink-client": "clients/python"}
"""The folders of the distributions that extras of the library require."""


def main() -> None:
    """Builds and tests the release.

    Raises:
        SystemExit: the checkout is not ready for a release, or the release does not work.
    """
    _check_checkout()
    for folder in (_DIST, _TRIAL):
        shutil.rmtree(folder, ignore_errors=True)
    _TRIAL.mkdir(parents=True)
    copy_for_release(_TRIAL / "source")
    for project in ("", *_PARTS.values()):
        _run(
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "--directory",
            str(_DIST),
            cwd=_TRIAL / "source" / project,
        )
    wheels = sorted(_DIST.glob("*.whl"))
    _check_library(_DIST / f"hoodwink-{VERSION}-py3-none-any.whl")
    _install(wheels)
    _check_commands()
    for wheel in wheels:
        _check_sdist(_DIST / wheel.name.replace("-py3-none-any.whl", ".tar.gz"), wheel)
    print(f"Hoodwink {VERSION} works: {', '.join(sorted(file.name for file in _DIST.iterdir()))}")


def copy_for_release(folder: Path) -> None:
    """Copies the files that git knows; in the copy, the extras of the library name the versions of its parts."""
    known = _run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", ":!tests", cwd=ROOT)
    for name in known.split("\0")[:-1]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    project = folder / "pyproject.toml"
    text = project.read_text()
    for name, part in _PARTS.items():
        in_checkout = f"{name} @ {{root:uri}}/{part}"  # a package index accepts only a version
        assert text.count(in_checkout) == 1, f"an extra names {name}"
        text = text.replace(in_checkout, f"{name}=={VERSION}")
    project.write_text(text)


def contents(wheel: Path) -> Mapping[str, int]:
    """Returns the checksum of each file in a wheel by its path."""
    with ZipFile(wheel) as archive:
        return {file.filename: file.CRC for file in archive.infolist()}


def _check_checkout() -> None:
    if _run("git", "status", "--porcelain", cwd=ROOT):
        sys.exit("Commit or remove your changes first: a release is built from a clean checkout.")
    if not re.search(rf"^## \[?{re.escape(VERSION)}\b", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE):
        sys.exit(f"CHANGELOG.md has no section for {VERSION}, the version in pyproject.toml.")


def _check_library(wheel: Path) -> None:
    """Lets pip choose the dependencies of the library, as users do."""
    _run(sys.executable, "-m", "venv", str(_TRIAL / "library"))
    _pip("install", str(wheel), venv="library")
    _run(str(_TRIAL / "library" / "bin" / "python"), "-c", "from hoodwink.domain.games import GAMES")


def _install(wheels: Sequence[Path]) -> None:
    _run(sys.executable, "-m", "venv", str(_TRIAL / "venv"))
    # The lock includes the build tools, since an isolated build would download its own without hashes.
    _pip("install", "--require-hashes", "--requirement", str(ROOT / "requirements.lock"))
    _pip("install", "--no-deps", *map(str, wheels))
    _pip("check")


def _check_commands() -> None:
    hoodwink = str(_TRIAL / "venv" / "bin" / "hoodwink")
    said = _run(hoodwink, "--version").strip()
    if said != f"hoodwink {VERSION}":
        sys.exit(f"`hoodwink --version` says {said!r} and not the version in pyproject.toml, {VERSION}.")
    _run(hoodwink, "simulate", "blindside", "--tables", "20")


def _check_sdist(sdist: Path, wheel: Path) -> None:
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(_TRIAL), str(sdist))
    ours, theirs = contents(wheel), contents(_TRIAL / wheel.name)
    if different := {name for name, _ in ours.items() ^ theirs.items()}:
        sys.exit(f"The wheel built from the sdist differs in {', '.join(sorted(different))}.")


def _pip(*arguments: str, venv: str = "venv") -> None:
    pip = (str(_TRIAL / venv / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check")
    _run(*pip, *arguments)


def _run(*command: str, cwd: Path = _TRIAL) -> str:
    """Runs a command, by default outside the checkout, whose modules would shadow the wheel's."""
    print("+", *command, flush=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=clean, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{done.stdout}\nThis failed: {' '.join(command)}")
    return done.stdout


if __name__ == "__main__":
    main()
