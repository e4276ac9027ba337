"""Draws the page's PNG files from its SVG: the icons of an installed page, and the pictures of link previews.

python -m tests.service.web.drawn
"""

from typing import Any, Final

from hoodwink.domain.games import GAMES
from hoodwink.service.web.files import FOLDER, MEDIA_TYPES
from tests.service.web.browser import chromium

_ADDRESS: Final = "http://drawn.test/"
_GREEN: Final = "#143f39"

# Installed pages have their icon cut to a circle, so it keeps to the inner three fifths of a maskable one.
_ICON: Final = """([size, share, background]) => {
    document.body.style.cssText = `margin: 0; display: grid; place-items: center; block-size: 100vh; background: ${background}`;
    const image = document.createElement('img');
    image.width = image.height = size * share;
    image.src = '/icon.svg';
    document.body.replaceChildren(image);
    return image.decode();
}"""

_PREVIEW: Final = """async (game) => {
    const { render } = await import('/vendor/lit-html/lit-html.js');
    const { firstPicture, tableOf } = await import('/kit/pictures.js');
    for (const name of ['base', 'cards', 'home']) {
        const link = document.createElement('link');
        Object.assign(link, { rel: 'stylesheet', href: `/style/${name}.css` });
        await new Promise((resolve) => { link.onload = resolve; document.head.append(link); });
    }
    const place = document.createElement('div');
    document.body.replaceChildren(place);
    render(game ? tableOf(game) : firstPicture(), place);
    document.documentElement.style.scrollbarGutter = 'auto';
    const picture = document.querySelector('.picture');
    picture.style.cssText = 'display: block; inline-size: 600px; block-size: 315px; aspect-ratio: auto; border-radius: 0; background: #1f5d53;';
    picture.setAttribute('preserveAspectRatio', 'xMidYMid meet');
    await new Promise((resolve) => { setTimeout(resolve, 500); }); // the sprite of the cards
}"""


def main() -> None:
    with chromium() as browser:
        page = browser.new_page()
        page.route("**/*", _serve)
        page.goto(_ADDRESS)
        for name, size, share, background in (
            ("192", 192, 1, "transparent"),
            ("512", 512, 1, "transparent"),
            ("maskable", 512, 0.6, _GREEN),
        ):
            page.set_viewport_size({"width": size, "height": size})
            page.evaluate(_ICON, [size, share, background])
            _draw(page, f"icons/{name}.png")
        page.set_viewport_size({"width": 600, "height": 315})
        for game in ("", *GAMES):
            page.evaluate(_PREVIEW, game)
            _draw(page, f"previews/{game or 'hoodwink'}.png")


def _serve(route: Any) -> None:
    path = route.request.url.removeprefix(_ADDRESS)
    if path and (FOLDER / path).is_file():
        kind = MEDIA_TYPES[(FOLDER / path).suffix]
        route.fulfill(body=(FOLDER / path).read_bytes(), content_type=kind)
    else:
        route.fulfill(body="<!doctype html><body></body>", content_type="text/html")


def _draw(page: Any, path: str) -> None:
    page.screenshot(path=FOLDER / path, omit_background=True)
    print(f"{path}: {(FOLDER / path).stat().st_size} bytes")


if __name__ == "__main__":
    main()
