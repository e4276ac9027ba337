"""The metrics of pushes and of the messages of webhooks."""

from typing import Final

from prometheus_client import Counter

from hoodwink.service.application.players.pushes import PushOutcome
from hoodwink.service.application.webhooks.webhooks import DeliveryOutcome

PUSHES: Final = Counter("hoodwink_pushes", "Pushes to the browsers of players, by outcome.", ["outcome"])
DELIVERIES: Final = Counter(
    "hoodwink_webhook_deliveries", "Attempts to deliver a message of a webhook, by outcome.", ["outcome"]
)


def begin_counts() -> None:
    """Begins each count at 0, because Prometheus sees no increase when a counter first appears."""
    for outcome in PushOutcome:
        PUSHES.labels(outcome)
    for delivery in DeliveryOutcome:
        DELIVERIES.labels(delivery)


def count(outcome: PushOutcome) -> None:
    PUSHES.labels(outcome).inc()


def count_delivery(outcome: DeliveryOutcome) -> None:
    DELIVERIES.labels(outcome).inc()
