"""Runs programs of Node with the packages that `make generators` installs from the lock."""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DESCRIPTION = ROOT / "openapi.yaml"
PACKAGES = HERE / "node_modules"

# Not through npx, which would load the newest version from the network.
needs_packages = pytest.mark.skipif(
    shutil.which("node") is None or not PACKAGES.exists(),
    reason="needs Node 20 and npm, and `make generators`",
)


def run(folder: Path, *command: str) -> str:
    """Returns the output of a command, which must succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
