"""Signs the messages of webhooks as Standard Webhooks says (https://www.standardwebhooks.com), and sends them."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from socket import gaierror
from typing import Final

import msgspec
from standardwebhooks import Webhook

from hoodwink.service.adapters.outgoing.guard import Guard, Refused, Unanswered, pause_ms
from hoodwink.service.application.webhooks.delivering import Sent
from hoodwink.service.application.webhooks.messages import Message
from hoodwink.service.application.webhooks.webhooks import DeliveryOutcome

_GONE: Final = 410
_CLASSES: Final = {
    2: DeliveryOutcome.DELIVERED,
    3: DeliveryOutcome.REDIRECTED,
    4: DeliveryOutcome.REJECTED,
    5: DeliveryOutcome.BROKEN,
}


class WebhookSender:
    """Sends signed messages to strangers' addresses. Safe to share between threads."""

    def __init__(self, *, guard: Guard, now_ms: Callable[[], int]) -> None:
        self._guard = guard
        self._now_ms = now_ms

    def send(self, url: str, message: Message, *, id_: str, secrets: Sequence[bytes]) -> Sent:
        body, now = msgspec.json.encode(message), self._now_ms() // 1_000
        at = datetime.fromtimestamp(now, UTC)
        signed = [Webhook(secret).sign(id_, at, body.decode()) for secret in secrets]
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Hoodwink",
            "webhook-id": id_,
            "webhook-timestamp": str(now),
            "webhook-signature": " ".join(signed),
        }
        try:
            answer = self._guard.post(url, body, headers)
        except Refused:
            return Sent(DeliveryOutcome.REFUSED)
        except Unanswered as error:
            # Like a name with private addresses: otherwise strangers could find the names inside this network.
            is_unknown = isinstance(error.__cause__, gaierror)
            return Sent(DeliveryOutcome.REFUSED if is_unknown else DeliveryOutcome.UNANSWERED)
        if answer.status == _GONE:
            return Sent(DeliveryOutcome.GONE)
        outcome = _CLASSES.get(answer.status // 100, DeliveryOutcome.UNANSWERED)
        return Sent(outcome, pause_ms(answer.retry_after, self._now_ms()))
