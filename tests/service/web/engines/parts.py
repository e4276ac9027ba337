"""What people do with the parts of a page: they press buttons, fill fields in, and read."""

from typing import Any, Final

from tests.service.processes import await_true
from tests.service.web.engines.remote import PATIENCE_SECONDS, Remote

# Behind an open dialog, nothing can be reached. Two frames show whether a part lies still.
_SPOT: Final = """async ([kind, name, nth]) => {
    const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    const called = (part) => (part.ariaLabel ?? part.labels?.[0]?.textContent ?? part.textContent).trim().replace(/\\s+/g, ' ');
    const found = [...root.querySelectorAll(kind)].filter((part) => part.checkVisibility() && !part.disabled
        && (name === null || called(part) === name || (name.endsWith('…') && called(part).startsWith(name.slice(0, -1)))))[nth];
    if (!found) return null;
    found.scrollIntoView({ block: 'center', behavior: 'instant' });
    const frame = () => new Promise((done) => { requestAnimationFrame(done); });
    const before = found.getBoundingClientRect();
    await frame();
    await frame();
    const { x, y, width, height } = found.getBoundingClientRect();
    const [left, top] = [x + width / 2, y + height / 2];
    const isHit = found.contains(document.elementFromPoint(left, top)) || [...found.labels ?? []].length;
    return x === before.x && y === before.y && isHit ? [left, top] : null;
}"""
_FOCUSED: Final = "() => document.activeElement.select?.()"


def spot(remote: Remote, kind: str, name: str | None = None, *, nth: int = 0) -> list[float]:
    """Waits until a part of this kind, a CSS selector, with this name can be clicked; returns its middle.

    A name that ends with "…" is the beginning of the whole name.
    """
    found: list[float] = remote.wait(_SPOT, [kind, name, nth])
    return found


def press(remote: Remote, name: str, *, nth: int = 0) -> None:
    """Clicks a button, a link or what unfolds something."""
    remote.click(*spot(remote, "button, a, summary", name, nth=nth))


def fill(remote: Remote, name: str, text: str) -> None:
    """Types a text into a field, instead of its present one."""
    remote.click(*spot(remote, "input, textarea", name))
    remote.run(_FOCUSED)
    remote.type(text)


def await_text(remote: Remote, *texts: str, inside: str = "body") -> None:
    """Waits until the page shows texts."""

    def is_shown() -> bool:
        said = remote.run("(inside) => document.querySelector(inside)?.innerText ?? ''", inside)
        return all(
            text in " ".join((said or "").split()) for text in texts
        )  # there is no text during a reload

    await_true(is_shown, within_s=PATIENCE_SECONDS)


def count(remote: Remote, selector: str) -> int:
    """Returns how many elements there are."""
    found: int = remote.run("(selector) => document.querySelectorAll(selector).length", selector)
    return found


def await_count(remote: Remote, selector: str, number: int) -> None:
    """Waits until there are as many elements."""
    await_true(lambda: count(remote, selector) == number, within_s=PATIENCE_SECONDS)


def complaints(remote: Remote) -> Any:
    """Returns the complaints of the page since it was entered."""
    return remote.run("() => complaints")
