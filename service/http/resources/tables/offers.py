"""Offers of seats to players, and challenges to bots."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from hoodwink.domain.kernel import RuleViolation, SharedCode
from hoodwink.domain.tables.codes import TableCode
from hoodwink.service.application.commands import intents
from hoodwink.service.application.commands.hosted_tables import offer_of
from hoodwink.service.application.errors import (
    ApplicationError,
    ConflictCode,
    Forbidden,
    ForbiddenCode,
    NotFound,
    NotFoundCode,
)
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.application.players.identity import idempotency_key
from hoodwink.service.application.streams.tables import Accepted, Intent
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.answers import AcceptedAnswer
from hoodwink.service.http.messages.forms import TABLE_FORMS, OfferSchema
from hoodwink.service.http.messages.problems import Problem
from hoodwink.service.http.resources.access import EffectSchema, names_at, table_id, wants_words
from hoodwink.service.http.resources.commands import Commands, effect_reply, table_operation
from hoodwink.service.http.resources.opening import TABLE_CODES, open_table
from hoodwink.service.http.resources.tables.tables import BEFORE_START

R = TypeVar("R")

_REFUSED_OFFERS: Final = (
    ForbiddenCode.OFFER_REFUSED,
    LimitCode.TOO_MANY_OFFERS,
    ForbiddenCode.BOT_DECLINES,
    ConflictCode.BOT_OFFLINE,
    ConflictCode.BOT_BUSY,
)


class OfferResource:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._commands = Commands(service)

    @table_operation(
        "/offers",
        "Offer a seat to a player (host only)",
        "The seat is reserved for the player.",
        tag=Tag.TABLES,
        status=201,
        description="Only that player may take the seat (`POST …/seats`), even without the invitation code. The host can "
        "withdraw the offer, and the player can decline it, with `DELETE …/seats/{seat}`. A host may have five open offers, at "
        "all tables together. You cannot offer seats to players who have blocked you, nor to a bot at a table that it does not "
        "accept, as `GET /v1/players/{player_id}` shows.",
        body=OfferSchema(),
        refuses=(
            ForbiddenCode.NOT_HOST,
            NotFoundCode.PLAYER_NOT_FOUND,
            *_REFUSED_OFFERS,
            *BEFORE_START,
            SharedCode.NO_SUCH_SEAT,
            TableCode.PLAYER_SEATED,
            TableCode.TABLE_FULL,
            TableCode.SEAT_TAKEN,
            TableCode.SEAT_OFFERED,
        ),
    )
    def offer_seat(self, call: Call) -> Reply:
        table, to, seat = table_id(call), call.form["player"], call.form.get("seat")
        return self._offering(
            call.actor.id, table, to, seat, lambda intent: self._commands.execute(call, intent)
        )

    def _offering(
        self, host: str, table: str, to: str, seat: int | None, execute: Callable[[Intent], R]
    ) -> R:
        """Returns the result of executing the offer, which counts against the host's limit."""
        offer, take_back = offer_of(table, to), list[Callable[[], None]]()
        hosted = self._service.hosted_tables
        # Counted within the intent, after its checks, so that a refused offer takes no room. Attempts count once.
        intent = intents.offer(
            host,
            to=to,
            seat=seat,
            exists=self._service.players.exists,
            check=lambda player, at: self._check(host, player, at.game, len(at.seats), at.turn_seconds),
            admit=lambda: take_back.append(hosted.admit(Limit.OFFERS_PER_HOST, host, offer)),
        )
        try:
            return execute(intent)
        except (ApplicationError, RuleViolation, Problem):
            # Not if the store fails, because then the offer may have been stored.
            for each in take_back:
                each()
            raise

    @operation(
        method="POST",
        path="/v1/players/{player_id}/challenges",
        tag=Tag.TABLES,
        summary="Challenge a bot",
        description="Opens a table, takes its first seat for you and offers the bot the second one. The bot accepts by taking the "
        "seat, which its stream tells it; then start the table. The other seats stay free, for example for `policy`. If the bot "
        "is not online or does not accept such a table, nothing is opened.",
        access=Access.PLAYER,
        query=EffectSchema(),
        body=TABLE_FORMS,
        answer=Answer("The table, with the offer.", {JSON: AcceptedAnswer}, 201, ("Location", "ETag")),
        refuses=(
            ForbiddenCode.ONLY_BOTS,
            *_REFUSED_OFFERS,
            SharedCode.INVALID_OPTIONS,
            TableCode.UNLISTED_UNRATED,
            *TABLE_CODES,
        ),
    )
    def challenge_bot(self, call: Call) -> Reply:
        # Fixed here, because the ids and keys of all that follows derive from it.
        key = call.key = self._service.identities.key_or_fresh(call.key)
        challenger, bot = call.actor, self._service.players.get(call.path["player_id"])
        if bot.owner is None:
            raise Forbidden(ForbiddenCode.ONLY_BOTS)
        self._check_new(call, bot.id)
        opened, _ = open_table(self._service, call)

        def execute(name: str, intent: Intent) -> Accepted:
            # Keys of their own, so that a repeated request completes what the first one began.
            own_key = idempotency_key(challenger.id, f"{key} {name}", call.raw)
            return self._service.tables.execute(opened, intent, key=own_key)

        execute("seat", intents.sit_down(challenger, seat=0))
        accepted = self._offering(challenger.id, opened, bot.id, 1, lambda intent: execute("offer", intent))
        names = names_at(self._service, accepted.after.state, accepted.events if wants_words(call) else ())
        return effect_reply(call, accepted, 0, names, f"/v1/tables/{opened}")

    def _check_new(self, call: Call, bot: str) -> None:
        """Raises an error if the offer would be refused, before anything is opened."""
        opened, challenger = self._service.identities.table_id(call.actor.id, call.key or ""), call.actor.id
        with suppress(NotFound):
            self._service.tables.load(opened)
            return  # a repeated request, which counts at the bot already
        form = call.form
        self._check(challenger, bot, form["game"], form["seats"], form.get("turn_seconds"))
        # Not taken back: `_offering` finds this claim, and does not count the offer a second time.
        self._service.hosted_tables.admit(Limit.OFFERS_PER_HOST, challenger, offer_of(opened, bot))

    def _check(self, host: str, player: str, game: str, seats: int, turn_seconds: int | None) -> None:
        """Raises an error if a player has blocked the host, or is a bot that does not accept such a table now."""
        if self._service.blocks.has(player, host):
            raise Forbidden(ForbiddenCode.OFFER_REFUSED)
        self._service.bots.check(player, game, seats, turn_seconds)
