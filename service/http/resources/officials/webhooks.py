"""The webhooks of a tournament: signed messages to addresses that its organiser names."""

from enum import StrEnum
from typing import Final

import msgspec
from marshmallow import fields, validate

from hoodwink.domain.tournaments.life.codes import TournamentCode
from hoodwink.service.adapters.outgoing.guard import HOST, MAX_URL, PORT
from hoodwink.service.application.errors import ConflictCode, ForbiddenCode
from hoodwink.service.application.limits import Limit, LimitCode
from hoodwink.service.application.webhooks.webhooks import (
    MAX_WEBHOOKS,
    DeliveryOutcome,
    MessageType,
    Tracked,
    Webhook,
    secret_text,
)
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.fields import Whole
from hoodwink.service.http.messages.schemas import StrictSchema
from hoodwink.service.http.resources.tournaments.commands import load_tournament

_PATH: Final = "/v1/tournaments/{tournament_id}/webhooks"
# Only the form. Where the name leads is checked whenever a message is sent, since that can change.
_URL: Final = rf"^https://{HOST}(:{PORT})?/[!-~]*$"


class WebhookSchema(StrictSchema):
    """A webhook."""

    url = fields.String(
        required=True,
        validate=[
            validate.Length(max=MAX_URL),
            Whole(_URL, f"Must be an https URL with a path, such as https://example.org/, at port {PORT}."),
        ],
        metadata={
            "description": "The `https` address that takes the messages, at port 443 and on the public internet. Everybody who "
            "knows it can send to it, so check the signatures."
        },
    )
    types = fields.List(
        fields.String(validate=validate.OneOf([kind.value for kind in MessageType])),
        required=True,
        validate=validate.Length(min=1, max=len(MessageType)),
        metadata={"description": "The types of messages to send."},
    )


class WebhookState(StrEnum):
    """How a webhook fares."""

    WORKING = "working"
    FAILING = "failing"
    STOPPED = "stopped"


