"""The contents of a page in a browser: document, objects, accessibility tree, storage and network.

A `Witness` has to exist before the page's first script runs. It records what the page receives and sends, and does
not change the page's behaviour.
"""

import json
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

_BEFORE_THE_PAGE: Final = """(() => {
  const usual = new Set(Object.getOwnPropertyNames(window));
  const noted = { asked: [], fetched: [], posted: [], moves: [], underway: 0 };
  Object.defineProperty(window, '__witness', { value: { noted, usual } });
  const { fetch } = window;
  window.fetch = async (address, given = {}) => {
    noted.asked.push({ address: String(address), method: given.method ?? 'GET', body: given.body ?? '' });
    noted.underway += 1;
    let response;
    try {
      response = await fetch(address, given);
    } catch (error) {
      noted.underway -= 1;
      throw error;
    }
    const body = { address: String(address), status: response.status, text: '' };
    noted.fetched.push(body);
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
    if (isStream) noted.underway -= 1;
    read(response.clone().body, body).finally(() => { if (!isStream) noted.underway -= 1; });
    return response;
  };
  async function read(stream, body) {
    if (!stream) return;
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        body.text += decoder.decode(value, { stream: true });
      }
    } catch { /* the page closed the stream */ }
  }
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function post(message) {
    noted.posted.push(JSON.stringify(message));
    return postMessage.call(this, message);
  };
  const { animate } = Element.prototype;
  Element.prototype.animate = function move(frames, timing) {
    noted.moves.push(`${this.dataset?.place}: ${JSON.stringify(frames)}`);
    return animate.call(this, frames, timing);
  };
})()"""

_HELD: Final = r"""async () => {
  const { usual, noted } = window.__witness;
  const places = [...document.querySelectorAll('[data-zone]')].map((zone) => ({
    zone: zone.dataset.zone,
    label: zone.getAttribute('aria-label') ?? '',
    cards: [...zone.querySelectorAll('[data-place]')].map((card) => ({
      face: card.dataset.face ?? null, html: card.outerHTML })),
  }));
  const lines = [...document.querySelectorAll('.history li')].map((line) => [line.value, line.outerHTML]);
  const grid = [...document.querySelectorAll('.seen tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent));
  const outsideHistory = document.documentElement.cloneNode(true);
  for (const line of outsideHistory.querySelectorAll('.history li')) line.remove();

  const objects = [];
  const met = new WeakSet();
  const walk = (path, value, depth) => {
    if (typeof value === 'function' || value === undefined) return;
    if (value === null || typeof value !== 'object') objects.push(`${path} = ${String(value).replaceAll('\n', ' ')}`);
    else if (!(value instanceof Node || value === window || met.has(value) || depth > 40)) {
      met.add(value);
      if (value instanceof Map) [...value].forEach((pair, index) => walk(`${path}<${index}>`, pair, depth + 1));
      else if (value instanceof Set) walk(`${path}{}`, [...value], depth + 1);
      for (const name of Object.keys(value)) walk(`${path}.${name}`, value[name], depth + 1);
    }
  };
  // What lit-html keeps at an element is what it has drawn, in the order in which it happened to draw it.
  const named = (owner) => Object.keys(owner).filter((name) => name !== '_$litPart$');
  [...document.querySelectorAll('*')].forEach((element, index) => {
    for (const name of named(element)) walk(`${element.localName}#${index}.${name}`, element[name], 0);
    if ('value' in element) objects.push(`${element.localName}#${index}.value = ${element.value}`);
    if (element.shadowRoot) objects.push(`${element.localName}#${index} ${element.shadowRoot.innerHTML}`);
  });
  for (const name of Object.getOwnPropertyNames(window)) if (!usual.has(name) && !name.startsWith('__')) walk(`window.${name}`, window[name], 0);

  const rows = (storage) => Object.entries(storage).sort().map(([key, value]) => `${key}: ${value}`);
  const held = {
    version: (VERSION)(),
    places, lines, grid,
    document: document.documentElement.outerHTML,
    outside_history: outsideHistory.outerHTML,
    objects: objects.join('\n'),
    moves: noted.moves.join('\n'),
  };
  const databases = [];
  for (const { name } of await indexedDB.databases()) databases.push(await dumped(name));
  held.storage = [
    ...rows(localStorage), ...rows(sessionStorage), document.cookie, JSON.stringify(history.state), window.name,
    document.title, location.href, ...databases, ...await caches.keys(),
    ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope), ...noted.posted,
  ].join('\n');
  return held;

  function dumped(name) {
    return new Promise((resolve, reject) => {
      const opened = indexedDB.open(name);
      opened.onerror = reject;
      opened.onsuccess = () => {
        const stores = [...opened.result.objectStoreNames];
        const dumps = stores.map((store) => new Promise((done) => {
          const all = opened.result.transaction(store).objectStore(store).getAll();
          all.onsuccess = () => done(JSON.stringify(all.result));
        }));
        Promise.all(dumps).then((texts) => { opened.result.close(); resolve([name, ...texts].join('\n')); });
      };
    });
  }
}"""

