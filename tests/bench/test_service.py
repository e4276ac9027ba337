"""The benchmarks of a running service, each with a short duration."""

import sys

import pytest

from bench import http, latency, memory, sse
from bench.figures import Effort
from bench.load import LoadFailed, PlayLoad, run_load
from hoodwink.domain.games import GAMES
from hoodwink.service.settings import Settings

pytestmark = pytest.mark.processes

TINY = Effort(
    repeats=1, seconds=0.5, events=60, actions=6, watchers=4, crowd=6, reconnecting=5, tables=(1, 2)
)


def by_name(figures):
    return {figure.name: figure for figure in figures}


@pytest.fixture(scope="module")
def of_http():
    return list(http.measure(TINY))


@pytest.mark.campaign
def test_http_measures_rates_latencies_yardsticks_and_ratios(of_http):
    found = by_name(of_http)

    assert found["2 tables"].bar == http.ACTIONS_BAR
    assert found["1 table"].bar is None
    assert found["1 table, p50"].median <= found["1 table, p99"].median
    assert found["2 tables, a connection a seat, 4 watchers a table"].unit == "actions/s"
    assert all(figure.median > 0 for name, figure in found.items() if name.endswith("tables"))


@pytest.mark.campaign
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the time on a core is not known")
def test_http_starts_with_core_times_of_action_and_baseline(of_http):
    first, *figures = of_http
    ratio = next(figure for figure in figures if figure.bar == http.COST_BAR)
    baseline = next(figure for figure in figures if figure.name == "baseline")

    assert (first.name, first.unit) == ("2 tables, a connection a table", "core µs/action")
    assert ratio.median == pytest.approx(first.median / baseline.median)
    asked = [figure for figure in figures if figure.name in http.QUERIES]
    assert [figure.unit for figure in asked] == 3 * ["core µs/request"]
    assert all(figure.median > 0 for figure in asked)


@pytest.mark.campaign
def test_latency_compares_a_long_table_with_a_short_one():
    found = by_name(latency.measure(TINY))

    assert found["in process, version 60 ÷ version 1"].bar == latency.RATIO_BAR
    assert {"client, version 1", "client, version 6", "client, version 60"} <= set(found)
    assert found["cold load of 60 events"].median > 0


@pytest.mark.campaign
def test_streams_are_followed_to_the_last_watcher():
    found = by_name(sse.measure(TINY))

    fan_out = [found[f"from a response to the last of 4 watchers, {share}"] for share in ("p50", "p95")]
    assert fan_out[0].median <= fan_out[1].median
    assert found["2 tables, 2 watchers each ÷ none"].bar == sse.RATIO_BAR


@pytest.mark.campaign
def test_memory_is_measured_for_every_game_and_process():
    found = by_name(memory.measure(TINY))

    assert all(
        found[f"{game}, {players}: the event itself"].median > 100
        for game in GAMES
        for players in ("bots", "people")
    )
    assert found["a registered player"].median > 100
    if sys.platform == "linux":
        assert {"redis", "api, 3 processes", "worker", "projector"} <= set(found)


def test_an_unanswered_load_is_reported():
    load = PlayLoad(settings=Settings(port=1), tables=1, warm_up=0.0, seconds=0.1)

    with pytest.raises(LoadFailed, match="refused"):
        run_load(load)
