"""The metrics of pushes."""

from typing import Final

from prometheus_client import Counter

from hoodwink.service.application.players.pushes import PushOutcome

PUSHES: Final = Counter("hoodwink_pushes", "Pushes to the browsers of players, by outcome.", ["outcome"])


def begin_counts() -> None:
    """Begins each count at 0, because Prometheus sees no increase when a counter first appears."""
    for outcome in PushOutcome:
        PUSHES.labels(outcome)


def count(outcome: PushOutcome) -> None:
    PUSHES.labels(outcome).inc()
