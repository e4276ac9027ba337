"""Ways a page could leak a hidden card. Tests plant each of them and check that it is found."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

PLANTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "a face that is drawn": "card.dataset.face = face",
        "a title": "card.title = face",
        "a name for screen readers": "zone.setAttribute('aria-label', `hand: ${face}`)",
        "a description": "zone.ariaDescription = face",
        "a class": "card.classList.add(face)",
        "a comment": "zone.append(document.createComment(` ${face} `))",
        "a line of the history": "document.querySelector('.history li').textContent = `played ${face}`",
        "the live region": "document.querySelector('[data-spoken]').textContent = face",
        "a style": "card.style.setProperty('--face', `'${face}'`)",
        "what an element remembers": "document.querySelector('hw-table').next = [{ card: face }]",
        "a global": "window.next = new Map([['card', face]])",
        "what a field holds": "zone.append(Object.assign(document.createElement('input'), { value: face }))",
        "local storage": "localStorage.setItem('next', face)",
        "session storage": "sessionStorage.setItem('next', face)",
        "a cookie": "document.cookie = `next=${face}`",
        "the history of the tab": "history.replaceState({ ...history.state, face }, '')",
        "the address of the tab": "history.replaceState(history.state, '', `?next=${face}`)",
        "the title of the tab": "document.title = face",
        "a message to other tabs": "new BroadcastChannel('next').postMessage(face)",
        "the console": "console.log(face)",
        "a request": "fetch(`/v1/tables?game=${face}`).then(() => {}, () => {})",
        "where a card came from": "card.animate([{ offset: 0, zIndex: 1, color: face }], 1)",
        "a database": """new Promise((resolve) => {
            const opened = indexedDB.open('next');
            opened.onupgradeneeded = () => { opened.result.createObjectStore('cards').put(face, 1); };
            opened.onsuccess = () => { opened.result.close(); resolve(); };
        })""",
    }
)
"""Scripts that put `face` in a place, by the place's name; `card` is a hidden card in `zone`."""


def planting(name: str) -> str:
    """Returns a script for the page that plants a face in this place."""
    return f"""async (face) => {{
        const card = document.querySelector('[data-face="??"]');
        const zone = card.closest('[data-zone]');
        await ({PLANTS[name]});
    }}"""