_VERSION: Final = """() => {
  const { message } = document.querySelector('hw-table') ?? {};
  const { playback } = document.querySelector('hw-replay') ?? {};
  return message?.version ?? (playback?.isArriving === false ? playback.present.version : 0);
}"""

_PROGRESS: Final = f"""() => [({_VERSION})(), window.__witness?.noted.underway ?? 1]"""

_IDS: Final = frozenset({"nodeId", "backendDOMNodeId", "parentId", "childIds", "frameId"})
"""Fields of the accessibility tree with numbers assigned by the browser."""

_NOTED_KINDS: Final = frozenset({"document", "script", "stylesheet", "image", "fetch"})
"""Kinds of requests whose answers are files of the page or are recorded by the witness."""

MAX_ATTEMPTS: Final = 50


class Zone(NamedTuple):
    """A zone of the table as drawn.

    Attributes:
        label: its name for screen readers.
        cards: the face drawn for each card, and its whole markup.
    """

    name: str
    label: str
    cards: list[tuple[str | None, str]]


class Evidence(NamedTuple):
    """The contents of a page at one moment.

    Attributes:
        version: the version of the table on the page; 0 without a table.
        texts: all texts of the page by the name of their place.
        outside_history: the document outside the history's lines.
        lines: the history, as version and markup.
        grid: the rows of the grid of seen cards.
    """

    version: int
    texts: dict[str, str]
    outside_history: str
    zones: list[Zone]
    lines: list[tuple[int, str]]
    grid: list[list[str]]


class Witness:
    """Records what a page receives and sends. Create it before opening the page.

    Attributes:
        unnoted: requests whose answers are not recorded, such as WebSockets.
        addresses: all requested URLs.
        said: the lines of the console.
    """

    def __init__(self, page: Any) -> None:
        self.page = page
        self.unnoted: list[str] = []
        self.addresses: list[str] = []
        self.said: list[str] = []
        page.add_init_script(_BEFORE_THE_PAGE)
        page.on("request", self._requested)
        page.on("websocket", lambda socket: self.unnoted.append(f"websocket {socket.url}"))
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        self._session = page.context.new_cdp_session(page)

    def _requested(self, request: Any) -> None:
        address = request.url.partition("#")[0]  # the fragment is never sent
        self.addresses.append(f"{request.method} {address} {request.headers.get('referer', '')}")
        is_file = urlsplit(address).path.startswith("/page/")
        if request.resource_type not in _NOTED_KINDS and not is_file:
            self.unnoted.append(f"{request.resource_type} {address}")

    def progress(self) -> tuple[int, int]:
        """Returns the page's version of the table, and the number of requests without complete answer."""
        version, underway = self.page.evaluate(_PROGRESS)
        return version, underway

    def heard(self) -> str:
        """Returns the accessibility tree, one node per line."""
        nodes = self._session.send("Accessibility.getFullAXTree")["nodes"]
        depths: dict[str, int] = {}
        lines = []
        for node in nodes:
            depths[node["nodeId"]] = depth = depths.get(node.get("parentId", ""), -1) + 1
            lines.append("  " * depth + json.dumps(_without_ids(node), sort_keys=True, ensure_ascii=False))
        return "\n".join(lines)

    def evidence(self) -> Evidence:
        """Returns the current contents of the page, all at the same version of the table."""
        for _ in range(MAX_ATTEMPTS):
            held = self.page.evaluate(_HELD.replace("VERSION", _VERSION))
            texts = self._texts(held)
            if self.progress()[0] == held["version"]:
                break
        else:
            raise AssertionError("the table does not come to rest")
        zones = [
            Zone(zone["zone"], zone["label"], [(card["face"], card["html"]) for card in zone["cards"]])
            for zone in held["places"]
        ]
        lines = [(version, html) for version, html in held["lines"]]
        return Evidence(held["version"], texts, held["outside_history"], zones, lines, held["grid"])

    def _texts(self, held: dict[str, str]) -> dict[str, str]:
        return {
            "the document": held["document"],
            "an object": held["objects"],
            "the accessibility tree": self.heard(),
            "storage": held["storage"],
            "the console": "\n".join(self.said),
            "an address": "\n".join(sorted(self.addresses)),
            "a movement": held["moves"],
        }

    def asked(self) -> list[dict[str, str]]:
        """Returns the page's requests to the API in order."""
        asked: list[dict[str, str]] = self.page.evaluate("window.__witness.noted.asked")
        return asked

    def fetched(self) -> list[dict[str, Any]]:
        """Returns the answers to them, including the received parts of streams."""
        fetched: list[dict[str, Any]] = self.page.evaluate("window.__witness.noted.fetched")
        return fetched


def _without_ids(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_ids(part) for name, part in value.items() if name not in _IDS}
    return [_without_ids(part) for part in value] if isinstance(value, list) else value
