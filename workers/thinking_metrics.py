"""The metrics of bots that think."""

from typing import Final

from prometheus_client import Histogram

from hoodwink.domain.bots import LEVELS

DECISIONS: Final = Histogram(
    "hoodwink_thinking_seconds",
    "Time that bots that think took for a decision, by level.",
    ["level"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.0, 5.0),
)


def begin_counts() -> None:
    """Begins each count at 0, because Prometheus sees no increase when a counter first appears."""
    for name, level in LEVELS.items():
        if level.thinks:
            DECISIONS.labels(name)


def count(level: str, ms: int) -> None:
    DECISIONS.labels(level).observe(ms / 1_000)
