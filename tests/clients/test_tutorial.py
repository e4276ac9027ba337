"""The steps of docs/TUTORIAL.md, one after the other, as a newcomer takes them."""

import os
import re
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import pytest

from hoodwink_client import Client
from tests.clients import node
from tests.recipes import quicker
from tests.service.processes import await_true

STEP = re.compile(
    r"Save this as `(?P<file>[\w.]+)`:\n\n```\w+\n(?P<code>.*?)^```"
    r"|^```sh(?P<background> background)?\n(?P<commands>.*?)^```",
    re.DOTALL | re.MULTILINE,
)
PAGE = quicker(
    (node.ROOT / "docs/TUTORIAL.md").read_text(encoding="utf-8"),
    {"--deals 50": "--deals 3", "--tables 4": "--tables 2"},
)

pytestmark = [pytest.mark.processes, node.needs_packages]


@contextmanager
def in_background(commands, folder):
    """Runs commands until the block ends."""
    with subprocess.Popen(["bash", "-c", f"exec {commands}"], cwd=folder) as process:
        try:
            yield
        finally:
            process.kill()


def test_each_step_works(served, compiled, tmp_path, monkeypatch):
    scripts = tmp_path / ".venv" / "bin"
    scripts.mkdir(parents=True)
    (scripts / "hoodwink").symlink_to(Path(sys.executable).with_name("hoodwink"))
    (tmp_path / "clients").mkdir()
    (tmp_path / "clients/typescript").symlink_to(compiled.parents[1])
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setenv("PATH", f"{scripts}:{os.environ['PATH']}")
    steps, said = list(STEP.finditer(PAGE.replace("http://127.0.0.1:8000", served))), ""
    assert len(steps) == PAGE.count("\n```") / 2
    with ExitStack() as stack, Client(served) as client:

        def is_online(name):
            return any(bot["name"] == name for bot in client.request("GET", "/v1/bots")["bots"])

        for step in steps:
            if step["file"]:
                (tmp_path / step["file"]).write_text(step["code"], encoding="utf-8")
            elif step["background"]:
                stack.enter_context(in_background(step["commands"], tmp_path))
                name = "BOT Script" if "node" in step["commands"] else "BOT miser"
                await_true(partial(is_online, name))
            else:
                said += node.run(tmp_path, "bash", "-euo", "pipefail", "-c", step["commands"])

        path = "/v1/leaderboards/blind_don?of=bots&provisional=show"
        await_true(
            lambda: (
                {"BOT miser", "BOT Script"} <= {row["name"] for row in client.request("GET", path)["leaders"]}
            )
        )

    assert "Mistakes" not in said
    assert said.count("has ended: played_out") == 3
    assert '"leaders":[' in said
