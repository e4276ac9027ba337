"""Provokes the refusals of changes to one's own account."""

from typing import Any, Final
from unittest.mock import patch

from hoodwink.domain.kernel import Code
from hoodwink.domain.players import PlayerCode
from hoodwink.service.application.errors import ConflictCode, ForbiddenCode
from tests.service.http.api import CONFIRMED, Person
from tests.service.http.refused.everywhere import sent
from tests.service.http.refused.world import Provocation, World
from tests.service.http.test_books import catch_up

_KEY: Final = "the-same-key-twice"
_BOTS: Final = {"name": "Steady bot 2"}
_MIXED: Final = {"name": "p\u0430ypal"}


def _key_of_the_other_command(world: World, name: str) -> Any:
    """Sends both commands that end a token with the same key."""
    eve = world.api.person("Eve")
    paths = {"replace_token": ("erase", CONFIRMED), "erase_me": ("token", {})}
    other, form = paths[name]
    assert eve.post(f"/v1/players/me/{other}", form, key=_KEY).status_code in {200, 201}
    return world.send(eve, name, key=_KEY)


def _key_of_an_ended_token(world: World, name: str) -> Any:
    eve, path = world.api.person("Eve"), "/v1/players/me/token"
    for key in (_KEY, _KEY[::-1]):
        eve = Person(world.api.app, eve.post(path, key=key).json["token"], eve.id)
    return world.send(eve, name, key=_KEY)


def _organises(world: World, name: str) -> Any:
    world.running()
    catch_up(world.api)
    return world.send(world.olga, name)


def _renames(form: dict[str, str]) -> Provocation:
    def provoke(world: World, _: str) -> Any:
        return world.api.person("Eve").ask("PATCH", "/v1/players/me", json=form)

    return provoke


def _full_list(world: World, name: str) -> Any:
    with patch("hoodwink.service.adapters.store.people.blocks.MAX_BLOCKED", 0):
        # A separate player: blocking somebody already on the list needs no room.
        return world.send(world.api.person("Eve"), name, at=f"/v1/players/me/blocks/{world.bob.id}")


PLAYERS: Final[dict[tuple[str, Code], Provocation]] = {
    ("register_player", PlayerCode.NAME_RESERVED): sent(body=_BOTS),
    ("register_player", PlayerCode.NAME_ILLEGIBLE): sent(body=_MIXED),
    ("rename_me", PlayerCode.NAME_RESERVED): _renames(_BOTS),
    ("rename_me", PlayerCode.NAME_ILLEGIBLE): _renames(_MIXED),
    ("replace_token", ConflictCode.IDEMPOTENCY_KEY_REUSED): _key_of_the_other_command,
    ("replace_token", ConflictCode.TOKEN_SUPERSEDED): _key_of_an_ended_token,
    ("erase_me", ConflictCode.IDEMPOTENCY_KEY_REUSED): _key_of_the_other_command,
    ("erase_me", ConflictCode.STILL_ORGANISING): _organises,
    ("block_player", ConflictCode.BLOCK_LIST_FULL): _full_list,
    ("issue_stream_token", ForbiddenCode.NOT_INVITED): sent(query_string="table=nowhere0"),
}
