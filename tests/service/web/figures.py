"""Measures the page in Chromium: transfer size, time to the first cards, and time to paint an event.

    python -m tests.service.web.figures              everything, some minutes
    python -m tests.service.web.figures weight play  some of: weight, cold, play, age, rooms

It starts its own service without limits; the page has no code for it. `docs/BENCHMARKS.md` explains the rows.
"""

import argparse
import math
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from rich.console import Console

from bench.figures import Bar, Figure, quantile
from bench.report import grid, this_machine
from hoodwink.domain.games import GAMES
from tests.service.web.browser import chromium
from tests.service.web.guests import Guest, guest
from tests.service.web.life import bot_table, lively_service
from tests.service.web.rooms import SEEN, all_rooms, page_address
from tests.service.web.weight import MAX_BYTES, TRANSFERRED

PROBE: Final = Path(__file__).with_name("probe.js").read_text(encoding="utf-8")
RUNS: Final = 12
MIN_EVENTS: Final = 300

_PATIENCE_MS: Final = 60_000
_BOT_DELAY_MS: Final = 100
_PLAYED: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "blindside": {"rounds": 4},
        "coconut": {"rounds": 2},
        "blind_don": {"rounds": 4},
        "double_blind": {"target_score": 200},
        "shithead": {"rounds": 2},
    }
)
_FRESH: Final = 100
"""The number of compared events at the beginning and end of a long table."""


class Bench(NamedTuple):
    """A service, and a browser with a new profile for each measurement."""

    served: str
    browser: Any

    @contextmanager
    def visit(self, viewer: Guest | None = None) -> Iterator["Visit"]:
        """Opens an empty page in a new profile."""
        context = self.browser.new_context(base_url=self.served, viewport={"width": 1280, "height": 800})
        context.add_init_script(PROBE)
        if viewer is not None:
            viewer.signed_in(context)
        visit = Visit(context.new_page(), context)
        visit.page.on("request", lambda request: visit.hosts.update([urlsplit(request.url).netloc]))
        yield visit
        context.close()


class Visit:
    """A page with the probe in it.

    Attributes:
        hosts: the number of requests to each host.
    """

    def __init__(self, page: Any, context: Any) -> None:
        self.page = page
        self.context = context
        self.hosts = Counter[str]()
        self._session: Any = None

    def probe(self, what: str) -> Any:
        return self.page.evaluate(f"() => window.probe.{what}")

    def seen(self, what: str) -> float:
        """Waits until something was painted; returns the time."""
        self.page.wait_for_function(
            "what => window.probe.seen[what]", arg=what, polling=20, timeout=_PATIENCE_MS
        )
        return float(self.probe(f"seen.{what}"))

    @property
    def shift(self) -> float:
        """The sum of all layout shifts except those within half a second of a click or key."""
        return math.fsum(shift["value"] for shift in self.probe("shifts") if not shift["hadRecentInput"])

    def metrics(self) -> dict[str, float]:
        """Returns Chromium's counters of the page after a garbage collection; durations are times of the main thread."""
        if self._session is None:
            self._session = self.context.new_cdp_session(self.page)
            self._session.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._session.send("HeapProfiler.collectGarbage")
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return {each["name"]: each["value"] for each in metrics}


