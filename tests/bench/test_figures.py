"""Samples, medians and bars."""

import pytest

from bench.figures import Bar, Figure, quantile, rate


def figure(*samples, bar=None):
    return Figure(name="engine", unit="moves/s", samples=samples, bar=bar)


def test_a_figure_is_the_median_with_minimum_and_maximum():
    odd, even = figure(30, 10, 50), figure(4, 1, 2, 3)

    assert (odd.median, odd.spread) == (30, (10, 50))
    assert (even.median, even.spread) == (2.5, (1, 4))


@pytest.mark.parametrize(
    ("bar", "is_met"),
    [
        (None, None),
        (Bar(30), True),
        (Bar(31), False),
        (Bar(30, is_ceiling=True), True),
        (Bar(29, is_ceiling=True), False),
    ],
)
def test_the_median_is_compared_with_the_bar(bar, is_met):
    assert figure(30, 10, 50, bar=bar).is_met is is_met


@pytest.mark.parametrize(("share", "value"), [(0.0, 1), (0.5, 50), (0.95, 95), (0.99, 99), (1.0, 100)])
def test_a_quantile_is_one_of_the_values(share, value):
    assert quantile(range(100, 0, -1), share) == value


def test_a_rate_is_work_per_time(monkeypatch):
    now = iter([0.0, 0.0, 0.25, 0.5])
    monkeypatch.setattr("time.process_time", lambda: next(now))

    assert rate(lambda: 10, seconds=0.5) == 60
