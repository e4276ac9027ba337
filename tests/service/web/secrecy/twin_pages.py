"""The pages of one viewer at two tables that differ only in cards hidden from this viewer.

Both tables advance commit by commit, and the pages must have the same contents after each.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from math import ceil
from time import monotonic
from typing import Any, Final

from hoodwink.domain.kernel import Viewer
from tests.service.application.world import NOW
from tests.service.http.api import Api
from tests.service.http.twins import TABLE
from tests.service.web.browser import PATIENCE_MS
from tests.service.web.guests import Guest
from tests.service.web.secrecy.evidence import Witness
from tests.service.web.secrecy.live_tables import WHICH, LiveTable, TwinServer

PATIENCE_SECONDS: Final = 90
MAX_LAG_SECONDS: Final = 30
ROOMS: Final = (f"/tables/{TABLE}", f"/tables/{TABLE}/replay")
"""The rooms that show a table in play."""

_SAME_CONDITIONS: Final = """(() => {
  let state = 1;
  Math.random = () => { state = (state * 48271) % 2147483647; return state / 2147483647; };
  crypto.getRandomValues = (numbers) => {
    for (let index = 0; index < numbers.length; index += 1) numbers[index] = Math.floor(Math.random() * 256);
    return numbers;
  };
  crypto.randomUUID = () => `${Math.random()}`;
  // The page measures the places of its cards, so none may be moving; the witness records the moves.
  Element.prototype.animate = () => {};
  const still = new CSSStyleSheet();
  still.replaceSync('* { transition: none !important }');
  document.adoptedStyleSheets = [still];
})()"""


_TOUCH_EVERYTHING: Final = """async (cardsPerZone) => {
  const { noted } = window.__witness;
  const [table, replay] = ['hw-table', 'hw-replay'].map((name) => document.querySelector(name));
  const turn = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel(); // the clock stands still, and all timers with it
    port1.onmessage = resolve;
    port2.postMessage(0);
  });
  const settled = async () => {
    do { await turn(); } while (noted.underway || table?.sending || replay?.playback.isArriving);
    for (let more = 0; more < 3; more += 1) await turn();
  };
  window.__states = [];
  const note = async (what) => {
    await settled();
    window.__states.push([what, document.documentElement.outerHTML]);
  };
  const hover = (element, kinds) => {
    for (const kind of kinds) element.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true }));
  };
  const panels = () => [...document.querySelectorAll('summary')];
  for (const name of panels().map((panel) => panel.textContent)) {
    panels().find((panel) => panel.textContent === name).click();
    await note(`opening or closing ${name}`);
  }
  const places = [...document.querySelectorAll('[data-place]')].map((card) => card.dataset.place);
  const zoneOf = (place) => place.split('/')[0];
  const isTouched = (place, index) => places.slice(0, index).filter((other) => zoneOf(other) === zoneOf(place)).length < cardsPerZone;
  for (const place of places.filter(isTouched)) {
    const find = () => document.querySelector(`[data-place="${place}"]`);
    hover(find(), ['pointerover', 'mouseover', 'mouseenter', 'mousemove']);
    find().focus();
    await note(`pointing at ${place}`);
    for (const kind of ['click', 'click', 'dblclick', 'contextmenu']) {
      if (find()) hover(find(), [kind]);
      await note(`${kind} on ${place}`);
    }
    if (find()) hover(find(), ['mouseout', 'mouseleave']);
  }
  for (let step = 0; replay && step < 8; step += 1) {
    replay.playback.step(-1);
    await note('a step back');
  }
  for (const button of document.querySelectorAll('.table-menu button.plain')) {
    button.click();
    await note(button.innerText);
    document.querySelector('dialog').close();
  }
  return window.__states.map(([what, document]) => {
    const html = document.replaceAll(/<!--.*?-->/g, '');
    let [one, other] = [1, 2];
    for (let index = 0; index < html.length; index += 1) {
      const code = html.charCodeAt(index);
      one = Math.imul(one ^ code, 2654435761);
      other = Math.imul(other ^ code, 1597334677);
    }
    return `${what}: ${html.length} ${one} ${other}`;
  });
}"""

_HASH: Final = re.compile(r"[0-9a-f]{64}|(?<=-)[0-9a-f]{16}\b")
_HEARTBEATS: Final = re.compile(r"^:\n\n", re.MULTILINE)
_TIMER: Final = re.compile(r"\b10{8}\d{4}\b")
_OF_LIT: Final = re.compile(r"<!--(?:\?(?:lit\$\d+\$)?)?-->")


_LOADED_BY_THE_BROWSER: Final = frozenset({"script", "stylesheet", "image", "font"})
"""Files loaded without `fetch`, which the page's own count of requests does not include."""


