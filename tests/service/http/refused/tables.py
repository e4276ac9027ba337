"""Provokes the refusals of tables, logs, forks, imports and books."""

from collections.abc import Callable
from typing import Any, Final
from unittest.mock import patch

from hoodwink.domain.games.double_blind.actions import DoubleBlindCode
from hoodwink.domain.kernel import Code, SharedCode
from hoodwink.domain.tables.codes import TableCode
from hoodwink.domain.tables.deciding import forks as domain_forks
from hoodwink.domain.tables.fairness import REVEAL_MS
from hoodwink.domain.tables.state import UNOPENED
from hoodwink.domain.tables.taking_back import TAKE_BACK_MS
from hoodwink.service.application.commands import forks as use_forks
from hoodwink.service.application.errors import (
    BusyCode,
    ConflictCode,
    ForbiddenCode,
    NotFoundCode,
    VersionConflict,
)
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.application.reading.advice import Adviser
from hoodwink.service.http.messages.problems import (
    NOT_YOUR_SEAT,
    SEAT_NOT_FOUND,
    TABLE_NOT_OVER,
    HttpCode,
    Refusal,
)
from tests.service.http.api import CONFIRMED, first_legal
from tests.service.http.refused.everywhere import at_table, beyond, sent, with_patched
from tests.service.http.refused.world import (
    BLANK,
    EXPOSE,
    HELD,
    KEEP,
    LOG,
    NDJSON,
    OTHER_SEED,
    SEED,
    Provocation,
    World,
)


def at_new_table(*steps: Callable[[World, str], Any], **form: Any) -> Provocation:
    """Returns a provocation by the last of these steps at a new table of Ada's."""

    def provoke(world: World, name: str) -> Any:
        opened = world.ada.post("/v1/tables", {"game": "blindside", "seats": 2} | form)
        answer = None
        for step in steps:
            answer = step(world, opened.headers["Location"])
        return answer

    return provoke


def sits(who: str, **form: Any) -> Callable[[World, str], Any]:
    return lambda world, path: getattr(world, who).post(f"{path}/seats", form)


def offers(who: str, **form: Any) -> Callable[[World, str], Any]:
    return lambda world, path: world.ada.post(f"{path}/offers", {"player": getattr(world, who).id} | form)


def hands_over(who: str, to: str) -> Callable[[World, str], Any]:
    return lambda world, path: getattr(world, who).post(f"{path}/host", {"player": getattr(world, to).id})


def starts(world: World, path: str) -> Any:
    return world.ada.post(f"{path}/start")


def reveals(who: str, seed: str) -> Callable[[World, str], Any]:
    return lambda world, path: getattr(world, who).post(f"{path}/seed", {"seed": seed})


def too_late(world: World, _: str) -> None:
    world.later(REVEAL_MS)


def viewer(state: str, viewer: str) -> Provocation:
    return lambda world, name: world.send(
        world.ada, name, at=getattr(world, state)(), query_string=f"viewer={viewer}"
    )


def forks(**body: Any) -> Provocation:
    return lambda world, name: world.send(
        world.ada, name, body, at=world.imported() if name == "fork_import" else world.played()
    )


def fork_at_end(world: World, name: str) -> Any:
    """Forks a table at the last version of its last round, where no play is left."""
    at = world.imported() if name == "fork_import" else world.finished()
    last = world.ada.get(at).json["version"]
    return world.send(world.ada, name, {"version": last}, at=at)


def enters(state: Callable[[World], str], action: Any = EXPOSE, seat: int = 0) -> Provocation:
    return lambda world, name: world.olga.post(f"{state(world)}/seats/{seat}/actions", action)


def last_exposure(world: World, name: str) -> Any:
    path = world.supervised(exposure_limit=1)
    assert world.olga.post(f"{path}/seats/0/actions", EXPOSE).status_code == 200
    return world.olga.post(f"{path}/seats/0/actions", EXPOSE)


