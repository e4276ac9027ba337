"""The service that clients play on."""

import shutil

import pytest

from hoodwink.domain.players import hash_token
from hoodwink.service.supervisor import isolated_service
from hoodwink.service.supervisor.roster import address
from tests.clients import node
from tests.service.processes import service_settings

README = node.ROOT / "clients/typescript/README.md"


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    """The settings of a service with the administrator Olga."""
    administrators = f"olga={hash_token('hwa_olga')}"
    given = service_settings(tmp_path_factory.mktemp("served"), administrators=administrators)
    with isolated_service(given) as settings:
        yield settings


@pytest.fixture(scope="session")
def served(running):
    return address(running)


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """The folder of the compiled programs: the example, the one in the README, and those of the tests."""
    root = tmp_path_factory.mktemp("repository")
    client = root / "clients/typescript"
    shutil.copytree(README.parent, client, ignore=shutil.ignore_patterns("node_modules", "dist"))
    shutil.copy(node.DESCRIPTION, root)
    for program in ("unreliable.ts", "play_openapi_typescript.ts"):
        shutil.copy(node.HERE / program, client / "examples")
    first_program = README.read_text(encoding="utf-8").split("```typescript\n")[1].split("```")[0]
    (client / "examples/readme.ts").write_text(
        first_program.replace("'hoodwink-client'", "'../src/index.js'"), encoding="utf-8"
    )
    (client / "node_modules").symlink_to(node.PACKAGES)
    node.run(client, "npm", "run", "build")
    return client / "dist/examples"
