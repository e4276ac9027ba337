"""The commands of the README and the API tour, pasted into a shell block by block."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hoodwink.service.supervisor.roster import address
from tests.recipes import ROOT, quicker

PATIENCE_SECONDS = 240
QUICKER = {
    "README.md": {"--tables 200": "--tables 10", "--deals 200": "--deals 4"},
    "docs/API.md": {
        '"options":{"rounds":1}}': '"options":{"rounds":1},"bot_delay":0,"round_pause":0}',
        '"steady","steady"]}': '"steady","steady"],"bot_delay":0,"round_pause":0}',  # the fork
    },
}
"""Substitutes that shorten play and waiting times."""

pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder like a fresh clone, with the command in `.venv/bin`."""
    folder = tmp_path_factory.mktemp("clone")
    scripts = folder / ".venv" / "bin"
    scripts.mkdir(parents=True)
    hoodwink = shutil.which("hoodwink", path=str(Path(sys.executable).parent))
    assert hoodwink, "install the project first"
    (scripts / "hoodwink").symlink_to(hoodwink)
    return folder


@pytest.fixture(scope="module")
def paste(home, running):
    """Pastes a page's commands into a new shell next to a running service; returns their output."""

    def pasted(page: str) -> str:
        text = quicker((ROOT / page).read_text(encoding="utf-8"), QUICKER[page])
        blocks = re.findall(r"^```sh\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
        script = "\n".join(["set -euo pipefail", *blocks]).replace("http://127.0.0.1:8000", address(running))
        shell = subprocess.run(
            ["bash", "-c", script],
            cwd=home,
            env={**os.environ, "HOODWINK_DATA": running.data},
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        assert shell.returncode == 0, shell.stderr
        return shell.stdout

    return pasted


def test_commands_of_the_readme_work_as_pasted(paste):
    output = paste("README.md")

    assert output.count("    1  A table of Blindside with 4 seats was opened.\n") == 2, "demo and replay"
    assert "\nvalid: " in output


def test_commands_of_the_api_tour_work_as_pasted(paste):
    output = paste("docs/API.md")

    assert '"code":' not in output, "the service refused something"
    assert '"outcome":"played_out"' in output
    assert '{"valid":true' in output
    assert "valid: tournament" in output
    assert "olga  void_table" in output
    assert "It plays on from version 8 of table" in output
    assert '"player_seeds":["revealed","none","none","none"]' in output
