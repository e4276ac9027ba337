"""A table played by bots in memory and fed to a page message by message, instead of by its service."""

import json
from collections.abc import Sequence
from typing import Any, Final

from tests.service.web.guests import SHORT
from tests.service.web.played import messages

_PLAYER: Final = json.dumps({"id": "ada", "name": "Ada", "token": "a-token"})

_SIGN_IN: Final = f"localStorage.setItem('hoodwink.player', {json.dumps(_PLAYER)});"

# The page gets its stream from `feed.push`, or several messages together from `feed.send`, until `feed.close`;
# `feed.shifts` notes what moves without an animation.
FEED: Final = r"""() => {
  const { fetch } = window;
  const encoder = new TextEncoder();
  window.feed = { sent: 0, shifts: [], answer() {} };
  const json = (body, status = 200) => new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
  window.fetch = async (address, given = {}) => {
    const path = String(address);
    if (!path.startsWith('/v1/') || path.startsWith('/v1/games/')) return fetch(address, given);
    if (!path.startsWith('/v1/tables/fed')) return json({ code: 'not_found', detail: 'There is no such thing.' }, 404);
    if (given.headers?.Accept === 'text/event-stream') {
      const start = (controller) => {
        feed.send = (...told) => controller.enqueue(encoder.encode(told.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`).join('')));
        feed.close = () => controller.close();
        feed.push = (message, type = 'view') => {
          feed.answer({ version: message.version });
          feed.send([type, message]);
        };
      };
      return new Response(new ReadableStream({ start }), { headers: { 'Content-Type': 'text/event-stream' } });
    }
    if (path.includes('/actions')) {
      feed.sent += 1;
      return new Promise((answer) => { feed.answer = (body) => answer(json(body)); });
    }
    return json({ events: [], more: false, cursor: null });
  };
  const named = (node) => {
    const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    return element ? `${element.className || element.localName} in ${element.parentElement?.className}` : 'something gone';
  };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) feed.shifts.push([value, sources.map(({ node }) => named(node))]);
  }).observe({ type: 'layout-shift' });
}"""


# Clicks everything that the player may choose until an action is sent.
PLAY: Final = """async ([first, ...told]) => {
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    let before = first;
    for (const message of told) {
        const { sent } = feed;
        for (let click = 0; before.view.seats[0].owes && click < 5 && feed.sent === sent; click += 1) {
            const button = document.querySelector('.prompt .buttons button.main')
                ?? document.querySelector('.card-holder.playable:not(.selected)');
            button?.click();
            await painted();
        }
        feed.push(message);
        await painted();
        before = message;
    }
}"""

Message = dict[str, Any]


def fed_messages(game: str, *, seats: int, seed: str) -> list[Message]:
    """Returns the messages of a short table to a person at seat 0, from the first deal on."""
    told = messages(game, seats=seats, options=SHORT[game], seed=seed)
    return [_to_person(message) for message in told if message["view"]["view"]["round"]]


def in_bursts(told: Sequence[Message], size: int) -> list[Message]:
    """Joins the messages like a stream that sends several commits together."""
    bursts = [told[at : at + size] for at in range(0, len(told), size)]
    return [burst[-1] | {"events": [event for each in burst for event in each["events"]]} for burst in bursts]


def _to_person(message: Message) -> Message:
    view = message["view"]
    me = view["seats"][0] | {"player": "ada", "name": "Ada", "policy": None, "bot_kept": False}
    view |= {"id": "fed", "seats": [me, *view["seats"][1:]]}
    return message | {"version": view["version"], "now": 0, "head": "", "view": view}


class FedPage:
    """A page of one table at a service that knows no such table.

    Attributes:
        complaints: the exceptions of the page.
    """

    def __init__(self, page: Any) -> None:
        page.add_init_script(f"{_SIGN_IN}({FEED})();")
        self.page = page
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self) -> None:
        """Opens the table, which has no message yet."""
        self.page.goto("/tables/fed")
        self.page.wait_for_function("() => feed.push")

    def begin(self, first: Message) -> None:
        """Opens the table with its first message."""
        self.open()
        self.push(first)
        self.page.wait_for_function("() => document.querySelector('hw-table')?.info")
        self.page.evaluate("() => { feed.shifts = []; }")

    def play(self, told: Sequence[Message]) -> None:
        """Shows the messages after the first one, clicking wherever the player acted."""
        self.page.evaluate(PLAY, told)

    def push(self, message: Message) -> None:
        self.page.evaluate("message => feed.push(message)", message)
