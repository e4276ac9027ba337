"""Takes pictures of every room of the page in both themes, on a wide screen and on a phone: `make pictures`.

A new service is filled with players, tables and tournaments; the pictures are written to `build/pictures`, with
`index.html`, which shows all of them next to each other, and with the browser's complaints.

    python -m tests.service.web.pictures                          every picture
    python -m tests.service.web.pictures table rules              only those whose names start so
    python -m tests.service.web.pictures --theme light --width 390
    python -m tests.service.web.pictures --readme                 the picture at the head of README.md
"""

import argparse
import base64
import html
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final, Literal, NamedTuple

from hoodwink.service.web.files import paths
from tests.service.web.browser import chromium
from tests.service.web.life import MOMENTS, lively_service, people_of, reached
from tests.service.web.rooms import SEEN, Room, all_rooms, page_address

Theme = Literal["light", "dark"]
FOLDER: Final = Path("build") / "pictures"
THEMES: Final[Sequence[Theme]] = ("light", "dark")
WIDTHS: Final[Mapping[int, int]] = {1280: 800, 390: 844}
"""The height of the window by its width; a picture shows the whole page, however long."""

README: Final = Path("docs") / "table.webp"
README_SIZE: Final[Mapping[str, int]] = {"width": 1280, "height": 820}
README_SCALE: Final = 1.4
README_QUALITY: Final = 75

_PATIENCE_MS: Final = 30_000
_STILL_MS: Final = 300
_OVERHANG: Final = "() => document.documentElement.scrollWidth - window.innerWidth"

# Style sheets stay loaded when their room is left, so none may affect another room.
_SHEETS: Final = """async (paths) => {
    const boxes = () => new Map([...document.querySelectorAll('main *')].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [element, [x, y, width, height].map(Math.round).join(' ')];
    }));
    const before = boxes();
    const root = document.querySelector('link[rel=stylesheet]').href.replace(/style\\/.*/, '');
    const loaded = [...document.querySelectorAll('link[rel=stylesheet]')].map(({ href }) => href);
    const found = [];
    for (const path of paths.filter((path) => !loaded.includes(root + path))) {
        const link = document.createElement('link');
        Object.assign(link, { rel: 'stylesheet', href: root + path });
        await new Promise((resolve) => { link.onload = resolve; document.head.append(link); });
        const after = boxes();
        const sizes = (box) => box.split(' ').slice(2).join(' by ');
        const grown = [...after.keys()].filter((element) => sizes(before.get(element) ?? '') !== sizes(after.get(element)));
        // The innermost ones: those around them have grown with them.
        const [cause] = grown.filter((element) => !grown.some((other) => other !== element && element.contains(other)));
        if (cause) {
            const name = [cause.localName, ...cause.classList].join('.');
            found.push(`${path} changes ${name}: ${sizes(before.get(cause))} becomes ${sizes(after.get(cause))}`);
        }
        link.remove();
    }
    return found;
}"""


class Picture(NamedTuple):
    """A taken picture and the browser's complaints."""

    room: Room
    theme: Theme
    width: int
    faults: tuple[str, ...]

    @property
    def file(self) -> str:
        return f"{self.room.name}-{self.width}-{self.theme}.png"


def main() -> None:
    """Takes the pictures named on the command line, or all."""
    parser = argparse.ArgumentParser(description="Takes a picture of every room of the page.")
    parser.add_argument("beginnings", nargs="*", metavar="NAME", help="only rooms whose names begin so")
    parser.add_argument("--theme", choices=THEMES, action="append", help="by default both")
    parser.add_argument("--width", type=int, choices=[*WIDTHS], action="append", help="by default both")
    parser.add_argument("--readme", action="store_true", help=f"only {README}, a table in play")
    wanted = parser.parse_args()
    if wanted.readme:
        _picture_of_a_table()
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="hoodwink-pictures-") as data, lively_service(data) as served:
        _say("furnishing the service")
        rooms = [
            room
            for room in all_rooms(served, Random(1))
            if room.name.startswith(tuple(wanted.beginnings) or "")
        ]
        looks = list(product(wanted.width or WIDTHS, wanted.theme or THEMES))
        taken = list[Picture]()
        for picture in _taken(served, rooms, looks):
            taken.append(picture)
            for fault in picture.faults:
                _say(f"{picture.file}: {fault}")
        (FOLDER / "index.html").write_text(_contact_sheet(taken), encoding="utf-8")
    _say(f"{len(taken)} pictures: {FOLDER / 'index.html'}")


