"""`/v1/me/pushes`: the browsers that call a player to their tables while the page is closed."""

from typing import Final

import msgspec
from marshmallow import fields, validate

from hoodwink.service.adapters.outgoing.guard import MAX_URL
from hoodwink.service.application.players.pushes import PushAddress, Subscription
from hoodwink.service.application.players.stored_players import CATEGORY
from hoodwink.service.application.ports import StreamId
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.framework.operations import JSON, Access, Answer, Call, Reply, Tag, operation
from hoodwink.service.http.messages.fields import Whole
from hoodwink.service.http.messages.schemas import StrictSchema

# An uncompressed point of the curve P-256, and 16 bytes.
_POINT: Final = "^B[A-Za-z0-9_-]{86}$"
_AUTH: Final = "^[A-Za-z0-9_-]{22}$"
# Only the form. Where the name leads is checked whenever a push is sent, since that can change.
_ENDPOINT: Final = "^https://[!-~]+$"


class KeysSchema(StrictSchema):
    """The keys of a browser's subscription."""

    p256dh = fields.String(
        required=True,
        validate=Whole(_POINT, "Must be a point of the curve P-256, in base 64 for URLs."),
        metadata={
            "description": "The public key of the subscription, as `PushSubscription.toJSON()` has it."
        },
    )
    auth = fields.String(
        required=True,
        validate=Whole(_AUTH, "Must be 16 bytes, in base 64 for URLs."),
        metadata={"description": "The secret of the subscription."},
    )


class SubscriptionSchema(StrictSchema):
    """A browser's subscription to pushes."""

    endpoint = fields.String(
        required=True,
        validate=[validate.Length(max=MAX_URL), Whole(_ENDPOINT, "Must be an https URL.")],
        metadata={"description": "The address at which the browser's push service takes messages."},
    )
    keys = fields.Nested(
        KeysSchema(), required=True, metadata={"description": "The keys with which messages are encrypted."}
    )


class Push(msgspec.Struct, frozen=True, gc=False):
    """A browser that calls you.

    Attributes:
        endpoint: the address of the browser's push service, as you sent it.
        created_at: in milliseconds since the epoch.
    """

    id: str
    endpoint: str
    created_at: int


class PushesAnswer(msgspec.Struct, frozen=True, gc=False):
    """The browsers that call you, the oldest subscription first.

    Attributes:
        public_key: the key of this service for `PushManager.subscribe`, in base 64 for URLs.
    """

    public_key: str
    pushes: tuple[Push, ...]


class PushResource:
    def __init__(self, service: Service) -> None:
        self._service = service

    @operation(
        method="GET",
        path="/v1/me/pushes",
        tag=Tag.PLAYERS,
        summary="List the browsers that call you",
        description="Also returns the key that a browser needs for a subscription.",
        access=Access.PLAYER,
        answer=Answer("The browsers.", {JSON: PushesAnswer}),
    )
    def list_pushes(self, call: Call) -> Reply:
        return self._list(call)

    @operation(
        method="PUT",
        path="/v1/me/pushes",
        tag=Tag.PLAYERS,
        summary="Let a browser call you",
        description="Sends Web Push messages (RFC 8030, 8291 and 8292) when it is your turn, you are offered a seat or your round "
        "of a tournament starts, and you do not act within a few seconds; and when an official announces something in a tournament "
        "that you have entered. A message is only a link to the table or tournament, as JSON: "
        '`{"url": "/tables/…"}`. The endpoint must be at a public address; redirects are not followed. You can have five '
        "subscriptions; another one replaces the oldest. A subscription ends with "
        "the token that made it, when the push service returns 404 or 410, and when `public_key` changes.",
        access=Access.PLAYER,
        body=SubscriptionSchema(),
        answer=Answer("The browsers that call you.", {JSON: PushesAnswer}),
    )
    def add_push(self, call: Call) -> Reply:
        address = PushAddress(call.form["endpoint"], **call.form["keys"])
        # By the endpoint: a browser that sends it again replaces its own subscription.
        id_ = self._service.identities.push_id(call.actor.id, address.endpoint)
        self._service.push_subscriptions.add(
            call.actor.id, address, id_=id_, token_hash=call.actor.token_hash
        )
        return self._change(call)

    @operation(
        method="DELETE",
        path="/v1/me/pushes/{push_id}",
        tag=Tag.PLAYERS,
        summary="Stop a browser from calling you",
        access=Access.PLAYER,
        answer=Answer("The browsers that still call you.", {JSON: PushesAnswer}),
    )
    def remove_push(self, call: Call) -> Reply:
        self._service.push_subscriptions.remove(call.actor.id, call.path["push_id"])
        return self._change(call)

    def _change(self, call: Call) -> Reply:
        """Returns the list, once enough replicas have it."""
        self._service.store.confirm(StreamId(CATEGORY, call.actor.id))
        return self._list(call)

    def _list(self, call: Call) -> Reply:
        found = self._service.push_subscriptions.valid(call.actor.id)
        return Reply(PushesAnswer(self._service.web_push.public_key(), tuple(map(_push, found))))


def _push(subscription: Subscription) -> Push:
    return Push(subscription.id, subscription.address.endpoint, subscription.created_at)
