"""Plays a table with the mouse or the keyboard by what the page shows."""

import time
from typing import Any, Final

from hoodwink.service.web.files import page
from tests.service.web.engines.remote import Remote
from tests.service.web.guests import Guest

MAX_STEPS: Final = 1_500
MAX_TABS: Final = 60
TAB: Final = "\ue004"
ENTER: Final = "\ue007"

_SETTLE_SECONDS: Final = 2.0
"""How long a click may take to change something before the next one, as when somebody else acted first."""

_WATCH: Final = """() => {
    window.complaints = [];
    addEventListener('error', ({ message }) => complaints.push(message));
    addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)));
    addEventListener('securitypolicyviolation', (found) => complaints.push(found.violatedDirective));
    const { documentElement: root } = document;
    let widest = 0;
    const reach = (part) => Math.round(part.getBoundingClientRect().right);
    const outermost = () => [...document.querySelectorAll('body *')].reduce((one, other) => (reach(other) > reach(one) ? other : one));
    const measure = () => {
        const wider = root.scrollWidth - root.clientWidth;
        if (wider > widest) {
            const part = outermost();
            complaints.push(`is ${widest = wider} px too wide: ${part.localName}.${part.className} reaches ${reach(part)}`);
        }
        requestAnimationFrame(measure);
    };
    measure();
}"""

# What to press next; its parts must lie still, because people do not hit what moves. In a hand of many lines, only the
# upper edge of a card is seen.
_STATE: Final = """() => {
    const wanted = ['.count .row-of-buttons button.main', '.prompt .buttons button.main', '.card-holder.playable:not(.selected)'];
    const target = wanted.map((each) => document.querySelector(each)).find(Boolean);
    const isOver = Boolean(document.querySelector('hw-outcome .places'));
    const stage = [document.querySelector('[data-spoken]')?.textContent, document.querySelectorAll('.selected').length,
        document.querySelectorAll('.count .row-of-buttons button.main').length, isOver].join('|');
    const state = { stage, isOver, spots: [] };
    if (!target) return state;
    const { activeElement: focused } = document;
    state.isFocused = focused === target;
    state.isBehind = focused !== document.body && Boolean(target.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING);
    target.scrollIntoView({ block: 'nearest' });
    const isMoving = target.getAnimations({ subtree: true }).length > 0 || document.querySelector('.passing');
    const box = target.getBoundingClientRect();
    for (const down of [.04, .2, .5, .8]) for (const along of [.15, .5, .85]) {
        const [x, y] = [box.x + box.width * along, box.y + box.height * down];
        if (!isMoving && target.contains(document.elementFromPoint(x, y))) state.spots.push([x, y]);
    }
    return state;
}"""


def leave(remote: Remote, served: str) -> None:
    """Leaves the room for a document without scripts, and clears what the browser has stored for this address."""
    remote.go(f"{served}{page().root}/icon.svg")
    remote.run("() => localStorage.clear()")


def enter(remote: Remote, player: Guest, path: str) -> None:
    """Opens a room as a player, and notes its complaints from then on."""
    leave(remote, player.served)
    known = {"id": player.id, "name": player.name, "token": player.token}
    remote.run("(player) => localStorage.setItem('hoodwink.player', JSON.stringify(player))", known)
    remote.go(player.served + path)
    remote.run(_WATCH)


def play(remote: Remote, *, with_keys: bool = False) -> None:
    """Plays until the places are shown."""
    for step in range(MAX_STEPS):
        state = remote.run(_STATE)
        if state["isOver"]:
            return
        if with_keys and state["spots"]:
            _reach(remote)
        elif state["spots"]:
            remote.click(*state["spots"][step % len(state["spots"])])
        else:
            time.sleep(0.02)
            continue
        _await_change(remote, state["stage"])
    raise AssertionError(f"the table has not ended after {MAX_STEPS} steps: {remote.run(_STATE)}")


def _reach(remote: Remote) -> None:
    """Moves to what is to be pressed with the Tab key, and presses Enter."""
    for _ in range(MAX_TABS):
        state = remote.run(_STATE)
        if state.get("isFocused"):
            remote.press(ENTER)
            return
        # After the last part of the page, Firefox goes on in its own window.
        remote.press(TAB, shift=state.get("isBehind", False))
    raise AssertionError("the Tab key does not lead to what is to be pressed")


def _await_change(remote: Remote, before: Any) -> None:
    until = time.monotonic() + _SETTLE_SECONDS
    while remote.run(_STATE)["stage"] == before and time.monotonic() < until:
        time.sleep(0.02)