def standing(browser: Any) -> Any:
    """Returns a browser profile with a stopped clock."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    context.clock.install(time=NOW / 1000 - 60)
    context.clock.pause_at(NOW / 1000)
    return context


class TwinPage:
    """A viewer's page at one of two tables, with the same clock and random numbers as at the other."""

    def __init__(
        self, context: Any, server: TwinServer, which: str, table: LiveTable, room: str = ROOMS[0]
    ) -> None:
        self.table, self.page = table, context.new_page()
        server.tables[which] = table
        self.page.set_extra_http_headers({WHICH: which})
        self.page.add_init_script(_SAME_CONDITIONS)
        self.witness = Witness(self.page)
        self._loading = set[Any]()
        self.page.on("request", self._note_request)
        self.page.on("requestfinished", self._note_answer)
        self.page.on("requestfailed", self._note_answer)
        if table.player is not None:
            guest = Guest(server.address, table.player.id, f"Player {table.viewer}", table.player.token or "")
            guest.signed_in(self.page)
        self.page.goto(server.address + room, wait_until="commit")

    def _note_request(self, request: Any) -> None:
        if request.resource_type in _LOADED_BY_THE_BROWSER:
            self._loading.add(request)

    def _note_answer(self, request: Any) -> None:
        self._loading.discard(request)

    def settle(self) -> None:
        """Waits until the page shows the current table, all requests are answered and all parts are loaded."""
        until, version = monotonic() + PATIENCE_SECONDS, self.table.version
        quiet = 0
        while quiet < 2:
            shown, underway = self.witness.progress()
            quiet = quiet + 1 if shown >= version and not underway and not self._loading else 0
            assert monotonic() < until, f"the page shows version {shown} instead of {version}"
            self.page.wait_for_timeout(5)

    def touch(self, cards_per_zone: int) -> list[str]:
        """Hovers over and clicks cards and opens every panel; returns a digest of the document after each step."""
        steps: list[str] = self.page.evaluate(_TOUCH_EVERYTHING, cards_per_zone)
        return steps

    def network(self) -> dict[str, str]:
        """Returns the page's requests and their answers; parts without order are sorted."""
        answers = [
            f"{answer['address']} {answer['status']}\n" + _HEARTBEATS.sub("", answer["text"])
            for answer in self.witness.fetched()
        ]
        asked = [" ".join(request.values()) for request in self.witness.asked()]
        return {"a request": "\n".join(sorted(asked)), "an answer": "\n".join(sorted(answers))}

    def masked(self, text: str) -> str:
        """Returns the text without legitimate differences: blinded hashes, lit-html's marks and timer numbers."""
        heads, text = self.table.heads, _TIMER.sub("timer", _OF_LIT.sub("", text))
        return _HASH.sub(lambda found: heads.get(found[0], found[0]), text)

    def close(self) -> None:
        self.page.evaluate("localStorage.clear()")  # the next viewer has the same browser profile
        self.page.close()
        self.table.end()


def compared(
    contexts: Sequence[Any],
    server: TwinServer,
    whole: Sequence[Api],
    viewer: Viewer,
    looks: int,
    room: str = ROOMS[0],
    *,
    cards_per_zone: int = 99,
) -> list[str]:
    """Returns the differences of the viewer's pages at two tables, at some moments and after touching everything.

    Args:
        contexts: two browser profiles from `standing`.
        whole: the services with the two tables.
        looks: the number of comparisons.
        cards_per_zone: how many cards of each zone are touched.
    """
    pages = [
        TwinPage(context, server, which, LiveTable(api, viewer), room)
        for context, which, api in zip(contexts, ("one", "other"), whole, strict=True)
    ]
    try:
        return list(dict.fromkeys(_differences(pages, looks, cards_per_zone)))
    finally:
        for twin in pages:
            twin.close()


def _differences(pages: Sequence[TwinPage], looks: int, cards_per_zone: int) -> Iterator[str]:
    commits = ceil(pages[0].table.commits_left / looks)
    while pages[0].table.commits_left:
        _settle(pages)
        for twin in pages:
            twin.table.advance(commits)
        _settle(pages)
        yield from differences_now(pages)
    _open_and_close_panels(pages)
    steps = [twin.touch(cards_per_zone) for twin in pages]
    yield from (f"the document after {mine}" for mine, other in zip_longest(*steps) if mine != other)
    yield from differences_now(pages)
    yield from _differences_between(pages, [twin.network() for twin in pages])


def _settle(pages: Sequence[TwinPage]) -> bool:
    """Waits until both pages show the current table and are equal; the order and time of loading are random.

    Returns whether they do. Pages that stay different are compared later.
    """
    for twin in pages:
        twin.settle()
    until = monotonic() + MAX_LAG_SECONDS
    while len({twin.masked(twin.page.content()) for twin in pages}) > 1:
        if monotonic() > until:
            return False
        pages[0].page.wait_for_timeout(20)
    return True


def _open_and_close_panels(pages: Sequence[TwinPage]) -> None:
    """Makes the pages load all lazy parts, including nested panels."""
    for _ in range(2):
        number = 0
        while number < pages[0].page.locator("summary").count():
            for twin in pages:
                twin.page.locator("summary").nth(number).evaluate("summary => summary.click()")
                twin.settle()
            number += 1
        if not _settle(pages):
            return  # the pages differ


def differences_now(pages: Sequence[TwinPage]) -> Iterator[str]:
    """Yields the current differences of two pages and their places."""
    texts = [twin.witness.evidence().texts for twin in pages]
    yield from _differences_between(pages, texts)


def _differences_between(pages: Sequence[TwinPage], texts: Sequence[Mapping[str, str]]) -> Iterator[str]:
    for place in texts[0]:
        mine, others = [twin.masked(held[place]) for twin, held in zip(pages, texts, strict=True)]
        if mine != others:
            yield f"{place}: {_excerpt(mine, others)}"


def _excerpt(mine: str, others: str) -> str:
    """Returns the text around the first difference."""
    pairs = zip_longest(mine, others)
    start = max(0, next(index for index, (left, right) in enumerate(pairs) if left != right) - 80)
    return f"…{mine[start : start + 160]}… and …{others[start : start + 160]}…"