class Weighed:
    """A page's network traffic as counted by Chromium: compressed, including headers."""

    def __init__(self, visit: Visit) -> None:
        self._addresses = dict[str, str]()
        self.bytes = dict[str, int]()
        session = visit.context.new_cdp_session(visit.page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.loadingFinished", self._loaded)

    def _asked(self, event: Any) -> None:
        self._addresses[event["requestId"]] = event["request"]["url"]

    def _loaded(self, event: Any) -> None:
        path = urlsplit(self._addresses.get(event["requestId"], "")).path
        name = re.sub(r"^/page/\w+/", "", path)
        self.bytes[name] = self.bytes.get(name, 0) + int(event["encodedDataLength"])

    def total(self, wanted: Callable[[str], bool] = lambda _: True) -> int:
        return sum(size for name, size in self.bytes.items() if wanted(name))


def measure_weight(bench: Bench) -> Iterator[Figure]:
    """weight: what comes over the network with an empty cache"""
    ada = guest(bench.served)
    table = page_address(ada.table("blindside", bots=3))
    for name, path in {"home": "/", "a table by its link": table}.items():
        with bench.visit(ada) as visit:
            weighed = Weighed(visit)
            visit.page.goto(path)
            visit.page.wait_for_function(SEEN)
            visit.page.wait_for_timeout(1500)
            yield _weight(f"{name}: files of the page, headers included", weighed, _is_file)
            yield _weight(f"{name}: responses of the API", weighed, lambda name: not _is_file(name))
    with bench.visit() as visit:
        weighed = Weighed(visit)
        _two_clicks(visit)
        visit.page.wait_for_timeout(1500)
        yield _weight("home, game and table by two clicks: files of the page", weighed, _is_file)
        bodies = visit.page.evaluate(TRANSFERRED)
        yield Figure(
            name="the same without headers",
            unit="kB",
            samples=(sum(bodies.values()) / 1000,),
            bar=Bar(MAX_BYTES / 1000, is_ceiling=True),
        )
        for name, size in sorted(bodies.items(), key=lambda body: -body[1])[:12]:
            yield Figure(name=f"  {name}", unit="kB", samples=(size / 1000,))


def _is_file(name: str) -> bool:
    return not name.startswith("/v1/")


def _weight(name: str, weighed: Weighed, wanted: Callable[[str], bool]) -> Figure:
    return Figure(name=name, unit="kB", samples=(weighed.total(wanted) / 1000,))


def _two_clicks(visit: Visit) -> None:
    """Goes as a newcomer from the first page to a table of Blindside against bots."""
    visit.page.goto("/")
    visit.page.get_by_role("link", name="Play Blindside", exact=True).click()
    visit.page.get_by_role("button", name="Play against bots", exact=True).click()
    visit.seen("lit")


def measure_cold(bench: Bench) -> Iterator[Figure]:
    """cold: from a click to cards, each time in a new profile with an empty cache"""
    found = dict[str, list[float]]()

    def note(name: str, value: float) -> None:
        found.setdefault(name, []).append(value)

    for _ in range(RUNS):
        with bench.visit() as visit:
            _two_clicks(visit)
            first, second = visit.probe("clicks")
            note("home: first paint", visit.page.evaluate(_FIRST_PAINT))
            note("click on a game → its room painted", visit.seen("room") - first)
            note("click on Play against bots → cards painted", visit.seen("cards") - second)
            note("click on Play against bots → my first legal card lit", visit.seen("lit") - second)
            note(
                "both clicks together → cards painted",
                visit.seen("room") - first + visit.seen("cards") - second,
            )
        ada = guest(bench.served)
        table = page_address(ada.table("blindside", bots=3))
        with bench.visit(ada) as visit:
            visit.page.goto(table)
            note("link to a table, empty cache → cards painted", visit.seen("cards"))
        with bench.visit() as visit:
            visit.page.goto("/healthz")
            note("yardstick: a response of 40 bytes, painted", visit.page.evaluate(_FIRST_PAINT))
    for name, samples in found.items():
        bar = Bar(1500, is_ceiling=True) if "lit" in name or "cards" in name else None
        yield Figure(name=name, unit="ms", samples=tuple(samples), bar=bar)


_FIRST_PAINT: Final = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def measure_play(bench: Bench) -> Iterator[Figure]:
    """play: tables of every game played by clicking, from the arrival of an event to its frame"""
    shares = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    samples: dict[str, list[float]] = {name: [] for name in shares}
    shifts, longest, everything, spent = list[float](), list[float](), list[float](), list[float]()
    hosts = Counter[str]()
    while len(everything) < MIN_EVENTS or len(shifts) < len(_PLAYED):
        game = list(_PLAYED)[len(shifts) % len(_PLAYED)]
        ada = guest(bench.served)
        path = ada.table(game, bots=min(3, GAMES[game].seats[-1] - 1), **_pace(game))
        with bench.visit(ada) as visit:
            visit.page.goto(page_address(path))
            visit.page.wait_for_function(SEEN)
            before = visit.metrics()["TaskDuration"]
            visit.page.evaluate(_PLAY)
            visit.page.wait_for_selector("hw-outcome", state="attached", timeout=10 * _PATIENCE_MS)
            painted = visit.probe("painted")
            for name, share in shares.items():
                samples[name].append(quantile(painted, share))
            everything += painted
            shifts.append(visit.shift)
            longest.append(visit.probe("longest"))
            spent.append((visit.metrics()["TaskDuration"] - before) * 1000 / len(painted))
            hosts.update(visit.hosts)
    note = f"{len(everything)} events at {len(shifts)} tables"
    for name, values in samples.items():
        bar = Bar(50, is_ceiling=True) if name == "p95" else None
        yield Figure(
            name=f"event received → painted, {name} of a table",
            unit="ms",
            samples=tuple(values),
            bar=bar,
            note=note,
        )
    yield Figure(
        name="event received → painted, p95 of all", unit="ms", samples=(quantile(everything, 0.95),)
    )
    yield Figure(
        name="own time of the main thread for an event",
        unit="ms",
        samples=tuple(spent),
        note="the frames of its movements included",
    )
    yield from _yardstick(bench)
    yield Figure(
        name="longest frame of a table", unit="ms", samples=tuple(longest), note="0: none over 50 ms"
    )
    yield Figure(
        name="layout shift, a played table",
        unit="",
        samples=tuple(shifts),
        bar=Bar(0, is_ceiling=True),
    )
    others = sum(count for host, count in hosts.items() if host != urlsplit(bench.served).netloc)
    yield Figure(
        name="requests to other hosts", unit="", samples=(float(others),), bar=Bar(0, is_ceiling=True)
    )


# No mouse, since Playwright's clicks wait for moving cards; a person who knows what to play does not.
_PLAY: Final = """() => {
    const playing = setInterval(() => {
        if (document.querySelector('hw-outcome')) clearInterval(playing);
        (document.querySelector('.prompt .buttons button.main')
            ?? document.querySelector('.card-holder.playable:not(.selected)'))?.click();
    }, 60);
}"""


def _pace(game: str) -> dict[str, Any]:
    return {"options": dict(_PLAYED[game]), "bot_delay": _BOT_DELAY_MS}


def _yardstick(bench: Bench) -> Iterator[Figure]:
    """Follows a bot table from an empty document that only writes the version."""
    ada = guest(bench.served)
    path = bot_table(ada, options={"rounds": 8}, bot_delay=_BOT_DELAY_MS)
    with bench.visit() as visit:
        visit.page.goto("/healthz")
        ada.post(f"{path}/start")
        visit.page.evaluate(_WRITE_VERSIONS, f"{path}/events?with=view&include=words")
        painted = visit.probe("painted")
    for name, share in {"p50": 0.5, "p95": 0.95, "max": 1.0}.items():
        yield Figure(
            name=f"yardstick: received → a number painted, {name}",
            unit="ms",
            samples=(quantile(painted, share),),
            note=f"{len(painted)} events",
        )


_WRITE_VERSIONS: Final = r"""async (path) => {
    const reader = (await fetch(path, { headers: { Accept: 'text/event-stream' } })).body.getReader();
    const decoder = new TextDecoder();
    for (let text = ''; !text.includes('event: end');) {
        const { done, value } = await reader.read();
        if (done) return;
        text = text.slice(-20) + decoder.decode(value, { stream: true });
        document.body.textContent = text.match(/"version":\d+/)?.[0] ?? text.length;
    }
}"""


def measure_age(bench: Bench) -> Iterator[Figure]:
    """age: a table of a thousand events, watched from its beginning to its end"""
    ada = guest(bench.served)
    path = bot_table(ada, options={"rounds": 20}, bot_delay=20)
    with bench.visit() as visit:
        visit.page.goto(page_address(path))
        visit.page.wait_for_function(SEEN)
        ada.post(f"{path}/start")
        visit.seen("cards")
        before = visit.metrics()
        visit.page.wait_for_selector("hw-outcome", state="attached", timeout=10 * _PATIENCE_MS)
        after = visit.metrics()
        painted = visit.probe("painted")
        shift = visit.shift
    note = f"{len(painted)} events"
    for when, few in {"first": painted[:_FRESH], "last": painted[-_FRESH:]}.items():
        yield Figure(
            name=f"received → painted, p95 of the {when} {_FRESH} events",
            unit="ms",
            samples=(quantile(few, 0.95),),
            note=note,
        )
    for name, counter, unit, scale in (
        ("JavaScript heap", "JSHeapUsedSize", "MB", 1e6),
        ("nodes", "Nodes", "", 1),
        ("listeners", "JSEventListeners", "", 1),
    ):
        for when, metrics in {"after the deal": before, "after the end": after}.items():
            yield Figure(name=f"{name}, {when}", unit=unit, samples=(metrics[counter] / scale,))
    yield Figure(name="layout shift, a watched table", unit="", samples=(shift,), bar=Bar(0, is_ceiling=True))


def measure_rooms(bench: Bench) -> Iterator[Figure]:
    """rooms: the layout shift of each room at a cold load"""
    for room in all_rooms(bench.served, Random(1)):
        with bench.visit(room.viewer) as visit:
            visit.page.goto(room.address)
            visit.page.wait_for_function(SEEN, timeout=_PATIENCE_MS)
            visit.page.wait_for_timeout(1500)
            moved = [line for shift in visit.probe("shifts") for line in shift["moved"]]
            yield Figure(
                name=room.name,
                unit="",
                samples=(visit.shift,),
                bar=Bar(0, is_ceiling=True),
                note="; ".join(moved[:3]),
            )


MEASUREMENTS: Final = MappingProxyType(
    {
        "weight": measure_weight,
        "cold": measure_cold,
        "play": measure_play,
        "age": measure_age,
        "rooms": measure_rooms,
    }
)


def main() -> None:
    """Measures the parts named on the command line, or everything, and prints the figures."""
    parser = argparse.ArgumentParser(description="Measures the page in Chromium.")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"some of {', '.join(MEASUREMENTS)}")
    chosen = parser.parse_args().groups or [*MEASUREMENTS]
    if unknown := {*chosen} - {*MEASUREMENTS}:
        parser.error(f"there is no group {min(unknown)}")
    console = Console()
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-figures-") as data,
        lively_service(data) as served,
        chromium() as browser,
    ):
        machine = this_machine()
        console.print(
            f"{machine.system}, {machine.cores} cores, load {machine.load}, Chromium {browser.version}"
        )
        for name in chosen:
            measure = MEASUREMENTS[name]
            console.print(grid(measure.__doc__ or name, list(measure(Bench(served, browser)))))
        browser.close()


if __name__ == "__main__":
    main()
