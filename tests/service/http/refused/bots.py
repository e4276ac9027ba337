"""Provokes the refusals of bots, and those for whom offers them seats."""

from typing import Any, Final
from unittest.mock import patch

from hoodwink.domain.kernel import Code, SharedCode
from hoodwink.domain.tables.codes import TableCode
from hoodwink.service.application.errors import ConflictCode, ForbiddenCode, NotFoundCode
from hoodwink.service.application.limits import Limit
from hoodwink.service.application.players.new_names import PlayerCode
from tests.service.http.api import Person, catch_up
from tests.service.http.refused.everywhere import beyond, sent
from tests.service.http.refused.world import Provocation, World

_KEY: Final = "the-same-key-twice"


def _as_bot(world: World, name: str) -> Any:
    return world.send(world.bot, name)


def _enters_with_another_bot(world: World, _: str) -> Any:
    cup = world.cup(outside_bots=True, deal="same", turn_seconds=60)
    cup.enter()
    first, second = world.new_bot(world.dee), world.new_bot(world.dee)
    assert first.post(f"{cup.path}/entrants").status_code == 201
    return second.post(f"{cup.path}/entrants")


def _too_many(world: World, name: str) -> Any:
    with patch("hoodwink.service.application.players.bots.MAX_OWN_BOTS", 0):
        return world.send(world.api.person("Eve"), name)


def _key_again(world: World, name: str) -> Any:
    assert world.send(world.ada, name, key=_KEY).status_code == 201
    return world.send(world.ada, name, {"name": "Leela"}, key=_KEY)


def _asked(
    world: World, name: str, bot: Person, body: Any = None, who: Person | None = None, **given: Any
) -> Any:
    """Offers a seat to a bot at a table of Ada's, or challenges it."""
    asker = who or world.ada
    if name == "challenge_bot":
        return world.send(asker, name, body, at=f"/v1/players/{bot.id}", **given)
    return asker.post(f"{world.opened()}/offers", {"player": bot.id})


def _declines(world: World, name: str) -> Any:
    return _asked(world, name, world.new_bot(games=["coconut"]))


def _offline(world: World, name: str) -> Any:
    return _asked(world, name, world.new_bot(is_online=False))


def _busy(world: World, name: str) -> Any:
    bot = world.new_bot(tables=1)
    assert _asked(world, "challenge_bot", bot, who=world.bob).status_code == 201
    catch_up(world.api)
    return _asked(world, name, bot)


def _challenges(body: Any = None, **given: Any) -> Provocation:
    return lambda world, name: _asked(world, name, world.bot, body, **given)


def _blocked(world: World, name: str) -> Any:
    bot = world.new_bot()
    assert bot.ask("PUT", f"/v1/players/me/blocks/{world.ada.id}").status_code == 200
    return _asked(world, name, bot)


def _reached(limit: Limit) -> Provocation:
    return lambda world, name: beyond(limit, at=f"/v1/players/{world.bot.id}")(world, name)


def _challenge_again(world: World, name: str) -> Any:
    assert _asked(world, name, world.bot, key=_KEY).status_code == 201
    return _asked(world, name, world.bot, {"game": "blindside", "seats": 3}, key=_KEY)


BOTS: Final[dict[tuple[str, Code], Provocation]] = {
    ("register_bot", ForbiddenCode.NOT_FOR_BOTS): _as_bot,
    ("register_bot", ConflictCode.TOO_MANY_OWN_BOTS): _too_many,
    ("register_bot", PlayerCode.NAME_RESERVED): sent(body={"name": "BOT Maia"}),
    ("register_bot", PlayerCode.NAME_ILLEGIBLE): sent(body={"name": "p\u0430ypal"}),
    ("register_bot", ConflictCode.IDEMPOTENCY_KEY_REUSED): _key_again,
    ("describe_bot", ForbiddenCode.ONLY_FOR_BOTS): sent(),
    ("take_seat", ForbiddenCode.BOTS_NEED_AN_OFFER): lambda world, _: world.bot.post(
        f"{world.opened()}/seats"
    ),
    ("open_tournament", ForbiddenCode.NOT_FOR_BOTS): _as_bot,
    ("open_series", ForbiddenCode.NOT_FOR_BOTS): _as_bot,
    ("make_recovery_code", ForbiddenCode.NOT_FOR_BOTS): _as_bot,
    ("begin_passkey", ForbiddenCode.NOT_FOR_BOTS): _as_bot,
    ("make_sign_in_link", ForbiddenCode.NOT_FOR_BOTS): _as_bot,
    ("enter_tournament", ForbiddenCode.BOTS_NOT_ALLOWED): lambda world, _: world.bot.post(
        f"{world.cup().path}/entrants"
    ),
    ("enter_tournament", ForbiddenCode.OWN_BOT_PLAYS): _enters_with_another_bot,
    ("offer_seat", ForbiddenCode.BOT_DECLINES): _declines,
    ("offer_seat", ConflictCode.BOT_OFFLINE): _offline,
    ("offer_seat", ConflictCode.BOT_BUSY): _busy,
    ("challenge_bot", NotFoundCode.PLAYER_NOT_FOUND): sent(),
    ("challenge_bot", ForbiddenCode.ONLY_BOTS): lambda world, name: _asked(world, name, world.bob),
    ("challenge_bot", ForbiddenCode.OFFER_REFUSED): _blocked,
    ("challenge_bot", ForbiddenCode.BOT_DECLINES): _declines,
    ("challenge_bot", ConflictCode.BOT_OFFLINE): _offline,
    ("challenge_bot", ConflictCode.BOT_BUSY): _busy,
    ("challenge_bot", SharedCode.INVALID_OPTIONS): _challenges(
        {"game": "shithead", "seats": 6, "options": {"decks": 1, "jokers": 0}}
    ),
    ("challenge_bot", TableCode.UNLISTED_UNRATED): _challenges(
        {"game": "blindside", "seats": 2, "private": True, "rated": True}
    ),
    ("challenge_bot", ConflictCode.IDEMPOTENCY_KEY_REUSED): _challenge_again,
    **{
        ("challenge_bot", limit.code): _reached(limit)
        for limit in (
            Limit.OFFERS_PER_HOST,
            Limit.OPEN_TABLES_PER_HOST,
            Limit.TABLES_PER_ADDRESS,
        )
    },
}
