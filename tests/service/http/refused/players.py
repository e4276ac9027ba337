"""Provokes the refusals of changes to one's own account."""

from collections.abc import Callable
from typing import Any, Final
from unittest.mock import patch

from hoodwink.domain.kernel import Code
from hoodwink.service.adapters.process.authenticators import WebAuthn
from hoodwink.service.application.errors import ConflictCode, ForbiddenCode
from hoodwink.service.application.players.identity import Identities
from hoodwink.service.application.players.new_names import PlayerCode
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.http.messages.problems import HttpCode
from tests.service.authenticator import Authenticator
from tests.service.http.api import CONFIRMED, Person, catch_up
from tests.service.http.refused.everywhere import EVERYWHERE, sent
from tests.service.http.refused.world import SAMPLES, Provocation, World

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


def _with_code(world: World) -> dict[str, Any]:
    return {"code": world.ada.post("/v1/me/sign-in-links", data=b"").json["code"]}


def _made(world: World) -> dict[str, Any]:
    options = world.ada.post("/v1/me/passkeys/options", data=b"").json["public_key"]
    return {"credential": Authenticator().make(options)}


def _signed(world: World) -> dict[str, Any]:
    device = Authenticator()
    options = world.ada.post("/v1/me/passkeys/options", data=b"").json["public_key"]
    world.ada.post("/v1/me/passkeys", {"credential": device.make(options)})
    return {"credential": device.sign(world.nobody.post("/v1/sign-ins/options", data=b"").json["public_key"])}


def _valid(form: Callable[[World], dict[str, Any]], code: HttpCode) -> Provocation:
    """Sends a form that is valid only once, while the store fails."""

    def provoke(world: World, name: str) -> Any:
        with patch.dict(SAMPLES, {name: form(world)}):
            return EVERYWHERE[code](world, name)

    return provoke


def _other_passkey_with_the_key(world: World, name: str) -> Any:
    eve = world.api.person("Eve")
    eve = Person(world.api.app, eve.post("/v1/players/me/token", key=_KEY).json["token"], eve.id)
    return world.send(eve, name, {"credential": {}}, key=_KEY)


def _full_of_passkeys(world: World, name: str) -> Any:
    world.service.passkey_store.erase(world.ada.id)  # the same passkey replaces itself
    with patch("hoodwink.service.application.players.passkeys.MAX_PASSKEYS", 0):
        return world.send(world.ada, name, _made(world))


def _without_the_secret(world: World, name: str) -> Any:
    """Asks for a challenge of a process that could not read the installation's secret yet."""
    with patch.object(Identities, "challenge_proof", side_effect=StoreUnavailable("gone")):
        return world.send(world.nobody, name)


def _at_an_address(world: World, name: str) -> Any:
    with patch.object(WebAuthn, "can_be_used", False):
        return world.send(world.ada, name)


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
    ("sign_in", ForbiddenCode.SIGN_IN_REFUSED): sent(),
    ("keep_passkey", ForbiddenCode.PASSKEY_REFUSED): sent(),
    ("keep_passkey", ConflictCode.IDEMPOTENCY_KEY_REUSED): _other_passkey_with_the_key,
    ("keep_passkey", ConflictCode.TOO_MANY_PASSKEYS): _full_of_passkeys,
    ("begin_passkey", ConflictCode.NO_PASSKEYS_HERE): _at_an_address,
    ("begin_sign_in", ConflictCode.NO_PASSKEYS_HERE): _at_an_address,
    ("begin_sign_in", HttpCode.STORE_UNAVAILABLE): _without_the_secret,
    ("sign_in_with_passkey", ForbiddenCode.PASSKEY_REFUSED): sent(),
    **{
        (name, code): _valid(form, code)
        for name, form in (
            ("sign_in", _with_code),
            ("keep_passkey", _made),
            ("sign_in_with_passkey", _signed),
        )
        for code in (HttpCode.NOT_REPLICATED, HttpCode.STORAGE_FULL, HttpCode.STORE_UNAVAILABLE)
    },
    ("issue_stream_token", ForbiddenCode.NOT_INVITED): sent(query_string="table=nowhere0"),
}