def empty_slot(world: World, name: str) -> Any:
    """Enters an exposure of an emptied slot in the other player's pocket."""
    path = world.supervised()
    play = {"type": "play_pocket", "slot": 0}
    mover = 0 if world.ada.post(f"{path}/actions", play).status_code == 200 else 1
    assert not mover or world.bob.post(f"{path}/actions", play).status_code == 200
    return world.olga.post(f"{path}/seats/0/actions", EXPOSE | {"owner": 1 - mover})


def claims(state: str, seat: int, who: str = "ada") -> Provocation:
    return lambda world, _: getattr(world, who).post(f"{getattr(world, state)()}/seats/{seat}/claim")


def takes_back(*draws: str, after_ms: int = 0, **form: Any) -> Provocation:
    """Returns a provocation that takes back each of a player's draws."""

    def provoke(world: World, name: str) -> Any:
        opening = {"rated": False, "options": {"five_card": True}} | form
        path, answer = world.api.playing(world.ada, world.bob, **opening), None
        mover = world.ada if world.ada.get(f"{path}/legal-actions").json["actions"] else world.bob
        for source in draws:
            assert mover.post(f"{path}/actions", {"type": "draw", "source": source}).status_code == 200
            world.later(after_ms)
            answer = world.send(mover, name, at=path)
        return answer

    return provoke


def starts_bots(world: World, name: str) -> Any:
    """Starts a bot table over the limit."""
    return beyond(Limit.BOT_TABLES_PER_HOST, at=world.api.of_bots(world.ada))(world, name)


def offers_to_one_who_blocks(world: World, name: str) -> Any:
    eve = world.api.person("Eve")  # no other situation offers her a seat
    assert eve.ask("PUT", f"/v1/players/me/blocks/{world.ada.id}").status_code == 200
    return world.send(world.ada, name, {"player": eve.id}, at=world.opened())


def offers_too_many(world: World, name: str) -> Any:
    eve = world.api.person("Eve")
    at = eve.post("/v1/tables", {"game": "blindside", "seats": 2}).headers["Location"]
    with patch.object(world.service.hosted_tables, "_bounds", {Limit.OFFERS_PER_HOST: 1}):
        assert eve.post(f"{at}/offers", {"player": world.bob.id}).status_code == 201
        return world.send(eve, name, {"player": world.cy.id}, at=at)


def keeps_too_much(world: World, name: str) -> Any:
    keeping = world.service.import_retention
    world.imported()
    with patch.object(keeping, "_bounds", {Limit.IMPORTS_PER_PLAYER: 1}):
        return world.send(world.ada, name, data=LOG + b"more", content_type=NDJSON)


def voids_twice(world: World, name: str) -> Any:
    path = world.played()
    assert world.send(world.root, name, at=path).status_code == 200
    return world.send(world.root, name, at=path)


def ready_twice(world: World, name: str) -> Any:
    path = world.between_rounds()
    assert world.send(world.ada, name, at=path).status_code == 200
    return world.send(world.ada, name, at=path)


def waits_for_hints(world: World, name: str) -> Any:
    """Asks for a hint while the bot has to move."""
    path = world.api.playing(world.ada, bots=1, rated=False, bot_delay=60_000)
    assert world.ada.post(f"{path}/actions", next(first_legal(world.ada, path))).status_code == 200
    return world.send(world.ada, name, at=path)


def hint_too_late(world: World, name: str) -> Any:
    with patch.object(Adviser, "hint", side_effect=VersionConflict("table", UNOPENED)):
        return world.send(world.ada, name, at=world.advised(is_over=False))


def hints_too_often(world: World, name: str) -> Any:
    return beyond(Limit.HINTS_PER_PLAYER, at=world.advised(is_over=False))(world, name)


def reviews(who: str, **given: Any) -> Provocation:
    """Asks for a review of a table of Coconut that Ada and Bob have played."""

    def provoke(world: World, name: str) -> Any:
        path = world.api.playing(world.ada, world.bob, game="coconut")
        assert world.bob.resign(path).status_code == 200
        return world.send(getattr(world, who), name, at=path, **given)

    return provoke


