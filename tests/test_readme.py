"""Every command of the README, pasted into a shell one block after the other."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.settings import Settings
from service.supervisor import isolated_service
from service.supervisor.roster import address

README = Path(__file__).parent.parent / "README.md"
BLOCKS = re.findall(r"^```sh\n(.*?)^```", README.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
PATIENCE_SECONDS = 240


@pytest.fixture
def home(tmp_path):
    """A folder like a fresh clone, whose `.venv/bin` has the command."""
    scripts = tmp_path / ".venv" / "bin"
    scripts.mkdir(parents=True)
    hoodwink = shutil.which("hoodwink", path=str(Path(sys.executable).parent))
    assert hoodwink, "install the project first"
    (scripts / "hoodwink").symlink_to(hoodwink)
    return tmp_path


@pytest.mark.processes
def test_each_command_of_the_readme_works_as_pasted(home):
    settings = Settings(port=0, data=str(home / ".hoodwink"))
    with isolated_service(settings) as running:
        script = "\n".join(["set -euo pipefail", *BLOCKS]).replace("http://127.0.0.1:8000", address(running))
        pasted = subprocess.run(
            ["bash", "-c", script],
            cwd=home,
            env={**os.environ, "HOODWINK_DATA": settings.data},
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    assert pasted.returncode == 0, pasted.stderr
    assert '"code":' not in pasted.stdout, "the service refused something"
    assert '"outcome":"played_out"' in pasted.stdout
    assert '{"valid":true' in pasted.stdout
    assert "valid: tournament" in pasted.stdout
    assert pasted.stdout.count("    1  A table of Blindside with 4 seats was opened.\n") == 2, (
        "demo and replay"
    )
    assert "It plays on from version 8 of table" in pasted.stdout
    assert '"player_seeds":["revealed","none","none","none"]' in pasted.stdout
