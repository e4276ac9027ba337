"""Clients generated in TypeScript from openapi.yaml compile with `--strict` and play a table."""

import json
import shutil

import pytest

from tests.clients import node
from tests.clients.node import DESCRIPTION, HERE

GENERATORS = {
    "hey_api": (
        "@hey-api/openapi-ts/bin/run.js", "-i", str(DESCRIPTION), "-o", "build/hey-api", "-c", "@hey-api/client-fetch",
    ),
    "orval": (
        "orval/dist/bin/orval.js", "--input", str(DESCRIPTION), "--output", "build/orval/api.ts", "--client", "fetch",
    ),
}  # fmt: skip
PLAYED = ["played_out", "1", "2"]
"""The outcome, the rounds and the seats of the table."""

pytestmark = [pytest.mark.processes, node.needs_packages]


def test_the_types_of_openapi_typescript_play_a_table(served, compiled):
    # The client in TypeScript contains these types, so no other test generates and compiles them again.
    assert node.run(compiled, "node", "play_openapi_typescript.js", served).split() == PLAYED


@pytest.mark.campaign
@pytest.mark.parametrize("generator", GENERATORS)
def test_a_generated_client_plays_a_table(served, generator, tmp_path):
    program = f"play_{generator}"
    shutil.copy(HERE / f"{program}.ts", tmp_path)
    shutil.copy(HERE / "package.json", tmp_path)
    configuration = json.loads((HERE / "tsconfig.json").read_text())
    (tmp_path / "tsconfig.json").write_text(json.dumps(configuration | {"files": [f"{program}.ts"]}))
    (tmp_path / "node_modules").symlink_to(node.PACKAGES)
    for path, *options in (GENERATORS[generator], ("typescript/bin/tsc", "--project", ".")):
        node.run(tmp_path, "node", f"node_modules/{path}", *options)

    assert node.run(tmp_path, "node", f"js/{program}.js", served).split() == PLAYED