def _taken(served: str, rooms: Sequence[Room], looks: Sequence[tuple[int, Theme]]) -> Iterator[Picture]:
    with chromium() as browser:
        for room, (width, theme) in product(rooms, looks):
            context = browser.new_context(
                base_url=served,
                viewport={"width": width, "height": WIDTHS[width]},
                color_scheme=theme,
                reduced_motion="reduce",
            )
            faults = _take(context, room, FOLDER / Picture(room, theme, width, ()).file)
            context.close()
            yield Picture(room, theme, width, tuple(faults))


def _take(context: Any, room: Room, file: Path) -> list[str]:
    """Takes a picture; returns the complaints."""
    faults = list[str]()
    if room.viewer is not None:
        room.viewer.signed_in(context)
    page = context.new_page()
    page.on("console", lambda said: faults.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(room.address)
    try:
        page.wait_for_function(SEEN, timeout=_PATIENCE_MS)
        if room.prepare is not None:
            room.prepare(page)
    except Exception as error:  # noqa: BLE001 - a room that is not ready is worth a picture, too
        faults.append(str(error).splitlines()[0])
    page.wait_for_timeout(_STILL_MS)
    if (overhang := page.evaluate(_OVERHANG)) > 0:
        faults.append(f"hangs over the edge by {overhang} pixels")
    page.screenshot(path=str(file), full_page=True, animations="disabled")
    faults += page.evaluate(_SHEETS, [path for path in paths() if path.startswith("style/")])
    return faults


def _picture_of_a_table() -> None:
    """Writes the picture of a table where everybody sees a different view."""
    with (
        tempfile.TemporaryDirectory(prefix="hoodwink-pictures-") as data,
        lively_service(data) as served,
        chromium() as browser,
    ):
        people = people_of(served)
        path = reached(MOMENTS["double-blind-hat"], people, Random(1))
        context = browser.new_context(
            base_url=served,
            viewport={"width": README_SIZE["width"], "height": README_SIZE["height"]},
            color_scheme="light",
            reduced_motion="reduce",
        )
        people[0].signed_in(context)
        page = context.new_page()
        page.goto(page_address(path))
        page.wait_for_selector(".card-holder.playable")
        page.wait_for_timeout(_STILL_MS)
        clip = {"x": 0, "y": 0, "scale": README_SCALE, **README_SIZE}
        shot = {"format": "webp", "quality": README_QUALITY, "clip": clip}
        taken = context.new_cdp_session(page).send("Page.captureScreenshot", shot)
        README.write_bytes(base64.b64decode(taken["data"]))
    _say(f"{README}: {README.stat().st_size / 1000:.0f} kB")


def _contact_sheet(taken: Sequence[Picture]) -> str:
    """Returns a page with all pictures, one row per room."""
    rows = dict[str, list[str]]()
    for picture in taken:
        faults = "".join(f"<li>{html.escape(fault)}" for fault in picture.faults)
        rows.setdefault(picture.room.name, []).append(
            f'<figure class="w{picture.width}"><a href="{picture.file}"><img loading="lazy" src="{picture.file}" '
            f'alt="{picture.theme}"></a><figcaption>{picture.theme}, {picture.width}<ul>{faults}</ul></figcaption></figure>'
        )
    body = "\n".join(f"<h2>{name}</h2><div>{''.join(figures)}</div>" for name, figures in rows.items())
    return f"<!doctype html><meta charset=utf-8><title>Hoodwink: pictures</title><style>{_STYLE}</style>\n{body}\n"


_STYLE: Final = """
body { font: 14px system-ui; margin: 1rem; background: #888; color: #fff }
div { display: flex; gap: 1rem; align-items: start; overflow-x: auto }
figure { margin: 0 } li { color: #ffd0d0 }
img { display: block; width: 100%; max-height: 60rem; object-fit: cover; object-position: top }
.w1280 { width: 480px } .w390 { width: 180px }
"""


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