TABLES: Final[dict[tuple[str, Code | Refusal], Provocation]] = {
    # tables
    ("open_table", SharedCode.INVALID_OPTIONS): sent(
        body={"game": "shithead", "seats": 6, "options": {"decks": 1, "jokers": 0}}
    ),
    ("open_table", TableCode.UNLISTED_UNRATED): sent(
        body={"game": "blindside", "seats": 2, "private": True, "rated": True}
    ),
    ("get_table", NotFoundCode.VERSION_NOT_FOUND): at_table("playing", query_string="version=999"),
    **{
        (name, code): provocation
        for name in ("get_table", "list_events")
        for code, provocation in (
            (SEAT_NOT_FOUND, viewer("over", "7")),
            (NOT_YOUR_SEAT, viewer("playing", "1")),
            (TABLE_NOT_OVER, viewer("playing", "everybody")),
        )
    },
    ("take_seat", ForbiddenCode.NOT_HOST): at_table("waiting", "bob", body={"policy": "random"}),
    ("take_seat", SharedCode.NO_SUCH_SEAT): at_table("waiting", "bob", body={"seat": 5}),
    ("take_seat", TableCode.ALREADY_SEATED): at_table("waiting"),
    ("take_seat", TableCode.TABLE_FULL): at_new_table(sits("ada"), sits("bob"), sits("cy")),
    ("take_seat", TableCode.SEAT_TAKEN): at_table("waiting", "bob", body={"seat": 0}),
    ("take_seat", TableCode.TWO_SEEDS): at_new_table(sits("ada", seed="x", **HELD)),
    ("take_seat", TableCode.BOT_SEED): at_new_table(sits("ada", policy="random", seed="x")),
    ("take_seat", TableCode.TABLE_STARTED): at_table("playing", "cy"),
    ("leave_seat", SEAT_NOT_FOUND): lambda world, _: world.ada.delete(f"{world.waiting()}/seats/9"),
    ("leave_seat", ForbiddenCode.NOT_HOST): at_table("waiting", "bob"),
    ("leave_seat", TableCode.SEAT_EMPTY): lambda world, _: world.ada.delete(f"{world.waiting()}/seats/1"),
    ("take_seat", TableCode.SEAT_OFFERED): at_new_table(offers("bob"), sits("cy", seat=0)),
    ("offer_seat", NotFoundCode.PLAYER_NOT_FOUND): at_table("waiting"),
    ("offer_seat", ForbiddenCode.OFFER_REFUSED): offers_to_one_who_blocks,
    ("offer_seat", LimitCode.TOO_MANY_OFFERS): offers_too_many,
    **{
        ("offer_seat", code): provocation
        for code, provocation in (
            (TableCode.TABLE_STARTED, lambda world, _: offers("cy")(world, world.playing())),
            (TableCode.TABLE_OVER, lambda world, _: offers("cy")(world, world.over())),
            (SharedCode.NO_SUCH_SEAT, at_new_table(offers("cy", seat=5))),
            (TableCode.PLAYER_SEATED, at_new_table(offers("cy"), offers("cy"))),
            (TableCode.TABLE_FULL, at_new_table(sits("ada"), sits("bob"), offers("cy"))),
            (TableCode.SEAT_TAKEN, at_new_table(sits("ada"), offers("cy", seat=0))),
            (TableCode.SEAT_OFFERED, at_new_table(offers("bob", seat=1), offers("cy", seat=1))),
        )
    },
    ("change_host", TableCode.SEEDS_AWAITED): at_table("seeded"),
    ("change_host", TableCode.NO_NEW_HOST): at_table("waiting"),
    ("change_host", TableCode.HOST_IS_NEW): at_new_table(
        sits("ada"), sits("bob"), hands_over("ada", "bob"), hands_over("bob", "ada")
    ),
    ("say", ForbiddenCode.NOT_SEATED): at_table("playing", "cy"),
    ("say", TableCode.QUIET_TABLE): at_table("playing"),
    ("say", TableCode.UNKNOWN_SAYING): at_table("waiting", body={"saying": "boo"}),
    ("say", TableCode.NOT_TO_NUDGE): at_table("waiting", body={"saying": "nudge", "to": 1}),
    ("say", LimitCode.TOO_MANY_SAYINGS): lambda world, name: beyond(
        Limit.SAYINGS_PER_PLAYER, at=world.waiting()
    )(world, name),
    ("open_rematch", ForbiddenCode.NOT_SEATED): at_table("played", "cy"),
    ("open_rematch", TABLE_NOT_OVER): at_table("playing"),
    ("open_rematch", TableCode.NO_REMATCH): at_table("over"),
    ("start_table", TableCode.SEATS_EMPTY): at_table("waiting"),
    ("reveal_seed", TableCode.NO_SEED_AWAITED): at_table("playing"),
    ("reveal_seed", TableCode.WRONG_SEED): at_table("seeded", body={"seed": OTHER_SEED}),
    ("reveal_seed", TableCode.ALREADY_REVEALED): at_new_table(
        sits("ada", **HELD), sits("bob"), starts, reveals("ada", SEED), reveals("ada", SEED)
    ),
    ("reveal_seed", TableCode.REVEAL_OVER): at_new_table(
        sits("ada", **HELD), sits("bob"), starts, too_late, reveals("ada", SEED)
    ),
    ("reveal_seed", ForbiddenCode.NOT_SEATED): at_table("seeded", "cy"),
    # play
    ("act", HttpCode.INVALID_BODY): at_table("waiting", body={"colour": "red"}),
    ("enter", HttpCode.INVALID_BODY): at_table("waiting", body={"colour": "red"}),
    ("act", ForbiddenCode.RESIGNED): lambda world, name: world.send(world.cy, name, at=world.given_up()),
    ("act", TableCode.SEEDS_AWAITED): at_table("seeded"),
    ("enter", SEAT_NOT_FOUND): lambda world, _: world.ada.post(f"{world.playing()}/seats/9/actions", KEEP),
    ("enter", ForbiddenCode.HOST_IS_SEATED): at_table("playing"),
    ("enter", ForbiddenCode.NOT_FOR_HOST): enters(World.supervised, {"type": "expose_sleeve", "card": "9S"}),
    ("enter", TableCode.SEEDS_AWAITED): enters(lambda world: world.supervised(is_seeded=True)),
    ("enter", SharedCode.ROUND_NOT_IN_PLAY): enters(lambda world: world.supervised(is_dealt=False)),
    ("enter", SharedCode.NO_SUCH_SEAT): enters(World.supervised, EXPOSE | {"owner": 5}),
    ("enter", SharedCode.SLOT_EMPTY): empty_slot,
    ("enter", DoubleBlindCode.EXPOSURE_LIMIT_REACHED): last_exposure,
    ("resign", TableCode.ALREADY_RESIGNED): lambda world, name: world.send(
        world.cy, name, at=world.given_up()
    ),
    ("take_back", TableCode.TAKE_BACKS_OFF): takes_back("discard", rated=True),
    ("take_back", TableCode.ALREADY_TAKEN_BACK): takes_back("discard", "discard"),
    ("take_back", TableCode.NOTHING_TO_TAKE_BACK): takes_back("stock"),
    ("take_back", TableCode.TAKE_BACK_OVER): takes_back("discard", after_ms=TAKE_BACK_MS),
    ("come_back", TableCode.NOT_AWAY): at_table("playing"),
    ("claim_seat", SEAT_NOT_FOUND): claims("playing", 9),
    ("claim_seat", ForbiddenCode.RESIGNED): claims("given_up", 0, "cy"),
    ("claim_seat", TableCode.OWN_SEAT): claims("playing", 0),
    ("claim_seat", TableCode.NOT_A_PERSON): claims("beside_a_bot", 1),
    ("claim_seat", TableCode.ALREADY_KEPT): claims("given_up", 2),
    ("claim_seat", TableCode.NOT_CLAIMABLE): claims("playing", 1),
    ("get_hint", TableCode.NO_HINTS): at_table("playing"),
    ("get_hint", SharedCode.NOT_YOUR_TURN): waits_for_hints,
    ("get_hint", ConflictCode.VERSION_CONFLICT): hint_too_late,
    ("get_hint", LimitCode.TOO_MANY_HINTS): hints_too_often,
    ("say_ready", TableCode.NOT_AWAITED): at_table("playing"),
    ("say_ready", TableCode.ALREADY_READY): ready_twice,
    ("start_table", LimitCode.TOO_MANY_BOT_TABLES): starts_bots,
    ("end_table", TableCode.TABLE_NOT_STARTED): at_table("waiting", "root"),
    ("end_table", TableCode.TABLE_STARTED): at_table("playing", "root"),
    ("end_table", TableCode.TABLE_OVER): at_table("over", "root"),
    ("void_table", TableCode.TABLE_NOT_OVER): at_table("playing", "root"),
    ("void_table", TableCode.NOTHING_TO_VOID): at_table("over", "root"),
    ("void_table", TableCode.ALREADY_VOIDED): voids_twice,
    ("void_table", TableCode.INVALID_REASON): at_table("played", "root", body=CONFIRMED | BLANK),
    # Then logs, forks and imports.
    ("download_log", TABLE_NOT_OVER): at_table("playing"),
    ("get_review", TABLE_NOT_OVER): at_table("playing"),
    ("get_review", TableCode.NO_REVIEW): at_table("over"),
    ("get_review", ForbiddenCode.NOT_SEATED): reviews("cy"),
    ("get_review", SEAT_NOT_FOUND): reviews("ada", query_string="seat=7"),
    ("import_log", HttpCode.INVALID_LOG): sent(data=b"", content_type=NDJSON),
    ("import_log", LimitCode.TOO_MANY_IMPORTS): keeps_too_much,
    ("delete_import", ForbiddenCode.NOT_YOUR_IMPORT): at_table("imported", "bob"),
    ("get_import", NotFoundCode.VERSION_NOT_FOUND): at_table("imported", query_string="version=9999"),
    ("get_import", SEAT_NOT_FOUND): viewer("imported", "9"),
    ("list_import_events", SEAT_NOT_FOUND): viewer("imported", "9"),
    ("fork_table", TABLE_NOT_OVER): at_table("playing"),
    **{
        (name, code): provocation
        for name in ("fork_table", "fork_import")
        for code, provocation in (
            (NotFoundCode.VERSION_NOT_FOUND, forks(version=9999)),
            (SharedCode.NO_SUCH_SEAT, forks(version=5, seats=[None] * 9 + ["me"])),
            (TableCode.ALREADY_SEATED, forks(version=5, seats=["me", "me"])),
            (TableCode.NOTHING_TO_PLAY, fork_at_end),
            (
                TableCode.TOO_MANY_FORKS,
                with_patched(domain_forks, "MAX_GENERATIONS", 0, forks(version=5)),
            ),
            (TableCode.PARENT_TOO_LONG, with_patched(use_forks, "MAX_PARENT", 9, forks(version=5))),
        )
    },
    # books
    ("get_table_ledger", BusyCode.PROJECTION_BEHIND): at_table("finished", query_string="wait_for=999"),
    **{
        (f"get_{whose}_statement", NotFoundCode.EVENT_NOT_FOUND): provocation
        for whose, provocation in {
            "table": at_table("playing", query_string="as_of=nowhere:1"),
            "tournament": lambda world, name: world.send(
                world.ada, name, at=world.cup().path, query_string="as_of=nowhere:1"
            ),
            "player": lambda world, name: world.send(
                world.ada, name, at=f"/v1/players/{world.ada.id}", query_string="as_of=nowhere:1"
            ),
        }.items()
    },
}