class WebhookView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A webhook, without its secret.

    Attributes:
        by: the id of the player who added it.
        created_at: in milliseconds since the epoch.
        state: `failing` after a message that was not delivered; `stopped` after three in a row that failed for a day each, or
            after a status 410. A test that is delivered lets it work again, without the messages that it missed while it was stopped.
        outcome: of the last attempt; `null` before the first.
        attempted_at: the time of that attempt, or `null`.
        next_at: when the message that failed is sent again, or `null`.
        is_tested: whether every test that was asked for has been sent.
    """

    id: str
    url: str
    types: tuple[MessageType, ...]
    by: str
    created_at: int
    state: WebhookState
    outcome: DeliveryOutcome | None
    attempted_at: int | None
    next_at: int | None
    is_tested: bool


class WebhooksAnswer(msgspec.Struct, frozen=True, gc=False):
    """The webhooks of a tournament, the oldest first."""

    webhooks: tuple[WebhookView, ...]


class WebhookSecretAnswer(msgspec.Struct, frozen=True, gc=False):
    """A webhook's secret, which is not shown again.

    Attributes:
        id: of the webhook.
        secret: `whsec_` and 32 bytes in base 64, for libraries of Standard Webhooks.
    """

    id: str
    secret: str


class WebhookResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path=_PATH,
        tag=Tag.TOURNAMENTS,
        summary="List the webhooks (organiser only)",
        access=Access.PLAYER,
        answer=Answer("The webhooks, without their secrets.", {JSON: WebhooksAnswer}),
        refuses=(ForbiddenCode.NOT_ORGANISER,),
    )
    def list_webhooks(self, call: Call) -> Reply:
        return self._list(call)

    @operation(
        method="POST",
        path=_PATH,
        tag=Tag.TOURNAMENTS,
        summary="Add a webhook (organiser only)",
        description="From now on, messages about the tournament are sent to the address, signed as Standard Webhooks says "
        f"(docs/API.md, Webhooks). There can be {MAX_WEBHOOKS} per tournament. They are removed a week after its end, and when "
        "the player who added them no longer organises it.",
        access=Access.PLAYER,
        body=WebhookSchema(),
        answer=Answer("The secret that signs the messages.", {JSON: WebhookSecretAnswer}, 201),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            TournamentCode.TOURNAMENT_OVER,
            ConflictCode.NO_WEBHOOKS_HERE,
            ConflictCode.TOO_MANY_WEBHOOKS,
            LimitCode.TOO_MANY_WEBHOOK_CHANGES,
        ),
    )
    def add_webhook(self, call: Call) -> Reply:
        tournament = load_tournament(self._service, call).state
        self._count(call)
        webhook = self._service.webhooks.add(
            tournament,
            call.actor.id,
            url=call.form["url"],
            # In one order and each once, or a repeated request would not equal the first.
            types=[kind for kind in MessageType if kind in call.form["types"]],
            key=call.key,
        )
        return self._secret(tournament.id, webhook)

    @operation(
        method="POST",
        path=f"{_PATH}/{{webhook_id}}/secret",
        tag=Tag.TOURNAMENTS,
        summary="Replace the secret of a webhook (organiser only)",
        description="For a day, messages have a second signature with the secret before. If somebody else knows that one, remove "
        "the webhook instead, and add another.",
        access=Access.PLAYER,
        answer=Answer("The new secret.", {JSON: WebhookSecretAnswer}),
        refuses=(ForbiddenCode.NOT_ORGANISER, LimitCode.TOO_MANY_WEBHOOK_CHANGES),
    )
    def replace_webhook_secret(self, call: Call) -> Reply:
        tournament = load_tournament(self._service, call).state
        self._count(call)
        webhook = self._service.webhooks.rotate(
            tournament, call.actor.id, call.path["webhook_id"], key=call.key
        )
        return self._secret(tournament.id, webhook)

    @operation(
        method="POST",
        path=f"{_PATH}/{{webhook_id}}/test",
        tag=Tag.TOURNAMENTS,
        summary="Test a webhook (organiser only)",
        description="Sends a message of the type `ping` once, within a few seconds. List the webhooks for the outcome. If it is "
        "delivered, a webhook that was stopped works again.",
        access=Access.PLAYER,
        answer=Answer("The webhooks.", {JSON: WebhooksAnswer}),
        refuses=(
            ForbiddenCode.NOT_ORGANISER,
            ConflictCode.NO_WEBHOOKS_HERE,
            LimitCode.TOO_MANY_WEBHOOK_CHANGES,
        ),
    )
    def test_webhook(self, call: Call) -> Reply:
        tournament = load_tournament(self._service, call).state
        self._count(call)
        self._service.webhooks.test(tournament, call.actor.id, call.path["webhook_id"])
        return self._list(call)

    @operation(
        method="DELETE",
        path=f"{_PATH}/{{webhook_id}}",
        tag=Tag.TOURNAMENTS,
        summary="Remove a webhook (organiser only)",
        access=Access.PLAYER,
        answer=Answer("The other webhooks.", {JSON: WebhooksAnswer}),
        refuses=(ForbiddenCode.NOT_ORGANISER,),
    )
    def remove_webhook(self, call: Call) -> Reply:
        tournament = load_tournament(self._service, call).state
        self._service.webhooks.remove(tournament, call.actor.id, call.path["webhook_id"])
        return self._list(call)

    def _count(self, call: Call) -> None:
        self._service.limits.admit(Limit.WEBHOOK_CHANGES_PER_PLAYER, call.actor.id)

    def _list(self, call: Call) -> Reply:
        tournament = load_tournament(self._service, call).state
        found = self._service.webhooks.of(tournament, call.actor.id)
        return Reply(WebhooksAnswer(tuple(map(_view, found))))

    def _secret(self, tournament: str, webhook: Webhook) -> Reply:
        secret = self._service.webhooks.secret(tournament, webhook)
        return Reply(WebhookSecretAnswer(webhook.id, secret_text(secret)))


def _view(tracked: Tracked) -> WebhookView:
    webhook, progress = tracked
    failing = WebhookState.FAILING if progress.is_failing else WebhookState.WORKING
    return WebhookView(
        id=webhook.id,
        url=webhook.url,
        types=webhook.types,
        by=webhook.by,
        created_at=webhook.created_at,
        state=WebhookState.STOPPED if progress.is_stopped else failing,
        outcome=progress.outcome,
        attempted_at=progress.attempted_at or None,
        next_at=progress.next_at if progress.attempts else None,
        is_tested=progress.pinged == webhook.pings,
    )
